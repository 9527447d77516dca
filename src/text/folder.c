#include "text/folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/sort.h"

#define MAX_DEPTH 16
#define MAX_FILES 65536

typedef struct walk {
  stijl_context *context;
  bool (*each)(void *user, const char *path);
  void *user;
  stijl_message *message;
  int files;
} walk;

static bool is_font_name(const char *name) {
  static const char *const endings[] = {".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0) return true;
  }
  return false;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

typedef SJ_ARRAY(char *) name_list;

static stijl_result read_names(walk *w, const char *folder, name_list *names) {
  DIR *dir = opendir(folder);
  if (!dir) return sj_fail(w->message, STIJL_ERROR_IO, "the folder %.200s cannot be read", folder);
  stijl_result result = STIJL_OK;
  for (struct dirent *entry; result == STIJL_OK && (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    char *name = sj_strndup(w->context, entry->d_name, strlen(entry->d_name));
    if (name && sj_array_push(w->context, names, name)) continue;
    sj_free(w->context, name);
    result = sj_fail_memory(w->message);
  }
  closedir(dir);
  if (result == STIJL_OK && names->count &&
      !sj_sort(w->context, names->data, names->count, sizeof *names->data, compare_names))
    result = sj_fail_memory(w->message);
  return result;
}

static stijl_result walk_folder(walk *w, const char *folder, int depth) {
  name_list names = {0};
  stijl_result result = read_names(w, folder, &names);
  for (size_t i = 0; i < names.count; i++) {
    char path[PATH_MAX];
    struct stat info;
    int length = snprintf(path, sizeof path, "%s/%s", folder, names.data[i]);
    if (result == STIJL_OK && length > 0 && length < (int)sizeof path && lstat(path, &info) == 0) {
      if (S_ISDIR(info.st_mode)) {
        // A folder within this one that cannot be read is ignored.
        stijl_result inner = depth < MAX_DEPTH ? walk_folder(w, path, depth + 1) : STIJL_OK;
        if (inner == STIJL_ERROR_OUT_OF_MEMORY || inner == STIJL_ERROR_LIMIT) result = inner;
      } else if ((S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)) && is_font_name(names.data[i])) {
        if (++w->files > MAX_FILES)
          result = sj_fail(w->message, STIJL_ERROR_LIMIT, "more than %d fonts in a folder", MAX_FILES);
        else if (!w->each(w->user, path))
          result = sj_fail_memory(w->message);
      }
    }
    sj_free(w->context, names.data[i]);
  }
  sj_array_finish(w->context, &names);
  return result;
}

stijl_result sj_each_font_file(stijl_context *context, const char *folder, bool (*each)(void *user, const char *path),
                               void *user, stijl_message *message) {
  walk w = {.context = context, .each = each, .user = user, .message = message};
  return walk_folder(&w, folder, 0);
}

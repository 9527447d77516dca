// Files that untrusted input names: only regular ones, only in the folder, and nothing waits.
#include "base/file.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "test.h"

static char root[64];

static const char *at(const char *name) {
  static char paths[4][200];
  static int turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", root, name);
  return path;
}

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(at(name), "wb");
  if (!file) {
    sj_test_fail(__FILE__, __LINE__, "cannot write %s", name);
    return;
  }
  fputs(text, file);
  fclose(file);
}

// Makes root/secret, root/in/{file,empty,fifo,socket,sub/file}; links in root/in: out -> ../secret, beside -> sub/file,
// whole -> the absolute path of root/in/file, folder -> root.
static bool make_files(void) {
  strcpy(root, "/tmp/stijl-file-XXXXXX");
  if (!mkdtemp(root) || mkdir(at("in"), 0700) || mkdir(at("in/sub"), 0700)) return false;
  write_file("secret", "secret");
  write_file("in/file", "inside");
  write_file("in/empty", "");
  write_file("in/sub/file", "below");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", at("in/socket"));
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  bool good = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
  if (fd >= 0) close(fd);
  return good && mkfifo(at("in/fifo"), 0600) == 0 && symlink("../secret", at("in/out")) == 0 &&
         symlink("sub/file", at("in/beside")) == 0 && symlink(at("in/file"), at("in/whole")) == 0 &&
         symlink(root, at("in/folder")) == 0;
}

static void remove_files(void) {
  static const char *const names[] = {"in/out",  "in/beside", "in/whole",    "in/folder", "in/fifo", "in/socket",
                                      "in/file", "in/empty",  "in/sub/file", "in/swap",   "secret"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(at(names[i]));
  rmdir(at("in/sub"));
  rmdir(at("in"));
  rmdir(root);
}

// Returns what the file holds, or in brackets why it is not read.
static const char *read_file(const char *folder, const char *path) {
  static char text[300];
  stijl_message message = {""};
  sj_bytes bytes = {0};
  stijl_result result = sj_file_read(sj_context(NULL), folder, path, 1000, &bytes, &message);
  if (result == STIJL_OK)
    snprintf(text, sizeof text, "%s", (const char *)bytes.data);
  else
    snprintf(text, sizeof text, "(%s)", message.text);
  free(bytes.data);
  return text;
}

TEST(only_files_of_the_folder) {
  if (!make_files()) SKIP("no files can be made in /tmp");
  char in[200];
  snprintf(in, sizeof in, "%s", at("in"));
  CHECK_STR(read_file(in, at("in/file")), "inside");
  CHECK_STR(read_file(in, at("in/empty")), "");
  CHECK_STR(read_file(in, at("in/sub/../file")), "inside");
  CHECK_STR(read_file(in, at("in/sub/file")), "below");
  CHECK_STR(read_file(in, at("in/beside")), "below");
  CHECK_STR(read_file(in, at("in/whole")), "inside");
  CHECK_STR(read_file(at("in/sub/.."), at("in/file")), "inside");
  static const char outside[] = "(the file lies outside the folder)";
  CHECK_STR(read_file(in, at("secret")), outside);
  CHECK_STR(read_file(in, at("in/out")), outside);
  CHECK_STR(read_file(in, at("in/../secret")), outside);
  CHECK_STR(read_file(in, at("in/folder/secret")), outside);
  CHECK_STR(read_file(in, "/proc/self/root/etc/passwd"), outside);
  CHECK_STR(read_file(in, "/dev/zero"), outside);
  CHECK_STR(read_file(at("in/sub"), at("in/file")), outside);
  CHECK_STR(read_file(in, at("in/none")), "(there is no such file)");
  CHECK_STR(read_file(at("none"), at("none/file")), "(there is no such file)");
  // Without a folder, anywhere; but files alone.
  CHECK_STR(read_file(NULL, at("in/out")), "secret");
  static const char other[] = "(not an ordinary file)";
  CHECK_STR(read_file(NULL, "/dev/zero"), other);
  CHECK_STR(read_file(NULL, at("in/fifo")), other);
  CHECK_STR(read_file(in, at("in/fifo")), other);
  CHECK_STR(read_file(in, at("in/socket")), other);
  CHECK_STR(read_file(in, at("in/sub")), other);
  write_file("in/file", "");
  CHECK(truncate(at("in/file"), 1001) == 0);
  CHECK_STR(read_file(in, at("in/file")), "(the file is larger than max_bytes (1000))");
  remove_files();
}

typedef struct swapping {
  atomic_bool done;
  char inside[200], outside[200], name[200], spare[200];
} swapping;

// Turns the name from a file into a link that leads out, and back, all the time.
static void *swap(void *user) {
  swapping *s = user;
  while (!atomic_load(&s->done)) {
    if (symlink(s->outside, s->spare) == 0) rename(s->spare, s->name);
    if (link(s->inside, s->spare) == 0) rename(s->spare, s->name);
    unlink(s->spare);
  }
  return NULL;
}

TEST(nothing_between_check_and_reading) {
  if (!make_files()) SKIP("no files can be made in /tmp");
  swapping s = {.done = false};
  snprintf(s.inside, sizeof s.inside, "%s", at("in/file"));
  snprintf(s.outside, sizeof s.outside, "%s", at("secret"));
  snprintf(s.name, sizeof s.name, "%s", at("in/swap"));
  snprintf(s.spare, sizeof s.spare, "%s", at("spare"));
  char in[200], again[400];
  snprintf(in, sizeof in, "%s", at("in"));
  snprintf(again, sizeof again, "%s/in/folder/in/swap", root);  // by way of an absolute link
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, swap, &s) == 0);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; i++) {
    const char *text = read_file(in, i % 2 ? s.name : again);
    if (strcmp(text, "secret") == 0) {
      sj_test_fail(__FILE__, __LINE__, "the secret was read");
      break;
    }
    read += strcmp(text, "inside") == 0;
    refused += text[0] == '(';
  }
  atomic_store(&s.done, true);
  pthread_join(thread, NULL);
  unlink(s.spare);
  remove_files();
  CHECK(read > 0 && refused > 0);
}

static void check_beside(const char *from, const char *path, const char *expected) {
  char *made = sj_path_beside(sj_context(NULL), from, path);
  CHECK_STR(made, expected);
  free(made);
}

TEST(paths) {
  check_beside("a.css", "b.css", "b.css");
  check_beside("x/a.css", "./b.css", "x/b.css");
  check_beside("x/a.css", "../b.css", "b.css");
  check_beside("x/y/a.css", ".././b/../c.css", "x/c.css");
  check_beside("a.css", "../../b.css", "../../b.css");
  check_beside("../a.css", "../b.css", "../../b.css");
  check_beside("/x/a.css", "../../b.css", "/b.css");
  check_beside("x/a.css", "/y//z/./b.css", "/y/z/b.css");
  check_beside("x/a.css", "..", "");
  check_beside("..x/a.css", "../b", "b");
  char *path = NULL;
  CHECK(sj_url_to_path(sj_context(NULL), "a%20b.css?x#y", 13, &path, NULL) == STIJL_OK);
  CHECK_STR(path, "a b.css");
  free(path);
  CHECK(sj_url_to_path(sj_context(NULL), "FILE:///a%2fb", 13, &path, NULL) == STIJL_OK);
  CHECK_STR(path, "/a/b");
  free(path);
  static const char *const refused[] = {"http://a/b", "//a/b", "data:,", "a%00b", "C:/x"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    CHECK(sj_url_to_path(sj_context(NULL), refused[i], strlen(refused[i]), &path, NULL) == STIJL_ERROR_REFUSED);
  CHECK(sj_url_to_path(sj_context(NULL), "#a", 2, &path, NULL) == STIJL_ERROR_UNSUPPORTED);
}

// Where @import takes sheets from.
#include <string.h>

#include "base/file.h"
#include "css/sheet.h"

static bool imports_itself(const sj_css_sheet_place *place, const char *name) {
  for (; place; place = place->importer)
    if (strcmp(place->name, name) == 0) return true;
  return false;
}

// The folder that files must lie in is that of the outermost sheet.
static stijl_result read_file(const stijl_css *css, const sj_css_sheet_place *place, const char *url,
                              sj_css_imported *out) {
  stijl_context *context = css->context;
  char *path, *root = NULL;
  stijl_result result = sj_url_to_path(context, url, strlen(url), &path, NULL);
  if (result) return result;
  out->name = sj_path_beside(context, place->name, path);
  sj_free(context, path);
  if (out->name && imports_itself(place, out->name)) return STIJL_ERROR_INVALID_STATE;
  const sj_css_sheet_place *outermost = place;
  while (outermost->importer) outermost = outermost->importer;
  bool below = css->params.files == STIJL_CSS_FILES_BELOW;
  if (below) root = sj_path_folder(context, outermost->name);
  sj_bytes bytes = {0};
  if (out->name && (root || !below))
    result = sj_file_read(context, root, out->name, css->params.limits.max_bytes, &bytes, NULL);
  else
    result = STIJL_ERROR_OUT_OF_MEMORY;
  sj_free(context, root);
  out->text = (char *)bytes.data;
  out->bytes = bytes.count;
  return result;
}

stijl_result sj_css_import(const stijl_css *css, const sj_css_sheet_place *place, const char *url,
                           sj_css_imported *out) {
  *out = (sj_css_imported){0};
  const stijl_css_params *params = &css->params;
  stijl_result result = STIJL_ERROR_UNSUPPORTED;
  if (params->import)
    result = params->import(params->user, place->name, url, &out->name, &out->text, &out->bytes);
  else if (params->files != STIJL_CSS_FILES_NONE)
    result = read_file(css, place, url, out);
  if (!result && imports_itself(place, out->name ? out->name : url)) result = STIJL_ERROR_INVALID_STATE;
  if (!result) return STIJL_OK;
  // After a failure of its own the callback has left nothing.
  if (params->import && result != STIJL_ERROR_INVALID_STATE) *out = (sj_css_imported){0};
  sj_css_import_finish(css, out);
  return result;
}

void sj_css_import_finish(const stijl_css *css, sj_css_imported *imported) {
  const stijl_css_params *params = &css->params;
  if (!params->import) {
    sj_free(css->context, imported->name);
    sj_free(css->context, imported->text);
  } else if (params->free_text) {
    if (imported->name) params->free_text(params->user, imported->name);
    if (imported->text) params->free_text(params->user, imported->text);
  }
  *imported = (sj_css_imported){0};
}

// What resolving needs besides the document: failures, limits, pools.
#include "svg/resolve/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "svg/resolve/text_fonts.h"

void sj_resolver_init(sj_resolver *r, sj_resolve_job *job, const sj_loaded *loaded, bool own) {
  *r = (sj_resolver){.job = job,
                     .document = &loaded->document,
                     .options = &loaded->options,
                     .styles = {.document = &loaded->document,
                                .font_size = loaded->options.font_size,
                                .budget = sj_budget_of(job->context)},
                     .own = own};
}

void sj_resolver_finish(sj_resolver *r) {
  sj_resolver_fonts_finish(r);
  sj_free(r->job->context, r->first_known);
  sj_free(r->job->context, r->identities);
  sj_free(r->job->context, r->geometries);
  sj_array_finish(r->job->context, &r->known);
}

// --- failures and limits ---

void sj_resolve_fail(sj_resolver *r, stijl_result result, const char *format, ...) {
  if (!sj_resolving(r)) return;
  char text[sizeof r->job->message->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->job->result = sj_fail(r->job->message, result, "%s", text);
}

void sj_resolve_fail_memory(sj_resolver *r) {
  if (sj_resolving(r)) r->job->result = sj_fail_memory(r->job->message);
}

bool sj_resolve_check(sj_resolver *r, stijl_result result) {
  if (result == STIJL_OK) return sj_resolving(r);
  if (result == STIJL_ERROR_OUT_OF_MEMORY)
    sj_resolve_fail_memory(r);
  else
    sj_resolve_fail(r, result, "%s", stijl_result_string(result));
  return false;
}

bool sj_resolve_count(sj_resolver *r, uint32_t depth) {
  if (!sj_resolving(r)) return false;
  const stijl_svg_limits *limits = &r->options->limits;
  if (++r->job->totals->elements > limits->max_elements) {
    sj_resolve_fail(r, STIJL_ERROR_LIMIT, "more elements drawn than max_elements (%u)", limits->max_elements);
    return false;
  }
  if (depth > limits->max_depth) {
    sj_resolve_fail(r, STIJL_ERROR_LIMIT, "elements and references nested deeper than max_depth (%u)",
                    limits->max_depth);
    return false;
  }
  return sj_resolve_spend(r, SJ_WORK_ELEMENT);
}

bool sj_resolve_spend(sj_resolver *r, uint64_t work) {
  if (sj_resolving(r) && !sj_context_check(r->job->context, work)) r->job->result = sj_budget_spent(r->job->message);
  return sj_resolving(r);
}

// --- paths ---

stijl_path *sj_take_path(sj_resolver *r) {
  sj_resolve_job *job = r->job;
  if (job->spare_paths.count) return job->spare_paths.data[--job->spare_paths.count];
  stijl_path *path = NULL;
  if (sj_resolve_check(r, stijl_path_create(job->context, &path))) return path;
  stijl_path_destroy(path);  // it was made, but resolving has failed before
  return NULL;
}

void sj_give_path(sj_resolver *r, stijl_path *path) {
  if (!path) return;
  stijl_path_clear(path);
  if (!sj_array_push(r->job->context, &r->job->spare_paths, path)) stijl_path_destroy(path);
}

uint32_t sj_add_geometry(sj_resolver *r, const stijl_path *path) {
  sj_tree *tree = r->job->tree;
  stijl_context *context = tree->context;
  size_t verbs = path->verbs.count, points = path->points.count;
  sj_geometry made = {
      .first_verb = tree->verbs.count, .verb_count = verbs, .first_point = tree->points.count, .point_count = points};
  if (!sj_array_reserve(context, &tree->verbs, verbs) || !sj_array_reserve(context, &tree->points, points) ||
      tree->geometries.count >= SJ_NONE || !sj_array_push(context, &tree->geometries, made)) {
    sj_resolve_fail_memory(r);
    return SJ_NONE;
  }
  if (verbs) memcpy(tree->verbs.data + tree->verbs.count, path->verbs.data, verbs);
  if (points) memcpy(tree->points.data + tree->points.count, path->points.data, points * sizeof *path->points.data);
  tree->verbs.count += verbs;
  tree->points.count += points;
  return (uint32_t)tree->geometries.count - 1;
}

uint32_t sj_add_glyph_geometry(sj_resolver *r, uint32_t first) {
  sj_tree *tree = r->job->tree;
  sj_geometry made = {.glyphs = {first, (uint32_t)tree->glyphs.count}, .bounds = {.known = true, .empty = true}};
  for (uint32_t i = first; i < made.glyphs.end; i++) {
    const sj_tree_glyph *glyph = &tree->glyphs.data[i];
    const sj_geometry *outline = &tree->geometries.data[tree->outlines.data[glyph->outline].geometry];
    sj_box_add(&made.bounds, stijl_matrix_apply_rect(glyph->matrix, outline->bounds.rect));
  }
  if (tree->geometries.count < SJ_NONE && sj_array_push(tree->context, &tree->geometries, made))
    return (uint32_t)tree->geometries.count - 1;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

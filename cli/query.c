// `stijl query`: which elements draw, where they are, and how large.
#include "query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "json.h"
#include "parse.h"
#include "print.h"
#include "watch.h"

static void on_log(void *user, stijl_log_level level, const char *line) {
  const cli_query_options *o = user;
  if (level == STIJL_LOG_WARNING && !o->quiet) cli_report(NULL, "warning: %s", line);
}

static bool load(const cli_query_options *o, stijl_context *context, stijl_budget *budget, const char *path,
                 stijl_svg **svg, cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  if (!cli_read(path, o->svg.limits.max_bytes, &data, &bytes, failure)) return false;
  if (stijl_scene_is_saved(data, bytes)) {
    free(data);
    return cli_fail(failure, "a saved scene, in which there are no elements any more (stijl render draws it)");
  }
  stijl_budget_restart(budget);
  cli_watch_begin(budget, path, true, 1);
  stijl_svg_params params = o->svg;
  params.budget = budget;
  char *folder = o->resources_folder || strcmp(path, "-") == 0 ? NULL : cli_folder_of(path);
  params.base_folder = o->resources_folder ? o->resources_folder : folder;
  stijl_message message = {""};
  stijl_result result = stijl_svg_load(context, data, bytes, &params, svg, &message);
  free(folder);
  free(data);
  return result == STIJL_OK || cli_fail(failure, "%s", *message.text ? message.text : stijl_result_string(result));
}

// --- output ---

static const char *const box_names[] = {"object_box", "stroke_box", "layer_box"};

static bool put_boxes(cli_json *json, const stijl_svg *svg, uint32_t node, bool on_canvas) {
  for (int i = 0; i <= STIJL_SVG_BOX_LAYER; i++) {
    stijl_rect box;
    bool empty;
    if (stijl_svg_get_box(svg, node, (stijl_svg_box)i, on_canvas, &box, &empty) != STIJL_OK) return false;
    if (empty) {
      cli_json_null(json, box_names[i]);
      continue;
    }
    cli_json_begin(json, box_names[i], '{');
    cli_json_number(json, "x", (double)box.x0);
    cli_json_number(json, "y", (double)box.y0);
    cli_json_number(json, "width", (double)(box.x1 - box.x0));
    cli_json_number(json, "height", (double)(box.y1 - box.y0));
    cli_json_end(json, '}');
  }
  return true;
}

static void put_matrix(cli_json *json, const char *name, const stijl_matrix *m) {
  const float values[6] = {m->a, m->b, m->c, m->d, m->e, m->f};
  cli_json_begin(json, name, '[');
  for (int i = 0; i < 6; i++) cli_json_number(json, NULL, (double)values[i]);
  cli_json_end(json, ']');
}

static bool put_node(cli_json *json, const stijl_svg *svg, uint32_t index, const stijl_svg_node *node) {
  static const char *const kinds[] = {"group", "shape", "image", "text"};
  cli_json_begin(json, NULL, '{');
  cli_json_unsigned(json, "node", index);
  cli_json_string(json, "element", node->element);
  cli_json_string(json, "id", node->id);
  cli_json_unsigned(json, "offset", node->offset);
  cli_json_string(json, "kind", kinds[node->kind]);
  if (node->parent == STIJL_SVG_NO_NODE)
    cli_json_null(json, "parent");
  else
    cli_json_unsigned(json, "parent", node->parent);
  put_matrix(json, "transform", &node->transform);
  bool good = put_boxes(json, svg, index, false);
  cli_json_begin(json, "canvas", '{');
  put_matrix(json, "transform", &node->to_canvas);
  good = good && put_boxes(json, svg, index, true);
  cli_json_end(json, '}');
  cli_json_end(json, '}');
  return good;
}

static bool print_node(const stijl_svg *svg, uint32_t index, const stijl_svg_node *node) {
  stijl_rect box;
  bool empty;
  if (stijl_svg_get_box(svg, index, STIJL_SVG_BOX_LAYER, true, &box, &empty) != STIJL_OK) return false;
  const char *name = *node->id ? node->id : node->element;
  if (empty)
    cli_print("%s draws nothing", name);
  else
    cli_print("%s %.9g %.9g %.9g %.9g", name, (double)box.x0, (double)box.y0, (double)(box.x1 - box.x0),
              (double)(box.y1 - box.y0));
  return true;
}

// Prints the nodes that are asked for: all, or `first` alone.
static bool print(const cli_query_options *o, const stijl_svg *svg, uint32_t first, bool all, cli_failure *failure) {
  cli_json json = {0};
  float width, height;
  stijl_svg_size(svg, &width, &height);
  cli_json_begin(&json, NULL, '{');
  cli_json_number(&json, "width", (double)width);
  cli_json_number(&json, "height", (double)height);
  cli_json_begin(&json, "elements", '[');
  bool good = true;
  for (uint32_t i = first; good && i < (all ? stijl_svg_nodes(svg) : first + 1); i++) {
    stijl_svg_node node = STIJL_SVG_NODE_INIT;
    good = stijl_svg_get_node(svg, i, &node) == STIJL_OK;
    if (!good || (all && !*node.element)) continue;
    if (o->json)
      good = put_node(&json, svg, i, &node);
    else if (!all || *node.id)
      good = print_node(svg, i, &node);
  }
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  good = good && !json.failed;
  cli_watch_writing(&o->budget);
  if (good && o->json) puts(json.text);
  cli_json_finish(&json);
  return good || cli_fail(failure, "it takes more memory or time than it may (--max-memory, --max-seconds)");
}

static bool parse_point(const char *text, float *x, float *y) {
  char end;
  return sscanf(text, "%f,%f%c", x, y, &end) == 2;
}

// Returns the element at the point: a node without one belongs to the nearest around it that has one.
static uint32_t element_at(const stijl_svg *svg, float x, float y) {
  uint32_t at = stijl_svg_hit(svg, x, y);
  stijl_svg_node node = STIJL_SVG_NODE_INIT;
  while (at != STIJL_SVG_NO_NODE && stijl_svg_get_node(svg, at, &node) == STIJL_OK && !*node.element) at = node.parent;
  return at;
}

// Answers a query. Returns false with an empty failure when nothing is there, which the exit status tells.
static bool query(const cli_query_options *o, const stijl_svg *svg, cli_failure *failure) {
  float x, y;
  uint32_t node = 0;
  failure->text[0] = 0;
  if (o->id && o->at) return cli_fail(failure, "either --id or --at");
  if (o->id && (node = stijl_svg_find(svg, o->id)) == STIJL_SVG_NO_NODE)
    return cli_fail(failure, "no element with the id \"%.200s\" draws anything", o->id);
  if (o->at && !parse_point(o->at, &x, &y)) return cli_fail(failure, "--at takes X,Y, not \"%.200s\"", o->at);
  if (o->at && (node = element_at(svg, x, y)) == STIJL_SVG_NO_NODE) return false;
  return print(o, svg, node, !o->id && !o->at, failure);
}

int cli_command_query(int argc, char **argv) {
  cli_query_options o = {.svg = STIJL_SVG_PARAMS_INIT, .budget = STIJL_BUDGET_PARAMS_INIT};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_QUERY], argc, argv, &o, &operands, &status)) return status;
  if (operands != 1) {
    cli_report(NULL, "query takes one document (see stijl query --help)");
    return 1;
  }
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_log;
  params.user = &o;
  stijl_context *context = NULL;
  stijl_budget *budget = NULL;
  stijl_svg *svg = NULL;
  cli_failure failure;
  bool good = (stijl_context_create(&params, &context) == STIJL_OK &&
               stijl_budget_create(context, &o.budget, &budget) == STIJL_OK) ||
              cli_fail(&failure, "out of memory");
  good = good && load(&o, context, budget, argv[1], &svg, &failure) && query(&o, svg, &failure);
  stijl_svg_destroy(svg);
  cli_watch_end();
  if (!good && failure.text[0]) cli_report(argv[1], "%s", failure.text);
  stijl_budget_destroy(budget);
  stijl_context_destroy(context);
  return good ? 0 : 1;
}

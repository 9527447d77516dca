#include "css/program.h"

#include <string.h>

#include "base/sort.h"

bool sj_css_program_init(sj_css_program *program, stijl_context *context) {
  *program = (sj_css_program){.context = context};
  if (!sj_atoms_init(&program->strings, context) || !sj_atoms_init(&program->layer_names, context)) return false;
  // Layer 0 holds the rules outside of all layers.
  return sj_array_push(context, &program->layers,
                       (sj_css_layer){SJ_CSS_NONE, SJ_ATOM_NONE, SJ_CSS_NONE, SJ_CSS_NONE, SJ_CSS_NONE});
}

void sj_css_program_finish(sj_css_program *program) {
  stijl_context *context = program->context;
  sj_atoms_finish(&program->strings);
  sj_atoms_finish(&program->layer_names);
  sj_array_finish(context, &program->named_layers);
  for (size_t i = 0; i < program->sources.count; i++) {
    sj_free(context, program->sources.data[i].name);
    sj_free(context, program->sources.data[i].root);
    sj_free(context, program->sources.data[i].text);
  }
  sj_arrays_finish(context, &program->simples, &program->compounds, &program->complexes, &program->lists,
                   &program->ranges, &program->selectors, &program->rules, &program->declarations, &program->keyframes,
                   &program->font_faces, &program->font_palettes, &program->properties, &program->counter_styles,
                   &program->layers, &program->sources);
}

// Ranks layers by their first appearance, a layer's own rules above those of the layers within it, and rules outside of
// layers above all (CSS Cascade Level 5, 6.4.4). So a walk in postorder, children before parents, meets them in order.
static void rank_layers(const sj_css_program *g, uint32_t *rank) {
  uint32_t next = 0, at = 0;
  for (;;) {
    while (g->layers.data[at].first_child != SJ_CSS_NONE) at = g->layers.data[at].first_child;
    for (;;) {
      rank[at] = next++;
      if (at == 0) return;
      if (g->layers.data[at].next != SJ_CSS_NONE) {
        at = g->layers.data[at].next;
        break;
      }
      at = g->layers.data[at].parent;
    }
  }
}

typedef struct keyed {
  uint64_t key;
  uint32_t selector;
} keyed;

static int by_key(const void *left, const void *right) {
  uint64_t a = ((const keyed *)left)->key, b = ((const keyed *)right)->key;
  return (a > b) - (a < b);
}

bool sj_css_cascade_order(const sj_css_program *program, uint32_t *out) {
  stijl_context *context = program->context;
  size_t count = program->selectors.count;
  if (!count) return true;
  uint32_t *rank = sj_alloc_array(context, program->layers.count, sizeof *rank);
  keyed *keys = sj_alloc_array(context, count, sizeof *keys);
  bool good = rank && keys;
  if (good) {
    rank_layers(program, rank);
    for (size_t i = 0; i < count; i++) {
      const sj_css_selector *selector = &program->selectors.data[i];
      const sj_css_rule *rule = &program->rules.data[selector->rule];
      uint64_t origin = program->sources.data[rule->source].origin;
      keys[i] = (keyed){
          origin << 62 | (uint64_t)rank[rule->layer] << 30 | program->complexes.data[selector->complex].specificity,
          (uint32_t)i};
    }
    good = sj_sort(context, keys, count, sizeof *keys, by_key);
    for (size_t i = 0; good && i < count; i++) out[i] = keys[i].selector;
  }
  sj_free(context, rank);
  sj_free(context, keys);
  return good;
}

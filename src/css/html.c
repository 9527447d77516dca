// Reads HTML with gumbo and records it as a document.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "css/charset.h"
#include "css/clock.h"
#include "css/embedded.h"
#include "libraries/gumbo.h"
#include "markup/namespaces.h"

// gumbo's own allocations come from blocks that are given back all at once: freeing its tree would recurse as deep as
// the tree. It cannot cope with an allocator that fails, hence the long jump out of it.
#define BLOCK_BYTES ((size_t)1 << 18)
#define ALIGNMENT sizeof(void *)  // nothing in gumbo's structures asks for more
// gumbo takes time that grows with the square of the size for some inputs (many attributes of one element), and with
// the square of the depth: the clock is read and the depth is measured every so often.
#define ALLOCATIONS_PER_LOOK 1024
// Steps of the budget for what gumbo does from one allocation to the next.
#define WORK_AN_ALLOCATION 500

typedef struct block {
  struct block *next;
} block;

typedef struct arena {
  stijl_context *context;
  block *blocks;
  char *at, *end;
  char *last;  // what was allocated last: gumbo frees it often before anything else
  const stijl_css_limits *limits;
  sj_css_clock clock;
  uint64_t bytes;
  uint32_t allocations;
  const GumboOutput *output;  // gumbo's first allocation
  stijl_result result;
  char reason[80];
  bool late;
  jmp_buf out;
} arena;

static _Noreturn void give_up(arena *a, stijl_result result) {
  a->result = result;
  longjmp(a->out, 1);
}

// Returns whether elements nest too deeply. Those that are open while gumbo reads are a chain of last children, whose
// length is their depth.
static bool is_too_deep(const arena *a) {
  uint64_t depth = 0, most = (uint64_t)a->limits->max_depth + 1;  // and the document
  for (const GumboNode *node = a->output ? a->output->document : NULL; node && depth <= most; depth++) {
    bool document = node->type == GUMBO_NODE_DOCUMENT;
    if (!document && node->type != GUMBO_NODE_ELEMENT && node->type != GUMBO_NODE_TEMPLATE) return false;
    const GumboVector *children = document ? &node->v.document.children : &node->v.element.children;
    node = children->length ? children->data[children->length - 1] : NULL;
  }
  return depth > most;
}

static void look(arena *a) {
  if (a->bytes > a->limits->max_memory)
    snprintf(a->reason, sizeof a->reason, "reading the document takes more than max_memory (%llu bytes)",
             (unsigned long long)a->limits->max_memory);
  else if (!sj_css_clock_check(&a->clock, ALLOCATIONS_PER_LOOK * WORK_AN_ALLOCATION))
    a->late = true;
  else if (is_too_deep(a))
    snprintf(a->reason, sizeof a->reason, "the document is deeper than max_depth (%u)", a->limits->max_depth);
  if (a->reason[0] || a->late) give_up(a, STIJL_ERROR_LIMIT);
}

static void *arena_alloc(void *user, size_t bytes) {
  arena *a = user;
  bool first = a->allocations == 0;
  if (++a->allocations % ALLOCATIONS_PER_LOOK == 0) look(a);
  size_t asked = bytes;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > (size_t)(a->end - a->at)) {
    size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
    block *made = sj_alloc(a->context, size + ALIGNMENT);
    if (!made) give_up(a, STIJL_ERROR_OUT_OF_MEMORY);
    a->bytes += size;
    made->next = a->blocks;
    a->blocks = made;
    if (size != BLOCK_BYTES) return (char *)made + ALIGNMENT;
    a->at = (char *)made + ALIGNMENT;
    a->end = a->at + size;
  }
  void *ptr = a->last = a->at;
  a->at += bytes;
  if (first && asked == sizeof(GumboOutput)) a->output = memset(ptr, 0, asked);
  return ptr;
}

static void arena_free(void *user, void *ptr) {
  arena *a = user;
  if (!ptr || ptr != a->last) return;
  a->at = a->last;
  a->last = NULL;
}

static const char html_space[] = SJ_SPACE_HTML;
static const char svg_space[] = "http://www.w3.org/2000/svg";
static const char mathml_space[] = "http://www.w3.org/1998/Math/MathML";

static void record_attributes(stijl_css_document *d, const GumboElement *element) {
  for (unsigned i = 0; i < element->attributes.length; i++) {
    const GumboAttribute *a = element->attributes.data[i];
    const char *space = "", *name = a->name;
    if (a->attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK) space = "http://www.w3.org/1999/xlink";
    if (a->attr_namespace == GUMBO_ATTR_NAMESPACE_XML) space = "http://www.w3.org/XML/1998/namespace";
    if (a->attr_namespace == GUMBO_ATTR_NAMESPACE_XMLNS) space = "http://www.w3.org/2000/xmlns/";
    const char *colon = *space ? strchr(name, ':') : NULL;
    if (colon) name = colon + 1;
    sj_dom_attribute(d, space, strlen(space), name, strlen(name), a->value, strlen(a->value));
  }
}

static void record_begin(stijl_css_document *d, const GumboNode *node) {
  const GumboElement *element = &node->v.element;
  const char *space = element->tag_namespace == GUMBO_NAMESPACE_SVG      ? svg_space
                      : element->tag_namespace == GUMBO_NAMESPACE_MATHML ? mathml_space
                                                                         : html_space;
  const char *name = gumbo_normalized_tagname(element->tag);
  size_t length = strlen(name);
  char lower[128], *made = NULL;
  GumboStringPiece piece = element->original_tag;
  if (piece.data) gumbo_tag_from_original_text(&piece);
  if (element->tag_namespace == GUMBO_NAMESPACE_SVG && piece.data) {
    const char *svg = gumbo_normalize_svg_tagname(&piece);
    if (svg) {
      name = svg;
      length = strlen(svg);
    }
  }
  if (element->tag == GUMBO_TAG_UNKNOWN && piece.data && length == 0) {
    length = piece.length;
    made = length <= sizeof lower ? lower : sj_alloc(d->context, length);
    if (!made) {
      sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
      return;
    }
    for (size_t i = 0; i < length; i++) made[i] = sj_lower(piece.data[i]);
    name = made;
  }
  sj_dom_begin(d, space, strlen(space), name, length);
  if (made && made != lower) sj_free(d->context, made);
  record_attributes(d, element);
}

// Notes the sheet that the element recorded last holds or names.
static void note_sheet(stijl_css_document *d, const GumboNode *node) {
  uint32_t element = d->count - 1;
  const GumboVector *children = &node->v.element.children;
  sj_css_note_link(d, element, node->v.element.start_pos.line);
  if (!children->length || !sj_css_is_style(d, element)) return;
  // Of HTML it is one piece of text; elements of others may hold several.
  SJ_ARRAY(char) text = {0};
  const GumboNode *first = children->data[0];
  for (unsigned i = 0; i < children->length && !d->status; i++) {
    const GumboNode *child = children->data[i];
    if (child->type == GUMBO_NODE_ELEMENT || child->type == GUMBO_NODE_TEMPLATE || child->type == GUMBO_NODE_COMMENT)
      continue;
    size_t length = strlen(child->v.text.text);
    if (sj_array_reserve(d->context, &text, length)) {
      memcpy(text.data + text.count, child->v.text.text, length);
      text.count += length;
    } else {
      sj_dom_fail(d, STIJL_ERROR_OUT_OF_MEMORY);
    }
  }
  uint32_t line = first->type == GUMBO_NODE_ELEMENT ? 1 : first->v.text.start_pos.line;
  if (!d->status && text.count) sj_css_note_style(d, element, text.data, text.count, line);
  sj_array_finish(d->context, &text);
}

// Walks the tree without recursion.
static void record(stijl_css_document *d, const GumboNode *root) {
  const GumboNode *node = root;
  record_begin(d, node);
  unsigned next = 0;  // child of `node` to go to
  while (!d->status) {
    const GumboVector *children = &node->v.element.children;
    // The content of a template is no part of the document.
    bool closed = node->v.element.tag == GUMBO_TAG_TEMPLATE && node->v.element.tag_namespace == GUMBO_NAMESPACE_HTML;
    if (next >= children->length || closed) {
      stijl_css_document_end(d);
      if (node == root) return;
      next = (unsigned)node->index_within_parent + 1;
      node = node->parent;
      continue;
    }
    const GumboNode *child = children->data[next];
    if (child->type == GUMBO_NODE_ELEMENT || child->type == GUMBO_NODE_TEMPLATE) {
      record_begin(d, child);
      if (!d->status) note_sheet(d, child);
      node = child;
      next = 0;
      continue;
    }
    if (child->type != GUMBO_NODE_COMMENT && child->v.text.text[0]) stijl_css_document_text(d);
    next++;
  }
}

static stijl_result parse(stijl_context *context, const char *text, size_t bytes, const stijl_css_limits *limits,
                          stijl_css_document **out, stijl_message *message) {
  stijl_css_document *volatile d = NULL;
  stijl_css_document *made;
  stijl_result result = stijl_css_document_create(context, true, limits, &made);
  if (result) return sj_fail(message, result, "%s", stijl_result_string(result));
  d = made;
  if (bytes > made->limits.max_bytes) {
    result = sj_fail(message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                     (unsigned long long)made->limits.max_bytes);
    stijl_css_document_destroy(made);
    return result;
  }
  sj_decoded decoded;
  if (!sj_css_decode_html(made->context, text ? text : "", bytes, &decoded)) {
    stijl_css_document_destroy(made);
    return sj_budget_result(sj_budget_of(sj_context(context)), sj_fail_memory(message), message);
  }
  arena a = {.context = made->context, .limits = &made->limits};
  a.result =
      sj_css_clock_begin(&a.clock, made->context, made->limits.max_seconds) ? STIJL_OK : STIJL_ERROR_OUT_OF_MEMORY;
  if (!a.result && setjmp(a.out) == 0) {
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = arena_alloc;
    options.deallocator = arena_free;
    options.userdata = &a;
    options.max_errors = 0;
    GumboOutput *output = gumbo_parse_with_options(&options, decoded.text, decoded.bytes);
    d->quirks = output->document->v.document.doc_type_quirks_mode == GUMBO_DOCTYPE_QUIRKS;
    if (output->root) record(d, output->root);
  }
  for (block *b = a.blocks, *next; b; b = next) {
    next = b->next;
    sj_free(a.context, b);
  }
  sj_free(a.context, decoded.made);
  if (a.late)
    result = sj_css_clock_fail(&a.clock, "reading the document", message);
  else if (a.result)
    result = a.reason[0] ? sj_fail(message, a.result, "%s", a.reason) : sj_fail_memory(message);
  else
    result = stijl_css_document_finish(d, message);
  result = sj_budget_result(sj_budget_of(a.context), result, message);
  sj_css_clock_end(&a.clock);
  if (result)
    stijl_css_document_destroy(d);
  else
    *out = d;
  return result;
}

stijl_result stijl_css_document_parse_html(stijl_context *context, const char *text, size_t bytes,
                                           const stijl_css_limits *limits, stijl_css_document **out,
                                           stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || (!text && bytes)) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document");
  *out = NULL;
  if (sj_open_gumbo(message)) return STIJL_ERROR_UNSUPPORTED;
  stijl_budget *budget = sj_budget_of(sj_context(context));
  sj_budget_enter(budget);
  sj_budget_add_input(budget, bytes);
  stijl_result result = parse(context, text, bytes, limits, out, message);
  sj_budget_leave(budget);
  return result;
}

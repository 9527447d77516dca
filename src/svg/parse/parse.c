// Parses XML with expat, and makes the document.

#include <limits.h>
#include <string.h>

#include "base/budget.h"
#include "libraries/zlib.h"
#include "markup/expat.h"
#include "markup/namespaces.h"
#include "svg/parse/document.h"

static const char svg_uri[] = SJ_SPACE_SVG, xlink_uri[] = SJ_SPACE_XLINK, xml_uri[] = SJ_SPACE_XML,
                  html_uri[] = SJ_SPACE_HTML, math_uri[] = SJ_SPACE_MATHML;

typedef struct parser {
  sj_document *document;
  sj_expat expat;
  const stijl_svg_limits *limits;
  stijl_message *message;
  stijl_result result;  // why the parser was stopped, other than for an error in the XML
  uint32_t depth;
  uint64_t bytes;               // fed to expat so far
  uint64_t kept;                // bytes of names, values and text kept in the arena
  bool bare;                    // the root has no namespace, so elements without one count as SVG's
  SJ_ARRAY(char) text;          // character data not yet kept
  SJ_ARRAY(uint16_t) elements;  // per atom: 1 + its sj_element; 0: not looked up
} parser;

static void stop(parser *p, stijl_result result) {
  if (p->result == STIJL_OK) p->result = result;
  XML_StopParser(p->expat.xml, XML_FALSE);
}

static void stop_memory(parser *p) { stop(p, sj_fail_memory(p->message)); }

static bool is_space(const char *name, size_t length, const char *uri) {
  return length == strlen(uri) && memcmp(name, uri, length) == 0;
}

// Counts bytes that the document keeps. Returns false, and stops the parser, when they are too many.
static bool count_kept(parser *p, size_t length) {
  p->kept += length;
  if (p->kept <= p->limits->max_bytes) return true;
  stop(p, sj_fail(p->message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                  (unsigned long long)p->limits->max_bytes));
  return false;
}

static const char *keep(parser *p, const char *text, size_t length) {
  if (!count_kept(p, length)) return NULL;
  const char *copy = sj_arena_text(&p->document->arena, text, length);
  if (!copy) stop_memory(p);
  return copy;
}

static void flush_text(parser *p) {
  if (!p->text.count) return;
  const char *data = keep(p, p->text.data, p->text.count);
  if (!data) return;
  sj_dom *dom = p->document->dom;
  sj_text text = {.parent = dom->open, .before = dom->count, .data = data, .length = p->text.count};
  stijl_css_document_text(dom);
  if (!sj_array_push(p->document->context, &p->document->texts, text)) stop_memory(p);
  p->text.count = 0;
}

// How much work on the attributes of an element there may be between two charges of the budget.
#define ATTRIBUTES_LOOK 100000

static bool keep_attributes(parser *p, sj_node *node, const XML_Char **list) {
  sj_document *document = p->document;
  sj_dom *dom = document->dom;
  uint64_t work = 0, charged = 0;
  for (size_t i = 0; list[i]; i += 2) {
    const char *local, *value = list[i + 1];
    size_t space = sj_expat_split(list[i], &local), length = strlen(value);
    if (length >= UINT32_MAX) {
      stop(p, sj_fail(p->message, STIJL_ERROR_LIMIT, "an attribute is longer than 4 GiB"));
      return false;
    }
    if (!count_kept(p, length)) return false;
    if (work - charged > ATTRIBUTES_LOOK) {
      if (!sj_context_check(document->context, work - charged)) {
        stop(p, sj_budget_spent(p->message));
        return false;
      }
      charged = work;
    }
    sj_dom_attribute_loose(dom, list[i], space, local, strlen(local), value, length);
    const sj_node_attribute *last = sj_array_at(&dom->attribute_pool, dom->attribute_pool.count - 1);
    if (dom->status || !sj_document_learn_name(document, last->name)) {
      stop_memory(p);
      return false;
    }
    if (space && strcmp(local, "space") == 0 && is_space(list[i], space, xml_uri))
      node->preserve_space = strcmp(value, "preserve") == 0;
    work += SJ_WORK_VALUE + length * SJ_WORK_BYTE;
  }
  node->work = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
  return true;
}

// Finds what kind of SVG element this is. Each name is looked up once. Returns false when memory is short.
static bool find_element(parser *p, sj_atom name, uint16_t *element) {
  while (p->elements.count <= name)
    if (!sj_array_push(p->document->context, &p->elements, 0)) return false;
  uint16_t *found = &p->elements.data[name];
  if (!*found) {
    sj_string text = p->document->dom->atoms.strings.data[name];
    *found = (uint16_t)(sj_element_find(text.text, text.length) + 1);
  }
  *element = *found - 1;
  return true;
}

static void XMLCALL start_element(void *user, const XML_Char *name, const XML_Char **list) {
  parser *p = user;
  sj_document *document = p->document;
  if (p->result != STIJL_OK) return;
  if (document->nodes.count) flush_text(p);
  if (p->result != STIJL_OK) return;
  const char *local;
  size_t space = sj_expat_split(name, &local);
  bool is_svg = is_space(name, space, svg_uri);
  uint32_t index = (uint32_t)document->nodes.count;
  if (index == 0) {
    p->bare = !space;
    if ((!is_svg && !p->bare) || strcmp(local, "svg") != 0) {
      stop(p, sj_fail(p->message, STIJL_ERROR_MALFORMED, "the root element is <%.60s>, not SVG's <svg>", local));
      return;
    }
    if (p->bare) sj_log(document->context, STIJL_LOG_NOTICE, "the root element has no namespace: taken for SVG's");
  }
  is_svg |= p->bare && !space;
  if (++p->depth > p->limits->max_depth) {
    stop(p, sj_fail(p->message, STIJL_ERROR_LIMIT, "elements nested deeper than max_depth (%u) at line %lu",
                    p->limits->max_depth, (unsigned long)XML_GetCurrentLineNumber(p->expat.xml)));
    return;
  }
  if (index >= p->limits->max_elements) {
    stop(p, sj_fail(p->message, STIJL_ERROR_LIMIT, "more elements than max_elements (%u)", p->limits->max_elements));
    return;
  }
  if (!sj_context_check(document->context, SJ_WORK_ELEMENT)) {
    stop(p, sj_budget_spent(p->message));
    return;
  }
  sj_dom *dom = document->dom;
  uint32_t parent = dom->open;
  sj_node node = {.is_svg = is_svg,
                  .preserve_space = index && document->nodes.data[parent].preserve_space,
                  .offset = (uint32_t)XML_GetCurrentByteIndex(p->expat.xml)};
  if (is_svg)
    sj_dom_begin(dom, svg_uri, sizeof svg_uri - 1, local, strlen(local));
  else
    sj_dom_begin(dom, name, space, local, strlen(local));
  if (dom->status || (is_svg && !find_element(p, dom->name.data[index], &node.element))) {
    stop_memory(p);
    return;
  }
  bool is_html = is_space(name, space, html_uri), is_math = is_space(name, space, math_uri);
  node.is_html = (is_html || is_math) && (document->nodes.data[parent].is_html ||
                                          document->nodes.data[parent].element == SJ_ELEMENT_FOREIGN_OBJECT);
  node.is_math = is_math && node.is_html;
  document->has_html |= node.is_html;
  // HTML's style elements hold sheets of the document, as SVG's do (HTML, 4.2.6: wherever they are connected).
  if (is_html && strcmp(local, "style") == 0) node.element = SJ_ELEMENT_STYLE;
  document->has_animation |= sj_element_is((sj_element)node.element, SJ_IS_ANIMATION);
  document->has_script |= node.element == SJ_ELEMENT_SCRIPT;
  if (!keep_attributes(p, &node, list)) return;
  if (!sj_array_push(document->context, &document->nodes, node)) stop_memory(p);
}

static void XMLCALL end_element(void *user, const XML_Char *name) {
  parser *p = user;
  if (p->result != STIJL_OK) return;
  flush_text(p);
  if (p->result != STIJL_OK) return;
  stijl_css_document_end(p->document->dom);
  p->depth--;
}

static void XMLCALL character_data(void *user, const XML_Char *data, int length) {
  parser *p = user;
  if (p->result != STIJL_OK || length <= 0) return;
  if (p->kept + p->text.count > p->limits->max_bytes) {
    stop(p, sj_fail(p->message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                    (unsigned long long)p->limits->max_bytes));
    return;
  }
  // White space between elements is kept too: text needs it, and so do selectors such as :empty.
  if (!sj_array_reserve(p->document->context, &p->text, (size_t)length)) {
    stop_memory(p);
    return;
  }
  memcpy(p->text.data + p->text.count, data, (size_t)length);
  p->text.count += (size_t)length;
}

static void XMLCALL processing_instruction(void *user, const XML_Char *target, const XML_Char *data) {
  parser *p = user;
  sj_document *document = p->document;
  if (p->result != STIJL_OK || document->nodes.count || strcmp(target, "xml-stylesheet") != 0) return;
  sj_sheet_link link = {.length = strlen(data)};
  link.text = keep(p, data, link.length);
  if (link.text && !sj_array_push(document->context, &document->sheet_links, link)) stop_memory(p);
}

// --- feeding ---

static stijl_result feed(parser *p, const char *data, size_t bytes, bool last) {
  if (bytes > p->limits->max_bytes || p->bytes > p->limits->max_bytes - bytes) {
    return sj_fail(p->message, STIJL_ERROR_LIMIT, "the document is larger than max_bytes (%llu)",
                   (unsigned long long)p->limits->max_bytes);
  }
  p->bytes += bytes;
  if (!sj_context_check(p->document->context, bytes * SJ_WORK_BYTE)) return sj_budget_spent(p->message);
  if (sj_expat_feed(&p->expat, data, bytes, last)) return STIJL_OK;
  return p->result != STIJL_OK ? p->result : sj_expat_error(&p->expat, p->message);
}

static stijl_result feed_plain(parser *p, const char *data, size_t bytes) {
  do {
    size_t piece = bytes < p->expat.piece ? bytes : p->expat.piece;
    stijl_result result = feed(p, data, piece, piece == bytes);
    if (result != STIJL_OK) return result;
    data += piece;
    bytes -= piece;
  } while (bytes);
  return STIJL_OK;
}

static void *zlib_alloc(void *user, unsigned count, unsigned size) { return sj_alloc_array(user, count, size); }
static void zlib_free(void *user, void *ptr) { sj_free(user, ptr); }

// Unpacks piece by piece, so that a bomb meets the limit before it takes memory. There may be several members, one
// after the other (RFC 1952, 2.2). What follows the last one and is no member is ignored, as gzip does.
static stijl_result feed_gzip(parser *p, const unsigned char *data, size_t bytes) {
  if (sj_open_zlib(p->message)) return STIJL_ERROR_UNSUPPORTED;
  stijl_context *context = p->document->context;
  size_t room = p->expat.piece;
  unsigned char *piece = sj_alloc(context, room);
  if (!piece) return sj_fail_memory(p->message);
  z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = context};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) {  // gzip only
    sj_free(context, piece);
    return sj_fail_memory(p->message);
  }
  stijl_result result = STIJL_OK;
  stream.next_in = (unsigned char *)(uintptr_t)data;
  while (result == STIJL_OK) {
    if (!stream.avail_in && bytes) {
      stream.avail_in = bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX;
      bytes -= stream.avail_in;
    }
    if (p->expat.piece > room) {
      unsigned char *larger = sj_realloc(context, piece, p->expat.piece);
      if (!larger) {
        result = sj_fail_memory(p->message);
        break;
      }
      piece = larger;
      room = p->expat.piece;
    }
    stream.next_out = piece;
    stream.avail_out = (unsigned)p->expat.piece;
    int code = inflate(&stream, Z_NO_FLUSH);
    size_t made = p->expat.piece - stream.avail_out, left = bytes + stream.avail_in;
    bool more = code == Z_STREAM_END && left >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b;
    if (code == Z_MEM_ERROR) {
      result = sj_fail_memory(p->message);
    } else if (code == Z_OK || code == Z_STREAM_END) {
      result = feed(p, (const char *)piece, made, code == Z_STREAM_END && !more);
    } else if (code == Z_BUF_ERROR && !bytes && !stream.avail_in) {
      result = sj_fail(p->message, STIJL_ERROR_MALFORMED, "the gzip data is cut off");
    } else {
      result = sj_fail(p->message, STIJL_ERROR_MALFORMED, "the gzip data is damaged");
    }
    if (code == Z_STREAM_END && !more) break;
    if (more && inflateReset(&stream) != Z_OK) result = sj_fail_memory(p->message);
  }
  inflateEnd(&stream);
  sj_free(context, piece);
  return result;
}

static bool make_tree(sj_document *document) {
  // The parser checks its own limits.
  const stijl_css_limits limits = {.max_elements = UINT32_MAX, .max_depth = UINT32_MAX};
  if (stijl_css_document_create(document->context, false, &limits, &document->dom)) return false;
  sj_atoms *atoms = &document->dom->atoms;
  document->svg_space = sj_atoms_intern(atoms, svg_uri, sizeof svg_uri - 1);
  document->xlink_space = sj_atoms_intern(atoms, xlink_uri, sizeof xlink_uri - 1);
  return document->svg_space && document->xlink_space;
}

stijl_result sj_document_parse(sj_document *document, stijl_context *context, const void *data, size_t bytes,
                               const stijl_svg_limits *limits, stijl_message *message) {
  *document = (sj_document){.context = context};
  sj_arena_init(&document->arena, context);
  parser p = {.document = document, .limits = limits, .message = message};
  if (!make_tree(document) || !sj_expat_open(&p.expat, context)) {
    sj_document_finish(document);
    return sj_fail_memory(message);
  }
  XML_Parser xml = p.expat.xml;
  XML_SetUserData(xml, &p);
  XML_SetElementHandler(xml, start_element, end_element);
  XML_SetCharacterDataHandler(xml, character_data);
  XML_SetProcessingInstructionHandler(xml, processing_instruction);
  const unsigned char *head = data;
  bool gzip = bytes >= 2 && head[0] == 0x1f && head[1] == 0x8b;
  stijl_result result = gzip ? feed_gzip(&p, head, bytes) : feed_plain(&p, data, bytes);
  sj_expat_close(&p.expat);
  sj_arrays_finish(context, &p.text, &p.elements);
  document->bytes = p.bytes;
  if (result == STIJL_OK && !sj_document_index_ids(document)) result = sj_fail_memory(message);
  if (result != STIJL_OK) {
    sj_document_finish(document);
    return result;
  }
  return STIJL_OK;
}

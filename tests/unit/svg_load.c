// Documents: well-formedness, limits, the tree, ids, declarations, sizes.
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "svg/parse/document.h"
#include "svg/style/cascade.h"
#include "svg_draw.h"
#include "test.h"

static stijl_result load(const char *text, size_t length, const stijl_svg_params *params, stijl_message *message) {
  stijl_svg *svg;
  stijl_result result = stijl_svg_load(NULL, text, length, params, &svg, message);
  CHECK((svg != NULL) == (result == STIJL_OK));
  CHECK((message->text[0] == 0) == (result == STIJL_OK));
  stijl_svg_destroy(svg);
  return result;
}

TEST(malformed_documents_are_errors_with_a_line) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "line 1"},
      {"hello", "line 1"},
      {"<svg xmlns='http://www.w3.org/2000/svg'>\n<g>\n</svg>", "line 3"},
      {"<svg xmlns='http://www.w3.org/2000/svg'><rect", "line 1"},
      {"<svg xmlns='http://www.w3.org/2000/svg'>\n<rect/>", "line 2"},
      {"<svg xmlns='http://www.w3.org/2000/svg'>&undefined;</svg>", "line 1"},
      {"<svg xmlns='http://www.w3.org/2000/svg' x:y='1'/>", "line 1"},
      {"<svg xmlns='http://www.w3.org/2000/svg' a='1' a='2'/>", "line 1"},
      {"<html/>", "<html>"},
      {"<svg xmlns='urn:other'/>", "not SVG"},
      {"<g xmlns='http://www.w3.org/2000/svg'/>", "<g>"},
      {"\x1f\x8b", "cut off"},
      {"\x1f\x8bxyz", "damaged"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_message message;
    CHECK_INT(load(cases[i].text, strlen(cases[i].text), NULL, &message), STIJL_ERROR_MALFORMED);
    if (!strstr(message.text, cases[i].message)) sj_test_fail(__FILE__, __LINE__, "case %zu: %s", i, message.text);
  }
}

// Packs a text as gzip, and returns how many bytes that takes; 0 on failure.
static size_t pack(const char *text, unsigned char *out, size_t room) {
  z_stream stream = {0};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)(uintptr_t)text;
  stream.avail_in = (unsigned)strlen(text);
  stream.next_out = out;
  stream.avail_out = (unsigned)room;
  int code = deflate(&stream, Z_FINISH);
  size_t made = room - stream.avail_out;
  deflateEnd(&stream);
  return code == Z_STREAM_END ? made : 0;
}

// A picture that ends anywhere before its end is refused, in plain text and packed.
TEST(truncated_documents_are_errors) {
  if (!have_svg()) SKIP("built without SVG");
  static const char text[] = SVG("<g fill='red'><rect width='9' height='9'/></g><!-- x --><![CDATA[ y ]]>");
  stijl_message message;
  CHECK_INT(load(text, sizeof text - 1, NULL, &message), STIJL_OK);
  for (size_t length = 0; length < sizeof text - 1; length++) {
    CHECK_INT(load(text, length, NULL, &message), STIJL_ERROR_MALFORMED);
  }
  unsigned char packed[1024];
  size_t count = pack(text, packed, sizeof packed);
  CHECK(count > 0);
  CHECK_INT(load((const char *)packed, count, NULL, &message), STIJL_OK);
  for (size_t length = 2; length < count; length++) {
    CHECK_INT(load((const char *)packed, length, NULL, &message), STIJL_ERROR_MALFORMED);
  }
}

// RFC 1952, 2.2: members follow one another. What follows and is none is left alone.
TEST(gzip_of_several_members) {
  if (!have_svg()) SKIP("built without SVG");
  unsigned char packed[2048];
  size_t count = pack("<svg xmlns='http://www.w3.org/2000/svg'><g>", packed, sizeof packed);
  size_t first = count;
  count += pack("</g></svg>", packed + count, sizeof packed - count);
  stijl_message message;
  CHECK_INT(load((const char *)packed, first, NULL, &message), STIJL_ERROR_MALFORMED);
  CHECK_INT(load((const char *)packed, count, NULL, &message), STIJL_OK);
  memset(packed + count, 0, 100);
  CHECK_INT(load((const char *)packed, count + 100, NULL, &message), STIJL_OK);
}

// Returns the seconds of the processor for documents of the same length, plain or packed: `tags` that share 8 MiB.
static double seconds_to_load(int tags, bool packed) {
  size_t bytes = (size_t)8 << 20, length = 0;
  char *text = malloc(bytes + 4096);
  if (!text) abort();
  length += (size_t)sprintf(text, "<svg xmlns='http://www.w3.org/2000/svg'>");
  for (int i = 0; i < tags; i++) {
    length += (size_t)sprintf(text + length, "<g id='");
    memset(text + length, 'a', bytes / (size_t)tags);
    length += bytes / (size_t)tags;
    length += (size_t)sprintf(text + length, "'/>");
  }
  length += (size_t)sprintf(text + length, "</svg>");
  if (packed) {
    unsigned char *small = malloc(1 << 20);
    if (!small) abort();
    length = pack(text, small, 1 << 20);
    memcpy(text, small, length);
    free(small);
  }
  stijl_message message;
  double best = 1e9;
  for (int i = 0; i < 3; i++) {
    clock_t start = clock();
    CHECK_INT(load(text, length, NULL, &message), STIJL_OK);
    best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
  }
  free(text);
  return best;
}

// A picture in a tag is one long attribute: it takes about as long as many that are together as long.
TEST(long_tags_take_linear_time) {
  if (!have_svg()) SKIP("built without SVG");
  for (int packed = 0; packed < 2; packed++) {
    double many = seconds_to_load(100, packed), one = seconds_to_load(1, packed);
    if (one > 6.0 * many + 0.005) sj_test_fail(__FILE__, __LINE__, "one tag takes %g s, 100 take %g s", one, many);
  }
}

TEST(limits_are_named) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_message message;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  static const char text[] = SVG("<g><g><g><g/></g></g></g>");
  params.limits.max_depth = 5;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_OK);
  params.limits.max_depth = 4;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_depth"));
  params.limits.max_depth = 256;
  params.limits.max_elements = 5;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_OK);
  params.limits.max_elements = 4;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_elements"));
  params.limits.max_elements = 100;
  params.limits.max_bytes = sizeof text - 2;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_bytes"));
  params.limits.max_bytes = 1 << 20;
  params.limits.max_seconds = 1e-9;
  CHECK_INT(load(text, sizeof text - 1, &params, &message), STIJL_ERROR_LIMIT);
  CHECK(strstr(message.text, "max_seconds"));
}

TEST(depth_is_bounded_whatever_is_asked) {
  if (!have_svg()) SKIP("built without SVG");
  enum { DEPTH = 100000 };
  static char text[DEPTH * 7 + 100];
  strcpy(text, "<svg xmlns='http://www.w3.org/2000/svg'>");
  char *at = text + strlen(text);
  for (int i = 0; i < DEPTH; i++, at += 3) memcpy(at, "<g>", 3);
  for (int i = 0; i < DEPTH; i++, at += 4) memcpy(at, "</g>", 4);
  memcpy(at, "</svg>", 7);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.limits.max_depth = UINT32_MAX;
  stijl_message message;
  CHECK_INT(load(text, strlen(text), &params, &message), STIJL_ERROR_LIMIT);
}

TEST(packed_bombs_meet_the_limit) {
  if (!have_svg()) SKIP("built without SVG");
  enum { BYTES = 1 << 24 };
  char *text = malloc(BYTES + 1);
  unsigned char *packed = malloc(BYTES / 64);
  if (text && packed) {
    memset(text, ' ', BYTES);
    text[BYTES] = 0;
    size_t count = pack(text, packed, BYTES / 64);
    CHECK(count > 0);
    stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
    params.limits.max_bytes = 1 << 20;
    stijl_message message;
    CHECK_INT(load((const char *)packed, count, &params, &message), STIJL_ERROR_LIMIT);
  }
  free(text);
  free(packed);
}

TEST(entities) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK_PIXEL("<!DOCTYPE svg [<!ENTITY c 'green'><!ENTITY r '<rect width=\"64\" height=\"64\" fill=\"green\"/>'>]>" SVG(
                  "<g fill='&c;'>&r;</g>"),
              5, 5, GREEN);
  // External ones are never read; the document goes on.
  static drawn d;
  draw_svg("<!DOCTYPE svg [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" SVG(
               "&e;&e;<rect width='64' height='64' fill='green'/>"),
           NULL, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 1);
  CHECK_INT(pixel(&d, 5, 5), GREEN);
  // A billion laughs.
  char text[4096] = "<!DOCTYPE svg [<!ENTITY a0 'ha ha ha ha ha ha ha ha ha ha ha '>";
  for (int i = 1; i < 12; i++) {
    char entity[256];
    snprintf(entity, sizeof entity, "<!ENTITY a%d '&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;'>", i, i - 1,
             i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    strcat(text, entity);
  }
  strcat(text, "]>" SVG("<desc>&a11;</desc>"));
  stijl_message message;
  CHECK_INT(load(text, strlen(text), NULL, &message), STIJL_ERROR_LIMIT);
}

TEST(missing_features_are_logged_once) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  draw_svg(SVG("<text>&#x10fffd;</text><text>&#x10fffd;</text><style>a{}</style><style/><rect filter='url(#f)' "
               "width='64' height='64' "
               "fill='green'/><g style='filter:blur(a)'/>"),
           NULL, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 2);
  CHECK_INT(pixel(&d, 30, 30), GREEN);
}

static bool parse(const char *text, sj_document *document) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  stijl_message message;
  stijl_result result = sj_document_parse(document, sj_context(NULL), text, strlen(text), &params.limits, &message);
  sj_timeline line = {0};
  if (result == STIJL_OK) result = sj_document_cascade(document, NULL, NULL, &line, UINT32_MAX, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  return result == STIJL_OK;
}

TEST(tree) {
  if (!have_svg()) SKIP("built without SVG");
  sj_document document;
  if (!parse(SVG("<g id='a'>one<rect/>two<circle id='b'/></g><x:g xmlns:x='urn:x' id='c'/><path id='a'/>"),
             &document)) {
    return;
  }
  static const struct {
    uint32_t parent, first, next, end;
    int element;
  } expected[] = {
      {SJ_NO_ELEMENT, 1, SJ_NO_ELEMENT, 6, SJ_ELEMENT_SVG},
      {0, 2, 4, 4, SJ_ELEMENT_G},
      {1, SJ_NO_ELEMENT, 3, 3, SJ_ELEMENT_RECT},
      {1, SJ_NO_ELEMENT, SJ_NO_ELEMENT, 4, SJ_ELEMENT_CIRCLE},
      {0, SJ_NO_ELEMENT, 5, 5, SJ_ELEMENT_UNKNOWN},
      {0, SJ_NO_ELEMENT, SJ_NO_ELEMENT, 6, SJ_ELEMENT_PATH},
  };
  CHECK_INT(document.nodes.count, 6);
  for (size_t i = 0; i < 6 && i < document.nodes.count; i++) {
    const sj_node *node = &document.nodes.data[i];
    CHECK_INT(document.dom->parent.data[i], expected[i].parent);
    CHECK_INT(document.dom->first_child.data[i], expected[i].first);
    CHECK_INT(document.dom->next.data[i], expected[i].next);
    CHECK_INT(document.dom->end.data[i], expected[i].end);
    CHECK_INT(node->element, expected[i].element);
  }
  CHECK_INT(document.texts.count, 2);
  CHECK_INT(document.texts.data[0].parent, 1);
  CHECK_INT(document.texts.data[0].before, 2);
  CHECK_STR(document.texts.data[0].data, "one");
  CHECK_INT(document.texts.data[1].before, 3);
  // Of equal ids the first counts; ids of other namespaces count too.
  CHECK_INT(sj_document_by_id(&document, "a", 1), 1);
  CHECK_INT(sj_document_by_id(&document, "b", 1), 3);
  CHECK_INT(sj_document_by_id(&document, "c", 1), 4);
  CHECK_INT(sj_document_by_id(&document, "d", 1), SJ_NO_ELEMENT);
  CHECK_INT(sj_document_by_id(&document, "", 0), SJ_NO_ELEMENT);
  CHECK_INT(sj_document_by_url(&document, "#b", 2), 3);
  CHECK(sj_document_is_ancestor_or_self(&document, 1, 3));
  CHECK(!sj_document_is_ancestor_or_self(&document, 1, 4));
  sj_document_finish(&document);
}

TEST(ids_by_the_thousand) {
  if (!have_svg()) SKIP("built without SVG");
  enum { COUNT = 3000 };
  static char text[COUNT * 24 + 100];
  strcpy(text, "<svg xmlns='http://www.w3.org/2000/svg'>");
  char *at = text + strlen(text);
  for (int i = 0; i < COUNT; i++) at += sprintf(at, "<g id='i%d'/>", (int)((unsigned)i * 7919u % COUNT));
  strcpy(at, "</svg>");
  sj_document document;
  if (!parse(text, &document)) return;
  for (int i = 0; i < COUNT; i++) {
    char id[16];
    int length = snprintf(id, sizeof id, "i%d", (int)((unsigned)i * 7919u % COUNT));
    CHECK_INT(sj_document_by_id(&document, id, (size_t)length), i + 1);
  }
  sj_document_finish(&document);
}

TEST(declarations_in_the_order_of_the_cascade) {
  if (!have_svg()) SKIP("built without SVG");
  sj_document document;
  if (!parse(SVG("<rect fill='red' style='stroke:blue;fill:green!important;fill:yellow;width:5px;nonsense:1'/>"),
             &document)) {
    return;
  }
  static const struct {
    int name;
    const char *value;
  } expected[] = {{SJ_PROPERTY_FILL, "red"},
                  {SJ_PROPERTY_STROKE, "blue"},
                  {SJ_PROPERTY_FILL, "yellow"},
                  {SJ_ATTRIBUTE_WIDTH, "5px"},
                  {SJ_PROPERTY_FILL, "green"}};
  const sj_node *node = &document.nodes.data[1];
  int i = 0;
  sj_cascade cascade = sj_cascade_of(&document, node);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade)) && i < 5; i++) {
    CHECK_INT(d->name, expected[i].name);
    CHECK(d->length == strlen(expected[i].value) && memcmp(d->value, expected[i].value, d->length) == 0);
  }
  CHECK_INT(i, 5);
  CHECK(!sj_cascade_next(&cascade));
  sj_document_finish(&document);
}

TEST(names_are_sorted_and_found) {
  for (int i = 1; i < SJ_ELEMENT_COUNT; i++) {
    const char *name = sj_element_name((sj_element)i);
    CHECK_INT(sj_element_find(name, strlen(name)), i);
  }
  for (int i = 0; i < SJ_NAME_COUNT; i++) {
    const char *name = sj_name_text((sj_name)i);
    CHECK_INT(sj_attribute_find(name, strlen(name)), i);
  }
  CHECK_INT(sj_element_find("Rect", 4), SJ_ELEMENT_UNKNOWN);
  CHECK_INT(sj_element_find("rec", 3), SJ_ELEMENT_UNKNOWN);
  CHECK_INT(sj_element_find("", 0), SJ_ELEMENT_UNKNOWN);
  CHECK_INT(sj_attribute_find("zoom", 4), SJ_NAME_UNKNOWN);
  CHECK_INT(sj_property_find("FiLL", 4), SJ_PROPERTY_FILL);
  CHECK_INT(sj_property_find("rx", 2), SJ_ATTRIBUTE_RX);
  CHECK_INT(sj_property_find("points", 6), SJ_NAME_UNKNOWN);
}

TEST(sizes) {
  if (!have_svg()) SKIP("built without SVG");
  static const struct {
    const char *attributes;
    float width, height;
  } cases[] = {
      {"", 100, 100},
      {"width='10' height='20'", 10, 20},
      {"width='1in' height='2.54cm'", 96, 96},
      {"viewBox='0 0 30 40'", 30, 40},
      {"viewBox='5 5 30 40' width='50%'", 30, 40},
      {"viewBox='0 0 30 40' height='8'", 6, 8},
      {"viewBox='0 0 30 40' width='50%' height='8'", 6, 8},
      {"viewBox='0 0 54 24' height='1em'", 36, 16},
      {"viewBox='0 0 .5 .3'", 0.5f, 0.3f},
      {"viewBox='0 0 30 40' width='6' preserveAspectRatio='none'", 6, 8},
      {"width='-5' height='nonsense' viewBox='0 0 30 40'", 30, 40},
      {"style='width:7px;height:2em;font-size:10px' width='9'", 7, 20},
      {"width='0' height='5'", 0, 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, "<svg xmlns='http://www.w3.org/2000/svg' %s/>", cases[i].attributes);
    stijl_svg *svg;
    stijl_message message;
    CHECK_INT(stijl_svg_load(NULL, text, strlen(text), NULL, &svg, &message), STIJL_OK);
    float width, height;
    stijl_svg_size(svg, &width, &height);
    CHECK_NEAR(width, cases[i].width, 1e-3);
    CHECK_NEAR(height, cases[i].height, 1e-3);
    stijl_scene *scene;
    CHECK_INT(stijl_svg_scene(svg, 32, 32, &scene, &message), STIJL_OK);
    stijl_scene_destroy(scene);
    CHECK_INT(stijl_svg_scene(svg, 0, 32, &scene, &message), STIJL_ERROR_INVALID_ARGUMENT);
    CHECK(scene == NULL);
    stijl_svg_destroy(svg);
  }
}

// Returns the id of the first element below the root, or NULL when the document is refused.
static const char *first_id(const char *bytes, size_t count) {
  static char out[64];
  sj_document document;
  stijl_message message;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  if (sj_document_parse(&document, sj_context(NULL), bytes, count, &params.limits, &message) != STIJL_OK) {
    return message.text[0] ? NULL : "";
  }
  const sj_string *id = sj_document_attribute(&document, 1, SJ_ATTRIBUTE_ID);
  snprintf(out, sizeof out, "%s", id ? id->text : "");
  sj_document_finish(&document);
  return out;
}

TEST(encodings) {
  if (!have_svg()) SKIP("built without SVG");
#define NAMED(name, id) \
  "<?xml version='1.0' encoding='" name "'?><svg xmlns='http://www.w3.org/2000/svg'><g id='" id "'/></svg>"
  static const struct {
    const char *text, *id;
  } cases[] = {
      {NAMED("UTF-8", "\xc3\xa9"), "\xc3\xa9"},
      {NAMED("utf8", "\xc3\xa9"), "\xc3\xa9"},
      {NAMED("UTF-16", "\xc3\xa9"), "\xc3\xa9"},
      {NAMED("unicode", "\xc3\xa9"), "\xc3\xa9"},
      {"\xef\xbb\xbf" NAMED("utf8", "\xc3\xa9"), "\xc3\xa9"},
      {NAMED("US-ASCII", "e"), "e"},
      {NAMED("iso-8859-1", "\xe9"), "\xc3\xa9"},
      {NAMED("latin1", "\xe9"), "\xc3\xa9"},
      {NAMED("Windows-1252", "\x80\x81"), "\xe2\x82\xac\xc2\x81"},
      {NAMED("windows-1251", "\xe4"), "\xd0\xb4"},
      {NAMED("cp1250", "\xb9"), "\xc4\x85"},
      {NAMED("ISO-8859-2", "\xb1"), "\xc4\x85"},
      {NAMED("iso-8859-15", "\xa4"), "\xe2\x82\xac"},
      {NAMED("iso-8859-9", "\xf0"), "\xc4\x9f"},
      {NAMED("koi8-r", "\xc4"), "\xd0\xb4"},
      {NAMED("macintosh", "\x8e"), "\xc3\xa9"},
      {NAMED("nonsense", "e"), NULL},
      {NAMED("UTF-8", "\xe9"), NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *got = first_id(cases[i].text, strlen(cases[i].text));
    if (!cases[i].id) {
      if (got) sj_test_fail(__FILE__, __LINE__, "case %zu is read: %s", i, got);
    } else if (!got || strcmp(got, cases[i].id) != 0) {
      sj_test_fail(__FILE__, __LINE__, "case %zu: %s", i, got ? got : "refused");
    }
  }
  // UTF-16 of both orders, with and without a mark, whatever it calls itself.
  static const char *const names[] = {"UTF-16", "UTF-16LE", "UTF-8", "ISO-8859-1", "utf8"};
  for (size_t i = 0; i < 4 * (sizeof names / sizeof *names); i++) {
    char text[256], wide[600];
    snprintf(text, sizeof text, NAMED("%s", "%s"), names[i / 4], "\xe9");
    size_t count = 0;
    bool big = i & 1, mark = i & 2;
    if (mark) wide[count++] = (char)(big ? 0xfe : 0xff), wide[count++] = (char)(big ? 0xff : 0xfe);
    for (const char *at = text; *at; at++) {
      wide[count++] = big ? 0 : *at;
      wide[count++] = big ? *at : 0;
    }
    const char *got = first_id(wide, count);
    if (!got || strcmp(got, "\xc3\xa9") != 0) {
      sj_test_fail(__FILE__, __LINE__, "UTF-16 case %zu: %s", i, got ? got : "refused");
    }
  }
#undef NAMED
}

// Neither width, height nor viewBox: the box of the content with its strokes.
TEST(size_of_the_content) {
  if (!have_svg()) SKIP("built without SVG");
#define HOOK "<path d='M10 10 L50 10 L10 20' fill='none' stroke='red' stroke-width='10' "
  static const struct {
    const char *attributes, *body;
    float width, height;
  } cases[] = {
      {"", "<rect x='-20' y='10' width='30' height='40'/>", 30, 40},
      {"width='100%' height='100%'", "<rect x='20' y='10' width='30' height='40'/>", 30, 40},
      {"width='10'", "<rect x='20' y='10' width='30' height='40'/>", 30, 40},
      {"", "<rect x='20' y='10' width='30' height='40' stroke='red' stroke-width='10'/>", 40, 50},
      {"", "<rect x='20%' y='10' width='50%' height='40'/>", 50, 40},
      {"", "<g transform='scale(2 3)'><circle r='5' stroke='red'/></g>", 22, 33},
      {"", "<g transform='scale(2 3)'><circle r='5' stroke='red' vector-effect='non-scaling-stroke'/></g>", 21, 31},
      {"", HOOK "/>", 42.425f, 19.851f},
      {"", HOOK "stroke-miterlimit='10'/>", 81.828f, 19.851f},
      {"", HOOK "stroke-linejoin='round'/>", 46.213f, 19.851f},
      {"", HOOK "stroke-linecap='square'/>", 47.276f, 21.063f},
      {"", HOOK "stroke-linecap='round' stroke-linejoin='round'/>", 50, 20},
      {"", "<path d='M0 0h0' stroke='red' stroke-width='4' stroke-linecap='round'/>", 4, 4},
      {"", "<defs><rect width='500' height='500'/></defs><g display='none'><rect width='90' height='9'/></g>", 100,
       100},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text, "<svg xmlns='http://www.w3.org/2000/svg' %s>%s</svg>", cases[i].attributes,
             cases[i].body);
    stijl_svg *svg;
    stijl_message message;
    CHECK_INT(stijl_svg_load(NULL, text, strlen(text), NULL, &svg, &message), STIJL_OK);
    float width, height;
    stijl_svg_size(svg, &width, &height);
    CHECK_NEAR(width, cases[i].width, 1e-2);
    CHECK_NEAR(height, cases[i].height, 1e-2);
    stijl_svg_destroy(svg);
  }
  // What lies left of and above the origin is drawn too.
  CHECK_PIXEL(
      "<svg xmlns='http://www.w3.org/2000/svg'><rect x='-16' y='-32' width='64' height='64' fill='red'/>"
      "<rect x='-16' y='-32' width='8' height='8' fill='green'/></svg>",
      4, 4, GREEN);
}

TEST(arguments) {
  stijl_message message;
  stijl_svg *svg;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK_INT(stijl_svg_load(NULL, "", 0, NULL, NULL, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_svg_load(NULL, NULL, 5, NULL, &svg, &message), STIJL_ERROR_INVALID_ARGUMENT);
  params.dpi = 0.0f;
  CHECK_INT(stijl_svg_load(NULL, "", 0, &params, &svg, &message), STIJL_ERROR_INVALID_ARGUMENT);
  params.dpi = 96.0f;
  params.size = 1;
  CHECK_INT(stijl_svg_load(NULL, "", 0, &params, &svg, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_scene *scene;
  CHECK_INT(stijl_svg_scene(NULL, 1, 1, &scene, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_svg_destroy(NULL);
}

// Makes a document with ten images, each a packed document: a comment of so many bytes, and so many rectangles.
static char *ten_documents(size_t comment, int elements) {
  size_t room = comment + (size_t)elements * 40 + 256;
  char *inner = malloc(room), *outer = malloc(200000);
  unsigned char *packed = malloc(room + 1024);
  size_t at = (size_t)sprintf(outer, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>");
  for (int i = 0; i < 10; i++) {
    size_t length = (size_t)sprintf(inner, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='9'><!--", i + 9);
    memset(inner + length, 'x', comment);
    length += comment;
    length += (size_t)sprintf(inner + length, "-->");
    for (int k = 0; k < elements; k++) length += (size_t)sprintf(inner + length, "<rect width='9' height='9'/>");
    sprintf(inner + length, "</svg>");
    size_t count = pack(inner, packed, room + 1024);
    at += (size_t)sprintf(outer + at, "<image width='9' height='9' href='data:,");
    for (size_t k = 0; k < count; k++) at += (size_t)sprintf(outer + at, "%%%02x", packed[k]);
    at += (size_t)sprintf(outer + at, "'/>");
  }
  sprintf(outer + at, "</svg>");
  free(inner);
  free(packed);
  return outer;
}

// Embedded documents have no limits of their own: what they take is taken from those of the document that shows them.
TEST(embedded_documents_share_the_limits) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  char *large = ten_documents(300000, 1), *many = ten_documents(1, 300);
  draw_svg(large, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 0);
  params.limits.max_bytes = 1000000;
  draw_svg(large, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  CHECK_INT(d.warnings, 7);
  CHECK(strstr(d.warning, "max_bytes"));
  params = (stijl_svg_params)STIJL_SVG_PARAMS_INIT;
  draw_svg(many, &params, &d);
  CHECK_INT(d.result, STIJL_OK);
  params.limits.max_elements = 1000;
  draw_svg(many, &params, &d);
  CHECK_INT(d.result, STIJL_ERROR_LIMIT);
  CHECK(strstr(d.message.text, "max_elements"));
  free(large);
  free(many);
}

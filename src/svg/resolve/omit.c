// Warns of what a document asks for and the picture lacks, once for each kind, or for each name, so that nothing is
// left out in silence.

#include "svg/resolve/omit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "svg/resolve/attributes.h"

// The message of each kind: the text before and behind the detail.
static const struct {
  const char *before, *behind;
} messages[SJ_OMISSION_COUNT] = {
    [SJ_OMIT_TEXT] = {"text is not drawn: ", ""},
    [SJ_OMIT_GLYPH] = {"no font has ", ", nor perhaps other characters of the text"},
    [SJ_OMIT_FAMILY] = {"the font family ", " is drawn instead (`stijl fonts` lists all)"},
    [SJ_OMIT_FILTER] = {"filter \"", "\" is not applied: not understood"},
    [SJ_OMIT_FOREIGN_OBJECT] = {"foreignObject is not drawn: ", ""},
    [SJ_OMIT_HTML] = {"in HTML, ", " is not supported"},
    [SJ_OMIT_ANIMATION] = {"animated, drawn as it stands at ", ""},
    [SJ_OMIT_SCRIPT] = {"scripts are not run", ""},
    [SJ_OMIT_UNKNOWN_ELEMENT] = {"<", "> is not drawn: unknown element"},
    [SJ_OMIT_EXTERNAL] = {"reference to ",
                          " is not followed: only image and use lead out of the document, to files that may be read"},
    [SJ_OMIT_ABSENT] = {"", " is not drawn: that document has no such element"},
    [SJ_OMIT_PROPERTY] = {"the property ", " is not applied"},
    [SJ_OMIT_VALUE] = {"not understood and ignored: ", ""},
    [SJ_OMIT_TRANSFORM] = {"transform \"", "\" is not applied: not understood"},
    [SJ_OMIT_CLIP_PATH] = {"clip-path \"", "\" is not applied: not understood"},
    [SJ_OMIT_ATTRIBUTE] = {"not understood and ignored: ", ""},
    [SJ_OMIT_PATH] = {"path data is drawn up to where it is not understood: ", ""},
    [SJ_OMIT_FILTER_INPUT] = {"the filter input ", " is transparent: it is not supported"},
    [SJ_OMIT_COLOR_GLYPH] = {"a glyph is drawn without its colours: they are more than 4 MiB or 250,000 segments", ""},
    [SJ_OMIT_MASK] = {"the mask \"", "\" of a mask element is not applied: it is more than a reference"},
};

#define MAX_SHOWN 60  // bytes of the detail

// Notes that a kind is told, or one of its names, if it has any. Returns false if it was told before.
static bool note(sj_load_totals *totals, sj_omission what, const char *name, size_t length) {
  uint32_t bit = 1u << what;
  if ((totals->omitted & bit) || totals->quiet) return false;
  if (!name || totals->told_count == SJ_MOST_TOLD) {
    totals->omitted |= bit;
    return true;
  }
  uint64_t hash = sj_siphash(1, 3, (sj_hash_key){(uint64_t)what, 0}, name, length);
  for (uint32_t i = 0; i < totals->told_count; i++)
    if (totals->told[i] == hash) return false;
  totals->told[totals->told_count++] = hash;
  return true;
}

static void tell(const sj_resolver *r, sj_omission what, const char *detail, size_t length) {
  // These two are notices: one time of an animation is all that a picture can show, and every renderer replaces a
  // family that is not there.
  sj_log(r->job->context, what == SJ_OMIT_ANIMATION || what == SJ_OMIT_FAMILY ? STIJL_LOG_NOTICE : STIJL_LOG_WARNING,
         "%s%.*s%s%s", messages[what].before, length < MAX_SHOWN ? (int)length : MAX_SHOWN, detail,
         length > MAX_SHOWN ? "..." : "", messages[what].behind);
}

void sj_omit(const sj_resolver *r, sj_omission what, const char *detail, size_t length) {
  if (note(r->job->totals, what, NULL, 0)) tell(r, what, detail, length);
}

void sj_omit_named(const sj_resolver *r, sj_omission what, const char *name, const char *detail, size_t length) {
  if (note(r->job->totals, what, name, strlen(name))) tell(r, what, detail, length);
}

void sj_omit_value(const sj_resolver *r, const char *name, const char *text, size_t length) {
  static const char *const nothing[] = {"", "auto", "none", "inherit", "initial", "unset", "revert", "revert-layer"};
  if (r->job->totals->omitted & 1u << SJ_OMIT_ATTRIBUTE) return;
  sj_trim(&text, &length);
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
    if (sj_is_keyword(text, length, nothing[i])) return;
  char detail[2 * MAX_SHOWN];
  int shown = snprintf(detail, sizeof detail, "the value of %s: %.*s", name,
                       length < MAX_SHOWN ? (int)length : MAX_SHOWN, text);
  sj_omit(r, SJ_OMIT_ATTRIBUTE, detail, (size_t)shown);
}

bool sj_understood(const sj_resolver *r, sj_name name, const sj_string *attribute, bool valid) {
  if (attribute && !valid) sj_omit_value(r, sj_name_text(name), attribute->text, attribute->length);
  return valid;
}

// Returns whether this is an element of SVG 1.1, or of drafts of SVG 2, that draws nothing where it stands.
static bool draws_nothing(const char *name) {
  static const char *const names[] = {"altGlyphDef",  "animateColor", "color-profile", "cursor",
                                      "discard",      "font",         "font-face",     "link",
                                      "meshGradient", "solidColor",   "solidcolor",    "view"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) return true;
  }
  return false;
}

bool sj_has_characters(const sj_document *document, uint32_t element) {
  uint32_t end = document->dom->end.data[element];
  size_t at = sj_document_first_text(document, element);
  for (; at < document->texts.count && document->texts.data[at].before <= end; at++) {
    const sj_text *text = &document->texts.data[at];
    if (text->parent < element || text->parent >= end) continue;
    for (size_t i = 0; i < text->length; i++) {
      if (!sj_is_space(text->data[i])) return true;
    }
  }
  return false;
}

void sj_omit_element(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  const sj_node *node = &r->document->nodes.data[element];
  sj_omission what;
  switch ((sj_element)node->element) {
    case SJ_ELEMENT_FLOW_ROOT:
    case SJ_ELEMENT_TEXT: what = SJ_OMIT_TEXT; break;
    case SJ_ELEMENT_FOREIGN_OBJECT: what = SJ_OMIT_FOREIGN_OBJECT; break;
    case SJ_ELEMENT_UNKNOWN: what = SJ_OMIT_UNKNOWN_ELEMENT; break;
    default: return;
  }
  if (r->job->totals->omitted & 1u << what) return;
  const char *local = sj_document_local(r->document, element);
  if (what == SJ_OMIT_UNKNOWN_ELEMENT && (!node->is_svg || draws_nothing(local))) return;
  if (what == SJ_OMIT_TEXT && !sj_has_characters(r->document, element)) return;
  sj_style style;
  sj_style_compute(&r->styles, outer->copy, element, outer->style, &style);
  if (style.display_none || !sj_conditions_hold(r, element)) return;
  static const char *const without = "this build has no text";
  if (what == SJ_OMIT_UNKNOWN_ELEMENT)
    sj_omit_named(r, what, local, local, strlen(local));
  else
    sj_omit(r, what, without, strlen(without));
}

void sj_omit_paint(sj_resolver *r, uint32_t server) {
  const sj_node *node = &r->document->nodes.data[server];
  if (node->element != SJ_ELEMENT_UNKNOWN || !node->is_svg) return;
  const char *local = sj_document_local(r->document, server);
  sj_omit_named(r, SJ_OMIT_UNKNOWN_ELEMENT, local, local, strlen(local));
}

// Warns of sizes of the root that are not understood. They were read before there was a resolver.
static void omit_size(const sj_resolver *r) {
  static const sj_name sides[] = {SJ_ATTRIBUTE_WIDTH, SJ_ATTRIBUTE_HEIGHT};
  for (int i = 0; i < 2; i++) {
    const sj_string *a = sj_document_attribute(r->document, 0, sides[i]);
    sj_length length;
    sj_understood(r, sides[i], a, a && sj_parse_length(a->text, a->length, &length));
  }
}

void sj_omit_document(sj_resolver *r) {
  if (r->document->has_animation) {
    char when[40] = "its end";
    if (isfinite(r->options->time)) snprintf(when, sizeof when, "time %g", r->options->time);
    sj_omit(r, SJ_OMIT_ANIMATION, when, strlen(when));
  }
  if (r->document->has_script) sj_omit(r, SJ_OMIT_SCRIPT, "", 0);
  const char *property;
  for (int i = 0; (property = sj_property_missing_text(i)); i++)
    if (r->document->missing_properties >> i & 1)
      sj_omit_named(r, SJ_OMIT_PROPERTY, property, property, strlen(property));
  if (r->document->has_first_line) sj_omit_named(r, SJ_OMIT_HTML, "::first-line", "::first-line", 12);
  omit_size(r);
  size_t count = r->document->invalid_count;
  if (!count) return;
  const sj_declared *first = &r->document->declared.data[r->document->first_invalid];
  char detail[2 * MAX_SHOWN];
  int length = count > 1 ? snprintf(detail, sizeof detail, "%zu values, the first of ", count)
                         : snprintf(detail, sizeof detail, "the value of ");
  length += snprintf(detail + length, sizeof detail - (size_t)length, "%s: %.*s", sj_name_text((sj_name)first->name),
                     first->length < MAX_SHOWN ? (int)first->length : MAX_SHOWN, first->value);
  sj_omit(r, SJ_OMIT_VALUE, detail, strlen(detail));
}

uint32_t sj_find_url(sj_resolver *r, const char *url, size_t length) {
  sj_trim(&url, &length);
  if (length && *url != '#') sj_omit(r, SJ_OMIT_EXTERNAL, url, length);
  return sj_document_by_url(r->document, url, length);
}

uint32_t sj_find_href(sj_resolver *r, uint32_t element) {
  const sj_string *href = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_HREF);
  return href ? sj_find_url(r, href->text, href->length) : SJ_NO_ELEMENT;
}

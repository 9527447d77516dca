#include "svg/style/html_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg/parse/html_names.h"
#include "svg/parse/values.h"

static const char sheet[] =
    "@namespace url(http://www.w3.org/1999/xhtml);@namespace m url(http://www.w3.org/1998/Math/MathML);"
    "[hidden],dialog:not([open]),frameset,param,rp,head,link,meta,script,style,title,template,datalist,noscript,area,"
    "base,source,track{display:none}"
    "address,article,aside,blockquote,body,center,dd,details,dialog,dir,div,dl,dt,fieldset,figcaption,figure,footer,"
    "form,"
    "h1,h2,h3,h4,h5,h6,header,hgroup,hr,html,legend,main,menu,nav,ol,p,pre,search,section,summary,ul{display:block}"
    "body{margin:8px}"
    "p,dl,ul,ol,dir,menu,blockquote,figure,pre,listing,plaintext,xmp{margin-top:1em;margin-bottom:1em}"
    "blockquote,figure{margin-left:40px;margin-right:40px}dd{margin-left:40px}"
    "ul,ol,dir,menu{padding-left:40px}"
    "li{display:list-item}ul ul,ol ul{list-style-type:circle}"
    "ul ul ul,ul ol ul,ol ul ul,ol ol ul{list-style-type:square}"
    "ul ul,ul ol,ol ul,ol ol{margin-top:0;margin-bottom:0}"
    "h1{font-size:2em;margin:.67em 0}h2{font-size:1.5em;margin:.83em 0}h3{font-size:1.17em;margin:1em 0}"
    "h4{margin:1.33em 0}h5{font-size:.83em;margin:1.67em 0}h6{font-size:.67em;margin:2.33em 0}"
    "h1,h2,h3,h4,h5,h6,b,strong,th{font-weight:bold}"
    "i,em,cite,var,dfn,address{font-style:italic}"
    "u,ins{text-decoration:underline}abbr[title],acronym[title]{text-decoration:dotted "
    "underline}s,strike,del{text-decoration:line-through}"
    "code,kbd,samp,tt,pre,listing,plaintext,xmp{font-family:monospace}"
    "pre,listing,plaintext,xmp{display:block;white-space:pre}center{text-align:-webkit-center}nobr{white-space:nowrap}"
    "small{font-size:smaller}big{font-size:larger}"
    "sub{vertical-align:sub;font-size:smaller}sup{vertical-align:super;font-size:smaller}"
    "mark{background-color:yellow;color:black}a[href]{color:#0000ee;text-decoration:underline}"
    "[dir],bdi{unicode-bidi:isolate}bdo,bdo[dir]{unicode-bidi:isolate-override}"
    "hr{color:gray}q::before{content:open-quote}q::after{content:close-quote}"
    "table{display:table;border-collapse:separate;box-sizing:border-box;text-indent:0}"
    "thead,tbody,tfoot{vertical-align:middle}thead{display:table-header-group}tbody{display:table-row-group}"
    "tfoot{display:table-footer-group}tr{display:table-row;vertical-align:inherit}"
    "table>tr{vertical-align:middle}"
    "td,th{display:table-cell}thead,tbody,tfoot,tr,td,th{border-color:inherit}"
    "caption{display:table-caption;text-align:center}col{display:table-column}colgroup{display:table-column-group}"
    // MathML Core, appendix A. What depends on places and attributes is known by src/svg/math.
    "m|math{direction:ltr;text-indent:0;letter-spacing:normal;line-height:normal;word-spacing:normal;"
    "font-family:math;font-style:normal;font-weight:normal}"
    "m|math[display=block i]{display:block}m|mphantom{visibility:hidden}"
    "m|mfrac{padding:0 1px}m|mtd{text-align:center;padding:.5ex .4em}"
    "m|merror{background-color:lightyellow}"
    "m|semantics>m|*:not(:first-child),m|maction>m|*:not(:first-child){display:none}";

const char *sj_html_sheet(void) { return sheet; }

// Finds an attribute without a namespace.
static const sj_string *attribute(const sj_document *document, uint32_t e, const char *name) {
  const sj_string *value = sj_dom_get(document->dom, e, name);
  return value && value->length && value->length < 64 ? value : NULL;
}

static bool attribute_is_there(const sj_document *document, uint32_t e, const char *name) {
  return sj_dom_get(document->dom, e, name) != NULL;
}

// Adds a length that an attribute gives in pixels or percent.
static bool add_length(sj_document *document, const sj_string *value, int name, sj_html_hint add, void *user) {
  if (!value) return true;
  size_t digits = strspn(value->text, "0123456789.");
  bool percent = value->text[digits] == '%';
  if (!digits) return true;
  char text[80];
  int length = snprintf(text, sizeof text, "%.*s%s", (int)digits, value->text, percent ? "%" : "px");
  const char *kept = sj_arena_text(&document->arena, text, (size_t)length);
  return kept && add(user, name, kept, (size_t)length);
}

static bool add_text(const sj_string *value, int name, sj_html_hint add, void *user) {
  return !value || add(user, name, value->text, value->length);
}

// Adds the size of a <font> (HTML, 15.3.4).
static bool add_font_size(const sj_string *value, sj_html_hint add, void *user) {
  static const char *const sizes[] = {"10px", "13px", "16px", "18px", "24px", "32px", "48px"};
  if (!value) return true;
  const char *text = value->text;
  int sign = *text == '+' ? 1 : *text == '-' ? -1 : 0, number = 0;
  if (sign) text++;
  if (*text < '0' || *text > '9') return true;
  number = *text - '0';
  if (sign) number = 3 + sign * number;
  const char *size = sizes[number < 1 ? 0 : number > 7 ? 6 : number - 1];
  return add(user, SJ_PROPERTY_FONT_SIZE, size, strlen(size));
}

// Adds how thick a rule is (HTML, 15.3.10). Its two borders are part of that.
static bool add_rule_size(sj_document *document, const sj_string *value, sj_html_hint add, void *user) {
  long size = value ? strtol(value->text, NULL, 10) : 0;
  if (size == 1) return add(user, SJ_HTML_BORDER_BOTTOM_WIDTH, "0", 1);
  if (size < 2 || size > 1000) return true;
  char text[16];
  int length = snprintf(text, sizeof text, "%ldpx", size - 2);
  const char *kept = sj_arena_text(&document->arena, text, (size_t)length);
  return kept && add(user, SJ_ATTRIBUTE_HEIGHT, kept, (size_t)length);
}

static bool add_align(const sj_string *value, bool head, sj_html_hint add, void *user) {
  if (!value) return !head || add(user, SJ_PROPERTY_TEXT_ALIGN, "-internal-center", 16);
  const char *text = sj_is_keyword(value->text, value->length, "center") ? "-webkit-center" : value->text;
  return add(user, SJ_PROPERTY_TEXT_ALIGN, text, strlen(text));
}

// Returns an attribute of the table that an element, such as a cell, is part of; NULL: there is none.
static const sj_string *table_attribute(const sj_document *document, uint32_t e, const char *name) {
  for (int i = 0; i < 4 && e != SJ_NO_ELEMENT; i++, e = document->dom->parent.data[e])
    if (strcmp(sj_document_local(document, e), "table") == 0) return attribute(document, e, name);
  return NULL;
}

// Adds what the items of a list look like (HTML, 15.3.9).
static bool add_list_type(const sj_string *value, sj_html_hint add, void *user) {
  static const char *const types[][2] = {
      {"1", "decimal"}, {"a", "lower-alpha"}, {"A", "upper-alpha"}, {"i", "lower-roman"}, {"I", "upper-roman"}};
  if (!value) return true;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(value->text, types[i][0]) == 0)
      return add(user, SJ_HTML_LIST_STYLE_TYPE, types[i][1], strlen(types[i][1]));
  return add(user, SJ_HTML_LIST_STYLE_TYPE, value->text, value->length);
}

// Adds where a table, an image or a rule stands. One that has text beside it floats.
static bool add_place(const sj_string *value, bool floats, sj_html_hint add, void *user) {
  if (!value) return true;
  bool left = sj_is_keyword(value->text, value->length, "left");
  bool right = sj_is_keyword(value->text, value->length, "right");
  if (floats && (left || right)) return add(user, SJ_HTML_FLOAT, value->text, value->length);
  return (left || add(user, SJ_HTML_MARGIN_LEFT, "auto", 4)) && (right || add(user, SJ_HTML_MARGIN_RIGHT, "auto", 4)) &&
         (!left || add(user, SJ_HTML_MARGIN_LEFT, "0", 1)) && (!right || add(user, SJ_HTML_MARGIN_RIGHT, "0", 1));
}

// Adds the attributes that any element has, and those of a few.
static bool add_common(sj_document *document, uint32_t e, const char *local, sj_html_hint add, void *user) {
  bool list = strcmp(local, "ol") == 0 || strcmp(local, "ul") == 0 || strcmp(local, "li") == 0;
  bool good = add_text(attribute(document, e, "dir"), SJ_PROPERTY_DIRECTION, add, user);
  if (good && local[0] == 'o' && list) good = add(user, SJ_HTML_LIST_STYLE_TYPE, "decimal", 7);
  if (good && local[0] == 'u' && list) good = add(user, SJ_HTML_LIST_STYLE_TYPE, "disc", 4);
  if (good && list) good = add_list_type(attribute(document, e, "type"), add, user);
  if (good && strcmp(local, "body") == 0)
    good = add_text(attribute(document, e, "bgcolor"), SJ_PROPERTY_BACKGROUND_COLOR, add, user) &&
           add_text(attribute(document, e, "text"), SJ_PROPERTY_COLOR, add, user);
  if (!good || strcmp(local, "img") != 0) return good;
  const sj_string *border = attribute(document, e, "border");
  return (!border || add(user, SJ_HTML_BORDER_STYLE, "solid", 5)) &&
         add_length(document, border, SJ_HTML_BORDER_WIDTH, add, user) &&
         add_length(document, attribute(document, e, "hspace"), SJ_HTML_MARGIN_INLINE, add, user) &&
         add_length(document, attribute(document, e, "vspace"), SJ_HTML_MARGIN_BLOCK, add, user) &&
         (!attribute(document, e, "align") || add_place(attribute(document, e, "align"), true, add, user));
}

// Adds the borders of a table with `border`: it has one, and its cells have another (HTML, 15.3.8).
static bool add_borders(sj_document *document, uint32_t e, bool cell, sj_html_hint add, void *user) {
  const sj_string *border = table_attribute(document, e, "border");
  if (!border || strtol(border->text, NULL, 10) == 0) return true;
  if (cell) return add(user, SJ_HTML_BORDER, "1px inset", 9) && add(user, SJ_HTML_BORDER_COLOR, "inherit", 7);
  return add(user, SJ_HTML_BORDER, "1px outset", 10) && add_length(document, border, SJ_HTML_BORDER_WIDTH, add, user);
}

// Adds what the attributes of an element of MathML say (MathML Core, 2.1.3).
static bool add_math(const sj_document *document, uint32_t e, sj_html_hint add, void *user) {
  return add_text(attribute(document, e, "mathcolor"), SJ_PROPERTY_COLOR, add, user) &&
         add_text(attribute(document, e, "mathbackground"), SJ_PROPERTY_BACKGROUND_COLOR, add, user) &&
         add_text(attribute(document, e, "mathsize"), SJ_PROPERTY_FONT_SIZE, add, user) &&
         add_text(attribute(document, e, "dir"), SJ_PROPERTY_DIRECTION, add, user);
}

bool sj_html_hints(sj_document *document, uint32_t e, sj_html_hint add, void *user) {
  const char *local = sj_document_local(document, e);
  if (document->nodes.data[e].is_math) return add_math(document, e, add, user);
  bool rule = strcmp(local, "hr") == 0;
  bool list = strcmp(local, "ul") == 0 || strcmp(local, "ol") == 0;
  if (!document->dom->attributes.data[e].count && local[0] != 't' && !rule && !list) return true;
  bool is_font = strcmp(local, "font") == 0, cell = strcmp(local, "td") == 0 || strcmp(local, "th") == 0;
  bool table = strcmp(local, "table") == 0, sized = cell || table || rule || strcmp(local, "img") == 0;
  bool row = cell || strcmp(local, "tr") == 0 || strcmp(local, "tbody") == 0 || strcmp(local, "thead") == 0;
  bool aligned = row || strcmp(local, "div") == 0 || strcmp(local, "p") == 0 || (local[0] == 'h' && strlen(local) == 2);
  if (is_font)
    return add_text(attribute(document, e, "color"), SJ_PROPERTY_COLOR, add, user) &&
           add_text(attribute(document, e, "face"), SJ_PROPERTY_FONT_FAMILY, add, user) &&
           add_font_size(attribute(document, e, "size"), add, user);
  bool good = add_common(document, e, local, add, user);
  if (good && row && !cell)
    good = add_length(document, attribute(document, e, "height"), SJ_ATTRIBUTE_HEIGHT, add, user);
  if (good && cell && attribute_is_there(document, e, "nowrap")) good = add(user, SJ_PROPERTY_WHITE_SPACE, "nowrap", 6);
  if (good && sized)
    good = add_length(document, attribute(document, e, "width"), SJ_ATTRIBUTE_WIDTH, add, user) &&
           add_length(document, attribute(document, e, "height"), SJ_ATTRIBUTE_HEIGHT, add, user);
  if (good && aligned) good = add_align(attribute(document, e, "align"), cell && local[1] == 'h', add, user);
  if (good && cell) good = add(user, SJ_HTML_VERTICAL_ALIGN, "inherit", 7);
  if (good && row) good = add_text(attribute(document, e, "valign"), SJ_HTML_VERTICAL_ALIGN, add, user);
  if (good && (row || table))
    good = add_text(attribute(document, e, "bgcolor"), SJ_PROPERTY_BACKGROUND_COLOR, add, user);
  // What follows stands in user agents' sheets, but hints have to come behind it.
  if (good && rule)
    good = add(user, SJ_HTML_BORDER, "1px solid #9a9a9a", 17) &&
           add(user, SJ_HTML_BORDER_COLOR, "#9a9a9a #eee #eee #9a9a9a", 25) &&
           add_text(attribute(document, e, "color"), SJ_HTML_BORDER_COLOR, add, user) &&
           add_text(attribute(document, e, "color"), SJ_PROPERTY_BACKGROUND_COLOR, add, user) &&
           add_rule_size(document, attribute(document, e, "size"), add, user);
  if (good && cell)
    good = add(user, SJ_HTML_PADDING, "1px", 3) &&
           add_length(document, table_attribute(document, e, "cellpadding"), SJ_HTML_PADDING, add, user);
  if (good && (table || cell)) good = add_borders(document, e, cell, add, user);
  if (good && rule) good = add(user, SJ_HTML_MARGIN, ".5em auto", 9);
  if (good && (table || rule)) good = add_place(attribute(document, e, "align"), table, add, user);
  if (good && table)
    good = (!attribute(document, e, "bordercolor") || add(user, SJ_HTML_BORDER_STYLE, "solid", 5)) &&
           add_text(attribute(document, e, "bordercolor"), SJ_HTML_BORDER_COLOR, add, user) &&
           add(user, SJ_HTML_BORDER_SPACING, "2px", 3) &&
           add_length(document, attribute(document, e, "cellspacing"), SJ_HTML_BORDER_SPACING, add, user);
  return good;
}

// Style sheets matched against documents: which selectors apply to which elements, in the order of the cascade.
//
//   stijl_css_create, stijl_css_add ...            style sheets
//   stijl_css_document_parse_html, _xml, or _create and the recording calls   a document
//   stijl_css_matcher_create, stijl_css_match      the matches
//   stijl_css_document_set_..., stijl_css_rematch  the matches after changes
//
// Every engine gives the same bytes, with any number of threads.
#ifndef STIJL_CSS_H
#define STIJL_CSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"
#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bounds on what sheets, documents and matching may ask for; reaching one is STIJL_ERROR_LIMIT, the message names it.
typedef struct stijl_css_limits {
  uint64_t max_bytes;      // of one sheet or document; default 2^27
  uint32_t max_selectors;  // complex selectors of all sheets, those within :is() and the like counted; default 2^20
  uint32_t max_nesting;    // of rules in rules, and of :is(), :not(), ... in each other; default 64, at most 128
  uint32_t max_imports;    // sheets read because of @import; default 256
  uint32_t max_elements;   // of a document; default 2^24
  uint32_t max_depth;      // of a document's tree; default 2^14
  uint64_t max_matches;    // pairs of element and selector in a result; default 2^26
  uint64_t max_memory;  // bytes for reading an HTML document, and that matching holds beside the result; default 2^30
  // By the clock, for reading a document, and for one matching, each. Default 0: the budget of the context bounds them;
  // where that has none, each may take 10 s of the processor.
  double max_seconds;
} stijl_css_limits;

#define STIJL_CSS_LIMITS_INIT \
  { (uint64_t)1 << 27, 1u << 20, 64, 256, 1u << 24, 1u << 14, (uint64_t)1 << 26, (uint64_t)1 << 30, 0.0 }

// --- style sheets ---

// What media queries ask about.
typedef struct stijl_css_medium {
  const char *type;      // "screen", "print", ...
  double width, height;  // of the viewport, CSS pixels
  double resolution;     // device pixels per CSS pixel
  bool dark;             // prefers-color-scheme
  bool reduced_motion;   // prefers-reduced-motion
  bool more_contrast;    // prefers-contrast
  bool hover;            // a pointer that hovers, precisely (a mouse); else one that does neither (touch)
} stijl_css_medium;

#define STIJL_CSS_MEDIUM_INIT \
  { "screen", 1280, 800, 1, false, false, false, true }

typedef enum stijl_css_origin {
  STIJL_CSS_ORIGIN_USER_AGENT,
  STIJL_CSS_ORIGIN_USER,
  STIJL_CSS_ORIGIN_AUTHOR
} stijl_css_origin;

// The text of an imported sheet. `url` as in the sheet, NUL-terminated, `importer` the name of the sheet that asks.
// On success *name, *text become blocks that `free_text` receives afterwards. Anything but STIJL_OK: the import is left
// out with a warning.
typedef stijl_result (*stijl_css_import)(void *user, const char *importer, const char *url, char **name, char **text,
                                         size_t *bytes);

// Which files @import may read by itself, where no callback does it. The name of a sheet then is its path.
typedef enum stijl_css_files {
  STIJL_CSS_FILES_NONE,
  STIJL_CSS_FILES_BELOW,  // in the folder of the sheet that was added, and in folders below it, whatever links say
  STIJL_CSS_FILES_ALL     // any regular file; network addresses never are read
} stijl_css_files;

typedef struct stijl_css_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_css_medium medium;
  // Also match rules whose @media, @supports or @import conditions do not hold.
  bool all_media;
  // Match what might match: states that a document does not tell (:hover, :focus, :target, ...) are taken for true,
  // within :not() for false, and a pseudo-element for its element. For finding selectors that nothing needs.
  bool may_match;
  stijl_css_import import;  // NULL: `files` says what @import does
  void (*free_text)(void *user, void *block);
  void *user;
  stijl_css_limits limits;
  stijl_css_files files;  // default: @import is left out with a warning
  // Not 0: a pseudo-element stands for its element, so that a::before matches what a does. Part of may_match. (As large
  // as a pointer, to lie behind what earlier versions had.)
  size_t pseudo_elements;
} stijl_css_params;

#define STIJL_CSS_PARAMS_INIT                                                                               \
  {                                                                                                         \
    sizeof(stijl_css_params), STIJL_CSS_MEDIUM_INIT, false, false, NULL, NULL, NULL, STIJL_CSS_LIMITS_INIT, \
        STIJL_CSS_FILES_NONE, 0                                                                             \
  }
STIJL_API void stijl_css_params_init(stijl_css_params *params, size_t size);

typedef struct stijl_css stijl_css;

// `params` NULL: the defaults.
STIJL_API stijl_result stijl_css_create(stijl_context *context, const stijl_css_params *params, stijl_css **out);
// No matcher may be left that uses it.
STIJL_API void stijl_css_destroy(stijl_css *css);
// Parses a sheet and puts it behind those already there. `text` is a file's bytes: their encoding is told by a byte
// order mark or @charset, and is UTF-8 without. Keeps no reference to it. CSS has no malformed sheets:
// what cannot be understood is left out as its specification says, and logged with its line (the first 100 of a sheet).
// After a failure the object can only be destroyed. Not while a matcher exists.
STIJL_API stijl_result stijl_css_add(stijl_css *css, const char *text, size_t bytes, const char *name,
                                     stijl_css_origin origin, stijl_message *message);

// A sheet, as it was read.
typedef struct stijl_css_sheet {
  size_t size;        // bytes of this struct; set by the initialiser, and never written beyond
  const char *name;   // the name it was added under; of an imported or linked sheet its path, or what the callback said
  const char *root;   // the sheet or document that was added and that leads to it; its own name where nothing does
  const char *text;   // UTF-8, not NUL-terminated
  size_t bytes;       // of the text
  uint32_t importer;  // the sheet that imports it; STIJL_CSS_NO_SHEET
  uint32_t line;      // of its file, where the text begins: 1, unless an element holds it
  bool embedded;      // it is the text of an element of the document `name`
} stijl_css_sheet;

#define STIJL_CSS_NO_SHEET UINT32_MAX
#define STIJL_CSS_SHEET_INIT \
  { sizeof(stijl_css_sheet), "", "", "", 0, STIJL_CSS_NO_SHEET, 1, false }
STIJL_API void stijl_css_sheet_init(stijl_css_sheet *sheet, size_t size);

// Sheets are numbered in the order in which they begin: one comes before those that it imports.
STIJL_API size_t stijl_css_sheet_count(const stijl_css *css);
// An index past the last gives an empty one. The texts live as long as `css`.
STIJL_API void stijl_css_sheet_get(const stijl_css *css, size_t index, stijl_css_sheet *out);

// Writes a sheet without the rules that nothing needs. `keep` has a byte for each selector (stijl_css_selector_count):
// those whose byte is 0 are left out. Of a list of selectors those stay that are kept; with none left the rule goes,
// with the comment that stands directly before it, and so does an @media, @supports, @container or @starting-style of
// which nothing is left. A rule with rules nested in it stays as it is where any of them, or it itself, is kept; an
// @scope always does. All else stays: other at-rules, what could not be understood, and comments that begin the sheet
// or with "!", or that a blank line follows. What stays is written byte for byte; a text that was not UTF-8 becomes
// that, with a byte order mark. `write` gets it piece by piece, and returns false to stop (STIJL_ERROR_IO).
STIJL_API stijl_result stijl_css_prune(const stijl_css *css, size_t sheet, const unsigned char *keep,
                                       bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                       stijl_message *message);

// A complex selector: one of the comma-separated list of a rule.
typedef struct stijl_css_selector {
  size_t size;           // bytes of this struct; set by the initialiser, and never written beyond
  const char *sheet;     // the name the sheet was added under
  uint32_t sheet_index;  // imported sheets are numbered where they were imported
  uint32_t line;         // 1: the first
  uint32_t rule;         // selectors of one rule have one number
  const char *text;      // as written, not NUL-terminated
  size_t length;
  uint32_t specificity;  // a << 20 | b << 10 | c, each at most 1023
  bool active;           // the conditions around the rule hold
  bool pseudo_element;   // matches elements only with may_match or pseudo_elements
  // Not a selector of its own, but declarations of a rule behind rules nested in it.
  bool continuation;
} stijl_css_selector;

#define STIJL_CSS_SELECTOR_INIT \
  { sizeof(stijl_css_selector), NULL, 0, 0, 0, NULL, 0, 0, false, false, false }
STIJL_API void stijl_css_selector_init(stijl_css_selector *selector, size_t size);

// In the order of the sheets; imported ones come where they are imported.
STIJL_API size_t stijl_css_selector_count(const stijl_css *css);
// `index` below the count.
STIJL_API void stijl_css_selector_get(const stijl_css *css, size_t index, stijl_css_selector *out);

// Declarations of a selector's rule, in the order written.
typedef struct stijl_css_declaration {
  size_t size;               // bytes of this struct; set by the initialiser, and never written beyond
  const char *name, *value;  // not NUL-terminated; the name as written, the value without !important and outer space
  size_t name_length, value_length;
  bool important;
} stijl_css_declaration;

#define STIJL_CSS_DECLARATION_INIT \
  { sizeof(stijl_css_declaration), NULL, NULL, 0, 0, false }
STIJL_API void stijl_css_declaration_init(stijl_css_declaration *declaration, size_t size);

// The declarations of the rule that a selector belongs to, in their order; an index past the last gives an empty one.
// The texts live as long as `css`.
STIJL_API size_t stijl_css_declaration_count(const stijl_css *css, size_t selector);
STIJL_API void stijl_css_declaration_get(const stijl_css *css, size_t selector, size_t index,
                                         stijl_css_declaration *out);

// --- documents ---

#define STIJL_CSS_NO_ELEMENT UINT32_MAX

// Pseudo-classes that an application sets. Reading HTML sets those that the markup tells (the second group).
#define STIJL_CSS_STATE_HOVER ((uint64_t)1 << 0)
#define STIJL_CSS_STATE_ACTIVE ((uint64_t)1 << 1)
#define STIJL_CSS_STATE_FOCUS ((uint64_t)1 << 2)
#define STIJL_CSS_STATE_FOCUS_VISIBLE ((uint64_t)1 << 3)
#define STIJL_CSS_STATE_FOCUS_WITHIN ((uint64_t)1 << 4)
#define STIJL_CSS_STATE_TARGET ((uint64_t)1 << 5)
#define STIJL_CSS_STATE_VISITED ((uint64_t)1 << 6)
#define STIJL_CSS_STATE_AUTOFILL ((uint64_t)1 << 7)
#define STIJL_CSS_STATE_FULLSCREEN ((uint64_t)1 << 8)
#define STIJL_CSS_STATE_MODAL ((uint64_t)1 << 9)
#define STIJL_CSS_STATE_PLAYING ((uint64_t)1 << 10)
#define STIJL_CSS_STATE_PAUSED ((uint64_t)1 << 11)
#define STIJL_CSS_STATE_POPOVER_OPEN ((uint64_t)1 << 12)
#define STIJL_CSS_STATE_USER_VALID ((uint64_t)1 << 13)
#define STIJL_CSS_STATE_USER_INVALID ((uint64_t)1 << 14)
#define STIJL_CSS_STATE_TARGET_WITHIN ((uint64_t)1 << 15)
#define STIJL_CSS_STATE_WINDOW_INACTIVE ((uint64_t)1 << 16)

#define STIJL_CSS_STATE_LINK ((uint64_t)1 << 32)  // also :any-link; :link where not visited
#define STIJL_CSS_STATE_CHECKED ((uint64_t)1 << 33)
#define STIJL_CSS_STATE_INDETERMINATE ((uint64_t)1 << 34)
#define STIJL_CSS_STATE_DEFAULT ((uint64_t)1 << 35)
#define STIJL_CSS_STATE_DISABLED ((uint64_t)1 << 36)
#define STIJL_CSS_STATE_ENABLED ((uint64_t)1 << 37)
#define STIJL_CSS_STATE_VALID ((uint64_t)1 << 38)
#define STIJL_CSS_STATE_INVALID ((uint64_t)1 << 39)
#define STIJL_CSS_STATE_REQUIRED ((uint64_t)1 << 40)
#define STIJL_CSS_STATE_OPTIONAL ((uint64_t)1 << 41)
#define STIJL_CSS_STATE_IN_RANGE ((uint64_t)1 << 42)
#define STIJL_CSS_STATE_OUT_OF_RANGE ((uint64_t)1 << 43)
#define STIJL_CSS_STATE_PLACEHOLDER_SHOWN ((uint64_t)1 << 44)
#define STIJL_CSS_STATE_READ_WRITE ((uint64_t)1 << 45)
#define STIJL_CSS_STATE_OPEN ((uint64_t)1 << 46)
#define STIJL_CSS_STATE_DEFINED ((uint64_t)1 << 47)
#define STIJL_CSS_STATE_RTL ((uint64_t)1 << 48)

// Elements are numbered in document order, the root is 0. The tree cannot change, attributes and states can.
typedef struct stijl_css_document stijl_css_document;

// `text` is a file's bytes: their encoding is told by a byte order mark, the XML declaration or <meta>. `limits` NULL:
// the defaults. HTML is never malformed; XML may be, the message giving the line.
STIJL_API stijl_result stijl_css_document_parse_html(stijl_context *context, const char *text, size_t bytes,
                                                     const stijl_css_limits *limits, stijl_css_document **out,
                                                     stijl_message *message);
STIJL_API stijl_result stijl_css_document_parse_xml(stijl_context *context, const char *text, size_t bytes,
                                                    const stijl_css_limits *limits, stijl_css_document **out,
                                                    stijl_message *message);

// How many style sheets a document that was parsed holds (<style>) and names (<link rel=stylesheet>,
// <?xml-stylesheet?>).
STIJL_API size_t stijl_css_document_sheets(const stijl_css_document *document);
// Adds these sheets, in the document's order, behind those already there; `name` is the document's path. Those that it
// names are read as @import would in a sheet of that name, by the callback or by `files`: within the document's folder
// with STIJL_CSS_FILES_BELOW, and not at all where `name` is NULL. One that cannot be read is left out with a warning,
// and one that was added under the same name is not added again. Their conditions are the media attribute's;
// alternative and disabled sheets do not apply. Sheets that are not CSS by their type are none, and <base> is not
// looked at. As stijl_css_add, not while a matcher exists.
STIJL_API stijl_result stijl_css_add_document_sheets(stijl_css *css, const stijl_css_document *document,
                                                     const char *name, stijl_message *message);

// A document from any tree: begin, its attributes, its text and children, end; then finish, once. `html`: names of
// elements and attributes are compared as in HTML documents. Errors stick: finish reports the first.
STIJL_API stijl_result stijl_css_document_create(stijl_context *context, bool html, const stijl_css_limits *limits,
                                                 stijl_css_document **out);
// Texts are NUL-terminated. `space` is the address of the namespace, NULL or "" for none.
STIJL_API void stijl_css_document_begin(stijl_css_document *document, const char *space, const char *name);
STIJL_API void stijl_css_document_attribute(stijl_css_document *document, const char *space, const char *name,
                                            const char *value);
// Tells that the open element holds character data (for :empty).
STIJL_API void stijl_css_document_text(stijl_css_document *document);
STIJL_API void stijl_css_document_end(stijl_css_document *document);
STIJL_API stijl_result stijl_css_document_finish(stijl_css_document *document, stijl_message *message);

// Accepts NULL. Matchers of the document keep it.
STIJL_API void stijl_css_document_destroy(stijl_css_document *document);
// How many elements it has; they are numbered from 0 on in document order.
STIJL_API uint32_t stijl_css_document_elements(const stijl_css_document *document);
STIJL_API uint32_t stijl_css_document_parent(const stijl_css_document *document, uint32_t element);
// The local name, NUL-terminated.
STIJL_API const char *stijl_css_document_name(const stijl_css_document *document, uint32_t element);
// NULL when the element has no such attribute (in no namespace).
STIJL_API const char *stijl_css_document_get_attribute(const stijl_css_document *document, uint32_t element,
                                                       const char *name);

// Changes; `value` NULL removes the attribute. id and class are attributes. The states that follow from HTML attributes
// are not derived anew: set them.
STIJL_API stijl_result stijl_css_document_set_attribute(stijl_css_document *document, uint32_t element,
                                                        const char *name, const char *value);
STIJL_API stijl_result stijl_css_document_set_state(stijl_css_document *document, uint32_t element, uint64_t states,
                                                    bool on);

// --- matching ---

typedef enum stijl_css_engine {
  STIJL_CSS_ENGINE_REFERENCE,  // each selector against each element, right to left: the definition
  STIJL_CSS_ENGINE_CPU,
  STIJL_CSS_ENGINE_VULKAN  // creating the matcher fails with STIJL_ERROR_UNSUPPORTED where there is no device
} stijl_css_engine;

typedef struct stijl_css_matcher_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_css_engine engine;
  int threads;              // 0: one for each processor
  int device;               // Vulkan: which device (stijl_devices); -1: the best
  const char *device_name;  // Vulkan: part of the device's name, or its type; NULL: any. Read by create only
  uint32_t min_parallel;    // elements of a document from which on several threads work; 0: when it takes a while
} stijl_css_matcher_params;

#define STIJL_CSS_MATCHER_PARAMS_INIT \
  { sizeof(stijl_css_matcher_params), STIJL_CSS_ENGINE_CPU, 0, -1, NULL, 0 }
STIJL_API void stijl_css_matcher_params_init(stijl_css_matcher_params *params, size_t size);

// Sheets made ready for one document. It holds on to both; a document with a matcher is used by one thread at a time.
typedef struct stijl_css_matcher stijl_css_matcher;

// `params` NULL: the defaults. The caller destroys *out, which is NULL on failure; the message (may be NULL) tells why.
STIJL_API stijl_result stijl_css_matcher_create(const stijl_css *css, stijl_css_document *document,
                                                const stijl_css_matcher_params *params, stijl_css_matcher **out,
                                                stijl_message *message);
STIJL_API void stijl_css_matcher_destroy(stijl_css_matcher *matcher);
// Matches the whole document.
STIJL_API stijl_result stijl_css_match(stijl_css_matcher *matcher, stijl_message *message);
// Brings the matches up to date with changes of the document since the last call: as stijl_css_match, but faster when
// little has changed.
STIJL_API stijl_result stijl_css_rematch(stijl_css_matcher *matcher, stijl_message *message);

// Selectors that match the element, the one that the cascade ranks lowest first (origin, layer, specificity, order;
// for important declarations origin and layer count the other way round, which is left to the caller). Valid until the
// next matching; empty before the first.
STIJL_API size_t stijl_css_matches(const stijl_css_matcher *matcher, uint32_t element, const uint32_t **selectors);
// All of them: those of element e are selectors[offsets[e]] to selectors[offsets[e + 1]]. Returns offsets[elements].
STIJL_API size_t stijl_css_matches_all(const stijl_css_matcher *matcher, const uint32_t **offsets,
                                       const uint32_t **selectors);

// Milliseconds of the last steps.
typedef struct stijl_css_stats {
  size_t size;         // bytes of this struct; set by the caller, and never written beyond
  double index_ms;     // making sheets ready for the document
  double match_ms;     // the last matching
  uint32_t rematched;  // elements that the last matching looked at
  // Vulkan. Parts of match_ms:
  double upload_ms;    // the last upload: of the document with the first matching, then of changes
  double readback_ms;  // of the last matching's result
  uint32_t on_cpu;     // matchings that the device left to the engine for the CPU
} stijl_css_stats;

STIJL_API void stijl_css_stats_init(stijl_css_stats *stats, size_t size);

// Fills in what fits out->size.
STIJL_API void stijl_css_matcher_stats(const stijl_css_matcher *matcher, stijl_css_stats *out);

#ifdef __cplusplus
}
#endif
#endif

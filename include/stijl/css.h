// Matches style sheets against documents: which selectors apply to which elements, in the order of the cascade.
//
//   stijl_css_create, stijl_css_add ...            style sheets
//   stijl_css_document_parse_html, _xml, or _create and the recording calls   a document
//   stijl_css_matcher_create, stijl_css_match      the matches
//   stijl_css_document_set_..., stijl_css_rematch  the matches after changes
//
// Every engine gives the same bytes with any number of threads.
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

// Bounds on what style sheets, documents and matching may ask for. Reaching one is STIJL_ERROR_LIMIT, and the message
// names it.
typedef struct stijl_css_limits {
  uint64_t max_bytes;      // of one sheet or document; default 2^27
  uint32_t max_selectors;  // complex selectors of all sheets, including those within :is() and the like; default 2^20
  // How deep rules are nested in rules, and :is(), :not(), ... in each other; default 64, at most 128.
  uint32_t max_nesting;
  uint32_t max_imports;   // sheets that are read because of @import; default 256
  uint32_t max_elements;  // of a document; default 2^24
  uint32_t max_depth;     // of a document's tree; default 2^14
  uint64_t max_matches;   // pairs of element and selector in a result; default 2^26
  uint64_t max_memory;  // bytes to parse an HTML document with, and that matching holds beside the result; default 2^30
  // Seconds by the clock, for parsing a document and for each matching. With the default, 0, the budget of the context
  // bounds them; if the context has none, each may take 10 seconds of processor time.
  double max_seconds;
} stijl_css_limits;

#define STIJL_CSS_LIMITS_INIT                                                                             \
  STIJL_PART_INIT(stijl_css_params, limits, .max_bytes = (uint64_t)1 << 27, .max_selectors = 1u << 20,    \
                  .max_nesting = 64, .max_imports = 256, .max_elements = 1u << 24, .max_depth = 1u << 14, \
                  .max_matches = (uint64_t)1 << 26, .max_memory = (uint64_t)1 << 30)

// --- style sheets ---

// The output medium that media queries ask about.
typedef struct stijl_css_medium {
  const char *type;      // "screen", "print", ...
  double width, height;  // of the viewport, in CSS pixels
  double resolution;     // device pixels per CSS pixel
  bool dark;             // prefers-color-scheme
  bool reduced_motion;   // prefers-reduced-motion
  bool more_contrast;    // prefers-contrast
  bool hover;            // the pointer can hover and is precise (a mouse), else neither (touch)
} stijl_css_medium;

#define STIJL_CSS_MEDIUM_INIT                                                                                \
  STIJL_PART_INIT(stijl_css_params, medium, .type = "screen", .width = 1280, .height = 800, .resolution = 1, \
                  .hover = true)

// Whose style sheet it is, which the cascade ranks by.
typedef enum stijl_css_origin {
  STIJL_CSS_ORIGIN_USER_AGENT,
  STIJL_CSS_ORIGIN_USER,
  STIJL_CSS_ORIGIN_AUTHOR
} stijl_css_origin;

// Gives the text of an imported sheet. `url` is as in the sheet, NUL-terminated, and `importer` is the name of the
// sheet that imports it. On success *name and *text are set to blocks that the library passes to `free_text`
// afterwards, and *bytes to the length of the text. With any result but STIJL_OK the import is left out with a warning.
typedef stijl_result (*stijl_css_import)(void *user, const char *importer, const char *url, char **name, char **text,
                                         size_t *bytes);

// Which files @import may read where no callback reads them. A sheet's name is then its path.
typedef enum stijl_css_files {
  STIJL_CSS_FILES_NONE,
  // Those in the folder of the sheet that was added and below it; a link cannot lead out of it.
  STIJL_CSS_FILES_BELOW,
  STIJL_CSS_FILES_ALL  // any regular file; network addresses are never read
} stijl_css_files;

// How style sheets are read.
typedef struct stijl_css_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_css_medium medium;
  // Also matches rules whose @media, @supports or @import conditions do not hold.
  bool all_media;
  // Matches what might match. States that a document does not tell (:hover, :focus, :target, ...) count as true, and
  // within :not() as false, and a pseudo-element stands for its element. It is for finding selectors that nothing
  // needs.
  bool may_match;
  stijl_css_import import;  // reads imported sheets; if NULL, `files` says what @import does
  // Frees the blocks that `import` gave.
  void (*free_text)(void *user, void *block);
  void *user;
  stijl_css_limits limits;
  stijl_css_files files;  // default: every @import is left out with a warning
  // If it is not 0, a pseudo-element stands for its element, so that a::before matches what a does. may_match includes
  // it. (It has the size of a pointer so that it lies behind what earlier versions of the struct had.)
  size_t pseudo_elements;
} stijl_css_params;

#define STIJL_CSS_PARAMS_INIT                                                                    \
  STIJL_INIT(stijl_css_params, .medium = STIJL_CSS_MEDIUM_INIT, .limits = STIJL_CSS_LIMITS_INIT, \
             .files = STIJL_CSS_FILES_NONE)
STIJL_API void stijl_css_params_init(stijl_css_params *params, size_t size);

// A list of style sheets.
typedef struct stijl_css stijl_css;

// Creates a list without sheets; if `params` is NULL, the defaults apply.
STIJL_API stijl_result stijl_css_create(stijl_context *context, const stijl_css_params *params, stijl_css **out);
// Frees the style sheets. No matcher that uses them may exist any more. NULL is allowed.
STIJL_API void stijl_css_destroy(stijl_css *css);
// Parses a sheet and puts it behind those already there. `text` is the bytes of a file, which are copied. A byte order
// mark or @charset tells their encoding, which is UTF-8 without one. CSS knows no malformed sheets: what cannot be
// understood is left out as the specification says, and the first 100 such places of a sheet are logged with their
// lines. It must not be called while a matcher exists. After a failure the object can only be destroyed.
STIJL_API stijl_result stijl_css_add(stijl_css *css, const char *text, size_t bytes, const char *name,
                                     stijl_css_origin origin, stijl_message *message);

// A sheet as it was read.
typedef struct stijl_css_sheet {
  size_t size;  // bytes of this struct; set by the initialiser, and never written beyond
  // The name that it was added under, or of an imported or linked sheet its path, or the name that the callback gave.
  const char *name;
  const char *root;   // the sheet or document that was added and that led to it; its own name if nothing did
  const char *text;   // UTF-8, not NUL-terminated
  size_t bytes;       // of the text
  uint32_t importer;  // the sheet that imports it, or STIJL_CSS_NO_SHEET
  uint32_t line;      // the line of its file where the text begins: 1, unless an element holds it
  bool embedded;      // whether it is the text of an element of the document `name`
} stijl_css_sheet;

#define STIJL_CSS_NO_SHEET UINT32_MAX
#define STIJL_CSS_SHEET_INIT \
  STIJL_INIT(stijl_css_sheet, .name = "", .root = "", .text = "", .importer = STIJL_CSS_NO_SHEET, .line = 1)
STIJL_API void stijl_css_sheet_init(stijl_css_sheet *sheet, size_t size);

// Returns how many sheets there are. They are numbered in the order in which they begin, so that a sheet comes before
// those that it imports.
STIJL_API size_t stijl_css_sheet_count(const stijl_css *css);
// Sets *out to a sheet, or for an index past the last to an empty one. The texts are valid as long as `css`.
STIJL_API void stijl_css_sheet_get(const stijl_css *css, size_t index, stijl_css_sheet *out);

// Writes a sheet without the rules that nothing needs. `keep` has a byte for each selector (stijl_css_selector_count);
// those whose byte is 0 are left out.
//
// Of a list of selectors those that are kept stay. If none is, the rule is left out with the comment directly before
// it, and so is an @media, @supports, @container or @starting-style of which nothing stays. A rule with rules nested in
// it stays as it is if it or any of them is kept, and an @scope always does. Everything else stays too: other at-rules,
// what could not be understood, and comments that begin the sheet, begin with "!" or are followed by a blank line.
//
// What stays is written byte for byte, except that a text that was not UTF-8 becomes UTF-8 with a byte order mark.
// `write` receives it piece by piece and returns false to stop; the result is then STIJL_ERROR_IO.
STIJL_API stijl_result stijl_css_prune(const stijl_css *css, size_t sheet, const unsigned char *keep,
                                       bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                       stijl_message *message);

// A complex selector: one of the list of a rule, which commas separate.
typedef struct stijl_css_selector {
  size_t size;           // bytes of this struct; set by the initialiser, and never written beyond
  const char *sheet;     // the name of its sheet, as in stijl_css_sheet
  uint32_t sheet_index;  // the number of its sheet, for stijl_css_sheet_get
  uint32_t line;         // of the sheet; the first is 1
  uint32_t rule;         // the number of its rule, which the selectors of the rule share
  const char *text;      // as written, not NUL-terminated
  size_t length;
  uint32_t specificity;  // a << 20 | b << 10 | c, each at most 1023
  bool active;           // whether the conditions around the rule hold
  // Whether it is one of a pseudo-element, which matches elements only with may_match or pseudo_elements.
  bool pseudo_element;
  // Whether it is no selector of its own, but stands for declarations of a rule that come after rules nested in it.
  bool continuation;
} stijl_css_selector;

#define STIJL_CSS_SELECTOR_INIT STIJL_INIT(stijl_css_selector, .sheet = NULL)
STIJL_API void stijl_css_selector_init(stijl_css_selector *selector, size_t size);

// Returns how many selectors there are. They are in the order of the sheets; those of imported sheets come where these
// are imported.
STIJL_API size_t stijl_css_selector_count(const stijl_css *css);
// Sets *out to a selector, or for an index past the last to an empty one. The texts are valid as long as `css`.
STIJL_API void stijl_css_selector_get(const stijl_css *css, size_t index, stijl_css_selector *out);

// A declaration of a rule.
typedef struct stijl_css_declaration {
  size_t size;  // bytes of this struct; set by the initialiser, and never written beyond
  // Not NUL-terminated; the name is as written, and the value has neither !important nor space around it.
  const char *name, *value;
  size_t name_length, value_length;
  bool important;
} stijl_css_declaration;

#define STIJL_CSS_DECLARATION_INIT STIJL_INIT(stijl_css_declaration, .name = NULL)
STIJL_API void stijl_css_declaration_init(stijl_css_declaration *declaration, size_t size);

// Returns the number of declarations of the rule that a selector belongs to; the second function sets *out to one of
// them, in their order. An index past the last gives an empty one. The texts are valid as long as `css`.
STIJL_API size_t stijl_css_declaration_count(const stijl_css *css, size_t selector);
STIJL_API void stijl_css_declaration_get(const stijl_css *css, size_t selector, size_t index,
                                         stijl_css_declaration *out);

// --- documents ---

#define STIJL_CSS_NO_ELEMENT UINT32_MAX

// The pseudo-classes that an application can set. Parsing HTML sets those of the second group, which the markup tells.
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

#define STIJL_CSS_STATE_LINK ((uint64_t)1 << 32)  // also :any-link; :link if it is not visited
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

// A document. Its elements are numbered in document order, and the root is 0. Its tree cannot change, but attributes
// and states can. One thread at a time may use a document that changes or has a matcher.
typedef struct stijl_css_document stijl_css_document;

// Parses a document. `text` is the bytes of a file, whose encoding a byte order mark, the XML declaration or <meta>
// tells. If `limits` is NULL, the defaults apply. HTML is never malformed; XML may be, and then the message gives the
// line. The caller destroys *out, which is NULL on failure. Returns STIJL_ERROR_UNSUPPORTED if this build or machine
// lacks the parser.
STIJL_API stijl_result stijl_css_document_parse_html(stijl_context *context, const char *text, size_t bytes,
                                                     const stijl_css_limits *limits, stijl_css_document **out,
                                                     stijl_message *message);
STIJL_API stijl_result stijl_css_document_parse_xml(stijl_context *context, const char *text, size_t bytes,
                                                    const stijl_css_limits *limits, stijl_css_document **out,
                                                    stijl_message *message);

// Returns how many style sheets a document that was parsed holds (<style>) and names (<link rel=stylesheet>,
// <?xml-stylesheet?>).
STIJL_API size_t stijl_css_document_sheets(const stijl_css_document *document);
// Adds these sheets, in the document's order, behind those already there. `name` is the path of the document. The
// sheets that it names are read as @import in a sheet of that name would read them, by the callback or by `files`:
// within the document's folder with STIJL_CSS_FILES_BELOW, and not at all if `name` is NULL. One that cannot be read is
// left out with a warning, and one that was added under the same name is not added again.
//
// The media attribute gives their conditions; alternative and disabled sheets do not apply. What is not CSS by its type
// attribute is no sheet, and <base> is ignored. As stijl_css_add, it must not be called while a matcher exists, and
// after a failure the object can only be destroyed.
STIJL_API stijl_result stijl_css_add_document_sheets(stijl_css *css, const stijl_css_document *document,
                                                     const char *name, stijl_message *message);

// Creates a document from any tree. For each element come stijl_css_document_begin, its attributes, its text and its
// children, and stijl_css_document_end; stijl_css_document_finish follows once at the end. If `html` is true, names of
// elements and attributes are compared as in HTML documents. The first failure sticks, and stijl_css_document_finish
// returns it.
STIJL_API stijl_result stijl_css_document_create(stijl_context *context, bool html, const stijl_css_limits *limits,
                                                 stijl_css_document **out);
// Begins an element, or gives it an attribute. Texts are NUL-terminated and copied. `space` is the address of the
// namespace; NULL or "" stands for none.
STIJL_API void stijl_css_document_begin(stijl_css_document *document, const char *space, const char *name);
STIJL_API void stijl_css_document_attribute(stijl_css_document *document, const char *space, const char *name,
                                            const char *value);
// Tells that the open element holds character data, which :empty asks for.
STIJL_API void stijl_css_document_text(stijl_css_document *document);
// Ends the element that was begun last.
STIJL_API void stijl_css_document_end(stijl_css_document *document);
// Ends the document, and makes it ready for matchers. Returns the first failure, or STIJL_ERROR_INVALID_STATE if
// elements are open or there is none.
STIJL_API stijl_result stijl_css_document_finish(stijl_css_document *document, stijl_message *message);

// Frees the document. No matcher of it may exist any more. NULL is allowed.
STIJL_API void stijl_css_document_destroy(stijl_css_document *document);
// Returns how many elements the document has.
STIJL_API uint32_t stijl_css_document_elements(const stijl_css_document *document);
// Returns the parent of an element; STIJL_CSS_NO_ELEMENT for the root and for an element that does not exist.
STIJL_API uint32_t stijl_css_document_parent(const stijl_css_document *document, uint32_t element);
// Returns the local name of an element, NUL-terminated; "" for one that does not exist.
STIJL_API const char *stijl_css_document_name(const stijl_css_document *document, uint32_t element);
// Returns the value of an attribute without a namespace, or NULL if the element has none of that name. The text belongs
// to the document.
STIJL_API const char *stijl_css_document_get_attribute(const stijl_css_document *document, uint32_t element,
                                                       const char *name);

// Changes an element; id and class are attributes. If `value` is NULL, the attribute is removed. States that follow
// from HTML attributes do not follow their changes, so the caller sets them.
STIJL_API stijl_result stijl_css_document_set_attribute(stijl_css_document *document, uint32_t element,
                                                        const char *name, const char *value);
STIJL_API stijl_result stijl_css_document_set_state(stijl_css_document *document, uint32_t element, uint64_t states,
                                                    bool on);

// --- matching ---

// What matches.
typedef enum stijl_css_engine {
  STIJL_CSS_ENGINE_REFERENCE,  // tests each selector against each element, right to left; the definition of the result
  STIJL_CSS_ENGINE_CPU,
  STIJL_CSS_ENGINE_VULKAN  // creating the matcher fails with STIJL_ERROR_UNSUPPORTED if there is no device
} stijl_css_engine;

// How documents are matched.
typedef struct stijl_css_matcher_params {
  size_t size;  // bytes of this struct; set by the initialiser
  stijl_css_engine engine;
  int threads;  // 0 for one for each processor; more than 256 count as 256
  int device;   // Vulkan: an index of stijl_devices; the default, -1, is the best one
  // Vulkan: a part of the device's name, or its type; NULL for any. Only stijl_css_matcher_create reads it.
  const char *device_name;
  // The number of elements from which on several threads work; 0 lets them work where it takes a while.
  uint32_t min_parallel;
} stijl_css_matcher_params;

#define STIJL_CSS_MATCHER_PARAMS_INIT STIJL_INIT(stijl_css_matcher_params, .engine = STIJL_CSS_ENGINE_CPU, .device = -1)
STIJL_API void stijl_css_matcher_params_init(stijl_css_matcher_params *params, size_t size);

// Style sheets that were made ready for one document. Both must outlive it, and one thread at a time may use a document
// that has a matcher.
typedef struct stijl_css_matcher stijl_css_matcher;

// Creates a matcher; if `params` is NULL, the defaults apply. The caller destroys *out, which is NULL on failure.
// `message` may be NULL.
STIJL_API stijl_result stijl_css_matcher_create(const stijl_css *css, stijl_css_document *document,
                                                const stijl_css_matcher_params *params, stijl_css_matcher **out,
                                                stijl_message *message);
// Frees the matcher. NULL is allowed.
STIJL_API void stijl_css_matcher_destroy(stijl_css_matcher *matcher);
// Matches the whole document.
STIJL_API stijl_result stijl_css_match(stijl_css_matcher *matcher, stijl_message *message);
// Brings the matches up to date with the changes of the document since the last call. The result is that of
// stijl_css_match, but it takes less time if little has changed.
STIJL_API stijl_result stijl_css_rematch(stijl_css_matcher *matcher, stijl_message *message);

// Returns how many selectors match the element, and sets *selectors to their numbers. The one that the cascade ranks
// lowest comes first (by origin, layer, specificity and order; for important declarations origin and layer count the
// other way round, which is left to the caller). The array is valid until the next matching; there are none before the
// first.
STIJL_API size_t stijl_css_matches(const stijl_css_matcher *matcher, uint32_t element, const uint32_t **selectors);
// Sets *offsets and *selectors to the matches of all elements: those of element e are selectors[offsets[e]] up to, but
// without, selectors[offsets[e + 1]]. Returns their number, offsets[elements].
STIJL_API size_t stijl_css_matches_all(const stijl_css_matcher *matcher, const uint32_t **offsets,
                                       const uint32_t **selectors);

// How many milliseconds the last steps took.
typedef struct stijl_css_stats {
  size_t size;         // bytes of this struct; set by the caller, and never written beyond
  double index_ms;     // to make the sheets ready for the document
  double match_ms;     // of the last matching
  uint32_t rematched;  // how many elements the last matching looked at
  // Vulkan only. Parts of match_ms:
  double upload_ms;    // the last upload: of the document with the first matching, then of changes
  double readback_ms;  // of the last matching's result
  uint32_t on_cpu;     // how many matchings the device left to the engine for the CPU
} stijl_css_stats;

STIJL_API void stijl_css_stats_init(stijl_css_stats *stats, size_t size);

// Fills in as many fields as out->size covers.
STIJL_API void stijl_css_matcher_stats(const stijl_css_matcher *matcher, stijl_css_stats *out);

#ifdef __cplusplus
}
#endif
#endif

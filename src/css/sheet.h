// Style sheets: rules, at-rules and declarations into the program.
#ifndef SJ_CSS_SHEET_H
#define SJ_CSS_SHEET_H

#include <stdatomic.h>

#include "css/program.h"

// Devices that no matcher uses, kept open for the next.
typedef struct sj_css_device sj_css_device;
typedef _Atomic(sj_css_device *) sj_css_device_list;
void sj_css_devices_close(sj_css_device_list *devices);

struct stijl_css {
  stijl_context *context;
  stijl_css_params params;
  sj_css_program program;
  uint32_t imports;
  bool rules_only;      // of the selectors of a rule that match an element one is enough: equal ones are matched once
  stijl_result status;  // of the first stijl_css_add that failed
  atomic_uint matchers;
  sj_css_device_list devices;
};

// Where a sheet stands: in which layer, and which sheets import it.
typedef struct sj_css_sheet_place sj_css_sheet_place;
struct sj_css_sheet_place {
  uint32_t layer;
  bool active;
  uint32_t depth;                      // of imports
  bool decoded;                        // its text is UTF-8, whatever it says
  const uint16_t *encoding;            // else of what the importer was, see markup/encodings.h
  const sj_css_sheet_place *importer;  // NULL: the sheet was added by the application
  const char *name;                    // of the sheet
  uint32_t source;                     // its number, set when it is parsed; SJ_CSS_NONE of a document that names sheets
  uint32_t line;                       // of the file, where the text begins; 0 is 1
  bool embedded;                       // the text is that of an element
};

// Does what stijl_css_add does, for an author's sheet that a document holds or refers to, which is no more input for
// the budget. `decoded` tells that its text is UTF-8, whatever it says.
stijl_result sj_css_add_embedded(stijl_css *css, const char *text, size_t bytes, const char *name, bool decoded,
                                 stijl_message *message);

// Takes ownership of nothing; copies name and text into the program.
stijl_result sj_css_sheet_parse(stijl_css *css, const char *text, size_t bytes, stijl_css_origin origin,
                                const sj_css_sheet_place *place, stijl_message *message);

// Returns the layer of that name within `parent`, made if there is none; name SJ_ATOM_NONE makes an anonymous one.
// SJ_CSS_NONE when memory is short.
uint32_t sj_css_layer_get(sj_css_program *program, uint32_t parent, sj_atom name);

#endif

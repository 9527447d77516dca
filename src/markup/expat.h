// expat, set up as all readers of XML need it: it takes its memory from the context, knows every encoding of
// encodings.h, and reads neither external entities nor
// what parameter entities declare, of which it warns once.
#ifndef SJ_MARKUP_EXPAT_H
#define SJ_MARKUP_EXPAT_H

#include <expat.h>
#include <stdint.h>

#include "base/context.h"

// Stands between the namespace and the local name in the names that expat reports. It cannot occur in either.
#define SJ_XML_SEPARATOR '\n'

typedef struct sj_expat sj_expat;
struct sj_expat {
  XML_Parser xml;
  stijl_context *context;
  sj_expat *outer;     // the parser that the thread was using before
  bool begun;          // a piece has been fed
  bool refused;        // expat was refused memory
  bool warned;         // the log has the warning of what is not read
  uint32_t referring;  // entities that refer to others
  size_t piece;        // how many bytes the caller should feed next
};

// Opens a parser, which belongs to the calling thread until sj_expat_close. A parser that the thread opens in between
// must be closed first. Returns false when memory is short, and then there is nothing to close.
bool sj_expat_open(sj_expat *expat, stijl_context *context);
void sj_expat_close(sj_expat *expat);

// Parses the next piece of the document, at most INT_MAX bytes. The first piece should hold all of the XML declaration,
// which may name the encoding. Returns false when it is malformed, or a callback or a limit has stopped the parser.
bool sj_expat_feed(sj_expat *expat, const char *data, size_t bytes, bool last);

// Splits a name that expat reports: *local points to its local part, and the result is the length of the namespace's
// address, with which the name begins.
size_t sj_expat_split(const char *name, const char **local);

// Returns why the last piece was not parsed. The message names the line.
stijl_result sj_expat_error(const sj_expat *expat, stijl_message *message);

#endif

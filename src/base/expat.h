// expat as all readers of XML use it: its memory is the context's, every encoding of encodings.h is read, and external
// entities are not, which is warned of once.
#ifndef SJ_BASE_EXPAT_H
#define SJ_BASE_EXPAT_H

#include <expat.h>

#include "base/context.h"

// Between the namespace and the local name in what expat reports; it cannot occur in either.
#define SJ_XML_SEPARATOR '\n'

typedef struct sj_expat sj_expat;
struct sj_expat {
  XML_Parser xml;
  stijl_context *context;
  sj_expat *outer;  // what the thread was using before
  bool begun, refused, warned;
  size_t piece;  // the bytes that the next piece should have
};

// The parser belongs to the thread until sj_expat_close; one that it opens in between has to be closed before. False:
// memory is short, and there is nothing to close.
bool sj_expat_open(sj_expat *expat, stijl_context *context);
void sj_expat_close(sj_expat *expat);

// The next piece of the document, of at most INT_MAX bytes. The head of the first tells the encoding.
bool sj_expat_feed(sj_expat *expat, const char *data, size_t bytes, bool last);

// Finds the local part of a name that expat reports. Returns the length of the namespace's address, which the name
// begins with.
size_t sj_expat_split(const char *name, const char **local);

// Why the last piece was not read; the message tells the line.
stijl_result sj_expat_error(const sj_expat *expat, stijl_message *message);

#endif

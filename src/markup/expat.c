#include "markup/expat.h"

#include <string.h>

#include "base/budget.h"
#include "base/hash.h"
#include "markup/encodings.h"

// How many bytes expat parses at a time: enough to hold most tags, and few enough for the clock to be read in between.
#define PIECE_BYTES ((size_t)1 << 16)
#define MAX_PIECE_BYTES ((size_t)1 << 30)

// What expat does between two allocations is charged as this many steps.
#define WORK_AN_ALLOCATION 200

// expat follows entities that refer to others by calls within calls, up to 2.7.0 without end (CVE-2024-8176). No entity
// may refer to itself, so that these nest at most as deep as there are entities that refer to others.
#define MAX_REFERRING_ENTITIES 256

// expat passes its allocator no pointer, so the allocator finds the parser here.
static _Thread_local sj_expat *current;

// Notes a refusal, because expat does not always report it as a lack of memory.
static void *noted(void *block) {
  current->refused |= !block;
  return block;
}

// Returns whether the budget allows expat to go on. expat reads a tag of a million attributes in one call, which
// nothing but a refused allocation ends.
static bool in_time(void) { return sj_context_check(current->context, WORK_AN_ALLOCATION); }

static void *allocate(size_t bytes) { return noted(in_time() ? sj_alloc(current->context, bytes) : NULL); }
static void *reallocate(void *ptr, size_t bytes) {
  return noted(in_time() ? sj_realloc(current->context, ptr, bytes) : NULL);
}
static void release(void *ptr) { sj_free(current->context, ptr); }

// Tells expat of an encoding. It asks this for every one but UTF-8, UTF-16, ISO-8859-1 and US-ASCII, which it knows
// itself.
static int XMLCALL unknown_encoding(void *user, const XML_Char *name, XML_Encoding *out) {
  (void)user;
  const uint16_t *upper;
  if (!sj_encoding_find(name, strlen(name), &upper) || !upper) return XML_STATUS_ERROR;
  for (int i = 0; i < 256; i++) out->map[i] = i < 128 ? i : upper[i - 128];
  out->data = NULL;
  out->convert = NULL;
  out->release = NULL;
  return XML_STATUS_OK;
}

// Returns whether a character is XML's white space.
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Finds the name of the encoding in the XML declaration at the head of 8-bit text, and returns its length; 0 when there
// is none.
static size_t declared_encoding(const char *data, size_t bytes, const char **name) {
  static const char xml[] = "<?xml", key[] = "encoding";
  if (bytes > 256) bytes = 256;
  if (bytes < sizeof xml || memcmp(data, xml, sizeof xml - 1) != 0) return 0;
  const char *end = memchr(data, '>', bytes);
  if (!end) return 0;
  for (const char *at = data; end - at > (ptrdiff_t)sizeof key; at++) {
    if (memcmp(at, key, sizeof key - 1) != 0) continue;
    for (at += sizeof key - 1; at < end && (is_space(*at) || *at == '='); at++) {
    }
    if (at == end || (*at != '"' && *at != '\'')) return 0;
    const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
    if (!close) return 0;
    *name = at + 1;
    return (size_t)(close - at - 1);
  }
  return 0;
}

// Recognises the usual spellings of by far the most frequent encoding without searching the table of names.
static bool is_utf8(const char *name, size_t length) {
  return length == 5 && (memcmp(name, "UTF-8", 5) == 0 || memcmp(name, "utf-8", 5) == 0);
}

// Overrules the declaration where the bytes show that it is wrong: a byte order mark decides, UTF-16 may declare
// another encoding, and 8-bit text may declare UTF-16. Also tells expat that the encoding is UTF-8 where the
// declaration has another name for it.
static void settle_encoding(XML_Parser xml, const char *data, size_t bytes) {
  const char *name;
  const uint16_t *upper;
  if (bytes >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "<\0", 2) == 0)) {
    XML_SetEncoding(xml, "UTF-16LE");
  } else if (bytes >= 2 && (memcmp(data, "\xfe\xff", 2) == 0 || memcmp(data, "\0<", 2) == 0)) {
    XML_SetEncoding(xml, "UTF-16BE");
  } else if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
    XML_SetEncoding(xml, "UTF-8");
  } else {
    size_t length = declared_encoding(data, bytes, &name);
    if (length && (is_utf8(name, length) || (sj_encoding_find(name, length, &upper) && !upper)))
      XML_SetEncoding(xml, "UTF-8");
  }
}

// Warns of a document once.
static void tell_once(const char *what) {
  if (!current->warned) sj_log(current->context, STIJL_LOG_WARNING, "%s", what);
  current->warned = true;
}

// Does not read the entity, so that it expands to nothing.
static int XMLCALL external_entity(XML_Parser xml, const XML_Char *context, const XML_Char *base,
                                   const XML_Char *system, const XML_Char *public) {
  (void)xml;
  (void)context;
  (void)base;
  (void)system;
  (void)public;
  tell_once("external entities are not read");
  return XML_STATUS_OK;
}

// Warns of an entity in text that is declared where nothing is read. expat calls it.
static void XMLCALL skipped_entity(void *user, const XML_Char *name, int is_parameter) {
  (void)user;
  (void)name;
  if (!is_parameter) tell_once("entities that parameter entities or other files declare are not read");
}

// Counts an entity that refers to others, and finds parameter entities that declare others, whose references in
// attributes expat does not report.
static void XMLCALL entity_declaration(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                                       int length, const XML_Char *base, const XML_Char *system, const XML_Char *public,
                                       const XML_Char *notation) {
  static const char inner[] = "<!ENTITY";
  (void)user, (void)name, (void)base, (void)system, (void)public, (void)notation;
  if (!is_parameter && value && memchr(value, '&', (size_t)length) && ++current->referring > MAX_REFERRING_ENTITIES)
    XML_StopParser(current->xml, XML_FALSE);
  for (int i = 0; is_parameter && value && i + (int)sizeof inner - 1 <= length; i++)
    if (memcmp(value + i, inner, sizeof inner - 1) == 0) {
      tell_once("entities that parameter entities or other files declare are not read");
      return;
    }
}

size_t sj_expat_split(const char *name, const char **local) {
  const char *separator = strchr(name, SJ_XML_SEPARATOR);
  *local = separator ? separator + 1 : name;
  return separator ? (size_t)(separator - name) : 0;
}

bool sj_expat_open(sj_expat *expat, stijl_context *context) {
  static const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};
  static const XML_Char separator[] = {SJ_XML_SEPARATOR, 0};
  *expat = (sj_expat){.context = context, .outer = current, .piece = PIECE_BYTES};
  current = expat;
  expat->xml = XML_ParserCreate_MM(NULL, &memory, separator);
  if (!expat->xml) {
    current = expat->outer;
    return false;
  }
  // With 0 expat would ask the system for a salt.
  XML_SetHashSalt(expat->xml, (unsigned long)sj_hash_key_random().low | 1);
  XML_SetUnknownEncodingHandler(expat->xml, unknown_encoding, NULL);
  XML_SetExternalEntityRefHandler(expat->xml, external_entity);
  XML_SetSkippedEntityHandler(expat->xml, skipped_entity);
  XML_SetEntityDeclHandler(expat->xml, entity_declaration);
  // expat itself ends entity bombs (since 2.4): beyond 8 MiB, entities may expand to 100 times the input.
  XML_SetParamEntityParsing(expat->xml, XML_PARAM_ENTITY_PARSING_NEVER);
  return true;
}

void sj_expat_close(sj_expat *expat) {
  XML_ParserFree(expat->xml);
  current = expat->outer;
}

bool sj_expat_feed(sj_expat *expat, const char *data, size_t bytes, bool last) {
  if (!expat->begun) settle_encoding(expat->xml, data, bytes);
  expat->begun = true;
  XML_Index before = XML_GetCurrentByteIndex(expat->xml);
  bool good = XML_Parse(expat->xml, data, (int)bytes, last) == XML_STATUS_OK;
  // expat scans an incomplete tag, such as one with a picture in it, from its beginning with every piece. So the pieces
  // double until the tag is complete, and the time stays linear in its length.
  if (XML_GetCurrentByteIndex(expat->xml) != before)
    expat->piece = PIECE_BYTES;
  else if (expat->piece < MAX_PIECE_BYTES)
    expat->piece *= 2;
  return good;
}

stijl_result sj_expat_error(const sj_expat *expat, stijl_message *message) {
  enum XML_Error code = XML_GetErrorCode(expat->xml);
  unsigned long line = (unsigned long)XML_GetCurrentLineNumber(expat->xml);
  if (code == XML_ERROR_NO_MEMORY || expat->refused) return sj_fail_memory(message);
  if (expat->referring > MAX_REFERRING_ENTITIES)
    return sj_fail(message, STIJL_ERROR_LIMIT, "line %lu: more than %d entities refer to others", line,
                   MAX_REFERRING_ENTITIES);
  if (code == XML_ERROR_AMPLIFICATION_LIMIT_BREACH)
    return sj_fail(message, STIJL_ERROR_LIMIT, "entities expand too far, at line %lu", line);
  return sj_fail(message, STIJL_ERROR_MALFORMED, "line %lu: %s", line, XML_ErrorString(code));
}

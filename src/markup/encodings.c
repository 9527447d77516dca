// The encodings with one byte for each character, with the names and tables of the WHATWG's Encoding Standard
// (https://encoding.spec.whatwg.org).

#include "markup/encodings.h"

#include "base/ascii.h"
#include "markup/encoding_tables.h"  // made by encoding_tables.py

// The names that documents use, in lower case. Names of UTF-16 stand for UTF-8 here, since text whose declaration could
// be read byte by byte is not UTF-16.
static const struct {
  const uint16_t *upper;  // NULL: UTF-8
  const char *names;      // separated by spaces
} encodings[] = {
    {NULL,
     "utf-8 utf8 utf_8 unicode-1-1-utf-8 utf-8n cp65001 unicode utf-16 utf16 utf-16le utf-16be ucs-2 ucs-4 utf-32 "
     "iso-10646-ucs-2 iso-10646-ucs-4 csunicode"},
    {ibm866, "ibm866 cp866 866 csibm866"},
    {ibm437, "ibm437 cp437 437"},
    {ibm850, "ibm850 cp850 850"},
    {iso_8859_2, "iso-8859-2 iso8859-2 iso_8859-2 latin2"},
    {iso_8859_3, "iso-8859-3 iso8859-3 iso_8859-3 latin3"},
    {iso_8859_4, "iso-8859-4 iso8859-4 iso_8859-4 latin4"},
    {iso_8859_5, "iso-8859-5 iso8859-5 iso_8859-5 cyrillic"},
    {iso_8859_6, "iso-8859-6 iso8859-6 iso_8859-6 arabic"},
    {iso_8859_7, "iso-8859-7 iso8859-7 iso_8859-7 greek"},
    {iso_8859_8, "iso-8859-8 iso8859-8 iso_8859-8 hebrew iso-8859-8-i"},
    {iso_8859_10, "iso-8859-10 iso8859-10 iso_8859-10 latin6"},
    {iso_8859_13, "iso-8859-13 iso8859-13 iso_8859-13"},
    {iso_8859_14, "iso-8859-14 iso8859-14 iso_8859-14"},
    {iso_8859_15, "iso-8859-15 iso8859-15 iso_8859-15 latin9 latin-9"},
    {iso_8859_16, "iso-8859-16 iso8859-16 iso_8859-16"},
    {koi8_r, "koi8-r koi8 koi"},
    {koi8_u, "koi8-u koi8-ru"},
    {macintosh, "macintosh x-mac-roman mac"},
    {mac_cyrillic, "x-mac-cyrillic x-mac-ukrainian"},
    {windows_874, "windows-874 cp874 x-cp874 iso-8859-11 tis-620 iso8859-11"},
    {windows_1250, "windows-1250 cp1250 x-cp1250"},
    {windows_1251, "windows-1251 cp1251 x-cp1251"},
    {windows_1252,
     "windows-1252 cp1252 x-cp1252 ansi ascii us-ascii iso-8859-1 iso8859-1 iso_8859-1 iso88591 latin1 latin-1 l1"},
    {windows_1253, "windows-1253 cp1253 x-cp1253"},
    {windows_1254, "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5"},
    {windows_1255, "windows-1255 cp1255 x-cp1255"},
    {windows_1256, "windows-1256 cp1256 x-cp1256"},
    {windows_1257, "windows-1257 cp1257 x-cp1257"},
    {windows_1258, "windows-1258 cp1258 x-cp1258"},
};

bool sj_encoding_find(const char *name, size_t length, const uint16_t **upper) {
  *upper = NULL;
  for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
    if (!sj_is_among(encodings[i].names, name, length)) continue;
    *upper = encodings[i].upper;
    return true;
  }
  return false;
}

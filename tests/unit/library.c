// Libraries that are opened when they are needed: what happens where one is missing.
#include "base/library.h"

#include "test.h"

#define NOT_THERE(file, function)                                                       \
  static void *table[1];                                                                \
  static sj_library library = {.soname = file, .names = function "\0", .table = table}; \
  stijl_message message;                                                                \
  for (int i = 0; i < 2; i++) {                                                         \
    CHECK_INT(sj_library_open(&library, &message), STIJL_ERROR_UNSUPPORTED);            \
    CHECK_STR(message.text, "the library " file " is not installed, or too old");       \
  }                                                                                     \
  CHECK(!table[0])

TEST(missing) { NOT_THERE("libstijlisnotthere.so.0", "anything"); }
TEST(without_a_name) { NOT_THERE("libc.so.6", "stijl_is_not_there"); }

TEST(there) {
  static struct {
    __typeof__(strlen) *strlen;
    __typeof__(strcmp) *strcmp;
  } table;
  static sj_library library = {.soname = "libc.so.6", .names = "strlen\0strcmp\0", .table = &table};
  if (sj_library_open(&library, NULL)) SKIP("no libc.so.6");
  CHECK(table.strlen && table.strcmp);
  if (table.strlen) CHECK_INT(table.strlen("four"), 4);
  if (table.strcmp) CHECK_INT(table.strcmp("a", "a"), 0);
}

// The arithmetic that devices are tested with before they draw (gpu/check.h): the sum that their words have to come to.
#include "base/wraps.h"
#include "gpu/check.h"
#include "test.h"

SJ_WRAPS static uint32_t add(uint32_t sum, uint32_t word) { return (sum ^ word) * 16777619u; }

TEST(sum) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < G_CHECKS; i++) sum = add(sum, g_check(i));
  CHECK_INT(sum, G_CHECK_SUM);
}

// scene.c on a GPU (STIJL_TEST_DEVICE, else the software driver), which must draw the bits of the scalar code. Where no
// such device is the program ends at once. As a test: 'gpu random scenes'.
#define FUZZ_DEVICE "cpu"
#include "scene.c"

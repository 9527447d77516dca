// Which lines of GLSL can be left out.
#ifndef SJ_LAB_ABLATE_H
#define SJ_LAB_ABLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lines first to last, numbered from 1: a statement, or one with the block behind it.
typedef struct sj_lab_cut {
  uint32_t first, last;
} sj_lab_cut;

// The statements in function bodies that stand in lines of their own, up to `most` of them. Left out are those without
// which a loop might not end: what assigns to something that a loop's head names, and what holds a break or a return,
// but no loop around it.
uint32_t sj_lab_find_cuts(const char *text, size_t bytes, sj_lab_cut *out, uint32_t most);
// Overwrites these lines with blanks, so that the others keep their numbers.
void sj_lab_cut_out(char *text, size_t bytes, sj_lab_cut cut);

#endif

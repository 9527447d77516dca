// Strings as small numbers: two strings are equal exactly when their atoms are.
#ifndef SJ_DOM_ATOMS_H
#define SJ_DOM_ATOMS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/budget.h"
#include "base/hash.h"

// 0 stands for no string; SJ_ATOM_EMPTY for "". Others are numbered as they come.
typedef uint32_t sj_atom;
#define SJ_ATOM_NONE 0u
#define SJ_ATOM_EMPTY 1u
#define SJ_ATOM_FIRST 2u

// `text` ends with a NUL, and stays where it is as long as the table.
typedef struct sj_string {
  const char *text;
  uint32_t length;
  uint32_t hash;  // of an atom
} sj_string;

typedef struct sj_atoms {
  stijl_context *context;
  sj_arena texts;
  SJ_ARRAY(sj_string) strings;  // per atom
  uint32_t *slots;  // open addressing; atoms, 0 when free
  uint32_t slot_count;
  sj_spender spender;
  sj_hash_key key;  // of this table alone: no sheet can be made of strings that collide
} sj_atoms;

// False when memory is short.
bool sj_atoms_init(sj_atoms *atoms, stijl_context *context);
void sj_atoms_finish(sj_atoms *atoms);
// SJ_ATOM_NONE when memory is short, or the context's budget spent, as for all that intern.
sj_atom sj_atoms_intern(sj_atoms *atoms, const char *text, size_t length);
// Does not copy the text, which has to end with a NUL and stay where it is as long as the table.
sj_atom sj_atoms_intern_kept(sj_atoms *atoms, const char *text, size_t length);
// Interns the text with A-Z made a-z.
sj_atom sj_atoms_intern_lower(sj_atoms *atoms, const char *text, size_t length);
// The atom of the atom's text with A-Z made a-z. SJ_ATOM_NONE when memory is short.
sj_atom sj_atoms_lower(sj_atoms *atoms, sj_atom atom);
// SJ_ATOM_NONE when no such string was interned.
sj_atom sj_atoms_find(const sj_atoms *atoms, const char *text, size_t length);

static inline const char *sj_atoms_text(const sj_atoms *atoms, sj_atom atom) { return atoms->strings.data[atom].text; }
static inline uint32_t sj_atoms_length(const sj_atoms *atoms, sj_atom atom) { return atoms->strings.data[atom].length; }
static inline char sj_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
bool sj_equal_ignoring_case(const char *a, const char *b, size_t length);

#endif

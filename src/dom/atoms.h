// Interned strings: each different string of a table is kept once, and has a number, its atom. Two strings are equal
// exactly when their atoms are.
#ifndef SJ_DOM_ATOMS_H
#define SJ_DOM_ATOMS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/ascii.h"
#include "base/budget.h"
#include "base/hash.h"

// Atoms are numbered from SJ_ATOM_FIRST on, in the order in which their strings come.
typedef uint32_t sj_atom;
#define SJ_ATOM_NONE 0u   // no string
#define SJ_ATOM_EMPTY 1u  // ""
#define SJ_ATOM_FIRST 2u

// `text` ends with a NUL, and stays where it is as long as the table exists.
typedef struct sj_string {
  const char *text;
  uint32_t length;
  uint32_t hash;  // only set if the string is an atom's
} sj_string;

typedef struct sj_atoms {
  stijl_context *context;
  sj_arena texts;
  SJ_ARRAY(sj_string) strings;  // for each atom
  uint32_t *slots;              // a hash table with open addressing: atoms, and SJ_ATOM_NONE in free slots
  uint32_t slot_count;          // a power of two
  sj_spender spender;
  sj_hash_key key;  // this table's own, so that nobody can make a sheet whose strings collide
} sj_atoms;

// Makes an empty table of atoms. Returns false when memory is short, and then there is nothing to finish.
bool sj_atoms_init(sj_atoms *atoms, stijl_context *context);
void sj_atoms_finish(sj_atoms *atoms);

// These return the atom of a string, which they add to the table if it is new, or SJ_ATOM_NONE when memory is short or
// the context's budget is spent.

// Copies the text if it is new.
sj_atom sj_atoms_intern(sj_atoms *atoms, const char *text, size_t length);
// Does not copy the text, which has to end with a NUL and to stay where it is as long as the table exists.
sj_atom sj_atoms_intern_kept(sj_atoms *atoms, const char *text, size_t length);
// Interns the text with the letters A-Z replaced by a-z.
sj_atom sj_atoms_intern_lower(sj_atoms *atoms, const char *text, size_t length);
// Interns the text of an atom with the letters A-Z replaced by a-z.
sj_atom sj_atoms_lower(sj_atoms *atoms, sj_atom atom);

// Returns the atom of a string; SJ_ATOM_NONE when it was never interned.
sj_atom sj_atoms_find(const sj_atoms *atoms, const char *text, size_t length);

static inline const char *sj_atoms_text(const sj_atoms *atoms, sj_atom atom) { return atoms->strings.data[atom].text; }
static inline uint32_t sj_atoms_length(const sj_atoms *atoms, sj_atom atom) { return atoms->strings.data[atom].length; }
static inline char sj_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

#endif

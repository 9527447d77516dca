#include "dom/atoms.h"

#include <string.h>

#define WORK_INTERN 64  // finding a slot costs a cache miss, as a rule

static uint32_t hash_of(const sj_atoms *atoms, const char *text, size_t length) {
  return (uint32_t)sj_hash(atoms->key, text, length);
}

static bool equal(const sj_atoms *atoms, sj_atom atom, const char *text, size_t length, uint32_t hash) {
  const sj_string *string = &atoms->strings.data[atom];
  return string->hash == hash && string->length == length && memcmp(string->text, text, length) == 0;
}

// Returns the slot that holds the string's atom, or the free one where it belongs.
static uint32_t slot_of(const sj_atoms *atoms, const char *text, size_t length, uint32_t hash) {
  uint32_t mask = atoms->slot_count - 1, slot = hash & mask;
  while (atoms->slots[slot] && !equal(atoms, atoms->slots[slot], text, length, hash)) slot = (slot + 1) & mask;
  return slot;
}

// Doubles the number of slots.
static bool grow(sj_atoms *atoms) {
  uint32_t count = atoms->slot_count ? atoms->slot_count * 2 : 256;
  if (count < atoms->slot_count) return false;
  uint32_t *slots = sj_alloc_array(atoms->context, count, sizeof *slots);
  if (!slots) return false;
  memset(slots, 0, count * sizeof *slots);
  for (uint32_t atom = 1; atom < atoms->strings.count; atom++) {
    uint32_t slot = atoms->strings.data[atom].hash & (count - 1);
    while (slots[slot]) slot = (slot + 1) & (count - 1);
    slots[slot] = atom;
  }
  sj_free(atoms->context, atoms->slots);
  atoms->slots = slots;
  atoms->slot_count = count;
  return true;
}

bool sj_atoms_init(sj_atoms *atoms, stijl_context *context) {
  *atoms = (sj_atoms){.context = context, .spender = {.budget = sj_budget_of(context)}, .key = sj_hash_key_random()};
  sj_arena_init(&atoms->texts, context);
  if (grow(atoms) && sj_array_push(context, &atoms->strings, (sj_string){.text = ""}) &&
      sj_atoms_intern_kept(atoms, "", 0) == SJ_ATOM_EMPTY)
    return true;
  sj_atoms_finish(atoms);
  return false;
}

void sj_atoms_finish(sj_atoms *atoms) {
  if (!atoms->context) return;
  sj_arena_finish(&atoms->texts);
  sj_array_finish(atoms->context, &atoms->strings);
  sj_free(atoms->context, atoms->slots);
  atoms->slots = NULL;
  atoms->slot_count = 0;
}

static sj_atom intern(sj_atoms *atoms, const char *text, size_t length, bool kept) {
  if (length == 0 && atoms->strings.count > SJ_ATOM_EMPTY) return SJ_ATOM_EMPTY;
  if (!sj_spend(&atoms->spender, WORK_INTERN + length / 4)) return SJ_ATOM_NONE;
  uint32_t hash = hash_of(atoms, text, length), slot = slot_of(atoms, text, length, hash);
  if (atoms->slots[slot]) return atoms->slots[slot];
  if (length >= UINT32_MAX || atoms->strings.count >= UINT32_MAX / 2) return SJ_ATOM_NONE;
  if (atoms->strings.count * 4 >= (size_t)atoms->slot_count * 3) {
    if (!grow(atoms)) return SJ_ATOM_NONE;
    slot = slot_of(atoms, text, length, hash);
  }
  if (!sj_array_reserve(atoms->context, &atoms->strings, 1)) return SJ_ATOM_NONE;
  if (!kept) text = sj_arena_text(&atoms->texts, text, length);
  if (!text) return SJ_ATOM_NONE;
  sj_atom atom = (sj_atom)atoms->strings.count;
  atoms->strings.data[atoms->strings.count++] = (sj_string){text, (uint32_t)length, hash};
  atoms->slots[slot] = atom;
  return atom;
}

sj_atom sj_atoms_intern(sj_atoms *atoms, const char *text, size_t length) { return intern(atoms, text, length, false); }

sj_atom sj_atoms_intern_kept(sj_atoms *atoms, const char *text, size_t length) {
  return intern(atoms, text, length, true);
}

sj_atom sj_atoms_intern_lower(sj_atoms *atoms, const char *text, size_t length) {
  size_t i = 0;
  while (i < length && !(text[i] >= 'A' && text[i] <= 'Z')) i++;
  if (i == length) return sj_atoms_intern(atoms, text, length);
  char small[128], *lower = length <= sizeof small ? small : sj_alloc(atoms->context, length);
  if (!lower) return SJ_ATOM_NONE;
  for (i = 0; i < length; i++) lower[i] = sj_to_lower(text[i]);
  sj_atom atom = sj_atoms_intern(atoms, lower, length);
  if (lower != small) sj_free(atoms->context, lower);
  return atom;
}

sj_atom sj_atoms_lower(sj_atoms *atoms, sj_atom atom) {
  const char *text = sj_atoms_text(atoms, atom);
  size_t length = sj_atoms_length(atoms, atom);
  for (size_t i = 0; i < length; i++)
    if (text[i] >= 'A' && text[i] <= 'Z') return sj_atoms_intern_lower(atoms, text, length);
  return atom;
}

sj_atom sj_atoms_find(const sj_atoms *atoms, const char *text, size_t length) {
  return atoms->slots[slot_of(atoms, text, length, hash_of(atoms, text, length))];
}

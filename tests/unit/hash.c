// SipHash: the paper's vector, and what tables rely on.
#include "base/hash.h"

#include "dom/atoms.h"
#include "test.h"

static const sj_hash_key counting = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};

TEST(vectors) {
  unsigned char data[64];
  for (int i = 0; i < 64; i++) data[i] = (unsigned char)i;
  // Aumasson and Bernstein, appendix A: SipHash-2-4 of the bytes 0 to 14.
  CHECK(sj_siphash(2, 4, counting, data, 15) == 0xa129ca6149be45e5u);
  CHECK(sj_hash(counting, data, 15) == sj_siphash(1, 3, counting, data, 15));
  // SipHash-1-3 of nothing, and of the first byte, as Rust's standard library tests it.
  CHECK(sj_hash(counting, NULL, 0) == 0xabac0158050fc4dcu);
  CHECK(sj_hash(counting, data, 1) == 0xc9f49bf37d57ca93u);
}

TEST(keys_differ) {
  sj_hash_key a = sj_hash_key_random(), b = sj_hash_key_random();
  CHECK(a.low != b.low || a.high != b.high);
  CHECK(sj_hash(a, "x", 1) != sj_hash(b, "x", 1));
}

TEST(tables_have_their_own_keys) {
  sj_atoms a = {0}, b = {0};
  CHECK(sj_atoms_init(&a, sj_context(NULL)) && sj_atoms_init(&b, sj_context(NULL)));
  int same = 0;
  for (int i = 0; i < 64; i++) {
    char text[16];
    int length = snprintf(text, sizeof text, "name-%d", i);
    sj_atom x = sj_atoms_intern(&a, text, (size_t)length), y = sj_atoms_intern(&b, text, (size_t)length);
    CHECK_INT(x, y);  // atoms are numbered as they come, not by hash
    same += a.strings.data[x].hash == b.strings.data[y].hash;
  }
  CHECK(same < 8);
  sj_atoms_finish(&a);
  sj_atoms_finish(&b);
}

// A multiplicative hash of 8 bytes at a time, as tables had before, has pairs of words that collide under every seed:
// flipping the highest bit of a word flips two bits of the state, which the next word flips back. 12 such pairs make
// 4096 strings of one hash.
TEST(crafted_strings_do_not_collide) {
  sj_atoms atoms = {0};
  CHECK(sj_atoms_init(&atoms, sj_context(NULL)));
  for (int n = 0; n < 4096; n++) {
    char text[12 * 16];
    memset(text, 'a', sizeof text);
    for (int pair = 0; pair < 12; pair++)
      if (n >> pair & 1)
        text[pair * 16 + 7] ^= (char)0x80, text[pair * 16 + 15] ^= (char)0x80, text[pair * 16 + 11] ^= (char)0x80;
    sj_atoms_intern(&atoms, text, sizeof text);
  }
  int runs = 0;  // how long are the runs of full slots that a search walks along?
  for (uint32_t slot = 0, run = 0; slot < atoms.slot_count; slot++) {
    run = atoms.slots[slot] ? run + 1 : 0;
    if ((int)run > runs) runs = (int)run;
  }
  CHECK(runs < 200);
  sj_atoms_finish(&atoms);
}

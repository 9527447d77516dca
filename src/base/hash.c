// Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", Indocrypt 2012, section 2. The
// paper proposes two and four rounds for message authentication. Hash tables commonly use one and three, with which
// collisions still cannot be predicted without the key.
#include "base/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/wraps.h"
#ifdef __wasi__
#include <unistd.h>
#else
#include <sys/random.h>
#endif

typedef struct state {
  uint64_t v0, v1, v2, v3;
} state;

static inline uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

SJ_WRAPS static inline void mix(state *s, int rounds) {
  for (int i = 0; i < rounds; i++) {
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
  }
}

static inline uint64_t little_endian(uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap64(word);
#else
  return word;
#endif
}

static inline uint64_t siphash(int rounds, int last_rounds, sj_hash_key key, const unsigned char *data, size_t bytes) {
  state s = {key.low ^ 0x736f6d6570736575u, key.high ^ 0x646f72616e646f6du, key.low ^ 0x6c7967656e657261u,
             key.high ^ 0x7465646279746573u};
  uint64_t word;
  size_t rest = bytes;
  for (; rest >= 8; rest -= 8, data += 8) {
    memcpy(&word, data, 8);
    word = little_endian(word);
    s.v3 ^= word;
    mix(&s, rounds);
    s.v0 ^= word;
  }
  word = 0;
  if (rest) memcpy(&word, data, rest);
  word = little_endian(word) | (uint64_t)bytes << 56;  // the last byte is the length modulo 256
  s.v3 ^= word;
  mix(&s, rounds);
  s.v0 ^= word;
  s.v2 ^= 0xff;
  mix(&s, last_rounds);
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t sj_hash(sj_hash_key key, const void *data, size_t bytes) { return siphash(1, 3, key, data, bytes); }

uint64_t sj_siphash(int rounds, int last_rounds, sj_hash_key key, const void *data, size_t bytes) {
  return siphash(rounds, last_rounds, key, data, bytes);
}

static sj_hash_key secret;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_secret(void) {
#ifdef __wasi__
  if (getentropy(&secret, sizeof secret) == 0) return;
#else
  if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) == (ssize_t)sizeof secret) return;
#endif
  // In a sandbox without getrandom, or on a machine that has just started, the key is made of what the input cannot
  // know either: where memory lies, and what the clock says.
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  secret.low = (uint64_t)(uintptr_t)&now ^ (uint64_t)now.tv_nsec << 32;
  secret.high = (uint64_t)(uintptr_t)&sj_hash_key_random ^ (uint64_t)now.tv_sec << 24 ^ (uint64_t)now.tv_nsec;
}

// Makes a key. The system is asked once in a process. Keys are SipHash-2-4 of a counter, with the system's answer as
// its key, so none of them reveals the answer or another key.
sj_hash_key sj_hash_key_random(void) {
  static _Atomic uint64_t count;
  pthread_once(&once, make_secret);
  uint64_t number[2] = {atomic_fetch_add_explicit(&count, 1, memory_order_relaxed), 0};
  sj_hash_key key = {.low = sj_siphash(2, 4, secret, number, sizeof number)};
  number[1] = 1;
  key.high = sj_siphash(2, 4, secret, number, sizeof number);
  return key;
}

// setjmp in WebAssembly, which the compiler makes from exceptions (-mllvm -wasm-enable-sjlj); src/base/wasi/wasi.c has
// what it calls.
#ifndef SJ_BASE_WASI_SETJMP_H
#define SJ_BASE_WASI_SETJMP_H

typedef struct {
  void *frame;  // the call of the function that called setjmp; NULL before
  unsigned label;
  struct {
    void *jump;
    int value;
  } thrown;
} jmp_buf[1];

int setjmp(jmp_buf jump) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf jump, int value);

#endif

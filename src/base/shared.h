// What libstijl exports for libstijl-lab alone, in a version of its own (libstijl.map): both are of one build.
#ifndef SJ_BASE_SHARED_H
#define SJ_BASE_SHARED_H

#define SJ_SHARED __attribute__((visibility("default")))

#endif

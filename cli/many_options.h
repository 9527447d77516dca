// Options that the commands have in common which draw many pictures of a document: tiles, frames.
#ifndef STIJL_CLI_MANY_OPTIONS_H
#define STIJL_CLI_MANY_OPTIONS_H

#include "command.h"

// `type` has a cli_options `render`.
// clang-format off
#define CLI_DEVICE_OPTIONS(type)                                                                                      \
  {CLI_WORD, 0, "backend", "NAME", offsetof(type, render.renderer.backend), .complete = CLI_COMPLETE_WORDS,           \
   .words = "auto cpu vulkan", .help = "auto, cpu or vulkan; all draw the same"},                                     \
  {CLI_TEXT, 0, "device", "DEVICE", offsetof(type, render.device),                                                    \
   .help = "of Vulkan: its index as stijl devices lists it, a part of its name, or its type"},                        \
  {CLI_WORD, 0, "isa", "NAME", offsetof(type, render.renderer.isa), .complete = CLI_COMPLETE_WORDS,                   \
   .words = CLI_ISA_WORDS, .help = CLI_ISA_HELP}

// `each`: what is drawn many times, as a string.
#define CLI_LIMIT_OPTIONS(type, each)                                                                                 \
  {CLI_U64, 0, "max-bytes", "N", offsetof(type, render.svg.limits.max_bytes), 1, (double)(SIZE_MAX / 8),              \
   .help = "of the document, unpacked (default 268435456)"},                                                          \
  {CLI_U32, 0, "max-elements", "N", offsetof(type, render.svg.limits.max_elements), 1, UINT32_MAX,                    \
   .help = "drawn, each use of an element counted (default 1048576)"},                                                \
  {CLI_U32, 0, "max-depth", "N", offsetof(type, render.svg.limits.max_depth), 1, UINT32_MAX, .help = "of nesting (default 256)"},\
  {CLI_DOUBLE, 0, "max-seconds", "N", offsetof(type, render.budget.max_seconds), 0.001, 1e6,                          \
   .help = "by the clock, for loading and again for each " each " (default: ten times those of the processor)"},      \
  {CLI_DOUBLE, 0, "max-cpu-seconds", "N", offsetof(type, render.budget.max_cpu_seconds), 0.001, 1e6,                  \
   .help = "of the processor, likewise (default 4, and more for large files; none with --max-seconds)"},              \
  {CLI_U64, 0, "max-memory", "N", offsetof(type, render.budget.max_memory), 1, CLI_MAX_U64,                           \
   .help = "bytes for the document, and for each thread (default 301989888, and more for large files)"},              \
  {CLI_U64, 0, "max-work", "N", offsetof(type, render.budget.max_work), 1, CLI_MAX_U64,                               \
   .help = "steps, counted the same on every machine (default 2000000000, and more as above)"},                       \
  {CLI_U64, 0, "max-image-pixels", "N", offsetof(type, render.svg.image_limits.max_pixels), 1, (double)((uint64_t)1 << 40),\
   .help = "of each image in the document (default 268435456)"},                                                      \
  {CLI_U64, 0, "max-layer-bytes", "N", offsetof(type, render.renderer.max_layer_bytes), 0, CLI_MAX_U64,               \
   .help = "for the pixels of nested layers (default 1073741824)"}
// clang-format on

#endif

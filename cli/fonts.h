// The options that name fonts, which several commands have, and what `stijl fonts` was asked for.
#ifndef STIJL_CLI_FONTS_H
#define STIJL_CLI_FONTS_H

#include "command.h"
#include "report.h"
#include "stijl/stijl.h"

typedef struct cli_font_options {
  cli_list files, folders;
  bool skip_system;
  const char *families[STIJL_FAMILY_MONOSPACE + 1];  // by stijl_generic_family; NULL: not given
} cli_font_options;

typedef struct cli_fonts_options {
  cli_font_options fonts;
  bool json, quiet;
  stijl_svg_params svg;
} cli_fonts_options;

// For a structure with the members `fonts` and `svg`, whose font_size is one of them, or with a member that has them:
// `in` is then its name and a point.
// clang-format off
#define CLI_FONT_OPTIONS(type) CLI_FONT_OPTIONS_OF(type, )
#define CLI_FONT_OPTIONS_OF(type, in)                                                                                  \
  {CLI_LIST, 0, "use-font-file", "FILE", offsetof(type, in fonts.files), .complete = CLI_COMPLETE_FILE,                \
   .help = "a font, or a collection; may be given several times",                                                      \
   .more = "Fonts that are named so go before those of the system."},                                                  \
  {CLI_LIST, 0, "use-fonts-dir", "FOLDER", offsetof(type, in fonts.folders), .complete = CLI_COMPLETE_FOLDER,          \
   .help = "all fonts in a folder and below; may be given several times"},                                             \
  {CLI_FLAG, 0, "skip-system-fonts", NULL, offsetof(type, in fonts.skip_system),                                       \
   .help = "only the fonts named: the same picture on every machine"},                                                 \
  {CLI_TEXT, 0, "font-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_DEFAULT]),                        \
   .help = "where a text names none, or none that is there (default: a serif)"},                                       \
  {CLI_FLOAT, 0, "font-size", "PX", offsetof(type, in svg.font_size), 1, 192,                                          \
   .help = "where a text names none (default 12)"},                                                                    \
  {CLI_TEXT, 0, "serif-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_SERIF]),                         \
   .help = "what serif stands for",                                                                                    \
   .more = "Without it, and likewise for the next ones, what the system has."},                                        \
  {CLI_TEXT, 0, "sans-serif-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_SANS_SERIF]),               \
   .help = "what sans-serif stands for"},                                                                              \
  {CLI_TEXT, 0, "cursive-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_CURSIVE]),                     \
   .help = "what cursive stands for"},                                                                                 \
  {CLI_TEXT, 0, "fantasy-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_FANTASY]),                     \
   .help = "what fantasy stands for"},                                                                                 \
  {CLI_TEXT, 0, "monospace-family", "NAME", offsetof(type, in fonts.families[STIJL_FAMILY_MONOSPACE]),                 \
   .help = "what monospace stands for"}
// clang-format on

extern const cli_option cli_fonts_table[];

// Makes the fonts that the options name; nothing is opened before a text asks. `context` has to outlive them.
bool cli_fonts_create(const cli_font_options *options, stijl_context *context, stijl_fonts **out, cli_failure *failure);

#endif

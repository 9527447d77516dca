// The tables of commands and options, from which parsing, --help, the manual page and the completions of shells are
// made. They are plain data because the generator that runs at build time (generate.c) includes them too.
#ifndef STIJL_CLI_COMMAND_H
#define STIJL_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

// What an option sets, `offset` bytes into the structure of its command.
typedef enum cli_kind {
  CLI_END,      // behind the last option
  CLI_HEADING,  // sets nothing: `help` is a heading for the options that follow
  CLI_FLAG,     // bool
  CLI_TEXT,     // const char *
  CLI_LIST,     // cli_list: may be given several times
  CLI_INT,      // int, a whole number from lo to hi
  CLI_U32,      // uint32_t
  CLI_U64,      // uint64_t
  CLI_FLOAT,
  CLI_DOUBLE,
  CLI_WHOLES,  // cli_numbers: whole ones, separated by commas
  CLI_NUMBERS,
  CLI_TIME,  // double: seconds, or STIJL_SVG_END
  CLI_WORD,  // an enumeration, in the order of `words`
  CLI_HELP,
  CLI_VERSION
} cli_kind;

// What the shells complete a value or an operand with.
typedef enum cli_complete {
  CLI_COMPLETE_NOTHING,
  CLI_COMPLETE_WORDS,  // those of `words`
  CLI_COMPLETE_FILE,
  CLI_COMPLETE_FOLDER,
  CLI_COMPLETE_SVG  // files of that kind, and folders
} cli_complete;

#define CLI_LIST_MAX 64
typedef struct cli_list {
  const char *items[CLI_LIST_MAX];
  int count;
} cli_list;

#define CLI_NUMBERS_MAX 64
typedef struct cli_numbers {
  double items[CLI_NUMBERS_MAX];
  int count;
} cli_numbers;

// The words and the help of --isa, in the order of stijl_isa; `wasm` is for browsers.
#define CLI_ISA_WORDS "auto scalar sse avx2 avx512 neon"
#define CLI_ISA_HELP "instruction set: scalar, sse, avx2, avx512 or neon (default: the best); all draw the same"

typedef struct cli_option {
  cli_kind kind;
  char letter;        // 0: none
  const char *name;   // behind two dashes
  const char *value;  // what --help calls it; NULL: the option takes none
  size_t offset;
  double lo, hi;
  cli_complete complete;
  const char *words;  // separated by blanks
  bool aside;         // finished pictures do not depend on it: a journal may be resumed with another value
  const char *help;   // no full stop
  const char *more;   // further sentences, for the manual page only; may be NULL
} cli_option;

typedef struct cli_command {
  const char *name;
  const char *usage;    // lines; each is what follows "stijl NAME"
  const char *summary;  // what it does, beside its name
  const char *about;    // lines between the usage and the options
  const cli_option *options;
  cli_complete operands;
  const char *words;  // for CLI_COMPLETE_WORDS
  int wrong;          // exit status for a wrong command line
} cli_command;

// The largest value of CLI_U64: the largest double below 2^64.
#define CLI_MAX_U64 18446744073709549568.0

// The last options of each command; `letter` 0 where -h means something else.
// clang-format off
#define CLI_COMMON_OPTIONS(letter)                                       \
  {CLI_HELP, letter, "help", NULL, .help = "prints this text"},          \
  {CLI_VERSION, 'V', "version", NULL, .help = "prints the version"},     \
  {.kind = CLI_END}
// clang-format on

// All of them, in the order of --help.
enum {
  CLI_RENDER,
  CLI_TILES,
  CLI_FRAMES,
  CLI_COMPARE,
  CLI_MATCH,
  CLI_QUERY,
  CLI_FONTS,
  CLI_VIEW,
  CLI_DEVICES,
  CLI_LAB,
  CLI_COMPLETIONS,
  CLI_HELP_COMMAND,
  CLI_COMMANDS
};
extern const cli_command cli_commands[CLI_COMMANDS];
extern const cli_option cli_render_table[], cli_match_table[], cli_query_table[], cli_lab_table[], cli_tiles_table[],
    cli_view_table[], cli_frames_table[];

#endif

#include "completions.h"

#include <string.h>

#include "command.h"

// --- bash ---

static void bash_complete(cli_complete what, const char *words, FILE *out) {
  switch (what) {
    case CLI_COMPLETE_WORDS: fprintf(out, "_stijl_words \"%s\"", words); break;
    case CLI_COMPLETE_FILE: fputs("_stijl_files -f", out); break;
    case CLI_COMPLETE_FOLDER: fputs("_stijl_files -d", out); break;
    case CLI_COMPLETE_SVG: fputs("_stijl_svg", out); break;
    default: fputc(':', out); break;
  }
}

static void print_bash(FILE *out) {
  fputs(
      "# bash completion for stijl(1)\n"
      "_stijl_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
      "_stijl_files() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\"); }\n"
      "_stijl_svg() {\n"
      "  compopt -o filenames\n"
      "  mapfile -t COMPREPLY < <(compgen -f -X '!*.[sS][vV][gG]' -- \"$cur\"\n"
      "    compgen -f -X '!*.[sS][vV][gG][zZ]' -- \"$cur\"; compgen -d -- \"$cur\")\n"
      "}\n"
      "_stijl() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
      "  # \"--isa=av\" is three words for bash.\n"
      "  if [ \"$cur\" = \"=\" ]; then\n"
      "    cur=\n"
      "  elif [ \"$prev\" = \"=\" ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
      "    prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  fi\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" = 1 ] && [[ $cur != -* ]]; then\n"
      "    compopt -o filenames\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"",
      out);
  for (int i = 0; i < CLI_COMMANDS; i++) fprintf(out, "%s%s", i ? " " : "", cli_commands[i].name);
  fputs(
      "\" -- \"$cur\"; compgen -f -X '!*.[sS][vV][gG]' -- \"$cur\"; compgen -d -- \"$cur\")\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n",
      out);
  for (int i = CLI_COMMANDS; i-- > 0;) {
    const cli_command *c = &cli_commands[i];
    // The first command is meant where none is named.
    fprintf(out, "    %s)\n      case $prev in\n", i ? c->name : "*");
    for (const cli_option *o = c->options; o->kind != CLI_END; o++) {
      if (!o->value) continue;
      fputs("        ", out);
      if (o->letter) fprintf(out, "-%c | ", o->letter);
      fprintf(out, "--%s) ", o->name);
      bash_complete(o->complete, o->words, out);
      fputs("; return ;;\n", out);
    }
    fputs("      esac\n      if [[ $cur == -* ]]; then\n        _stijl_words \"", out);
    for (const cli_option *o = c->options; o->kind != CLI_END; o++) {
      if (o->letter) fprintf(out, "-%c ", o->letter);
      if (o->name) fprintf(out, "--%s ", o->name);
    }
    fputs("\"\n      else\n        ", out);
    bash_complete(c->operands, c->words, out);
    fputs("\n      fi\n      ;;\n", out);
  }
  fputs("  esac\n}\ncomplete -F _stijl stijl\n", out);
}

// --- zsh ---

// Puts a text within single quotes, where _arguments gives brackets and colons a meaning.
static void zsh_text(const char *text, FILE *out) {
  for (; *text; text++) {
    if (strchr("[]:\\", *text)) fputc('\\', out);
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fputc(*text, out);
  }
}

static void zsh_complete(cli_complete what, const char *words, FILE *out) {
  switch (what) {
    case CLI_COMPLETE_WORDS: fprintf(out, "(%s)", words); break;
    case CLI_COMPLETE_FILE: fputs("_files", out); break;
    case CLI_COMPLETE_FOLDER: fputs("_files -/", out); break;
    case CLI_COMPLETE_SVG: fputs("_files -g \"*.(#i)svg(|z)(-.)\"", out); break;
    default: fputc(' ', out); break;
  }
}

static void print_zsh(FILE *out) {
  fputs(
      "#compdef stijl\n"
      "_stijl() {\n"
      "  local command=$words[2]\n"
      "  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
      "    local -a commands=(",
      out);
  for (int i = 0; i < CLI_COMMANDS; i++) {
    fprintf(out, "\n      '%s:", cli_commands[i].name);
    zsh_text(cli_commands[i].summary, out);
    fputc('\'', out);
  }
  fputs(
      ")\n"
      "    _describe command commands\n"
      "    _files -g \"*.(#i)svg(|z)(-.)\"\n"
      "    return\n"
      "  fi\n"
      "  if [[ $command == (",
      out);
  for (int i = 0; i < CLI_COMMANDS; i++) fprintf(out, "%s%s", i ? "|" : "", cli_commands[i].name);
  fputs(
      ") ]]; then\n"
      "    shift words\n"
      "    (( CURRENT-- ))\n"
      "  fi\n"
      "  case $command in\n",
      out);
  for (int i = CLI_COMMANDS; i-- > 0;) {
    const cli_command *c = &cli_commands[i];
    fprintf(out, "    %s)\n      _arguments -s -S", i ? c->name : "*");
    for (const cli_option *o = c->options; o->kind != CLI_END; o++) {
      if (!o->name) continue;
      // 'spec' for one name, and the same for the letter.
      for (int letter = o->letter != 0; letter >= 0; letter--) {
        fputs(" \\\n        '", out);
        if (o->letter) fprintf(out, "(-%c --%s)", o->letter, o->name);
        if (letter)
          fprintf(out, "-%c%s[", o->letter, o->value ? "+" : "");
        else
          fprintf(out, "--%s%s[", o->name, o->value ? "=" : "");
        zsh_text(o->help, out);
        fputc(']', out);
        if (o->value) {
          fputc(':', out);
          zsh_text(o->value, out);
          fputc(':', out);
          zsh_complete(o->complete, o->words, out);
        }
        fputc('\'', out);
      }
    }
    if (c->operands) {
      fputs(" \\\n        '*:operand:", out);
      zsh_complete(c->operands, c->words, out);
      fputc('\'', out);
    }
    fputs("\n      ;;\n", out);
  }
  fputs(
      "  esac\n}\n"
      "if [[ $funcstack[1] = _stijl ]]; then _stijl \"$@\"; else compdef _stijl stijl; fi\n",
      out);
}

// --- fish ---

static void fish_text(const char *text, FILE *out) {
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('\'', out);
}

static void print_fish(FILE *out) {
  fputs("# fish completion for stijl(1)\n", out);
  for (int i = 0; i < CLI_COMMANDS; i++) {
    fprintf(out, "complete -c stijl -n __fish_use_subcommand -a %s -d ", cli_commands[i].name);
    fish_text(cli_commands[i].summary, out);
    fputc('\n', out);
  }
  for (int i = 0; i < CLI_COMMANDS; i++) {
    const cli_command *c = &cli_commands[i];
    char condition[256] = "'not __fish_seen_subcommand_from";
    size_t used = strlen(condition);
    if (i) {
      snprintf(condition, sizeof condition, "'__fish_seen_subcommand_from %s'", c->name);
    } else {
      for (int k = 1; k < CLI_COMMANDS; k++)
        used += (size_t)snprintf(condition + used, sizeof condition - used, " %s", cli_commands[k].name);
      snprintf(condition + used, sizeof condition - used, "'");
    }
    if (!c->operands || c->operands == CLI_COMPLETE_WORDS) fprintf(out, "complete -c stijl -n %s -f\n", condition);
    if (c->operands == CLI_COMPLETE_WORDS) fprintf(out, "complete -c stijl -n %s -a '%s'\n", condition, c->words);
    for (const cli_option *o = c->options; o->kind != CLI_END; o++) {
      if (!o->name) continue;
      fprintf(out, "complete -c stijl -n %s", condition);
      if (o->letter) fprintf(out, " -s %c", o->letter);
      fprintf(out, " -l %s", o->name);
      if (o->value) fputs(o->complete == CLI_COMPLETE_FILE ? " -r" : " -x", out);
      if (o->complete == CLI_COMPLETE_WORDS) fprintf(out, " -a '%s'", o->words);
      if (o->complete == CLI_COMPLETE_FOLDER) fputs(" -a '(__fish_complete_directories)'", out);
      fputs(" -d ", out);
      fish_text(o->help, out);
      fputc('\n', out);
    }
  }
}

bool cli_print_completions(const char *shell, FILE *out) {
  static const struct {
    const char *name;
    void (*print)(FILE *out);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(shell, shells[i].name) == 0) {
      shells[i].print(out);
      return true;
    }
  return false;
}

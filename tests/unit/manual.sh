#!/bin/bash
# manual.sh STIJL MANUAL: --help, the manual page and the completions tell of the same options. Prints TAP.
stijl=$(readlink -f "$1")
manual=$(readlink -f "$2")
. "$(dirname "$0")/tap.sh"
cd "$folder" || exit 1

# The options of a command, each name and letter on a line: as --help, the manual page, and the shells know them.
of_help() { grep -oE '^  (-[a-zA-Z0-9], |    )--[a-z-]+' "help.$1" | grep -oE -- '-[a-zA-Z0-9-]+' | sort; }
of_manual() {
  sed -n "/^\.Ss stijl $1\$/,/^\.S[sh]/s/^\.It \(.*Fl -[a-z-]*\).*/\1/p" "$manual" |
    sed 's/Fl /-/g; s/ , /\n/' | sort
}
of_bash() { completed stijl "$1" - | tr ' ' '\n' | sort; }
of_zsh() { sed -n "/^    $2)\$/,/;;/s/^ *'\(([^)]*)\)\{0,1\}\(-[a-zA-Z0-9-]*\).*/\2/p" zsh | sort; }
of_fish() {
  grep -E "'$2" fish | grep -oE -- '-(s [a-zA-Z0-9]|l [a-z-]+) ' |
    sed 's/-s \(.\) /-\1/; s/-l \(.*\) /--\1/' | sort
}
agrees() { diff <(of_help "$1") <("$2" "$1" "$3"); }

# What bash completes the last word with.
completed() {
  ( # shellcheck disable=SC1091
    . ./bash
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    compopt() { :; }
    _stijl
    echo "${COMPREPLY[*]}")
}

for shell in bash zsh fish; do
  check "completions for $shell" sh -c "'$stijl' completions $shell >$shell && [ -s $shell ]"
done
for command in render tiles frames compare match query fonts devices lab completions help; do
  "$stijl" help $command >help.$command
  check "80 columns: $command" sh -c "! grep -E '.{81}' help.$command"
  check "named in the manual page: $command" grep -qx ".Cm $command" "$manual"
  check "bash: $command" agrees $command of_bash
  # Where no command is named, render is meant.
  if [ $command = render ]; then
    check "zsh: $command" agrees $command of_zsh '\*'
    check "fish: $command" agrees $command of_fish 'not __fish_seen_subcommand_from'
  else
    check "zsh: $command" agrees $command of_zsh $command
    check "fish: $command" agrees $command of_fish "__fish_seen_subcommand_from $command'"
  fi
done
for command in render tiles frames match query fonts lab; do
  check "manual page: $command" agrees $command of_manual
done
check 'nothing is left of the template' sh -c '! grep OPTIONS "$0"' "$manual"

touch a.svg b.svgz c.txt d.css
mkdir folder
check 'bash: commands and documents' same "$(completed stijl '')" \
  'render tiles frames compare match query fonts view devices lab completions help a.svg folder'
check 'bash: documents' same "$(completed stijl render '')" 'a.svg b.svgz folder'
check 'bash: words' same "$(completed stijl render --isa av)" 'avx2 avx512'
check 'bash: behind =' same "$(completed stijl --backend = v)" 'vulkan'
check 'bash: folders' same "$(completed stijl render --resources-dir '')" 'folder'
check 'bash: files' same "$(completed stijl compare c)" 'c.txt'
check 'bash: shells' same "$(completed stijl completions z)" 'zsh'
instruments=$("$stijl" lab | awk '{ printf "%s%s", (NR > 1 ? " " : ""), $1 }')
[ -z "$instruments" ] || check 'bash: instruments' same "$(completed stijl lab '')" "$instruments"
check 'no such shell' sh -c '! "$0" completions tcsh 2>/dev/null' "$stijl"
for shell in zsh fish; do
  if command -v $shell >/dev/null; then
    check "syntax of $shell" $shell -n $shell
  else
    skip "syntax of $shell" "no $shell"
  fi
done
if command -v fish >/dev/null; then
  check 'fish: words' same "$(fish -c ". ./fish; complete -C 'stijl render --isa avx'" | cut -f1 | tr '\n' ' ')" \
    'avx2 avx512 '
else
  skip 'fish: words' 'no fish'
fi
if command -v mandoc >/dev/null; then
  check 'mandoc' sh -c '[ -z "$(mandoc -T lint -W warning "$0" | grep -v "cannot parse date")" ] && mandoc "$0"' \
    "$manual"
else
  skip mandoc 'no mandoc'
fi
plan

#!/bin/bash
# manual.sh STIJL MANUAL: --help, the manual page and the completions tell of the same options. Prints TAP.
stijl=$(readlink -f "$1")
manual=$(readlink -f "$2")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0

check() {  # NAME, then a command that must succeed
  number=$((number + 1))
  local title=$1
  shift
  if "$@" >log 2>&1; then echo "ok $number - $title"; else echo "not ok $number - $title"; sed 's/^/# /' log; fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

# The section of a command in the manual page.
section() { sed -n "/^\.Ss stijl $1\$/,/^\.S[sh]/p" "$manual"; }
letters_of() { "$stijl" "$1" --help | grep -oE '^  -[a-zA-Z]' | tr -d ' '; }
names_of() { "$stijl" "$1" --help | grep -oE '^ .{5}--[a-z-]+' | grep -oE -- '--[a-z-]+'; }

in_manual() {
  local name
  for name in $(names_of "$1"); do
    section "$1" | grep -qE "^\.It (Fl . , )?Fl -${name#--}( |\$)" || { echo "$name is not in the manual page"; return 1; }
  done
  for name in $(section "$1" | grep -E '^\.It' | grep -oE 'Fl -[a-z-]+' | sed 's/Fl -/--/'); do
    names_of "$1" | grep -qx -- "$name" || { echo "$name is not in --help"; return 1; }
  done
}

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
completes() {
  local name
  for name in $(names_of "$1") $(letters_of "$1"); do
    case " $(completed stijl "$1" "$name") " in *" $name "*) ;; *) echo "bash does not complete $name" && return 1 ;; esac
  done
  for name in $(names_of "$1"); do
    grep -qE -- "'(\([^)]*\))?$name=?\[" zsh || { echo "zsh does not complete $name"; return 1; }
    grep -qE -- "$1.* -l ${name#--} |not __fish.* -l ${name#--} " fish || { echo "fish does not complete $name"; return 1; }
  done
}
same() { [ "$1" = "$2" ] || { echo "got      $1"; echo "expected $2"; return 1; }; }

for shell in bash zsh fish; do check "completions for $shell" sh -c "'$stijl' completions $shell >$shell && [ -s $shell ]"; done
for command in render match; do check "manual page: $command" in_manual "$command"; done
for command in render compare match devices completions help; do
  check "named in the manual page: $command" grep -qx ".Cm $command" "$manual"
  check "completions: $command" completes "$command"
done
narrow() { "$stijl" help "$@" | awk 'length > 80 { print; wide = 1 } END { exit wide }'; }
for command in '' render compare match devices completions help; do check "80 columns: help $command" narrow $command; done
check 'nothing is left of the template' sh -c '! grep OPTIONS "$0"' "$manual"
touch a.svg b.svgz c.txt d.css
mkdir folder
check 'bash: commands and documents' same "$(completed stijl '')" 'render compare match devices completions help a.svg folder'
check 'bash: documents' same "$(completed stijl render '')" 'a.svg b.svgz folder'
check 'bash: words' same "$(completed stijl render --isa av)" 'avx2 avx512'
check 'bash: behind =' same "$(completed stijl --backend = v)" 'vulkan'
check 'bash: folders' same "$(completed stijl render --resources-dir '')" 'folder'
check 'bash: files' same "$(completed stijl compare c)" 'c.txt'
check 'bash: shells' same "$(completed stijl completions z)" 'zsh'
check 'no such shell' sh -c '! "$0" completions tcsh 2>/dev/null' "$stijl"
for shell in zsh fish; do
  if command -v $shell >/dev/null; then check "syntax of $shell" $shell -n $shell; else skip "syntax of $shell" "no $shell"; fi
done
if command -v fish >/dev/null; then
  check 'fish: words' same "$(fish -c ". ./fish; complete -C 'stijl render --isa avx'" | cut -f1 | tr '\n' ' ')" 'avx2 avx512 '
else
  skip 'fish: words' 'no fish'
fi
if command -v mandoc >/dev/null; then
  check 'mandoc' sh -c 'mandoc -T lint -W warning "$0" | grep -v "cannot parse date" >&2; mandoc "$0" >/dev/null' "$manual"
else
  skip mandoc 'no mandoc'
fi
echo "1..$number"

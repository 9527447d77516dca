#!/usr/bin/env bash
# test-bare.sh [FOLDER]: what README promises of a bare Debian 12: clones the repository into a chroot
# (scripts/chroot.sh, in the FOLDER), and runs the commands of README's "Two commands" there, word for word, with an
# empty environment.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
root=${1-}
. scripts/chroot.sh
git clone --quiet --no-hardlinks . "$root/root/stijl"
[ -z "$(git status --porcelain)" ] || echo "note: what is not committed is not tried"

commands=$(sed -n '/^## Two commands/,/^## /s|^    \(\./scripts/.*\)|\1|p' README.md)
[ "$(wc -l <<<"$commands")" = 2 ] || { echo "README has no two commands"; exit 1; }
said=$root.log
while read -r -u 4 command; do
  command=${command%%  *#*}
  echo "\$ $command"
  start=$SECONDS status=0
  : >"$said"
  inside "$command" >"$said" 2>&1 4<&- &
  child=$!
  tail -n +1 -f --pid=$child "$said" &
  shown=$!
  wait $child || status=$?
  child=
  wait $shown || true
  echo "(status $status after $((SECONDS - start)) s)"
  [ $status = 0 ] || exit 1
done 4<<<"$commands"
[ -s "$root/root/stijl/picture.png" ] || { echo "the first command made no picture"; exit 1; }
tail -n 1 "$said" | grep -qE '^[0-9]+ passed, 0 failed, [0-9]+ skipped$' || { echo "no tally"; exit 1; }
# Which parts of the product it lacks, for the tally of whoever called this.
sed -n 's/^without /note: a bare Debian 12 is &/p' "$said"

#!/bin/sh
# skip.sh REASON [SOURCE [FILTER]]: stands for a test that cannot run in this build, so that it is counted all the same.
# Prints TAP that skips each TEST(...) of the source whose name has the filter in it, or one test without a source.
reason=$1
names=$([ -z "${2-}" ] || sed -n 's/^TEST(\([^)]*\)).*/\1/p' "$2" | grep -F -- "${3-}")
number=0
for name in ${names:-whole}; do
  number=$((number + 1))
  echo "ok $number - $name # SKIP $reason"
done
echo "1..$number"

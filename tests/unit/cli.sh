#!/bin/sh
# cli.sh STIJL: how the command treats files: names, folders, links, what is left after a failure. Prints TAP.
stijl=$(readlink -f "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0

# check NAME COMMAND...: one test, passed when the command succeeds.
check() {
  name=$1
  shift
  number=$((number + 1))
  if "$@" >log 2>&1; then
    echo "ok $number - $name"
  else
    echo "not ok $number - $name"
    sed 's/^/# /' log errors
  fi
}

# fails STATUS TEXT ARGUMENT...: the command ends with this status, and one line on standard error that has the text.
fails() {
  wanted=$1 text=$2
  shift 2
  "$stijl" "$@" >output 2>errors </dev/null
  [ $? = "$wanted" ] && [ "$(wc -l <errors)" = 1 ] && grep -qF -- "$text" errors && [ ! -s output ]
}

works() { "$stijl" "$@" >output 2>errors </dev/null; }
# Width and height from the header of a PNG file.
size() { od -An -j16 -N8 -tu1 "$1" | { read -r a b c d e f g h && echo "$((b * 65536 + c * 256 + d))x$((f * 65536 + g * 256 + h))"; }; }
has_size() { [ "$(size "$1")" = "$2" ]; }
nothing_left() { ! ls -A "$1" | grep -q tmp; }
same_content() { [ "$(cat "$1")" = "$2" ]; }

svg='<svg xmlns="http://www.w3.org/2000/svg" width="99.5" height="50"><rect width="50" height="50" fill="#0a0"/></svg>'
echo "$svg" >a.svg
echo "$svg" | sed 's/#0a0/#00a/' >b.svg
echo 'no SVG' >bad.svg
: >errors

# Sizes: the document's exact one is scaled, then rounded up.
check 'size of the document' works render a.svg -o size.png
check 'rounded up' has_size size.png 100x50
works render a.svg -w 333 -o size.png
check 'the height follows, rounded up' has_size size.png 333x168
works render a.svg --height 33 -o size.png
check 'the width follows, rounded up' has_size size.png 66x33
echo "$svg" | sed 's/99.5/16.000004/; s/50/16/' >exact.svg
works render exact.svg -w 512 -o size.png
check 'the exact size is scaled' has_size size.png 512x512
echo "$svg" | sed 's/width="99.5" height="50"/viewBox="0 0 .5 .3"/' >exact.svg
works render exact.svg -w 300 -o size.png
check 'the ratio of a tiny viewBox' has_size size.png 300x180
works render a.svg --zoom=1.1 -o size.png
check 'zoom' has_size size.png 110x55
check 'zoom and width' fails 1 '-z' render a.svg -z 2 -w 7
check 'too large a picture names the option' fails 1 --max-pixels render a.svg -w 100 --max-pixels 4999
check 'too large a document names the option' fails 1 --max-bytes render a.svg --max-bytes 20
check 'an endless input ends' sh -c '! "$0" render - --max-bytes 100000 -o zero.png </dev/zero && [ ! -e zero.png ]' "$stijl"

# One file.
echo before >kept.png
check 'a failure says so' fails 1 'bad.svg' render bad.svg -o kept.png
check 'and keeps what was there' same_content kept.png before
check 'a folder as input' fails 1 'folder' render . -o kept.png
check 'nothing else is left' nothing_left .
works render a.svg -o kept.png
check 'a success replaces it' has_size kept.png 100x50
mkdir linked && echo before >linked/target.png && ln -s linked/target.png link.png
works render a.svg -o link.png
check 'a link stays a link' test -L link.png
check 'and its target is replaced' has_size linked/target.png 100x50
check 'a named pipe is written to' sh -c 'mkfifo pipe && { cat pipe >piped.png & } && "$0" render a.svg -o pipe && wait && cmp piped.png kept.png && test -p pipe' "$stijl"
check 'a full device' fails 1 '/dev/full' render a.svg -o /dev/full
mkdir into
check 'one input into a folder' works render a.svg -o into
check 'takes its name' cmp into/a.png kept.png
umask 027
works render a.svg -o mode.png
check 'the mode is that of any new file' sh -c '[ "$(stat -c %a mode.png)" = 640 ]'

# Several files.
mkdir other && cp b.svg other/a.svg
check 'the same name twice' fails 1 'other/a.svg' render a.svg b.svg other/a.svg -o clash
check 'is seen before any work' test ! -e clash
check 'the same file twice' fails 1 'a.png' render a.svg a.svg -o clash
check 'no folder' fails 1 '-o' render a.svg b.svg
check 'no parent folder' fails 1 'no/where' render a.svg b.svg -o no/where
check 'standard input has no name' fails 1 'standard input' render a.svg - -o clash
check 'a file as folder' fails 1 'kept.png' render a.svg b.svg -o kept.png
check 'bad files do not stop the others' fails 1 'bad.svg' render a.svg bad.svg b.svg -o batch --stats batch.json
check 'the others are there' sh -c '[ "$(ls batch | tr "\n" " ")" = "a.png b.png " ]'
check 'the same as one by one' cmp batch/a.png kept.png
check 'statistics are an array' grep -qE '^\[\{"input": "a\.svg".*\}, \{"input": "b\.svg".*\}\]$' batch.json

# Names in JSON.
odd=$(printf 'q"\\\001\303\244\377.svg')
cp a.svg "$odd"
works render "$odd" -o odd.png --stats odd.json
check 'odd names in statistics' grep -qF "{\"input\": \"q\\\"\\\\\\u0001$(printf '\303\244')\\ufffd.svg\", " odd.json
check 'statistics to standard output' sh -c '"$0" render a.svg -o x.png --stats - | grep -q "^{.*}$"' "$stijl"
check 'but not both' fails 1 'standard output' render a.svg --stats -

# Standard output that is a terminal (script(1) makes one, where it is installed).
if command -v script >/dev/null; then
  check 'no picture on a terminal' sh -c 'script -qec "$0 render a.svg" /dev/null </dev/null | grep -q terminal' "$stijl"
fi

check 'compare: identical' works compare kept.png mode.png
works render b.svg -o b.png
"$stijl" compare kept.png b.png >output
check 'compare: different' test $? = 1
check 'compare: how much' same_content output '2550 differing pixels of 5000, largest difference 170'
check 'compare: no picture' fails 2 'a.svg' compare a.svg b.png
check 'compare: one name' fails 2 'two' compare b.png
check 'devices' sh -c '"$0" devices | grep -qE "^  scalar +available$"' "$stijl"
check 'devices --json' sh -c '"$0" devices --json | grep -q "\"scalar\": true"' "$stijl"
check 'unknown option' fails 1 '--bar' render --bar a.svg
check 'missing value' fails 1 '-w' render a.svg -w
check 'wrong value' fails 1 '12x' render a.svg -w 12x
check 'no such instruction set' fails 1 'mmx' render a.svg --isa mmx
echo "1..$number"

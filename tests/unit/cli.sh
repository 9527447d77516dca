#!/bin/sh
# cli.sh STIJL: how the command treats files: names, folders, links, what is left after a failure. Prints TAP.
stijl=$(readlink -f "$1")
. "$(dirname "$0")/tap.sh"
cd "$folder" || exit 1

# fails STATUS TEXT ARGUMENT...: the command ends with this status, and one line on standard error that has the text.
fails() {
  wanted=$1 text=$2
  shift 2
  "$stijl" "$@" >output 2>errors </dev/null
  [ $? = "$wanted" ] && [ "$(wc -l <errors)" = 1 ] && grep -qF -- "$text" errors && [ ! -s output ]
}

works() { "$stijl" "$@" >output 2>errors </dev/null || { cat errors && false; }; }
# Width and height from the header of a PNG file.
size() {
  od -An -j16 -N8 -tu1 "$1" |
    { read -r a b c d e f g h && echo "$((b * 65536 + c * 256 + d))x$((f * 65536 + g * 256 + h))"; }
}
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
check 'an endless input ends' sh -c '! "$0" render - --max-bytes 100000 -o zero.png </dev/zero && [ ! -e zero.png ]' \
  "$stijl"

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
check 'a named pipe is written to' sh -c 'mkfifo pipe && { cat pipe >piped.png & } && "$0" render a.svg -o pipe &&
  wait && cmp piped.png kept.png && test -p pipe' "$stijl"
check 'a full device' fails 1 '/dev/full' render a.svg -o /dev/full
mkdir into
check 'one input into a folder' works render a.svg -o into
check 'takes its name' cmp into/a.png kept.png
umask 027
works render a.svg -o mode.png
check 'the mode is that of any new file' sh -c '[ "$(stat -c %a mode.png)" = 640 ]'

# Habits of others: the word render left out, the output last, a pipe without a name.
check 'in out' works a.svg habit.png
check 'is a picture' cmp habit.png kept.png
check 'render in out' works render a.svg habit2.png
check 'is that picture' cmp habit2.png kept.png
check 'options before and behind' works -w 50 a.svg -q habit.png
check 'count' has_size habit.png 50x26
check 'several into a folder that is there' works a.svg b.svg into
check 'are there' test -s into/a.png -a -s into/b.png
check 'a folder to be made' works a.svg -o made/
check 'is made' cmp made/a.png kept.png
check 'a document as output' fails 1 'folder' a.svg b.svg
check 'an unknown word' fails 1 'paint' paint
echo notes >README.md
check 'what is neither a document nor a picture' fails 1 'README.md is neither a document' a.svg README.md
check 'what is not there' fails 1 'nowhere is neither an input that is there' a.svg nowhere
check 'options before the command' works -q render a.svg -o before.png
check 'have their effect' works -w 50 -q render a.svg -o before.png
check 'and their values' has_size before.png 50x26
check 'options of another command' sh -c '"$0" --json query a.svg | grep -q "^{\"width\""' "$stijl"
check 'a command as the value of an option' works -o render a.svg
check 'is that value' test -s render
rm -f render
check 'a command without more' fails 1 'no input' -q render
works a.svg -o x.png --save-scene saved.scene
check 'a query of a saved scene' fails 1 'a saved scene, in which there are no elements' query saved.scene
check 'its fonts' fails 1 'a saved scene, in which there are no fonts' fonts saved.scene
check 'nothing at all' fails 1 'no input'
check 'standard input, piped' sh -c 'cat a.svg | "$0" | cmp - kept.png' "$stijl"
check 'with options' sh -c 'cat a.svg | "$0" -o piped.png && cmp piped.png kept.png' "$stijl"
check 'from a file' sh -c '"$0" render <a.svg | cmp - kept.png' "$stijl"
for arguments in --help -h help 'render -h' 'a.svg -h' 'a.svg -h -q' 'help render' 'match -h' 'compare --help'; do
  check "help: $arguments" sh -c '"$0" $1 </dev/null | grep -q "^Usage: stijl"' "$stijl" "$arguments"
done
for arguments in --version -V 'render --version' 'render a.svg -V' 'match -V' 'devices --version' 'compare -V' \
  'help -V'; do
  check "version: $arguments" sh -c '"$0" $1 </dev/null | grep -qx "stijl [0-9.]*"' "$stijl" "$arguments"
done
check 'a height is a height' works a.svg -h 25 -o height.png
check 'and counts' has_size height.png 50x25
check 'help on nothing' fails 1 'nope' help nope
check 'a misspelt option' fails 1 '--width?' a.svg --widht 3
check 'the beginning of an option' works a.svg --backg white -o x.png
check 'of two options' fails 1 '--strict' a.svg --st

# Formats: an output that promises another one is refused.
for name in x.tif x.AVIF x.gif; do
  check "no $name" fails 1 'a picture is written as one of: png webp jpeg ppm pam rgba pdf svg' a.svg -o "$name"
  check "no $name as last word" fails 1 '' a.svg "$name"
  check "none is there" test ! -e "$name"
done
check 'unless it is forced to be' works a.svg -o forced.tif --force
check 'and then it is PNG' has_size forced.tif 100x50
check 'a name against --format' fails 1 'promises another format' a.svg -o x.jpg --format png
check 'PDF against --format' fails 1 'promises another format' a.svg -o x.pdf --format png
check 'no quality of PNG' fails 1 '--quality is of webp and jpeg' a.svg -o x.png --quality 50
check 'JPEG always loses' fails 1 'never lossless' a.svg -o x.jpg --quality lossless
check 'no such quality' fails 1 'from 1 to 100, or lossless, not "101"' a.svg -o x.jpg --quality 101
check 'nor such a one' fails 1 'not "1.5"' a.svg -o x.webp --quality 1.5
check 'no level of WebP' fails 1 '--png-level is of png' a.svg -o x.webp --png-level 3
check 'no such format' fails 1 '--format takes one of: png webp jpeg ppm pam rgba pdf svg; not "bmp"' a.svg --format bmp
check 'too wide for WebP' fails 1 \
  '16384 x 1 pixels is too large for webp, whose sides have 16383 at most' a.svg -o x.webp -w 16384 -h 1 --stretch
check 'too high for JPEG' fails 1 \
  'is too large for jpeg, whose sides have 65500 at most' a.svg -o x.jpg -w 1 -h 65501 --stretch
check 'other names are free' works a.svg -o picture.2024
check 'no folder of such a name' fails 1 'folder' a.svg b.svg -o x.jpg
check 'nor of a picture' fails 1 'folder' a.svg b.svg -o x.png

# Both sizes are a box.
for case in '100 1000 100x51' '1000 25 50x25' '50 25 50x25'; do
  set -- $case
  works a.svg -w "$1" -h "$2" -o box.png
  check "fits into $1 x $2" has_size box.png "$3"
done
works a.svg -w 100 -h 10 --stretch -o box.png
check 'stretched' has_size box.png 100x10
check 'stretched by one' fails 1 '--stretch' a.svg -w 10 --stretch

# Inputs stay.
cp a.svg input.png && ln -s input.png input-link.png && ln input.png input-hard.png
for name in input.png ./input.png input-link.png input-hard.png; do
  check "not over the input: $name" fails 1 '--force' input.png -o "$name"
done
check 'not over what is piped in' sh -c '! "$0" - -o input.png <input.png 2>/dev/null' "$stijl"
check 'not by statistics' fails 1 '--force' input.png -o x.png --stats input.png
cp a.svg input.svg
check 'not by the picture of another' fails 1 'input.svg: ./input.png' -q input.svg input.png -o .
check 'it is as it was' cmp a.svg input.png
works render input.png --force -o input-link.png
check 'with --force' cmp input.png kept.png

# Nor is an output written over another one, or over an input, however they are spelt.
same='cannot be the same file'
cp a.svg kept.svg && cp a.svg sheet.css && mkdir deep && ln -s ../deep deep/round && ln -s deep alias
check 'not by the scene' fails 1 '--force' kept.svg -o x.png --save-scene kept.svg
check 'not over a style sheet' fails 1 '--force' kept.svg -o x.png --stylesheet sheet.css --stats sheet.css
check 'not over a font' fails 1 '--force' kept.svg --use-font-file sheet.css -o sheet.css
check 'nor a sheet by the scene' fails 1 '--force' kept.svg -o x.png --stylesheet sheet.css --save-scene ./sheet.css
check 'inputs are as they were' sh -c 'cmp a.svg kept.svg && cmp a.svg sheet.css'
rm -f new.png new.json
for name in new.png ./new.png .//new.png "$PWD/new.png" deep/../new.png; do
  check "the picture and the scene: $name" fails 1 "$same" a.svg -o new.png --save-scene "$name"
  check "the picture and the statistics: $name" fails 1 "$same" a.svg new.png --stats "$name"
  check "also with --force: $name" fails 1 "$same" a.svg -o new.png --save-scene "$name" --force
done
check 'the scene and the statistics' fails 1 "$same" a.svg -o x.png --save-scene deep/y --stats alias/y
check 'in a folder that is not there yet' fails 1 \
  "$same" a.svg -o deep/new/a.png --save-scene deep/round/../deep/new/a.png
check 'one name is a link' sh -c 'ln -s new.png new-link.png && : >new.png'
check 'to the other' fails 1 "$same" a.svg -o new.png --save-scene new-link.png
check 'one name is a hard link' sh -c 'ln new.png new-hard.png'
check 'of the other' fails 1 "$same" a.svg -o new.png --save-scene new-hard.png
check 'both to standard output' fails 1 'standard output' a.svg -o - --stats -
check 'under two names' fails 1 'same file' a.svg -o - --save-scene /dev/stdout
check 'the same picture of two documents' fails 1 'a.svg already' -q a.svg ./a.svg -o deep
works a.svg b.svg -o deep --stats deep/stats.json
check 'others are free' test -s deep/a.png -a -s deep/b.png -a -s deep/stats.json
check 'statistics over a picture of a batch' fails 1 "$same" a.svg b.svg -o deep --stats alias/b.png
check 'what is no file may be named twice' works a.svg -o /dev/null --stats /dev/null
check 'the lab: two outputs' fails 1 "$same" lab device --json x.json --html ./x.json
check 'the lab: an input' fails 1 'is an input' lab device --against a.svg --json ./a.svg
check 'it is as it was, too' cmp a.svg kept.svg

# Omissions.
echo '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><iframe width="9" height="9"/></svg>' >omits.svg
echo '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' >blank.svg
works omits.svg -o omits.png
check 'what is left out is told' grep -q 'omits.svg: warning: <iframe> is not drawn' errors
check 'and that nothing was drawn' grep -q 'omits.svg: warning: nothing was drawn' errors
works blank.svg -o blank.png -q
check 'quiet is quiet' test ! -s errors
works blank.svg -o blank.png
check 'nothing asked for is nothing missed' grep -qx 'stijl: blank.svg: note: the picture is empty' errors
echo '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"><set attributeName="x" to="2"/></rect></svg>' \
  >moving.svg
check 'an animation is told' sh -c '"$0" --strict moving.svg -o x.png 2>&1 |
  grep -qx "stijl: moving.svg: note: animated, drawn as it stands at time 0"' "$stijl"
check 'a time is told' sh -c '"$0" render --time 1.5 moving.svg -o x.png 2>&1 |
  grep -qx "stijl: moving.svg: note: animated, drawn as it stands at time 1.5"' "$stijl"
check 'the end is told' sh -c '"$0" render --time end moving.svg -o x.png 2>&1 |
  grep -qx "stijl: moving.svg: note: animated, drawn as it stands at its end"' "$stijl"
check 'no time' sh -c '"$0" render --time soon moving.svg -o x.png 2>&1 |
  grep -q "takes seconds from 0 to 1000000000, or end"' "$stijl"
check 'strict: an empty document is fine' works --strict blank.svg -o strict.png
rm strict.png
check 'strict: what is left out is an error' sh -c '! "$0" --strict omits.svg -o strict.png' "$stijl"
check 'strict: without a picture' test ! -e strict.png
check 'strict and quiet: one line' fails 1 '<iframe> is not drawn' --strict -q omits.svg -o strict.png
check 'strict: in a batch' sh -c '! "$0" --strict a.svg omits.svg b.svg -o strict' "$stijl"
check 'strict: the others are drawn' sh -c '[ "$(ls strict | tr "\n" " ")" = "a.png b.png " ]'

# Several files.
mkdir other && cp b.svg other/a.svg
check 'the same name twice' fails 1 \
  'other/a.svg: clash/a.png is the picture of a.svg' -q a.svg b.svg other/a.svg -o clash
check 'concerns one' sh -c '[ "$(ls clash | tr "\n" " ")" = "a.png b.png " ] && cmp clash/a.png kept.png'
check 'the same file twice' fails 1 'a.png' render -q a.svg a.svg -o clash
check 'no folder' fails 1 '-o' render a.svg b.svg
check 'no parent folder' works render a.svg b.svg -o no/where
check 'standard input has no name' fails 1 'standard input' render -q a.svg - -o clash
check 'a file as folder' fails 1 'kept.png' render a.svg b.svg -o kept.png
check 'bad files do not stop the others' fails 1 'bad.svg' render -q a.svg bad.svg b.svg -o batch --stats batch.json
check 'the others are there' sh -c '[ "$(ls batch | tr "\n" " ")" = "a.png b.png " ]'
check 'the same as one by one' cmp batch/a.png kept.png
check 'statistics are an array' grep -qE '^\[\{"input": "a\.svg".*\}, \{"input": "b\.svg".*\}\]$' batch.json

# Folders.
mkdir -p tree/one/two tree/none && cp a.svg tree/a.svg && cp b.svg tree/one/b.svg && gzip -c a.svg >tree/one/two/c.SVGZ
echo text >tree/one/notes.txt && ln -s .. tree/one/loop && ln -s ../../a.svg tree/one/linked.svg
check 'a tree' works render -r tree -o mirror
check 'keeps its folders' sh -c \
  '[ "$(cd mirror && find . -type f | sort | tr "\n" " ")" = "./a.png ./one/b.png ./one/linked.png ./one/two/c.png " ]'
check 'and pictures' cmp mirror/one/two/c.png kept.png
check 'into a folder in folders that are not there' works render -r tree -o deep/in/mirror/
check 'with all that is below' cmp deep/in/mirror/one/two/c.png kept.png
check 'a file among the folders of -o' fails 1 'a.svg/in' render a.svg b.svg -o a.svg/in/mirror
cp bad.svg tree/one/bad.svg && cp b.svg tree/one/two/c.svg
check 'bad files and names that meet are told each' sh -c '"$0" -q -r tree -o mirror2 2>errors; [ $? = 1 ] &&
  [ "$(wc -l <errors)" = 2 ] && grep -q "^stijl: tree/one/bad.svg: " errors &&
  grep -q "^stijl: tree/one/two/c.svg: mirror2/one/two/c.png is the picture of tree/one/two/c.SVGZ" errors' "$stijl"
check 'the others are drawn' sh -c '[ "$(find mirror2 -type f | wc -l)" = 4 ]'
check 'a folder without -r' fails 1 '-r' tree -o mirror3
check 'a folder without documents' fails 1 'tree/none' -q -r tree/none -o mirror3
check 'no place to go' fails 1 '-o FOLDER' -r tree

# Names in JSON.
odd=$(printf 'q"\\\001\303\244\377.svg')
cp a.svg "$odd"
works render "$odd" -o odd.png --stats odd.json
check 'odd names in statistics' grep -qF "{\"input\": \"q\\\"\\\\\\u0001$(printf '\303\244')\\ufffd.svg\", " odd.json
check 'statistics to standard output' sh -c '"$0" render a.svg -o x.png --stats - | grep -q "^{.*}$"' "$stijl"
check 'but not both' fails 1 'standard output' render a.svg --stats -

# Standard output that is a terminal (script(1) makes one, where it is installed and the system has them).
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  check 'no picture on a terminal' sh -c 'script -qec "$0 render a.svg" /dev/null </dev/null | grep -q terminal' \
    "$stijl"
else
  skip 'no picture on a terminal' 'script(1) is missing, or there are no terminals'
fi

check 'compare: identical' works compare kept.png mode.png
works render b.svg -o b.png
"$stijl" compare kept.png b.png >output
check 'compare: different' test $? = 1
check 'compare: how much' same_content output '2500 differing pixels of 5000, largest difference 170'
check 'compare: no picture' fails 2 'a.svg' compare a.svg b.png
check 'compare: one name' fails 2 'two' compare b.png
check 'devices' sh -c '"$0" devices | grep -qE "^  scalar +available$"' "$stijl"
check 'devices --json' sh -c '"$0" devices --json | grep -q "\"scalar\": true"' "$stijl"
check 'unknown option' fails 1 '--bar' render --bar a.svg
check 'missing value' fails 1 '-w' render a.svg -w
check 'wrong value' fails 1 '12x' render a.svg -w 12x
check 'no such instruction set' fails 1 'mmx' render a.svg --isa mmx
cat >boxes.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50" width="100" height="100"><g id="g" transform="translate(10 5)">
<rect id="a" width="10" height="4" stroke="red" stroke-width="2"/><g id="e"/></g><rect id="b" x="30" width="9.5" height="9"/></svg>
END
check 'query' works query boxes.svg
check 'query: boxes on the canvas' same_content output 'g 18 8 24 12
a 18 8 24 12
e draws nothing
b 60 0 19 18'
check 'query --at' works query boxes.svg --at 62,3
check 'query --at: the topmost' same_content output 'b 60 0 19 18'
check 'query --at: nothing' sh -c '! "$0" query boxes.svg --at 99,99 >output && [ ! -s output ]' "$stijl"
check 'query --json' sh -c '"$0" query boxes.svg --id a --json |
  grep -q "\"object_box\": {\"x\": 0, \"y\": 0, \"width\": 10, \"height\": 4}"' "$stijl"
check 'query: no such id' fails 1 'none' query boxes.svg --id none
check 'query: two documents' fails 1 'one document' query boxes.svg boxes.svg
check '--export-id' works boxes.svg --export-id a -o alone.png
check '--export-id: its size' has_size alone.png 24x12
check '--export-id with -w' works boxes.svg --export-id b -w 38 -o alone.png
check '--export-id: that size' has_size alone.png 38x36
check '--export-id: no such id' fails 1 'none' boxes.svg --export-id none -o none.png
check '--export-id: nothing drawn' fails 1 '"e" draws nothing' boxes.svg --export-id e -o none.png
# Signals and pipes: nothing is left, nothing is said.
mkdir many
for i in $(seq 1000); do ln a.svg many/$i.svg; done
for signal in INT:130 TERM:143; do
  # A shell lets its background jobs ignore SIGINT; env does not.
  rm -rf out
  env --default-signal=INT "$stijl" -r many -o out -w 2000 --threads 4 2>errors &
  until [ -n "$(ls out 2>/dev/null)" ]; do sleep 0.01; done
  kill -${signal%:*} $!
  wait $!
  status=$?
  check "SIG${signal%:*} ends it" test $status = ${signal#*:}
  check 'quietly' test ! -s errors
  check 'in the midst of its work' test "$(ls out | wc -l)" -lt 1000
  check 'without leavings' nothing_left out
done
check 'a closed pipe ends it' sh -c '("$0" -w 2000 --png-level 0 a.svg 2>errors; echo $? >status) | head -c 1 >one;
  [ "$(cat status)" = 141 ] && [ ! -s errors ]' "$stijl"
check 'also text' \
  sh -c '("$0" render --help; "$0" devices --json; "$0" completions zsh) 2>errors | true; [ ! -s errors ]' "$stijl"
check 'an unwritable end' sh -c '"$0" help >/dev/full 2>errors; [ $? = 1 ] && [ "$(wc -l <errors)" = 1 ]' "$stijl"
check 'a file that grows too large' sh -c '(ulimit -f 8; "$0" -w 2000 --png-level 0 a.svg -o large.png 2>errors);
  [ "$(wc -l <errors)" = 1 ] && [ ! -e large.png ]' "$stijl"
check 'leaves nothing' nothing_left .
for format in webp jpeg ppm pam rgba; do
  check "a full disk, $format" sh -c '"$0" -w 2000 --format "$1" a.svg >/dev/full 2>errors; [ $? = 1 ] &&
    [ "$(wc -l <errors)" = 1 ] && grep -q "standard output: No space left" errors' "$stijl" $format
  [ $format = webp ] && continue  # it is too small to fill a pipe
  check "a closed pipe, $format" sh -c '("$0" -w 4000 --format "$1" a.svg 2>errors; echo $? >status) | head -c 1 >one;
    [ "$(cat status)" = 141 ] && [ ! -s errors ]' "$stijl" $format
done
check 'leaves nothing either' nothing_left .

if [ -w /dev/shm ]; then
  check 'a new file in /dev/shm' works render a.svg -o "/dev/shm/stijl-$$.png"
  check 'is there' has_size "/dev/shm/stijl-$$.png" 100x50
  rm -f "/dev/shm/stijl-$$.png"
fi

# Libraries are opened by what needs them (glibc tells of each).
opened() {
  LD_DEBUG=files "$stijl" render "$1" -o opened.png 2>&1 |
    grep -oE 'lib(harfbuzz|freetype|fontconfig|jpeg|webp|gif|png16|gumbo)\.so' | sort -u
}
check 'a drawing opens no libraries' test -z "$(opened a.svg)"

# What a terminal would obey is not passed on.
odd=$(printf 'b\033[31m\302\233\342\200\256.svg')
cp bad.svg "$odd"
check 'names without control characters' fails 1 'b\x1b[31m\u{009b}\u{202e}.svg' "$odd" -o x.png
cp a.svg ./-x.svg
check 'a dash first' works -o -x.png -- -x.svg
check 'is a name' cmp ./-x.png kept.png
plan

#!/bin/sh
# match.sh STIJL: `stijl match` on files. Prints TAP.
stijl=$(readlink -f "$1")
. "$(dirname "$0")/tap.sh"
cd "$folder" || exit 1

cat > page.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg"><g class="a"><rect id="r"/></g><rect/></svg>
END
mkdir sub
printf '.a > rect,\n  g:hover { fill: red }\n@media print { rect { } }\n.none::before { } .none { }\n' > one.css
printf '@import "sub/two.css";\n@import "../outside.css";\n#r { }\n' > imports.css
printf 'svg { }' > sub/two.css
expected='{"elements":4,"rules":['
expected=$expected'{"sheet":"one.css","line":1,"selector":".a > rect","active":true,"matches":[2]},'
expected=$expected'{"sheet":"one.css","line":2,"selector":"g:hover","active":true,"matches":[]},'
expected=$expected'{"sheet":"one.css","line":3,"selector":"rect","active":false,"matches":[2,3]},'
expected=$expected'{"sheet":"one.css","line":4,"selector":".none::before","active":true,"matches":[]},'
expected=$expected'{"sheet":"one.css","line":4,"selector":".none","active":true,"matches":[]}]}'
json() { "$stijl" match -q --json "$@" | tr -d ' \n'; }
squeezed=$(printf %s "$expected" | tr -d ' ')
check json same "$(json page.svg one.css)" "$squeezed"
check 'json, reference' same "$(json --engine reference page.svg one.css)" "$squeezed"
check 'json, standard input' same "$(json - one.css < page.svg)" "$squeezed"
check counts same "$("$stijl" match --applied page.svg one.css | head -3 | tail -1)" 'one.css:3: 0 rect'
check unused same "$("$stijl" match --unused page.svg one.css)" 'one.css:4: .none::before
one.css:4: .none'
printf '<svg xmlns="http://www.w3.org/2000/svg" class="none"/>' > other.svg
check 'unused in two documents' same "$("$stijl" match --unused page.svg other.svg one.css)" ''
check 'imports within the folder' same "$("$stijl" match -q page.svg imports.css)" 'sub/two.css:1: 1 svg
imports.css:3: 1 #r'
check 'imports outside of it are reported' grep -q outside.css <<END
$("$stijl" match page.svg imports.css 2>&1)
END
printf '@import "./itself.css";\nrect { }' > itself.css
check 'a sheet that imports itself' same "$("$stijl" match page.svg itself.css 2>&1)" \
  'stijl: warning: itself.css:1: @import left out, that sheet imports this one: @import "./itself.css"
itself.css:2: 2 rect'
mkfifo pipe.css
ln -s /etc/passwd link.css
printf '@import "pipe.css";@import "link.css";@import "sub";\n@import "sub/up.css";rect { }' > strange.css
printf '@import "../one.css";' > sub/up.css
i=0
while [ $i -lt 300 ]; do echo '@import "itself2.css";@import "nowhere.css";'; i=$((i + 1)); done > itself2.css
echo 'rect { }' >> itself2.css
check 'imports that are left out do not count' same "$("$stijl" match -q page.svg itself2.css 2>&1)" \
  'itself2.css:301: 2 rect'
check 'imports of a pipe, a link and a folder' same "$(timeout 5 "$stijl" match page.svg strange.css 2>&1 | tail -4)" \
  'one.css:3: 2 rect
one.css:4: 0 .none::before
one.css:4: 0 .none
strange.css:2: 2 rect'
"$stijl" match --repeat 3 --stats stats.json page.svg one.css > counts
check statistics grep -q '"match_ms": *\[[0-9.]*, *[0-9.]*, *[0-9.]*\]' stats.json
check 'no sheet' same "$("$stijl" match page.svg 2>&1; echo $?)" 'stijl: page.svg: no style sheets in it, and none are named behind it
1'
check 'sheet first' same "$("$stijl" match one.css page.svg 2>&1)" \
  'stijl: one.css is a style sheet: the document comes first'
check 'unused, no document' same "$("$stijl" match --unused one.css imports.css 2>&1)" \
  'stijl: no document among the files, only style sheets'
check 'unused, no statistics' same "$("$stijl" match --unused --stats x page.svg one.css 2>&1; echo $?)" \
  'stijl: --stats and --repeat measure the matching of one document, not --unused
1'
printf 'a::-moz-x { }\n.a { }\nb:-ms-y { } b$ { }' > foreign.css
check 'rules for other browsers' same "$("$stijl" match page.svg foreign.css 2>&1)" \
  'stijl: warning: foreign.css:3: rule left out, its selector is not valid: b$ 
stijl: warning: foreign.css:1: 2 rules left out that only other browsers understand (-moz-, -ms-)
foreign.css:2: 1 .a'
check 'limits' same "$("$stijl" match --max-matches 1 page.svg one.css 2>&1)" 'stijl: more matches than max_matches (1)'
i=0
while [ $i -lt 4000 ]; do echo ".long-name-$i > rect, #r + .none { x: y }"; i=$((i + 1)); done > many.css
check 'limit of work' same "$("$stijl" match --max-work 1 page.svg many.css 2>&1)" \
  'stijl: it asks for more work than max_work (1 steps)'
check 'a limit that all documents share is told once' same \
  "$("$stijl" match --unused --max-seconds 0.001 page.svg page.svg page.svg page.svg many.css 2>&1 | wc -l)" 1
check 'limit of memory' same "$("$stijl" match --max-memory 500000 page.svg many.css 2>&1; echo $?)" \
  'stijl: it takes more memory than max_memory (500000 bytes)
1'
check 'strict' same "$("$stijl" match --strict page.svg foreign.css 2>&1; echo $?)" \
  'stijl: warning: foreign.css:3: rule left out, its selector is not valid: b$ 
stijl: warning: foreign.css:1: 2 rules left out that only other browsers understand (-moz-, -ms-)
stijl: no answer, because of the warnings (--strict)
1'
check 'strict, quiet' same "$("$stijl" match --strict -q --unused page.svg foreign.css 2>&1; echo $?)" \
  'stijl: no answer (--strict): foreign.css:3: rule left out, its selector is not valid: b$ 
1'
check 'strict, nothing left out' same "$("$stijl" match --strict page.svg sub/two.css 2>&1; echo $?)" 'sub/two.css:1: 1 svg
0'

# Encodings: the same page and sheet in each, of an element of class e-acute and euro.
utf8=$(printf '\303\251\342\202\254')
encode() { printf "$2" | iconv -f UTF-8 -t "$1"; }
sheet="@charset \"NAME\";\n.$utf8 { }\n"
html="<!doctype html><!-- <meta charset=koi8-r> --><title a='<meta charset=koi8-r>'>x</title>META<p class=$utf8>"
xml="<?xml version='1.0' encoding='NAME'?><x><p class='$utf8'/></x>"
named() { printf %s "$1" | sed "s/NAME/$2/;s|META|<meta charset='$2'>|"; }
if [ "$(encode WINDOWS-1252 "$utf8" 2>/dev/null | wc -c | tr -d ' ')" != 2 ]; then
  number=$((number + 1))
  echo "ok $number - encodings # SKIP no iconv"
else
  for encoding in utf-8 windows-1252 iso-8859-15 macintosh utf-16le utf-16be; do
    mark='' codec=$encoding
    [ $encoding = macintosh ] && codec=MACINTOSH
    case $encoding in utf-16*) mark='\357\273\277' ;; esac
    encode $codec "$mark$(named "$sheet" $encoding)" > encoded.css
    encode $codec "$mark$(named "$html" $encoding)" > encoded.html
    encode $codec "$mark$(named "$xml" $encoding)" > encoded.xml
    check "sheets in $encoding" same "$("$stijl" match encoded.xml encoded.css 2>&1)" "encoded.css:2: 1 .$utf8"
    check "HTML in $encoding" same "$("$stijl" match encoded.html encoded.css 2>&1)" "encoded.css:2: 1 .$utf8"
  done
  encode windows-1252 "<p class=$utf8>" > plain.html
  check 'HTML without a name' same "$("$stijl" match plain.html encoded.css 2>&1)" "encoded.css:2: 1 .$utf8"
  encode iso-8859-15 "<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-15'><p class=$utf8>" > old.html
  check 'HTML, as it was once named' same "$("$stijl" match old.html encoded.css 2>&1)" "encoded.css:2: 1 .$utf8"
  printf '@charset "windows-1252";@import "imported.css";' > importing.css
  encode windows-1252 ".$utf8 { }" > imported.css
  check 'an imported sheet is read as that which imports it' same "$("$stijl" match plain.html importing.css 2>&1)" \
    "imported.css:1: 1 .$utf8"
  printf '@charset "no-such";p { }' > unknown.css
  check 'an encoding that is not known' same "$("$stijl" match plain.html unknown.css 2>&1)" \
    'stijl: warning: the encoding "no-such" is not known
unknown.css:1: 1 p'
fi
printf '<svg' > broken.svg
"$stijl" match broken.svg one.css > out 2> errors
check 'broken document' same "$? $(wc -l < errors | tr -d ' ') $(cat out)" '1 1 '
plan

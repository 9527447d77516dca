#!/bin/sh
# match.sh STIJL: `stijl match` on files. Prints TAP.
stijl=$(readlink -f "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0
failed=0
check() {  # NAME, then a command that must succeed
  number=$((number + 1))
  name=$1
  shift
  if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; failed=1; fi
}
same() { [ "$1" = "$2" ] || { echo "# got      $1" && echo "# expected $2" && false; }; }

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
  'stijl: itself.css:1: @import left out, that sheet imports this one: @import "./itself.css"
itself.css:2: 2 rect'
mkfifo pipe.css
ln -s /etc/passwd link.css
printf '@import "pipe.css";@import "link.css";@import "sub";\n@import "sub/up.css";rect { }' > strange.css
printf '@import "../one.css";' > sub/up.css
check 'imports of a pipe, a link and a folder' same "$(timeout 5 "$stijl" match page.svg strange.css 2>&1 | tail -4)" \
  'one.css:3: 2 rect
one.css:4: 0 .none::before
one.css:4: 0 .none
strange.css:2: 2 rect'
"$stijl" match --repeat 3 --stats stats.json page.svg one.css > counts
check statistics grep -q '"match_ms": *\[[0-9.]*, *[0-9.]*, *[0-9.]*\]' stats.json
check 'no sheet' same "$("$stijl" match page.svg 2>&1; echo $?)" 'stijl: a document and style sheets are needed (see stijl match --help)
1'
check 'sheet first' same "$("$stijl" match one.css page.svg 2>&1)" 'stijl: one.css is a style sheet: the document comes first'
check 'unused, no document' same "$("$stijl" match --unused one.css imports.css 2>&1)" \
  'stijl: no document among the files, only style sheets'
check 'unused, no statistics' same "$("$stijl" match --unused --stats x page.svg one.css 2>&1; echo $?)" \
  'stijl: --stats and --repeat measure the matching of one document, not --unused
1'
printf 'a::-moz-x { }\n.a { }\nb:-ms-y { } b$ { }' > foreign.css
check 'rules for other browsers' same "$("$stijl" match page.svg foreign.css 2>&1)" \
  'stijl: foreign.css:3: rule left out, its selector is not valid: b$ 
stijl: foreign.css:1: 2 rules left out that only other browsers understand (-moz-, -ms-)
foreign.css:2: 1 .a'
check 'limits' same "$("$stijl" match --max-matches 1 page.svg one.css 2>&1)" 'stijl: more matches than max_matches (1)'
printf '<svg' > broken.svg
"$stijl" match broken.svg one.css > out 2> errors
check 'broken document' same "$? $(wc -l < errors | tr -d ' ') $(cat out)" '1 1 '
echo "1..$number"
exit $failed

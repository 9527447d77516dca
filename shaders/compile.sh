#!/bin/sh
# compile.sh GLSLC SPIRV_VAL|- SOURCES SHADER OUT DEPFILE [OPTION...]: a shader as the words of a C initialiser,
# validated on the way. SOURCES is the folder the shader's includes are named from.
#
# Not optimised: spirv-opt loses NoContraction on the copies it makes of unrolled loops (spirv-tools 2023.1), and with
# it the bits; drivers optimise themselves.
set -e
glslc=$1 validate=$2 sources=$3 shader=$4 out=$5 depfile=$6
shift 6
"$glslc" -O0 -I "$sources" --target-env=vulkan1.3 -MD -MF "$depfile" -MT "$out" "$@" -o "$out.spv" "$shader"
[ "$validate" = - ] || "$validate" --target-env vulkan1.3 --scalar-block-layout "$out.spv"
od -An -v -tx4 -w32 "$out.spv" | sed 's/\([0-9a-f]\{8\}\)/0x\1,/g' > "$out"

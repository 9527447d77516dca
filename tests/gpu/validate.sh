#!/usr/bin/env bash
# validate.sh core|gpu PROVOKE PROGRAM [ARGUMENT...]: runs a test program under the Khronos validation layer, and adds
# a test that passes when the layer reports nothing. core: the API and synchronisation, also between submissions. gpu:
# shaders instrumented to notice accesses outside of what is bound. Prints TAP.
#
# A layer is believed when it reports the mistake that PROVOKE makes on purpose. That of Debian 12 (1.3.239) does not
# with `gpu`: it instruments, and reports nothing. Tried after it: the newer one that comes with Debian's chromium;
# first of all the one whose manifest is in the folder STIJL_VALIDATION_LAYER. Where none does, the program runs all the
# same. STIJL_TEST_LAYER names a layer that is put beneath it.
mode=$1 provoker=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names of old and of new layers. Only errors: warnings are about these settings, and about what drivers ask for.
case $mode in
  core) mistake=SYNC-HAZARD settings='enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT
validate_sync = true' ;;
  gpu) mistake='out of bounds' settings='enables = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
gpuav_enable = true
validate_core = false' ;;
  *) exit 2 ;;
esac
{
  printf '%s\n' 'debug_action = VK_DBG_LAYER_ACTION_LOG_MSG' 'report_flags = error' "log_filename = $work/log" \
    "$settings"
} | sed 's/^/khronos_validation./' >"$work/vk_layer_settings.txt"
export VK_LAYER_SETTINGS_PATH=$work \
  VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation${STIJL_TEST_LAYER:+:$STIJL_TEST_LAYER}

# Whether the layer in that folder ('': the installed one) reports.
reports() {
  rm -f "$work/log"
  env ${1:+VK_LAYER_PATH="$1"} "$provoker" "$mode" >"$work/provoked" 2>&1
  grep -q "$mistake" "$work/log" 2>/dev/null
}
chromium=/usr/lib/chromium/libVkLayer_khronos_validation.so
mkdir "$work/chromium"
cat >"$work/chromium/layer.json" <<END
{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL",
 "library_path": "$chromium", "api_version": "1.3.250", "implementation_version": "1", "description": "validation"}}
END
found=
for folder in "${STIJL_VALIDATION_LAYER-}" '' "$work/chromium"; do
  if reports "$folder"; then found=yes; break; fi
done
if [ -z "$found" ]; then
  export VK_INSTANCE_LAYERS=${STIJL_TEST_LAYER-}
elif [ -n "$folder" ]; then
  export VK_LAYER_PATH=$folder
fi

rm -f "$work/log"
"$@" >"$work/out" 2>&1
status=$?
count=$(grep -cE '^(not )?ok ' "$work/out")
grep -vE '^1\.\.|^Validation Layer Info' "$work/out"
name="$((count + 1)) - $mode validation of $(basename "$1")"
sed -i '/^$/d' "$work/log" 2>/dev/null
if [ $status != 0 ] && ! grep -q '^not ok ' "$work/out"; then
  echo "not ok $name: it ended with status $status"
elif [ -z "$found" ]; then
  echo "ok $name # SKIP no validation layer that reports a mistake of that kind (or no GPU asked for)"
elif [ -s "$work/log" ]; then
  head -c 4000 "$work/log" | sed 's/^/# /'
  echo
  echo "not ok $name"
else
  echo "ok $name"
fi
echo "1..$((count + 1))"
exit $status

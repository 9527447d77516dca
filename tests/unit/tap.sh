# tap.sh: for tests that are shell scripts, which source it: a folder to work in, and TAP. They end with `plan`.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
number=0

# check NAME COMMAND...: one test, passed when the command succeeds; else what it wrote is shown.
check() {
  number=$((number + 1))
  tap_name=$1
  shift
  if "$@" >"$folder/log" 2>&1; then
    echo "ok $number - $tap_name"
  else
    echo "not ok $number - $tap_name"
    sed 's/^/# /' "$folder/log"
  fi
}
skip() {
  number=$((number + 1))
  echo "ok $number - $1 # SKIP $2"
}
same() { [ "$1" = "$2" ] || { echo "got      $1" && echo "expected $2" && false; }; }
plan() { echo "1..$number"; }

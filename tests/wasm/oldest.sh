#!/bin/sh
# oldest.sh TEST: runs a test of the package in the oldest Node that it promises, STIJL_OLDEST_NODE.
[ -n "${STIJL_OLDEST_NODE-}" ] || { echo '1..0 # SKIP it could not be fetched (STIJL_OLDEST_NODE)'; exit; }
exec "$STIJL_OLDEST_NODE" --test-reporter=tap "$1"

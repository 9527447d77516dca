#!/usr/bin/env bash
# mpi.sh RANKS COMMAND...: runs a command of stijl under Open MPI, a shard for each rank.
#
#   mpi.sh 64 stijl tiles map.svg -w 100000 -o /shared/map --threads 1 --shard {shard} --resume
#   mpi.sh 16 stijl --files-from icons.txt -w 64,256 -o /shared/icons --shard {shard} \
#                   --journal /shared/journal-{index} --resume
#
# {shard} stands for 1/64 to 64/64, {index} for 1 to 64; MPIRUN_OPTIONS, such as "--hostfile hosts", go to mpirun. Where
# a rank dies, Open MPI ends them all: then they are started again, two times at most, and go on with what was done.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
ranks=$1
shift
# shellcheck disable=SC2016 # for the ranks
rank='index=$((OMPI_COMM_WORLD_RANK + 1)) words=("$@")
words=("${words[@]//"{shard}"/"$index/$OMPI_COMM_WORLD_SIZE"}")
exec "${words[@]//"{index}"/"$index"}"'
for _ in 1 2 3; do
  # shellcheck disable=SC2086 # words
  if mpirun ${MPIRUN_OPTIONS-} -np "$ranks" bash -c "$rank" rank "$@"; then exit; fi
done
exit 1

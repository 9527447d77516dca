#!/usr/bin/env python3
"""dask_shards.py N COMMAND...: runs a command of stijl on a Dask cluster, as N shards.

    dask_shards.py 64 stijl tiles map.svg -w 100000 -o /shared/map --shard {shard} --resume
    dask_shards.py 16 stijl --files-from icons.txt -w 64,256 -o /shared/icons --shard {shard} \\
                            --journal /shared/journal-{index} --resume

{shard} stands for 1/64 to 64/64, {index} for 1 to 64. DASK_SCHEDULER_ADDRESS names the cluster; without it this machine
is one. Give the command --threads 1 where workers have one thread for each processor. /shared is a folder that all
machines have."""
import subprocess
import sys

from dask.distributed import Client, as_completed


def run_shard(index, command, count):
    words = [word.replace("{shard}", f"{index}/{count}").replace("{index}", str(index)) for word in command]
    # The command ends with its worker, so that it is not still at work where the shard is begun again.
    subprocess.run(["setpriv", "--pdeathsig", "KILL", *words], stdin=subprocess.DEVNULL, check=True)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        sys.exit(__doc__)
    count, command = int(sys.argv[1]), sys.argv[2:]
    failed = 0
    with Client() as client:
        # Dask runs a task again whose worker is lost; `retries` is for commands that failed.
        shards = client.map(run_shard, range(1, count + 1), command=command, count=count, retries=5, pure=False)
        index = {shard.key: i for i, shard in enumerate(shards, 1)}
        for shard in as_completed(shards):
            if shard.status == "error":
                print(f"shard {index[shard.key]}/{count}: {shard.exception()}", file=sys.stderr)
                failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

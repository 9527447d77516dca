#!/usr/bin/env python3
"""ray_shards.py N COMMAND...: runs a command of stijl on a Ray cluster, as N shards.

    ray_shards.py 64 stijl tiles map.svg -w 100000 -o /shared/map --shard {shard} --resume
    ray_shards.py 16 stijl --files-from icons.txt -w 64,256 -o /shared/icons --shard {shard} \\
                           --journal /shared/journal-{index} --resume

{shard} stands for 1/64 to 64/64, {index} for 1 to 64. RAY_ADDRESS names the cluster; without it this machine is one.
Each shard takes one processor: give the command --threads 1, and some more shards than processors. /shared is a folder
that all machines have."""
import subprocess
import sys

import ray


# Ray runs a task again whose worker or machine is lost, and one whose command failed.
@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=[subprocess.CalledProcessError])
def run_shard(command, index, count):
    words = [word.replace("{shard}", f"{index}/{count}").replace("{index}", str(index)) for word in command]
    # The command ends with its worker, so that it is not still at work where the shard is begun again.
    subprocess.run(["setpriv", "--pdeathsig", "KILL", *words], stdin=subprocess.DEVNULL, check=True)


def main():
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        sys.exit(__doc__)
    count, command = int(sys.argv[1]), sys.argv[2:]
    ray.init(log_to_driver=False)
    shards = {run_shard.remote(command, index, count): index for index in range(1, count + 1)}
    waiting, failed = list(shards), 0
    while waiting:
        (done,), waiting = ray.wait(waiting)
        try:
            ray.get(done)
        except ray.exceptions.RayError as error:
            print(f"shard {shards[done]}/{count}: {str(error).splitlines()[-1]}", file=sys.stderr)
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

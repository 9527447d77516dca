#!/usr/bin/env python3
"""dask_icons.py ICONS STORE WIDTH...: draws SVG files of one object store into another, on a Dask cluster, with stijl's
Python package.

    dask_icons.py 's3://art/icons/*.svg' s3://cdn/icons 64 256 1024

Addresses are those of fsspec: s3:// (package s3fs), gs:// (gcsfs), az:// (adlfs), or a folder that all workers have.
DASK_SCHEDULER_ADDRESS names the cluster; without it this machine is one. icons/home.svg becomes home-64.png and so on.
STORE/done has a file of JSON lines for each 200 icons, written behind their pictures: icons that stand there, and have
not changed, are not drawn again."""
import json
import os
import sys

import fsspec
import stijl
from dask.distributed import Client, as_completed

BATCH = 200


def draw_icon(source, path, target, folder, widths, renderer):
    document = stijl.Document(source.cat_file(path))
    name = os.path.splitext(os.path.basename(path))[0]
    for width in widths:
        picture = document.render(width, renderer=renderer, format="RGBa")
        target.pipe_file(f"{folder}/{name}-{width}.png", picture.to_png(threads=1))


def is_done(target, record, jobs):
    try:
        return [json.loads(line) for line in target.cat_file(record).decode().splitlines()] == jobs
    except (FileNotFoundError, ValueError):
        return False


def draw_batch(number, jobs, icons, store):
    """Runs on a worker. One bad file does not stop the others. Returns what is wrong with which."""
    source, _ = fsspec.url_to_fs(icons)
    target, folder = fsspec.url_to_fs(store)
    record = f"{folder}/done/{number:06}-of-{BATCH}.jsonl"
    if is_done(target, record, jobs):
        return []
    renderer, failures, done = stijl.Renderer(threads=1), [], []
    for job in jobs:
        try:
            draw_icon(source, job["input"], target, folder, job["widths"], renderer)
            done.append(job)
        except stijl.Error as error:
            failures.append(f"{job['input']}: {error}")
    target.pipe_file(record, "".join(json.dumps(job) + "\n" for job in done).encode())
    return failures


def list_jobs(icons, widths):
    """What is to be drawn, and what tells whether an icon has changed."""
    source, pattern = fsspec.url_to_fs(icons)
    found = sorted(source.glob(pattern, detail=True).items())
    names = {os.path.basename(path) for path, _ in found}
    if len(names) < len(found):
        sys.exit("two icons have the same name")
    return [{"input": path, "widths": widths, "version": str(info.get("ETag") or (info["size"], info.get("mtime")))}
            for path, info in found]


def main():
    if len(sys.argv) < 4 or not all(word.isdecimal() for word in sys.argv[3:]):
        sys.exit(__doc__)
    icons, store, widths = sys.argv[1], sys.argv[2], [int(word) for word in sys.argv[3:]]
    jobs = list_jobs(icons, widths)
    target, folder = fsspec.url_to_fs(store)
    target.makedirs(f"{folder}/done", exist_ok=True)
    batches = [jobs[at:at + BATCH] for at in range(0, len(jobs), BATCH)]
    failed = 0
    with Client() as client:
        # Dask runs a batch again whose worker is lost; `retries` is for stores that fail now and then.
        tasks = client.map(draw_batch, range(len(batches)), batches, icons=icons, store=store, retries=3, pure=False)
        for _, failures in as_completed(tasks, with_results=True):
            for failure in failures:
                print(failure, file=sys.stderr)
            failed += len(failures)
    print(f"{len(jobs)} icons, {failed} failed", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

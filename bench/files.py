#!/usr/bin/env python3
"""files.py [--quick] --scenes FOLDER --results FILE [--cliparts FOLDER] stijl=COMMAND [resvg=COMMAND]
[rsvg-convert=COMMAND]: SVG file to PNG file, the whole process, against other commands.

The cliparts are a seeded choice of Openclipart files without text: stijl draws all in one batch, the others one process
each."""
import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time

import measure

SIZES = [512, 1024, 2048, 4096]
ICON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "icon.svg")
CLIPART_WIDTH = 1024


def command(name, program, svg, png, width):
    if name == "stijl":
        return [program, "render", svg, "-o", png, "-w", str(width)]
    if name == "resvg":
        return [program, "-w", str(width), svg, png]
    return [program, "-w", str(width), "-o", png, svg]


def choose_cliparts(folder, count):
    """Seeded; no text, and a size that is not absurd (a file may ask for a canvas of a kilometre)."""
    found = []
    for root, _, files in os.walk(folder):
        found += [os.path.join(root, name) for name in files if name.endswith(".svg")]
    chosen = []
    for path in random.Random(500).sample(sorted(found), len(found)):
        with open(path, "rb") as file:
            data = file.read()
        if not re.search(rb"<(svg:)?(text|flowRoot)\b", data) and b"<svg" in data:
            chosen.append(path)
        if len(chosen) == count:
            break
    return chosen


def single_files(programs, scenes, rounds, results):
    files = [("tiger", os.path.join(scenes, "tiger.svg"), size) for size in SIZES] + [("icon", ICON, 64)]
    out = tempfile.mkdtemp()
    rows = {name: [] for name in programs}
    sizes = {name: [] for name in programs}
    for label, svg, size in files:
        png = {name: os.path.join(out, name + ".png") for name in programs}
        times = measure.interleave(rounds * (8 if size < 100 else 1), list(programs), lambda name: measure.wall_ms(
            command(name, programs[name], svg, png[name], size)))
        best = {name: min(times[name]) for name in programs}
        for name in programs:
            rows[name].append("%.1f" % best[name] +
                              ("" if name == "stijl" else " (%.1fx)" % (best[name] / best["stijl"])))
            file_bytes = os.path.getsize(png[name])
            sizes[name].append("%d" % (file_bytes // 1000))
            results.append({"file": label, "size": size, "command": name, "ms": measure.summary(times[name]),
                            "bytes": file_bytes, "times_ours": best[name] / best["stijl"]})
    columns = ["%s %d" % (label, size) for label, _, size in files]
    measure.table("SVG to PNG, ms of the whole process (as many times ours)", columns, list(rows.items()))
    measure.table("size of the PNG, kB", columns, list(sizes.items()))
    shutil.rmtree(out)


def cliparts(programs, folder, count, results):
    links = tempfile.mkdtemp()  # names of their own, for the batch writes all pictures into one folder
    files = []
    for i, path in enumerate(choose_cliparts(folder, count)):
        files.append(os.path.join(links, "%d.svg" % i))
        os.symlink(path, files[-1])
    rows = []
    ours = None
    for name, program in programs.items():
        out = tempfile.mkdtemp()
        start = time.perf_counter()
        failed = 0
        if name == "stijl":
            failed = measure.status([program, "render", *files, "-o", out, "-w", str(CLIPART_WIDTH)]) != 0
        else:
            for i, svg in enumerate(files):
                failed += measure.status(
                    command(name, program, svg, os.path.join(out, "%d.png" % i), CLIPART_WIDTH)) != 0
        taken = time.perf_counter() - start
        ours = ours or taken
        made = sum(os.path.getsize(os.path.join(out, png)) > 0 for png in os.listdir(out))
        rows.append((name, ["%.2f" % taken, "%.1fx" % (taken / ours), str(made)]))
        results.append({"file": "cliparts", "count": len(files), "command": name, "seconds": taken, "pictures": made,
                        "times_ours": taken / ours})
        shutil.rmtree(out)
    shutil.rmtree(links)
    measure.table("%d Openclipart files at %d px" % (len(files), CLIPART_WIDTH), ["s", "of ours", "pictures"], rows)


def memory(program, scenes, results):
    out = os.path.join(tempfile.gettempdir(), "stijl-memory-%d.png" % os.getpid())
    peak = measure.peak_bytes(command("stijl", program, os.path.join(scenes, "tiger.svg"), out, 4096))
    os.remove(out)
    target = 4096 * 4096 * 4
    print("\npeak memory of the tiger at 4096: %.1f MiB (target %.0f MiB, allowed %.0f MiB)" % (
        peak / 2**20, target / 2**20, 1.5 * target / 2**20 + 32))
    results.append({"file": "tiger", "size": 4096, "command": "stijl", "peak_bytes": peak})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--scenes", required=True)
    parser.add_argument("--cliparts")
    parser.add_argument("--results", required=True)
    parser.add_argument("programs", nargs="+")
    a = parser.parse_args()
    programs = dict(text.split("=", 1) for text in a.programs)
    if next(iter(programs)) != "stijl":
        sys.exit("files.py: stijl comes first")
    results = []
    single_files(programs, a.scenes, 3 if a.quick else 9, results)
    if a.cliparts:
        cliparts(programs, a.cliparts, 50 if a.quick else 500, results)
    memory(programs["stijl"], a.scenes, results)
    measure.save(a.results, "files", results)


if __name__ == "__main__":
    main()

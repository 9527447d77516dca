#!/usr/bin/env python3
"""frames.py [--quick] [--threads N] --scenes FOLDER --results FILE NAME=COMMAND...: time of a frame, in process.

The commands are adapters (frames.h); the first is ours. Two kinds of frames are measured, each beside ours of that
kind:
  record + draw  the frame begins with paths and paints and ends with pixels. Most peers know no other frame: they have
                 nothing to keep between the calls that draw, or are told to forget it. A peer that cannot draw a scene
                 (exit status 2) is left out of its row
  redraw         a finished recording is drawn again: the adapters in REDRAWS
Prints the minimum of each and the ratio of ours to theirs."""
import json
import os

import measure

CELLS = [("tiger", 512), ("tiger", 1024), ("tiger", 2048), ("tiger", 4096), ("polygons50k", 1600),
         ("circles200", 1600), ("cubics10k", 1600)]
# Scenes of kinds that only the peers of WHOLE_FORMAT know.
OTHER_CELLS = [(name, 1600) for name in (
    "sprites2k", "textures", "image_level", "image_down", "image_turned", "image_up", "sweeps", "radials",
    "gradients5k",
    "zoomed", "clips1k", "clips40", "overdraw200", "bars2k", "stars100", "squares100k", "discs100k", "glyphs10k",
    "coasts100", "roads4k", "polyline200k")]
# Pages of small paths; outlines67k is what bench_page writes, where it has its font.
OTHER_CELLS += [(name, size) for name in ("marks100k", "outlines67k") for size in (1000, 1920, 3840)]
WHOLE_FORMAT = ["vello_cpu", "blend2d"]
REDRAWS = ["skia"]  # its frame plays a picture


def main():
    a = measure.arguments("scenes", threads=1)
    adapters = a.adapters
    names = list(adapters)
    ours = names[0]
    rounds, seconds = (2, "0.1") if a.quick else (5, "0.5")
    firsts = {}

    def frame_command(name, scene, size, seconds):
        return adapters[name] + [os.path.join(a.scenes, scene + ".dl"), str(size), str(a.threads), seconds, "3"]

    def frame_times(key):
        name, scene, size = key
        command = frame_command(name, scene, size, seconds)
        answer = json.loads(measure.run(measure.pinned(command, a.threads)))
        firsts.setdefault(key, []).append(answer["first"])
        return answer["wall"]

    results = []

    def measure_kind(kind, names, cells=CELLS):
        rows = []
        for scene, size in cells:
            if not os.path.exists(os.path.join(a.scenes, scene + ".dl")):
                print("without %s %d: %s has no %s.dl" % (scene, size, a.scenes, scene))
                continue
            able = [name for name in names if measure.status(frame_command(name, scene, size, "0")) != 2]
            times = measure.interleave(rounds, [(name, scene, size) for name in able], frame_times)
            best = {name: min(times[name, scene, size]) for name in able}
            row = []
            for name in names:
                if name not in able:
                    row.append("")
                    continue
                ratio = best[names[0]] / best[name]
                row.append("%.2f" % best[name] + ("" if name == names[0] else " (%.2f)" % ratio))
                results.append({"scene": scene, "size": size, "peer": name.split()[0], "kind": kind,
                                "threads": a.threads, "ms": measure.summary(times[name, scene, size]),
                                "first_ms": min(firsts[name, scene, size]), "ours_to_this": ratio})
            rows.append(("%s %d" % (scene, size), row))
        measure.table("%s, ms a frame, %d thread%s (ours as a share of it)" % (kind, a.threads, "s" * (a.threads > 1)),
                      names, rows)

    redraw = ours + " redraw"
    adapters[redraw] = adapters[ours] + ["--redraw"]
    measure_kind("record + draw", [name for name in names if name not in REDRAWS])
    others = [name for name in names if name in WHOLE_FORMAT]
    if others:
        measure_kind("record + draw", [ours] + others, OTHER_CELLS)
    measure_kind("redraw", [redraw] + [name for name in names if name in REDRAWS])
    first = [r for r in results if r["kind"] == "redraw" and r["scene"] == "tiger" and r["size"] == 1024][0]
    print("\n  first frame of a process, its target touched before, tiger at 1024: %.2f times a steady one" %
          (first["first_ms"] / first["ms"]["min"]))
    measure.save(a.results, "frames %d" % a.threads, results)


if __name__ == "__main__":
    main()

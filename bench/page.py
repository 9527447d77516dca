#!/usr/bin/env python3
"""page.py [--quick] --results FILE --font FONT NAME=COMMAND...: a page of 67,000 glyphs (page.c), recorded and drawn.

The first command is ours, which writes the page for the others. Prints the minimum of a frame's time, by the clock and
of the processor, and the ratio of ours to theirs."""
import json
import os
import subprocess

import measure

WIDTH = "3840"


def main():
    a = measure.arguments("font")
    adapters = a.adapters
    ours = list(adapters)[0]
    page = os.path.join(os.path.dirname(a.results), "page.gl")
    subprocess.run(adapters[ours] + [a.font, "--write", page], check=True)
    rounds, seconds = (2, "0.1") if a.quick else (5, "0.5")
    end = ["1", seconds, "3"]
    jobs = {ours: adapters[ours] + [a.font] + end, ours + ", paths": adapters[ours] + ["--paths", a.font] + end}
    for name in list(adapters)[1:]:
        jobs[name] = adapters[name] + [page, WIDTH] + end
        jobs[name + ", atlas"] = ["env", "BENCH_ATLAS=1"] + jobs[name]

    def frame_times(name):
        answer = json.loads(measure.run(measure.pinned(jobs[name])))
        return [(answer["wall"], answer["cpu"])]

    times = measure.interleave(rounds, list(jobs), frame_times)
    rows, results = [], []
    best = {name: [min(min(run[k]) for run in times[name]) for k in (0, 1)] for name in jobs}
    for name in jobs:
        shares = [best[ours][k] / best[name][k] for k in (0, 1)]
        rows.append((name, ["%.2f" % best[name][k] + ("" if name == ours else " (%.2f)" % shares[k]) for k in (0, 1)]))
        results.append({"peer": name, "wall_ms": best[name][0], "cpu_ms": best[name][1], "ours_to_this": shares})
    measure.table("67,000 glyphs, record + draw, ms a frame, 1 thread (ours as a share of it)", ["clock", "processor"],
                  rows)
    measure.save(a.results, "page", results)


if __name__ == "__main__":
    main()

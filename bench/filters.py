#!/usr/bin/env python3
"""filters.py [--quick] [--rows TEXT] --scenes FOLDER --results FILE stijl=COMMAND [resvg=COMMAND] [skia=COMMAND]: time
of a frame with a filter, in process, one thread, the commands in turn. Scenes: filter_scenes.py.

Prints the least processor time of a frame, and ours as a share of each peer's. (On one thread it is the time that
passes, but for what else the machine does meanwhile.)"""
import json
import os
import tempfile

import filter_scenes
import measure


def main():
    a = measure.arguments("scenes", rows="")
    adapters = a.adapters
    names, rows = list(adapters), [row for row in filter_scenes.ROWS if a.rows in row]
    rounds, seconds = (2, "0.1") if a.quick else (5, "0.4")
    tiger = os.path.join(a.scenes, "tiger")
    with open(tiger + ".svg") as file, tempfile.TemporaryDirectory() as folder:
        text = file.read()
        files = {row: os.path.join(folder, "%d.svg" % i) for i, row in enumerate(rows)}
        for row in rows:
            with open(files[row], "w") as out:
                out.write(filter_scenes.svg(row, text))

        def times(key):
            name, row = key
            scene = [row, tiger + ".dl"] if name == "skia" else [files[row], str(filter_scenes.ROWS[row][2]), "1"]
            return json.loads(measure.run(measure.pinned(adapters[name] + scene + [seconds, "2"])))["cpu"]

        results, table = [], []
        for row in rows:
            taken = measure.interleave(rounds, [(name, row) for name in names], times)
            best = {name: min(taken[name, row]) for name in names}
            table.append(
                (row, ["%.2f" % best[name] + ("" if name == names[0] else " (%.2f)" % (best[names[0]] / best[name]))
                       for name in names]))
            results += [{"row": row, "peer": name, "ms": measure.summary(taken[name, row]),
                         "ours_to_this": best[names[0]] / best[name]} for name in names]
    measure.table("frames with filters, ms on one thread (ours as a share of it)", names, table)
    measure.save(a.results, "filters", results)


if __name__ == "__main__":
    main()

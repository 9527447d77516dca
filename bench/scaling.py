#!/usr/bin/env python3
"""scaling.py [--results FILE] TIGER.dl BENCH_STIJL PLOT.svg: the cost of a pixel from 512^2 to 16384^2, and the cost of
a path segment from 1 to 100 tigers on 2048^2, measured and drawn. Labels are strokes: the plot needs no font."""
import argparse
import json
import math

import measure

SIZES = [512, 1024, 2048, 4096, 8192, 16384]
COPIES = [1, 2, 3, 4, 5, 6, 8, 10]  # a side: 1 to 100 tigers
CANVAS = 2048

# A letter is polylines on a grid 4 wide and 6 high, y down, each point two digits: x y.
GLYPHS = {
    "0": "0040 4046 4606 0600", "1": "1120 2026 1636", "2": "0040 4043 4303 0306 0646",
    "3": "0040 4046 4606 0343", "4": "0003 0343 4046", "5": "4000 0003 0343 4346 4606",
    "6": "4000 0006 0646 4643 4303", "7": "0040 4026", "8": "0040 4046 4606 0600 0343", "9": "4303 0300 0040 4046 4606",
    "a": "0242 4246 4606 0604 0444", "b": "0006 0646 4642 4202", "c": "4202 0206 0646", "d": "4046 4606 0602 0242",
    "e": "0444 4442 4202 0206 0646", "f": "4010 1016 0232", "g": "4202 0206 0646 4248 4808", "h": "0006 0242 4246",
    "i": "2226 2020", "k": "0006 4203 0346", "l": "2026", "m": "0602 0242 4246 2226", "n": "0602 0242 4246",
    "o": "0242 4246 4606 0602", "p": "0208 0242 4246 4606", "r": "0206 0442 4242", "s": "4202 0204 0444 4446 4606",
    "t": "2026 2646 0242", "u": "0206 0646 4246", "v": "0226 2642", "w": "0206 0626 2246 4642", "x": "0246 4206",
    "z": "0242 4206 0646", "y": "0206 0646 4248 4808", ".": "2526", "/": "0640", "-": "0444", ",": "2517",
}


def text(x, y, words, size=12, anchor="start"):
    """A path of strokes with its baseline at y."""
    unit = size / 8
    width = len(words) * 6 * unit - 2 * unit
    x -= {"start": 0, "middle": width / 2, "end": width}[anchor]
    data = []
    for i, letter in enumerate(words):
        for line in GLYPHS.get(letter, "").split():
            points = [(x + (i * 6 + int(line[k])) * unit, y + (int(line[k + 1]) - 6) * unit) for k in (0, 2)]
            data.append("M%.2f %.2fL%.2f %.2f" % (*points[0], *points[1]))
    return '<path d="%s" stroke="#333" stroke-width="%.2f" stroke-linecap="round" fill="none"/>' % (
        "".join(data), size / 9)


def frame_ms(bench, scene, size, copies):
    command = [bench, "--redraw", "--copies", str(copies), scene, str(size), "1", "0.4", "3"]
    return min(json.loads(measure.run(measure.pinned(command)))["wall"])


def segments(scene):
    with open(scene) as lines:
        return sum(line.count("L") + line.count("C") for line in lines if line.startswith("P "))


def panel(left, title, unit, labels, values):
    width, height, top = 330, 190, 50
    bottom = top + height
    peak = max(values)
    step = 10 ** math.floor(math.log10(peak))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if peak / s <= 6)
    limit = step * math.ceil(peak * 1.05 / step)
    out = [text(left + width / 2, 26, title, 13, "middle"), text(left - 42, top - 8, unit, 9)]
    tick = 0
    while tick * step <= limit * 1.0001:
        y = bottom - height * tick * step / limit
        out.append('<path d="M%g %.1fh%g" stroke="#ccc"/>' % (left, y, width))
        out.append(text(left - 8, y + 4, "%g" % (tick * step), 9, "end"))
        tick += 1
    points = [(left + 20 + (width - 40) * i / (len(values) - 1), bottom - height * v / limit)
              for i, v in enumerate(values)]
    for (x, _), label in zip(points, labels):
        out.append(text(x, bottom + 18, label, 9, "middle"))
    out.append('<polyline points="%s" fill="none" stroke="#c62828" stroke-width="2" stroke-linejoin="round"/>' %
               " ".join("%.1f,%.1f" % p for p in points))
    out += ['<circle cx="%.1f" cy="%.1f" r="3.5" fill="#c62828"/>' % p for p in points]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--results")
    parser.add_argument("scene")
    parser.add_argument("bench")
    parser.add_argument("plot")
    a = parser.parse_args()
    count = segments(a.scene)
    pixel_ns = [frame_ms(a.bench, a.scene, size, 1) * 1e6 / size ** 2 for size in SIZES]
    segment_ns = [frame_ms(a.bench, a.scene, CANVAS, n) * 1e6 / (count * n * n) for n in COPIES]
    for size, ns in zip(SIZES, pixel_ns):
        print("  tiger at %5d: %6.2f ns a pixel" % (size, ns))
    for n, ns in zip(COPIES, segment_ns):
        print("  %3d tigers at %d: %6.0f ns a segment" % (n * n, CANVAS, ns))
    with open(a.plot, "w") as out:
        out.write('<svg xmlns="http://www.w3.org/2000/svg" width="880" height="280" viewBox="0 0 880 280">\n'
                  '<rect width="880" height="280" fill="#fff"/>\n%s\n%s\n</svg>\n' % (
                      panel(80, "a tiger, by size in px", "ns/pixel", [str(s) for s in SIZES], pixel_ns),
                      panel(520, "tigers on 2048 px", "ns/segment", [str(n * n) for n in COPIES], segment_ns)))
    if a.results:
        measure.save(a.results, "scaling", {"pixel_ns": dict(zip(map(str, SIZES), pixel_ns)),
                                            "segment_ns": dict(zip((str(n * n) for n in COPIES), segment_ns))})


if __name__ == "__main__":
    main()

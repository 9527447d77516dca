#!/usr/bin/env python3
"""map.py OUT.svg [SEGMENTS]: a made-up map with that many segments of paths (default 2000000), the same on every
machine: lakes and woods, contour lines, roads, and houses, which are half of the segments and crowd in towns."""
import math
import random
import sys

SIDE = 100000


def points(pairs):
    """Path data: the first absolute, the others relative, in tenths."""
    x, y = round(pairs[0][0], 1), round(pairs[0][1], 1)
    parts = ["M%g %g" % (x, y)]
    letter = "l"
    for px, py in pairs[1:]:
        dx, dy = round(px - x, 1), round(py - y, 1)
        parts.append("%s%g %g" % (letter, dx, dy))
        letter = " "
        x, y = x + dx, y + dy
    return "".join(parts)


def blob(r, x, y, radius, count):
    phases = [(k, r.uniform(0, 2 * math.pi), r.uniform(0, 0.5 / k)) for k in (2, 3, 5, 9)]
    for i in range(count):
        a = 2 * math.pi * i / count
        q = radius * (1 + sum(s * math.sin(k * a + p) for k, p, s in phases))
        yield x + q * math.cos(a), y + q * math.sin(a)


def areas(r, count):
    each = 500
    for i in range(count // each):
        color = r.choice(("#b5d0d0", "#add19e", "#cdebb0", "#c8d7ab"))
        shape = points(list(blob(r, r.uniform(0, SIDE), r.uniform(0, SIDE), r.uniform(500, 6000), each)))
        yield '<path d="%sz" fill="%s"/>' % (shape, color)


def contours(r, count):
    each, rings = 250, 8
    yield '<g fill="none" stroke="#b08050" stroke-width="4" stroke-opacity=".6">'
    for i in range(count // (each * rings)):
        x, y, radius, seed = r.uniform(0, SIDE), r.uniform(0, SIDE), r.uniform(1000, 5000), r.random()
        for ring in range(rings):
            line = list(blob(random.Random(seed), x, y, radius * (ring + 1) / rings, each))
            yield '<path d="%sz"/>' % points(line)
    yield "</g>"


def roads(r, count):
    each = 40
    kinds = ((60, "#e892a2"), (36, "#fcd6a4"), (20, "#fff"), (8, "#a0a0a0"))
    for width, color in kinds:
        yield '<g fill="none" stroke="%s" stroke-width="%d" stroke-linejoin="round">' % (color, width)
        for i in range(count // (each * len(kinds))):
            x, y, a = r.uniform(0, SIDE), r.uniform(0, SIDE), r.uniform(0, 2 * math.pi)
            line = []
            for _ in range(each + 1):
                line.append((x, y))
                a += r.gauss(0, 0.25)
                x, y = x + 5 * width * math.cos(a), y + 5 * width * math.sin(a)
            yield '<path d="%s"/>' % points(line)
        yield "</g>"


def houses(r, count):
    """Blocks of 25 houses, of four segments each."""
    towns = [(r.uniform(0, SIDE), r.uniform(0, SIDE), r.uniform(800, 5000)) for _ in range(150)]
    yield '<g fill="#d9d0c9" stroke="#8a7f76" stroke-width="1.5">'
    for i in range(count // 100):
        x, y, spread = r.choice(towns)
        x, y, turn = r.gauss(x, spread), r.gauss(y, spread), r.uniform(0, math.pi / 2)
        c, s, d = math.cos(turn), math.sin(turn), []
        for j in range(25):
            u, v = j % 5 * 45, j // 5 * 45
            w, h = r.uniform(12, 35), r.uniform(12, 35)
            d.append(points([(x + c * p - s * q, y + s * p + c * q)
                             for p, q in ((u, v), (u + w, v), (u + w, v + h), (u, v + h))]) + "z")
        yield '<path d="%s"/>' % "".join(d)
    yield "</g>"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    count, r = int(sys.argv[2]) if len(sys.argv) > 2 else 2000000, random.Random(30)
    with open(sys.argv[1], "w") as out:
        out.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">\n<path d="M0 0H%dV%dH0z" fill="#f2efe9"/>\n'
            % (SIDE, SIDE, SIDE, SIDE))
        for make, share in ((areas, 0.1), (contours, 0.2), (roads, 0.2), (houses, 0.5)):
            for line in make(r, int(count * share)):
                out.write(line + "\n")
        out.write("</svg>\n")


main()

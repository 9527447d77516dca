"""The scenes of scripts/gpu-bench: what takes a GPU long, each for a reason of its own.

hairlines   300 stroked lines of 500 points, 0.5 px wide: many tiles of each are touched
dashes      500 dashed strokes of curves
gradients   200 large translucent gradients over one another: pixels
segments    one path of 400,000 segments
outlines    68,000 outlines of glyphs, a path each
"""
import math
import random


def svg(width, height, body):
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">%s</svg>' % (width, height, body)


def colour(i):
    return "hsl(%d 80%% 40%%)" % (i * 47 % 360)


def hairlines(r, width, height):
    lines = []
    for i in range(300):
        middle, reach = height * (0.3 + 0.4 * r.random()), height * 0.25 * r.random()
        points = " ".join("%d %.2f" % (x * width / 500, middle + reach * (math.sin(x / 20 + i) + 0.2 * r.random()))
                          for x in range(501))
        lines.append('<path stroke="%s" d="M%s"/>' % (colour(i), points))
    return '<g fill="none" stroke-width=".5">%s</g>' % "".join(lines)


def dashes(r, width, height):
    def place():
        return "%.1f %.1f" % (r.random() * width, r.random() * height)
    curves = "".join('<path stroke="%s" d="M%s%s"/>' % (
        colour(i), place(), "".join("C%s %s %s" % (place(), place(), place()) for _ in range(3))) for i in range(500))
    return '<g fill="none" stroke-width="3" stroke-dasharray="6 4">%s</g>' % curves


def gradients(r, width, height):
    defs, circles = "", ""
    for i in range(200):
        defs += ('<linearGradient id="g%d"><stop stop-color="%s" stop-opacity=".5"/>'
                 '<stop offset="1" stop-color="%s" stop-opacity=".3"/></linearGradient>' %
                 (i, colour(i), colour(3 * i + 1)))
        circles += '<circle cx="%d" cy="%d" r="%d" fill="url(#g%d)"/>' % (
            r.random() * width, r.random() * height, 100 + 500 * r.random(), i)
    return "<defs>%s</defs>%s" % (defs, circles)


def segments(r, width, height):
    points, count = [], 400000
    for i in range(count):
        turn = i / count * 2 * math.pi
        away = 0.35 + 0.1 * math.sin(5 * turn) + 0.03 * math.sin(37 * turn) + 0.003 * r.random()
        points.append("%.2f %.2f" % (width * (0.5 + away * math.cos(turn)), height * (0.5 + away * math.sin(turn))))
    return '<path fill="#386" d="M%sZ"/>' % " ".join(points)


def outlines(r, width, height):
    shapes = []
    for _ in range(60):
        corners = r.randint(5, 14)
        shapes.append([((4 + 3 * r.random()) * math.cos(k / corners * 2 * math.pi),
                        (6 + 5 * r.random()) * math.sin(k / corners * 2 * math.pi)) for k in range(corners)])
    paths = []
    for i in range(68000):
        x, y, shape = 8 + i % 260 * width / 261, 8 + i // 260 * height / 263, r.choice(shapes)
        curves = "".join("Q%.2f %.2f %.2f %.2f" % (x + 1.2 * a[0], y + 1.2 * a[1], x + b[0], y + b[1])
                         for a, b in zip(shape, shape[1:] + shape[:1]))
        paths.append('<path d="M%.2f %.2f%sZ"/>' % (x + shape[0][0], y + shape[0][1], curves))
    return "".join(paths)


SCENES = [(hairlines, 1920, 1080), (dashes, 1920, 1080), (gradients, 2048, 2048), (segments, 2048, 2048),
          (outlines, 3840, 3840)]


def write(folder):
    """Writes the scenes and returns them as FILE:WIDTHxHEIGHT."""
    written = []
    for make, width, height in SCENES:
        path = "%s/%s.svg" % (folder, make.__name__)
        with open(path, "w") as file:
            file.write(svg(width, height, make(random.Random(make.__name__), width, height)))
        written.append("%s:%dx%d" % (path, width, height))
    return written

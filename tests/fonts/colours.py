#!/usr/bin/env python3
"""colours.py FOLDER: a font of all kinds of paints (COLR 1), and a page of its glyphs, to be looked at beside a
browser's picture (Debian: python3-fonttools). docs/colours.png is the page, and docs/palettes.png a line of them that
examples/palettes.c draws."""
import os
import sys

from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

STOPS = [(0, 0, 1), (0.5, 1, 1), (1, 2, 1)]  # offset, colour, alpha
WIDE = [(-0.5, 0, 1), (0.25, 1, 1), (1.5, 2, 1)]
NARROW = [(0.3, 0, 1), (0.5, 1, 1), (0.7, 2, 0.5)]
UNSORTED = [(1, 2, 1), (0, 0, 1), (0.5, 1, 1)]
EDGE = [(0.5, 0, 1), (0.5, 2, 1)]
BEFORE, BEHIND = [(-1, 0, 1), (0, 1, 1), (1, 2, 1)], [(0, 0, 1), (1, 1, 1), (1.9, 2, 1)]
BOXES = {"box": (50, -150, 950, 750), "left": (50, -150, 500, 750), "low": (50, -150, 950, 300)}


def line(extend, stops):
    return {"Extend": extend, "ColorStop": [{"StopOffset": o, "PaletteIndex": i, "Alpha": a} for o, i, a in stops]}


def sweep(start, end, extend="pad", stops=STOPS):
    return {"Format": 8, "ColorLine": line(extend, stops), "centerX": 500, "centerY": 300, "startAngle": start,
            "endAngle": end}


def linear(x1=800, y1=300, x2=200, y2=900, extend="pad", stops=STOPS):
    return {"Format": 4, "ColorLine": line(extend, stops), "x0": 200, "y0": 300, "x1": x1, "y1": y1, "x2": x2, "y2": y2}


def radial(x0, r0, x1, r1, extend="pad", stops=STOPS):
    return {"Format": 6, "ColorLine": line(extend, stops), "x0": x0, "y0": 300, "r0": r0, "x1": x1, "y1": 300, "r1": r1}


def box(paint, glyph="box"):
    return {"Format": 10, "Glyph": glyph, "Paint": paint}


def about(kind, paint, **values):
    return {"Format": kind, "Paint": paint, **values}


def paints():
    centre = {"centerX": 500, "centerY": 300}
    yield from map(box, [
        sweep(0, 360), sweep(45, 270), sweep(45, 270, "repeat"), sweep(45, 135, "repeat"), sweep(45, 135, "reflect"),
        sweep(270, 45), sweep(270, 45, "repeat"), sweep(135, 45, "reflect"), sweep(-90, 90), sweep(-90, 90, "repeat"),
        sweep(90, 450), sweep(-180, 500), sweep(30, 200, "pad", WIDE), sweep(30, 200, "repeat", NARROW),
        sweep(30, 200, "reflect", NARROW), sweep(30, 200, "pad", UNSORTED), sweep(30, 200, "pad", EDGE), sweep(90, 90),
        sweep(90, 90, "repeat"), sweep(100, 110, "repeat"),
        linear(), linear(stops=WIDE), linear(x2=500, extend="repeat", stops=NARROW),
        linear(extend="reflect", stops=WIDE),
        linear(stops=UNSORTED), linear(x1=200), linear(x2=400, y2=300), linear(stops=EDGE)])
    for stops in (STOPS, WIDE, BEFORE, BEHIND):
        for extend in ("pad", "repeat", "reflect"):
            yield box(radial(500, 100, 500, 400, extend, stops))
    yield from map(box, [
        radial(500, 0, 500, 400), radial(500, 400, 500, 100, "pad", BEHIND), radial(500, 400, 500, 0),
        radial(500, 400, 500, 100, "repeat", BEHIND), radial(300, 50, 700, 150), radial(300, 50, 700, 150, "repeat"),
        radial(300, 100, 700, 100, "reflect"), radial(500, 200, 500, 200),
        about(12, sweep(45, 270), Transform={"xx": 1, "yx": 0.3, "xy": -0.2, "yy": 0.7, "dx": 50, "dy": 40}),
        about(14, sweep(0, 360), dx=100, dy=50), about(16, sweep(0, 360), scaleX=0.5, scaleY=1.2),
        about(18, sweep(0, 270), scaleX=0.5, scaleY=1.2, **centre), about(20, radial(500, 0, 500, 400), scale=0.5),
        about(22, radial(500, 0, 500, 400), scale=0.5, **centre), about(24, linear(), angle=30),
        about(26, linear(), angle=30, **centre), about(28, linear(), xSkewAngle=20, ySkewAngle=10),
        about(30, linear(), xSkewAngle=20, ySkewAngle=-30, **centre)])
    yield {"Format": 1, "Layers": [box(sweep(0, 360)), box(sweep(0, 90, "pad", [(0, 0, 0.5), (1, 2, 0)]))]}
    yield {"Format": 11, "Glyph": "g0"}
    for mode in range(28):
        source = box({"Format": 2, "PaletteIndex": 0, "Alpha": 0.8}, "left")
        backdrop = box(linear(stops=[(0, 1, 1), (1, 2, 0.2)]), "low")
        yield {"Format": 32, "SourcePaint": source, "CompositeMode": mode, "BackdropPaint": backdrop}


def main(folder):
    graphs = list(paints())
    names = [".notdef"] + ["g%d" % i for i in range(len(graphs))] + list(BOXES)
    fb = FontBuilder(1000, isTTF=True)
    fb.setupGlyphOrder(names)
    fb.setupCharacterMap({0xE000 + i: "g%d" % i for i in range(len(graphs))})
    drawn = {}
    for name in names:
        x0, y0, x1, y1 = BOXES.get(name, BOXES["box"])
        pen = TTGlyphPen(None)
        pen.moveTo((x0, y0))
        for point in ((x0, y1), (x1, y1), (x1, y0)):
            pen.lineTo(point)
        pen.closePath()
        drawn[name] = pen.glyph()
    fb.setupGlyf(drawn)
    fb.setupHorizontalMetrics({name: (1000, 50) for name in names})
    fb.setupHorizontalHeader(ascent=800, descent=-200)
    fb.setupNameTable({"familyName": "Colours", "styleName": "Regular", "psName": "Colours"})
    fb.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    fb.setupPost()
    # The first palette, one for dark backgrounds and one for light ones.
    fb.font["CPAL"] = buildCPAL(
        [[(1, 0, 0, 1), (1, 1, 0, 1), (0, 0, 1, 1)], [(0, 1, 1, 1), (1, 1, 1, 1), (1, 0.6, 0, 1)],
         [(0, 0.3, 0.2, 1), (0.6, 0.8, 0.1, 1), (0.3, 0, 0.4, 1)]], [0, 2, 1])
    fb.font["COLR"] = buildCOLR({"g%d" % i: graph for i, graph in enumerate(graphs)},
                                clipBoxes={"g1": (100, -100, 800, 600)})
    fb.save(os.path.join(folder, "colours.ttf"))
    columns, size = 16, 50
    text = "".join('<text x="%d" y="%d">&#x%x;</text>' %
                   (i % columns * size, i // columns * size + size * 4 // 5, 0xE000 + i)
                   for i in range(len(graphs)))
    with open(os.path.join(folder, "colours.svg"), "w") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><style>@font-face{font-family:Colours;'
            'src:url(colours.ttf)}text{font:%dpx Colours}</style>%s</svg>\n'
            % (columns * size, -(-len(graphs) // columns) * size, size, text))
    print(len(graphs), "glyphs")


main(sys.argv[1])

#!/usr/bin/env python3
"""scenes.py TIGER.svg FOLDER: writes the scenes of the benchmark, each as a display list (.dl) and as SVG.

tiger         the tiger (900 x 900, Debian package efl-doc)
polygons50k   50,000 opaque twelve-gons of about 8 px radius
circles200    200 large circles, alpha 0.5, linear gradients
cubics10k     10,000 stroked cubics, 1 to 4 px wide
sprites2k     2,000 images of 32 x 32, scaled down, bilinear
textures      six large shapes filled with an image, repeated, turned and scaled, with each kind of sampling
sweeps        four translucent sweeps over all of the canvas, and a thousand small ones of their own
gradients5k   5,000 small circles, with a linear or a radial gradient each
radials       eight translucent radial gradients over all of the canvas
zoomed        400 stroked cubics a hundred times as large as the canvas
clips1k       1,000 small clip paths of three shapes each, and groups of opacity 0.5
clips40       40 circular clip paths in one another, around 60 squares
image_KIND    an image, repeated over all of the canvas, bilinear: level (pixel upon pixel), scaled down, turned, up
overdraw200   200 large opaque rectangles over one another
bars2k        2,000 thin rectangles as high as the canvas
stars100      100 large translucent stars
squares100k   100,000 small rectangles
discs100k     100,000 small circles
glyphs10k     10,000 small shapes of two contours with curves, a path each
coasts100     100 outlines of 3,000 points, filled and stroked with mitred joins
roads4k       4,000 lines of 20 points, each stroked twice, with round joins and caps
polyline200k  one stroked line of 200,000 points
marks100k     100,000 shapes of 1 to 20 px, a path each, in lines with gaps, on a page of 3840 px that they hardly
              overlap on
All from sprites2k on are display lists only, for adapters that know all of the format.

A display list has one record a line; colours are straight sRGB; the background is opaque white:
  dl1 WIDTH HEIGHT
  I width height                             an image: red 3 x + y, green 5 (x ^ y), blue x y / 16, modulo 256
  P M x y L x y C x1 y1 x2 y2 x y Z ...      a path, absolute; the draws below use the last one
  F nz|eo PAINT                              fill
  S width butt|round|square miter|round|bevel miterlimit PAINT [dash N on off ...]
  C nz|eo                                    a layer begins, clipped to the path
  L opacity normal|multiply|screen|overlay   a layer begins
  E                                          it ends
PAINT, in the path's space, gradients padded and images repeated:
  solid RRGGBBAA
  lin x0 y0 x1 y1 N off RRGGBBAA ...
  rad x y r N off RRGGBBAA ...
  swp x y N off RRGGBBAA ...                 one turn from the x axis on
  img NUMBER nearest|bilinear|bicubic a b c d e f   the matrix from the image's pixels
"""
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree

SIZE = 1600  # of the made scenes, px


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def number(x):
    """The shortest decimal that reads back as the same 32-bit float, without an exponent."""
    x = single(x)
    for digits in range(1, 10):
        text = "%.*g" % (digits, x)
        if single(float(text)) == x:
            break
    if "e" in text:
        text = ("%.10f" % float(text)).rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def numbers(values):
    return " ".join(map(number, values))


def path_text(segments):
    return " ".join(s[0] if len(s) == 1 else s[0] + " " + numbers(s[1:]) for s in segments)


class Scene:
    def __init__(self, name, size):
        self.name, self.size = name, size
        self.list = ["dl1 %s %s" % (number(size), number(size))]
        self.defs, self.shapes = [], []

    def draw(self, segments, fill=None, even_odd=False, gradient=None, stroke=None):
        """fill: RRGGBBAA; gradient: (x0, y0, x1, y1, [(offset, RRGGBBAA)]); stroke: a dict."""
        data = path_text(segments)
        self.list.append("P " + data)
        attributes = ""
        rule = "eo" if even_odd else "nz"
        if gradient:
            *line, stops = gradient
            self.list.append("F %s lin %s %d %s" % (
                rule, numbers(line), len(stops), " ".join(number(o) + " " + c for o, c in stops)))
            attributes += ' fill="url(#%s)"' % self.define_gradient(line, stops)
        elif fill:
            self.list.append("F %s solid %s" % (rule, fill))
            attributes += paint_attributes("fill", fill)
        else:
            attributes += ' fill="none"'
        if even_odd:
            attributes += ' fill-rule="evenodd"'
        if stroke:
            self.list.append("S %s %s %s %s solid %s" % (
                number(stroke["width"]), stroke["cap"], stroke["join"], number(stroke["limit"]), stroke["color"]))
            attributes += paint_attributes("stroke", stroke["color"])
            attributes += ' stroke-width="%s" stroke-linecap="%s" stroke-linejoin="%s" stroke-miterlimit="%s"' % (
                number(stroke["width"]), stroke["cap"], stroke["join"], number(stroke["limit"]))
        self.shapes.append('<path%s d="%s"/>' % (attributes, data))

    def define_gradient(self, line, stops):
        name = "g%d" % len(self.defs)
        inner = "".join('<stop offset="%s"%s/>' % (number(o), paint_attributes("stop", c, "-color")) for o, c in stops)
        x0, y0, x1, y1 = map(number, line)
        self.defs.append('<linearGradient id="%s" gradientUnits="userSpaceOnUse" x1="%s" y1="%s" x2="%s" y2="%s">%s'
                         "</linearGradient>" % (name, x0, y0, x1, y1, inner))
        return name

    def save(self, folder):
        base = os.path.join(folder, self.name)
        with open(base + ".dl", "w") as out:
            out.write("\n".join(self.list) + "\n")
        size = number(self.size)
        with open(base + ".svg", "w") as out:
            out.write('<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s">\n'
                      '<rect width="100%%" height="100%%" fill="#fff"/>\n' % (size, size, size, size))
            if self.defs:
                out.write("<defs>\n%s\n</defs>\n" % "\n".join(self.defs))
            out.write("\n".join(self.shapes) + "\n</svg>\n")


def paint_attributes(property_name, rgba, color_suffix=""):
    text = ' %s%s="#%s"' % (property_name, color_suffix, rgba[:6].lower())
    alpha = int(rgba[6:], 16)
    return text if alpha == 255 else text + ' %s-opacity="%s"' % (property_name, number(alpha / 255))


# The tiger: only what its path data and attributes use.
TOKEN = re.compile(r"[MmLlHhVvCcSsZz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def parse_path(data):
    tokens = TOKEN.findall(data)
    segments = []
    x = y = start_x = start_y = 0.0
    control = None  # the second control point of a cubic just before
    command = ""
    i = 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
        elif command in "Mm":
            command = "L" if command == "M" else "l"
        kind = command.upper()
        count = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Z": 0}[kind]
        values = [float(t) for t in tokens[i:i + count]]
        i += count
        if command.islower():
            values = [v + ((y if kind == "V" else x) if len(values) == 1 else (x, y)[k & 1])
                      for k, v in enumerate(values)]
        if kind == "Z":
            segments.append(("Z",))
            x, y, control = start_x, start_y, None
        elif kind in "CS":
            if kind == "S":
                values = [2 * x - control[0], 2 * y - control[1]] + values if control else [x, y] + values
            segments.append(("C", *values))
            control, (x, y) = values[2:4], values[4:]
        else:
            x, y = {"H": lambda: (values[0], y), "V": lambda: (x, values[0])}.get(kind, lambda: values)()
            segments.append(("M" if kind == "M" else "L", x, y))
            control = None
            if kind == "M":
                start_x, start_y = x, y
    return segments


def parse_color(text):
    text = {"black": "#000000", "white": "#ffffff", "red": "#ff0000"}.get(text, text)
    if len(text) == 4:
        text = "#" + "".join(c + c for c in text[1:])
    return text[1:].upper() + "FF"


def tiger(source):
    scene = Scene("tiger", 900)
    for element in ElementTree.parse(source).getroot():
        segments = parse_path(element.get("d"))
        if len(segments) < 2:
            continue
        fill, stroke = element.get("fill", "#000000"), element.get("stroke", "none")
        scene.draw(segments, fill=None if fill == "none" else parse_color(fill),
                   even_odd=element.get("fill-rule") == "evenodd",
                   stroke=None if stroke == "none" else {
                       "width": float(element.get("stroke-width", "1")),
                       "cap": element.get("stroke-linecap", "butt"), "join": element.get("stroke-linejoin", "miter"),
                       "limit": float(element.get("stroke-miterlimit", "4")), "color": parse_color(stroke)})
    return scene


class Random:
    """Knuth's 64-bit MMIX generator, its top 24 bits: the same scenes from every Python."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 40) / 2**24

    def between(self, low, high):
        return low + (high - low) * self.unit()

    def color(self, alpha="FF"):
        return "%02X%02X%02X%s" % (int(self.unit() * 256), int(self.unit() * 256), int(self.unit() * 256), alpha)


def polygons():
    random, scene = Random(1), Scene("polygons50k", SIZE)
    for _ in range(50000):
        x, y = random.between(0, SIZE), random.between(0, SIZE)
        color, phase = random.color(), random.between(0, 2 * math.pi)
        segments = []
        for corner in range(12):
            angle, radius = phase + corner * 2 * math.pi / 12, 8 * random.between(.6, 1.4)
            segments.append(("L" if corner else "M", x + radius * math.cos(angle), y + radius * math.sin(angle)))
        scene.draw(segments + [("Z",)], fill=color)
    return scene


def circles():
    random, scene = Random(2), Scene("circles200", SIZE)
    for _ in range(200):
        r = random.between(150, 400)
        x, y = random.between(r / 2, SIZE - r / 2), random.between(r / 2, SIZE - r / 2)
        angle = random.between(0, 2 * math.pi)
        dx, dy = r * math.cos(angle), r * math.sin(angle)
        scene.draw(circle(x, y, r), gradient=(x - dx, y - dy, x + dx, y + dy,
                                             [(0, random.color("80")), (1, random.color("80"))]))
    return scene


def cubics():
    random, scene = Random(3), Scene("cubics10k", SIZE)
    for _ in range(10000):
        x, y = random.between(0, SIZE), random.between(0, SIZE)
        points = [c + random.between(-120, 120) for _ in range(3) for c in (x, y)]
        width = random.between(1, 4)
        scene.draw([("M", x, y), ("C", *points)], stroke={
            "width": width, "cap": "butt", "join": "miter", "limit": 4, "color": random.color()})
    return scene


def circle(x, y, r):
    k = .5522847498 * r  # four cubics
    return [("M", x + r, y),
            ("C", x + r, y + k, x + k, y + r, x, y + r), ("C", x - k, y + r, x - r, y + k, x - r, y),
            ("C", x - r, y - k, x - k, y - r, x, y - r), ("C", x + k, y - r, x + r, y - k, x + r, y), ("Z",)]


def rectangle(x, y, width, height):
    return [("M", x, y), ("L", x + width, y), ("L", x + width, y + height), ("L", x, y + height), ("Z",)]


class List:
    """A display list without an SVG of its own."""

    def __init__(self, name, *records, size=SIZE):
        self.name, self.list = name, ["dl1 %d %d" % (size, size), *records]

    def path(self, segments):
        self.list.append("P " + path_text(segments))

    def add(self, *words):
        self.list.append(" ".join(w if isinstance(w, str) else number(w) for w in words))

    def fill(self, segments, *paint):
        self.path(segments)
        self.add("F nz", *paint)

    def save(self, folder):
        with open(os.path.join(folder, self.name + ".dl"), "w") as out:
            out.write("\n".join(self.list) + "\n")


def stops(random, alpha="FF"):
    return ["3"] + [word for offset in ("0", ".5", "1") for word in (offset, random.color(alpha))]


def sprites():
    random, scene = Random(4), List("sprites2k", "I 32 32")
    for _ in range(2000):
        x, y, scale = random.between(0, SIZE), random.between(0, SIZE), random.between(.4, 1)
        scene.fill(rectangle(x, y, 32 * scale, 32 * scale), "img 0 bilinear", scale, 0, 0, scale, x, y)
    return scene


def textures():
    random, scene = Random(5), List("textures", "I 400 300")
    for i in range(6):
        angle, scale = random.between(0, 2 * math.pi) * (i & 1), random.between(.5, 2)
        c, s = scale * math.cos(angle), scale * math.sin(angle)
        scene.fill(circle(random.between(0, SIZE), random.between(0, SIZE), random.between(300, 500)), "img 0",
                   ("nearest", "bilinear", "bicubic")[i // 2], c, s, -s, c, random.between(0, SIZE), 0)
    return scene


def sweeps():
    random, scene = Random(6), List("sweeps")
    for _ in range(4):
        scene.fill(rectangle(0, 0, SIZE, SIZE), "swp", random.between(0, SIZE), random.between(0, SIZE),
                   *stops(random, "80"))
    for _ in range(1000):
        x, y = random.between(0, SIZE), random.between(0, SIZE)
        scene.fill(circle(x, y, random.between(4, 12)), "swp", x, y, *stops(random))
    return scene


def gradients():
    random, scene = Random(7), List("gradients5k")
    for i in range(5000):
        x, y, r = random.between(0, SIZE), random.between(0, SIZE), random.between(4, 12)
        kind = ("lin", x - r, y, x + r, y) if i & 1 else ("rad", x, y, r)
        scene.fill(circle(x, y, r), *kind, *stops(random))
    return scene


def zoomed():
    random, scene = Random(8), List("zoomed")
    for _ in range(400):
        points = [random.between(-100 * SIZE, 100 * SIZE) for _ in range(8)]
        scene.path([("M", *points[:2]), ("C", *points[2:])])
        scene.add("S", random.between(1, 50), "butt miter 4 solid", random.color("80"))
    return scene


def clips():
    random, scene = Random(9), List("clips1k")
    for i in range(1000):
        x, y = random.between(0, SIZE), random.between(0, SIZE)
        scene.path(circle(x, y, 24))
        scene.add("C nz" if i % 4 else "L .5 normal")
        for _ in range(3):
            scene.fill(rectangle(x - random.between(0, 24), y - random.between(0, 24), 24, 24), "solid",
                       random.color())
        scene.add("E")
    return scene


def radials():
    random, scene = Random(10), List("radials")
    for _ in range(8):
        scene.fill(rectangle(0, 0, SIZE, SIZE), "rad", random.between(0, SIZE), random.between(0, SIZE),
                   random.between(SIZE / 3, SIZE), *stops(random, "80"))
    return scene


def nested_clips():
    random, scene = Random(11), List("clips40")
    for i in range(40):
        scene.path(circle(SIZE / 2 + random.between(-60, 60), SIZE / 2 + random.between(-60, 60), .48 * SIZE - 6 * i))
        scene.add("C nz")
    for _ in range(60):
        scene.fill(rectangle(random.between(0, SIZE), random.between(0, SIZE), SIZE / 5, SIZE / 5), "solid",
                   random.color())
    for _ in range(40):
        scene.add("E")
    return scene


def image_over_all(kind, scale, angle):
    scene, c, s = List("image_" + kind, "I 400 300"), scale * math.cos(angle), scale * math.sin(angle)
    scene.fill(rectangle(0, 0, SIZE, SIZE), "img 0 bilinear", c, s, -s, c, 10, 7)
    return scene


def overdraw():
    random, scene = Random(12), List("overdraw200")
    for _ in range(200):
        scene.fill(rectangle(random.between(-SIZE / 5, .7 * SIZE), random.between(-SIZE / 5, .7 * SIZE),
                             random.between(SIZE / 5, .8 * SIZE), random.between(SIZE / 5, .8 * SIZE)),
                   "solid", random.color())
    return scene


def bars():
    random, scene = Random(13), List("bars2k")
    for i in range(2000):
        height = random.between(0, SIZE)
        scene.fill(rectangle(SIZE / 2000 * i, SIZE - height, .7 * SIZE / 2000, height), "solid", random.color())
    return scene


def star(random, x, y, corners, low, high):
    """A closed path of corners at angles that are equally far apart, their distances from (x, y) at random."""
    segments = []
    for corner in range(corners):
        angle, radius = corner * 2 * math.pi / corners, random.between(low, high)
        segments.append(("L" if corner else "M", x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return segments + [("Z",)]


def stars():
    random, scene = Random(14), List("stars100")
    for _ in range(100):
        scene.fill(star(random, random.between(0, SIZE), random.between(0, SIZE), 40, SIZE / 5, .9 * SIZE), "solid",
                   random.color("C0"))
    return scene


def squares():
    random, scene = Random(15), List("squares100k")
    for _ in range(100000):
        scene.fill(rectangle(random.between(0, SIZE), random.between(0, SIZE), random.between(2, 12),
                             random.between(2, 12)), "solid", random.color())
    return scene


def discs():
    random, scene = Random(16), List("discs100k")
    for _ in range(100000):
        scene.fill(circle(random.between(0, SIZE), random.between(0, SIZE), random.between(1, 5)), "solid",
                   random.color())
    return scene


def glyphs():
    """Rings: the outer contour has two curves and two lines, the inner one curves only."""
    random, scene = Random(17), List("glyphs10k")
    for i in range(10000):
        x, y = 4 + SIZE / 125 * (i % 125), 6 + SIZE / 80 * (i // 125)
        width, height = random.between(3, 5), random.between(4, 6)
        outer = [("M", x - width, y), ("C", x - width, y - height, x, y - height, x, y - .8 * height),
                 ("L", x + width, y), ("C", x + width, y + height, x, y + height, x, y + .8 * height), ("Z",)]
        scene.fill(outer + circle(x, y, .4 * width), "solid", "202020FF")
    return scene


def coasts():
    random, scene = Random(18), List("coasts100")
    for _ in range(100):
        x, y, size = random.between(0, SIZE), random.between(0, SIZE), random.between(.03, .2) * SIZE
        waves = [(k, random.between(.1, .4) / k, random.between(0, 2 * math.pi)) for k in range(1, 40)]
        segments = []
        for i in range(3000):
            angle = 2 * math.pi * i / 3000
            radius = size * (1 + .3 * sum(a * math.sin(k * angle + p) for k, a, p in waves) + random.between(-.01, .01))
            segments.append(("L" if i else "M", x + radius * math.cos(angle), y + radius * math.sin(angle)))
        scene.fill(segments + [("Z",)], "solid", random.color())
        scene.add("S", random.between(.5, 1.5), "butt miter 4 solid", random.color())
    return scene


def roads():
    random, scene = Random(19), List("roads4k")
    for _ in range(4000):
        x, y, angle = random.between(0, SIZE), random.between(0, SIZE), random.between(0, 2 * math.pi)
        segments = [("M", x, y)]
        for _ in range(20):
            angle += random.between(-.5, .5)
            x, y = x + 8 * math.cos(angle), y + 8 * math.sin(angle)
            segments.append(("L", x, y))
        width = random.between(1, 4)
        scene.path(segments)
        scene.add("S", width + 1.5, "round round 4 solid 404040FF")
        scene.add("S", width, "round round 4 solid", random.color())
    return scene


def polyline():
    random, scene, segments, x, y = Random(20), List("polyline200k"), [], SIZE / 2, SIZE / 2
    for i in range(200000):
        x, y = (min(max(c + random.between(-6, 6), 0), SIZE) for c in (x, y))
        segments.append(("L" if i else "M", x, y))
    scene.path(segments)
    scene.add("S 1 butt miter 4 solid 20408080")
    return scene


def ring(x, y, width, height):
    """Two contours, as letters have: the outer one has curves and lines, the inner one curves only."""
    return [("M", x, y + height), ("L", x, y),
            ("C", x + width, y, x + width, y + .4 * height, x + .8 * width, y + .5 * height),
            ("C", x + width, y + .6 * height, x + width, y + height, x, y + height), ("Z",),
            *circle(x + .4 * width, y + .5 * height, .2 * min(width, height))]


def marks():
    """In lines of words and paragraphs, as text is laid out, and of sizes as a drawing's are: most are small."""
    random, size = Random(21), 3840
    scene, x, y, count = List("marks100k", size=size), 40, 40, 0
    while count < 100000:
        width, height = (1 + 19 * random.unit() ** 2 for _ in range(2))
        kind = random.unit()
        if kind < .4:
            segments = ring(x, y - height, width, height)
        elif kind < .6:
            segments = rectangle(x, y - height, width, height)
        elif kind < .8:
            segments = circle(x + width / 2, y - width / 2, width / 2)
        else:
            segments = star(random, x + width / 2, y - width / 2, 3 + int(random.unit() * 8), width / 5, width / 2)
        scene.fill(segments, "solid", "202020FF" if kind < .4 else random.color())
        count += 1
        x += width + (8 if random.unit() < .15 else 1.5)
        if x > size - 60:
            x, y = 40, y + (24 if random.unit() < .1 else 11.6)
    return scene


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    source, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for scene in (tiger(source), polygons(), circles(), cubics(), sprites(), textures(), sweeps(), gradients(),
                  radials(), zoomed(), clips(), nested_clips(), image_over_all("level", 1, 0),
                  image_over_all("down", .4, 0), image_over_all("turned", 1, .5), image_over_all("up", 3, 0),
                  overdraw(),
                  bars(), stars(), squares(), discs(), glyphs(), coasts(), roads(), polyline(), marks()):
        scene.save(folder)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""outputs.py STIJL: pictures in all formats, read back by Pillow, and what the command makes of names and pipes."""
import io
import json
import os
import re
import sys
import tempfile

import cli
import tap
from tiles import Archive

try:
    import PIL.Image
except ImportError:
    PIL = None

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><defs><linearGradient id="g"><stop stop-color="#fd0"/>
<stop offset="1" stop-color="#06c" stop-opacity=".3"/></linearGradient></defs><rect x="2" y="2" width="40" height="30"
rx="6" fill="url(#g)"/><circle cx="42" cy="24" r="14" fill="#c04" fill-opacity=".6"/></svg>"""
ENDINGS = {"png": "png", "webp": "webp", "jpeg": "jpg", "ppm": "ppm", "pam": "pam", "rgba": "rgba"}


def rgba(png):
    """The bytes R G B A of a PNG file, by our own reader."""
    return b"".join(bytes(p) for row in cli.decode(png)[2] for p in row)


def opened(data):
    image = PIL.Image.open(io.BytesIO(data))
    image.load()
    return image


def parts(data, end):
    """A header and the bytes behind it."""
    at = data.index(end) + len(end)
    return data[:at], data[at:]


def far(a, b):
    return max(abs(x - y) for x, y in zip(a, b)), sum(abs(x - y) for x, y in zip(a, b)) / len(a)


def test_names(c):
    for ending in ("webp", "WebP", "jpg", "JPEG", "jfif", "ppm", "pam", "rgba"):
        c("a.svg", "named." + ending, "-w", "90")
        kind = {"webp": "webp", "jfif": "jpeg", "jpg": "jpeg"}.get(ending.lower(), ending.lower())
        ended = c("render", "a.svg", "-w", "90", "--format", kind, "-o", "-")
        c.expect("the ending " + ending, ended.status == 0 and ended.stdout == c.read("named." + ending), ended)


def test_pixels(c):
    png = c("render", "a.svg", "-w", "90").stdout
    pixels = rgba(png)
    white = rgba(c("render", "a.svg", "-w", "90", "-b", "white").stdout)
    rgb = bytes(v for i, v in enumerate(white) if i % 4 != 3)
    c.expect("raw pixels", c.read("named.rgba") == pixels)
    head, rest = parts(c.read("named.pam"), b"ENDHDR\n")
    c.expect("pam",
             head == b"P7\nWIDTH 90\nHEIGHT 60\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" and rest == pixels)
    head, rest = parts(c.read("named.ppm"), b"\n255\n")
    c.expect("ppm on white", head == b"P6\n90 60\n255\n" and rest == rgb)
    ended = c("render", "a.svg", "-w", "90", "-b", "rgb(0 0 255 / 0)", "--format", "ppm")
    c.expect("what is transparent is white", parts(ended.stdout, b"\n255\n")[1] == rgb, ended)
    blue = rgba(c("render", "a.svg", "-w", "90", "-b", "blue").stdout)
    ended = c("render", "a.svg", "-w", "90", "-b", "blue", "--format", "ppm")
    c.expect("on blue", parts(ended.stdout, b"\n255\n")[1] == bytes(v for i, v in enumerate(blue) if i % 4 != 3), ended)
    c("render", "a.svg", "-w", "90", "--save-scene", "a.scene", "-o", "x.png")
    ended = c("render", "a.scene", "--format", "ppm")
    c.expect("a saved scene on white", parts(ended.stdout, b"\n255\n")[1] == rgb, ended)
    if not PIL:
        c.t.skip("read by Pillow", "no Pillow")
        return
    for name, data in (("png", png), ("webp", c.read("named.webp"))):
        image = opened(data)
        c.expect(name + " by Pillow", image.size == (90, 60) and image.convert("RGBA").tobytes() == pixels)
    c.expect("ppm by Pillow", opened(c.read("named.ppm")).tobytes() == rgb)
    image = opened(c.read("named.jpg"))
    most, mean = far(image.tobytes(), rgb)
    c.expect("jpeg by Pillow (%d, %.2f)" % (most, mean),
             image.format == "JPEG" and image.mode == "RGB" and image.size == (90, 60) and mean < 2)
    sizes = {q: c("render", "a.svg", "-w", "300", "--format", f, "--quality", q).stdout
             for f, q in (("jpeg", "30"), ("jpeg", "95"))}
    c.expect("a lower quality is smaller", len(sizes["30"]) < len(sizes["95"]))
    samples = {q: opened(d).layer[0][1:3] for q, d in sizes.items()}
    c.expect("from 90 on colours are not halved", samples == {"30": (2, 2), "95": (1, 1)}, None)
    lossy = c("render", "a.svg", "-w", "300", "--format", "webp", "--quality", "50").stdout
    lossless = c("render", "a.svg", "-w", "300", "--format", "webp", "--quality", "lossless").stdout
    c.expect("webp is lossless unless told",
             lossless == c("render", "a.svg", "-w", "300", "--format", "webp").stdout and
             b"VP8L" in lossless[:32] and b"VP8L" not in lossy[:32] and len(lossy) < len(lossless))


def test_png(c):
    """Each kind of pixel that a PNG file may have, from pictures that allow it."""
    flat = b'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" shape-rendering="crispEdges">%s</svg>'
    bars = lambda colors: flat % b"".join(
        b'<rect x="%d" width="90" height="200" fill="%s"/>' % (200 * i // len(colors), color.encode())
        for i, color in enumerate(colors))
    greys = lambda n: ["#" + "%02x" % (255 * i // (n - 1)) * 3 for i in range(n)]
    many = ["#%02x%02x%02x" % (i, 255 - i, i * 7 % 256) for i in range(200)]
    cases = {"1 bit of grey": (bars(greys(2)), (0, 1)), "2 bits of grey": (bars(greys(4)), (0, 2)),
             "4 bits of grey": (bars(greys(16)), (0, 4)), "8 bits of grey": (bars(greys(100)), (0, 8)),
             "two colours": (bars(["red", "blue"]), (3, 1)),
             "three and nothing": (bars(["red", "blue", "rgb(0 9 9/.4)"]) .replace(
                 b'x="0" width="90"', b'x="9" width="40"'), (3, 2)),
             "16 colours": (bars(many[:16]), (3, 4)), "200 colours": (bars(many), (3, 8)),
             "grey and alpha": (flat % b'<defs><radialGradient id="g"><stop stop-color="#fff"/><stop offset="1" '
                                b'stop-color="#000" stop-opacity="0"/></radialGradient></defs><circle '
                                b'cx="100" cy="100" '
                                b'r="90" fill="url(#g)"/>', (4, 8)),
             "colours": (flat %
                         b'<defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="#0fb"/>'
                         b'</linearGradient></defs><path d="M0 0h200v200h-200z" fill="url(#g)"/>', (2, 8)),
             "colours and alpha": (flat %
                                   b'<defs><linearGradient id="g" y2="1"><stop stop-color="red"/><stop offset="1" '
                                   b'stop-color="#0fb" stop-opacity=".1"/></linearGradient></defs><circle '
                                   b'cx="100" cy="100" '
                                   b'r="90" fill="url(#g)"/>', (6, 8))}
    for name, (svg, kind) in cases.items():
        c.write("kind.svg", svg)
        ended = c("render", "kind.svg", "--format", "rgba", "-o", "-")
        pixels, sizes, good = ended.stdout, {}, ended.status == 0
        for level in ("0", "1", "6", "9", "best"):
            png = c("render", "kind.svg", "--png-level", level).stdout
            sizes[level] = len(png)
            good = good and (png[25], png[24]) == kind or level == "best"
            good = good and rgba(png) == pixels
            if PIL:
                good = good and opened(png).convert("RGBA").tobytes() == pixels
        c.t.test("png: " + name, good and sizes["best"] <= sizes["9"] <= sizes["0"], str((png[24], png[25], sizes)))
    c.expect("threads change nothing", c("render", "a.svg", "-w", "900", "--threads", "1").stdout ==
             c("render", "a.svg", "-w", "900", "--threads", "4").stdout)


def test_folders(c):
    c.write("b.svg", SVG.replace(b"#c04", b"#40c"))
    for name, ending in ENDINGS.items():
        ended = c("render", "a.svg", "b.svg", "-o", "out-" + name, "--format", name, "-w", "20,40")
        found = sorted(os.listdir(c.path("out-" + name))) if ended.status == 0 else []
        c.expect("a folder of " + name, found == ["%s-%d.%s" % (n, w, ending) for n in "ab" for w in (20, 40)], ended)
        single = c("render", "b.svg", "-w", "40", "--format", name)
        c.expect("each as one alone, " + name, c.read("out-%s/b-40.%s" % (name, ending)) == single.stdout, single)
    ended = c("render", "a.svg", "b.svg", "-o", "p/{name}-{width}.webp", "-w", "8,9")
    c.expect("a pattern's ending", sorted(os.listdir(c.path("p"))) ==
             ["%s-%d.webp" % (n, w) for n in "ab" for w in (8, 9)] and c.read("p/a-8.webp")[8:12] == b"WEBP", ended)
    ended = c("render", "a.svg", "b.svg", "-o", "j", "--format", "webp", "--journal", "j.txt", "-w", "9")
    again = c("render", "a.svg", "b.svg", "-o", "j", "--format", "jpeg", "--journal", "j.txt", "--resume", "-w", "9")
    c.expect("a journal is of one format", ended.status == 0 and again.status == 1 and again.stderr.count("\n") == 1,
             again)


def test_streamed(c):
    """Pictures too large to be held have the pixels of those that are, and take little memory."""
    c.write("wide.svg",
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><circle cx="300" cy="500" r="400" '
            b'fill="#0a7" fill-opacity=".5"/></svg>')
    for name in ("ppm", "pam", "rgba", "jpeg"):
        ended = c("render", "wide.svg", "-w", "9000", "--format", name, "-o", "wide", "--force", "--stats", "wide.json")
        bytes_a_pixel = {"ppm": 3, "jpeg": 0}.get(name, 4)
        size = os.path.getsize(c.path("wide")) if ended.status == 0 else 0
        peak = json.loads(c.read("wide.json"))["peak_rss_bytes"] if ended.status == 0 else 0
        c.expect("%s is streamed" % name, 81000000 * bytes_a_pixel <= size < 81000000 * bytes_a_pixel + 5000000, ended)
        if name == "rgba":
            with open(c.path("wide"), "rb") as file:
                file.seek((4500 * 9000 + 2700) * 4)
                centre = file.read(4)
            c.t.test("its centre", all(abs(x - y) <= 1 for x, y in zip(centre, (0, 170, 119, 128))), str(tuple(centre)))
        c.t.test("%s is not held" % name, peak < 200e6 or tap.SANITIZED, str(peak))
        os.remove(c.path("wide"))


def test_limits(c):
    ended = c("render", "a.svg", "-w", "3000", "-o", "x.webp", "--max-memory", "100000000")
    c.expect("what WebP takes is bounded", cli.one_line_error(ended) and re.search(
        r"to write 3000 x 2000 pixels as WebP takes up to \d+ bytes, more than max_memory leaves room for \(the --max-",
        ended.stderr),
        ended)
    c.expect("and nothing is written", not os.path.exists(c.path("x.webp")))
    ended = c("render", "a.svg", "-w", "3000", "-o", "x.webp")
    c.expect("what is asked for is not", ended.status == 0, ended)
    c.write("own.svg",
            b'<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><path d="M1 1h9v9z"/></svg>')
    ended = c("render", "own.svg", "-o", "y.webp")
    c.expect("what a document alone asks for is", cli.one_line_error(ended) and "max_memory" in ended.stderr, ended)


def test_tiles(c):
    for name, start in (("webp", b"RIFF"), ("jpeg", b"\xff\xd8\xff")):
        ending = ENDINGS[name]
        arguments = ["tiles", "a.svg", "-w", "600", "--format", name]
        ended = c(*arguments, "-o", "dz-" + name)
        dzi = c.read("dz-%s/a.dzi" % name).decode() if ended.status == 0 else ""
        c.expect("deep zoom, " + name, 'Format="%s"' % ending in dzi and
                 c.read("dz-%s/a_files/10/1_1.%s" % (name, ending)).startswith(start), ended)
        ended = c(*arguments, "-o", "xyz-" + name, "--layout", "xyz", "-q")
        tile = c.read("xyz-%s/2/1/1.%s" % (name, ending))
        c.expect("xyz, " + name, tile.startswith(start), ended)
        c.write("xyz-%s/2/1/1.%s" % (name, ending), tile[:-5])
        ended = c(*arguments, "-o", "xyz-" + name, "--layout", "xyz", "--resume", "--stats", "tiles.json")
        stats = json.loads(c.read("tiles.json"))
        c.expect("resumed: one is not whole, " + name, stats["drawn"] == 1 and stats["kept"] == stats["tiles"] - 1 and
                 c.read("xyz-%s/2/1/1.%s" % (name, ending)) == tile, ended)
        ended = c(*arguments, "-o", "iiif-" + name, "--layout", "iiif")
        info = json.loads(c.read("iiif-%s/info.json" % name))
        c.expect("iiif, " + name, info["preferredFormats"] == [ending] and
                 c.read("iiif-%s/full/max/0/default.%s" % (name, ending)).startswith(start), ended)
        ended = c(*arguments, "-o", "pm-" + name, "--layout", "pmtiles")
        data = c.read("pm-%s/a.pmtiles" % name)
        c.expect("pmtiles, " + name, data[99] == {"webp": 4, "jpeg": 3}[name] and
                 all(t.startswith(start) for _, _, t in Archive(data).tiles()), ended)
    ended = c("tiles", "a.svg", "-w", "600", "--format", "webp", "-o", "shrunk", "--shrink")
    c.expect("lossless tiles are shrunk", ended.status == 0 and not ended.stderr, ended)
    for arguments, text in ((("--format", "webp", "--quality", "80", "--shrink"), "lossless webp"),
                            (("--format", "jpeg", "--shrink"), "lossless webp"),
                            (("--format", "ppm"), "png webp jpeg"), (("--quality", "80"), "webp and jpeg"),
                            (("--format", "webp", "--png-level", "3"), "--png-level is of png")):
        ended = c("tiles", "a.svg", "-w", "600", "-o", "none", *arguments)
        c.expect("no tiles: " + " ".join(arguments), cli.one_line_error(ended) and text in ended.stderr, ended)
    ended = c("tiles", "a.svg", "-w", "600", "-o", "xyz-webp", "--layout", "xyz", "--format", "jpeg")
    c.expect("a folder has one format", cli.one_line_error(ended) and "holds tiles of" in ended.stderr, ended)


def main():
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        c = cli.Command(os.path.abspath(sys.argv[1]), folder, t)
        c.write("a.svg", SVG)
        for name in ("webp", "jpeg"):
            ended = c("render", "a.svg", "--format", name, "-o", "probe")
            if ended.status and "this build" in ended.stderr:
                t.skip("all formats", ended.stderr.strip())
                t.finish()
        for test in (test_names, test_pixels, test_png, test_folders, test_streamed, test_limits, test_tiles):
            test(c)
    t.finish()


if __name__ == "__main__":
    main()

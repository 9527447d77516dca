#!/usr/bin/env python3
"""cli.py STIJL: the command, end to end: files, standard streams, batches, sizes, errors, statistics, comparison."""
import gzip
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import tap

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
<rect width="20" height="20" fill="#f00"/><circle cx="30" cy="10" r="8" fill="#00f" fill-opacity=".5"/></svg>"""
STATS = {"backend", "device", "isa", "threads", "width", "height", "parse_ms", "style_ms", "encode_ms", "render_ms",
         "stages", "write_ms", "peak_rss_bytes"}


def decode(png):
    """(width, height, rows of (r, g, b, a)) of a PNG of up to 8 bits, without interlace."""
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    at, data, palette, alphas = 8, b"", b"", b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0]:
            raise ValueError("wrong checksum")
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            data += body
        elif kind == b"PLTE":
            palette = body
        elif kind == b"tRNS":
            alphas = body
        at += 12 + length
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    if depth > 8 or bool(palette) != (color == 3):
        raise ValueError("unexpected form")
    colors = [(*palette[3 * i:3 * i + 3], alphas[i] if i < len(alphas) else 255) for i in range(len(palette) // 3)]
    raw = zlib.decompress(data)
    stride = (width * channels * depth + 7) // 8
    rows, before = [], bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            a = line[x - channels] if x >= channels else 0
            b, c = before[x], before[x - channels] if x >= channels else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
        before = bytes(line)
        if channels == 1:
            each, most = 8 // depth, (1 << depth) - 1
            values = [before[x // each] >> (8 - depth - x % each * depth) & most for x in range(width)]
            rows.append([colors[v] if palette else (v * 255 // most,) * 3 + (255,) for v in values])
            continue
        pixels = [before[x:x + channels] for x in range(0, stride, channels)]
        rows.append([(*((p[:1] * 3) if channels < 3 else p[:3]), p[-1] if channels in (2, 4) else 255) for p in pixels])
    return width, height, rows


class Command:
    def __init__(self, program, folder, t):
        self.program, self.folder, self.t = program, folder, t

    def __call__(self, *arguments, **options):
        return tap.run([self.program, *arguments], cwd=self.folder, **options)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as out:
            out.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def expect(self, name, good, ended=None):
        comment = "status %d\n%s" % (ended.status, ended.stderr[-1000:]) if ended else ""
        return self.t.test(name, bool(good), comment)


def one_line_error(ended, status=1):
    return ended.status == status and ended.stderr.count("\n") == 1 and ended.stderr.endswith("\n") and not ended.stdout


def test_pictures(c):
    c.write("a.svg", SVG)
    ended = c("render", "a.svg", "-o", "a.png")
    width, height, rows = decode(c.read("a.png"))
    c.expect("own size", (width, height) == (40, 20), ended)
    c.expect("red, blue, nothing", rows[10][5] == (255, 0, 0, 255) and rows[10][30][:3] == (0, 0, 255) and
             abs(rows[10][30][3] - 128) <= 1 and rows[0][21][3] == 0, ended)
    for arguments, size in ((("-w", "100"), (100, 50)), (("-h", "100"), (200, 100)), (("-z", "0.5"), (20, 10)),
                            (("-w", "10", "-h", "30"), (10, 5)),
                            (("-w", "10", "-h", "30", "--stretch"), (10, 30)), (("--width=7",), (7, 4))):
        ended = c("render", "a.svg", *arguments)
        c.expect("size by " + " ".join(arguments), ended.status == 0 and decode(ended.stdout)[:2] == size, ended)
    c.write("half.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10.5">'
                        b'<rect y="5" width="10" height="5.5"/></svg>')
    ended = c("render", "half.svg")
    width, height, rows = decode(ended.stdout)
    c.expect("one scale for both axes: the last row is half a row", (width, height) == (10, 11) and
             [rows[y][5][3] for y in (4, 5, 9)] == [0, 255, 255] and abs(rows[10][5][3] - 128) <= 1, ended)
    ended = c("render", "half.svg", "-w", "5")
    width, height, rows = decode(ended.stdout)
    c.expect("scaled with it", (width, height) == (5, 6) and abs(rows[2][2][3] - 128) <= 1 and
             abs(rows[5][2][3] - 64) <= 1, ended)
    ended = c("render", "a.svg", "-b", "white")
    rows = decode(ended.stdout)[2]
    c.expect("background", rows[0][21] == (255, 255, 255, 255) and rows[10][30][2] == 255 and
             abs(rows[10][30][0] - 127) <= 1, ended)
    plain = c.read("a.png")
    ended = c("render", "-", stdin=SVG)
    c.expect("standard streams", ended.stdout == plain, ended)
    c.write("a.svgz", gzip.compress(SVG))
    ended = c("render", "a.svgz")
    c.expect("svgz", ended.stdout == plain, ended)
    for level in "019":
        ended = c("render", "a.svg", "--png-level", level)
        c.expect("png level " + level, decode(ended.stdout) == decode(plain), ended)
    ended = c("render", "a.svg", "--isa", "scalar", "--threads", "3")
    c.expect("scalar code, three threads", ended.stdout == plain, ended)


def test_slow_pipe(c):
    # Whoever writes into the pipe takes longer than drawing may.
    with open(os.path.join(c.folder, "slow.sh"), "w") as file:
        file.write('(sleep 0.5; cat in.svg) | "$1" render --max-seconds 0.4 - -o slow.png')
    c.write("in.svg", SVG)
    ended = tap.run(["sh", "slow.sh", c.program], cwd=c.folder)
    c.t.test("waiting for input is no work", ended.status == 0, ended.stderr)


def test_batch(c):
    for i in range(7):
        c.write("b%d.svg" % i, SVG.replace(b"f00", b"0%d0" % i))
    names = ["b%d.svg" % i for i in range(7)]
    ended = c("render", *names, "-o", "out", "--threads", "2")
    single = c("render", "b3.svg")
    c.expect("batch", ended.status == 0 and len(os.listdir(c.path("out"))) == 7 and
             c.read("out/b3.png") == single.stdout, ended)
    c.write("bad.svg", b"<svg")
    ended = c("render", "b0.svg", "bad.svg", "b1.svg", "-o", "out2", "-q")
    c.expect("batch with a bad file", ended.status == 1 and "bad.svg" in ended.stderr and
             sorted(os.listdir(c.path("out2"))) == ["b0.png", "b1.png"], ended)


def test_warnings(c):
    images = b"".join(b'<image href="%d.png" width="9" height="9"/>' % i for i in range(300))
    c.write("warned.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">' + images + b"</svg>")
    ended = c("render", "warned.svg", "-o", "warned.png")
    lines = [line for line in ended.stderr.splitlines() if ".png" in line]
    c.expect("a hundred warnings are shown", len(lines) == 100 and "200 further warnings" in ended.stderr, ended)


def test_errors(c):
    c.write("empty.svg", b"")
    c.write("html.svg", b"<html/>")
    for name, arguments in (("no such file", ("render", "none.svg", "-o", "x.png")),
                            ("empty file", ("render", "empty.svg", "-o", "x.png")),
                            ("not well-formed", ("render", "bad.svg", "-o", "x.png")),
                            ("not SVG", ("render", "html.svg", "-o", "x.png")),
                            ("unwritable", ("render", "a.svg", "-o", "no/such/folder/x.png")),
                            ("unknown option", ("render", "--nonsense", "a.svg")),
                            ("unknown command", ("paint",)), ("no command", ()),
                            ("a format that is not written", ("render", "a.svg", "-o", "x.tif")),
                            ("width of nothing", ("render", "-w", "0", "a.svg")),
                            ("too many pixels", ("render", "-w", "30000", "-h", "30000", "a.svg", "-o", "x.png")),
                            ("unknown colour", ("render", "-b", "nocolour", "a.svg")),
                            ("no such GPU", ("render", "--backend", "vulkan", "--device", "99", "a.svg"))):
        ended = c(*arguments)
        c.expect("error: " + name, one_line_error(ended) and not os.path.exists(c.path("x.png")) and
                 not os.path.exists(c.path("x.tif")), ended)
    ended = c("render", "a.svg", "-o", "/dev/full")
    c.expect("error: disk full", one_line_error(ended), ended)


def test_saved_scenes(c):
    ended = c("render", "a.svg", "-o", "a1.png", "-b", "teal", "--save-scene", "a.scene")
    c.expect("saving a scene", ended.status == 0 and os.path.getsize(c.path("a.scene")) > 0, ended)
    ended = c("render", "a.scene", "-o", "a2.png")
    c.expect("drawing a saved scene", ended.status == 0 and c.read("a1.png") == c.read("a2.png"), ended)
    c("render", "a.svg", "-b", "teal", "-z", "3", "-o", "a3.png")
    ended = c("render", "a.scene", "-w", "120", "-o", "a4.png")
    c.expect("a saved scene at another size", ended.status == 0 and c.read("a3.png") == c.read("a4.png"), ended)
    data = c.read("a.scene")
    for name, damaged in (("cut", data[:-9]), ("changed", data[:50] + b"x" + data[51:]),
                          ("only its beginning", data[:8])):
        c.write("bad.scene", damaged)
        ended = c("render", "bad.scene", "-o", "x.png")
        c.expect("error: a damaged scene, " + name, one_line_error(ended) and "damaged" in ended.stderr, ended)
    ended = c("render", "a.svg", "a.scene", "-o", "out3", "--save-scene", "b.scene")
    c.expect("error: saving the scenes of several inputs", one_line_error(ended), ended)
    ended = c("render", "a.svg", "-o", "x.png", "--save-scene", "no/such/b.scene")
    c.expect("error: no place for the scene", one_line_error(ended), ended)


def test_stats(c):
    ended = c("render", "a.svg", "-o", "a.png", "--stats", "s.json", "--repeat", "3", "--threads", "1")
    stats = json.loads(c.read("s.json"))
    c.expect("statistics", STATS <= set(stats) and len(stats["render_ms"]) == 3 and stats["width"] == 40 and
             stats["height"] == 20 and stats["backend"] == "cpu" and stats["threads"] == 1, ended)


def test_compare(c):
    ended = c("compare", "a.png", "a.png")
    c.expect("compare: the same", ended.status == 0 and ended.stdout.startswith(b"0 "), ended)
    c("render", "b3.svg", "-o", "b.png")
    ended = c("compare", "a.png", "b.png")
    c.expect("compare: 400 pixels differ", ended.status == 1 and ended.stdout.startswith(b"400 "), ended)
    c("render", "a.svg", "-w", "20", "-o", "small.png")
    ended = c("compare", "a.png", "small.png")
    c.expect("compare: sizes differ", ended.status == 1, ended)
    ended = c("compare", "a.png", "none.png")
    c.expect("compare: a file is missing", one_line_error(ended, 2), ended)


def test_files(c):
    """Images come from the document's folder, and from elsewhere only when allowed."""
    os.makedirs(c.path("docs/below"))
    c.write("outside.png", c("render", "-", stdin=SVG.replace(b"f00", b"0f0")).stdout)
    c.write("docs/below/inside.png", c.read("outside.png"))
    document = (b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" '
                b'height="20"><image width="40" height="20" xlink:href="%s"/></svg>')
    green = (0, 255, 0, 255)
    for name, href, arguments, wanted in (("below the document", b"below/inside.png", (), green),
                                          ("elsewhere", b"../outside.png", (), None),
                                          ("elsewhere, allowed", b"../outside.png", ("--allow-all-files",), green),
                                          ("out of the folder and back", b"below/../../outside.png", (), None)):
        c.write("docs/d.svg", document % href)
        ended = c("render", "docs/d.svg", *arguments)
        pixel = decode(ended.stdout)[2][10][5]
        c.expect("image file " + name, pixel == wanted if wanted else pixel[3] == 0, ended)
    os.symlink("../../outside.png", c.path("docs/below/link.png"))
    c.write("docs/d.svg", document % b"below/link.png")
    ended = c("render", "docs/d.svg")
    c.expect("image file through a link that leaves the folder", decode(ended.stdout)[2][10][5][3] == 0, ended)


def test_busy_machine(c):
    """A process that gets hardly any of the processor for longer than the limit of the work is not refused."""
    squares = b"".join(b'<rect width="%d" height="90" fill-opacity=".5" transform="rotate(%d)"/>' % (i % 90, i)
                       for i in range(40000))
    c.write("busy.svg", b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">%s</svg>' % squares)
    command = [c.program, "render", "busy.svg", "-w", "300", "-o", "busy.png"]
    process = subprocess.Popen(command, cwd=c.folder, stderr=subprocess.PIPE)
    time.sleep(0.05)
    process.send_signal(signal.SIGSTOP)
    time.sleep(5.5)
    still = process.poll() is None
    process.send_signal(signal.SIGCONT)
    said = process.communicate(timeout=60)[1].decode()
    c.t.test("a process that waits for the processor for 5.5 s", still and process.returncode == 0 and not said,
             "over too early" if not still else said)


def test_own_size(c):
    """A document's own size has a limit below those of sizes that are asked for."""
    c.write("own.svg",
            b'<svg xmlns="http://www.w3.org/2000/svg" width="7000" height="5000"><path d="M1 1h9v9z"/></svg>')
    wanted = (b"stijl: own.svg: a picture of %s pixels is above %s in all (%s--max-pixels raises the limit)\n" % what
              for what
              in ((b"7000 x 5000", b"33554432", b"-w asks for a size, "), (b"9000 x 6429", b"100", b""),
                  (b"17000 x 17000", b"268435456", b"")))
    for arguments in ((), ("-w", "9000", "--max-pixels", "100"), ("-w", "17000", "-h", "17000", "--stretch")):
        ended = c("render", "own.svg", "-o", "own.png", *arguments)
        c.expect("own size " + " ".join(arguments), ended.status == 1 and ended.stderr.encode() == next(wanted), ended)
    for arguments in (("-w", "7000"), ("--max-pixels", "35000000"), ("-z", "0.9"), ("-h", "10")):
        ended = c("render", "own.svg", "-o", "own.png", "--png-level", "1", *arguments)
        c.expect("own size " + " ".join(arguments), ended.status == 0 and not ended.stderr, ended)


def test_streamed(c):
    """A picture wider than what is drawn at once, and too large to be held."""
    width, height, edge = 70000, 1000, 43210
    c.write("wide.svg", b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 70000 1000"><rect width="70000" height="1000"
        fill="#00f"/><rect x="%d" width="70000" height="1000" fill="#f00"/></svg>""" % edge)
    peaks = []
    for size in (70, width):
        ended = c("render", "wide.svg", "-w", str(size), "--max-pixels", "100000000", "-o", "wide.png", "--stats",
                  "wide.json")
        c.expect("streamed, %d wide" % size, ended.status == 0 and not ended.stderr, ended)
        with open(os.path.join(c.folder, "wide.json")) as file:
            peaks.append(json.load(file)["peak_rss_bytes"])
    c.t.test("a picture of 280 MB is not held", peaks[1] - peaks[0] < 200e6 or tap.SANITIZED, str(peaks))
    with open(os.path.join(c.folder, "wide.png"), "rb") as file:
        png = file.read()
    at, unpack, raw, count = 8, zlib.decompressobj(), b"", 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            piece = unpack.decompress(body)
            count += len(piece)
            raw += piece if len(raw) <= width * 4 else b""
        at += 12 + length
    c.t.test("its size", header == (width, height, 8, 6) and count == height * (width * 4 + 1),
             "%s %d" % (header, count))
    kind, line = raw[0], bytearray(raw[1:width * 4 + 1])
    if kind in (1, 4):  # the row above is zero
        for x in range(4, width * 4):
            line[x] = (line[x] + line[x - 4]) & 255
    wanted = b"\0\0\xff\xff" * edge + b"\xff\0\0\xff" * (width - edge)
    c.t.test("its first row", kind in (0, 1, 2, 4) and bytes(line) == wanted, "filter %d" % kind)


def main():
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        c = Command(os.path.abspath(sys.argv[1]), folder, t)
        for arguments in (("--help",), ("--version",), ("render", "--help"), ("compare", "--help"), ("devices",)):
            ended = c(*arguments)
            c.expect(" ".join(arguments), ended.status == 0 and ended.stdout and not ended.stderr, ended)
        ended = c("devices", "--json")
        c.expect("devices --json", json.loads(ended.stdout), ended)
        for test in (test_pictures, test_slow_pipe, test_warnings, test_batch, test_errors, test_saved_scenes,
                     test_stats,
                     test_compare, test_files, test_own_size, test_streamed,
                     test_busy_machine):
            try:
                test(c)
            except Exception as error:  # a picture that cannot be read is a failed test, not the end of all
                t.test("%s ran to its end" % test.__name__, False, "%s: %s" % (type(error).__name__, error))
    t.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""frames.py STIJL: frames of animations: times and counts, files, animated pictures, raw frames, threads, failures."""
import io
import os
import subprocess
import sys
import tempfile

import cli
import tap

try:
    from PIL import Image
except ImportError:
    Image = None

W, H = 61, 43

MOVING = """<svg xmlns="http://www.w3.org/2000/svg" width="61" height="43">
<style>@keyframes k { to { transform: rotate(360deg) } } path { transform-origin: 30px 20px; animation: k 2s linear infinite }</style>
<rect width="20" height="12" fill="teal" fill-opacity=".7"><animate attributeName="x" values="0;40;0" dur="1s" repeatCount="indefinite"/></rect>
<path d="M30 5 40 35 20 35z" fill="#c04020"/><circle cx="50" cy="30" r="5" fill="gold"/></svg>"""
ENDING = """<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="red">
<set attributeName="fill" to="lime" begin="0.5s"/></rect></svg>"""
STILL = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="4" height="4"/></svg>'
CHAIN = """<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="4" height="4">
<animate id="a" attributeName="x" to="4" begin="0;a.end" dur="1s"/></rect></svg>"""


def pixels(data):
    """Straight RGBA bytes of a PNG file."""
    return Image.open(io.BytesIO(data)).convert("RGBA").tobytes()


def seen(rgba):
    """The same without the colour of what is not seen."""
    return bytes(b for i in range(0, len(rgba), 4) for b in (rgba[i:i + 4] if rgba[i + 3] else b"\0\0\0\0"))


class Frames(cli.Command):
    def make(self, *arguments, **options):
        return self("frames", "moving.svg", *arguments, **options)

    def raw(self, *arguments):
        return self.make("-q", "-o", "-", *arguments).stdout

    def render(self, time, *arguments):
        return self("render", "moving.svg", "-q", "--time", repr(time), "-o", "-", *arguments).stdout


def folder(t, c):
    done = c.make("--fps", "5", "-o", "out")
    names = sorted(os.listdir(c.path("out")))
    t.test("a period of what repeats, every fifth of a second", done.status == 0 and
           names == ["frame-%05d.png" % i for i in range(10)] and not done.stderr, done.stderr + " ".join(names))
    same = [i for i in range(10) if c.read("out/frame-%05d.png" % i) != c.render(i / 5)]
    t.test("each frame is the file of `render --time`", not same, "frames %s differ" % same)
    t.test("frames differ", c.read("out/frame-00000.png") != c.read("out/frame-00003.png"))
    done = c.make("--fps", "5", "--duration", "1", "-o", "out")
    t.test("a folder with more frames is refused", done.status == 1 and "frame-00005.png" in done.stderr, done.stderr)
    c.make("--fps", "40/3", "--from", "0.5", "--duration", "0.2", "-w", "100", "-b", "white", "-o", "part")
    names = sorted(os.listdir(c.path("part")))
    last = c.render(0.65, "-w", "100", "-b", "white")
    t.test("--from, --duration, a fraction, size and ground", len(names) == 3 and
           c.read("part/frame-00002.png") == last, " ".join(names))
    c.write("ending.svg", ENDING.encode())
    c("frames", "ending.svg", "--fps", "8", "-o", "ending")
    names = sorted(os.listdir(c.path("ending")))
    green = c("render", "ending.svg", "-q", "--time", "end", "-o", "-").stdout
    t.test("what ends is shown once more as it stands then", len(names) == 5 and
           c.read("ending/frame-00004.png") == green, " ".join(names))


def raw(t, c):
    bytes_each = W * H * 4
    data = c.raw("--fps", "5", "--format", "rgba")
    t.test("rgba: bytes of ten frames", len(data) == 10 * bytes_each, str(len(data)))
    if Image:
        wrong = [i for i in range(10) if data[i * bytes_each:][:bytes_each] != pixels(c.render(i / 5))]
        t.test("rgba: the pixels of `render --time`", not wrong, str(wrong))
        data = c.raw("--fps", "5", "--format", "rgba", "-b", "#123456")
        wrong = [i for i in range(10) if data[i * bytes_each:][:bytes_each] != pixels(c.render(i / 5, "-b", "#123456"))]
        t.test("rgba: on a ground", not wrong, str(wrong))
    else:
        t.skip("rgba: the pixels of `render --time`", "no Pillow")
    data = c.raw("--fps", "5", "--format", "rgba", "-b", "white")[3 * bytes_each:][:bytes_each]
    for matrix, (kr, kb) in (("709", (.2126, .0722)), ("601", (.299, .114))):
        for chroma, tag in (("420", b"C420jpeg"), ("444", b"C444")):
            name = "y4m %s %s" % (chroma, matrix)
            file = c.raw("--fps", "5", "--format", "y4m", "--chroma", chroma, "--matrix", matrix)
            head, _, rest = file.partition(b"\n")
            t.test(name + ": head", head == b"YUV4MPEG2 W61 H43 F5:1 Ip A1:1 " + tag + b" XCOLORRANGE=LIMITED",
                   repr(head))
            columns, rows = (W, H) if chroma == "444" else ((W + 1) // 2, (H + 1) // 2)
            each = 6 + W * H + 2 * columns * rows
            frames = [rest[i:i + each] for i in range(0, len(rest), each)]
            t.test(name + ": frames", len(frames) == 10 and all(len(f) == each and f[:6] == b"FRAME\n" for f in frames))
            t.test(name + ": colours", not wrong_samples(data, frames[3][6:], chroma, columns, rows, kr, kb))


def wrong_samples(rgba, planes, chroma, columns, rows, kr, kb):
    """Samples that are further than rounding from what BT.709 or BT.601 define."""
    def color(x, y):
        at = (min(y, H - 1) * W + min(x, W - 1)) * 4
        return rgba[at:at + 3]

    def components(r, g, b):
        y = kr * r + (1 - kr - kb) * g + kb * b
        return (16 + y * 219 / 255, 128 + (b - y) / (2 * (1 - kb)) * 224 / 255,
                128 + (r - y) / (2 * (1 - kr)) * 224 / 255)

    luma, blues, reds = planes[:W * H], planes[W * H:][:columns * rows], planes[W * H + columns * rows:]
    wrong = [i for i in range(W * H) if abs(luma[i] - components(*color(i % W, i // W))[0]) > 0.51]
    for i in range(columns * rows):
        x, y = i % columns, i // columns
        of = [color(x, y)] if chroma == "444" else [color(2 * x + k % 2, 2 * y + k // 2) for k in range(4)]
        _, u, v = components(*[sum(p[k] for p in of) / len(of) for k in range(3)])
        if abs(blues[i] - u) > 0.52 or abs(reds[i] - v) > 0.52:
            wrong.append(i)
    return wrong


def pictures(t, c):
    expected = {ground: [c.render(i / 5, *(["-b", ground] if ground else [])) for i in range(10)]
                for ground in ("", "white")}
    for name in ("a.apng", "a.webp"):
        for ground in ("", "white"):
            label = "%s%s" % (name[2:], " on white" if ground else "")
            done = c.make("-q", "--fps", "5", "--loop", "3", "-o", name, *(["-b", ground] if ground else []))
            if "cannot write animated WebP" in done.stderr:
                t.skip(label, "built without libwebpmux")
                continue
            if not Image:
                t.skip(label, "no Pillow")
                continue
            if done.status:
                t.test(label, False, done.stderr)
                continue
            image = Image.open(c.path(name))
            frames, times = [], []
            for i in range(image.n_frames):
                image.seek(i)
                frames.append(seen(image.convert("RGBA").tobytes()))
                times.append(image.info.get("duration"))
            wrong = [i for i in range(10) if i >= len(frames) or frames[i] != seen(pixels(expected[ground][i]))]
            t.test(label + ": pixels", not wrong and len(frames) == 10, str(wrong))
            t.test(label + ": times and loops", image.info["loop"] == 3 and (name == "a.webp" or set(times) == {200.0}),
                   "%s %s" % (image.info["loop"], times))
    if Image:
        c.make("-q", "--fps", "5", "--png-level", "best", "-o", "best.apng")
        image = Image.open(c.path("best.apng"))
        wrong = [i for i in range(10) if image.seek(i) or image.convert("RGBA").tobytes() != pixels(expected[""][i])]
        t.test("apng: level best", not wrong, str(wrong))
    # Frames without a change, and with a change of a few pixels.
    c.write("ending.svg", ENDING.encode())
    c("frames", "ending.svg", "--fps", "20", "-o", "still.apng")
    if Image:
        image = Image.open(c.path("still.apng"))
        colors = []
        for i in range(image.n_frames):
            image.seek(i)
            colors.append(image.convert("RGB").getpixel((9, 9)))
        t.test("apng: frames without a change", colors == [(255, 0, 0)] * 10 + [(0, 255, 0)], str(colors))


def threads(t, c):
    for kind in ("apng", "webp", "rgba", "y4m"):
        outputs = {c.raw("--fps", "9", "--format", kind, "--threads", n) for n in ("1", "2", "7")}
        t.test("%s: the same bytes with any number of threads" % kind, len(outputs) == 1)


def failures(t, c):
    def fails(name, said, *arguments, **options):
        done = c("frames", *arguments, **options)
        lines = done.stderr.splitlines()
        t.test(name, done.status == 1 and len(lines) == 1 and said in lines[0], done.stderr)

    c.write("still.svg", STILL.encode())
    c.write("chain.svg", CHAIN.encode())
    c.write("long.svg", MOVING.replace("2s", "1799s").encode())
    c.write("bad.svg", b"<svg xmlns='http://www.w3.org/2000/svg'>")
    fails("no animation", "no animations", "still.svg", "-o", "x")
    fails("no period", "--duration", "chain.svg", "-o", "x")
    fails("a long period", "--duration", "long.svg", "-o", "x")
    fails("too many frames", "too many", "moving.svg", "--fps", "1000", "--duration", "9999", "-o", "x")
    fails("behind the end", "--from", "ending.svg", "--from", "9", "-o", "x")
    fails("no output", "-o", "moving.svg")
    fails("a rate", "--fps", "moving.svg", "--fps", "2/0", "-o", "x")
    fails("no format", "--format", "moving.svg", "-o", "-")
    fails("another format", "ffmpeg", "moving.svg", "-o", "x.mp4")
    fails("a document that is none", "bad.svg", "bad.svg", "-o", "x")
    fails("over the input", "moving.svg", "moving.svg", "--format", "apng", "-o", "moving.svg")
    fails("transparent y4m", "opaque", "moving.svg", "-b", "#ff000080", "--format", "y4m", "-o", "x")
    fails("a level of what is no PNG", "--png-level", "moving.svg", "--png-level", "9", "-o", "x.webp")
    fails("a full disk", "No space left", "moving.svg", "--format", "rgba", "-o", "/dev/full")
    fails("a picture that is too large", "--max-pixels", "moving.svg", "--max-pixels", "99", "-o", "x")
    fails("a frame that takes too much", "max_work", "moving.svg", "--max-work", "2000", "-o", "x.apng")
    t.test("nothing is left of a file that failed",
           not os.path.exists(c.path("x.apng")) and not os.path.exists(c.path("x")))
    process = subprocess.Popen([c.program, "frames", "moving.svg", "-w", "900", "--format", "rgba", "-o", "-"],
                               cwd=c.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1000)
    process.stdout.close()
    said = process.stderr.read().decode()
    t.test("a closed pipe", process.wait() == 1 and said.count("\n") == 1 and "Broken pipe" in said, said)
    done = c("frames", "still.svg", "--duration", "0.5", "--fps", "4", "--format", "rgba", "-o", "-")
    t.test("what does not move has frames that are asked for", done.status == 0 and len(done.stdout) == 2 * 400)
    c.write("strict.svg", MOVING.replace("</svg>", "<iframe/></svg>").encode())
    done = c("frames", "strict.svg", "--fps", "5", "--threads", "3", "-o", "warned")
    t.test("a warning is given once", done.status == 0 and done.stderr.count("iframe") == 1, done.stderr)
    fails("--strict", "iframe", "strict.svg", "-q", "--strict", "-o", "x")


def main():
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as place:
        c = Frames(os.path.abspath(sys.argv[1]), place, t)
        c.write("moving.svg", MOVING.encode())
        for part in (folder, raw, pictures, threads, failures):
            part(t, c)
    t.finish()


main()

#!/usr/bin/env python3
"""memory.py STIJL [--full] [NAME]: whatever libraries allocate, a process takes at most 1.25 of --max-memory, beyond
what it takes for an empty document, and ends with a picture or an error of one line. What is honest is drawn by the
largest limit. With --full for all hostile files."""
import os
import sys
import tempfile

import bombs
import hostile
import tap

MB = 1 << 20
SHARE = 1.25
LIMITS = [24, 48, 96, 192]


def read(name):
    with open(os.path.join(bombs.FONTS, name), "rb") as file:
        return file.read()


def words():
    return '<text y="9" font-size="3">%s</text>' % "".join(
        '<tspan x="0" dy="1">The quick brown fox \u05e9\u05dc\u05d5\u05dd %d</tspan>' % i for i in range(3000))


def many_features():
    """Of the system's fonts."""
    spans = "".join("<tspan style='font-feature-settings:%s;font-weight:%d'>office</tspan>" %
                    (",".join('"%s"' % bombs.LATIN[k] for k in range(11) if i + 1 >> k & 1), i % 2 * 300 + 400)
                    for i in range(1500))
    return '<text y="9" font-size="3">%s</text>' % spans


def unbroken_words():
    return '<text y="9" font-size="3">%s</text>' % ("office affluent " * 6000)


def packed_font():
    return bombs.text_with(read("stijl-regular.woff2"), "font/woff2", "abefi " * 5000)


def variable_font():
    spans = "".join('<tspan font-weight="%d">abefi</tspan>' % (100 + i) for i in range(800))
    return bombs.text_with(read("stijl-variable.ttf"), content=spans)


def progressive_jpeg():
    return hostile.jpeg(True, 2000)[0]


def filters():
    return hostile.filtered('<feTurbulence baseFrequency=".1"/><feGaussianBlur stdDeviation="9"/>'
                            '<feBlend in="SourceGraphic" mode="multiply"/>', uses=4)


# Documents as anybody might have them.
HONEST = [words, many_features, unbroken_words, packed_font, variable_font, bombs.lossless_webp, bombs.interlaced_png,
          bombs.gif, progressive_jpeg, filters]
# One of each kind; the others are in hostile.py.
KINDS = [bombs.woff_of_large_tables, bombs.features_of_each_span, bombs.glyphs_that_multiply,
         bombs.lookups_of_shared_subtables, bombs.webp_of_many_groups, hostile.text_of_directions]


def files(makers):
    """The name, the bytes and the size in pixels of each document."""
    for make in makers:
        made = make()
        data, side = made if isinstance(made, tuple) else (made, 500)
        if data is None:
            yield make.__name__, None, 0
            continue
        if isinstance(data, str):
            data = hostile.pack(data if data.startswith("<svg") else hostile.svg(data))
        yield make.__name__, data, side


def peak(command, limit):
    ended = tap.run(command + ["--max-memory", str(limit * MB)], seconds=60, peak=True)
    return ended, ended.peak_bytes / MB


def test_file(t, name, command, png, base, honest):
    said = []
    why = ""
    for limit in LIMITS:
        if os.path.exists(png) and command[1] == "render":
            os.remove(png)
        ended, taken = peak(command, limit)
        wrong = hostile.what_is_wrong(ended, png)
        if not wrong and taken > SHARE * limit + base:
            wrong = "%.0f MiB" % taken
        if not wrong and honest and limit == LIMITS[-1] and (ended.status or "warning:" in ended.stderr):
            wrong = ended.stderr[-200:]
        if wrong:
            why += "with %d MiB: %s\n" % (limit, wrong)
        said.append("%d: %.0f%s" % (limit, taken - base, "" if ended.status == 0 else " refused"))
    t.test("%s, beyond %.0f MiB, by limit in MiB: %s" % (name, base, ", ".join(said)), not why, why)


def main():
    full = "--full" in sys.argv
    command, only = [a for a in sys.argv[1:] + [""] if a != "--full"][:2]
    t = tap.Tap()
    # It would have memory touched that the command asks for and does not use.
    os.environ.pop("MALLOC_PERTURB_", None)
    if tap.SANITIZED:
        t.skip("memory", "sanitizers have memory of their own")
        t.finish()
    with tempfile.TemporaryDirectory() as folder:
        svg, png, page, sheet = (os.path.join(folder, name) for name in ("in.svg", "out.png", "in.html", "in.css"))
        for name, data, side in files(HONEST + (hostile.ATTACKS if full else KINDS)):
            if only not in name:
                continue
            if data is None:
                t.skip(name, "a library that makes it is not installed")
                continue
            line = [command, "render", svg, "-w", str(side), "-h", str(side), "-o", png, "--force", "--threads", "2"]
            with open(svg, "w") as out:
                out.write(hostile.svg(""))
            base = peak(line, 96)[1]
            with open(svg, "wb") as out:
                out.write(data)
            # The JPEG says that its data end early.
            test_file(t, name, line, png, base, name in [f.__name__ for f in HONEST if f is not progressive_jpeg])
        if only in "page":
            for file, text in ((page, hostile.HTML), (sheet, "p, .a, #b {} p + p {} [a] {}")):
                with open(file, "w") as out:
                    out.write(text)
            line = [command, "match", page, sheet]
            base = peak(line, 96)[1]
            with open(page, "w") as out:
                out.write(hostile.HTML + "<p class=a b=c>x" * (1 << 17))
            open(png, "w").close()
            test_file(t, "page", line, png, base, True)
    t.finish()


if __name__ == "__main__":
    main()

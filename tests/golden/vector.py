#!/usr/bin/env python3
"""vector.py STIJL: pictures as PDF and as plain SVG, by the command: the project's own documents, pages, text,
images."""
import json
import os
import re
import shutil
import sys
import tempfile

import tap

DOCS = os.path.join(tap.SOURCE, "docs")
FONT = os.path.join(tap.SOURCE, "tests", "fonts")

TEXT = """<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120">
<text x="10" y="50" font-size="30">Hello office World</text>
<text x="10" y="90" font-size="20" fill="red" fill-opacity=".5">Na\u00efve <tspan font-weight="bold">two words</tspan></text>
</svg>"""
FILTER = """<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><filter id="f"><feGaussianBlur stdDeviation="2"/>
</filter><rect x="20" y="10" width="30" height="20" filter="url(#f)"/><rect x="60" y="10" width="30" height="20"/></svg>"""
PLAIN = """<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><defs><linearGradient id="g"><stop stop-color="red"/>
<stop offset="1" stop-color="blue"/></linearGradient><mask id="m"><circle cx="50" cy="25" r="20" fill="white"/></mask></defs>
<g mask="url(#m)" opacity=".5"><rect width="100" height="50" fill="url(#g)"/><path d="M0 0L100 50" stroke="lime"/></g></svg>"""


def boxes(pdf):
    """The sizes of the pages, in points, in their order."""
    try:
        with open(pdf, "rb") as file:
            return [(float(w), float(h)) for w, h in re.findall(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", file.read())]
    except FileNotFoundError:
        return None


def named(number, width, body=""):
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="60"><text '
            'x="5" y="40" font-size="20">Page%d</text>%s'
            '</svg>' % (width, number, body))


def pages(t, stijl, path):
    """Several inputs, a page each."""
    sources = [path("page%d.svg" % i, named(i, 100 + 20 * i)) for i in (1, 2, 3)]
    out = path("pages.pdf")
    fonts = ["--use-fonts-dir", FONT, "-q"]
    order = [sources[2], sources[0], sources[1]]
    ended = tap.run([stijl, *order, "-o", out, *fonts])
    t.test("a page for each input, in their order",
           ended.status == 0 and boxes(out) == [(120, 45), (90, 45), (105, 45)],
           "%s %s" % (boxes(out), ended.stderr))
    if shutil.which("pdftotext") and shutil.which("pdfinfo"):
        told = tap.run(["pdfinfo", out]).stdout.decode()
        texts = tap.run(["pdftotext", out, "-"]).stdout.decode().split("\f")
        t.test("a viewer finds them", re.search(r"Pages:\s+3\b", told) and [text.strip() for text in texts] ==
               ["Page3", "Page1", "Page2", ""], "%s %s" % (told, texts))
    else:
        t.skip("a viewer finds them", "pdftotext is not here")
    path("list", "\n".join(sources) + "\n")
    ended = tap.run([stijl, "--files-from", path("list"), "--format", "pdf", "-o", "-", "-w", "200,400", *fonts])
    widths = re.findall(rb"/MediaBox \[ 0 0 (\S+) ", ended.stdout)
    t.test("a list, two sizes, to standard output", ended.status == 0 and widths == [b"150", b"300"] * 3,
           "%s %s" % (widths, ended.stderr))

    bad = path("bad.svg", "<svg")
    results = path("results")
    for options, what in (([], "a bad file has no page"), (["--threads", "8"], "and so with more threads")):
        ended = tap.run(
            [stijl, sources[0], bad, path("missing.svg"), sources[1], "-o", out, "--results", results, *options,
             *fonts])
        with open(results, encoding="utf-8") as file:
            status = [json.loads(line)["status"] for line in file]
        t.test(what + ", is named, and the others are there",
               ended.status == 1 and boxes(out) == [(90, 45), (105, 45)] and "bad.svg: " in ended.stderr and
               "missing.svg: " in ended.stderr and status == ["drawn", "failed", "failed", "drawn"],
               "%s %s %s" % (boxes(out), status, ended.stderr))
    os.remove(out)
    ended = tap.run([stijl, bad, path("missing.svg"), "-o", out, *fonts])
    t.test("without a page there is no file", ended.status == 1 and boxes(out) is None, ended.stderr)
    large = path("large.svg", named(9, 30000))
    ended = tap.run([stijl, sources[0], large, sources[1], "-o", out, *fonts])
    t.test("a page that is too large is left out", ended.status == 1 and boxes(out) == [(90, 45), (105, 45)] and
           "large.svg: " in ended.stderr, "%s %s" % (boxes(out), ended.stderr))

    os.remove(out)
    endless = path("slow.svg", named(9, 4000, '<filter id="f"><feTurbulence numOctaves="50" baseFrequency=".1"/>'
                                     '<feMorphology radius="30"/></filter>' + '<rect width="4000" height="60" '
                                     'filter="url(#f)"/>' * 200))
    ended = tap.run([stijl, sources[0], endless, sources[1], "-o", out, "--max-seconds", "0.3", *fonts])
    t.test("where a page ends in its midst no file is written", ended.status == 1 and boxes(out) is None and
           "slow.svg" in ended.stderr and not [n for n in os.listdir(path("")) if "pages.pdf" in n], ended.stderr)
    for option, value in (("--journal", path("journal")), ("--shard", "1/2")):
        ended = tap.run([stijl, *sources, "-o", out, option, value, *fonts])
        t.test("%s is refused" % option, ended.status == 1 and option in ended.stderr, ended.stderr)
    kept = path("kept.pdf", named(1, 100))
    ended = tap.run([stijl, kept, sources[0], "-o", kept, *fonts])
    with open(kept, "rb") as file:
        t.test("an input is not overwritten", ended.status == 1 and file.read(4) == b"<svg", ended.stderr)


def main():
    t = tap.Tap()
    stijl = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        def path(name, text=None):
            made = os.path.join(folder, name)
            if text is not None:
                with open(made, "w", encoding="utf-8") as file:
                    file.write(text)
            return made

        def pdf(source, *options):
            out = path("out.pdf")
            ended = tap.run([stijl, source, "-o", out, *options])
            if ended.status != 0:
                return b"", ended.stderr
            with open(out, "rb") as file:
                return file.read(), ended.stderr

        first, error = pdf(path("plain.svg", PLAIN))
        if not first and re.search("cannot write PDF|not installed", error):
            t.skip("PDF", error.strip())
        else:
            t.test("a page as large as the document", b"/MediaBox [ 0 0 75 37.5 ]" in first, error)
            t.test("gradients, masks and opacity are no images", first and b"/Subtype /Image" not in first, error)
            zoomed, error = pdf(path("plain.svg"), "-z", "2")
            t.test("a page of another size", b"/MediaBox [ 0 0 150 75 ]" in zoomed, error)
            blurred, error = pdf(path("filter.svg", FILTER), "--raster-dpi", "192")
            widths = [int(w) for w in re.findall(rb"/Subtype /Image\s+/Width (\d+)", blurred)]
            t.test("a filter is an image of its own size", widths and max(widths) < 120, "%s %s" % (widths, error))
            ended = tap.run([stijl, path("plain.svg"), "--format", "pdf"])
            t.test("to standard output", ended.stdout.startswith(b"%PDF-") and b"%%EOF" in ended.stdout[-8:],
                   ended.stderr)
            written, error = pdf(path("text.svg", TEXT), "--use-fonts-dir", FONT, "-q")
            if not shutil.which("pdftotext"):
                t.skip("text is text", "pdftotext is not here")
            elif not re.search(rb"/FontFile3", written):
                t.skip("text is text", "no font to draw it with")
            else:
                got = tap.run(["pdftotext", path("out.pdf"), "-"]).stdout.decode()
                t.test("text is text", "Hello office World" in got and "Na\u00efve two words" in got, got + error)

            pages(t, stijl, path)

        for name in ("plain.svg", "filter.svg", "text.svg"):
            source = path(name, {"plain.svg": PLAIN, "filter.svg": FILTER, "text.svg": TEXT}[name])
            options = ["-q", "--use-fonts-dir", FONT, "--raster-dpi", "96"]
            for step in ([source, "-o", path("a.png")], [source, "-o", path("plain-again.svg")],
                         [path("plain-again.svg"), "-o", path("b.png")]):
                ended = tap.run([stijl, *step, *options])
            compared = tap.run([stijl, "compare", path("a.png"), path("b.png")])
            most = re.search(rb"largest difference (\d+)", compared.stdout)
            t.test("%s, as plain SVG, draws the same again" % name,
                   compared.status == 0 or (most and int(most.group(1)) <= 2),
                   ended.stderr + compared.stdout.decode() + compared.stderr)
    t.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""vector.py STIJL: pictures as PDF and as plain SVG, by the command: the project's own documents, pages, text, images."""
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
            t.test("to standard output", ended.stdout.startswith(b"%PDF-") and b"%%EOF" in ended.stdout[-8:], ended.stderr)
            written, error = pdf(path("text.svg", TEXT), "--use-fonts-dir", FONT, "-q")
            if not shutil.which("pdftotext"):
                t.skip("text is text", "pdftotext is not here")
            elif not re.search(rb"/FontFile3", written):
                t.skip("text is text", "no font to draw it with")
            else:
                got = tap.run(["pdftotext", path("out.pdf"), "-"]).stdout.decode()
                t.test("text is text", "Hello office World" in got and "Na\u00efve two words" in got, got + error)

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

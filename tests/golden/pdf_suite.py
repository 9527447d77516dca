#!/usr/bin/env python3
"""pdf_suite.py STIJL [RESULTS.json]: the SVG suite as PDF and as plain SVG.

Each document is written as PDF, which poppler and mupdf draw; their pictures are judged against ours by the suite's own
score.py. All three draw four times as large as the suite asks for, with images of that resolution, and four by four
pixels become one: what is compared is what the file says, and not how a viewer smooths edges. 97 of 100 documents must
be alike, in each viewer. The same documents, written as plain SVG and drawn again by stijl, are judged likewise, at the
suite's own size."""
import json
import multiprocessing
import os
import shutil
import sys
import tempfile

import suite as documents_of
import tap

SHARE = 0.97
TIMES = 4


def page_size(reference):
    with Image.open(reference) as picture:
        return picture.size


def save_shrunk(source, target):
    """Means of TIMES x TIMES pixels, premultiplied meanwhile."""
    with Image.open(source) as picture:
        a = np.asarray(picture.convert("RGBA")).astype(np.float64)
    a[..., :3] *= a[..., 3:] / 255
    a = np.pad(a, ((0, -a.shape[0] % TIMES), (0, -a.shape[1] % TIMES), (0, 0)), "edge")
    a = a.reshape(a.shape[0] // TIMES, TIMES, a.shape[1] // TIMES, TIMES, 4).mean((1, 3))
    a[..., :3] = np.where(a[..., 3:] > 0, a[..., :3] * 255 / np.maximum(a[..., 3:], 1e-9), 0)
    Image.fromarray(np.clip(a + 0.5, 0, 255).astype(np.uint8), "RGBA").save(target, compress_level=1)


def poppler(pdf, out, width, height):
    return ["pdftocairo", "-png", "-transp", "-singlefile", "-scale-to-x", str(width), "-scale-to-y", str(height), pdf,
            out[:-4]]


def mupdf(pdf, out, width, height):
    return ["mutool", "draw", "-q", "-A", "8", "-c", "rgba", "-W", str(width), "-H", str(height), "-w", str(width),
            "-h",
            str(height), "-f", "-o", out, pdf]


VIEWERS = {"poppler": poppler, "mupdf": mupdf}


def judge(job):
    viewer, test, base = job
    ours = base + ".png"
    if not os.path.exists(ours) or not os.path.exists(base + ".large.png"):
        return viewer, test, {"pass": False, "why": "stijl draws no picture"}
    if viewer == "svg":
        result = score.judge(ours, base + ".again.png")
        if os.path.exists(base + ".again.png"):
            result["pixels"] = int((score.load(ours) != score.load(base + ".again.png")).any(2).sum())
        return viewer, test, result
    if not os.path.exists(base + ".pdf"):
        return viewer, test, {"pass": False, "why": "no PDF"}
    width, height = page_size(base + ".large.png")
    large, small = base + "." + viewer + ".large.png", base + "." + viewer + ".png"
    ended = tap.run(VIEWERS[viewer](base + ".pdf", large, width, height), seconds=60)
    if ended.status != 0 or not os.path.exists(large):
        return viewer, test, {"pass": False, "why": "status %d %s" % (ended.status, ended.stderr[:200])}
    save_shrunk(base + ".large.png", base + "." + viewer + ".ours.png")
    save_shrunk(large, small)
    os.remove(large)
    return viewer, test, score.judge(base + "." + viewer + ".ours.png", small)


def write(job):
    """One folder as PNG, PDF and SVG, and that as PNG again."""
    command, out, width, files = job
    os.makedirs(out, exist_ok=True)
    common = ["--allow-all-files", "-q", *documents_of.FONTS]
    messages = []
    for kind, name, options in (
            ("png", ".png", ["-w", str(width)]),
            ("png", ".large.png", ["-w", str(width * TIMES)]),
            ("pdf", ".pdf", ["-w", str(width), "--raster-dpi", str(96 * TIMES)]),
            ("svg", ".svg", ["-w", str(width), "--raster-dpi", "96"])):
        ended = tap.run(
            [command, "render", *files, "-o", os.path.join(out, "{name}" + name), "--format", kind, *options,
             *common], seconds=300)
        if ended.status < 0:
            messages.append("%s %s: status %d" % (out, kind, ended.status))
        if ended.stderr:
            messages.append(ended.stderr.strip()[:2000])
    again = [os.path.join(out, name) for name in sorted(os.listdir(out)) if name.endswith(".svg")]
    if again:
        ended = tap.run([command, "render", *again, "-o", os.path.join(out, "{name}.again.png"), "-q",
                         "--format", "png", "-w", str(width)], seconds=300)
        if ended.stderr:
            messages.append(ended.stderr.strip()[:2000])
    return messages


def main():
    global score, np, Image
    command = sys.argv[1]
    suite = tap.shared("svg-suite", "STIJL_SVG_SUITE")
    t = tap.Tap()
    missing = [tool for tool in ("pdftocairo", "mutool") if not shutil.which(tool)]
    if missing or not os.path.isdir(suite):
        t.skip("the suite as PDF", "%s is not here" % (", ".join(missing) or suite))
        t.finish()
    score = documents_of.load_score(t, suite, "the suite as PDF")  # it needs both of these as well
    import numpy as np
    from PIL import Image

    documents_of.FONTS.append("--use-fonts-dir=" + os.path.join(suite, "fonts"))
    with tempfile.TemporaryDirectory() as temporary, multiprocessing.Pool() as pool:
        out = os.environ.get("STIJL_PDF_KEEP") or temporary
        jobs = [(command, os.path.join(out, os.path.relpath(folder, suite)), width, files)
                for (folder, width), files in documents_of.documents(suite).items()]
        messages = [m for some in pool.map(write, jobs, 1) for m in some]
        t.test("all are written", not messages, "\n".join(messages)[:4000])
        tests = score.find_tests(suite)
        work = [(viewer, test, os.path.join(out, os.path.splitext(test)[0]))
                for viewer in ("svg", *VIEWERS) for test in tests]
        with multiprocessing.Pool() as judges:
            results = {}
            for viewer, test, result in judges.imap_unordered(judge, work, 4):
                results.setdefault(viewer, {})[test] = result
    for viewer, judged in results.items():
        differ = sorted(test for test in judged if not judged[test]["pass"])
        share = 1 - len(differ) / len(judged)
        t.test("%s: %d of %d alike, %.1f %%" % (viewer, len(judged) - len(differ), len(judged), 100 * share),
               share >= SHARE,
               "\n".join("%s: %s" % (test, judged[test]) for test in differ))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            json.dump(results, file, indent=1, sort_keys=True)
    t.finish()


if __name__ == "__main__":
    main()

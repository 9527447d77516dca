#!/usr/bin/env python3
"""css.py STIJL [--chromium FOLDER] [--device NAME] ...: times `stijl match`, matching only and end to end, side by
side.

Sets: synthetic documents of N elements with sheets of M rules (shared/css/gen_synth.py), "selectron" (102,400 nodes
with ids, types and classes, 10,000 rules of one of them each, no combinators) and the real pages of shared/css.
--chromium: a folder where `npm install puppeteer-core` was run (and Chromium is installed): the total of
querySelectorAll over the same selectors is measured in the same run. Sets that would take it more than 60 seconds are
left out, and said; so are pages of more than 200,000 elements, whose styles, which chrome.js computes as well, take
many minutes. --device: the engine for Vulkan on that device too. --results FILE: keeps the rows of earlier runs with
other sets, and prints all as tables."""
import argparse
import json
import lzma
import math
import os
import random
import subprocess
import sys
import tempfile

SHARED = os.environ.get("STIJL_SHARED", os.path.join(os.path.dirname(__file__), "..", "..", "shared"))
DATA = os.path.join(SHARED, "css", "data")
REAL = ["bs5docs:bootstrap", "huge:bootstrap", "huge:semantic", "huge:tailwind"]
SIZES = ["%d:%d" % (n, m) for n in (1000, 10000, 100000, 1000000) for m in (100, 1000, 5000, 40000)]
MAX_CHROMIUM_SECONDS = 60
MAX_CHROMIUM_ELEMENTS = 200000
CHROMIUM_SECONDS_PER_PAIR = 5e-9  # an element and a selector of a synthetic set, about


def unpack(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        with lzma.open(os.path.join(DATA, name + ".xz")) as packed, open(path, "wb") as out:
            out.write(packed.read())
    return path


def synthetic(folder, elements, rules):
    base = os.path.join(folder, "synthetic_%d_%d" % (elements, rules))
    subprocess.run([sys.executable, os.path.join(SHARED, "css", "gen_synth.py"), str(elements), str(rules), base],
                   check=True)
    return base + ".html", base + ".css"


def selectron(folder, elements=102400, rules=10000):
    r = random.Random(1)
    tags = ["div", "span", "section", "article", "nav", "aside", "header", "footer", "main", "figure"]
    out = ["<!DOCTYPE html><html><head></head><body>"]
    for i in range((elements - 3) // 4):
        for depth in range(4):
            classes = " ".join("c%d" % r.randrange(1000) for _ in range(r.randrange(4)))
            ident = ' id="i%d"' % (4 * i + depth) if r.random() < 0.1 else ""
            out.append('<%s%s class="%s">' % (tags[(i + depth) % 10], ident, classes))
        out += ["</%s>" % tags[(i + depth) % 10] for depth in (3, 2, 1, 0)]
    page, sheet = os.path.join(folder, "selectron.html"), os.path.join(folder, "selectron.css")
    with open(page, "w") as file:
        file.write("".join(out))
    with open(sheet, "w") as file:
        for _ in range(rules):
            kind = r.randrange(3)
            name = ("#i%d" % r.randrange(elements), r.choice(tags), ".c%d" % r.randrange(1000))[kind]
            file.write("%s { color: red }\n" % name)
    return page, sheet


def measure(command, page, sheet, repeat, stats, *more):
    subprocess.run([command, "match", "-q", "--repeat", str(repeat), "--stats", stats, "--max-seconds", "600",
                    "--max-matches", "4000000000", "--max-memory", str(1 << 34), *more, page, sheet],
                   check=True, stdout=subprocess.DEVNULL)
    with open(stats) as file:
        return json.load(file)


def chromium(folder, page, sheet, repeat):
    script = os.path.join(folder, "chrome.js")
    with open(os.path.join(SHARED, "css", "chrome.js")) as source, open(script, "w") as copy:
        copy.write(source.read())
    done = subprocess.run(["node", script, "time", "bench", page, sheet, str(repeat)], check=True, capture_output=True,
                          text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure_set(options, folder, name, page, sheet, pairs):
    """`pairs`: elements times rules, about."""
    repeat = options.repeat or max(2, min(15, int(4e9 / pairs)))
    stats = os.path.join(folder, "stats.json")
    row = {"set": name}
    if options.chromium:
        seconds = pairs * CHROMIUM_SECONDS_PER_PAIR
        if seconds > MAX_CHROMIUM_SECONDS:
            print("%s: without Chromium, which would take some %.0f seconds" % (name, seconds), flush=True)
        elif name.split(":")[0].isdigit() and int(name.split(":")[0]) > MAX_CHROMIUM_ELEMENTS:
            print("%s: without Chromium, which would take many minutes for the page's styles" % name, flush=True)
        else:
            browser = chromium(options.chromium, page, sheet, 1 if pairs > 2e9 else 3)
            row["chromium"] = browser["qsa"][0]
            row["chromium_style"] = (browser.get("Document::recalcStyle") or browser["js"])[0]
    for threads in map(int, options.threads.split(",")):
        s = measure(options.stijl, page, sheet, repeat, stats, "--threads", str(threads))
        row["cpu%d" % threads] = min(s["match_ms"])
        row["cpu%d_first" % threads] = s["match_ms"][0]
        row["cpu%d_end_to_end" % threads] = s["parse_ms"] + s["build_ms"] + s["index_ms"] + s["match_ms"][0]
        row.update({key: s[key] for key in ("elements", "selectors", "pairs", "index_ms", "build_ms", "parse_ms")})
    if options.device:
        s = measure(options.stijl, page, sheet, max(repeat, 5), stats, "--engine", "vulkan", "--device",
                    options.device)
        row.update({"gpu_open": s["index_ms"], "gpu_first": s["match_ms"][0], "gpu_upload": s["upload_ms"],
                    "gpu": min(s["match_ms"][1:]), "gpu_readback": s["readback_ms"],
                    "gpu_end_to_end": s["parse_ms"] + s["build_ms"] + s["index_ms"] + s["match_ms"][0]})
    return row


def number(value):
    return "-" if value is None else "%.0f" % value if value >= 100 else "%.1f" % value if value >= 10 else \
        "%.2f" % value if value >= 0.1 else "%.3f" % value


def print_tables(rows):
    threads = sorted({int(k[3:]) for row in rows for k in row if k[:3] == "cpu" and k[3:].isdigit()})
    one = "cpu%d" % threads[0]
    head = ["set", "elements", "selectors", "pairs"]
    has_chromium, has_gpu = any("chromium" in r for r in rows), any("gpu" in r for r in rows)
    if has_chromium:
        head += ["Chromium"]
    head += ["cpu, %d thread%s" % (t, "s" if t > 1 else "") for t in threads]
    if has_chromium:
        head += ["share"]
    head += ["end to end, %d" % threads[-1]]
    if has_gpu:
        head += ["gpu, first", "upload", "gpu, again", "reading back", "end to end, gpu"]
    print("\nMilliseconds. share: of Chromium's querySelectorAll, by the cpu engine on %d thread.\n" % threads[0])
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for r in rows:
        cells = [r["set"]] + ["{:,}".format(r[k]) for k in ("elements", "selectors", "pairs")]
        if has_chromium:
            cells += [number(r.get("chromium"))]
        cells += [number(r.get("cpu%d" % t)) for t in threads]
        if has_chromium:
            cells += [number(r[one] / r["chromium"]) if "chromium" in r else "-"]
        cells += [number(r.get("cpu%d_end_to_end" % threads[-1]))]
        if has_gpu:
            cells += [number(r.get(k)) for k in ("gpu_first", "gpu_upload", "gpu", "gpu_readback", "gpu_end_to_end")]
        print("| " + " | ".join(cells) + " |")
    grid = {}
    for r in rows:
        if ":" in r["set"] and r["set"].split(":")[0].isdigit():
            n, m = map(int, r["set"].split(":"))
            grid[n, m] = r
    elements, rules = sorted({n for n, _ in grid}), sorted({m for _, m in grid})
    if len(elements) < 2 or len(rules) < 2:
        return
    print("\nHow the time of one thread grows: t ~ size^x.\n")
    for name, sizes, others, key in (("elements", elements, rules, lambda a, b: (a, b)),
                                     ("rules", rules, elements, lambda a, b: (b, a))):
        for kind in [one] + (["chromium"] if has_chromium else []) + (["gpu"] if has_gpu else []):
            for other in others:
                known = [(s, grid[key(s, other)][kind]) for s in sizes if grid.get(key(s, other), {}).get(kind)]
                steps = ["%s to %s: %.2f" % (a[0], b[0], math.log(b[1] / a[1]) / math.log(b[0] / a[0]))
                         for a, b in zip(known, known[1:])]
                if steps:
                    print("- %s, %s, with %d %s: %s" %
                          (kind, name, other, "rules" if name == "elements" else "elements",
                           ", ".join(steps)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stijl")
    parser.add_argument("--chromium")
    parser.add_argument("--device")
    parser.add_argument("--sets", default=",".join(REAL + ["selectron"] + SIZES), help="page:sheet, selectron, N:M")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--results")
    options = parser.parse_args()
    rows = []
    if options.results and os.path.exists(options.results):
        with open(options.results) as file:
            rows = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        for name in filter(None, options.sets.split(",")):
            if name == "selectron":
                page, sheet, pairs = *selectron(folder), 102400 * 10000
            elif name.split(":")[0].isdigit():
                elements, count = map(int, name.split(":"))
                page, sheet, pairs = *synthetic(folder, elements, count), elements * count
            elif os.path.isdir(DATA):
                page, sheet = name.split(":")
                page, sheet, pairs = unpack(folder, page + ".html"), unpack(folder, sheet + ".css"), 5e8
            else:
                print("%s: left out, shared/css is not here" % name)
                continue
            row = measure_set(options, folder, name, page, sheet, pairs)
            rows = [r for r in rows if r["set"] != name] + [row]
            print(json.dumps(row), flush=True)
            if options.results:
                with open(options.results, "w") as file:
                    json.dump(rows, file)
    print_tables(rows)


if __name__ == "__main__":
    main()

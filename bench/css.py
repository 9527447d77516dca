#!/usr/bin/env python3
"""css.py STIJL [--chromium FOLDER] [--sizes N:M,...] [--threads N,...]: times `stijl match`, matching only and end to end.

Sets: synthetic documents of N elements with sheets of M rules (shared/css/gen_synth.py), and the real pages of
shared/css. With --chromium, a folder where `npm install puppeteer-core` was run (and Chromium is installed), the total
of querySelectorAll over the same selectors is measured in the same run, and the share of it is given."""
import argparse
import json
import lzma
import os
import subprocess
import sys
import tempfile

SHARED = os.environ.get("STIJL_SHARED", os.path.join(os.path.dirname(__file__), "..", "..", "shared"))
DATA = os.path.join(SHARED, "css", "data")
REAL = ["bs5docs:bootstrap", "huge:bootstrap", "huge:semantic", "huge:tailwind"]


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


def measure(command, page, sheet, threads, repeat, stats):
    subprocess.run([command, "match", "-q", "--threads", str(threads), "--repeat", str(repeat), "--stats", stats, page,
                    sheet], check=True, stdout=subprocess.DEVNULL)
    with open(stats) as file:
        return json.load(file)


def chromium(folder, page, sheet):
    script = os.path.join(folder, "chrome.js")
    with open(os.path.join(SHARED, "css", "chrome.js")) as source, open(script, "w") as copy:
        copy.write(source.read())
    done = subprocess.run(["node", script, "time", "bench", page, sheet, "3"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stijl")
    parser.add_argument("--chromium")
    parser.add_argument("--sizes", default="1000:5000,10000:5000,100000:5000,100000:100,100000:1000,100000:40000")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sets = []
        for real in REAL if os.path.isdir(DATA) else []:
            page, sheet = real.split(":")
            sets.append((real, unpack(folder, page + ".html"), unpack(folder, sheet + ".css")))
        for size in filter(None, options.sizes.split(",")):
            elements, rules = map(int, size.split(":"))
            sets.append((size, *synthetic(folder, elements, rules)))
        for name, page, sheet in sets:
            browser = chromium(options.chromium, page, sheet) if options.chromium else None
            for threads in map(int, options.threads.split(",")):
                s = measure(options.stijl, page, sheet, threads, options.repeat, os.path.join(folder, "stats.json"))
                best = min(s["match_ms"])
                line = "%-18s threads %2d  match %9.2f ms  index %8.2f  build %8.2f  parse %8.2f  pairs %9d" % (
                    name, threads, best, s["index_ms"], s["build_ms"], s["parse_ms"], s["pairs"])
                if browser:
                    line += "  querySelectorAll %9.1f ms  share %.4f" % (browser["qsa"][0], best / browser["qsa"][0])
                print(line, flush=True)


if __name__ == "__main__":
    main()

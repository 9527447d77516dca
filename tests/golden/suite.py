#!/usr/bin/env python3
"""suite.py STIJL [SCORES.json]: renders the SVG suite and judges it by the suite's own score.py.

Prints the share of each folder, of all its tests and of those that need neither text, filters nor style sheets; the
latter must reach a threshold. Files without a reference must not crash the command either."""
import collections
import importlib.util
import json
import math
import multiprocessing
import os
import re
import sys
import tempfile

import tap

# Percent of the tests that need neither text, filters nor style sheets.
THRESHOLDS = {"shapes": 92, "structure": 92, "paint-servers": 92, "painting": 92, "masking": 92}
BEYOND = re.compile(rb"<(\w+:)?(text|tspan|textPath|tref|filter|style)\b|\bfilter\s*[=:]|xml-stylesheet")


def documents(suite):
    """{leaf folder: [SVG file, ...]}"""
    found = collections.defaultdict(list)
    for top, width in (("tests", 300), ("tests-500", 500)):
        for folder, _, names in os.walk(os.path.join(suite, top)):
            for name in sorted(names):
                if name.endswith((".svg", ".svgz")):
                    found[folder, width].append(os.path.join(folder, name))
    return found


def render(job):
    """One folder in one batch; a message when the command ended by a signal or hung."""
    command, out, width, files = job
    os.makedirs(out, exist_ok=True)
    ended = tap.run([command, "render", *files, "-o", out, "-w", str(width), "--allow-all-files"], seconds=120)
    if ended.status < 0:
        return "%s: %s" % (out, "ran for 2 minutes" if ended.timed_out else "signal %d" % -ended.status)
    return None


def needs_more(suite, test):
    with open(os.path.join(suite, test), "rb") as file:
        return bool(BEYOND.search(file.read()))


def judge(job):
    test, reference, picture = job
    return test, score.judge(reference, picture)


def main():
    global score
    command = sys.argv[1]
    suite = tap.shared("svg-suite", "STIJL_SVG_SUITE")
    t = tap.Tap()
    if not os.path.isdir(suite):
        t.skip("SVG suite", "%s is not here" % suite)
        t.finish()
    try:
        spec = importlib.util.spec_from_file_location("score", os.path.join(suite, "score.py"))
        score = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        spec.loader.exec_module(score)
    except ImportError as error:
        t.skip("SVG suite", "Python lacks numpy or PIL (%s)" % error)
        t.finish()

    with tempfile.TemporaryDirectory() as out, multiprocessing.Pool() as pool:
        jobs = [(command, os.path.join(out, os.path.relpath(folder, suite)), width, files)
                for (folder, width), files in documents(suite).items()]
        crashes = [message for message in pool.map(render, jobs, 1) if message]
        t.test("no crash", not crashes, "\n".join(crashes))

        tests = score.find_tests(suite)
        pictures = [(test, os.path.join(suite, os.path.splitext(test)[0] + ".png"),
                     os.path.join(out, os.path.splitext(test)[0] + ".png")) for test in tests]
        # The judges start after score.py is known, and see it.
        with multiprocessing.Pool() as judges:
            results = dict(judges.imap_unordered(judge, pictures, 8))

    everything, ours = collections.Counter(), collections.Counter()
    failed = collections.defaultdict(list)
    for test, result in results.items():
        folder = test.split("/")[1]
        everything[folder, result["pass"]] += 1
        result["beyond"] = needs_more(suite, test)
        if not result["beyond"]:
            ours[folder, result["pass"]] += 1
            if not result["pass"]:
                failed[folder].append("%s: %s" % (test, result["why"]))
    for folder in sorted({folder for folder, _ in everything}):
        passed, count = ours[folder, True], ours[folder, True] + ours[folder, False]
        share = 100.0 * passed / count if count else math.nan
        line = "%s: %d of %d without text, filters, style sheets (%.1f %%); %d of %d in all" % (
            folder, passed, count, share, everything[folder, True],
            everything[folder, True] + everything[folder, False])
        if folder in THRESHOLDS:
            t.test(line, share >= THRESHOLDS[folder], "below %d %%\n" % THRESHOLDS[folder] + "\n".join(failed[folder]))
        else:
            print("# " + line)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            json.dump(results, file, indent=1, sort_keys=True)
    t.finish()


if __name__ == "__main__":
    main()

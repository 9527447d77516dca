#!/usr/bin/env python3
"""suite.py STIJL [SCORES.json]: renders the SVG suite and judges it by the suite's own score.py.

suite.txt names each test and tells whether it passes: one that passed and fails now is a failure, and one that failed
and passes now asks to be marked so, as does a test that the list does not know. STIJL_SUITE_UPDATE=1 writes the list
anew. Files without a reference must not crash the command either."""
import collections
import importlib.util
import json
import multiprocessing
import os
import sys
import tempfile

import tap

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suite.txt")


# As the suite's README.md says.
FONTS = ["--skip-system-fonts", "--font-family=Noto Serif", "--serif-family=Noto Serif",
         "--sans-serif-family=Noto Sans", "--cursive-family=Yellowtail",
         "--fantasy-family=Sedgwick Ave Display", "--monospace-family=Noto Mono"]


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
    ended = tap.run([command, "render", *files, "-o", out, "-w", str(width), "--allow-all-files", *FONTS], seconds=120)
    if ended.status < 0:
        return "%s: %s" % (out, "ran for 2 minutes" if ended.timed_out else "signal %d" % -ended.status)
    return None


def read_list():
    """{test: "pass" or "fail"}"""
    with open(LIST) as file:
        return {test: state for state, test in (line.split() for line in file)}


def write_list(states):
    with open(LIST, "w") as file:
        file.writelines("%s %s\n" % (states[test], test) for test in sorted(states))


def judge(job):
    test, reference, picture = job
    return test, score.judge(reference, picture)


def load_score(t, suite, name):
    """The module score.py of the suite; a skip, named so, where Python lacks what it needs."""
    try:
        spec = importlib.util.spec_from_file_location("score", os.path.join(suite, "score.py"))
        module = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        spec.loader.exec_module(module)
        return module
    except ImportError as error:
        t.skip(name, "Python lacks numpy or PIL (%s)" % error)
        t.finish()


def main():
    global score
    command = sys.argv[1]
    suite = tap.shared("svg-suite", "STIJL_SVG_SUITE")
    t = tap.Tap()
    if not os.path.isdir(suite):
        t.skip("SVG suite", "%s is not here" % suite)
        t.finish()
    score = load_score(t, suite, "SVG suite")

    FONTS.append("--use-fonts-dir=" + os.path.join(suite, "fonts"))
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

    states = {test: "pass" if result["pass"] else "fail" for test, result in results.items()}
    if os.environ.get("STIJL_SUITE_UPDATE"):
        write_list(states)
    known = read_list()
    folders = collections.defaultdict(list)
    for test in sorted(states):
        folders[test.split("/")[1]].append(test)
    for folder, tests in sorted(folders.items()):
        new = [test for test in tests if states[test] == "fail" and known.get(test) == "pass"]
        t.test("%s: %d of %d" % (folder, sum(states[test] == "pass" for test in tests), len(tests)), not new,
               "\n".join("%s: %s" % (test, results[test]["why"]) for test in new))
    changed = [test for test in sorted(states) if states[test] != known.get(test) and known.get(test) != "pass"]
    if changed:
        print("# note: not as in suite.txt (STIJL_SUITE_UPDATE=1 writes it anew): %s" % ", ".join(
            "%s (%s)" % (test, states[test]) for test in changed))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            json.dump(results, file, indent=1, sort_keys=True)
    t.finish()


if __name__ == "__main__":
    main()

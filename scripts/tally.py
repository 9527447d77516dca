#!/usr/bin/env python3
"""tally.py FILE...: sums test results and prints "N passed, M failed, K skipped" last. Exits 1 when anything failed.

FILE is a testlog.json of meson (one JSON object a line; TAP subtests count one by one) or, named *.tap, plain TAP.
What failed, what was skipped and why, and the notes of tests (comments that begin with "# note: ") are told before.
"""
import json
import os
import re
import sys
from collections import Counter, defaultdict

LINE = re.compile(r"^(not ok|ok)\b\s*\d*\s*-?\s*(.*?)(?:\s*#\s*SKIP\b:?\s*(.*))?$", re.IGNORECASE)


def subtests(tap):
    """(result, name, reason) of each TAP line; for a failure the reason is the comments before it."""
    comments = []
    for line in tap.splitlines():
        if line.startswith("#"):
            comments.append(line)
            continue
        m = LINE.match(line)
        if not m:
            bail = re.match(r"1\.\.0\s*#\s*SKIP\s*(.*)", line, re.IGNORECASE)
            if bail:
                yield "skipped", "all of it", bail.group(1)
            continue
        if m.group(1).lower() == "not ok":
            yield "failed", m.group(2), "\n".join(comments)
        elif m.group(3) is not None:
            yield "skipped", m.group(2), m.group(3)
        else:
            yield "passed", m.group(2), ""
        comments = []


def notes(name, tap):
    for text in re.findall(r"^# note: (.*)", tap, re.MULTILINE):
        yield "note", name, text


def tests(path):
    """(result, name, reason) of each test of a file, and ("note", "", text)."""
    with open(path, encoding="utf-8", errors="replace") as file:
        if path.endswith(".tap"):
            text = file.read()
            yield from subtests(text)
            yield from notes(os.path.basename(path)[:-4], text)
            return
        for line in file:
            test = json.loads(line)
            name, output = test["name"], test.get("stdout", "")
            found = [(result, name + ": " + sub, why) for result, sub, why in subtests(output)]
            good = test["result"] in ("OK", "EXPECTEDFAIL", "SKIP")
            if not good and not any(result == "failed" for result, _, _ in found):
                found.append(("failed", name, "%s, status %s\n%s" % (
                    test["result"], test.get("returncode"), (output + test.get("stderr", ""))[-4000:])))
            elif not found and test["result"] == "SKIP":
                found.append(("skipped", name, "".join((output + test.get("stderr", "")).splitlines()[-1:])))
            elif not found:
                found.append(("passed", name, ""))
            elif not good and test.get("stderr"):
                found[-1] = (found[-1][0], found[-1][1], found[-1][2] + test["stderr"][-4000:])
            yield from found
            yield from notes(name, output)


def main():
    counts = Counter()
    skips = defaultdict(list)
    for path in sys.argv[1:]:
        for result, name, why in tests(path):
            counts[result] += 1
            if result == "failed":
                print("FAILED %s%s" % (name, "\n" + why if why else ""))
            elif result == "note":
                print("note from %s: %s" % (name, why))
            elif result == "skipped":
                skips[why or "for no reason that it tells"].append(name)
    for why, names in skips.items():
        print("skipped %d, %s: %s" % (len(names), why, ", ".join(names)))
    print("%d passed, %d failed, %d skipped" % (counts["passed"], counts["failed"], counts["skipped"]))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())

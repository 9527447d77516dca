#!/usr/bin/env python3
"""attacks.py STIJL [--full] [NAME]: 300 kinds of hostile input, each with the idea behind it (attacks_*.py). Each ends
by the default limits within 5 s of the processor and 512 MiB, and with 64 MiB allowed within 1.25 of that beyond an
empty document, with an answer or an error of one line. Without --full a fixed share of them runs."""
import os
import subprocess
import sys
import tempfile

import attacks_documents
import attacks_drawing
import attacks_media
import hostile
import tap

MB = 1 << 20
ALLOWED, SHARE = 64 * MB, 1.25
ONE_OF = 16  # without --full, beside these, which once were not bounded
ALWAYS = ["xml.entity_chain", "text.isolates", "text.length", "references.markers_in_markers", "paints.dash_curves"]
AREAS = {**attacks_documents.AREAS, **attacks_drawing.AREAS, **attacks_media.AREAS}


def prepared(made, folder):
    """Writes an attack's files; its arguments. A document is drawn, at 500 x 500 pixels or at the size or with the
    options that come with it; else an attack is its files by name and the arguments."""
    data, size = made if isinstance(made, tuple) else (made, 500)
    files, line = (data, size) if isinstance(data, dict) else (
        {"in.svg": data},
        ["render", "in.svg", "-o", "out.png", "--force"] + (size if isinstance(size, list) else hostile.size(size)))
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as out:
            out.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return line


def what_is_wrong(ended, line):
    """A picture or an answer, or an error of one line. `compare` and `match` also end with 1 and no error: pictures
    differ, rules are unused."""
    if ended.timed_out:
        return "still running after %d s" % ended.seconds
    errors = [text for text in ended.stderr.splitlines() if "warning:" not in text and "note:" not in text]
    answers = line[0] in ("compare", "match", "query") and ended.status == 1 and not errors
    said = not errors if ended.status == 0 or answers else ended.status in (1, 2) and len(errors) == 1
    if not said:
        return "status %d, %d lines of errors\n%s" % (ended.status, len(errors), ended.stderr[-1000:])
    return ""


def test_attack(t, name, why_it_is, make, command, base):
    made = make()
    if made is None:
        return t.skip(name, "a library that makes it is not installed")
    said, why = [], ""
    for options, limit in ([], hostile.BYTES), (["--max-memory", str(ALLOWED)], ALLOWED * SHARE + base):
        with tempfile.TemporaryDirectory() as folder:
            line = prepared(made, folder)
            if options and line[0] == "fonts":
                continue
            ended = tap.run([command] + line + options, seconds=10 * hostile.SECONDS, peak=True, cwd=folder)
            wrong = what_is_wrong(ended, line)
            drawn = os.path.exists(os.path.join(folder, "out.png"))
            if not wrong and line[0] == "render" and ended.status == 0 and not drawn:
                wrong = "no picture, and no error"
        if not wrong and not tap.SANITIZED and (ended.processor > hostile.SECONDS or ended.peak_bytes > limit):
            wrong = "%.2f s of the processor, %d MiB" % (ended.processor, ended.peak_bytes >> 20)
        if wrong:
            why += "%s: %s\n" % (" ".join(options) or "default", wrong)
        said.append("%.2f s, %d MiB%s" % (ended.processor, ended.peak_bytes >> 20,
                                          " (%s)" % "".join(ended.stderr.strip().splitlines()[-1:])[-70:]
                                          if ended.status else ""))
    return t.test("%s, %s: %s" % (name, why_it_is, "; ".join(said)), not why, why)


def main():
    full = "--full" in sys.argv
    command, only = [a for a in sys.argv[1:] + [""] if a != "--full"][:2]
    command = os.path.abspath(command)
    t = tap.Tap()
    os.environ.pop("MALLOC_PERTURB_", None)
    has_match = subprocess.run([command, "match", "--help"], capture_output=True).returncode == 0
    with tempfile.TemporaryDirectory() as folder:
        line = prepared(hostile.svg(""), folder)
        base = tap.run([command] + line, peak=True, cwd=folder).peak_bytes
    number = 0
    for area, attacks in AREAS.items():
        for name, (why, make) in attacks.items():
            number += 1
            whole = "%s.%s" % (area, name)
            if only not in whole or not (full or only or number % ONE_OF == 0 or whole in ALWAYS):
                continue
            if area == "match" and not has_match:
                t.skip(whole, "built without match")
                continue
            test_attack(t, whole, why, make, command, base)
    t.finish()


if __name__ == "__main__":
    main()

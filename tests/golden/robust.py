#!/usr/bin/env python3
"""robust.py STIJL: every hostile file of the shared folder `robust` ends within 5 s and 512 MiB, with a picture or with
an error of one line, and never by a signal."""
import os
import struct
import sys
import tempfile

import tap

SECONDS, BYTES = 5, 512 << 20
# Sanitizers reserve address space without limit, and take their time.


def sane_png(path):
    with open(path, "rb") as file:
        head = file.read(24)
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    width, height = struct.unpack(">II", head[16:24])
    return 0 < width <= 32767 and 0 < height <= 32767


def verdict(ended, png):
    """What is wrong with the end of a run; empty when nothing is."""
    if ended.timed_out:
        return "still running after %d s" % SECONDS
    if ended.status < 0:
        return "signal %d\n%s" % (-ended.status, ended.stderr[-2000:])
    if ended.status == 0:
        return "" if os.path.exists(png) and sane_png(png) else "no picture, and no error"
    errors = [line for line in ended.stderr.splitlines() if ": warning: " not in line and ": note: " not in line]
    if ended.status != 1 or len(errors) != 1:
        return "status %d, %d lines of errors\n%s" % (ended.status, len(errors), ended.stderr[-2000:])
    return ""


def main():
    command = sys.argv[1]
    folder = tap.shared("robust")
    t = tap.Tap()
    if not os.path.isdir(folder):
        t.skip("hostile files", "%s is not here" % folder)
        t.finish()
    with tempfile.TemporaryDirectory() as out:
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if not name.endswith((".svg", ".svgz")):
                    continue
                svg, png = os.path.join(root, name), os.path.join(out, "out.png")
                if os.path.exists(png):
                    os.remove(png)
                ended = tap.run([command, "render", svg, "-o", png], seconds=SECONDS * (10 if tap.SANITIZED else 1),
                                memory=BYTES)
                why = verdict(ended, png)
                t.test(os.path.relpath(svg, folder), not why, why)
    t.finish()


if __name__ == "__main__":
    main()

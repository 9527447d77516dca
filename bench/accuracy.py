#!/usr/bin/env python3
"""accuracy.py [--results FILE] SCENE.dl NAME=COMMAND...: how far a picture at 512 px lies from a 16 times supersampled
one: pixels of which a channel differs by more than 32 (of 255), and the mean difference.

The commands are adapters (frames.h). The reference is the first one's own picture at 8192 px, averaged over 16 x 16."""
import argparse
import os
import tempfile

import numpy

import measure

SIZE, FACTOR, FAR = 512, 16, 32


def picture(command, scene, size):
    path = os.path.join(tempfile.gettempdir(), "stijl-accuracy-%d.ppm" % os.getpid())
    try:
        measure.run(command.split() + [scene, str(size), "1", "0", "0", path])
        with open(path, "rb") as file:
            file.readline(), file.readline(), file.readline()
            return numpy.frombuffer(file.read(), numpy.uint8).reshape(size, size, 3)
    finally:
        if os.path.exists(path):
            os.remove(path)


def averaged(large):
    """FACTOR x FACTOR box filter, band by band to spare memory."""
    rows = [large[y:y + FACTOR].reshape(FACTOR, SIZE, FACTOR, 3).astype(numpy.uint32).sum((0, 2))
            for y in range(0, SIZE * FACTOR, FACTOR)]
    return (numpy.stack(rows) + FACTOR * FACTOR // 2) // (FACTOR * FACTOR)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--results")
    parser.add_argument("scene")
    parser.add_argument("adapters", nargs="+")
    a = parser.parse_args()
    adapters = dict(text.split("=", 1) for text in a.adapters)
    reference = averaged(picture(next(iter(adapters.values())), a.scene, SIZE * FACTOR)).astype(int)
    rows, results = [], []
    for name, command in adapters.items():
        difference = abs(picture(command, a.scene, SIZE).astype(int) - reference).max(2)
        far, mean = int((difference > FAR).sum()), float(difference.mean())
        rows.append((name, [str(far), "%.3f" % mean]))
        results.append({"peer": name, "far": far, "mean": mean})
    measure.table("accuracy at %d px against %d times supersampling" % (SIZE, FACTOR),
                  ["pixels off by > %d" % FAR, "mean difference"], rows)
    if a.results:
        measure.save(a.results, "accuracy", results)


if __name__ == "__main__":
    main()

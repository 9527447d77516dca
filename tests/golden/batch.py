#!/usr/bin/env python3
"""batch.py STIJL [--full]: batches: lists, shards, sizes, results, journals; processes that are killed at random
moments lose nothing, do nothing twice, and leave neither half a picture nor a temporary file. --full kills more
often."""
import fcntl
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import tap

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="%d" height="9" fill="#%06x"/>
<circle cx="%d" cy="5" r="4" fill="#%06x" fill-opacity=".5"/></svg>"""


class Folder:
    def __init__(self, program, path, t):
        self.program, self.path, self.t = program, path, t

    def __call__(self, *arguments, **options):
        return tap.run([self.program, "render", *arguments], cwd=self.path, **options)

    def at(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text, mode="w"):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), mode) as out:
            out.write(text)

    def lines(self, name):
        with open(self.at(name), errors="surrogateescape") as file:
            return [json.loads(line) for line in file]

    def files(self, name):
        """Path below the folder -> hash of the content; temporary files too."""
        found = {}
        for folder, _, names in os.walk(self.at(name)):
            for file in names:
                path = os.path.join(folder, file)
                with open(path, "rb") as content:
                    found[os.path.relpath(path, self.at(name))] = hashlib.sha256(content.read()).hexdigest()
        return found

    def expect(self, name, good, ended=None):
        return self.t.test(name, bool(good), "status %d\n%s" % (ended.status, ended.stderr[-1000:]) if ended else "")


def make_documents(c, folder, count):
    numbers = random.Random(count)
    names = []
    for i in range(count):
        names.append("%s/%d/n%04d.svg" % (folder, i % 7, i))
        c.write(names[-1], SVG % (i % 20 + 1, numbers.randrange(1 << 24), i % 19, numbers.randrange(1 << 24)))
    return names


def test_lists(c, names):
    c.write("list", "\n".join(names) + "\n")
    c.write("list0", "\0".join(names))
    whole = c("-r", "docs", "-o", "whole")
    for name, arguments, stdin in (("lines", ("list",), b""), ("NUL", ("list0", "-0"), b""),
                                   ("standard input", ("-",), "\n\n".join(names).encode())):
        ended = c("--files-from", *arguments, "-o", "listed-" + name, stdin=stdin)
        flat = {os.path.basename(path): content for path, content in c.files("whole").items()}
        c.expect("list: " + name, ended.status == 0 and c.files("listed-" + name) == flat and
                 len(flat) == len(names), ended)
        c.expect("total: " + name, ended.stderr.startswith("stijl: %d files: %d drawn, 0 skipped, 0 failed, " %
                                                           (len(names), len(names))), ended)
    ended = c("--files-from", "list0", "-o", "x")
    c.expect("error: NUL characters in lines", ended.status == 1 and "-0" in ended.stderr, ended)
    ended = c("--files-from", "list", "-q")
    c.expect("error: a list without a folder", ended.status == 1 and "-o FOLDER" in ended.stderr, ended)
    long = "a" * 5000
    ended = c("--files-from", "-", "-o", "some", stdin=("none.svg\n%s\n%s\n-\n" % (long, names[0])).encode())
    c.expect("bad names do not stop the others", ended.status == 1 and
             "1 drawn, 0 skipped, 3 failed" in ended.stderr and "File name too long" in ended.stderr and
             len(c.files("some")) == 1, ended)
    for shards in (1, 3, 200):
        drawn = [c("-r", "docs", "-o", "shards%d" % shards, "--shard", "%d/%d" % (i + 1, shards), "-q").status
                 for i in range(shards)]
        c.expect("%d shards draw the whole" % shards, not any(drawn) and
                 c.files("shards%d" % shards) == c.files("whole"))
    ended = c("-r", "docs", "-o", "part", "--shard", "2/3", "--results", "-")
    c.expect("a shard is its part alone", whole.status == 0 and
             len(c.files("part")) in (len(names) // 3, len(names) // 3 + 1) and
             len(ended.stdout.splitlines()) == len(c.files("part")), ended)
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0", "/"):
        ended = c("-r", "docs", "-o", "x", "--shard", wrong)
        c.expect("error: shard " + wrong, ended.status == 1 and "--shard" in ended.stderr, ended)


def test_sizes(c, names):
    ended = c(*names[:3], "-w", "16,32,64", "-o", "sizes")
    single = [c(name, "-w", str(w)).stdout for name in names[:3] for w in (16, 32, 64)]
    wanted = {"%s-%d.png" % (os.path.basename(name)[:-4], w): hashlib.sha256(single.pop(0)).hexdigest()
              for name in names[:3] for w in (16, 32, 64)}
    c.expect("several widths, as one by one", ended.status == 0 and c.files("sizes") == wanted, ended)
    for arguments, made in ((("-w", "16,32", "-o", "p1/{width}x{width}/{name}.png"),
                             ["16x16/n0000.png", "32x32/n0000.png"]),
                            (("-h", "16,32", "-o", "p2/"), ["n0000-16.png", "n0000-32.png"]),
                            (("-w", "16,8", "-h", "4,9", "-o", "p3/"), ["n0000-16x4.png", "n0000-8x9.png"]),
                            (("-w", "16", "-h", "4,9", "-o", "p4/"), ["n0000-16x4.png", "n0000-16x9.png"]),
                            (("-z", "1,2,0.5", "-o", "p5/"), ["n0000.png", "n0000@0.5x.png", "n0000@2x.png"]),
                            (("-w", "16", "-o", "p6/{name}.png"), ["n0000.png"])):
        ended = c(names[0], *arguments)
        c.expect("named by " + " ".join(arguments), ended.status == 0 and
                 sorted(c.files(arguments[-1][:2])) == made, ended)
    for arguments, advice in ((("-w", "16,16", "-o", "x/"), "two sizes"), (("-w", "16,32", "-o", "x.png"), "{width}"),
                              (("-w", "16,32", "-o", "x-{name}.png"), "{width}"), (("-w", "16,32"), "{width}"),
                              (("-w", "1,2", "-o", "{size}-{width}.png"), "braces"),
                              (("-w", "1,2", "-h", "1,2,3"), "paired"),
                              (("-z", "1,2", "-w", "9"), "-z"), (("-w", "16,", "-o", "x/"), "16,"),
                              (("-o", "{width}.png"), "--width"),
                              (("-w", "1,2", "-o", "x/", "--save-scene", "s"), "one size")):
        ended = c(names[0], *arguments)
        c.expect("error: sizes " + " ".join(arguments), ended.status == 1 and ended.stderr.count("\n") == 1 and
                 advice in ended.stderr, ended)
    ended = c(*names[:2], "-w", "1,2", "-o", "{width}.png")
    c.expect("error: a pattern without {name}", ended.status == 1 and "{name}" in ended.stderr, ended)
    c("docs/0/n0000.svg", "--save-scene", "saved.scene", "-o", "x.png")
    ended = c("saved.scene", "-w", "16,32", "-o", "scene-{width}.png")
    c.expect("a saved scene at several sizes", ended.status == 0 and
             hashlib.sha256(open(c.at("scene-32.png"), "rb").read()).hexdigest() == wanted["n0000-32.png"], ended)
    ended = c(names[0], "-w", "16,30000", "-h", "16,30000", "--stretch", "-o", "large/", "--max-pixels", "999")
    c.expect("a size that fails leaves the others", ended.status == 1 and
             list(c.files("large")) == ["n0000-16x16.png"], ended)


def test_results(c, names):
    c.write("bad.svg", "<svg")
    ended = c(names[0], "bad.svg", "none.svg", "docs", "-w", "8,9", "-o", "res", "--results", "results",
              "--stats", "stats")
    found = {(r["input"], r["output"]): r for r in c.lines("results")}
    good = found[names[0], "res/n0000-9.png"]
    c.expect("results", ended.status == 1 and len(found) == 7 and (good["status"], good["width"], good["height"]) ==
             ("drawn", 9, 5) and good["bytes"] == os.path.getsize(c.at("res/n0000-9.png")) and
             "message" in found["bad.svg", "res/bad-8.png"] and found["docs", None]["status"] == "failed", ended)
    c.expect("one line on standard error for each file that failed", ended.stderr.count("\n") == 4 and
             "4 files: 1 drawn, 0 skipped, 3 failed" in ended.stderr, ended)
    with open(c.at("stats")) as file:
        stats = json.load(file)
    c.expect("statistics of each picture", [s["width"] for s in stats] == [8, 9])
    c("-r", "docs", "-o", "res2", "--stats", "stats", "--threads", "7", "-q")
    with open(c.at("stats")) as file:
        stats = json.load(file)
    inputs = [s["input"] for s in stats]
    c.expect("statistics in the order of the inputs", inputs == sorted(inputs) and len(inputs) == len(names))


def test_journal(c, names):
    run = ("-r", "docs2", "-o", "j", "--journal", "journal")
    odd = b"docs2/q\"\\\x01\xc3\xa4\xff.svg"
    make_documents(c, "docs2", 30)
    c.write("docs2/bad.svg", "<svg")
    with open(os.path.join(os.fsencode(c.path), odd), "w") as out:
        out.write(SVG % (1, 2, 3, 4))
    ended = c(*run)
    c.expect("a journal has a line for each input", ended.status == 1 and len(c.lines("journal")) == 33 and
             os.fsencode(next(r["input"] for r in c.lines("journal") if "q" in r.get("input", ""))) == odd, ended)
    before = c.files("j")
    ended = c(*run)
    c.expect("error: a journal that is there", ended.status == 1 and "--resume" in ended.stderr, ended)
    ended = c(*run, "--resume")
    c.expect("resumed: failures are tried again, else nothing", ended.status == 1 and
             "0 drawn, 31 skipped, 1 failed" in ended.stderr and "bad.svg" in ended.stderr, ended)
    os.remove(c.at("j/1/n0001.png"))
    c.write("j/2/n0002.png", "half")
    c.write("docs2/3/n0003.svg", SVG % (9, 9, 9, 9))
    os.utime(c.at("docs2/4/n0004.svg"), (1, 1))
    c.write("docs2/bad.svg", SVG % (7, 7, 7, 7))
    ended = c(*run, "--resume", "--results", "-")
    drawn = [json.loads(line)["input"] for line in ended.stdout.splitlines() if b'"drawn"' in line]
    after = c.files("j")
    c.expect("resumed: what is missing, damaged or changed", ended.status == 0 and len(drawn) == 5 and
             {k for k in after if after[k] != before.get(k)} == {"3/n0003.png", "bad.png"}, ended)
    for other in (("-w", "9"), ("--time", "1"), ("-b", "red")):
        ended = c(*run, "--resume", *other)
        c.expect("error: resumed with another " + other[0], ended.status == 1 and "other options" in ended.stderr,
                 ended)
    ended = c(*run, "--resume", "--threads", "1", "--max-seconds", "99", "--isa", "scalar")
    c.expect("options that change no picture", ended.status == 0 and "0 drawn" in ended.stderr, ended)
    with open(c.at("journal"), "rb") as file:
        whole = file.read()
    with open(c.at("journal"), "wb") as file:
        file.write(whole[:-1])
        file.write(b'\n{"input": "docs2/1/n0001.svg", "stat')
    ended = c(*run, "--resume")
    lines = c.lines("journal")
    c.expect("a torn line is dropped", ended.status == 0 and "0 drawn" in ended.stderr and
             "damaged" not in ended.stderr and len(lines) == whole.count(b"\n") + 1, ended)
    with open(c.at("journal"), "ab") as file:
        file.write(b'{"input": "docs2/1/n0001.svg", "sta\n')
    ended = c(*run, "--resume")
    c.expect("a damaged line is told", ended.status == 0 and "1 damaged" in ended.stderr, ended)
    c.write("other", "my only copy")
    ended = c("-r", "docs2", "-o", "j", "--journal", "other", "--resume")
    c.expect("error: no journal", ended.status == 1 and open(c.at("other")).read() == "my only copy", ended)
    with open(c.at("journal")) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        ended = c(*run, "--resume")
    c.expect("error: a journal in use", ended.status == 1 and "another process" in ended.stderr, ended)
    if os.path.exists("/dev/full"):
        os.symlink("/dev/full", c.at("full"))
        ended = c("-r", "docs2", "-o", "j2", "--results", "full")
        c.expect("error: results that cannot be written end the run", ended.status == 1 and
                 "No space" in ended.stderr and "not begun" in ended.stderr, ended)


def kill(c, arguments, seconds):
    process = subprocess.Popen([c.program, "render", *arguments], cwd=c.path, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait()


def test_kills(c, count, kills, seed=1):
    make_documents(c, "many", count)
    sizes = ("-w", "24,48")
    start = time.monotonic()
    ended = c("-r", "many", "-o", "unbroken", *sizes, "-q")
    whole = time.monotonic() - start
    wanted = c.files("unbroken")
    c.expect("an unbroken run", ended.status == 0 and len(wanted) == 2 * count, ended)
    numbers = random.Random(seed)
    rounds = finished = killed = leavings = 0
    faults = []
    run = ("-r", "many", "-o", "killed", *sizes, "--journal", "killed.journal", "--resume", "-q")
    while killed < kills:
        if rounds == 0:
            subprocess.call(["rm", "-rf", c.at("killed"), c.at("killed.journal")])
        rounds += 1
        status = kill(c, run, numbers.uniform(0, whole / 3))
        killed += status == -signal.SIGKILL
        found = c.files("killed")
        leavings += any(name.endswith(".tmp") for name in found)
        faults += ["half a file: " + k for k, v in found.items() if not k.endswith(".tmp") and wanted.get(k) != v]
        if status == 0 or killed == kills:
            ended = c(*run)
            records = [r for r in c.lines("killed.journal") if "input" in r] if ended.status == 0 else []
            names = [r["input"] for r in records]
            faults += [] if ended.status == 0 else ["status %d: %s" % (ended.status, ended.stderr)]
            faults += [] if sorted(set(names)) == sorted(names) and len(names) == count else ["%d records" % len(names)]
            made = c.files("killed")
            faults += [] if made == wanted else ["files differ: " + str(set(made) ^ set(wanted))]
            finished, rounds = finished + 1, 0
    c.t.test("%d documents at two sizes, killed %d times in %d batches: nothing lost, twice or half" %
             (count, killed, finished), not faults, "\n".join(faults[:20]))
    print("# temporary files were left %d times, and removed" % leavings)


def main():
    t = tap.Tap()
    full = "--full" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        c = Folder(os.path.abspath(sys.argv[1]), folder, t)
        names = make_documents(c, "docs", 50)
        for test in (test_lists, test_sizes, test_results, test_journal):
            test(c, names)
        test_kills(c, 2000 if full else 200, 100 if full else 5)
    t.finish()


if __name__ == "__main__":
    main()

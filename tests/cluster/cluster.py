#!/usr/bin/env python3
"""cluster.py STIJL [EXTENSION] [--full]: the programs of examples/cluster on the engines that this machine has. Each
draws a pyramid and a batch of icons to the bytes of one process, while one of its workers is killed. EXTENSION: the
module of the Python package that was built. Without --full it takes seconds: of engines Open MPI alone, the script for
Slurm with Slurm's variables, a small pyramid and 1,000 icons; with it all of them, and 10,000 icons."""
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import engines  # noqa: E402
import tap  # noqa: E402

ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<path d="M%d 2C%d %d %d %d %d 22L3 12z" fill="#%06x"/>
<circle cx="%d" cy="12" r="%d" fill="none" stroke="#%06x" stroke-width="2"/></svg>"""
SHARDS = 8


class Work:
    """The inputs, and what one process makes of them."""

    def __init__(self, program, folder, full):
        self.program, self.folder = program, folder
        self.icons = 10000 if full else 1000
        self.map_width = 20000 if full else 3000
        os.mkdir(self.at("icons"))
        numbers = random.Random(1)
        names = ["icons/i%05d.svg" % i for i in range(self.icons)]
        for name in names:
            small = [numbers.randrange(1, 23) for _ in range(8)]
            self.write(name, ICON % (*small[:6], numbers.randrange(1 << 24), *small[6:], numbers.randrange(1 << 24)))
        self.write("list", "".join(self.at(name) + "\n" for name in names))
        shapes = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 700">']
        for _ in range(3000):
            shapes.append('<circle cx="%d" cy="%d" r="%d" fill="#%06x" fill-opacity=".6"/>' %
                          (numbers.randrange(1000), numbers.randrange(700), numbers.randrange(1, 40),
                           numbers.randrange(1 << 24)))
        self.write("map.svg", "".join(shapes) + "</svg>")

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.at(name), "w") as out:
            out.write(text)

    def tiles(self, out):
        return [self.program, "tiles", self.at("map.svg"), "-w", str(self.map_width), "-o", out, "--threads", "1", "-q"]

    def batch(self, out):
        return [self.program, "render", "--files-from", self.at("list"), "-w", "64,256", "-o", out, "--threads", "1",
                "-q"]

    def draw_whole(self):
        for command, out in ((self.tiles, "map"), (self.batch, "pictures")):
            subprocess.run(command(self.at(out)), check=True, cwd=self.folder)
        self.map, self.pictures = files(self.at("map")), files(self.at("pictures"))


def files(folder):
    """{path: hash of the content}, of temporary files too."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def commands_of(out):
    """The processes of the command that write into a folder."""
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().split(b"\0")
            if os.fsencode(out) in words and words[1] in (b"tiles", b"render"):
                yield int(pid)
        except (OSError, IndexError):
            pass


def parent_of(pid):
    with open("/proc/%d/stat" % pid) as file:
        return int(file.read().rpartition(")")[2].split()[1])


def kill_one(process, out, worker):
    """Ends a worker of the engine, or else the command itself, once some files are there. Whether it was at work."""
    while process.poll() is None:
        if sum(len(names) for _, _, names in os.walk(out)) > 20:
            for pid in commands_of(out):
                try:
                    os.kill(parent_of(pid) if worker else pid, signal.SIGKILL)
                    return True
                except (OSError, ValueError):
                    pass
        time.sleep(0.002)
    return False


def end(process, seconds=600):
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def log_of(folder):
    with open(os.path.join(folder, "engine.log"), errors="replace") as file:
        return file.read()[-3000:]


def records(folder):
    """The inputs that the journals of all shards say are drawn."""
    for name in sorted(os.listdir(folder)):
        if name.startswith("journal-"):
            with open(os.path.join(folder, name)) as file:
                yield from (r["input"] for r in map(json.loads, file) if r.get("status") == "drawn")


def test_engine(t, work, name, start, folder):
    worker = name in ("Ray", "Dask")
    for what, wanted in (("pyramid", work.map), ("batch", work.pictures)):
        out = os.path.join(folder, what)
        if what == "pyramid":
            command = work.tiles(out) + ["--shard", "{shard}", "--resume"]
        else:
            command = work.batch(out) + ["--shard", "{shard}", "--resume", "--journal",
                                         os.path.join(folder, "journal-{index}")]
        for _ in range(3):  # where a machine was done before its worker was ended
            began = time.monotonic()
            process = start(command)
            killed = kill_one(process, out, worker)
            status = end(process)
            seconds = time.monotonic() - began
            if killed or status:
                break
            subprocess.check_call("rm -rf batch pyramid journal-*", shell=True, cwd=folder)
        t.test("%s, %s: a %s was killed at work, and the run ended well (%.0f s)" %
               (name, what, "worker" if worker else "command", seconds), killed and status == 0,
               "killed: %s, status %d\n%s" % (killed, status, log_of(folder)))
        made = files(out)
        t.test("%s, %s: the %d files of one process" % (name, what, len(wanted)), made == wanted,
               "differ: %s" % sorted(k for k in set(made) | set(wanted) if made.get(k) != wanted.get(k))[:10])
    drawn = list(records(folder))
    t.test("%s, batch: each icon is in the journals once" % name,
           len(drawn) == len(set(drawn)) == work.icons, "%d records of %d icons" % (len(drawn), len(set(drawn))))


def run_engine(t, work, name, engine):
    with tempfile.TemporaryDirectory(prefix="stijl-") as folder:
        try:
            with engine(folder, SHARDS) as start:
                test_engine(t, work, name, start, folder)
        except engines.Absent as why:
            t.skip(name, str(why))


def test_icons(t, work, package):
    """dask_icons.py: the Python package, and a store that fsspec knows."""
    try:
        import dask.distributed  # noqa: F401
    except ImportError:
        return t.skip("Dask, the Python package", "no Python package distributed")
    with tempfile.TemporaryDirectory(prefix="stijl-") as folder:
        out = os.path.join(folder, "store")
        command = [sys.executable, engines.example("dask_icons.py"), work.at("icons/*.svg"), "file://" + out, "64",
                   "256"]
        environment = {"PYTHONPATH": package, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "30s"}
        process = engines.start(command, folder, **environment)
        killed = kill_worker(process, out)
        status = end(process)
        made = {k: v for k, v in files(out).items() if not k.startswith("done")}
        t.test("Dask, the Python package: a worker was killed, and the pictures are those of the command",
               killed and status == 0 and made == work.pictures,
               "killed: %s, status %d, %d files\n%s" % (killed, status, len(made), log_of(folder)))
        some = os.path.join(out, sorted(made)[0])
        os.remove(some)
        again = end(engines.start(command, folder, **environment))
        t.test("what is done is not drawn again", again == 0 and not os.path.exists(some), log_of(folder))
        os.utime(work.at("icons/i00000.svg"), (1, 1))
        again = end(engines.start(command, folder, **environment))
        t.test("but an icon that changed is", again == 0 and files(out).get(os.path.basename(some)) ==
               work.pictures[os.path.basename(some)], log_of(folder))


def test_script(t, work):
    """slurm.sbatch as Slurm runs it: one task after the other, of which the second is ended at its first try."""
    with tempfile.TemporaryDirectory(prefix="stijl-") as folder:
        out, asked = os.path.join(folder, "out"), os.path.join(folder, "asked")
        with open(os.path.join(folder, "scontrol"), "w") as script:
            script.write('#!/bin/sh\necho "$@" >>"%s"\n' % asked)
        os.chmod(script.name, 0o755)
        again = ["sh", "-c", 'test "$SLURM_ARRAY_TASK_ID$SLURM_RESTART_COUNT" != 60 || kill -9 $$; exec "$@"', "sh"]
        command = ["bash", engines.example("slurm.sbatch"), *again, *work.batch(out), "--shard", "{shard}", "--journal",
                   os.path.join(folder, "journal-{index}"), "--resume"]
        statuses = []
        for task, restarts in ((5, 0), (6, 0), (6, 1), (7, 0)):
            process = engines.start(command, folder, PATH=folder + ":" + os.environ["PATH"], SLURM_ARRAY_JOB_ID="12",
                                    SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_MIN="5", SLURM_ARRAY_TASK_COUNT="3",
                                    SLURM_RESTART_COUNT=str(restarts))
            statuses.append(end(process))
        t.test("slurm.sbatch: three tasks, one of them twice", statuses == [0, 137, 0, 0] and
               files(out) == work.pictures and sorted(records(folder)) == sorted(set(records(folder))),
               "%s\n%s" % (statuses, log_of(folder)))
        with open(asked) as file:
            t.test("slurm.sbatch: a task that was killed is put back into the queue", file.read() == "requeue 12_6\n")


def children_of(pid):
    for other in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if parent_of(int(other)) == pid:
                yield int(other)
        except (OSError, ValueError):
            pass


def kill_worker(process, out):
    """Ends one of the processes that the program has spawned, once pictures are there."""
    while process.poll() is None:
        if sum(len(names) for _, _, names in os.walk(out)) > 20:
            for pid in children_of(process.pid):
                with open("/proc/%d/cmdline" % pid, "rb") as file:
                    if b"spawn_main" in file.read():
                        os.kill(pid, signal.SIGKILL)
                        return True
        time.sleep(0.002)
    return False


def make_package(extension, folder):
    package = os.path.join(folder, "package", "stijl")
    os.makedirs(package)
    sources = os.path.join(tap.SOURCE, "python", "stijl")
    for name in os.listdir(sources):
        os.symlink(os.path.join(sources, name), os.path.join(package, name))
    os.symlink(os.path.abspath(extension), os.path.join(package, os.path.basename(extension)))
    return os.path.dirname(package)


def main():
    t = tap.Tap()
    full = "--full" in sys.argv
    program, *extension = [a for a in sys.argv[1:] if a != "--full"]
    with tempfile.TemporaryDirectory(prefix="stijl-") as folder:
        work = Work(os.path.abspath(program), folder, full)
        work.draw_whole()
        for name, engine in engines.ENGINES.items():
            if full or name == "Open MPI":
                run_engine(t, work, name, engine)
        test_script(t, work)
        if full and extension:
            test_icons(t, work, make_package(extension[0], folder))
    t.finish()


if __name__ == "__main__":
    main()

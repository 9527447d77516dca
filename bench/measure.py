"""What the measuring scripts share: running pinned commands in turn, and telling ratios."""
import argparse
import json
import os
import random
import statistics
import subprocess
import time


def arguments(*required, **optional):
    """The command line: [--quick] --results FILE --REQUIRED VALUE... [--OPTIONAL VALUE]... NAME=COMMAND...; its
    `adapters` are {name: [word, ...]}."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    for name in ("results", *required):
        parser.add_argument("--" + name, required=True)
    for name, default in optional.items():
        parser.add_argument("--" + name, type=type(default), default=default)
    parser.add_argument("adapters", nargs="+")
    a = parser.parse_args()
    a.adapters = {name: command.split() for name, command in (text.split("=", 1) for text in a.adapters)}
    return a


def cores(count):
    """The first `count` cores this process may use, as a list for taskset."""
    return ",".join(map(str, sorted(os.sched_getaffinity(0))[:count]))


def pinned(command, threads=1):
    return ["taskset", "-c", cores(threads), *command]


def run(command, **options):
    done = subprocess.run(command, capture_output=True, **options)
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(command), done.stderr.decode(errors="replace")[-400:]))
    return done.stdout


def wall_ms(command):
    """Milliseconds of a whole process, start to end."""
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    taken = (time.perf_counter() - start) * 1e3
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(command), done.stderr.decode(errors="replace")[-400:]))
    return taken


def status(command):
    """Exit status of a command that may fail, its output thrown away."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode


def interleave(rounds, jobs, measure):
    """{key: [value, ...]} of `rounds` times measure(key) for every key, in a new order each time: a slow moment of the
    machine then hits all alike."""
    values = {key: [] for key in jobs}
    order = random.Random(0)
    for _ in range(rounds):
        for key in order.sample(jobs, len(jobs)):
            result = measure(key)
            values[key] += result if isinstance(result, list) else [result]
    return values


def summary(values):
    return {"min": min(values), "median": statistics.median(values), "count": len(values)}


def table(title, columns, rows):
    """rows: [(name, [text, ...])]"""
    print("\n" + title)
    width = max([len(name) for name, _ in rows] + [4])
    sizes = [max(len(c), *(len(cells[i]) for _, cells in rows)) for i, c in enumerate(columns)]
    print("  %-*s  %s" % (width, "", "  ".join(c.rjust(s) for c, s in zip(columns, sizes))))
    for name, cells in rows:
        print("  %-*s  %s" % (width, name, "  ".join(c.rjust(s) for c, s in zip(cells, sizes))))


def peak_bytes(command):
    """Peak memory of a whole process, by wait4."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(" ".join(command) + " failed")
    return usage.ru_maxrss * 1024


def save(path, name, value):
    """Puts `value` under `name` into the JSON file of results."""
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            results = json.load(file)
    results[name] = value
    with open(path, "w") as out:
        json.dump(results, out, indent=1, sort_keys=True)
        out.write("\n")

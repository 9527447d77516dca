"""TAP output and what else the test scripts of this folder share."""
import os
import resource
import subprocess
import sys
import time

SANITIZED = bool(os.environ.get("STIJL_SANITIZED"))  # a build with memory and a pace of its own
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def shared(name, variable=None):
    """A folder of the shared test data (STIJL_SHARED, else ../shared beside the sources), or of its own variable."""
    own = os.environ.get(variable) if variable else None
    return own or os.path.join(os.environ.get("STIJL_SHARED") or os.path.join(SOURCE, "..", "shared"), name)


class Tap:
    def __init__(self):
        self.number = self.failures = 0

    def test(self, name, good, comment="", skip=None):
        self.number += 1
        self.failures += not good
        for line in comment.splitlines() if not good else []:
            print("# " + line)
        print("%s %d - %s%s" % ("ok" if good else "not ok", self.number, name, " # SKIP " + skip if skip else ""))
        sys.stdout.flush()
        return good

    def skip(self, name, why):
        self.test(name, True, skip=why)

    def finish(self):
        print("1..%d" % self.number)
        sys.exit(1 if self.failures else 0)


class Ended:
    """A process that ran under a time limit: status (negative: a signal), stdout, stderr, seconds, peak_bytes,
    processor (seconds)."""


def run(command, seconds=60, memory=None, stdin=b"", peak=False, **options):
    """`memory`: bytes of address space, which sanitizers alone would exceed: they are given no limit. `peak`: find out
    how much memory it held at most, and how much processor time it took."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory and not SANITIZED else None
    ended = Ended()
    ended.peak_bytes, ended.processor = 0, 0.0
    if peak:
        # The largest of all children is no use: a small process of our own has but one.
        command = [sys.executable, os.path.abspath(__file__)] + list(command)
    start = time.monotonic()
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=seconds, preexec_fn=limit, **options)
        ended.status, ended.stdout, ended.stderr = done.returncode, done.stdout, done.stderr.decode(errors="replace")
        ended.timed_out = False
    except subprocess.TimeoutExpired:
        ended.status, ended.stdout, ended.stderr, ended.timed_out = -9, b"", "", True
    ended.seconds = time.monotonic() - start
    if peak and not ended.timed_out:
        ended.stderr, _, last = ended.stderr.rpartition("peak ")
        ended.peak_bytes, ended.processor = int(last.split()[0]), float(last.split()[1])
    return ended


def run_for_peak(command):
    status = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stderr.write("peak %d %f\n" % (used.ru_maxrss * 1024, used.ru_utime + used.ru_stime))
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(run_for_peak(sys.argv[1:]))

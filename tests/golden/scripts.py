"""scripts.py: what the scripts of scripts/ say, and when: off a terminal nothing is silent for long, nothing is said when
there is nothing to do, and what a machine lacks is told. With shellcheck, where that is."""
import json
import os
import re
import shutil
import subprocess
import tempfile

import tap

SCRIPTS = os.path.join(tap.SOURCE, "scripts")
t = tap.Tap()


def say(code, folder=tap.SOURCE, seconds=60):
    """What bash writes, both ways, when it runs code after lib.sh, with a pause of a second instead of ten."""
    return subprocess.run(["bash", "-c", 'cd "$0"; . "%s/lib.sh"; every=1; cd "$1"; %s' % (SCRIPTS, code), tap.SOURCE, folder],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds).stdout.splitlines()


def said(name, lines, expected):
    """Compares lines; however often one that counts seconds comes, it is one."""
    lines = [re.sub(r"\b\d+ s$", "N s", line) for line in lines]
    lines = [line for line, before in zip(lines, [None] + lines) if line != before or not line.endswith("N s")]
    t.test(name, lines == expected, "said %r\nexpected %r" % (lines, expected))


with tempfile.TemporaryDirectory() as folder:
    said("a build tells how much there is to do, and how far it is",
         say("{ echo '[1/40] a'; echo '[2/40] b'; sleep 2.5; } | progress folder log", folder),
         ["building folder: 40 steps", "folder: 2 of 40, N s"])
    said("a build that has done nothing yet is told of", say("{ sleep 2.5; echo '[1/9] a'; } | progress folder log", folder),
         ["folder, N s", "building folder: 9 steps"])
    said("a build without work is silent", say("echo 'ninja: no work to do.' | progress folder log", folder), [])
    said("a finished test is a line; later ones are waited for",
         say("{ echo ' 1/9 cpu  OK  1.00s'; sleep 2.5; } | progress tests log", folder),
         [" 1/9 cpu  OK  1.00s", "tests: 1 of 9, N s"])
    said("a program that takes long is told of, with its status",
         say('status=0; patiently waiting sh -c "sleep 2.5; exit 3" >log || status=$?; echo "ended $status"', folder),
         ["waiting, N s", "ended 3"])
    said("a quick program is silent", say("patiently waiting true", folder), [])
    said("what is missing is told once, in a line each",
         say("forget_missing; note_missing A why; note_missing B 'no tool'; note_missing A why; tell_missing; "
             "forget_missing; tell_missing", folder), ["without A: why", "without B: no tool"])
    # A step is passed, failed or cannot be tried; its notes reach the end.
    say("mkdir -p build; step one true; step two false; step three sh -c 'echo no root; exit 77'; "
        "step four sh -c 'echo note: look'", folder)
    with open(os.path.join(folder, "build", "steps.tap"), encoding="utf-8") as file:
        said("a step that ends with 77 is skipped, for the reason it tells", file.read().splitlines(),
             ["ok - one", "not ok - two", "ok - three # SKIP no root", "# note: look", "ok - four"])
    ended = tap.run([shutil.which("python3"), os.path.join(SCRIPTS, "tally.py"), os.path.join(folder, "build", "steps.tap")])
    said("the tally of steps", ended.stdout.decode().splitlines(),
         ["FAILED two", "note from steps: look", "skipped 1, no root: three", "2 passed, 1 failed, 1 skipped"])

with open(os.path.join(tap.SOURCE, "README.md"), encoding="utf-8") as file:
    section = file.read().split("\n## Two commands\n")[1].split("\n## ")[0]
t.test("README has two commands", len(re.findall(r"^    \./scripts/\S", section, re.M)) == 2)

# The oldest Node that the package promises is the one it is tested with.
with open(os.path.join(tap.SOURCE, "web", "npm", "package.json"), encoding="utf-8") as file:
    engine = json.load(file)["engines"]["node"]
said("the scripts want the Node that the package wants", [">=" + line for line in say(". scripts/wasm.sh; oldest_node")], [engine])
with open(os.path.join(SCRIPTS, "fetch.sh"), encoding="utf-8") as file:
    oldest = re.search(r"^fetch_oldest_node.*\n  local version=([0-9.]+)", file.read(), re.M).group(1)
t.test("and try the package in the first of them", ">=" + oldest.removesuffix(".0") == engine, oldest + " " + engine)

# Each script with what it sources; a sourced file alone has variables that another one sets or reads.
checked = [os.path.join("scripts", name) for name in sorted(os.listdir(SCRIPTS))] + [os.path.join(".ci", "run")]
for path in [path for path in checked if os.path.isfile(os.path.join(tap.SOURCE, path))]:
    with open(os.path.join(tap.SOURCE, path), encoding="utf-8") as file:
        program = file.readline().startswith("#!/usr/bin/env bash")
    if not program and not path.endswith(".sh"):
        continue
    if not shutil.which("shellcheck"):
        t.skip("shellcheck " + path, "no shellcheck")
        continue
    done = tap.run(["shellcheck", "-x", "-s", "bash", "-S", "warning", "-e", "SC2034" if program else "SC2034,SC2154", path],
                   cwd=tap.SOURCE)
    t.test("shellcheck " + path, done.status == 0, done.stdout.decode(errors="replace"))
t.finish()

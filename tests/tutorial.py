"""tutorial.py STIJL EXAMPLES [PAGE...]: the pages of docs/tutorial. Those that tell of programs, which EXAMPLES has
built: every block of C stands in the program, in the same order, and the page's picture is what the program draws.
Those with commands: they run, and draw the picture; what a machine has no program for is skipped. Python's page is run
by python/tests."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden"))
import tap  # noqa: E402

PAGES = os.path.join(tap.SOURCE, "docs", "tutorial")
SANS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
FONTS = {"chart": os.path.join(tap.SOURCE, "tests", "fonts", "dejavu.ttf"), "paragraph": SANS}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def blocks(page, language):
    return re.findall(r"^```%s\n(.*?)^```$" % language, page, re.M | re.S)


def missing_block(page, program):
    """The first block of the page that does not stand in the program, behind those before it; None if all do."""
    at = 0
    for block in blocks(page, "c"):
        at = program.find("\n" + block, at)
        if at < 0:
            return block
        at += len(block)
    return None


def draw(t, stijl, examples, name, picture):
    program = os.path.join(examples, "example_" + name)
    if not os.path.exists(program):
        return t.skip(name + ".png", "this build has not the example")
    if not os.path.exists(FONTS.get(name, program)):
        return t.skip(name + ".png", "no " + FONTS[name])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program] + ([FONTS[name]] if name in FONTS else []), cwd=folder, capture_output=True)
        if done.returncode == 77:
            return t.skip(name + ".png", done.stderr.decode().strip())
        said = done.stderr
        if done.returncode == 0:
            done = subprocess.run([stijl, "compare", os.path.join(folder, name + ".png"), picture], capture_output=True)
            said = done.stdout + done.stderr
    return t.test(name + ".png is what the program draws", done.returncode == 0, said.decode())


def compare(stijl, drawn, picture):
    return subprocess.run([stijl, "compare", drawn, picture], capture_output=True, text=True)


def can_import(module):
    return subprocess.run(["python3", "-c", "import " + module], capture_output=True).returncode == 0


def lacking(block):
    """What a block of commands needs and this machine has not."""
    needs = {"mpi.sh": ("mpirun", shutil.which("mpirun")), "sbatch ": ("Slurm cluster", None),
             "ray_": ("Ray", "ray_" not in block or can_import("ray")),
             "dask_": ("Dask", "dask_" not in block or can_import("distributed"))}
    return next((what for word, (what, there) in needs.items() if word in block and not there), None)


def run_commands(t, stijl, file, page):
    """All blocks of commands, in one folder, and the picture that they leave there."""
    name = file[:-3]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(stijl, os.path.join(folder, "stijl"))
        environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"], "STIJL": tap.SOURCE,
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "MPIRUN_OPTIONS": "--oversubscribe"}
        for number, block in enumerate(blocks(page, "sh"), 1):
            what, why = "%s, commands %d" % (file, number), lacking(block)
            if why:
                t.skip(what, "no " + why)
                continue
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            t.test(what, done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:])
        done = compare(stijl, os.path.join(folder, name + ".png"), os.path.join(PAGES, name + ".png"))
        t.test(name + ".png is what the commands draw", done.returncode == 0, done.stdout + done.stderr)


def check_quotes(t, file, page):
    """Blocks of Python stand in one of the programs that the page points to."""
    programs = [read(PAGES, path) for path in re.findall(r"\]\((\.\./\.\./examples/[\w/]+\.py)\)", page)]
    for number, block in enumerate(blocks(page, "python"), 1):
        t.test("%s, Python %d: quoted from an example" % (file, number), any("\n" + block in p for p in programs),
               block)


def check_program(t, stijl, examples, file, page):
    name = re.search(r"\]\(\.\./\.\./examples/(\w+)\.c\)", page).group(1)
    missing = missing_block(page, read(tap.SOURCE, "examples", name + ".c"))
    t.test("%s quotes examples/%s.c" % (file, name), missing is None and "```c\n" in page,
           "not in the program, or not behind the block before:\n%s" % missing)
    t.test(file + " shows its picture", "](%s.png)" % name in page)
    draw(t, stijl, examples, name, os.path.join(PAGES, name + ".png"))


def main():
    t = tap.Tap()
    stijl, examples, *only = sys.argv[1:]
    stijl, examples = os.path.abspath(stijl), os.path.abspath(examples)
    pages = re.findall(r"\]\((\w+\.md)\)", read(PAGES, "README.md"))
    t.test("all pages are in the list",
           sorted(pages + ["README.md"]) == sorted(f for f in os.listdir(PAGES) if f.endswith(".md")))
    for file in only or pages:
        page = read(PAGES, file)
        if blocks(page, "c"):
            check_program(t, stijl, examples, file, page)
            continue
        t.test(file + " shows its picture", "](%s.png)" % file[:-3] in page)
        if blocks(page, "sh"):
            check_quotes(t, file, page)
            run_commands(t, stijl, file, page)
    t.finish()


main()

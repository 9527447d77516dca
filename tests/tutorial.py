"""tutorial.py STIJL EXAMPLES: the pages of docs/tutorial against the programs that they tell of, which EXAMPLES has built:
every block of C stands in the program, in the same order, and the page's picture is what the program draws."""
import os
import re
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


def missing_block(page, program):
    """The first block of the page that does not stand in the program, behind those before it; None if all do."""
    at = 0
    for block in re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S):
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


t = tap.Tap()
stijl, examples = (os.path.abspath(path) for path in sys.argv[1:])
index = read(PAGES, "README.md")
pages = re.findall(r"\]\((\w+\.md)\)", index)
t.test("all pages are in the list", sorted(pages + ["README.md"]) == sorted(f for f in os.listdir(PAGES) if f.endswith(".md")))
for file in pages:
    page = read(PAGES, file)
    name = re.search(r"\]\(\.\./\.\./examples/(\w+)\.c\)", page).group(1)
    missing = missing_block(page, read(tap.SOURCE, "examples", name + ".c"))
    t.test("%s quotes examples/%s.c" % (file, name), missing is None and "```c\n" in page,
           "not in the program, or not behind the block before:\n%s" % missing)
    t.test(file + " shows its picture", "](%s.png)" % name in page)
    draw(t, stijl, examples, name, os.path.join(PAGES, name + ".png"))
t.finish()

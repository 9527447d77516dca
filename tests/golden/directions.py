"""directions.py: reads every #include of the sources against the table in docs/architecture.md, "Directions". The table
has to be without circles, and no folder may include another that does not stand in its line. Files of a folder may
include each other in a circle where the section "Circles" lists it, with its reason. And the table of sizes in
tests/unit/params.c against the public headers: each struct that begins with its size is in it."""
import glob
import os
import re

import tap

ARCHITECTURE = os.path.join(tap.SOURCE, "docs", "architecture.md")
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)
SOURCES = (".c", ".h", ".comp", ".glsl")


def read_block(heading):
    """(folder, what it has), from the lines `src/scene: src/base src/kernel` of a section."""
    with open(ARCHITECTURE, encoding="utf-8") as f:
        block = f.read().split("\n%s\n" % heading)[1].split("```")[1]
    return [line.split(":", 1) for line in block.strip().splitlines()]


def listed_circles():
    """{(folder, names of the files)}; each line has a reason."""
    lines = [(folder, *line.split(" -- ")) for folder, line in read_block("### Circles")]
    return {(folder, tuple(names.split())) for folder, names, reason in lines}


def owner(path, folders):
    """The folder of the table that a file belongs to: the innermost; None for none."""
    return max((f for f in folders if path.startswith(f + "/")), key=len, default=None)


def includes_of(folder, folders):
    """(file, included path) of all sources of a folder, without those of folders in it that have a line of their
    own."""
    for path, _, names in sorted(os.walk(os.path.join(tap.SOURCE, folder))):
        if owner(os.path.relpath(path, tap.SOURCE) + "/", folders) != folder:
            continue
        for name in sorted(names):
            if name.endswith(SOURCES):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    for included in INCLUDE.findall(f.read()):
                        yield os.path.relpath(os.path.join(path, name), tap.SOURCE), included


def path_of(file, included):
    """The path of an included file; None for one that the build makes."""
    for root in (os.path.dirname(file), "src", "include", "", "shaders", "cli"):
        path = os.path.normpath(os.path.join(root, included))
        if os.path.exists(os.path.join(tap.SOURCE, path)):
            return path
    return None


def folder_of(file, included, folders):
    """The folder of the table that an included file lies in, or in which the build makes it; None for others."""
    path = path_of(file, included)
    if not path:
        made = os.path.join("src", os.path.dirname(included))
        return made if glob.glob(os.path.join(tap.SOURCE, made, "*.in")) else None
    return owner(path, folders) or os.path.dirname(path)


def circles_in(folder, table):
    """The sets of a folder's files that include each other; a file and its header are one."""
    below = {}
    for file, included in includes_of(folder, table):
        path = path_of(file, included)
        if path and os.path.dirname(path) == os.path.dirname(file):
            a, b = (os.path.splitext(os.path.basename(p))[0] for p in (file, path))
            below.setdefault(a, set()).add(b)

    def reached(name):
        seen, left = set(), [name]
        while left:
            for other in below.get(left.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        return seen

    reach = {name: reached(name) for name in below}
    return {(folder, tuple(sorted(b for b in reach[a] if a in reach.get(b, ())))) for a in reach
            if a in reach[a] and len([b for b in reach[a] if a in reach.get(b, ())]) > 1}


def circle(table, folder, way=()):
    """The folders of a circle that begins here, or ()."""
    if folder in way:
        return way[way.index(folder):] + (folder,)
    return next(
        (found for below in table.get(folder, []) for found in [circle(table, below, way + (folder,))] if found), ())


t = tap.Tap()
table = {name: allowed.split() for name, allowed in read_block("## Directions")}
t.test("every folder of src is in the table",
       {"src/" + f
        for f in os.listdir(os.path.join(tap.SOURCE, "src")) if os.path.isdir(os.path.join(tap.SOURCE, "src", f))}
       <= set(table))
found = next((c for c in (circle(table, folder) for folder in table) if c), ())
t.test("the table goes one way", not found, " -> ".join(found))
for folder, allowed in table.items():
    seen, wrong = set(), []
    for file, included in includes_of(folder, table):
        to = folder_of(file, included, table)
        if to is None or to == folder:
            continue
        seen.add(to)
        if to not in allowed:
            wrong.append("%s includes %s" % (file, included))
    for name in sorted(set(allowed) - seen):
        wrong.append("%s is allowed, but nothing includes it" % name)
    t.test(folder, not wrong, "\n".join(wrong))

listed = listed_circles()
whole = {folder for folder, names in listed if names == ("*",)}
found = [c for folder in table for c in circles_in(folder, table)]
circles = [(folder, ("*",) if folder in whole else names) for folder, names in found]
t.test("files include each other in no circle that is not listed, with its reason", sorted(circles) == sorted(listed),
       "\n".join("%s: %s" % (folder, " ".join(names)) for folder, names in found))

headers = os.path.join(tap.SOURCE, "include", "stijl")
sized = set()
for name in os.listdir(headers):
    with open(os.path.join(headers, name), encoding="utf-8") as f:
        sized.update(re.findall(r"^typedef struct (\w+) \{\n  size_t size;", f.read(), re.M))
with open(os.path.join(tap.SOURCE, "tests", "unit", "params.c"), encoding="utf-8") as f:
    tested = set(re.findall(r"SIZES\((stijl_\w+)", f.read()))
t.test("the sizes of every public struct are tested", sized == tested, " ".join(sorted(sized ^ tested)))
t.finish()

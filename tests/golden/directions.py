"""directions.py: reads every #include of the sources against the table in docs/architecture.md, "Directions". The table has
to be without circles, and no folder may include another that does not stand in its line. And the table of sizes in
tests/unit/params.c against the public headers: each struct that begins with its size is in it."""
import os
import re

import tap

ARCHITECTURE = os.path.join(tap.SOURCE, "docs", "architecture.md")
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)
SOURCES = (".c", ".h", ".comp", ".glsl")


def read_table():
    """{folder: folders it may include}, from the lines `src/scene: src/base src/kernel` of the section."""
    with open(ARCHITECTURE, encoding="utf-8") as f:
        section = f.read().split("\n## Directions\n")[1].split("\n## ")[0]
    block = section.split("```")[1]
    return {name: allowed.split() for name, allowed in (line.split(":") for line in block.strip().splitlines())}


def owner(path, folders):
    """The folder of the table that a file belongs to: the innermost; None for none."""
    return max((f for f in folders if path.startswith(f + "/")), key=len, default=None)


def includes_of(folder, folders):
    """(file, included path) of all sources of a folder, without those of folders in it that have a line of their own."""
    for path, _, names in sorted(os.walk(os.path.join(tap.SOURCE, folder))):
        if owner(os.path.relpath(path, tap.SOURCE) + "/", folders) != folder:
            continue
        for name in sorted(names):
            if name.endswith(SOURCES):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    for included in INCLUDE.findall(f.read()):
                        yield os.path.relpath(os.path.join(path, name), tap.SOURCE), included


def folder_of(file, included, folders):
    """The folder of the table that an included file lies in; None for one that the build makes."""
    for root in (os.path.dirname(file), "src", "include", "", "shaders", "cli"):
        path = os.path.normpath(os.path.join(root, included))
        if os.path.exists(os.path.join(tap.SOURCE, path)):
            return owner(path, folders) or os.path.dirname(path)
    return None


def circle(table, folder, way=()):
    """The folders of a circle that begins here, or ()."""
    if folder in way:
        return way[way.index(folder):] + (folder,)
    return next((found for below in table.get(folder, []) for found in [circle(table, below, way + (folder,))] if found), ())


t = tap.Tap()
table = read_table()
t.test("every folder of src is in the table",
       {"src/" + f for f in os.listdir(os.path.join(tap.SOURCE, "src")) if os.path.isdir(os.path.join(tap.SOURCE, "src", f))}
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

headers = os.path.join(tap.SOURCE, "include", "stijl")
sized = set()
for name in os.listdir(headers):
    with open(os.path.join(headers, name), encoding="utf-8") as f:
        sized.update(re.findall(r"^typedef struct (\w+) \{\n  size_t size;", f.read(), re.M))
with open(os.path.join(tap.SOURCE, "tests", "unit", "params.c"), encoding="utf-8") as f:
    tested = set(re.findall(r"SIZES\((stijl_\w+)", f.read()))
t.test("the sizes of every public struct are tested", sized == tested, " ".join(sorted(sized ^ tested)))
t.finish()

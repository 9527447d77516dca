#!/usr/bin/env python3
"""prune.py STIJL: `stijl match --prune` and the sheets that a page holds and names. What is written must match what the
whole sheet did, selector by selector, and nothing that could go may be left: on written cases, on random sheets, and on
the sheets of shared/css."""
import json
import lzma
import os
import random
import sys
import tempfile

import tap

PAGE = """<!doctype html><html><head><title>x</title></head><body class="a"><div id="i" class="b c"><p class="d">x</p>
<p><span data-x="1">y</span></p></div><ul><li class="e"><li></ul></body></html>"""
# What is written of a sheet for that page.
CASES = [
    ("rules", ".a { x: y }\n.none { x: y }\n#i { x: y }\n", ".a { x: y }\n#i { x: y }\n"),
    ("the first and the last", ".none{}.a{}.none{}", ".a{}"),
    ("nothing left", ".none { }", ""),
    ("a list", ".none, .a , .none2,.d,.none3 { x: y }", ".a,.d { x: y }"),
    ("the first of a list", ".a, .none { }", ".a { }"),
    ("a list with commas within", ":is(.a, .none), .none:not(.x, .y), #i { }", ":is(.a, .none), #i { }"),
    ("comments go with their rule", "/* of a */\n.a { }\n/* of none */\n.none { }\n.d { }",
     "/* of a */\n.a { }\n.d { }"),
    ("comments of a section stay", "/* top */\n.none { }\n\n/* Section */\n\n.none { }\n/*! kept */ .none { }\n.d { }",
     "/* top */\n\n/* Section */\n/*! kept */\n.d { }"),
    ("a comment that holds rules", ".a { } /* .none { } \" */ .d { }", ".a { } /* .none { } \" */ .d { }"),
    ("strings and escapes", ".none::after { content: '}' }\n.a::after { content: \"\\\"}\" }\n.b\\} { }",
     "\n.a::after { content: \"\\\"}\" }"),
    ("conditions", "@media print { .none { } }\n@media screen { .none { } .a { } }\n", "\n@media screen { .a { } }\n"),
    ("conditions in conditions", "@supports (x: y) { @media print { .none { } } .none { } }\n.a { }", "\n.a { }"),
    ("conditions with nothing in them stay", "@media print { }\n.a { }", "@media print { }\n.a { }"),
    ("layers keep their order", "@layer one, two;\n@layer one { .none { } }\n@layer two { .a { } }",
     "@layer one, two;\n@layer one { }\n@layer two { .a { } }"),
    ("other at-rules stay", "@charset \"utf-8\";\n@namespace x url(y);\n@font-face { font-family: f }\n"
     "@keyframes k { from { x: y } to { x: z } }\n@page { margin: 0 }\n@property --x { syntax: '*' }\n.none { }",
     "@charset \"utf-8\";\n@namespace x url(y);\n@font-face { font-family: f }\n"
     "@keyframes k { from { x: y } to { x: z } }\n@page { margin: 0 }\n@property --x { syntax: '*' }"),
    ("a condition around another at-rule stays", "@media print { @font-face { x: y } .none { } }",
     "@media print { @font-face { x: y } }"),
    ("custom properties stay with their rule", ":root { --x: { } }\n.none { --y: 1 }", ":root { --x: { } }"),
    ("states and pseudo-elements", ".a:hover { } .none:hover { } *::before { } .none::after { }",
     ".a:hover { } *::before { }"),
    ("nested rules stay whole", ".a, .none { & .d { } & .none { } }\n.none { & .a { } }",
     ".a, .none { & .d { } & .none { } }"),
    ("a rule with a nested one that is used", ".none { :not(&) { } }", ".none { :not(&) { } }"),
    ("a scope stays", "@scope (.none) { .a { } }\n.none { }", "@scope (.none) { .a { } }"),
    ("what is not understood stays", ".a { }\nb$ { }\n@strange { .none { } }\na::-moz-x { }\n.none { }",
     ".a { }\nb$ { }\n@strange { .none { } }\na::-moz-x { }"),
    ("a list with one that is not understood stays", ".a, b$, .none { }", ".a, b$, .none { }"),
    ("what does not end", ".none { }\n.a { x: y", "\n.a { x: y"),
    ("what does not end and goes", ".a { }\n@media print { .none { x: (", ".a { }"),
    ("comment signs of HTML", "<!-- .none { } --> .a { }", "<!-- --> .a { }"),
]


def write(name, text):
    with open(name, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def read(name):
    with open(name, "rb") as file:
        return file.read()


class Pruner:
    def __init__(self, stijl, t):
        self.stijl, self.t = stijl, t

    def __call__(self, *arguments, **options):
        return tap.run([self.stijl, "match", *arguments], **options)

    def used(self, page, sheet):
        """The selectors that match, and what."""
        answer = json.loads(self("-q", "--json", page, sheet).stdout)
        return [(rule["selector"], rule["active"], rule["matches"]) for rule in answer["rules"] if rule["matches"]]

    def check(self, name, page, sheet, whole=True):
        """`whole`: nothing in the sheet is of the kind that stays although it is not used."""
        write("pruned.css", b"")
        ended = self("-q", "--prune", page, sheet, "-o", "pruned.css", "--force")
        good = ended.status == 0 and self.used(page, sheet) == self.used(page, "pruned.css")
        left = self("-q", "--unused", page, "pruned.css").stdout
        write("again.css", b"")
        self("-q", "--prune", page, "pruned.css", "-o", "again.css", "--force")
        return self.t.test(name, good and (not left or not whole) and read("again.css") == read("pruned.css"),
                           "%s\n%s\n%r\n%r" % (ended.stderr, left, read(sheet)[:2000], read("pruned.css")[:2000]))


def random_selector(r):
    names = [".a", ".b", ".c", ".d", ".e", "#i", "p", "li", "ul", "span", "*", "[data-x]", ".none", "#none", "b",
             ".x\\}",
             "[data-x='}']", ":not(.none, .a)", ":is(li, .none)", "li:hover", "p::before", "div:has(> .d, b)", ":root"]
    text = r.choice(names)
    for _ in range(r.choice((0, 0, 0, 1, 1, 2))):
        text += r.choice((" ", " > ", " + ", "~")) + r.choice(names)
    return text


def random_contents(r, depth):
    text = ""
    for _ in range(r.randrange(1, 6)):
        text += r.choice(("", " ", "\n", "\n\n", "/* } .a { */", "\n/* c */\n", "/*! k */", "\t"))
        kind = r.randrange(12)
        if kind == 0 and depth < 4:
            name = r.choice(
                ("@media print", "@media (min-width: 1px)", "@supports (x: y)", "@layer l", "@container (x: y)",
                 "@layer"))
            text += name + "{" + random_contents(r, depth + 1) + "}"
        elif kind == 1:
            text += r.choice(("@font-face { x: '}' }", "@keyframes k { 0% { x: y } }", "@layer m, n;", "@page { }",
                              "b$ { }", ";", "@x (};) ;"))
        elif kind == 2:
            text += ", ".join(random_selector(r) for _ in range(r.randrange(1, 4)))
            text += " { x: y; " + ("&" if r.randrange(2) else "") + random_selector(r) + " { z: { } } u: v }"
        else:
            comma = r.choice((",", ", ", " ,\n", "/* , */,"))
            text += comma.join(random_selector(r) for _ in range(r.choice((1, 1, 2, 3, 5))))
            text += r.choice(("{}", " { x: y }", "{ x: url(}); y: '}' }", " /* { */ { --x: { ; } }"))
    return text


def main():
    t = tap.Tap()
    p = Pruner(os.path.abspath(sys.argv[1]), t)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("page.html", PAGE)
        if "gumbo" in p("-q", "page.html").stderr:
            t.skip("prune", "built without gumbo")
            t.finish()
        for name, sheet, expected in CASES:
            write("case.css", sheet)
            ended = p("-q", "--prune", "page.html", "case.css")
            t.test(name, ended.status == 0 and ended.stdout.decode() == expected, repr(ended.stdout) + ended.stderr)
        for seed in range(60):
            write("random.css", random_contents(random.Random(seed), 0))
            p.check("random sheet %d" % seed, "page.html", "random.css", whole=False)
        outputs(p, t)
        pages(p, t)
        encodings(p, t)
        hostile(p, t)
        shared = tap.shared("css")
        if not os.path.isdir(shared):
            t.skip("the sheets of shared/css", "no shared data")
            t.finish()
        for page in ("bs5docs", "huge"):
            for sheet in ("bootstrap", "semantic", "tailwind"):
                for name in (page + ".html", sheet + ".css"):
                    if not os.path.exists(name):
                        write(name, lzma.open(os.path.join(shared, "data", name + ".xz")).read())
                p.check("%s on %s" % (sheet, page), page + ".html", sheet + ".css")
    t.finish()


def outputs(p, t):
    """Where sheets go."""
    def check(name, ended, status=0, error="", **files):
        good = ended.status == status and error in ended.stderr
        for file, text in files.get("files", {}).items():
            good = good and os.path.exists(file) and read(file).decode() == text
        t.test(name, good, "%d %s %r" % (ended.status, ended.stderr, files))

    os.makedirs("css/sub")
    write("css/one.css", "@import 'sub/two.css'; .a { } .none { }")
    write("css/sub/two.css", "@import '../three.css'; .d { } .none { }")
    write("css/three.css", ".e { } .none { }")
    write("two.css", ".b { } .none { }")
    one, two, three, other = "@import 'sub/two.css'; .a { }", "@import '../three.css'; .d { }", ".e { }", ".b { }"
    check("to a file", p("--prune", "page.html", "css/one.css", "-o", "out.css"), files={"out.css": one})
    check("into a folder that is there", p("--prune", "page.html", "css/one.css", "-o", "css/sub"),
          files={"css/sub/one.css": one, "css/sub/sub/two.css": two, "css/sub/three.css": three})
    check("into one that is to be made", p("--prune", "page.html", "css/one.css", "-o", "new/folder/"),
          files={"new/folder/one.css": one, "new/folder/sub/two.css": two, "new/folder/three.css": three})
    check("several", p("--prune", "page.html", "css/one.css", "two.css", "-o", "several"),
          files={"several/one.css": one, "several/two.css": other, "several/sub/two.css": two})
    check("several without a folder", p("--prune", "page.html", "css/one.css", "two.css"), 1,
          "2 style sheets need a folder")
    os.mkdir("other")
    write("other/two.css", ".x { }")
    check("of one name", p("--prune", "page.html", "other/two.css", "two.css", "-o", "clash"), 1,
          "cannot be the same file")
    check("over the sheet", p("--prune", "page.html", "two.css", "-o", "./two.css"), 1, "--force")
    check("over an imported sheet", p("--prune", "page.html", "css/one.css", "-o", "css"), 1, "--force")
    check("it is as it was", p("--prune", "page.html", "two.css"), files={"two.css": ".b { } .none { }"})
    check("with --force", p("--prune", "page.html", "two.css", "-o", "two.css", "--force"), files={"two.css": other})
    # A sheet must not choose a place outside of the folder.
    os.makedirs("here/in")
    write("here/bad.css", "@import '../here/in/up.css'; .a { }")
    write("here/in/up.css", ".d { } .none { }")
    os.chdir("here")
    ended = p("--prune", "../page.html", "bad.css", "-o", "out/")
    os.chdir("..")
    t.test("a sheet that names a place outside",
           "is not written" in ended.stderr and not os.path.exists("here/here") and
           os.listdir("here/out") == ["bad.css"] and read("here/in/up.css") == b".d { } .none { }", ended.stderr)
    for arguments, error in (
            (("--prune", "--unused", "page.html", "two.css"), "either"),
            (("--prune", "--json", "page.html", "two.css"), "JSON"),
            (("-o", "x", "page.html", "two.css"), "--prune"), (("--keep", "x", "page.html", "two.css"), "--unused"),
            (("--prune", "--keep", "(", "page.html", "two.css"), "--keep \"(\""),
            (("page.html", "other.html"), "several go with --unused"), (("--prune", "-", "-"), "only once")):
        check("refused: " + " ".join(arguments), p(*arguments), 1, error)
    write("keep.css", ".js-a { } .js-b, .none { } .is-open .x { } .a { }")
    ended = p("--prune", "page.html", "keep.css", "--keep", "^\\.js-", "--keep", "is-(open|shut)")
    t.test("--keep", ended.stdout == b".js-a { } .js-b { } .is-open .x { } .a { }", repr(ended.stdout))
    ended = p("--unused", "page.html", "keep.css", "--keep", "js-")
    t.test("--keep with --unused", ended.stdout == b"keep.css:1: .none\nkeep.css:1: .is-open .x\n", repr(ended.stdout))
    # A page in several states: what any of them needs stays.
    write("open.html", PAGE.replace('class="d"', 'class="is-open"'))
    write("states.css", ".d { } .is-open { } .none { }")
    ended = p("--prune", "page.html", "open.html", "states.css")
    t.test("several documents", ended.stdout == b".d { } .is-open { }", repr(ended.stdout))
    ended = p("--prune", "page.html", "nowhere.html", "states.css", "-o", "none.css")
    t.test("one that cannot be read", ended.status == 1 and not os.path.exists("none.css"), ended.stderr)


def pages(p, t):
    """Sheets that pages hold and name."""
    os.makedirs("site/css")
    os.makedirs("site/sub")
    head = """<link rel=stylesheet href="css/site.css?v=3"><link rel="alternate stylesheet" href="css/alternate.css">
<link rel=stylesheet type=text/less href=less.css><link rel=icon href=x.png><link rel=stylesheet href=https://x.y/z.css>
<link rel=stylesheet href=../two.css><link rel=stylesheet href=nowhere.css>
<style media=print>
.a { } .none { }</style><style type=text/less>.less { }</style><template><style>.t { }</style></template>"""
    write("site/page.html", PAGE.replace("<title>", head + "<title>"))
    write("site/sub/page.html",
          PAGE.replace("<title>", "<link rel=stylesheet href=sub.css><title>").replace("<p>", "<b>"))
    write("site/css/site.css", "@import 'more.css'; .b { } b { } .none { }")
    write("site/css/more.css", ".d { }")
    write("site/css/alternate.css", ".e { }")
    write("site/sub/sub.css", "b { } .none { }")
    ended = p("site/page.html")
    expected = """site/css/more.css:1: 1 .d
site/css/site.css:1: 1 .b
site/css/site.css:1: 0 b
site/css/site.css:1: 0 .none
site/css/alternate.css:1: 1 .e
site/page.html:5: 1 .a
site/page.html:5: 0 .none
"""
    t.test("the sheets of a page", ended.stdout.decode() == expected, ended.stdout.decode() + ended.stderr)
    left = ["https://x.y/z.css", "../two.css", "nowhere.css"]
    t.test("what is left out is told", ended.stderr.count("style sheet left out") == 3 and
           all(name in ended.stderr for name in left), ended.stderr)
    t.test("strict", p("--strict", "site/page.html").status == 1)
    ended = p("-q", "--applied", "site/page.html")
    t.test("alternative sheets and other media do not apply", b"0 .e" in ended.stdout and b"0 .a" in ended.stdout,
           repr(ended.stdout))
    ended = p("-q", "site/page.html", "keep.css")
    t.test("sheets that are named stand for those of the page", b"site" not in ended.stdout, repr(ended.stdout))
    ended = p("-q", "--page-sheets", "site/page.html", "site/css/site.css")
    t.test("--page-sheets adds them, each once",
           ended.stdout.count(b"site.css:1: 1 .b") == 1 and b"page.html:5" in ended.stdout,
           repr(ended.stdout))
    ended = p("-q", "--unused", "site/page.html", "site/sub/page.html")
    t.test("--unused of several pages", ended.stdout == b"site/css/site.css:1: .none\nsite/page.html:5: .none\n"
           b"site/sub/sub.css:1: .none\n", repr(ended.stdout))
    ended = p("-q", "--prune", "site/page.html", "site/sub/page.html", "-o", "built")
    files = sorted(os.path.join(at, name) for at, _, names in os.walk("built") for name in names)
    t.test("--prune of them", files == ["built/css/alternate.css", "built/css/more.css", "built/css/site.css",
                                        "built/page.html.1.css", "built/sub.css"] and
           read("built/css/site.css") == b"@import 'more.css'; .b { } b { }" and
           read("built/page.html.1.css") == b"\n.a { }", repr(files) + ended.stderr)
    with open("site/page.html", "rb") as file:
        ended = p("-", stdin=file.read())
    t.test("a page from standard input has no folder", ended.stdout == b"-:5: 1 .a\n-:5: 0 .none\n" and
           ended.stderr.count("no files are read") == 5, repr(ended.stdout) + ended.stderr)
    ended = p("-q", "--prune", "-", stdin=b"<style>.a { } .none { }</style><p class=a>")
    t.test("and may be pruned", ended.stdout == b".a { }", repr(ended.stdout) + ended.stderr)
    write("drawing.svg", """<?xml version="1.0"?><?xml-stylesheet type="text/css" href="two.css"?>
<svg xmlns="http://www.w3.org/2000/svg"><style>
<![CDATA[.a > b { } rect { }]]></style><g class="b"><rect/></g></svg>""")
    ended = p("drawing.svg")
    t.test("the sheets of a drawing",
           ended.stdout == b"two.css:1: 1 .b\ndrawing.svg:3: 0 .a > b\ndrawing.svg:3: 1 rect\n",
           repr(ended.stdout) + ended.stderr)
    write("twice.html", "<style>.a { }</style><style>.none { }</style>" + PAGE)
    p("-q", "--prune", "twice.html", "site/page.html", "-o", "both")
    t.test("several style elements", sorted(os.listdir("both")) == ["css", "page.html.1.css", "twice.html.1.css",
                                                                      "twice.html.2.css"], repr(os.listdir("both")))
    write("none.html", PAGE)
    t.test("a page without", "no style sheets in it" in p("none.html").stderr)
    write("pseudo.css", "*::before { } .none::after { } .a::before, p::-webkit-x { }")
    one, two = p("-q", "none.html", "pseudo.css").stdout, p("-q", "--unused", "none.html", "pseudo.css").stdout
    t.test("pseudo-elements count the same in both lists", one.splitlines()[0] == b"pseudo.css:1: 11 *::before" and
           [line for line in one.splitlines() if b": 0 " in line] == [two.strip().replace(b"1: ", b"1: 0 ")],
           repr(one) + repr(two))


def hostile(p, t):
    """Time and memory are bounded."""
    seconds = 60 if tap.SANITIZED else 6
    for name, sheet in (("deep layers", "@layer a,b{" * 200000),
                        ("deep conditions", "@media a{" * 60 + ".none{}" + "}" * 60),
                        ("open brackets", ".none([{" * 100000), ("a long list", ".none," * 200000 + ".a{}"),
                        ("comments", "/**/" * 300000 + ".none{}"), ("many rules", ".none{}.a{}" * 100000)):
        write("hostile.css", sheet)
        ended = p("-q", "--prune", "none.html", "hostile.css", seconds=seconds, memory=1 << 30)
        t.test("hostile: " + name, ended.status in (0, 1) and not ended.timed_out and "Sanitizer" not in ended.stderr,
               "%g %s" % (ended.seconds, ended.stderr))
    write("many.html", "<style>.none{}</style>" * 2000 + "<link rel=stylesheet href=pseudo.css>" * 20000)
    ended = p("-q", "--prune", "many.html", "-o", "many", seconds=60)
    t.test("hostile: many style elements", not ended.timed_out, "%g %s" % (ended.seconds, ended.stderr))


def encodings(p, t):
    write("bom.css", b"\xef\xbb\xbf.a { } .none { }")
    t.test("a byte order mark stays", p("--prune", "none.html", "bom.css").stdout == b"\xef\xbb\xbf.a { }")
    write("latin.css", '@charset "windows-1252"; .a { x: "\xe9" } .none { }'.encode("latin-1"))
    ended = p("--prune", "none.html", "latin.css")
    t.test("other encodings become UTF-8, and are told so",
           ended.stdout == '\ufeff@charset "windows-1252"; .a { x: "\xe9" }'.encode(), repr(ended.stdout))


if __name__ == "__main__":
    main()

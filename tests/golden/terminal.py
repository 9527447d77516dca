#!/usr/bin/env python3
"""terminal.py STIJL: names, ids, selectors and fonts that hold control characters, in each command: none of them comes
to standard output or standard error as it is, none makes another line, and JSON says the same with escapes."""
import json
import os
import re
import sys
import tempfile

import tap

# What a terminal obeys: C0 without the line's end, DEL, C1, the bidirectional controls, the separators of lines.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# Ends a title, clears the screen, C1's CSI, turns the direction of writing, separates lines.
HOSTILE = "a\x1b]0;owned\x07\x9b2J\u202eb\u2066\u200f\u061c\u2028c"
FORGED = "x\nforged 1 2 3 4"


def is_clean(data):
    """Whether bytes that were printed are UTF-8 without such characters."""
    try:
        return not CONTROL.search(data.decode())
    except UnicodeDecodeError:
        return False


def xml(text):
    """The text in an attribute; XML 1.0 has no C0 but tab and line ends."""
    return "".join(c if c.isalnum() else "&#x%x;" % ord(c) for c in text if c >= " " or c in "\t\n\r")


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def main():
    stijl = os.path.abspath(sys.argv[1])
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">%s</svg>'
        name = HOSTILE.replace("/", "") + "\n" + ".svg"
        raw = b"raw\xff\xc2.svg"
        id_ = HOSTILE.replace("\x1b", "").replace("\x07", "")
        drawn = '<rect id="%s" width="4" height="4"/><rect id="%s" width="2" height="2"/>' % (xml(id_), xml(FORGED))
        write(name, svg % drawn)
        write(raw, svg % drawn)
        write("plain.svg", svg % drawn)
        write("text.svg", svg % ('<text y="9" font-family="%s">a</text>' % xml("'" + id_ + FORGED + "'")))
        write("bad\x1b[31m\u202e.svg", "<svg")
        sheet = 'rect[id="%s"], rect[id="%s"] { }\nrect[id="%s"]\n, .none { }' % (id_, "\x1b[2J\x7f", "\x80\u2028")
        write("hostile\x1b[2J\n.css", sheet)
        write("raw.css", b".none-\xff\xfe, rect { }")

        def check(what, *arguments, lines=None, status=0):
            ended = tap.run([stijl, *arguments])
            errors = ended.stderr.encode()
            comment = "%r\n%r\n%d" % (ended.stdout, ended.stderr, ended.status)
            good = is_clean(ended.stdout) and is_clean(errors) and ended.status == status
            if lines is not None:
                good = good and ended.stdout.count(b"\n") == lines
            t.test(what, good, comment)
            return ended

        ended = check("query: ids on lines of their own", "query", "plain.svg", lines=2)
        t.test("query: a line's end is written out", b"x\\x0aforged 1 2 3 4 0 0 2 2\n" in ended.stdout,
               repr(ended.stdout))
        ended = check("query --json", "query", "--json", "plain.svg", lines=1)
        ids = [element["id"] for element in json.loads(ended.stdout)["elements"]]
        t.test("query --json: the ids are whole", id_ in ids and FORGED in ids, repr(ids))
        check("query: no such id", "query", "--id", HOSTILE + FORGED, "plain.svg", status=1)
        check("query: the file's name", "query", "bad\x1b[31m\u202e.svg", status=1)
        check("fonts", "fonts", "text.svg", lines=1)
        ended = check("fonts --json", "fonts", "--json", "text.svg", lines=1)
        t.test("fonts --json: the name is whole", "forged" in json.loads(ended.stdout)["fonts"][0]["families"])
        hostile = "hostile\x1b[2J\n.css"
        check("match: selectors and sheets", "match", "plain.svg", hostile, lines=4)
        ended = check("match --json", "match", "--json", "plain.svg", hostile, lines=1)
        rules = json.loads(ended.stdout)["rules"]
        t.test("match --json: what is written is whole", rules[0]["sheet"] == hostile and id_ in rules[0]["selector"],
               repr(rules[0]))
        check("match --unused", "match", "--unused", "plain.svg", hostile, lines=3)
        check("match --unused --json", "match", "--unused", "--json", "plain.svg", hostile, lines=1)
        check("match: bytes that are not UTF-8", "match", "plain.svg", "raw.css", lines=2)
        check("match: no such file", "match", HOSTILE + "\n.html", hostile, status=1)
        check("render: no such file", "render", HOSTILE + "\n", status=1)
        check("render: a name as a warning's subject", "render", name, "-o", "out.png", "--stats", "stats.json")
        with open("stats.json", "rb") as file:
            data = file.read()
        t.test("render --stats", is_clean(data) and json.loads(data)["input"] == name, repr(data[:200]))
        check("render: a name that is not UTF-8", "render", raw, "-o", os.fsencode("no\udcff/such/\x1bfolder"),
              status=1)
        check("render: no such colour", "render", name, "-b", HOSTILE, "-o", "out.png", status=1)
        check("render: no such element", "render", name, "--export-id", HOSTILE, "-o", "out.png", status=1)
        check("render: no such option", "render", name, "--" + HOSTILE, status=1)
        check("compare: no such file", "compare", HOSTILE, "\u202e", status=2)
        check("lab: no such instrument", "lab", HOSTILE + "\n", status=1)
        check("help: no such command", "help", HOSTILE + "\n", status=1)
        check("completions: no such shell", "completions", HOSTILE, status=1)
        check("no such command", HOSTILE.replace("/", "").replace(".", ""), status=1)
        # What is cut off is cut between characters.
        for before in ("", "x"):
            ended = check("render: a message that is cut", "render", "--isa", before + "\u00e9" * 400, name, status=1)
            t.test("without half a character", ended.stderr.endswith("\u00e9\n"), ended.stderr)
        check("devices", "devices")
        check("devices --json", "devices", "--json", lines=1)
    t.finish()


if __name__ == "__main__":
    main()

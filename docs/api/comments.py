#!/usr/bin/python3
"""comments.py HEADER: the header as Doxygen reads it. Its comments are plain ones: one above a declaration is that
declaration's, one behind it, too, the first of a file the file's, and one with an empty line below nobody's."""
import re
import sys

TRAILING = re.compile(r"^(?P<code>[^/\"]*(?:\"[^\"]*\"[^/\"]*)*\S) {2,}// (?P<text>.*)$")


def plain(text):
    """Words that Doxygen and Markdown take for words; what stands between backticks stays."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\@<>#%*&])", r"\\\1", part) for part in parts)


def block(lines, command=""):
    """One comment of the lines, which stay as many."""
    texts = [plain(line.strip()[2:]) for line in lines]
    texts[0] = "/** " + command + texts[0]
    texts[-1] += " */"
    return texts


def documented(lines):
    out, comment, first = [], [], True
    for line in lines + [""]:
        if line.lstrip().startswith("//"):
            comment.append(line)
            continue
        if comment:
            out += block(comment, "@file\n") if first else block(comment) if line.strip() else comment
            comment = []
        first = first and not line.strip()
        trailing = TRAILING.match(line)
        out.append("%s /**< %s */" % (trailing["code"], plain(trailing["text"])) if trailing else line)
    return out


with open(sys.argv[1], encoding="utf-8") as header:
    print("\n".join(documented(header.read().splitlines())))

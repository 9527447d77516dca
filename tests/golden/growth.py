#!/usr/bin/env python3
"""growth.py STIJL [NAME]: a document with four times as many things takes about four times as long, whatever they are.
Where each of them looks at all others it takes sixteen times as long. The bound lies between (caches that other
programs use as well have made it 7.7 of what is linear), and what exceeds it is
timed again: the least time counts, since a busy machine only adds to it."""
import os
import sys
import tempfile

import tap

COUNT, TIMES, MOST, ROUNDS = 1000, 4, 10, 8
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">%s</svg>'
HTML = '<foreignObject width="400" height="400"><div xmlns="http://www.w3.org/1999/xhtml">%s</div></foreignObject>'
LETTERS = 'font-family="serif" font-size="9"'


def repeat(count, form):
    return "".join(form(i) for i in range(count))


def at(i):
    return 'x="%d" y="%d"' % (i * 7 % 390, i * 13 % 390)


def rect(i, more=""):
    return '<rect %s width="9" height="9" %s/>' % (at(i), more)


def referred(element, attribute, content=""):
    """As many elements as things that refer to them, each to its own."""
    return lambda n: repeat(n, lambda i: '<%s id="e%d">%s</%s>' % (element, i, content, element.split()[0]) +
                            rect(i, '%s="url(#e%d)"' % (attribute, i)))


def words(form, attributes=""):
    return lambda n: "<text y='50' %s %s>%s</text>" % (LETTERS, attributes, repeat(n, form))


def styled(rule, more):
    return lambda n: "<style>%s</style>%s" % (repeat(n, lambda i: rule % {"i": i}),
                                              repeat(n, lambda i: rect(i, more % {"i": i})))


def along_path(n):
    return '<path id="p" d="M0 50%s"/><text %s><textPath href="#p">%s</textPath></text>' % (
        repeat(n, lambda i: "q5 %d 10 0" % (i % 9)), LETTERS, repeat(n, lambda i: "word%d " % i))


def table(n):
    return HTML % ("<table>%s</table>" % repeat(n // 4, lambda i: "<tr><td>%d</td><td>b c</td><td>d</td></tr>" % i))


def shared_borders(n):
    rows = repeat(n // 4,
                  lambda i: '<tr style="border:2px dashed"><td rowspan="2">%d</td><td>b</td><td>d</td></tr>' % i)
    return HTML % ('<table style="border-collapse:collapse;border:3px solid">%s</table>' % rows)


def animated(i):
    """Each begins where the one before ends."""
    begin = "a%d.end" % (i - 1) if i else "0s"
    animation = '<animate id="a%d" attributeName="x" to="9" dur="1s" begin="%s"/>' % (i, begin)
    return '<rect %s width="9" height="9">%s</rect>' % (at(i), animation)


def counted(n):
    """Each opens a counter, and looks for all."""
    rules = "b{counter-increment:n}b::before{content:counter(n)}i::before{content:counters(m,'.')}"
    return HTML % ("<style>%s</style>%s<i/>" % (rules, repeat(n, lambda i: '<b style="counter-reset:c%d">a</b> ' % i)))


CIRCLE = '<circle cx="9" cy="9" r="5" fill="#fff"/>'
KINDS = {
    "gradients": referred("linearGradient", "fill", '<stop/><stop offset="1" stop-color="red"/>'),
    "patterns": referred('pattern width="4" height="4" patternUnits="userSpaceOnUse"', "fill", CIRCLE),
    "counters": counted,
    "clips": referred("clipPath", "clip-path", CIRCLE),
    "masks": referred("mask", "mask", CIRCLE),
    "filters": referred("filter", "filter", '<feGaussianBlur stdDeviation="1"/>'),
    "markers": lambda n: '<marker id="m" orient="auto"><path d="M0 0L3 1"/></marker>'
               '<polyline marker-mid="url(#m)" points="%s"/>' %
               repeat(n, lambda i: "%d,%d " % (i * 37 % 400, i * 91 % 400)),
    "uses": lambda n: '<symbol id="s"><rect width="9" height="9"/></symbol>' +
            repeat(n, lambda i: '<use href="#s" %s/>' % at(i)),
    "classes": styled(".c%(i)d{fill:red}", 'class="c%(i)d"'),
    "variables": styled(".c%(i)d{--v%(i)d:red;fill:var(--v%(i)d)}", 'class="c%(i)d"'),
    "layers": styled("@layer l%(i)d{.c%(i)d{fill:red}}", 'class="c%(i)d"'),
    # More of them, since one look at a rule's name takes little beside what else an element takes.
    "keyframes": lambda n: styled("@keyframes k%(i)d{from{fill:red}}.c%(i)d{animation:k%(i)d 1s}",
                                  'class="c%(i)d"')(8 * n),
    "siblings": lambda n: "<style>rect:nth-last-child(3n+1){fill:red}.a ~ rect{opacity:.9}.a:has(+ .a){stroke:red}"
                "</style>" +
                repeat(n, lambda i: rect(i, 'class="a"' if i % 2 else "")),
    "words": words(lambda i: "word%d " % i),
    "places": words(lambda i: '<tspan x="%d" dy="1">w%d</tspan>' % (i % 390, i)),
    "sizes": words(lambda i: '<tspan x="9" font-size="%d.%03d">w</tspan>' % (9 + i // 1000, i % 1000)),
    "scripts": words(lambda i: "abc \u05e9\u05dc\u05d5\u05dd "),
    "lines": words(lambda i: "word%d " % i, 'style="inline-size:380px"'),
    "areas": words(lambda i: "word%d " % i, 'style="shape-inside:circle(1e5px at 200px 1e5px);shape-padding:9px"'),
    "along a path": along_path,
    "shadows": lambda n: repeat(n, lambda i: '<text %s %s style="text-shadow:1px 1px 2px red">w</text>' %
                                (at(i), LETTERS)),
    "boxes": lambda n: HTML % repeat(n, lambda i: '<div style="padding:1px"><b>x</b> %d</div>' % i),
    "inline boxes": lambda n: HTML % repeat(n, lambda i: "<b>x%d</b> <i>text</i> " % i),
    "formulas": lambda n: HTML % ("<math xmlns='http://www.w3.org/1998/Math/MathML'>%s</math>" % repeat(
        n, lambda i: "<mo>(</mo><mfrac><msup><mi>x</mi><mn>%d</mn></msup><msqrt><mn>2</mn></msqrt></mfrac><mo>)</mo>" %
        i)),
    "cells": table,
    "shared_borders": shared_borders,
    "items": lambda n: HTML % ('<div style="display:flex;flex-wrap:wrap">%s</div>' %
                               repeat(n, lambda i: "<div>%d</div>" % i)),
    "animations": lambda n: repeat(n, animated),
    "dashes": lambda n: '<path fill="none" stroke="red" stroke-dasharray="9 5" d="M0 0%s"/>' %
              repeat(n, lambda i: "L%d %d" % (i * 37 % 400, i * 91 % 400)),
}


def main():
    command, only = (sys.argv[1:] + [""])[:2]
    t = tap.Tap()
    if tap.SANITIZED:
        t.skip("growth", "sanitizers have a pace of their own")
        t.finish()
    with tempfile.TemporaryDirectory() as folder:
        file, png = os.path.join(folder, "in.svg"), os.path.join(folder, "out.png")

        def processor(body):
            with open(file, "w", encoding="utf-8") as out:
                out.write(HEAD % body)
            ended = tap.run([command, "-q", "render", file, "-o", png, "--force"], peak=True)
            return ended.processor, ended.status, ended.stderr

        empty = min(processor("")[0] for _ in range(ROUNDS))
        for name, kind in KINDS.items():
            if only not in name:
                continue
            few = many = float("inf")
            for _ in range(ROUNDS):
                time_of_few, status, error = processor(kind(COUNT))
                time_of_many, status_of_many, error_of_many = processor(kind(COUNT * TIMES))
                few, many = min(few, time_of_few), min(many, time_of_many)
                bad = status or status_of_many
                # A millisecond more, which is next to nothing beside the rest, since clocks are coarse.
                share = (many - empty) / max(few - empty + 0.001, 0.001)
                if bad or share <= MOST:
                    break
            t.test(name, not bad and share <= MOST,
                   error + error_of_many if bad else "%d take %.1f times as long as %d (%.3f and %.3f s)" %
                   (COUNT * TIMES, share, COUNT, many, few))
    t.finish()


if __name__ == "__main__":
    main()

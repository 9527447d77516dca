#!/usr/bin/env python3
"""properties.py STIJL: draws each property of the indexes of SVG 2 and CSS once, in HTML and in SVG. Each changes the
picture, or is warned of by name, or is listed here, since no still picture shows it. What is left out and warned of is
listed, too, so that a property that is lost is noticed as well as one that is drawn at last."""
import concurrent.futures
import os
import sys
import tempfile

import tap

FONTS = ["--skip-system-fonts", "--use-font-file", os.path.join(tap.SOURCE, "tests", "fonts", "dejavu.ttf")]
IMAGE = ("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2220%22 height=%2210%22%3E"
         "%3Crect width=%2210%22 height=%2210%22 fill=%22blue%22/%3E%3C/svg%3E")
HEAD = ('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">'
        '<style>.b{background:#cfc;border:2px solid;padding:3px;margin:4px;width:120px} .p{STYLE}</style>'
        '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>'
        '<mask id="m"><rect width="300" height="100" fill="#888"/></mask>'
        '<clipPath id="c"><path class="p" d="M0 0h70v70h-70zM9 9h50v50h-50z"/></clipPath>'
        '<marker id="k" markerWidth="9" markerHeight="9" overflow="visible"><path d="M0 0h5v5z"/></marker>')
HTML = HEAD + f"""<foreignObject width="300" height="300"><div xmlns="http://www.w3.org/1999/xhtml"
 style="font:14px DejaVu Sans">
<div class="b p">waterfall &#9; jewel raft sea Vedas at 10: <i class="p">are in line, dear</i><br/>
ax<img class="p" src="{IMAGE}"/></div>
<div class="b p" style="display:flex"><b class="p">ad</b><u class="p">we</u><p class="p">se lee</p></div>
<table class="p"><caption class="p">a</caption><tr class="p">
<td class="p" style="border:1px solid">tell</td><td>a</td></tr></table>
<ol><li class="p">item</li><li class="p">latex</li></ol></div></foreignObject></svg>"""
SVG = HEAD + f"""<linearGradient id="g" class="p"><stop class="p"/><stop class="p" offset="1" stop-color="#0f0"/></linearGradient>
<filter id="h"><feFlood class="p" flood-color="#f008" result="a"/><feDiffuseLighting class="p" result="b"><feDistantLight
 elevation="40"/></feDiffuseLighting><feMerge class="p"><feMergeNode in="a"/><feMergeNode in="SourceGraphic"/></feMerge>
<feComposite in="b" operator="arithmetic" k2=".5" k3=".5"/></filter><path id="q" d="M10 200h200"/>
<g class="p" fill="#48c" stroke="#000"><rect class="p" x="10" y="10" width="50" height="40" stroke-width="3"/>
<path class="p" d="M70 10l40 10 -30 20 50 5z M75 15l9 2 0 9 -9 9z" /></g>
<polyline class="p" points="10 80 50 90 20 100" fill="none" stroke="currentColor" stroke-width="4"/>
<text class="p" x="10" y="130" font-size="18">jet  fi 10 <tspan class="p">are</tspan> x</text>
<text class="p" x="30" y="170" font-size="18">a<textPath class="p" href="#q">a raft</textPath></text>
<rect class="p" x="150" y="60" width="40" height="40" fill="url(#g)"/>
<rect x="200" y="60" width="40" height="40" filter="url(#h)"/><rect width="90" height="90" clip-path="url(#c)"/>
<image class="p" x="10" y="220" width="60" height="60" href="{IMAGE}"/><svg class="p" x="100" y="220" width="50"
 height="50"><circle class="p" cx="40" cy="40" r="30"/><ellipse class="p" rx="9" ry="4"/></svg></svg>"""

# Each property with a value, and behind a bar what else is declared, without which the value would show nothing.
VALUES = """
-webkit-border-image: linear-gradient(red, blue) 1
-webkit-box-align: center | display:-webkit-box
-webkit-box-decoration-break: clone
-webkit-box-direction: reverse
-webkit-box-flex: 1
-webkit-box-ordinal-group: 2
-webkit-box-orient: vertical
-webkit-box-pack: end
-webkit-box-reflect: below
-webkit-font-smoothing: none
-webkit-line-break: anywhere
-webkit-line-clamp: 1
-webkit-mask-box-image: linear-gradient(red, #0000)
-webkit-mask-box-image-source: linear-gradient(red, #0000)
-webkit-mask-position-x: 9px
-webkit-mask-position-y: 9px
-webkit-rtl-ordering: visual
-webkit-text-combine: horizontal
-webkit-text-fill-color: red
-webkit-text-orientation: upright
-webkit-text-security: disc
-webkit-text-stroke: 1px red
-webkit-text-stroke-color: red
-webkit-text-stroke-width: 1px
-webkit-writing-mode: vertical-rl
accent-color: red
align-content: center
align-items: center
align-self: center
alignment-baseline: hanging
all: initial
anchor-name: --a
animation: k 1s
appearance: none
aspect-ratio: 5
backdrop-filter: blur(2px)
backface-visibility: hidden
background: red
background-attachment: fixed
background-blend-mode: multiply
background-clip: text
background-color: red
background-image: linear-gradient(red, blue)
background-origin: border-box | background-image:linear-gradient(red, blue)
background-position: 9px 9px | background-image:linear-gradient(red, blue)
background-repeat: no-repeat | background-image:linear-gradient(red, blue);background-size:9px
background-size: 9px 9px | background-image:linear-gradient(red, blue)
baseline-shift: 5px
baseline-source: last
block-size: 50px
border: 3px solid red
border-block: 3px solid red
border-block-color: red
border-block-end: 3px solid red
border-block-end-color: red
border-block-end-style: dashed
border-block-end-width: 5px
border-block-start: 3px solid red
border-block-start-color: red
border-block-start-style: dashed
border-block-start-width: 5px
border-block-style: dashed
border-block-width: 5px
border-bottom: 3px solid red
border-bottom-color: red
border-bottom-left-radius: 5px
border-bottom-right-radius: 5px
border-bottom-style: dashed
border-bottom-width: 5px
border-collapse: collapse
border-color: red | border-style:solid
border-end-end-radius: 5px
border-end-start-radius: 5px
border-image: linear-gradient(red, blue) 1
border-image-outset: 3px
border-image-source: linear-gradient(red, blue)
border-inline: 3px solid red
border-inline-color: red
border-inline-end: 3px solid red
border-inline-end-color: red
border-inline-end-style: dashed
border-inline-end-width: 5px
border-inline-start: 3px solid red
border-inline-start-color: red
border-inline-start-style: dashed
border-inline-start-width: 5px
border-inline-style: dashed
border-inline-width: 5px
border-left: 3px solid red
border-left-color: red
border-left-style: dashed
border-left-width: 5px
border-radius: 5px
border-right: 3px solid red
border-right-color: red
border-right-style: dashed
border-right-width: 5px
border-spacing: 9px
border-start-end-radius: 5px
border-start-start-radius: 5px
border-style: dashed
border-top: 3px solid red
border-top-color: red
border-top-left-radius: 5px
border-top-right-radius: 5px
border-top-style: dashed
border-top-width: 5px
border-width: 5px
bottom: 9px | position:relative
box-decoration-break: clone
box-shadow: 1px 1px red
box-sizing: border-box
break-after: page
caption-side: bottom
caret-color: red
clear: both
clip: rect(0, 9px, 9px, 0)
clip-path: inset(5px)
clip-rule: evenodd
color: red
color-interpolation: linearRGB
color-interpolation-filters: sRGB
color-scheme: dark
column-count: 2
column-fill: auto
column-gap: 9px
column-rule: 1px solid red
column-span: all
column-width: 30px
columns: 2
contain: size
contain-intrinsic-size: 20px
container-type: size
content: "x"
content-visibility: hidden
corner-shape: bevel
counter-increment: list-item 5
counter-reset: list-item 5
counter-set: list-item 5
cursor: pointer
cx: 20px
cy: 20px
d: path("M0 0h50v50z")
direction: rtl
display: inline-block
dominant-baseline: hanging
empty-cells: hide
fill: red
fill-opacity: .5
fill-rule: evenodd
filter: blur(2px)
flex: 1
flex-basis: 50px
flex-direction: column
flex-flow: column
flex-grow: 1
flex-shrink: 3 | width:300px
flex-wrap: wrap | width:50px
float: right
flood-color: red
flood-opacity: .5
font: 20px serif
font-family: serif
font-feature-settings: "liga" 0, "frac"
font-kerning: none
font-language-override: "TRK"
font-optical-sizing: none
font-palette: dark
font-size: 20px
font-size-adjust: .9
font-stretch: condensed
font-style: italic
font-synthesis: none
font-variant: small-caps
font-variant-alternates: historical-forms
font-variant-caps: small-caps
font-variant-east-asian: ruby
font-variant-emoji: emoji
font-variant-ligatures: none
font-variant-numeric: diagonal-fractions
font-variant-position: super
font-variation-settings: "wght" 900
font-weight: 900
gap: 9px
glyph-orientation-vertical: 0
grid: auto / 20px 20px
grid-area: 1 / 2
grid-auto-columns: 20px
grid-auto-flow: column
grid-auto-rows: 30px
grid-column: 2
grid-row: 2
grid-template: 20px / 20px
grid-template-areas: "a"
grid-template-columns: 20px 20px
grid-template-rows: 20px
height: 50px
hyphenate-character: "="
hyphens: none
image-orientation: none
image-rendering: pixelated
initial-letter: 2
inline-size: 60px
inset: 9px | position:relative
inset-block: 9px | position:relative
inset-block-end: 9px | position:relative
inset-block-start: 9px | position:relative
inset-inline: 9px | position:relative
inset-inline-end: 9px | position:relative
inset-inline-start: 9px | position:relative
isolation: isolate | mix-blend-mode:normal
justify-content: end
justify-items: end
justify-self: end
left: 9px | position:relative
letter-spacing: 3px
lighting-color: red
line-break: anywhere
line-clamp: 1
line-height: 2
list-style: square
list-style-image: linear-gradient(red, blue)
list-style-position: inside
list-style-type: square
margin: 9px
margin-block: 9px
margin-block-end: 9px
margin-block-start: 9px
margin-bottom: 9px
margin-inline: 9px
margin-inline-end: 9px
margin-inline-start: 9px
margin-left: 9px
margin-right: 9px
margin-top: 9px
margin-trim: block
marker: url(#k)
marker-end: url(#k)
marker-mid: url(#k)
marker-start: url(#k)
mask: url(#m)
mask-border: linear-gradient(red, #0000)
mask-border-source: linear-gradient(red, #0000)
mask-clip: content-box | mask-image:linear-gradient(#000,#000a);padding:9px
mask-composite: exclude | mask-image:linear-gradient(90deg,#000,#0000),linear-gradient(#000,#0000)
mask-image: linear-gradient(#000, #0000)
mask-mode: luminance | mask-image:linear-gradient(#080,#040)
mask-origin: content-box | mask-image:linear-gradient(#000,#0000);padding:9px;mask-repeat:no-repeat
mask-position: 9px 9px | mask-image:linear-gradient(#000,#000a);mask-size:20px 20px;mask-repeat:no-repeat
mask-repeat: no-repeat | mask-image:linear-gradient(#000,#000a);mask-size:20px 20px
mask-size: 9px 9px | mask-image:linear-gradient(#000,#0000)
mask-type: alpha
math-depth: 2
math-style: compact
max-block-size: 9px
max-height: 9px
max-inline-size: 9px
max-width: 9px
min-block-size: 90px
min-height: 90px
min-inline-size: 90px
min-width: 150px
mix-blend-mode: difference
object-fit: cover
object-position: 0 0
object-view-box: inset(5px)
offset: path("M0 0h9") 5px
offset-anchor: 5px 5px | offset-path:path("M0 0h9")
offset-distance: 5px | offset-path:path("M0 0h9")
offset-path: path("M0 0v9")
offset-position: 5px 5px
offset-rotate: 30deg | offset-path:path("M0 0h9")
opacity: .5
order: 2
orphans: 3
outline: 2px solid red
outline-color: red
outline-offset: 3px
outline-style: solid
outline-width: 3px
overflow: hidden | height:9px;width:9px
overflow-block: hidden
overflow-clip-margin: 5px
overflow-inline: hidden
overflow-wrap: anywhere | width:9px
overflow-x: hidden | height:9px;width:9px
overflow-y: hidden | height:9px;width:9px
padding: 9px
padding-block: 9px
padding-block-end: 9px
padding-block-start: 9px
padding-bottom: 9px
padding-inline: 9px
padding-inline-end: 9px
padding-inline-start: 9px
padding-left: 9px
padding-right: 9px
padding-top: 9px
paint-order: stroke
perspective: 100px
perspective-origin: 0 0
place-content: end
place-items: end
place-self: end
pointer-events: none
position: absolute
quotes: "a" "b"
r: 5px
resize: both
right: 9px | position:relative
rotate: 30deg
row-gap: 9px | flex-direction:column
row-rule: 1px solid red
ruby-position: under
rx: 5px
ry: 5px
scale: .5
scrollbar-width: thin
shape-inside: circle(9px)
shape-margin: 5px | shape-inside:polygon(0 0,300px 0,300px 300px,0 300px);shape-subtract:circle(9px at 9px 9px)
shape-outside: circle()
shape-padding: 9px | shape-inside:polygon(0 0,300px 0,300px 300px,0 300px)
shape-rendering: crispEdges
shape-subtract: circle(30px at 0 0) | shape-inside:polygon(0 0,300px 0,300px 300px,0 300px)
stop-color: red
stop-opacity: .5
string-set: a "b"
stroke: red
stroke-dasharray: 3
stroke-dashoffset: 2px | stroke-dasharray:9
stroke-linecap: round
stroke-linejoin: round | stroke:#00f;stroke-width:9px
stroke-miterlimit: 1 | stroke:#00f;stroke-width:9px
stroke-opacity: .5
stroke-width: 7px
tab-size: 3 | white-space:pre
table-layout: fixed
text-align: right | shape-inside:polygon(0 0,300px 0,300px 300px,0 300px)
text-align-all: right
text-align-last: right
text-anchor: end
text-autospace: normal
text-box: trim-both cap alphabetic
text-box-edge: cap alphabetic
text-box-trim: trim-both
text-combine-upright: all
text-decoration: underline
text-decoration-color: red | text-decoration:underline
text-decoration-line: underline
text-decoration-skip-ink: none | text-decoration:underline 4px;font-size:40px
text-decoration-style: wavy | text-decoration:underline
text-decoration-thickness: 4px | text-decoration:underline
text-emphasis: "x"
text-emphasis-color: red | text-emphasis-style:"x"
text-emphasis-position: under right | text-emphasis-style:"x"
text-emphasis-style: "x"
text-indent: 9px
text-justify: inter-character
text-orientation: upright
text-overflow: ellipsis | overflow:hidden;white-space:nowrap;width:40px;inline-size:40px
text-rendering: optimizeSpeed
text-shadow: 1px 1px red
text-size-adjust: 200%
text-spacing-trim: trim-start
text-transform: uppercase
text-underline-offset: 5px | text-decoration:underline
text-underline-position: under | text-decoration:underline
text-wrap: balance
text-wrap-mode: nowrap
text-wrap-style: balance
top: 9px | position:relative
transform: rotate(9deg)
transform-box: fill-box | transform:rotate(9deg);transform-origin:0 0
transform-origin: 9px 9px | transform:rotate(9deg)
transform-style: preserve-3d
transition: all 1s
translate: 9px
unicode-bidi: bidi-override | direction:rtl
user-select: none
vector-effect: non-scaling-stroke | transform:scale(2)
vertical-align: super
visibility: hidden
white-space: pre
white-space-collapse: preserve
widows: 3
width: 60px
will-change: transform
word-break: break-all | width:9px
word-spacing: 9px
word-wrap: anywhere | width:9px
writing-mode: vertical-rl
x: 30px
y: 30px
z-index: 5 | position:relative
zoom: 2
"""

# What is not drawn in HTML, and in SVG where browsers draw it.
LEFT_OUT = {
    "HTML": """
-webkit-border-image -webkit-box-align -webkit-box-decoration-break -webkit-box-direction -webkit-box-flex
-webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack -webkit-box-reflect -webkit-line-break
-webkit-line-clamp -webkit-mask-box-image -webkit-mask-box-image-source -webkit-mask-position-x
-webkit-mask-position-y -webkit-text-fill-color -webkit-text-security -webkit-text-stroke -webkit-text-stroke-color
-webkit-text-stroke-width -webkit-writing-mode align-content all aspect-ratio backdrop-filter background-clip
border-block-color border-block-end-color border-block-end-style border-block-end-width
border-block-start-color border-block-start-style border-block-start-width border-block-style border-block-width
border-end-end-radius border-end-start-radius border-image border-image-source border-inline-color
border-inline-end-color border-inline-end-style border-inline-end-width border-inline-start-color
border-inline-start-style border-inline-start-width border-inline-style border-inline-width border-start-end-radius
border-start-start-radius box-decoration-break caption-side clear column-count column-rule column-width
columns contain container-type content-visibility corner-shape empty-cells
float justify-self line-break line-clamp list-style-image list-style-position mask-border mask-border-source
mask-origin object-fit object-position object-view-box offset-position order outline outline-style overflow-block
overflow-inline resize row-rule table-layout text-align-last text-autospace text-box text-box-trim
text-justify text-spacing-trim text-wrap text-wrap-style
white-space-collapse writing-mode z-index zoom
""",
    "SVG": """
-webkit-box-reflect -webkit-mask-box-image -webkit-mask-box-image-source -webkit-mask-position-x
-webkit-mask-position-y -webkit-text-security all backdrop-filter block-size content-visibility mask-border
mask-border-source offset-position outline outline-style zoom
"""
}

# What shows nothing in these documents: by what it is, since it needs another feature that is warned of, or since the
# fonts here have nothing for it.
SHOWS_NOTHING = {
    "HTML": """
-webkit-font-smoothing -webkit-rtl-ordering -webkit-text-combine -webkit-text-orientation accent-color
alignment-baseline anchor-name animation appearance backface-visibility background-attachment background-blend-mode
baseline-shift baseline-source
border-image-outset break-after caret-color clip clip-rule color-interpolation color-interpolation-filters
color-scheme column-fill column-span contain-intrinsic-size content cursor cx cy d dominant-baseline fill fill-opacity
fill-rule flex-shrink flood-color flood-opacity font-family font-feature-settings font-language-override
font-optical-sizing font-palette font-stretch font-variant-alternates font-variant-east-asian font-variant-emoji
font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings glyph-orientation-vertical
grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-row grid-template grid-template-areas
grid-template-columns grid-template-rows hyphenate-character hyphens image-orientation image-rendering initial-letter
isolation justify-items lighting-color margin-trim marker marker-end marker-mid marker-start mask-type math-depth
math-style orphans outline-color outline-offset outline-width overflow-clip-margin paint-order perspective
perspective-origin pointer-events quotes r ruby-position rx ry scrollbar-width shape-inside shape-margin shape-outside
shape-padding shape-rendering shape-subtract stop-color stop-opacity string-set stroke stroke-dasharray stroke-dashoffset
stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align-all text-anchor text-box-edge
text-combine-upright text-orientation text-size-adjust transform-box
transform-style transition user-select vector-effect widows will-change x y
""",
    "SVG": """
-webkit-border-image -webkit-box-align -webkit-box-decoration-break -webkit-box-direction -webkit-box-flex
-webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack -webkit-font-smoothing -webkit-line-break
-webkit-line-clamp -webkit-rtl-ordering -webkit-text-combine -webkit-text-fill-color -webkit-text-orientation
-webkit-text-stroke -webkit-text-stroke-color -webkit-text-stroke-width accent-color align-content align-items
align-self anchor-name animation appearance aspect-ratio backface-visibility background background-attachment
background-blend-mode background-clip background-color background-image background-origin background-position
background-repeat background-size baseline-source border border-block border-block-color border-block-end
border-block-end-color border-block-end-style border-block-end-width border-block-start border-block-start-color
border-block-start-style border-block-start-width border-block-style border-block-width border-bottom
border-bottom-color border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width
border-collapse border-color border-end-end-radius border-end-start-radius border-image border-image-outset
border-image-source border-inline border-inline-color border-inline-end border-inline-end-color
border-inline-end-style border-inline-end-width border-inline-start border-inline-start-color
border-inline-start-style border-inline-start-width border-inline-style border-inline-width border-left
border-left-color border-left-style border-left-width border-radius border-right border-right-color border-right-style
border-right-width border-spacing border-start-end-radius border-start-start-radius border-style border-top
border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom
box-decoration-break box-shadow box-sizing break-after caption-side caret-color clear clip color-scheme column-count
column-fill column-gap column-rule column-span column-width columns contain contain-intrinsic-size container-type
content corner-shape counter-increment counter-reset counter-set cursor display empty-cells flex flex-basis
flex-direction flex-flow flex-grow flex-shrink flex-wrap float font-family font-language-override font-optical-sizing
font-palette font-stretch font-synthesis font-variant-alternates font-variant-east-asian font-variant-emoji
font-variant-numeric font-variant-position font-variation-settings gap glyph-orientation-vertical grid grid-area
grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-row grid-template grid-template-areas
grid-template-columns grid-template-rows hyphenate-character hyphens image-orientation image-rendering initial-letter
inset inset-block inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start isolation
justify-content justify-items justify-self left line-break line-clamp line-height list-style list-style-image
list-style-position list-style-type margin margin-block margin-block-end margin-block-start margin-bottom
margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top margin-trim mask-origin
mask-type math-depth math-style max-block-size max-height max-inline-size max-width min-block-size min-height
min-inline-size min-width mix-blend-mode object-fit object-position object-view-box order orphans outline-color
outline-offset outline-width overflow overflow-block overflow-clip-margin overflow-inline overflow-wrap overflow-x
overflow-y padding padding-block padding-block-end padding-block-start padding-bottom padding-inline
padding-inline-end padding-inline-start padding-left padding-right padding-top perspective perspective-origin
place-content place-items place-self pointer-events position quotes resize right row-gap row-rule ruby-position
scrollbar-width shape-outside string-set tab-size table-layout
text-align-all text-align-last text-autospace text-box text-box-edge text-box-trim text-combine-upright
text-indent text-justify text-orientation text-size-adjust
text-spacing-trim text-wrap text-wrap-mode text-wrap-style top transform-style transition user-select vertical-align
white-space-collapse widows will-change word-break word-wrap z-index
"""
}


def draw(command, document, folder, name):
    file = os.path.join(folder, name)
    with open(file + ".svg", "w", encoding="utf-8") as out:
        out.write(document)
    ended = tap.run([command, "render", file + ".svg", "-o", "-", "--format", "rgba"] + FONTS)
    return ended.stdout if ended.status == 0 else None, ended.stderr


def classify(command, kind, document, line, folder, number, without):
    """drawn, told, nothing, or what is wrong. `without` keeps what is drawn without the property."""
    name, value = line.split(": ", 1)
    value, _, more = value.partition(" | ")
    if (kind, more) not in without:
        without[kind, more] = draw(command, document.replace("STYLE", more), folder, "%s%da" % (kind, number))
    before, said = without[kind, more]
    after, says = draw(command, document.replace("STYLE", "%s;%s:%s" % (more, name, value)), folder,
                       "%s%db" % (kind, number))
    if before is None or after is None:
        return name, "failed: " + says
    new = [each for each in says.splitlines() if "warning: " in each and each.split("warning: ")[1] not in said]
    if before != after:
        return name, "drawn"  # perhaps not on all elements
    short = name[8:] if name.startswith("-webkit-") else name
    if new and not any(short in each for each in new):
        return name, "not told by its name: " + new[0]
    return name, "told" if new else "nothing"


def main():
    command = os.path.abspath(sys.argv[1])
    # Filling memory takes most of the time of pictures that are this small, and other tests have it filled.
    os.environ.pop("MALLOC_PERTURB_", None)
    t = tap.Tap()
    lines, without = VALUES.strip().splitlines(), {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        for kind, document in (("HTML", HTML), ("SVG", SVG)):
            found = list(pool.map(lambda i: classify(command, kind, document, lines[i], folder, i, without),
                                  range(len(lines))))
            expected = {each: "told" for each in LEFT_OUT[kind].split()}
            expected.update({each: "nothing" for each in SHOWS_NOTHING[kind].split()})
            wrong = ["%s: %s, expected: %s" % (name, is_, expected.get(name, "drawn")) for name, is_ in found
                     if is_ != expected.get(name, "drawn")]
            t.test("%d properties in %s" % (len(lines), kind), not wrong, "\n".join(wrong))
            strange = set(expected) - {name for name, _ in found}
            t.test("the lists of %s have no other names" % kind, not strange, " ".join(sorted(strange)))
    t.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""hostile.py STIJL [--full] [NAME]: small files that ask for very much. With --full each ends by the default limits
within 5 s of the processor and 512 MiB of memory, with a picture or with an error of one line; without, by smaller ones
in less."""
import base64
import gzip
import os
import re
import struct
import sys
import tempfile
import zlib

import bombs
import tap

SECONDS, BYTES = 5, 512 << 20
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(body, box="0 0 100 100"):
    return '%s viewBox="%s">%s</svg>' % (HEAD, box, body)


def nested(leaf, levels, each):
    """Levels of groups that use the one before `each` times; the leaf is drawn each ** levels times."""
    out = ['<defs><g id="a0">%s</g>' % leaf]
    for i in range(levels):
        out.append('<g id="a%d">%s</g>' % (i + 1, '<use xlink:href="#a%d"/>' % i * each))
    return "".join(out) + '</defs><use xlink:href="#a%d"/>' % levels


def pack(text):
    return gzip.compress(text.encode(), 9, mtime=0)


def path(count):
    return "".join("L%d %d" % (i * 37 % 101, i * 61 % 97) for i in range(count))


def use_full_canvas():
    return svg(nested('<rect width="100" height="100" opacity=".01"/>', 9, 4)), 4000


def use_strokes():
    strokes = '<path fill="none" stroke="red" stroke-width="3" d="M1 1%s"/>' % path(2500)
    return svg(nested(strokes, 9, 4)), 64


def use_zoomed_fills():
    data = "M1 1" + "".join("C%d 9 90 %d 5 %d" % (i % 90, i * 7 % 90, i * 3 % 90) for i in range(1300))
    return svg(nested('<path transform="scale(9000)" d="%s"/>' % data, 9, 4)), 64


def nested_layers():
    """16,000 layers in one another, of 10 KB: 160 groups deep, each with 100 elements' worth of use."""
    body = '<rect width="100" height="100" fill="red"/>'
    inner = body
    for _ in range(60):
        inner = '<g opacity=".9" style="mix-blend-mode:multiply">%s%s</g>' % (body, inner)
    return svg(nested(inner, 4, 4)), 1000


def use_transforms():
    """A long list of transforms, read at each use."""
    leaf = '<g transform="%s"><rect width="1" height="1"/></g>' % ("rotate(1)" * 200000)
    return pack(svg(nested(leaf, 6, 4))), 64


def use_paths():
    """A long path outside the picture, read at each use."""
    leaf = '<path d="M1 1%s"/>' % ("h1v1" * 400000)
    return pack(svg('<g transform="translate(1000)">%s</g>' % nested(leaf, 6, 4))), 64


def selector_list():
    """Each of the rule's selectors matches each element."""
    rule = ",".join(["*"] * 4000) + "{" + "fill:red;" * 4000 + "}"
    return pack(svg("<style>%s</style>%s" % (rule, "<g/>" * 4000))), 64


def lines_in_a_layer():
    stroke = '<path fill="none" stroke="#00f8" stroke-width=".3" d="M1 1%s"/>' % path(2500)
    return svg('<g opacity=".5">%s</g>' % nested(stroke, 6, 4)), 256


def round_dashes():
    return svg('<path stroke="red" stroke-width="1" stroke-linecap="round" stroke-dasharray="0 .00001" '
               'd="M0 0H100V100H0z"/>'), 64


def jpeg(progressive, side=16000):
    """Very many pixels of which nothing follows."""
    def segment(marker, data):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data
    size = struct.pack(">BHHB", 8, side, side, 3) + b"\x01\x11\x00\x02\x11\x00\x03\x11\x00"
    table = bytes([1] + [0] * 15) + b"\x00"
    data = b"\xff\xd8" + segment(0xdb, b"\x00" + b"\x01" * 64)
    data += segment(0xc2 if progressive else 0xc0, size)
    data += segment(0xc4, b"\x00" + table) + segment(0xc4, b"\x10" + table)
    data += segment(0xda, b"\x03\x01\x00\x02\x00\x03\x00\x00\x00\x00" if progressive
                    else b"\x03\x01\x00\x02\x00\x03\x00\x00\x3f\x00") + b"\x00" * 8 + b"\xff\xd9"
    url = "data:image/jpeg;base64," + base64.b64encode(data).decode()
    return svg('<image width="100" height="100" xlink:href="%s"/>' % url), 64


def large_jpeg():
    return jpeg(False)


def large_progressive_jpeg():
    return jpeg(True)


def large_webp():
    """8,500 x 8,500 pixels without loss, all of one colour."""
    bits = []
    for value, count in (0x2f, 8), (8499, 14), (8499, 14), (1, 1), (0, 6), *((1, 4),) * 5:
        bits += [value >> i & 1 for i in range(count)]
    bits += [0] * (-len(bits) % 8)
    data = bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
    data += b"\0" * (len(data) % 2)
    data = b"WEBPVP8L" + struct.pack("<I", len(data)) + data
    url = "data:image/webp;base64," + base64.b64encode(b"RIFF" + struct.pack("<I", len(data)) + data).decode()
    return svg('<image width="100" height="100" xlink:href="%s"/>' % url), 64


def many_images():
    """The same through 40 different images, each of which alone is allowed."""
    import zlib
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = zlib.compress(b"\x00" * (4001 * 1000), 9)
    out = []
    for i in range(40):
        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4000, 1000 - i, 8, 0, 0, 0, 0))
        png += chunk(b"IDAT", rows) + chunk(b"IEND", b"")
        out.append('<image width="50" height="50" xlink:href="data:image/png;base64,%s"/>'
                   % base64.b64encode(png).decode())
    return pack(svg("".join(out))), 64


def curves_of_many_lines():
    """Each of 2,000 curves becomes 16,384 chords."""
    data = "".join("M%d 0C9e6 30-9e6 60 %d 99" % (i % 50, i % 40) for i in range(2000))
    return svg('<path fill-opacity=".5" d="%s"/>' % data), 512


def strokes_of_many_lines():
    data = "".join("M%d 0C9e6 30-9e6 60 %d 99" % (i % 50, i % 40) for i in range(2000))
    return svg('<path fill="none" stroke="red" stroke-linejoin="round" stroke-width="500" d="%s"/>' % data), 512


def horizontal_lines():
    """Nearly horizontal lines, each of which crosses a whole row; many times over."""
    line = "".join("M0 %.3fL100 %.3f99 %.3fz" % (i * .02, i * .02 + .01, i * .02 + .03) for i in range(1000))
    return svg(nested('<path fill-opacity=".5" d="%s"/>' % line, 6, 4)), 4000


def gradient_ramps():
    """Gradients in turn, so that none repeats the one before."""
    stops = '<stop stop-color="red"/><stop offset="1" stop-color="%s"/>'
    servers = "".join('<linearGradient id="l%d">%s</linearGradient>' % (i, stops % color)
                      for i, color in enumerate(["blue", "lime", "gold", "navy"]))
    leaf = "".join('<rect width="1" height="1" fill="url(#l%d)"/>' % i for i in range(4))
    return svg(servers + nested(leaf, 9, 4)), 64


def documents_in_images():
    """Ten compressed documents in one another, each with work of its own."""
    inner = svg(nested('<path d="M1 1%s"/>' % path(300), 5, 4))
    for _ in range(10):
        url = "data:image/svg+xml;base64," + base64.b64encode(pack(inner)).decode()
        inner = svg(nested('<rect width="1" height="1"/>', 5, 4) +
                    '<image width="100" height="100" xlink:href="%s"/>' % url * 3)
    return pack(inner), 64


def bomb():
    return pack(svg("<g>%s</g>" % (" " * (200 << 20)))), 64


def attribute_bomb():
    return pack(svg('<path d="%s"/>' % ("M0 0" * (40 << 20)))), 64


def patterns():
    """Patterns within patterns, each a picture of its own."""
    out = ['<pattern id="p0" width=".01" height=".01"><rect width="1" height="1"/></pattern>']
    for i in range(9):
        out.append('<pattern id="p%d" width=".3" height=".3">%s</pattern>' % (i + 1, "".join(
            '<rect width="%d" height="%d" fill="url(#p%d)"/>' % (50 + k, 60 + k, i) for k in range(6))))
    return svg("<defs>%s</defs>" % "".join(out) + '<rect width="100" height="100" fill="url(#p9)"/>'), 2000


def masks():
    out = ['<mask id="m0"><rect width="100" height="100" fill="#fff"/></mask>']
    for i in range(30):
        out.append('<mask id="m%d"><rect width="100" height="100" fill="#fff" mask="url(#m%d)"/>'
                   '<rect width="90" height="90" fill="#fff" mask="url(#m%d)"/></mask>' % (i + 1, i, i))
    return svg("".join(out) + '<rect width="100" height="100" mask="url(#m30)"/>'), 1000


def markers():
    data = "M1 1" + path(3000)
    return svg('<marker id="m" overflow="visible"><path d="%s" stroke="red"/></marker>'
               '<path d="%s" marker-mid="url(#m)"/>' % (data, data)), 64


def passed_by():
    """A hundred thousand elements that draw nothing, looked at by each use."""
    return pack(svg(nested("<title/>" * 100000 + '<rect width="1" height="1"/>', 9, 4))), 64


def filtered(primitives, box="0 0 100 100", region='x="-10%" y="-10%" width="120%" height="120%"', uses=1):
    """A rectangle under a filter, so many times."""
    rect = '<rect x="20" y="20" width="60" height="60" fill="red" filter="url(#f)"/>'
    return svg('<filter id="f" %s>%s</filter>%s' % (region, primitives, rect * uses), box)


def filter_blurs_without_end():
    """Deviations of a million pixels, of all edge modes, one after the other."""
    each = "".join('<feGaussianBlur stdDeviation="1e6 %g" edgeMode="%s"/>' % (10 ** i, mode)
                   for i, mode in enumerate(["none", "duplicate", "wrap"] * 3))
    return filtered(each), 2000


def filter_of_many_primitives():
    each = '<feGaussianBlur stdDeviation="3"/><feMorphology operator="dilate" radius="2"/><feOffset dx="1"/>' \
           '<feComposite in2="SourceGraphic" operator="xor"/>'
    return filtered(each * 2500), 1000


def filter_chain_of_merges():
    """Ten thousand results, each of which reads the two before."""
    each = "".join('<feMerge result="r%d"><feMergeNode in="r%d"/><feMergeNode in="r%d"/></feMerge>' % (i, i - 1, i - 2)
                   for i in range(10000))
    return filtered(each), 500


def filter_kernel_beyond_any():
    """An order of a hundred million, and one whose numbers are there."""
    order = 700
    kernel = " ".join(["1"] * (order * order))
    return pack(filtered('<feConvolveMatrix order="100000000" kernelMatrix="1"/>'
                         '<feConvolveMatrix in="SourceGraphic" order="%d" kernelMatrix="%s"/>' % (order, kernel))), 1500


def filter_morphology_beyond_any():
    each = '<feMorphology operator="%s" radius="1e5"/>'
    return filtered(each % "dilate" + each % "erode" + '<feMorphology operator="dilate" radius="3e38 1"/>'), 2000


def filter_octaves_beyond_any():
    each = '<feTurbulence baseFrequency="%g" numOctaves="1000000" seed="%d" stitchTiles="stitch"/>'
    return filtered("".join(each % (10.0 ** (i - 5), i) for i in range(12))), 2000


def filter_region_beyond_any():
    """A region of 32,767 pixels a side, all of which a tile asks for."""
    noise = '<feTurbulence baseFrequency=".1"/><feGaussianBlur stdDeviation="9"/><feTile/>'
    return filtered(noise,
                    region='x="-16383" y="-16383" width="32767" height="32767" filterUnits="userSpaceOnUse"'), 100


def filter_region_of_floats():
    noise = '<feFlood flood-color="red"/><feTile/><feDisplacementMap in2="SourceGraphic" scale="3e38"/>' \
            '<feOffset dx="-3e38" dy="3e38"/><feGaussianBlur stdDeviation="3e38"/><feMorphology radius="3e38"/>' \
            '<feDropShadow dx="-3e38"/><feDiffuseLighting><fePointLight x="3e38" z="3e38"/></feDiffuseLighting>'
    return filtered(noise,
                    region='x="-1e38" y="-1e38" width="3e38" height="3e38" primitiveUnits="objectBoundingBox"'), 1000


def filter_lights_of_many():
    light = '<feSpecularLighting specularExponent="128" surfaceScale="1e30">' \
            '<feSpotLight z="1e30" limitingConeAngle="1"/></feSpecularLighting>'
    return filtered(light * 500), 1000


def filters_within_filters():
    """Each level's filter shows the level below, twice."""
    out = ['<rect id="a0" width="100" height="100" fill="red"/>']
    for i in range(60):
        image = '<feImage href="#a%d"/>' % i
        out.append('<filter id="f%d">%s%s<feBlend in2="SourceGraphic" mode="color"/></filter>'
                   '<g id="a%d" filter="url(#f%d)"><use href="#a%d"/></g>' % (i, image, image, i + 1, i, i))
    return svg("<defs>%s</defs><use href=\"#a60\"/>" % "".join(out)), 500


def filters_of_many_elements():
    return filtered('<feGaussianBlur stdDeviation="20"/>', uses=20000), 1000


def turned(attack):
    """The same under a rotation and a skew, where filters work in spaces of their own."""
    def made():
        document, width = attack()
        plain = gzip.decompress(document).decode() if isinstance(document, bytes) else document
        return pack(re.sub("<(rect|g) ", r'<\1 transform="rotate(30 50 50) skewX(20)" ', plain)), width
    made.__name__ = attack.__name__ + "_turned"
    return made


def filters_nearly_flat():
    """Spaces whose axes nearly coincide, and spaces far away."""
    transforms = ["skewX(%.7g)" % (90 - 10.0 ** -i) for i in range(7)] + \
                 ["rotate(45) scale(1 1e-%d) rotate(-45)" % i for i in range(20)] + \
                 ["matrix(1 1 1 %.9g 0 0)" % (1 + 10.0 ** -i) for i in range(9)] + \
                 ["rotate(30) translate(3e%d 1e%d) scale(1e%d)" % (i, i, i) for i in range(3, 37)]
    shapes = "".join('<rect transform="%s" filter="url(#f)" x="-1e9" y="-1e9" width="2e9" height="2e9" fill="red"/>' % t
                     for t in transforms)
    return svg('<filter id="f" x="-1e9" y="-1e9" width="2e9" height="2e9" filterUnits="userSpaceOnUse">'
               '<feOffset dx="1"/></filter>' + shapes), 500


def text(content, head="", attributes=""):
    return pack(svg('%s<text y="50" font-size="9" %s>%s</text>' % (head, attributes, content))), 100


def text_of_one_syllable():
    """Letters that join into one Khmer syllable, for which HarfBuzz sorts."""
    return text("\u1780\u17d2" * 100000)


def text_of_marks():
    return text("a" + "\u0301" * 300000)


def text_of_vowels():
    """A Thai vowel whose first half goes before all that is like it."""
    return text("\u0e33" * 100000)


def text_of_flags():
    return text("\U0001f1e6" * 300000)


def text_of_brackets():
    return text("\u05d0" + "(" * 300000 + ")" * 300000)


def text_of_directions():
    return text("abc \u05d0\u05d1 (12) \u202b \u2067[\u0627] \u202c" * 40000, attributes='direction="rtl"')


def text_along_a_long_path():
    """Each text looks for its place on a path of its own measure."""
    head = '<path id="p" fill="none" d="M0 0%s"/>' % path(100000)
    return text('<textPath xlink:href="#p" startOffset="99%">hello</textPath>' * 100, head)


def text_of_many_spans():
    return text('<tspan dx="1" dy="1" rotate="3" font-weight="bold">a</tspan>' * 100000)


def text_used_often():
    return pack(svg(nested('<text y="9">Hello <tspan font-style="italic">world</tspan></text>', 9, 4))), 100


def text_of_many_fonts():
    """Fonts of no use, one for each text."""
    faces = "".join('@font-face{font-family:f%d;src:local("x%d"),url(data:font/ttf;base64,AAEAAAAA)}' % (i, i)
                    for i in range(10000))
    texts = "".join('<text y="9" font-family="f%d">a</text>' % i for i in range(10000))
    return pack(svg("<style>%s</style>%s" % (faces, texts))), 100


def dashes_read_often():
    """A list that sums up to nothing, read by each path that inherits it."""
    return pack(
        svg('<g stroke="red" stroke-dasharray="%s">%s</g>' % ("0 " * 1000000, '<path d="M0 0H9"/>' * 10000))), 64


def transfer_tables():
    function = '<feFuncR type="table" tableValues="%s"/>' % (" 1" * 1000000)
    return pack(filtered("<feComponentTransfer>%s</feComponentTransfer>" % function, uses=10000)), 64


def sum_of_many_lengths():
    return pack(svg('<style>rect{stroke-width:calc(%s1px)}</style>%s' %
                    ("1px + " * 1000000, '<rect width="9" height="9" stroke="red"/>' * 1000))), 64


def families_of_many_names():
    return pack(svg('<text y="9" font-family="%sx">a</text>' % ("y," * 8000000))), 64


def attributes_of_many_names():
    return pack(svg("<rect %s/>" % " ".join('a%d=""' % i for i in range(400000)))), 64


def namespaces_of_many_names():
    return pack(svg("<g %s/>" % " ".join('xmlns:a%d="u%d"' % (i, i) for i in range(200000)))), 64


def font_of_many_words():
    return pack(svg("<style>*{font:%s 9px x}</style>%s" % ("italic " * 100000, "<text>a</text>" * 1000))), 64


def animations_of_many_frames():
    frames = "".join("%g%%{fill:red}" % (i / 300) for i in range(30000))
    return pack(svg("<style>@keyframes a{%s}*{animation:%s}</style>%s" %
                    (frames, ",".join("a %ds" % i for i in range(1, 99)), "<rect/>" * 1000))), 64


def motions_along_a_long_path():
    motion = '<rect><animateMotion dur="1s"><mpath xlink:href="#p"/></animateMotion></rect>'
    return pack(svg('<path id="p" d="M0 0%s"/>%s' % (path(100000), motion * 3000))), 64


def gradient_of_many_stops():
    return pack(svg('<linearGradient id="l">%s</linearGradient>%s' % (
        '<stop offset=".5"/>' * 300000, '<rect width="9" height="9" fill="url(#l)"/>' * 1000))), 64


def lines_in_all_bands():
    """Narrow columns, whose lines are in each band of a high picture."""
    return pack(svg('<path d="%s"/>' % "".join("M%g 0V100h.001V0z" % (i / 1000) for i in range(100000)))), 4000


def styles_of_many_declarations():
    return pack(svg(('<rect style="%s"/>' % ("fill:red;stroke:blue;" * 1000)) * 3000)), 64


def empty_canvas():
    return svg(""), 16000


def style_of_brackets():
    return pack(svg("<style>%s</style>" % ("(" * 20000000))), 64


def filters_of_their_own():
    """A filter for each of many elements."""
    each = '<filter id="a%d"><feOffset/></filter><rect filter="url(#a%d)" width="9" height="9"/>'
    return pack(svg("".join(each % (i, i) for i in range(160000)))), 64


def curves_across():
    """A path whose lines alone take more than a GB."""
    data = "".join("C%d %d %d %d %d %d" % tuple(i * k % 101 for k in (37, 61, 73, 89, 97, 53)) for i in range(600000))
    return pack(svg('<path fill="none" stroke="red" d="M0 0%s"/>' % data)), 1000


def own_size(side, body):
    """A document that says how large it is."""
    return '%s width="%d" height="%d">%s</svg>' % (HEAD, side, side, body), None


def own_size_beyond_any():
    return own_size(16384, "")


def own_size_of_noise():
    return own_size(5792, '<filter id="f"><feTurbulence baseFrequency=".1" numOctaves="9"/></filter>'
                          '<rect width="100%" height="100%" filter="url(#f)"/>')


def own_size_of_layers():
    layer = '<g style="mix-blend-mode:multiply"><rect width="100%" height="100%" opacity=".9"/>'
    return own_size(5792, layer * 200 + "</g>" * 200)


def own_size_of_one_side():
    """A width is asked for, and the document asks for a height that is 32 times as large."""
    return ('%s viewBox="0 0 1 32"><filter id="f"><feTurbulence/></filter>'
            '<path filter="url(#f)" d="M0 0h1v32H0"/></svg>' % HEAD, (1000, None))


def png_file(width, height, depth, color, interlaced=0, palette=b"", value=0):
    """A PNG file, all of whose bytes are the same."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    row = b"\0" + bytes([value]) * ((width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color] + 7) // 8)
    stream = zlib.compressobj(9)
    data = b"".join(stream.compress(row) for _ in range(height)) + stream.flush()
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))
    return out + (chunk(b"PLTE", palette) if palette else b"") + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def shown(picture, width="100", height="100"):
    url = "data:image/png;base64," + base64.b64encode(picture).decode()
    return '%s width="%s" height="%s"><image width="100%%" height="100%%" xlink:href="%s"/></svg>' % (
        HEAD, width, height, url)


def image_beyond_any():
    return shown(png_file(32767, 32767, 1, 0)), 1000


def image_of_one_bit():
    return shown(png_file(16384, 16384, 1, 0)), 1000


def image_of_one_bit_interlaced():
    return shown(png_file(16384, 16384, 1, 3, 1, b"\xff\0\0" * 2)), 1000


def images_of_one_bit():
    """Each is allowed, not all."""
    pictures = [png_file(6000, 6000 - i, 1, 0) for i in range(30)]
    return pack("%s>%s</svg>" % (HEAD, "".join(
        '<image width="50" height="50" xlink:href="data:image/png;base64,%s"/>' % base64.b64encode(p).decode()
        for p in pictures))), 64


# What must be drawn.

def scan():
    """A page at 600 dpi, of which 1 bit a pixel is known."""
    return shown(png_file(7016, 9933, 1, 0, value=0xf3), "794", "1123"), (1000, None)


def scan_at_its_size():
    return shown(png_file(7016, 9933, 1, 0, value=0xf3), "7016", "9933"), (7016, None)


def scan_of_a_palette():
    return shown(png_file(7016, 9933, 1, 3, palette=b"\0\0\x80\xff\xff\xf0", value=0xf3)), (3000, None)


def many_words():
    """3 MB, which take a part of a second."""
    return pack(svg(
        "".join('<path d="M%d %dh1v1z" fill="#%03x"/>' % (i % 100, i // 800, i % 4096) for i in range(80000)))), 1000


HONEST = [scan, scan_at_its_size, scan_of_a_palette, many_words]


def of_libraries(attack):
    """What has a library allocate very much."""
    def made():
        return pack(svg(attack())), 64
    made.__name__ = attack.__name__
    return made


FILTERS = [filter_blurs_without_end, filter_of_many_primitives, filter_chain_of_merges, filter_kernel_beyond_any,
           filter_morphology_beyond_any, filter_octaves_beyond_any, filter_region_beyond_any, filter_region_of_floats,
           filter_lights_of_many, filters_within_filters, filters_of_many_elements]

ATTACKS = [use_full_canvas, use_strokes, use_zoomed_fills, nested_layers, use_transforms, use_paths, selector_list,
           lines_in_a_layer, round_dashes, large_jpeg, large_progressive_jpeg,
           large_webp, many_images, curves_of_many_lines,
           strokes_of_many_lines, horizontal_lines, gradient_ramps, documents_in_images, bomb, attribute_bomb, patterns,
           masks, markers, passed_by, *FILTERS, *map(turned, FILTERS), filters_nearly_flat,
           text_of_one_syllable, text_of_marks, text_of_vowels, text_of_flags, text_of_brackets, text_of_directions,
           text_along_a_long_path, text_of_many_spans, text_used_often, text_of_many_fonts, dashes_read_often,
           transfer_tables, sum_of_many_lengths, families_of_many_names, attributes_of_many_names,
           namespaces_of_many_names, font_of_many_words, style_of_brackets, filters_of_their_own, curves_across,
           own_size_beyond_any, own_size_of_noise, own_size_of_layers, own_size_of_one_side, image_beyond_any,
           image_of_one_bit, image_of_one_bit_interlaced, images_of_one_bit, *map(of_libraries, bombs.ATTACKS)]

# Their limit of time is a short one, and what they take of the processor stays below it, with one thread.
CLOCKED = [font_of_many_words, animations_of_many_frames, motions_along_a_long_path, gradient_of_many_stops,
           lines_in_all_bands, styles_of_many_declarations, empty_canvas, style_of_brackets]
CLOCK = 0.4


# --- for `stijl match`: a document and a sheet ---

HTML = "<!doctype html>"


def long_selector_list():
    return HTML + "<p class=a>" * 1000, ",".join(".a%d" % i for i in range(900000)) + "{}"


def long_list_within_a_selector():
    return HTML + "<p class=a>" * 1000, ":is(" + ",".join(".a%d" % i for i in range(900000)) + "){}"


def radio_buttons():
    inputs = "".join("<input type=radio name=a%d checked>" % (i % 50000) for i in range(400000))
    return HTML + inputs, ":checked{} :indeterminate{} :default{} :invalid{}"


def equal_keys():
    return HTML + "<p class=a id=b>" * 100, ".a#b{}" * 900000


def attributes_by_default():
    """A DTD gives each element 20,000 attributes."""
    names = " ".join('a%d CDATA "x"' % i for i in range(20000))
    return "<!DOCTYPE a [<!ATTLIST b %s>]><a>%s</a>" % (names, "<b/>" * 10000), "p{}"


def long_condition():
    return HTML, "@media " + "(min-width:1px) and " * 2000000 + "(a){p{}}"


MATCHED = [long_selector_list, long_list_within_a_selector, radio_buttons, equal_keys, attributes_by_default,
           long_condition]


# What 8 MB of HTML are made of, that are to stay below the same memory.
PAGES = ["x y ", "<p>x</p>", "<p>", "<b>x<p>", "<br>", "<p a b c d e f>", "<table>x<b>y", "&lt;<p>", "x<!---->"]


# --- for `stijl compare`: two files ---

def compared_bits():
    return (png_file(16384, 16384, 1, 0),) * 2


def compared_beyond_any():
    return (png_file(32767, 32767, 1, 0),) * 2


def compared_interlaced():
    return (png_file(8000, 8000, 8, 6, 1),) * 2


def compared_without_end():
    return png_file(8, 8, 8, 6), "/dev/zero"


def compared_folder():
    return "/", png_file(8, 8, 8, 6)


COMPARED = [compared_bits, compared_beyond_any, compared_interlaced, compared_without_end, compared_folder]


def what_is_wrong(ended, png):
    if ended.timed_out:
        return "still running after %d s" % ended.seconds
    if ended.status == 0:
        return "" if os.path.exists(png) else "no picture, and no error"
    errors = [line for line in ended.stderr.splitlines() if "warning:" not in line and "note:" not in line]
    if ended.status != 1 or len(errors) != 1:
        return "status %d, %d lines of errors\n%s" % (ended.status, len(errors), ended.stderr[-2000:])
    return ""


def test_clock(t, name, command, inputs, folder):
    """Ends in time, by what it takes of the processor. On a busy machine that is more for the same, so that one of
    three runs has to."""
    for _ in range(3):
        ended = tap.run(command + ["--threads", "1", "--max-seconds", str(CLOCK)], seconds=60, peak=True, cwd=folder)
        why = what_is_wrong(ended, os.path.join(folder, "out.png"))
        # Three hundredths are the command's own patience; the rest is for its beginning and end. Without huge pages
        # the kernel takes up to 0.08 s to take back the 500 MB that empty_canvas has touched by then.
        end = 0.05 + 0.16 * ended.peak_bytes / 1e9
        late = not why and ended.processor > CLOCK * 1.1 + end and not tap.SANITIZED
        if not late:
            break
        why = "%.2f s of the processor" % ended.processor
    t.test("%s with a clock of %g s: %.2f s, processor %.2f s" % (name, CLOCK, ended.seconds, ended.processor),
           not why, why)
    for file in inputs:
        os.remove(os.path.join(folder, file))


def test_clocks(t, command, only, folder):
    for attack in CLOCKED:
        if only in attack.__name__:
            data, width = attack()
            with open(os.path.join(folder, "in.svg"), "wb") as out:
                out.write(data if isinstance(data, bytes) else data.encode())
            test_clock(t, attack.__name__,
                       [command, "render", "in.svg", "-w", str(width), "-h", str(width), "-o", "out.png"],
                       ["in.svg"], folder)
    for attack in MATCHED:
        if only in attack.__name__:
            document, sheet = attack()
            source = "in.html" if document.startswith(HTML) else "in.xml"
            for name, text in ((source, document), ("in.css", sheet)):
                with open(os.path.join(folder, name), "w") as out:
                    out.write(text)
            open(os.path.join(folder, "out.png"), "w").close()  # an answer is as good as a picture
            test_clock(t, attack.__name__, [command, "match", source, "in.css"], [source, "in.css"], folder)


def test_compared(t, command, only, folder):
    for attack in COMPARED:
        if only not in attack.__name__:
            continue
        names = []
        for i, data in enumerate(attack()):
            names.append(data if isinstance(data, str) else os.path.join(folder, "%d.png" % i))
            if not isinstance(data, str):
                with open(names[i], "wb") as out:
                    out.write(data)
        ended = tap.run([command, "compare"] + names, seconds=10 * SECONDS, peak=True)
        errors = [line for line in ended.stderr.splitlines() if "warning:" not in line]
        good = not ended.timed_out and (ended.status == 0 and not errors or ended.status == 2 and len(errors) == 1)
        good = good and (tap.SANITIZED or ended.peak_bytes <= BYTES and ended.processor <= SECONDS)
        t.test("%s: processor %.2f s, %d MiB %s" % (attack.__name__, ended.processor, ended.peak_bytes >> 20,
                                                    "".join(errors[-1:])[-90:]), good, "status %d\n%s" %
               (ended.status, ended.stderr[-2000:]))


def test_pages(t, command, folder):
    page, sheet, png = (os.path.join(folder, name) for name in ("in.html", "in.css", "out.png"))
    open(png, "w").close()
    with open(sheet, "w") as out:
        out.write("p, .a, #b {} p + p {} [a] {}")
    for part in PAGES:
        with open(page, "w") as out:
            out.write(HTML + part * ((8 << 20) // len(part)))
        ended = tap.run([command, "match", page, sheet], seconds=4 * SECONDS, peak=True)
        why = what_is_wrong(ended, png)
        if not why and (ended.peak_bytes > BYTES or ended.processor > SECONDS):
            why = "%d MiB of memory, %.2f s of the processor" % (ended.peak_bytes >> 20, ended.processor)
        t.test("8 MB of %s: %.2f s, %d MiB" % (part, ended.seconds, ended.peak_bytes >> 20), not why, why)


def size(width):
    """The options for a size: one side of a square, (width, height) or None for the document's own."""
    width, height = width if isinstance(width, tuple) else (width, width)
    return (["-w", str(width)] if width else []) + (["-h", str(height)] if height else [])


def main():
    full = "--full" in sys.argv
    command, only = [a for a in sys.argv[1:] + [""] if a != "--full"][:2]
    limits = [] if full else ["--max-seconds", "0.5", "--max-memory", str(128 << 20)]
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        for attack in ATTACKS + HONEST:
            name, honest = attack.__name__, attack in HONEST
            if only not in name or (honest and tap.SANITIZED):
                continue
            data, width = attack()
            file, png = os.path.join(folder, name + ".svg"), os.path.join(folder, name + ".png")
            with open(file, "wb") as out:
                out.write(data if isinstance(data, bytes) else data.encode())
            # A machine that is busy gives a process little of the processor, which is what counts.
            ended = tap.run([command, "render", file, "-o", png] + size(width) + (["--strict"] if honest else limits),
                            seconds=10 * SECONDS, peak=True)
            why = what_is_wrong(ended, png) or (ended.stderr if honest and ended.status else "")
            if not why and ended.processor > SECONDS and not tap.SANITIZED:
                why = "%.2f s of the processor" % ended.processor
            if not why and ended.peak_bytes > BYTES and not tap.SANITIZED:
                why = "%d MiB of memory" % (ended.peak_bytes >> 20)
            said = ended.stderr.strip().splitlines()[-1:] or [""]
            t.test("%s: %d bytes, processor %.2f s, %d MiB %s" % (name, os.path.getsize(file), ended.processor,
                                                                  ended.peak_bytes >> 20, said[0][-110:]), not why, why)
        test_compared(t, command, only, folder)
        test_clocks(t, os.path.abspath(command), only, folder)
        if full and not only and not tap.SANITIZED:
            test_pages(t, command, folder)
    t.finish()


if __name__ == "__main__":
    main()

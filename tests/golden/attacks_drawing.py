"""Attacks on what is drawn: references, text, filters, gradients, strokes, geometry."""
from attacks_documents import RECT, chain
from hostile import filtered, nested, pack, path, svg, text

WHOLE = '<rect width="100" height="100"/>'
MARK = '<rect width="1" height="1"/>'


def levels(count, element, attributes, inner, last=""):
    """Definitions each of which shows the one before: `inner` has %(i)d for its number."""
    return "".join('<%s id="a%d" %s>%s</%s>' % (element, i + 1, attributes, inner % {"i": i}, element)
                   for i in range(count)) + last % {"i": count}


def stroked(data, attributes, times=1):
    return pack(svg('<path fill="none" stroke="red" %s d="%s"/>' % (attributes, data) * times))


REFERENCES = {
    "use_of_itself": ("use within what it uses", lambda: svg('<g id="a"><use href="#a"/><use href="#a"/></g>' * 99)),
    "use_of_the_root": ("use of the document itself", lambda: svg('<use href="#r"/>' * 30).replace("<svg", '<svg id="r"', 1)),
    "use_ring": ("rings of several", lambda: svg("".join(
        '<g id="a%d">%s</g>' % (i, "".join('<use href="#a%d"/>' % k for k in range(20))) for i in range(20)))),
    "use_chain": ("a chain of 100,000", lambda: pack(svg(chain(100000, '<use id="a%(i)d" href="#a%(next)d"/>', '<g id="a100000"/>')))),
    "use_elsewhere": ("files that are not there", lambda: pack(svg("".join('<use href="f%d.svg#a"/>' % i for i in range(50000))))),
    "use_of_this_file": ("the file itself, from outside", lambda: svg('<use href="in.svg#a"/><g id="a"><use href="in.svg#a"/></g>' * 9)),
    "symbols": ("symbols with a viewBox each, in one another", lambda: svg(levels(
        12, "symbol", 'viewBox="0 0 9 9"', '<use href="#a%(i)d" width="5"/>' * 4, '<use href="#a%(i)d"/>') + '<rect id="a0" width="1" height="1"/>')),
    "markers_in_markers": ("each vertex shows a marker of vertices", lambda: svg(levels(
        9, "marker", 'overflow="visible"', '<path d="M0 0%s" marker-mid="url(#a%%(i)d)"/>' % path(30),
        '<path d="M0 0%s" marker-mid="url(#a%%(i)d)"/>' % path(30)))),
    "markers_of_all_kinds": ("start, mid and end at each of a million points", lambda: pack(svg(
        '<marker id="m"><path d="M0 0h1v1"/></marker><path marker="url(#m)" style="marker:url(#m)" d="%s"/>' % ("M1 1h1v1z" * 100000)))),
    "marker_of_itself": ("a marker on its own path", lambda: svg('<marker id="m"><path d="M0 0h1v1" style="marker:url(#m)"/></marker>'
                                                                '<path d="M0 0h9v9" style="marker:url(#m)"/>' * 99)),
    "marker_of_text": ("text at each vertex", lambda: svg('<marker id="m"><text>abcdef</text></marker><path d="M0 0%s" '
                                                         'style="marker:url(#m)"/>' % path(20000))),
    "marker_of_pattern": ("a marker filled with a pattern that has markers", lambda: svg(
        '<pattern id="p" width=".1" height=".1"><path d="M0 0h9v9" style="marker:url(#m)"/></pattern>'
        '<marker id="m"><rect width="9" height="9" fill="url(#p)"/></marker><path d="M0 0%s" style="marker:url(#m)"/>' % path(2000))),
    "patterns_tiny": ("tiles of 1e-6", lambda: svg('<pattern id="p" width="1e-6" height="1e-6">%s</pattern><rect fill="url(#p)" '
                                                  'width="100" height="100"/>' % MARK * 99)),
    "patterns_huge": ("tiles of 1e9", lambda: svg('<pattern id="p" width="1e9" height="1e9" patternUnits="userSpaceOnUse"><circle r="1e9"/>'
                                                 '</pattern>' + '<rect fill="url(#p)" width="100" height="100"/>' * 999)),
    "patterns_skewed": ("of no area", lambda: svg('<pattern id="p" width="1" height="1" patternUnits="userSpaceOnUse" '
                                                 'patternTransform="skewX(89.99999) scale(1e-5)">%s</pattern>' % MARK +
                                                 '<rect fill="url(#p)" width="100" height="100"/>' * 999)),
    "pattern_overflow": ("content far beyond its tile", lambda: svg('<pattern id="p" overflow="visible" width=".001" height=".001"><circle r="99"/>'
                                                                   '</pattern><rect fill="url(#p)" width="100" height="100"/>')),
    "pattern_hrefs": ("a chain of templates", lambda: pack(svg(chain(50000, '<pattern id="a%(i)d" href="#a%(next)d"/>') +
                                                              '<rect fill="url(#a0)" width="9" height="9"/>' * 99))),
    "pattern_of_itself": ("filled with itself", lambda: svg('<pattern id="p" width=".5" height=".5"><rect fill="url(#p)" stroke="url(#p)" '
                                                           'width="9" height="9"/></pattern><rect fill="url(#p)" width="99" height="99"/>' * 50)),
    "pattern_for_each_box": ("one pattern, 50,000 boxes", lambda: pack(svg(
        '<pattern id="p" width=".1" height=".1"><path d="M0 0%s"/></pattern>' % path(100) +
        "".join('<rect fill="url(#p)" width="%d" height="9"/>' % (i % 977 + 1) for i in range(50000))))),
    "pattern_text": ("text in tiles in tiles", lambda: svg(levels(
        7, "pattern", 'width=".3" height=".3"', '<text fill="url(#a%(i)d)" y="9">abc</text>' * 3, '<text fill="url(#a%(i)d)" y="50">abc</text>'))),
    "clips_in_clips": ("clip paths of clip paths", lambda: svg(levels(
        25, "clipPath", 'clip-path="url(#b)"', '<rect width="9" height="9" clip-path="url(#a%(i)d)"/>' * 2,
        '<rect width="99" height="99" clip-path="url(#a%(i)d)"/>'))),
    "clip_chain": ("a chain of 50,000", lambda: pack(svg(chain(
        50000, '<clipPath id="a%(i)d" clip-path="url(#a%(next)d)">' + WHOLE + "</clipPath>") + '<g clip-path="url(#a0)">%s</g>' % WHOLE))),
    "clip_of_many": ("a clip path of 100,000 shapes, for each of 1000", lambda: pack(svg(
        '<clipPath id="c">%s</clipPath>' % ('<rect width="50" height="90"/>' * 20000) + '<rect width="99" height="99" clip-path="url(#c)"/>' * 1000))),
    "clip_of_text": ("text that clips, often", lambda: pack(svg(
        '<clipPath id="c"><text y="50">%s</text></clipPath>' % ("abc " * 2000) + '<rect width="99" height="99" clip-path="url(#c)"/>' * 2000))),
    "clip_boxes": ("objectBoundingBox for each of 100,000", lambda: pack(svg(
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle r="1"/></clipPath>' +
        "".join('<rect width="%d" height="9" clip-path="url(#c)"/>' % (i % 997 + 1) for i in range(60000))))),
    "clip_shapes": ("polygon() of 10^5 points, for each", lambda: pack(svg(
        "<style>rect{clip-path:polygon(%s)}</style>" % ",".join("%dpx %dpx" % (i % 97, i % 89) for i in range(50000)) + WHOLE * 500))),
    "mask_of_itself": ("a mask on itself", lambda: svg('<mask id="m" mask="url(#m)"><g mask="url(#m)">%s</g></mask>' % WHOLE + '<g mask="url(#m)">%s</g>' % WHOLE * 99)),
    "mask_chain": ("a chain of masks", lambda: pack(svg(chain(20000, '<mask id="a%(i)d" mask="url(#a%(next)d)">' + WHOLE + "</mask>") +
                                                       '<g mask="url(#a0)">%s</g>' % WHOLE))),
    "mask_doubles": ("each mask twice", lambda: svg(levels(
        20, "mask", "", '<rect width="100" height="100" fill="#fff" mask="url(#a%(i)d)"/>' * 2, '<g mask="url(#a%(i)d)">' + WHOLE + "</g>"))),
    "mask_of_each": ("50,000 elements with a mask", lambda: pack(svg('<mask id="m"><circle r="99" fill="#fff"/></mask>' +
                                                                    '<rect width="100" height="100" mask="url(#m)"/>' * 50000))),
    "mask_of_pattern_of_clip": ("kinds in turn", lambda: svg("".join(
        '<pattern id="p%(n)d" width=".5" height=".5"><rect width="50" height="50" mask="url(#m%(i)d)"/><rect width="50" height="40" mask="url(#m%(i)d)"/></pattern>'
        '<clipPath id="c%(n)d"><text>ab</text></clipPath><mask id="m%(n)d"><rect width="99" height="99" fill="url(#p%(n)d)" clip-path="url(#c%(n)d)"/>'
        '<rect width="99" height="99" stroke="url(#p%(n)d)" fill="#fff"/></mask>' % {"i": i, "n": i + 1} for i in range(12)) +
        '<rect width="99" height="99" mask="url(#m12)"/>')),
    "opacity_each": ("a layer for each of 200,000", lambda: pack(svg('<g opacity=".5"><rect width="100" height="100"/><circle r="9"/></g>' * 50000))),
    "blend_all": ("mix-blend-mode on whole pictures", lambda: pack(svg("".join(
        '<rect width="100" height="100" style="mix-blend-mode:%s" fill="#%03x"/>' % (m, i) for i in range(300)
        for m in ("color", "hue", "luminosity", "soft-light"))))),
    "isolation": ("250 isolated groups, each with 200 siblings", lambda: pack(svg(
        ('<g style="isolation:isolate;mix-blend-mode:screen">' + '<circle cx="50" cy="50" r="50" opacity=".1"/>' * 100) * 240 + "</g>" * 240))),
    "switch_of_uses": ("switch within use within switch", lambda: svg(nested('<switch><g systemLanguage="xx"/>%s</switch>' % MARK, 9, 4))),
    "links": ("a within a", lambda: pack(svg(("<a href='x'>" * 240 + MARK + "</a>" * 240) * 300))),
    "views": ("views, metadata, scripts, foreignObject", lambda: pack(svg(
        '<view/><metadata><a/></metadata><script>//</script><foreignObject width="9" height="9"><b/></foreignObject><desc/>' * 60000))),
    "context_paint": ("context-fill through markers of markers", lambda: svg(levels(
        6, "marker", 'overflow="visible"', '<path fill="context-stroke" stroke="context-fill" d="M0 0h1v1h1v1h1" style="marker:url(#a%(i)d)"/>',
        '<path stroke="red" d="M0 0%s" style="marker:url(#a%%(i)d)"/>' % path(50)))),
    "vector_effects": ("non-scaling strokes under many transforms", lambda: svg(nested(
        '<path d="M0 0%s" stroke="red" vector-effect="non-scaling-stroke" transform="scale(1e-9 1e9)"/>' % path(300), 6, 4))),
    "sizes_of_windows": ("vw and vh in each, so that all is made anew", lambda: pack(svg('<rect width="50vw" height="1vmin" rx="1vmax"/>' * 100000))),
}


def words(count, content="abc "):
    return content * count


def texts(attributes, content="abcdef", times=2000, head=""):
    return pack(svg(head + '<text y="50" font-size="9" %s>%s</text>' % (attributes, content) * times))


TEXT = {
    "long_word": ("one word of 10^6 letters", lambda: text("a" * 1000000)),
    "lists": ("x, dx, dy, rotate of 50,000 for as many letters", lambda: text("a" * 50000, "", " ".join(
        '%s="%s"' % (n, "1 " * 50000) for n in ("x", "dx", "dy", "rotate")))),
    "lists_nested": ("lists at 200 levels", lambda: text(('<tspan dx="%s">' % ("1 " * 2000)) * 200 + "a" * 3000 + "</tspan>" * 200)),
    "spans_deep": ("spans 240 deep, often", lambda: text(("<tspan>" * 240 + "a" + "</tspan>" * 240) * 300)),
    "chunks": ("a chunk for each letter", lambda: text('<tspan x="1" y="9">a</tspan>' * 50000)),
    "isolates": ("125 embeddings, again and again", lambda: text(("\u2067" * 130 + "a\u05d0" + "\u2069" * 130) * 2000)),
    "embeddings": ("overrides that do not end", lambda: text("\u202e\u202d" * 100000 + "a")),
    "brackets_of_pairs": ("pairs of brackets of two directions", lambda: text("(\u05d0[a" * 30000 + "])" * 30000)),
    "unicode_bidi": ("bidi-override on each span", lambda: text('<tspan unicode-bidi="bidi-override" direction="rtl">a<tspan direction="ltr" '
                                                               'unicode-bidi="isolate">b</tspan></tspan>' * 20000)),
    "scripts": ("a script for each letter", lambda: text("a\u05d0\u0628\u0905\u3042\uac00\u0e01\u1200\u13a0" * 10000)),
    "private": ("characters that no font has", lambda: text("".join(chr(0xe000 + i % 6000) for i in range(100000)))),
    "planes": ("all planes, so each font is asked", lambda: text("".join(chr(0x10000 + i * 7) for i in range(60000)))),
    "not_characters": ("what is no character", lambda: text("\ufffd\ufdd0\ufffc\u2028\u2029\x85" * 50000)),
    "joiners": ("emoji joined without end", lambda: text("\U0001f468\u200d" * 50000)),
    "modifiers": ("skin tones in a row", lambda: text("\U0001f3fb" * 100000)),
    "selectors": ("variation selectors", lambda: text("a" + "\ufe0f\U000e0100" * 100000)),
    "tags": ("tags of flags", lambda: text("\U0001f3f4" + "\U000e0061" * 100000)),
    "hangul": ("jamo that compose", lambda: text("\u1100\u1161\u11a8" * 60000 + "\u1161" * 60000)),
    "arabic": ("letters that join", lambda: text("\u0628\u064e\u0651" * 60000)),
    "mongolian": ("Mongolian with its selectors", lambda: text("\u1820\u180b" * 60000)),
    "devanagari": ("viramas and reph", lambda: text("\u0930\u094d\u0915\u094d" * 50000)),
    "tibetan": ("stacks", lambda: text("\u0f40" + "\u0f90" * 60000 + "\u0f71" * 60000)),
    "myanmar": ("syllables without end", lambda: text("\u1000\u1039" * 60000)),
    "universal": ("Javanese, by the universal engine", lambda: text("\ua9a4\ua9c0" * 60000)),
    "soft_hyphens": ("characters of no width", lambda: text("\u00ad\u200b\u200c\u2060" * 100000)),
    "spacing": ("letter-spacing of 1e38", lambda: texts('letter-spacing="1e38" word-spacing="-1e38"', "a b c", 5000)),
    "length": ("textLength of 1e30 on each span", lambda: text('<tspan textLength="1e30" lengthAdjust="spacingAndGlyphs">ab</tspan>' * 30000)),
    "length_nested": ("textLength in textLength", lambda: text('<tspan textLength="9">' * 200 + "abc" * 3000 + "</tspan>" * 200)),
    "shadows": ("text-shadow x 1000", lambda: texts("style='text-shadow:%s'" % ",".join(["1px 1px 9px red"] * 1000), "ab", 9)),
    "shadows_far": ("shadows of a radius of 1e9", lambda: texts("style='text-shadow:%s'" % ",".join(["1e9px 1e9px 1e9px red"] * 99), "ab", 99)),
    "shadows_of_letters": ("a shadow for each of 20,000 spans", lambda: text(
        "<tspan style='text-shadow:1px 1px 5px red'>a</tspan>" * 20000)),
    "transform_grows": ("letters that become three", lambda: text("\ufb03\u0390\u00df" * 100000, "", 'style="text-transform:uppercase"')),
    "transform_full_width": ("full-width and full-size-kana", lambda: text("a\u3041" * 100000, "", 'style="text-transform:full-width full-size-kana"')),
    "small_caps": ("small caps, letter by letter", lambda: text("aB" * 60000, "", 'style="font-variant:all-small-caps"')),
    "decorations": ("all lines on each span, wavy", lambda: text(
        "<tspan style='text-decoration:underline overline line-through wavy red 1e-6px'>ab</tspan>" * 20000)),
    "decorations_nested": ("decorations at 200 levels", lambda: text(
        "<tspan style='text-decoration:underline'>" * 200 + "ab" * 5000 + "</tspan>" * 200)),
    "baselines": ("baseline-shift at 240 levels", lambda: text(("<tspan baseline-shift='super' font-size='200%'>" * 240 + "ab" + "</tspan>" * 240) * 30)),
    "sizes": ("a font-size for each letter", lambda: text("".join("<tspan font-size='%g'>a</tspan>" % (i / 999) for i in range(30000)))),
    "size_huge": ("font-size 1e30", lambda: texts('font-size="1e30" stroke="red"', "abc", 3000)),
    "size_tiny": ("font-size 1e-30", lambda: texts('font-size="1e-30" stroke="red" transform="scale(1e30)"', "abc", 3000)),
    "size_scaled": ("glyphs of a million pixels, stroked", lambda: texts('transform="scale(1e5)" stroke="red" stroke-dasharray="1e-4"', "@&amp;", 300)),
    "stroked": ("100,000 letters, stroked with dashes", lambda: text("abg" * 30000, "", 'fill="none" stroke="red" stroke-width=".1" stroke-dasharray=".05"')),
    "pattern_of_each": ("letters with a paint of their own box", lambda: texts('fill="url(#g)"', "abc", 20000,
                                                                             '<linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient>')),
    "families": ("font-family of 10^5 names, each text another", lambda: pack(svg("".join(
        '<text y="9" font-family="%s">a</text>' % ",".join("f%d_%d" % (k, i) for i in range(500)) for k in range(300))))),
    "families_of_system": ("weights and styles of all kinds", lambda: pack(svg("".join(
        '<text y="9" font-weight="%d" font-stretch="%d%%" font-style="oblique %ddeg">a</text>' % (i % 999 + 1, i % 150 + 50, i % 90)
        for i in range(15000))))),
    "features": ("font-feature-settings of 10^5", lambda: texts("style='font-feature-settings:%s'" % ",".join('"a%03d"' % (i % 1000) for i in range(50000)), "ab", 50)),
    "variations": ("font-variation-settings of 10^5", lambda: texts("style='font-variation-settings:%s'" % ",".join('"a%03d" 9' % (i % 1000) for i in range(50000)), "ab", 50)),
    "inline_size": ("lines of no width", lambda: text(words(30000), "", 'style="inline-size:1e-9px"')),
    "inline_size_words": ("10^5 words in lines", lambda: text(words(60000, "a "), "", 'style="inline-size:90px"')),
    "inline_size_breaks": ("break-all of one word", lambda: text("\u4e00\u300d" * 60000, "", 'style="inline-size:20px;word-break:break-all;line-break:anywhere"')),
    "shape_inside": ("shape-inside of a long polygon", lambda: text(words(9000), "", "style='shape-inside:polygon(%s)'" % ",".join("%dpx %dpx" % (i % 97, i % 89) for i in range(30000)))),
    "areas_fine": ("a million lines of an area and what is not of it", lambda: text(words(9000), "".join(
        '<path id="%s" fill="none" d="M0 0%s"/>' % (i, "".join("l%d %d" % (k % 9 - 4, k % 7 - 3) for k in range(400000))) for i in "ab"),
        'style="shape-inside:url(#a);shape-subtract:url(#b);shape-padding:1px;shape-margin:1e3px"')),
    "areas_many": ("10^4 areas, each without another", lambda: text(words(9000), "", "style='shape-inside:%s;shape-subtract:%s'" % (
        "circle(9px at 9px 9px)" * 10000, "circle(5px at 0 0)" * 10000))),
    "areas_flat": ("lines without a height in an area without an end", lambda: text(words(30000), '<path id="a" fill="none" d="M0 0h1v1e9h9v9h-10z"/>',
                                                                                    'style="shape-inside:url(#a);line-height:0"')),
    "areas_narrow": ("no word fits into any of 10^9 lines", lambda: text(words(30000), '<path id="a" fill="none" d="M0 0h1v1e9h-1z"/>',
                                                                        'style="shape-inside:url(#a);line-height:1px"')),
    "areas_far": ("areas and distances beyond all numbers", lambda: text(words(30000), '<circle id="a" fill="none" r="1e38"/><path id="b" d="M0 0h1e9v1e-9z"/>',
                                                                       'style="shape-inside:url(#a) url(#b);shape-padding:1e38px;line-height:1e30;font-size:1e-30px"')),
    "areas_sizes": ("each word of a line is larger than the one before", lambda: text("".join(
        "<tspan font-size='%g'>a </tspan>" % (9 + i / 999) for i in range(9000)), "", 'style="shape-inside:circle(1e5px at 0 0)"')),
    "ellipses": ("each of 10^5 letters is a line that is cut off", lambda: text("".join("<tspan style='white-space:pre'>ab\n</tspan>" for i in range(30000)),
                                                                           "", 'style="inline-size:1e-9px;text-overflow:ellipsis"')),
    "ellipsis_long": ("10^5 letters are one line", lambda: text("<tspan>a</tspan>b" * 30000, "", 'style="inline-size:1e6px;white-space:nowrap;text-overflow:ellipsis"')),
    "emphasis": ("a mark over each of 60,000 letters of as many elements", lambda: text("<tspan style='text-emphasis:\"x\" red'>a</tspan>b" * 30000)),
    "flowed": ("paragraphs of flowed text", lambda: pack(svg('<flowRoot><flowRegion>%s</flowRegion>%s</flowRoot>' % (
        '<rect width="99" height="9"/><use href="#x"/>' * 5000, "<flowPara>a <flowSpan>b</flowSpan></flowPara>" * 20000)))),
    "vertical": ("writing-mode, upright", lambda: text("a\u3042" * 50000, "", 'style="writing-mode:vertical-rl;text-orientation:upright"')),
    "path_closed": ("text around a closed path, from 1e30", lambda: text('<textPath href="#p" startOffset="1e30">%s</textPath>' % ("abc" * 20000), '<path id="p" d="M0 0h9v9z"/>')),
    "path_curves": ("text on curves of many lines", lambda: text('<textPath href="#p">%s</textPath>' % ("abc" * 20000),
                                                                '<path id="p" fill="none" d="M0 0%s"/>' % ("c1e6 0-1e6 90 9 9" * 3000))),
    "path_each": ("a path for each letter", lambda: text('<textPath href="#p">a</textPath>' * 30000, '<path id="p" fill="none" d="M0 0%s"/>' % path(300))),
    "path_attribute": ("path data in textPath itself", lambda: text(('<textPath path="M0 0%s">abc</textPath>' % path(3000)) * 300)),
    "tref": ("tref, altGlyph and links in text", lambda: text('<tref href="#t"/><altGlyph href="#g">a</altGlyph><a href="x">b</a>' * 30000)),
    "preserve": ("white-space: pre of newlines", lambda: text("\n\t " * 100000, "", 'style="white-space:pre;inline-size:9px"')),
    "anchors": ("text-anchor in chunks of two directions", lambda: text("<tspan x='9' text-anchor='middle' direction='rtl'>a\u05d0</tspan>" * 20000)),
}


def filter_in(units, primitives):
    return filtered(primitives, region=units)


BIG = 'x="-500" y="-500" width="9999" height="9999" filterUnits="userSpaceOnUse"'

FILTERS = {
    "tiles_tiny": ("feTile of a tile of 1e-6", lambda: filtered('<feFlood x="0" y="0" width="1e-6" height="1e-6"/><feTile/>' * 99)),
    "tiles_in_tiles": ("tiles of tiles, turned", lambda: svg('<filter id="f"><feOffset x="20" y="20" width="1.3" height="1.7"/>%s</filter><g transform="rotate(9)">'
                                                           '<rect width="90" height="90" filter="url(#f)"/></g>' % ("<feTile/>" * 500))),
    "image_of_itself": ("feImage of the element that is filtered", lambda: svg('<filter id="f"><feImage href="#r"/><feImage href="#g"/></filter><g id="g">'
                                                                              '<rect id="r" width="90" height="90" filter="url(#f)"/></g>' * 30)),
    "images_double": ("feImage of what has two feImages", lambda: svg("".join(
        '<filter id="f%(n)d"><feImage href="#a%(i)d"/><feImage href="#a%(i)d" result="x"/><feMerge><feMergeNode in="x"/><feMergeNode/></feMerge></filter>'
        '<rect id="a%(n)d" width="99" height="99" filter="url(#f%(n)d)"/>' % {"i": i, "n": i + 1} for i in range(25)) + '<use href="#a25"/>')),
    "image_missing": ("50,000 images that are not there", lambda: pack(filtered("".join('<feImage href="x%d.png"/>' % i for i in range(20000))))),
    "convolve_many": ("kernels of 100 x 100, 100 times", lambda: (pack(filtered(
        '<feConvolveMatrix order="100" kernelMatrix="%s"/>' % ("1 " * 10000) * 100)), 900)),
    "convolve_extreme": ("weights of 1e38, divisors of 1e-38", lambda: filtered(
        '<feConvolveMatrix order="3" kernelMatrix="1e38 -1e38 1e38 1e-45 0 0 0 0 1" divisor="1e-38" bias="1e38" targetX="2147483647"/>' * 99)),
    "convolve_units": ("kernelUnitLength of 1e-9", lambda: filtered('<feConvolveMatrix kernelUnitLength="1e-9" kernelMatrix="1 1 1 1 1 1 1 1 1"/>' * 99)),
    "lights_units": ("lights with kernelUnitLength", lambda: filtered('<feDiffuseLighting kernelUnitLength="1e-9 1e9"><feDistantLight azimuth="1e38"/>'
                                                                     '</feDiffuseLighting>' * 99)),
    "lights_children": ("100,000 lights in one primitive", lambda: pack(filtered("<feDiffuseLighting>%s</feDiffuseLighting>" % ("<fePointLight/>" * 100000)))),
    "displacement": ("displacement by noise, 500 times", lambda: filtered('<feTurbulence result="n"/><feDisplacementMap in="SourceGraphic" in2="n" scale="1e9"/>' * 200), ),
    "turbulence_many": ("noise of 12 octaves, 300 times", lambda: (filtered('<feTurbulence baseFrequency=".5" numOctaves="12"/>' * 300), 1500)),
    "turbulence_seeds": ("seeds beyond 32 bits", lambda: filtered("".join('<feTurbulence seed="%s" baseFrequency="1e38 1e-38"/>' % s for s in ("-1e38", "1e38", "-2147483648", "nan")) * 50)),
    "merges_wide": ("a merge of 50,000", lambda: pack(filtered("<feMerge>%s</feMerge>" % ('<feMergeNode in="SourceGraphic"/>' * 50000)))),
    "names": ("results of one name, read by all", lambda: pack(filtered('<feOffset result="a" in="a" dx="1"/>' * 30000))),
    "names_long": ("results of names of 10 KB", lambda: pack(filtered("".join('<feOffset result="%s%d" in="%s%d"/>' % ("a" * 10000, i, "a" * 10000, i - 1) for i in range(2000))))),
    "functions": ("drop-shadow() x 2000", lambda: svg('<rect width="50" height="50" style="filter:%s"/>' % ("drop-shadow(1px 1px 1px red) " * 2000))),
    "functions_each": ("blur() on 10,000 elements at 10,000 places", lambda: pack(svg("".join(
        '<rect x="%g" width="50" height="50" style="filter:blur(%gpx)"/>' % (i / 99, 1 + i / 999) for i in range(10000))))),
    "functions_url": ("url() of a filter 1000 times", lambda: svg('<filter id="a">%s</filter><rect width="50" height="50" style="filter:%s"/>' % (
        '<feGaussianBlur stdDeviation="3"/>' * 50, "url(#a) " * 1000))),
    "chain_of_hrefs": ("filters that inherit from one another", lambda: pack(svg(chain(50000, '<filter id="a%(i)d" href="#a%(next)d"/>') + '<rect width="9" height="9" filter="url(#a0)"/>' * 99))),
    "nested_groups": ("filters on 240 groups in one another", lambda: svg('<filter id="f"><feGaussianBlur stdDeviation="5"/></filter>' +
                                                                         ('<g filter="url(#f)">' + WHOLE) * 240 + "</g>" * 240)),
    "backdrops": ("BackgroundImage at each of 200 levels", lambda: svg('<filter id="f"><feBlend in2="BackgroundImage" mode="multiply"/></filter>' +
                                                                     ('<g enable-background="new" filter="url(#f)">' + WHOLE) * 200 + "</g>" * 200)),
    "backdrop_filters": ("backdrop-filter on 5000", lambda: pack(svg('<rect width="90" height="90" fill="#f008" style="backdrop-filter:blur(9px)"/>' * 5000))),
    "text": ("a filter on each of 5000 texts", lambda: texts('filter="url(#f)"', "abc", 5000, '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>')),
    "large_regions": ("many surfaces of 10,000 a side", lambda: (filtered("".join(
        '<feTurbulence result="t%d"/>' % i for i in range(50)) + "<feMerge>%s</feMerge>" % "".join('<feMergeNode in="t%d"/>' % i for i in range(50)), region=BIG), 3000)),
    "paints": ("FillPaint and StrokePaint of patterns", lambda: svg('<pattern id="p" width=".1" height=".1">%s</pattern><filter id="f">%s</filter>' % (
        MARK, '<feOffset in="FillPaint"/><feBlend in2="StrokePaint"/>' * 200) + '<rect width="90" height="90" fill="url(#p)" stroke="url(#p)" filter="url(#f)"/>' * 50)),
    "color_matrix": ("values of 10^6", lambda: pack(filtered('<feColorMatrix values="%s"/>' % ("1 " * 1000000) * 9))),
    "composites": ("arithmetic of 1e38", lambda: filtered('<feComposite operator="arithmetic" in2="SourceGraphic" k1="1e38" k2="-1e38" k3="1e38" k4="1e38"/>' * 999)),
    "in_patterns": ("a filter in a pattern in a filter", lambda: svg("".join(
        '<filter id="f%(n)d"><feGaussianBlur stdDeviation="2"/></filter><pattern id="p%(n)d" width=".5" height=".5"><g filter="url(#f%(n)d)">'
        '<rect width="50" height="50" fill="url(#p%(i)d)"/><rect width="40" height="50" fill="url(#p%(i)d)"/></g></pattern>' % {"i": i, "n": i + 1}
        for i in range(14)) + '<rect width="99" height="99" fill="url(#p14)"/>')),
}

STOPS = '<stop stop-color="red"/><stop offset="1"/>'

PAINTS = {
    "stops": ("10^6 stops of falling offsets", lambda: pack(svg('<linearGradient id="g">%s</linearGradient><rect fill="url(#g)" width="99" height="99"/>' % (
        '<stop offset=".9" stop-color="#123"/><stop offset="0"/>' * 150000)))),
    "stops_many_gradients": ("10,000 gradients of 99 stops", lambda: pack(svg("".join(
        '<linearGradient id="g%d">%s</linearGradient><rect fill="url(#g%d)" width="99" height="99"/>' % (
            i, "".join('<stop offset="%g" stop-color="#%03x"/>' % (k / 99, (i + k) % 4096) for k in range(60)), i) for i in range(5000))))),
    "hrefs": ("a chain of 50,000, from each end", lambda: pack(svg(chain(50000, '<linearGradient id="a%(i)d" href="#a%(next)d"/>') + "".join(
        '<rect fill="url(#a%d)" width="9" height="9"/>' % i for i in range(0, 50000, 50))))),
    "hrefs_ring": ("a ring", lambda: svg('<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/>' + '<rect fill="url(#a)" width="9" height="9"/>' * 999)),
    "focus": ("a focus on the circle, repeated", lambda: (svg('<radialGradient id="g" fx="1" fy=".5" r=".5" spreadMethod="repeat">%s</radialGradient>' % STOPS +
                                                            '<rect fill="url(#g)" width="100" height="100"/>' * 60), 1500)),
    "tiny": ("a gradient of 1e-38, reflected", lambda: (svg('<linearGradient id="g" x2="1e-38" spreadMethod="reflect">%s</linearGradient>'
                                                          '<radialGradient id="h" r="1e-38" spreadMethod="repeat">%s</radialGradient>' % (STOPS, STOPS) +
                                                          '<rect fill="url(#g)" stroke="url(#h)" width="100" height="100"/>' * 60), 1500)),
    "transforms": ("gradientTransform that is nearly singular", lambda: svg("".join(
        '<linearGradient id="g%d" gradientTransform="matrix(1 1 1 %.9g 1e30 -1e30)">%s</linearGradient><rect fill="url(#g%d)" width="99" height="99"/>' % (
            i, 1 + 10.0 ** -(i % 30), STOPS, i) for i in range(300)))),
    "meshes": ("mesh gradients", lambda: pack(svg('<meshgradient id="g">%s</meshgradient><rect fill="url(#g)" width="99" height="99"/>' % (
        "<meshrow>%s</meshrow>" % ('<meshpatch><stop path="c1 1 2 2 3 3"/></meshpatch>' * 300) * 300)))),
    "meshes_whole": ("a mesh of 40,000 patches, for 200 shapes of sizes of their own", lambda: pack(svg('<meshgradient id="g">%s</meshgradient>%s' % (
        "<meshrow>%s</meshrow>" % ('<meshpatch><stop path="l1,0"/><stop path="l0,1"/><stop path="l-1,0"/><stop path="l0,-1"/></meshpatch>' * 200) * 200,
        "".join('<rect fill="url(#g)" width="%d" height="99"/>' % (9 + i) for i in range(200)))))),
    "hatch": ("hatches of a pitch of 1e-9, of paths of 1e-9 and 10^5 segments", lambda: pack(svg(
        '<hatch id="g" hatchUnits="userSpaceOnUse" pitch="1e-9"><hatchpath stroke="red"/><hatchpath stroke="red" d="l1 99"/>'
        '<hatchpath stroke="red" d="l1 1e-9"/><hatchpath stroke="red" d="%s"/></hatch>%s' % ("l1 1-1 1" * 50000, '<rect fill="url(#g)" width="99" height="99"/>' * 99)))),
    "dash_tiny": ("dashes of 1e-9", lambda: stroked("M0 0H100", 'stroke-dasharray="1e-9"', 99)),
    "dash_offset": ("an offset of 1e38", lambda: stroked("M0 0H100", 'stroke-dasharray="1 2 3" stroke-dashoffset="-1e38"', 9999)),
    "dash_sum": ("a sum beyond any number", lambda: stroked("M0 0H100", 'stroke-dasharray="%s"' % ("3e38 " * 1000), 999)),
    "dash_long_path": ("a path of 1e9", lambda: stroked("M0 0H1e9V1e9H0z", 'stroke-dasharray="1"', 9)),
    "dash_curves": ("dashed curves that nearly turn", lambda: stroked("M0 0" + "C100 100 0 100 100 0.001" * 3000, 'stroke-dasharray=".1" stroke-linejoin="round"')),
    "dash_path_length": ("pathLength of 1e30", lambda: stroked("M0 0H100", 'pathLength="1e30" stroke-dasharray="1"', 99)),
    "dash_zero_path_length": ("pathLength of 0 and 1e-30", lambda: "".join([svg("".join(
        '<path pathLength="%s" stroke="red" stroke-dasharray="1" d="M0 0H100"/>' % v for v in ("0", "1e-30", "-1", "nan") * 200))])),
    "dash_odd": ("a list of 10^5 for 10^4 paths", lambda: pack(svg('<g stroke="red" stroke-dasharray="%s">%s</g>' % (
        "1e-3 " * 30001, '<path d="M0 0H99"/>' * 3000)))),
    "width_huge": ("a width of 1e30", lambda: stroked("M0 0" + path(3000), 'stroke-width="1e30" stroke-linejoin="round" stroke-linecap="round"', 30)),
    "width_tiny": ("of 1e-30", lambda: stroked("M0 0" + path(30000), 'stroke-width="1e-30" stroke-linejoin="round"', 9)),
    "miter": ("miters of 1e30", lambda: stroked("M0 0" + "L100 50L0 50.0001" * 30000, 'stroke-miterlimit="1e30" stroke-width="9"')),
    "zero_lengths": ("segments of no length, round", lambda: stroked("M5 5h0v0c0 0 0 0 0 0z" * 60000, 'stroke-width="50" stroke-linecap="round" stroke-linejoin="round"')),
    "circles": ("a million circles", lambda: pack(svg('<circle cx="50" cy="50" r="50" fill-opacity=".01" stroke="red"/>' * 30000))),
    "round_joins": ("wide strokes with round joins, at each of 10^5 points", lambda: stroked("M0 0" + path(50000), 'stroke-width="99" stroke-linejoin="round"')),
    "arcs_joins": ("stroke-linejoin: arcs", lambda: stroked("M0 0" + "q9 99 5 5" * 30000, 'stroke-width="9" stroke-linejoin="arcs"')),
    "paint_order": ("strokes, fills and markers in all orders", lambda: pack(svg('<path d="M0 0%s" stroke="red" paint-order="markers stroke"/>' % path(100) * 2000))),
    "opacity_of_stroke": ("stroke-opacity on a path that covers itself", lambda: (stroked("M0 0" + path(9000), 'stroke-opacity=".5" stroke-width="30"'), 1500)),
}

GEOMETRY = {
    "far_away": ("a path at 1e9, seen", lambda: svg('<g transform="translate(-1e9 -1e9)"><path d="M1e9 1e9%s"/></g>' % ("h1v1" * 50000))),
    "far_and_back": ("lines from -1e30 to 1e30", lambda: (svg('<path fill-rule="evenodd" d="M0 0%s"/>' % ("L1e30 50L-1e30 51L50 1e30L51-1e30" * 9000)), 1000)),
    "windings": ("10^6 windings", lambda: pack(svg('<path d="%s"/>' % ("M0 0h99v99h-99z" * 200000)))),
    "spiral": ("a spiral of 10^5 turns", lambda: pack(svg('<path fill="none" stroke="red" d="M50 50%s"/>' % "".join(
        "a%.4g %.4g 0 0 1 %.4g 0" % (i / 2000, i / 2000, (-1) ** i * i / 1000) for i in range(60000))))),
    "needles": ("triangles of no width over all rows", lambda: (pack(svg('<path d="%s"/>' % "".join("M%g 0L%g 100l.0001 0z" % (i % 100, (i * 7) % 100) for i in range(60000)))), 2000)),
    "comb": ("one column of rows", lambda: (pack(svg('<path d="%s"/>' % "".join("M0 %gh100v.0001H0z" % (i / 500) for i in range(50000)))), 2000)),
    "checker": ("one pixel in four, as rectangles", lambda: (pack(svg('<path d="%s"/>' % "".join("M%d %dh1v1h-1z" % (x, y) for x in range(0, 800, 2) for y in range(0, 800, 2)), "0 0 800 800")), 800)),
    "collapsed": ("scale(0) on everything", lambda: svg('<g transform="scale(0)">%s</g><g transform="scale(1 0)">%s</g>' % ((nested(WHOLE, 5, 4),) * 2))),
    "rounded_rects": ("rx beyond the width", lambda: pack(svg('<rect width="99" height="99" rx="1e30" ry="1e-30" stroke="red"/>' * 30000))),
    "curve_cusps": ("curves with cusps and loops", lambda: (stroked("M0 0" + "C100 100 0 100 100 0C0 0 0 0 0 0" * 9000, 'stroke-width="5" stroke-linejoin="round"'), 1000)),
    "curve_extremes": ("control points at 3e38", lambda: (stroked("M0 0" + "C3e38-3e38-3e38 3e38 50 50" * 5000, 'stroke-width="5"'), 1000)),
    "tall": ("1 x 32,767 pixels", lambda: (svg(WHOLE * 2000, "0 0 1 32767"), (1, 32767))),
    "wide": ("32,767 x 1", lambda: (svg('<filter id="f"><feGaussianBlur stdDeviation="900"/></filter>' + '<rect width="32767" height="1" filter="url(#f)"/>' * 99, "0 0 32767 1"), (32767, 1))),
    "size_units": ("a size in vw, in percent, of 1e38", lambda: ('<svg xmlns="http://www.w3.org/2000/svg" width="1e38" height="1e-38mm">%s</svg>' % WHOLE, None)),
    "size_ex": ("a size in em of a huge font", lambda: ('<svg xmlns="http://www.w3.org/2000/svg" font-size="1e20" width="1e18em" height="1ex"/>', None)),
    "points_of_nothing": ("polygons of one point, 10^5", lambda: pack(svg('<polygon points="1,1" stroke="red" stroke-linecap="square"/><polyline/>' * 60000))),
}

AREAS = {"references": REFERENCES, "text": TEXT, "filters": FILTERS, "paints": PAINTS, "geometry": GEOMETRY}

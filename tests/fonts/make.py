#!/usr/bin/env python3
"""make.py: makes the fonts of this folder anew (Debian: python3-fonttools, python3-brotli, fonts-dejavu-core).

stijl-*: our own, of plain boxes whose sizes the tests know: see glyphs() below. They are under the licence of the
project. dejavu.ttf: some characters of DejaVu Sans, under its own licence (DejaVu-LICENSE.txt)."""
import os
import struct
import subprocess
import zlib

from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics
from fontTools.ttLib.tables.C_B_D_T_ import cbdt_bitmap_format_17
from fontTools.ttLib.tables.E_B_L_C_ import SbitLineMetrics, Strike as Strike_, eblc_index_sub_table_1
from fontTools.ttLib.tables.S_V_G_ import SVGDocument
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.ttLib.tables.sbixGlyph import Glyph as SbixGlyph
from fontTools.ttLib.tables.sbixStrike import Strike
from fontTools.ttLib.ttCollection import TTCollection
from fontTools.varLib.builder import buildVarData, buildVarRegionList, buildVarStore

HERE = os.path.dirname(os.path.abspath(__file__))
TIME = 3800000000  # of creation, so that the files are the same each time

# name: (character, advance, box from (50, 0) to (advance - 50, height)); a height of 0 draws nothing
BOXES = {
    ".notdef": (None, 500, 700), "space": (" ", 250, 0), "A": ("A", 600, 700), "B": ("B", 500, 700),
    "V": ("V", 600, 700), "a": ("a", 400, 500), "b": ("b", 400, 700), "f": ("f", 300, 700), "i": ("i", 200, 700),
    "f_i": (None, 450, 700), "a.sc": (None, 450, 550), "e": ("e", 400, 500), "alef": ("\u05d0", 550, 600),
    "bet": ("\u05d1", 450, 600), "one": ("\u4e00", 1000, 800), "hyphen": ("-", 300, 300), "period": (".", 200, 100),
    "ellipsis": ("\u2026", 700, 100),
}
FEATURES = """
languagesystem DFLT dflt;
languagesystem latn dflt;
languagesystem latn TRK;
feature liga { sub f i by f_i; } liga;
feature locl { script latn; language TRK; sub a by a.sc; } locl;
feature smcp { sub a by a.sc; } smcp;
feature kern { pos A V -100; pos V A -100; } kern;
feature mark { markClass acutecomb <anchor 0 500> @TOP; pos base e <anchor 200 500> mark @TOP; } mark;
"""


def box(pen, left, bottom, right, top):
    pen.moveTo((left, bottom))
    pen.lineTo((left, top))
    pen.lineTo((right, top))
    pen.lineTo((right, bottom))
    pen.closePath()


def glyphs(extra, pen_of):
    """The glyphs of all fonts; `extra` makes the boxes wider than the regular font's."""
    made = {}
    for name, (_, advance, height) in BOXES.items():
        pen = pen_of(advance)
        if height:
            box(pen, 50, 0, advance - 50 + extra, height)
        made[name] = pen
    pen = pen_of(0)
    box(pen, -50, 550, 50, 650)
    made["acutecomb"] = pen
    return made


def builder(family, style, weight, is_ttf=True):
    fb = FontBuilder(1000, isTTF=is_ttf)
    names = list(BOXES) + ["acutecomb"] + (["eacute"] if is_ttf else [])
    fb.setupGlyphOrder(names)
    cmap = {ord(c): name for name, (c, _, _) in BOXES.items() if c}
    cmap.update({0xA0: "space", 0x301: "acutecomb"})
    if is_ttf:
        cmap[0xE9] = "eacute"
    fb.setupCharacterMap(cmap)
    return fb


def finish(fb, family, style, weight, features=True):
    metrics = {name: (advance, 50) for name, (_, advance, _) in BOXES.items()}
    metrics.update({"acutecomb": (0, -50), "eacute": (400, 50)})
    fb.setupHorizontalMetrics({n: metrics[n] for n in fb.font.getGlyphOrder()})
    fb.setupHorizontalHeader(ascent=800, descent=-200)
    fb.setupNameTable({"familyName": family, "styleName": style, "psName": (family + "-" + style).replace(" ", "")})
    fb.setupOS2(usWeightClass=weight, sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200,
                sxHeight=500, sCapHeight=700, yStrikeoutSize=50, yStrikeoutPosition=250, ySubscriptYOffset=150,
                ySuperscriptYOffset=350)
    fb.setupPost(underlinePosition=-100, underlineThickness=50)
    if features:
        fb.addOpenTypeFeatures(FEATURES)
    fb.font["head"].created = fb.font["head"].modified = TIME
    fb.font.recalcTimestamp = False
    return fb.font


def truetype(family="Stijl Test", style="Regular", weight=400, extra=0):
    fb = builder(family, style, weight)
    drawn = {name: pen.glyph() for name, pen in glyphs(extra, lambda _: TTGlyphPen(None)).items()}
    pen = TTGlyphPen(drawn)
    pen.addComponent("e", (1, 0, 0, 1, 0, 0))
    pen.addComponent("acutecomb", (1, 0, 0, 1, 200, 0))
    drawn["eacute"] = pen.glyph()
    fb.setupGlyf(drawn)
    return finish(fb, family, style, weight)


def cff():
    fb = builder("Stijl CFF", "Regular", 400, False)
    drawn = {name: pen.getCharString() for name, pen in glyphs(0, lambda w: T2CharStringPen(w, None)).items()}
    fb.setupCFF("StijlCFF", {"FullName": "Stijl CFF"}, drawn, {})
    return finish(fb, "Stijl CFF", "Regular", 400)


def embedded():
    """The same as Illustrator embeds fonts in documents: "CFF " and cmap alone. FontMatrix tells 2000 units per em."""
    fb = builder("Stijl Embedded", "Regular", 400, False)
    drawn = {}
    for name, pen in glyphs(0, lambda w: TransformPen(T2CharStringPen(2 * w, None), (2, 0, 0, 2, 0, 0))).items():
        drawn[name] = pen._outPen.getCharString()
    fb.setupCFF("StijlEmbedded", {"FontMatrix": [0.0005, 0, 0, 0.0005, 0, 0]}, drawn, {})
    for tag in set(fb.font.keys()) - {"GlyphOrder", "CFF ", "cmap"}:
        del fb.font[tag]
    return fb.font


def variable():
    """One axis, wght: at 900 all boxes and advances are 100 wider than at 100. b is green, and moves by (300, 200)."""
    fb = builder("Stijl Variable", "Regular", 400)
    drawn = {name: pen.glyph() for name, pen in glyphs(0, lambda _: TTGlyphPen(None)).items()}
    pen = TTGlyphPen(drawn)
    pen.addComponent("e", (1, 0, 0, 1, 0, 0))
    drawn["eacute"] = pen.glyph()
    fb.setupGlyf(drawn)
    font = finish(fb, "Stijl Variable", "Regular", 400)
    fb.setupFvar([("wght", 100, 100, 900, "Weight")], [])
    from fontTools.ttLib.tables.TupleVariation import TupleVariation
    variations = {}
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        points = [(0, 0), (0, 0), (100, 0), (100, 0)] if glyph.numberOfContours == 1 else [(0, 0)] * max(
            0, len(glyph.components) if glyph.isComposite() else 0)
        phantoms = [(0, 0), (100, 0), (0, 0), (0, 0)]
        variations[name] = [TupleVariation({"wght": (0.0, 1.0, 1.0)}, points + phantoms)]
    fb.setupGvar(variations)
    font["CPAL"] = buildCPAL([[(0.0, 0.5, 0.0, 1.0)]])
    regions = buildVarRegionList([{"wght": (0, 1, 1)}], ["wght"])
    store = buildVarStore(regions, [buildVarData([0], [[300], [200]], optimize=False)])
    green = {"Format": 10, "Glyph": "b", "Paint": {"Format": 2, "PaletteIndex": 0, "Alpha": 1}}
    font["COLR"] = buildCOLR({"b": {"Format": 15, "Paint": green, "dx": 0, "dy": 0, "VarIndexBase": 0}}, varStore=store)
    return font


def color():
    """A: layers, a red box with a green one on it; V: a document, a blue circle; B and b: graphs of paints; e: the
    text's colour. The second palette is for dark backgrounds, the third for light ones: they begin with blue and with
    yellow."""
    font = truetype("Stijl Color")
    red, green = (1.0, 0.0, 0.0, 1.0), (0.0, 0.5, 0.0, 1.0)
    blue, yellow = (0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 0.0, 1.0)
    font["CPAL"] = buildCPAL([[red, green, blue], [blue, yellow, green], [yellow, red, green]], [0, 2, 1])

    def line(*stops):
        return {"Extend": "pad",
                "ColorStop": [{"StopOffset": at, "PaletteIndex": color, "Alpha": 1} for at, color in stops]}

    def sweep(start, end, *stops):
        return {"Format": 8, "ColorLine": line(*stops), "centerX": 250, "centerY": 350, "startAngle": start,
                "endAngle": end}
    # B: counterclockwise from the right: red up to 90 degrees, green up to 180, blue up to the end.
    quarters = sweep(45, 225, (0.25, 0), (0.25, 1), (0.75, 1), (0.75, 2))
    # b: the same from the other side, within half of it; and a box of green that is left where the other is not.
    reverse = sweep(225, 45, (0.25, 0), (0.25, 1), (0.75, 1), (0.75, 2))
    box = {"Format": 10, "Glyph": "a", "Paint": {"Format": 2, "PaletteIndex": 1, "Alpha": 1}}
    out = {"Format": 32, "SourcePaint": {"Format": 10, "Glyph": "b", "Paint": reverse}, "CompositeMode": "src_out",
           "BackdropPaint": {"Format": 14, "Paint": box, "dx": 0, "dy": 350}}
    font["COLR"] = buildCOLR(
        {"A": [("A", 0), ("period", 1)], "e": [("e", 0xffff)], "B": {"Format": 10, "Glyph": "B", "Paint": quarters},
         "b": out}, clipBoxes={"B": (50, 0, 450, 650)})
    svg = newTable("SVG ")
    identity = font.getGlyphID("V")
    svg.docList = [
        ('<svg xmlns="http://www.w3.org/2000/svg"><circle id="glyph%d" cx="300" cy="-350" r="250" fill="blue"/>'
         '</svg>' % identity, identity, identity)]
    font["SVG "] = svg
    return font


def emoji(family, color):
    """All characters are the box A: a green one with `color`, else one of text."""
    characters = [0x31, 0xA9, 0x20E3, 0x231A, 0x263A, 0x2764, 0x1F1E9, 0x1F1EA, 0x1F3F4, 0x1F3FD, 0x1F44D, 0x1F525,
                  0x1F600]
    font = truetype(family)
    for table in font["cmap"].tables:
        table.cmap = {c: "A" for c in characters if c < 0x10000 or table.format == 12}
    wide = CmapSubtable.newSubtable(12)
    wide.platformID, wide.platEncID, wide.language, wide.format, wide.reserved = 3, 10, 0, 12, 0
    wide.length = wide.nGroups = 0
    wide.cmap = {c: "A" for c in characters}
    font["cmap"].tables.append(wide)
    if color:
        font["CPAL"] = buildCPAL([[(0.0, 0.5, 0.0, 1.0)]])
        font["COLR"] = buildCOLR({"A": [("A", 0)]})
    return font


def bomb():
    """Glyphs made of each other: A of 60^6 nothings, B of itself."""
    font = truetype("Stijl Bomb")
    glyf = font["glyf"]

    font.recalcBBoxes = False

    def composite(parts):
        pen = TTGlyphPen(dict.fromkeys(font.getGlyphOrder()))
        for part in parts:
            pen.addComponent(part, (1, 0, 0, 1, 0, 0))
        glyph = pen.glyph()
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        return glyph

    chain = ["space", "e", "i", "f", "a", "b", "A"]
    for inner, outer in zip(chain, chain[1:]):
        glyf.glyphs[outer] = composite([inner] * 60)
    glyf.glyphs["B"] = composite(["B", "V"])
    font["maxp"].maxComponentDepth = 16
    return font


def png(rows):
    """A PNG of opaque pixels, 0xRRGGBB."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + b"".join(struct.pack(">I", color)[1:] for color in row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


PIXELS = png(
    [[0xff0000 if x < 8 else 0x0000ff for x in range(16)] if y < 6 else [0x008000 + 8 * y] * 16 for y in range(12)])
NO_PIXELS = PIXELS[:40] + b"broken" + PIXELS[46:]


def sbix():
    """e: pixels; b: pixels that are broken."""
    font = truetype("Stijl Pixels")
    table = font["sbix"] = newTable("sbix")
    table.version, table.flags, table.numStrikes, table.strikes = 1, 1, 0, {}
    strike = table.strikes[20] = Strike(ppem=20, resolution=72)
    for name in font.getGlyphOrder():
        data = {"e": PIXELS, "b": NO_PIXELS}.get(name)
        strike.glyphs[name] = SbixGlyph(glyphName=name, graphicType="png " if data else None, imageData=data,
                                        originOffsetX=1, originOffsetY=-2)
    return font


def cbdt():
    """The same in the tables CBDT and CBLC."""
    font = truetype("Stijl Strike")
    glyphs = {"e": PIXELS, "b": NO_PIXELS}
    order = sorted(glyphs, key=font.getGlyphID)
    font["CBDT"] = data = newTable("CBDT")
    data.version, data.strikeData = 3.0, [{}]
    for name in order:
        glyph = data.strikeData[0][name] = cbdt_bitmap_format_17(b"", font)
        glyph.metrics = metrics = SmallGlyphMetrics()
        metrics.height, metrics.width, metrics.BearingX, metrics.BearingY, metrics.Advance = 12, 16, 1, 10, 16
        glyph.imageData = glyphs[name]
    font["CBLC"] = places = newTable("CBLC")
    places.version = 3.0
    strike = Strike_()
    places.strikes = [strike]
    size = strike.bitmapSizeTable
    size.colorRef, size.flags, size.bitDepth, size.ppemX, size.ppemY = 0, 1, 32, 20, 20
    size.hori, size.vert = SbitLineMetrics(), SbitLineMetrics()
    for line in (size.hori, size.vert):
        for field in ("ascender", "descender", "widthMax", "caretSlopeNumerator", "caretSlopeDenominator",
                      "caretOffset",
                      "minOriginSB", "minAdvanceSB", "maxBeforeBL", "minAfterBL", "pad1", "pad2"):
            setattr(line, field, 0)
    table = eblc_index_sub_table_1(b"", font)
    table.names = order
    table.firstGlyphIndex, table.lastGlyphIndex = font.getGlyphID(order[0]), font.getGlyphID(order[-1])
    table.indexFormat, table.imageFormat = 1, 17
    strike.indexSubTables = [table]
    size.startGlyphIndex, size.endGlyphIndex = table.firstGlyphIndex, table.lastGlyphIndex
    return font


def broken():
    """Colours that cannot be drawn: B, a graph that leads to itself; a, layers that are not there; V, a document that
    is none. A is a graph above the colour of the text. Documents of three boxes: e, in that colour, by name and as the
    context's fill, and in a colour of the palette; b, in that of the palette, in one that the palette lacks, and in
    black; f, in that of the text, in blue and in black, and compressed."""
    font = truetype("Stijl Broken")
    font["CPAL"] = buildCPAL([[(1.0, 0.0, 0.0, 1.0)]])
    half = {"Format": 2, "PaletteIndex": 0xffff, "Alpha": 0.5}
    font["COLR"] = colr = buildCOLR(
        {"A": {"Format": 10, "Glyph": "A", "Paint": half}, "B": {"Format": 11, "Glyph": "B"}})
    from fontTools.ttLib.tables.otTables import BaseGlyphRecord, BaseGlyphRecordArray, LayerRecord, LayerRecordArray
    record, layer = BaseGlyphRecord(), LayerRecord()
    record.BaseGlyph, record.FirstLayerIndex, record.NumLayers = "a", 0, 9
    layer.LayerGlyph, layer.PaletteIndex = "a", 0
    colr.table.BaseGlyphRecordArray, colr.table.LayerRecordArray = BaseGlyphRecordArray(), LayerRecordArray()
    colr.table.BaseGlyphRecordArray.BaseGlyphRecord = [record]
    colr.table.LayerRecordArray.LayerRecord = [layer]
    colr.table.BaseGlyphRecordCount = colr.table.LayerRecordCount = 1
    svg = font["SVG "] = newTable("SVG ")
    letters = sorted((font.getGlyphID(n), n) for n in ("V", "b", "e", "f"))
    boxes = '<rect y="-150" width="300" height="150" fill="%s"/><rect y="-300" width="300" height="150" fill="%s"/>' \
            '<rect y="-450" width="300" height="150" %s/></g></svg>' 
    texts = {"V": '<svg xmlns="http://www.w3.org/2000/svg"><circle id="glyph%d" r="100"',
             "e": '<svg xmlns="http://www.w3.org/2000/svg"><g id="glyph%d">'
                  + boxes % ("currentColor", "context-fill", 'style="fill:var(--color0,blue)"'),
             "b": '<svg xmlns="http://www.w3.org/2000/svg"><g id="glyph%d">'
                  + boxes % ("var(--color0,blue)", "var(--color1,blue)", "")}
    texts["f"] = texts["b"].replace("var(--color0,blue)", "currentColor").replace("var(--color1,blue)", "blue")
    svg.docList = [SVGDocument(texts[n] % i, i, i, n == "f") for i, n in letters]
    return font


def main():
    def path(name):
        return os.path.join(HERE, name)

    regular, bold = truetype(), truetype(style="Bold", weight=700, extra=40)
    regular.save(path("stijl-regular.ttf"))
    bold.save(path("stijl-bold.ttf"))
    cff().save(path("stijl-cff.otf"))
    embedded().save(path("stijl-embedded.otf"))
    variable().save(path("stijl-variable.ttf"))
    color().save(path("stijl-color.ttf"))
    emoji("Stijl Emoji", True).save(path("stijl-emoji.ttf"))
    emoji("Stijl Symbols", False).save(path("stijl-symbols.ttf"))
    bomb().save(path("stijl-bomb.ttf"))
    sbix().save(path("stijl-pixels.ttf"))
    cbdt().save(path("stijl-strike.ttf"))
    broken().save(path("stijl-broken.ttf"))
    for flavor in ("woff", "woff2"):
        font = TTFont(path("stijl-regular.ttf"), recalcTimestamp=False)
        font.flavor = flavor
        font.save(path("stijl-regular." + flavor))
    collection = TTCollection()
    collection.fonts = [TTFont(path(n), recalcTimestamp=False) for n in ("stijl-regular.ttf", "stijl-bold.ttf")]
    collection.save(path("stijl.ttc"))
    subprocess.run(["/usr/bin/python3", "-m", "fontTools.subset", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                    "--no-recalc-timestamp", "--text=Stijl draws text: fi ffi AVA \u00e9\u0153\u00df \u03a9\u0436 0123 "
                    "\u0633\u0644\u0627\u0645 \u05e9\u05dc\u05d5\u05dd",
                    "--layout-features=*", "--output-file=" + path("dejavu.ttf")], check=True)


main()

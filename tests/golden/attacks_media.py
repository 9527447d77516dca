"""Attacks by images, saved scenes, pages and sheets for `match`, and by the other commands."""
import base64
import os
import struct
import subprocess
import sys
import tempfile
import zlib

import bombs
from hostile import HTML, jpeg, nested, pack, path, png_file, svg


def image(kind, data, times=1, quote=True):
    url = bombs.data_url("image/" + kind, data if isinstance(data, bytes) else data.encode())
    return pack(svg('<image id="i" width="100" height="100" href="%s"/>' % url + '<use href="#i"/>' * (times - 1)))


def png(head, *chunks):
    return b"\x89PNG\r\n\x1a\n" + bombs.png_chunk(b"IHDR", struct.pack(">IIBBBBB", *head)) + b"".join(
        bombs.png_chunk(name, data) for name, data in chunks) + bombs.png_chunk(b"IEND", b"")


def gif(width, height, frames):
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0xf0, 0, 0) + bytes(6) + frames + b";"


def frame(x, y, width, height, data=b"\x02\x4c\x01\0"):
    return struct.pack("<BHHHHB", 0x2c, x, y, width, height, 0) + b"\x02" + data


def in_images(levels, times):
    inner = svg(nested('<path d="M1 1%s"/>' % path(50), 3, 4))
    for _ in range(levels):
        url = "data:image/svg+xml;base64," + base64.b64encode(pack(inner)).decode()
        inner = svg('<image width="100" height="100" href="%s"/>' % url * times)
    return pack(inner)


IMAGES = {
    "png_long": ("1 x 2^31 - 1", lambda: image("png", png((1, 2**31 - 1, 8, 0, 0, 0, 0), (b"IDAT", zlib.compress(bytes(1 << 20)))))),
    "png_wide": ("2^31 - 1 x 1", lambda: image("png", png((2**31 - 1, 1, 16, 6, 0, 0, 1), (b"IDAT", zlib.compress(bytes(1 << 20)))))),
    "png_idat_many": ("a chunk of data for each byte", lambda: image("png", png((64, 64, 8, 6, 0, 0, 0), *[
        (b"IDAT", bytes([b])) for b in zlib.compress(os.urandom(64 * 257), 0)] + [(b"IDAT", b"")] * 100000))),
    "png_bomb": ("data that go on behind the last row", lambda: image("png", png((8, 8, 8, 0, 0, 0, 0), (b"IDAT", zlib.compress(bytes(100 << 20), 9))))),
    "png_unknown_chunks": ("100,000 chunks of unknown names", lambda: image("png", png((8, 8, 8, 0, 0, 0, 0), *[(b"abCd", b"x")] * 100000, (b"IDAT", zlib.compress(bytes(72)))))),
    "png_palette": ("an index beyond the palette", lambda: image("png", png((99, 99, 8, 3, 0, 0, 0), (b"PLTE", b"abc"), (b"tRNS", b"\1" * 256), (b"IDAT", zlib.compress(b"\0" + b"\xff" * 99, 9))))),
    "png_profile": ("a colour profile that unpacks to 100 MB", lambda: image("png", png((8, 8, 8, 2, 0, 0, 0), (b"iCCP", b"a\0\0" + zlib.compress(bytes(100 << 20), 9)), (b"IDAT", zlib.compress(bytes(200)))))),
    "png_international": ("iTXt that unpacks", lambda: image("png", png((8, 8, 8, 0, 0, 0, 0), *[(b"iTXt", b"a\0\1\0\0\0" + zlib.compress(bytes(7 << 20), 9))] * 500, (b"IDAT", zlib.compress(bytes(72)))))),
    "png_deep": ("16 bits, 6,000 x 6,000", lambda: image("png", png_file(6000, 6000, 16, 6))),
    "png_shown_often": ("one image, 50,000 times, smoothed", lambda: image("png", png_file(1000, 1000, 8, 6), 30000)),
    "png_lying_length": ("a chunk of 2^31 bytes", lambda: image("png", b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 2**31 - 1) + b"IHDR" + bytes(99))),
    "png_animated": ("frames of an animation", lambda: image("png", png((8, 8, 8, 0, 0, 0, 0), (b"acTL", struct.pack(">II", 2**31 - 1, 0)), *[(b"fcTL", bytes(26))] * 50000, (b"IDAT", zlib.compress(bytes(72)))))),
    "gif_frames": ("100,000 frames", lambda: image("gif", gif(64, 64, frame(0, 0, 64, 64) * 100000))),
    "gif_screen": ("65,535 x 65,535", lambda: image("gif", gif(65535, 65535, frame(0, 0, 1, 1)))),
    "gif_large_frame": ("a frame beyond its screen", lambda: image("gif", gif(1, 1, frame(65535, 65535, 65535, 65535)))),
    "gif_extensions": ("extensions without end", lambda: image("gif", gif(8, 8, b"!\xff\x01a\0" * 800000 + frame(0, 0, 8, 8)))),
    "gif_codes": ("codes that grow to strings of 4096", lambda: image("gif", gif(4000, 4000, frame(0, 0, 4000, 4000, b"\x08" + (b"\xff" + b"\xa5\x5a\x3c" * 85) * 9000 + b"\0")))),
    "jpeg_wide": ("65,500 x 65,500", lambda: jpeg(False, 65500)),
    "jpeg_scans": ("20,000 scans of nothing", lambda: image("jpeg", jpeg_of_scans(20000))),
    "jpeg_tables": ("50,000 tables", lambda: image("jpeg", b"\xff\xd8" + (b"\xff\xdb\x00\x43\x00" + b"\1" * 64) * 50000 + b"\xff\xd9")),
    "jpeg_restarts": ("markers of restarts", lambda: image("jpeg", jpeg_of_scans(1)[:-2] + b"\xff\xd0" * 2000000 + b"\xff\xd9")),
    "jpeg_comments": ("comments of 64 KB", lambda: image("jpeg", b"\xff\xd8" + (b"\xff\xfe\xff\xff" + bytes(65533)) * 300)),
    "webp_animated": ("frames of 16,384 x 16,384", lambda: image("webp", bombs.riff((b"VP8X", struct.pack("<L", 2) + b"\xff\x3f\0\xff\x3f\0"), (b"ANIM", bytes(6)), *[(b"ANMF", bytes(16))] * 20000))),
    "webp_sizes": ("a chunk that says 4 GB", lambda: image("webp", b"RIFF\xff\xff\xff\xffWEBPVP8L\xff\xff\xff\xff/\xff\xff\xff\xff" + bytes(99))),
    "in_images": ("documents in images, 20 deep", lambda: in_images(20, 1)),
    "in_images_double": ("10 deep, each twice", lambda: in_images(9, 2)),
    "in_images_wide": ("one document in 20,000 images", lambda: image("svg+xml", svg(nested('<path d="M1 1%s"/>' % path(99), 2, 4)), 20000)),
    "kind_that_lies": ("a PNG that says it is a document, and back", lambda: pack(svg('<image width="9" height="9" href="%s"/><image width="9" height="9" href="%s"/>' % (
        bombs.data_url("image/svg+xml", png_file(8, 8, 8, 0)), bombs.data_url("image/png", b"<svg"))) )),
    "address_long": ("an address of 32 MB that is no base64", lambda: pack(svg('<image width="9" height="9" href="data:image/png;base64,%s"/>' % ("*" * (32 << 20))))),
    "address_percents": ("percents", lambda: pack(svg('<image width="9" height="9" href="data:image/svg+xml,%s"/>' % ("%20" * 3000000)))),
    "address_parameters": ("an address of parameters", lambda: pack(svg('<image width="9" height="9" href="data:%s,x"/>' % (";a=b" * 2000000)))),
    "devices": ("devices and pipes", lambda: svg("".join('<image width="9" height="9" href="%s"/>' % p for p in (
        "/dev/zero", "file:///dev/stdin", "/proc/self/mem", "../../../../etc/passwd", "http://a/", "in.svg", "./", "", "#a") * 99))),
    "own_file": ("the document as its own image", lambda: svg('<image width="99" height="99" href="in.svg"/>' * 9)),
}


def jpeg_of_scans(count, side=2000):
    def segment(marker, data):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data
    table = bytes([1] + [0] * 15) + b"\0"
    return b"\xff\xd8" + segment(0xdb, b"\0" + b"\1" * 64) + segment(0xc2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0") + \
        segment(0xc4, b"\0" + table) + segment(0xc4, b"\x10" + table) + \
        (segment(0xda, b"\1\1\0\0\0\0") + b"\0") * count + b"\xff\xd9"


def saved(document):
    """What the command saves of a document."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in.svg"), "w") as out:
            out.write(document)
        subprocess.run([os.path.abspath(sys.argv[1]), "render", "in.svg", "-o", "out.png", "--save-scene", "out.scene"],
                       cwd=folder, capture_output=True, timeout=60)
        with open(os.path.join(folder, "out.scene"), "rb") as file:
            return file.read()


def forged(change, document=None):
    """A saved scene whose bytes are changed, with sums that are right: at the end or in the head, wherever one is."""
    def make():
        data = saved(document or svg('<pattern id="p" width=".1" height=".1"><circle r="5"/></pattern><g opacity=".5">'
                                     '<path d="M0 0%s" fill="url(#p)"/></g><text y="50">abc</text>' % path(50)))
        made = resealed(data, bytes(change(bytearray(data))))
        return {"in.scene": made}, ["render", "in.scene", "-o", "out.png", "-w", "500"]
    return make


def resealed(data, changed):
    for at in range(0, min(len(data) - 4, 64), 4):
        for end in (data[at + 4:], data[:at]):
            if struct.unpack_from("<I", data, at)[0] == zlib.crc32(end) and end:
                head = changed[:at] + struct.pack("<I", zlib.crc32(changed[at + 4:] if end == data[at + 4:] else changed[:at]))
                return head + changed[at + 4:]
    if struct.unpack("<I", data[-4:])[0] == zlib.crc32(data[:-4]):
        return changed[:-4] + struct.pack("<I", zlib.crc32(changed[:-4]))
    return changed


def each_word(value, first, step):
    def change(data):
        for at in range(first, len(data) - 4, step):
            struct.pack_into("<I", data, at, value)
        return data
    return change


def one_word(value, at):
    def change(data):
        struct.pack_into("<I", data, at, value)
        return data
    return change


SCENES = {
    "counts_" + name: ("a count or a size of %s at byte %d" % (name, at), forged(one_word(value, at)))
    for name, value, at in (("all", 2**32 - 1, 8), ("half", 2**31, 12), ("much", 2**28, 16), ("million", 10**6, 20), ("max", 2**32 - 1, 24),
                            ("sign", 2**31 - 1, 28), ("nan", 0x7fc00000, 32), ("infinite", 0x7f800000, 36), ("large", 2**26, 40), ("tiny", 1, 44))
}
SCENES.update({
    "floats": ("numbers that are none, everywhere", forged(each_word(0x7fc00001, 200, 16))),
    "zeros": ("zeros, everywhere", forged(each_word(0, 128, 8))),
    "cut": ("cut in the middle", forged(lambda data: data[:len(data) // 2])),
    "doubled": ("twice", forged(lambda data: data + data)),
    "padded": ("and 64 MB", forged(lambda data: data + bytes(64 << 20))),
    "nested": ("scenes in scenes, each shown often", forged(lambda data: data, svg("".join(
        '<pattern id="p%d" width=".3" height=".3">%s</pattern>' % (i + 1, '<rect width="50" height="50" fill="url(#p%d)"/>' % i * 3)
        for i in range(7)) + '<rect width="99" height="99" fill="url(#p7)"/>'))),
})


def match(page, sheet):
    return {"in.html": page if page.startswith("<") and not page.startswith("<p") else HTML + page, "in.css": sheet}, ["match", "in.html", "in.css"]


MATCH = {
    "formatting": ("what gumbo opens anew in each paragraph", lambda: match("<b><i><u><s>" * 300 + "<p>" * 3000, "p b{}")),
    "adoption": ("the adoption agency", lambda: match("<a><b><div>" * 1500 + "</a></b>" * 1500, "a b{}")),
    "foster": ("text that is fostered out of tables", lambda: match("<table>" * 2000 + "x<b>" * 2000, "table{}")),
    "deep": ("500,000 elements in one another", lambda: match("<div>" * 500000, "div div div{}")),
    "attributes": ("an element of 200,000 attributes", lambda: match("<p %s>" % " ".join("a%d" % i for i in range(100000)), "[a1]{}")),
    "attributes_equal": ("equal attributes", lambda: match("<p %s>" % ("a=1 " * 500000), "[a]{}")),
    "character_references": ("references without ;", lambda: match("&notit;&ampamp&#x110000;" * 100000, "p{}")),
    "comments": ("comments that do not end", lambda: match("<!--" * 1000000, "p{}")),
    "templates": ("templates in templates", lambda: match("<template>" * 5000, "template{}")),
    "selects": ("options of a select", lambda: match("<select>" + "<option selected>x" * 100000, ":checked{}option:nth-child(2n){}")),
    "forms": ("forms of many owners", lambda: match("".join("<form id=f%d>" % i for i in range(20000)) + "".join(
        "<input form=f%d required>" % i for i in range(20000)), ":invalid{}:default{}form:valid{}")),
    "fieldsets": ("disabled fieldsets in one another", lambda: match("<fieldset disabled><legend>" * 1000 + "<input>" * 20000, ":disabled{}:enabled{}")),
    "directions": ("dir=auto at each of many levels", lambda: match("<div dir=auto>" * 2000 + "x" * 100000, ":dir(rtl){}:dir(ltr){}")),
    "languages": (":lang through 5,000 levels", lambda: match("<div>" * 5000 + "<p>" * 5000, ":lang(en){}:lang('*-a'){}")),
    "has": (":has on a large page", lambda: match("<div><p>x</p></div>" * 60000, "".join("div:has(.a%d ~ .b){}" % i for i in range(300)))),
    "has_root": ("html:has() for each of many", lambda: match("<p>" * 100000, "".join("html:has(.a%d){}" % i for i in range(5000)))),
    "has_each": (":has of all that follow", lambda: match("<p></p>" * 60000, "p:has(~ .x){}" * 30)),
    "nth_of": (":nth-child(of) of many kinds", lambda: match("<p class=a></p>" * 60000, "".join(":nth-child(%dn of .a:not(.b%d)){}" % (i + 2, i) for i in range(300)))),
    "matches": ("rules that all match all", lambda: match("<p>" * 100000, "*{}" * 2000)),
    "selectors": ("a million different selectors", lambda: match("<p>", "".join("a%d b{}" % i for i in range(400000)))),
    "backtracking": ("descendants that backtrack", lambda: match("<div>" * 2000 + "<p>" * 2000, ("div " * 100 + "x p{}") + "div " * 100 + "p{}")),
    "siblings": ("siblings that backtrack", lambda: match("<i></i>" * 20000, "i~" * 100 + "b{}" + "b~i~" * 30 + "i{}")),
    "classes": ("an element of 10^6 classes", lambda: match("<p class='%s'>" % " ".join("a%d" % i for i in range(400000)), ".a1.a2{}")),
    "substrings": ("*= in a value of 4 MB", lambda: match("<p title='%s'>" % ("a" * 4000000), "[title*='%sb']{}" % ("a" * 2000) * 200)),
    "imports": ("imports of one another", lambda: ({"in.html": HTML + "<p>", "in.css": "@import 'b.css';" * 200, "b.css": "@import 'in.css';" * 200}, ["match", "in.html", "in.css"])),
    "imports_chain": ("a chain of 1000 files", lambda: ({"in.html": HTML + "<p>", "in.css": "@import 'f0.css';", **{
        "f%d.css" % i: "@import 'f%d.css';p{}" % (i + 1) for i in range(1000)}}, ["match", "in.html", "in.css"])),
    "imports_devices": ("imports of devices", lambda: match("<p>", "@import '/dev/zero';@import '/dev/stdin';@import '../../../../etc/passwd';")),
    "nesting": ("& in lists, multiplied", lambda: match("<p>" * 999, (",".join(["&.a", "&.b", "& &"]) + "{") * 60 + "}" * 60)),
    "xml": ("XML with namespaces for each", lambda: match("<?xml version='1.0'?><a>" + "".join("<b xmlns='u%d'/>" % i for i in range(50000)) + "</a>", "b{}")),
    "xml_entities": ("XML that expands", lambda: match("<!DOCTYPE a [<!ENTITY b '%s'>]><a>%s</a>" % ("<c/>" * 2000, "&b;" * 2000), "c{}")),
    "controls": ("control characters in selectors", lambda: match("<p>", "".join(".a\\%x b{}" % c for c in range(1, 0x2100)))),
    "zero_bytes": ("NUL everywhere", lambda: match("<p>\0" * 200000, ".a\0{}" * 200000)),
}


def command(files, *line):
    return lambda: ({name: make() for name, make in files.items()}, list(line))


COMMANDS = {
    "query_point": ("a hit among 100,000 strokes", command({"in.svg": lambda: pack(svg('<path d="M0 0%s" stroke="red" pointer-events="stroke"/>' % path(30) * 20000))}, "query", "in.svg", "--at", "50,50")),
    "query_uses": ("a hit in what is used often", command({"in.svg": lambda: svg(nested('<path d="M0 0%s"/>' % path(300), 7, 4))}, "query", "in.svg", "--at", "50,50")),
    "query_clips": ("a hit behind clip paths", command({"in.svg": lambda: pack(svg('<clipPath id="c">%s</clipPath>' % ('<circle r="99"/>' * 3000) + '<rect width="99" height="99" clip-path="url(#c)"/>' * 3000))}, "query", "in.svg", "--at", "50,50")),
    "query_dashes": ("a hit on dashes of 1e-9", command({"in.svg": lambda: svg('<path fill="none" d="M0 0H100" stroke="red" stroke-dasharray="1e-9"/>' * 99)}, "query", "in.svg", "--at", "50,0")),
    "query_nowhere": ("a point at 1e38", command({"in.svg": lambda: svg('<rect width="1e38" height="1e38"/>')}, "query", "in.svg", "--at", "1e38,-1e38")),
    "query_ids": ("ids of a MB with control characters", command({"in.svg": lambda: pack(svg('<rect id="%s" width="9" height="9"/>' % ("&#x202e;&#x9b;&#10;" * 100000)))}, "query", "in.svg")),
    "query_text": ("boxes of 100,000 letters", command({"in.svg": lambda: pack(svg('<text y="9">%s</text>' % ("<tspan id='a'>a</tspan>" * 30000)))}, "query", "in.svg")),
    "fonts_cut": ("fonts that are cut", command({"in.svg": lambda: svg("<text>a</text>"), "a.ttf": lambda: bombs.sfnt(bombs.tables())[:600], "b.woff2": lambda: b"wOF2" + bytes(99)}, "fonts", "in.svg", "--use-font-file", "a.ttf", "--use-font-file", "b.woff2")),
    "compare_cut": ("a picture that is cut", command({"a.png": lambda: png_file(999, 999, 8, 6)[:300], "b.png": lambda: png_file(999, 999, 8, 6)}, "compare", "a.png", "b.png")),
    "compare_sizes": ("pictures of different sizes", command({"a.png": lambda: png_file(20000, 3, 8, 6), "b.png": lambda: png_file(3, 20000, 8, 6)}, "compare", "a.png", "b.png")),
    "compare_palette": ("a palette and 16 bits", command({"a.png": lambda: png_file(5000, 5000, 8, 3, palette=b"abc"), "b.png": lambda: png_file(5000, 5000, 16, 6)}, "compare", "a.png", "b.png")),
    "compare_same_name": ("no picture at all", command({"a.png": lambda: b"\x89PNG\r\n\x1a\n" * 100000}, "compare", "a.png", "a.png")),
}

AREAS = {"images": IMAGES, "scenes": SCENES, "match": MATCH, "commands": COMMANDS}

"""Fonts and images that have libraries allocate very much: for hostile.py and memory.py, which draw them."""
import base64
import ctypes.util
import os
import random
import struct
import zlib

import tap

MB = 1 << 20
FONTS = os.path.join(tap.SOURCE, "tests", "fonts")


def data_url(kind, data):
    return "data:%s;base64,%s" % (kind, base64.b64encode(data).decode())


# --- fonts ---

def tables(name="stijl-regular.ttf"):
    """The tables of a font of the tests, by their tags."""
    with open(os.path.join(FONTS, name), "rb") as file:
        data = file.read()
    out = {}
    for i in range(struct.unpack(">H", data[4:6])[0]):
        tag, _, at, length = struct.unpack(">4sLLL", data[12 + 16 * i:28 + 16 * i])
        out[tag.decode()] = data[at:at + length]
    return out


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def sfnt(parts):
    at = 12 + 16 * len(parts)
    head, body = struct.pack(">LHHHH", 0x10000, len(parts), 0, 0, 0), []
    for tag in sorted(parts):
        head += struct.pack(">4sLLL", tag.encode(), 0, at, len(parts[tag]))
        body.append(padded(parts[tag]))
        at += len(body[-1])
    return head + b"".join(body)


def woff(parts):
    packed = {tag: min(data, zlib.compress(data, 9), key=len) for tag, data in parts.items()}
    whole = 12 + sum(16 + len(data) + -len(data) % 4 for data in parts.values())
    at = 44 + 20 * len(parts)
    directory, body = b"", []
    for tag in sorted(parts):
        directory += struct.pack(">4sLLLL", tag.encode(), at, len(packed[tag]), len(parts[tag]), 0)
        body.append(padded(packed[tag]))
        at += len(body[-1])
    return struct.pack(">4sLLHHLHHLLLLL", b"wOFF", 0x10000, at, len(parts), 0, whole, 1, 0, 0, 0, 0, 0, 0) + \
        directory + b"".join(body)


class Bits:
    """Writes bits, the lowest of each number first."""

    def __init__(self):
        self.parts, self.value, self.count = [], 0, 0

    def put(self, *fields):
        """Fields are a value and its count of bits, in turn."""
        for value, count in zip(fields[::2], fields[1::2]):
            self.value |= value << self.count
            self.count += count
        whole = self.count // 8
        self.parts.append((self.value & (1 << 8 * whole) - 1).to_bytes(whole, "little"))
        self.value >>= 8 * whole
        self.count -= 8 * whole

    def raw(self, data=b""):
        self.put(0, -self.count % 8)
        self.parts.append(data)

    def bytes(self):
        self.raw()
        return b"".join(self.parts)


def brotli_of_zeros(data, zeros, idle):
    """A brotli stream (RFC 7932) of `data`, so many MiB of zeros, and `idle` bytes that say nothing."""
    out = Bits()
    out.put(15, 4)  # a window of 16 MiB
    out.put(0, 1, 0, 2, len(data) - 1, 16, 1, 1)
    out.raw(data)
    for _ in range(zeros):
        out.put(0, 1, 1, 2, MB - 1, 20, 0, 1)
        out.put(0, 3, 0, 6, 0, 2, 0, 2)  # one type of blocks each, no direct distances, one tree each
        out.put(1, 2, 0, 2, 0, 8)  # the only literal is 0
        out.put(1, 2, 0, 2, 423, 10)  # the only command: 4 literals and a long copy
        out.put(1, 2, 0, 2, 0, 6)  # the only distance is the last one, 4
        out.put(MB - 4 - 2118, 24)
    for _ in range(0, idle, 1 << 16):
        out.put(0, 1, 3, 2, 0, 1, 2, 2, (1 << 16) - 1, 16)
        out.raw(b"\0" * (1 << 16))
    out.put(3, 2)
    return out.bytes()


def woff2(parts, zeros, idle):
    """A WOFF2 font whose last table is so many MiB of zeros, `cvt `."""
    def base128(value):
        digits = [value & 127]
        while value >> 7:
            value >>= 7
            digits.append(value & 127 | 128)
        return bytes(reversed(digits))
    tags = sorted((tag for tag in parts if tag != "cvt "), key=lambda tag: "glyg" if tag == "loca" else tag)
    directory, data = b"", b""
    for tag in tags:
        plain = 0xc0 if tag in ("glyf", "loca") else 0  # not transformed
        directory += bytes([plain | 63]) + tag.encode() + base128(len(parts[tag]))
        data += parts[tag]
    directory += bytes([63]) + b"cvt " + base128(zeros * MB)
    packed = brotli_of_zeros(data, zeros, idle)
    whole = 12 + sum(16 + len(parts[tag]) + -len(parts[tag]) % 4 for tag in tags) + 16 + (zeros * MB)
    body = directory + packed
    body += b"\0" * (-len(body) % 4)
    return struct.pack(">4sLLHHLLHHLLLLL", b"wOF2", 0x10000, 48 + len(body), len(tags) + 1, 0, whole, len(packed),
                       1, 0, 0, 0, 0, 0, 0) + body


def text_with(font, kind="font/ttf", content="abefi", attributes=""):
    face = "<style>@font-face{font-family:f;src:url(%s)}</style>" % data_url(kind, font)
    return face + '<text y="50" font-size="9" font-family="f" %s>%s</text>' % (attributes, content)


def layout_table(features, lookups):
    """GSUB or GPOS: features (tag, indices of lookups) of the default script, and lookups as bytes, equal ones once."""
    tags = sorted(features)
    script = struct.pack(">H4sHHHHHH", 1, b"DFLT", 8, 4, 0, 0, 0xffff, len(tags)) + \
        b"".join(struct.pack(">H", i) for i in range(len(tags)))
    records, lists = b"", b""
    first = 2 + 6 * len(tags)
    known = {}
    for tag in tags:
        indices = features[tag]
        if id(indices) not in known:
            known[id(indices)] = first + len(lists)
            lists += struct.pack(">HH%dH" % len(indices), 0, len(indices), *indices)
        records += tag.encode() + struct.pack(">H", known[id(indices)])
    feature_list = struct.pack(">H", len(tags)) + records + lists
    first, body, places, offsets = 2 + 2 * len(lookups), b"", {}, []
    for lookup in lookups:
        if lookup not in places:
            places[lookup] = first + len(body)
            body += lookup
        offsets.append(places[lookup])
    lookup_list = struct.pack(">H%dH" % len(offsets), len(offsets), *offsets) + body
    return struct.pack(">LHHH", 0x10000, 10, 10 + len(script), 10 + len(script) + len(feature_list)) + script + \
        feature_list + lookup_list


def font_with_lookups(count, lookup=struct.pack(">HHH", 1, 0, 0), tags=("liga",), idle=0):
    """A font with so many equal lookups, all of them in each feature, and a few bytes that say nothing."""
    indices = list(range(count))
    table = layout_table({tag: indices for tag in tags}, [lookup] * count) + bytes(idle)
    return sfnt({**tables(), "GSUB": table})


LATIN = ["ss%02d" % i for i in range(1, 21)] + ["cv%02d" % i for i in range(1, 100)]


def woff_of_large_tables(cvt=120, other=130):
    return text_with(woff({**tables(), "cvt ": bytes(cvt * MB), "XXXX": bytes(other * MB)}), "font/woff")


def woff2_of_a_large_table(cvt=8):
    """FreeType reads none that is packed to less than a hundredth."""
    return text_with(woff2(tables(), cvt, cvt * MB // 95), "font/woff2")


def font_of_a_large_table(cvt=24):
    return text_with(sfnt({**tables(), "cvt ": bytes(cvt * MB)}))


def features_of_each_span(spans=2500, lookups=20000):
    """Each span has features of its own, for each of which HarfBuzz makes a plan."""
    content = "".join("<tspan style='font-feature-settings:%s'>a</tspan>" %
                      ",".join('"%s"' % LATIN[k] for k in range(13) if i + 1 >> k & 1) for i in range(spans))
    return text_with(font_with_lookups(lookups, tags=["liga"] + LATIN), content=content)


def languages_of_each_span(spans=2500, lookups=20000):
    content = "".join('<tspan xml:lang="%s">a</tspan>' % "".join(chr(97 + i // 26 ** k % 26) for k in range(3))
                      for i in range(spans))
    return text_with(font_with_lookups(lookups), content=content)


def features_of_all_lookups(lookups=20000):
    """One plan, of features that all have all lookups."""
    settings = ",".join('"%s"' % tag for tag in LATIN[:60])
    attributes = "style='font-feature-settings:%s'" % settings
    return text_with(font_with_lookups(lookups, tags=LATIN[:60]), attributes=attributes)


def lookups_of_shared_subtables(lookups=250, subtables=30000):
    """Each lookup has as many subtables, which are one and the same. HarfBuzz reads the more of them the longer the
    table is."""
    head = struct.pack(">HHH", 1, 0, subtables) + struct.pack(">H", 6 + 2 * subtables) * subtables
    single = struct.pack(">HHh", 1, 6, 0) + struct.pack(">HHH", 1, 1, 5)
    return text_with(font_with_lookups(lookups, head + single, idle=2 * MB))


def glyphs_that_multiply(characters=16000, by=60, times=1):
    """A substitution puts many glyphs in place of one, several times over."""
    coverage = struct.pack(">HHHHH", 2, 1, 0, 300, 0)
    sequence = struct.pack(">H%dH" % by, by, *[5] * by)
    count = 301
    first = 6 + 2 * count
    subtable = struct.pack(">HHH", 1, first, count) + struct.pack(">H", first + len(coverage)) * count + coverage + \
        sequence
    lookup = struct.pack(">HHHH", 2, 0, 1, 8) + subtable
    return text_with(font_with_lookups(times, lookup, idle=MB), content="a" * characters)


def variations_that_overlap(stores=16000, items=8000):
    """MVAR whose data are all at one place."""
    parts = tables("stijl-variable.ttf")
    axes = struct.unpack(">H", parts["fvar"][8:10])[0]
    regions = struct.pack(">HH", axes, 1) + struct.pack(">hhh", 0, 0x4000, 0x4000) * axes
    first = 8 + 4 * stores
    data = struct.pack(">HHHH", items, 0, 1, 0) + bytes(items)
    store = struct.pack(">HLH", 1, first, stores) + struct.pack(">L", first + len(regions)) * stores + regions + data
    parts["MVAR"] = struct.pack(">LHHHH4sHH", 0x10000, 0, 8, 1, 20, b"xhgt", 0, 0) + store
    return text_with(sfnt(parts), attributes='font-weight="637"')


# --- images ---

def image(kind, data):
    return '<image width="100" height="100" xlink:href="%s"/>' % data_url("image/" + kind, data)


def riff(*chunks):
    body = b"WEBP"
    for name, data in chunks:
        body += name + struct.pack("<L", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<L", len(body)) + body


def groups_of_codes(out, side, transforms=False):
    """The stream of a lossless WebP of side x side pixels, where each tile of 4 x 4 has prefix codes of its own."""
    tiles = (side + 3) // 4
    if transforms:  # a predictor, so that what counts the groups has to pass it by
        out.put(1, 1, 0, 2, 7, 3, 0, 1)
        out.put(*[1, 1, 0, 1, 0, 1, 0, 1] * 5)
    out.put(0, 1, 0, 1, 1, 1, 0, 3, 0, 1)
    eight = [0, 1, 8, 4] + [0, 3] * 11 + [1, 3]  # a code of codes' lengths that has but one: 8
    out.put(*eight, 1, 1, 3, 3, 254, 8)  # green: 256 symbols of 280
    out.put(*eight, 0, 1)  # red
    out.put(*[1, 1, 0, 1, 0, 1, 0, 1] * 3)
    for i in range(tiles * tiles):
        red, green = i >> 8 & 255, i & 255
        out.put(int("{:08b}".format(green)[::-1], 2), 8, int("{:08b}".format(red)[::-1], 2), 8)
    for _ in range(min(tiles * tiles, 65536)):
        out.put(*[1, 1, 0, 1, 0, 1, 0, 1] * 5)
    return out.bytes()


def webp_of_many_groups(side=1024, transforms=False):
    out = Bits()
    out.put(0x2f, 8, side - 1, 14, side - 1, 14, 1, 1, 0, 3)
    return image("webp", riff((b"VP8L", groups_of_codes(out, side, transforms))))


def webp_of_many_groups_transformed():
    return webp_of_many_groups(transforms=True)


def webp_of_alpha_of_many_groups(side=1024):
    """The same as the transparency of a picture with loss."""
    part = 60000
    frame = (part << 5 | 16).to_bytes(3, "little") + b"\x9d\x01\x2a" + struct.pack("<HH", side, side) + bytes(2 * part)
    extended = struct.pack("<L", 16) + (side - 1).to_bytes(3, "little") * 2
    alpha = b"\x01" + groups_of_codes(Bits(), side)
    return image("webp", riff((b"VP8X", extended), (b"ALPH", alpha), (b"VP8 ", frame)))


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_of_packed_texts(count=900):
    text = png_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(7 << 20), 9))
    head = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
    return image("png", b"\x89PNG\r\n\x1a\n" + head + text * count + png_chunk(b"IDAT", zlib.compress(bytes(72))) +
                 png_chunk(b"IEND", b""))


def interlaced_png(side=2000):
    rows = b""
    passes = (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)
    for x, y, dx, dy in passes:
        rows += (b"\0" + b"\x80\x20\x10\xff" * ((side - x + dx - 1) // dx)) * ((side - y + dy - 1) // dy)
    head = png_chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 1))
    data = png_chunk(b"IDAT", zlib.compress(rows, 1)) + png_chunk(b"IEND", b"")
    return image("png", b"\x89PNG\r\n\x1a\n" + head + data)


def gif(side=2000):
    """Codes of 9 bits, which a clear code in time keeps from getting longer."""
    out = Bits()
    for i in range(0, side * side, 250):
        out.put(256, 9, *[1, 9] * min(250, side * side - i))
    out.put(257, 9)
    data = out.bytes()
    blocks = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255))
    return image("gif", b"GIF89a" + struct.pack("<HHBBB", side, side, 0xf0, 0, 0) + b"\0\0\0\xff\x80\0" +
                 struct.pack("<BHHHHB", 0x2c, 0, 0, side, side, 0) + b"\x08" + blocks + b"\0;")


def lossless_webp(side=1500):
    """A picture of much detail, as libwebp itself packs it. None where that is not installed."""
    name = ctypes.util.find_library("webp")
    if not name:
        return None
    library, packed = ctypes.CDLL(name), ctypes.POINTER(ctypes.c_ubyte)()
    noise = random.Random(1)
    tile = noise.randbytes(4 * 64 * 64)
    pixels = b"".join((tile[256 * (y % 64):][:256] if y // 64 % 2 else bytes([y & 255, 64, 99, 255]) * 64) *
                      (side // 64 + 1) for y in range(side))
    library.WebPEncodeLosslessRGBA.restype = ctypes.c_size_t
    size = library.WebPEncodeLosslessRGBA(pixels, side, side, 256 * (side // 64 + 1), ctypes.byref(packed))
    return image("webp", ctypes.string_at(packed, size))


ATTACKS = [woff_of_large_tables, woff2_of_a_large_table, font_of_a_large_table, features_of_each_span,
           languages_of_each_span, features_of_all_lookups, lookups_of_shared_subtables, glyphs_that_multiply,
           variations_that_overlap, webp_of_many_groups, webp_of_many_groups_transformed, webp_of_alpha_of_many_groups,
           png_of_packed_texts]

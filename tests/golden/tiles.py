#!/usr/bin/env python3
"""tiles.py STIJL [--full]: pyramids of tiles: names and sizes, pixels, shards, resumed and killed runs, PMTiles. --full
kills more often."""
import functools
import gzip
import json
import math
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import cli
import tap

W, H = 700, 421


def document():
    """Shapes over two thirds of the canvas, some beyond its edges; the rest stays empty."""
    r = random.Random(7)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 180.3">']
    for _ in range(150):
        x, y, a = r.uniform(-20, 180), r.uniform(-20, 200), r.uniform(3, 30)
        color = "#%06x" % r.randrange(1 << 24)
        parts.append('<circle cx="%.3f" cy="%.3f" r="%.3f" fill="%s" fill-opacity=".7"/><path d="M%.3f %.3fl%.3f %.3f" '
                     'stroke="%s" stroke-width=".4"/>' % (x, y, a, color, x, y, a, 3 * a, color))
    return "".join(parts) + "</svg>"


class Tiles(cli.Command):
    def make(self, folder, *arguments, width=W, **options):
        return self("tiles", "doc.svg", "-w", str(width), "-o", folder, *arguments, **options)

    def files(self, folder):
        """{name: bytes} of all files below."""
        found = {}
        for at, _, names in os.walk(self.path(folder)):
            for name in names:
                path = os.path.join(at, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path(folder))] = file.read()
        return found

    def stats(self, name="stats.json"):
        return json.loads(self.read(name))


def png_size(data):
    return struct.unpack(">II", data[16:24])


def levels(width, height, smallest):
    """[(width, height)] from the lowest up."""
    sizes = [(width, height)]
    while max(sizes[-1]) > smallest:
        k = 1 << len(sizes)
        sizes.append((-(-width // k), -(-height // k)))
    return sizes[::-1]


def deep_zoom_names(width, height, tile, overlap):
    wanted = {}
    for level, (w, h) in enumerate(levels(width, height, 1)):
        for x in range(-(-w // tile)):
            for y in range(-(-h // tile)):
                wide = min(w, (x + 1) * tile + overlap) - max(0, x * tile - overlap)
                high = min(h, (y + 1) * tile + overlap) - max(0, y * tile - overlap)
                wanted["doc_files/%d/%d_%d.png" % (level, x, y)] = (wide, high)
    return wanted


def test_deep_zoom(c):
    for tile, overlap in ((254, 1), (100, 0), (30, 15)):
        folder = "dz%d" % tile
        ended = c.make(folder, *(() if tile == 254 else ("--tile-size", str(tile), "--overlap", str(overlap))))
        files = c.files(folder)
        got = {name: png_size(data) for name, data in files.items() if name.endswith(".png")}
        c.expect("Deep Zoom, tiles of %d: names and sizes" % tile, ended.status == 0 and
                 got == deep_zoom_names(W, H, tile, overlap), ended)
        text = files["doc.dzi"].decode()
        c.expect("its description", all(s in text for s in ('TileSize="%d"' % tile, 'Overlap="%d"' % overlap,
                                                           'Width="%d"' % W, 'Height="%d"' % H, 'Format="png"')))


def test_vips(c):
    """What `vips dzsave` writes of a picture of that size."""
    if not shutil.which("vips"):
        return c.t.skip("the names of vips", "no vips")
    subprocess.run(["vips", "black", c.path("black.png"), str(W), str(H), "--bands", "3"], check=True)
    for layout, folder in (("dz", "dz254"), ("google", "xyz"), ("iiif3", "iiif")):
        out = "vips_%s/doc" % layout if layout == "dz" else "vips_" + layout
        os.makedirs(os.path.dirname(c.path(out)), exist_ok=True)
        subprocess.run(["vips", "dzsave", c.path("black.png"), c.path(out), "--layout", layout, "--suffix", ".png"],
                       check=True)
        if not os.path.isdir(c.path(folder)):
            c.make(folder, "--layout", folder)
        wanted = {name: png_size(data) for name, data in c.files(out.split("/")[0]).items()
                  if name.endswith(".png") and name != "blank.png"}
        ours = {name: png_size(data) for name, data in c.files(folder).items() if name.endswith(".png")}
        if layout == "google":  # Z/Y/X there
            wanted = {"%s/%s/%s.png" % (z, x[:-4], y): size
                      for (z, y, x), size in ((name.split("/"), size) for name, size in wanted.items())}
        ours = {name: size for name, size in ours.items() if not name.startswith("full/")}
        c.expect("names and sizes as of vips: " + layout, wanted == ours)


@functools.lru_cache
def whole_level(c, level):
    ended = c.make("whole%d" % level, "--tile-size", "2048", "--overlap", "0", "--min-level", str(level), "--max-level",
                   str(level))
    assert ended.status == 0, ended.stderr
    return cli.decode(c.read("whole%d/doc_files/%d/0_0.png" % (level, level)))[2]


def test_pixels(c):
    """Tiles put together are the level."""
    for level in (10, 8, 3, 0):
        rows = whole_level(c, level)
        height, width = len(rows), len(rows[0])
        good = c.make("dz254").status == 0
        for x in range(-(-width // 254)):
            for y in range(-(-height // 254)):
                tile = cli.decode(c.read("dz254/doc_files/%d/%d_%d.png" % (level, x, y)))[2]
                x0, y0 = max(0, x * 254 - 1), max(0, y * 254 - 1)
                good = good and all(row == rows[y0 + i][x0:x0 + len(row)] for i, row in enumerate(tile))
        c.expect("the tiles of level %d are its picture" % level, good)
    ended = c("render", "doc.svg", "-w", str(W), "-o", "whole.png")
    c.expect("the highest is the picture that is rendered",
             cli.decode(c.read("whole.png"))[2] == whole_level(c, 10), ended)
    c.make("xyz", "--layout", "xyz")
    rows, good = whole_level(c, 9), True
    for x in range(2):
        for y in range(1):
            width, height, tile = cli.decode(c.read("xyz/1/%d/%d.png" % (x, y)))
            good = good and (width, height) == (256, 256)
            for j, row in enumerate(tile):
                for i, pixel in enumerate(row):
                    u, v = x * 256 + i, y * 256 + j
                    inside = v < len(rows) and u < len(rows[0])
                    good = good and pixel == (rows[v][u] if inside else (0, 0, 0, 0))
    c.expect("XYZ: the picture in the upper left, nothing around it", good)


def test_small_levels(c):
    """Small levels are drawn whole, and the tiles that are wanted cut from them; one whose whole is too much work for
    the limits of a tile is drawn tile by tile."""
    c.write("noise.svg", b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><filter id="f"><feTurbulence '
            b'baseFrequency=".1" numOctaves="4"/><feComposite in2="SourceGraphic" operator="in"/></filter>'
            b'<circle cx="50" cy="50" r="45" filter="url(#f)"/></svg>')
    got = []
    for name, *options in (("noise",), ("limited", "--max-work", "2000000"), ("three", "--threads", "3"),
                           ("limited3", "--max-work", "2000000", "--threads", "3")):
        ended = c("tiles", "noise.svg", "-w", "1000", "--tile-size", "100", "-o", name, "--stats", "stats.json",
                  *options)
        got.append((c.files(name), c.stats()["whole_levels"], ended.stderr))
    c.expect("levels are drawn whole where they may be", [n for _, n, _ in got] == [11, 8, 11, 8], None)
    c.expect("their tiles are the same", all(files == got[0][0] for files, _, _ in got), None)
    for name in ("9/1_1", "9/4_2", "3/0_0", "10/9_9"):
        os.remove(c.path("noise/noise_files/%s.png" % name))
    ended = c("tiles", "noise.svg", "-w", "1000", "--tile-size", "100", "-o", "noise", "--stats", "stats.json",
              "--resume")
    c.expect("and of those some", c.files("noise") == got[0][0] and c.stats()["drawn"] == 4 and
             c.stats()["whole_levels"] == 3, ended)
    ended = c("tiles", "noise.svg", "-w", "5000", "--tile-size", "100", "-o", "noise5000", "--min-level", "11",
              "--max-level", "12", "--stats", "stats.json")
    c.expect("larger ones are not", ended.status == 0 and c.stats()["whole_levels"] == 1, ended)


def test_iiif(c):
    ended = c.make("iiif", "--layout", "iiif", "--id", "https://x.org/doc")
    info = json.loads(c.read("iiif/info.json"))
    c.expect("info.json", (info["width"], info["height"], info["id"], info["type"], info["profile"]) ==
             (W, H, "https://x.org/doc", "ImageService3", "level0"), ended)
    tile, wanted = info["tiles"][0], {}
    for s in tile["scaleFactors"]:  # the algorithm of the specification's implementation notes
        for x in range(0, W, tile["width"] * s):
            for y in range(0, H, tile["height"] * s):
                w, h = min(tile["width"] * s, W - x), min(tile["height"] * s, H - y)
                size = (-(-w // s), -(-h // s))
                wanted["%d,%d,%d,%d/%d,%d/0/default.png" % ((x, y, w, h) + size)] = size
    whole = info["sizes"][0]["width"], info["sizes"][0]["height"]
    wanted["full/%d,%d/0/default.png" % whole] = wanted["full/max/0/default.png"] = whole
    got = {n: png_size(d) for n, d in c.files("iiif").items() if n.endswith(".png")}
    c.expect("what it promises is there", got == wanted)
    c.expect("the largest whole picture", max(whole) <= info["maxWidth"] == info["maxHeight"])


def test_shards(c):
    reference = c.files("dz254")
    for n in (1, 3, 7):
        tiles = []
        for i in range(n):
            ended = c.make("shards%d" % n, "--shard", "%d/%d" % (i + 1, n), "--threads", str(1 + i % 3), "--stats",
                           "stats.json")
            if ended.status:
                c.expect("shard %d of %d" % (i + 1, n), False, ended)
            tiles.append(c.stats()["drawn"])
        c.expect("%d shards: the same files" % n, c.files("shards%d" % n) == reference)
        c.expect("%d shards: each tile once, and none has nothing to do" % n,
                 sum(tiles) == len(deep_zoom_names(W, H, 254, 1)) and all(tiles), None)


def test_resume(c):
    reference = c.files("dz254")
    shutil.copytree(c.path("dz254"), c.path("resumed"))
    os.remove(c.path("resumed/doc_files/10/1_1.png"))
    os.remove(c.path("resumed/doc_files/0/0_0.png"))
    os.remove(c.path("resumed/doc.dzi"))
    with open(c.path("resumed/doc_files/9/1_0.png"), "r+b") as file:
        file.truncate(200)
    ended = c.make("resumed", "--resume", "--stats", "stats.json")
    stats = c.stats()
    c.expect("what is missing or cut is drawn, the rest kept", (stats["drawn"], stats["kept"]) ==
             (3, len(deep_zoom_names(W, H, 254, 1)) - 3), ended)
    c.expect("and all is as before", c.files("resumed") == reference)
    ended = c.make("resumed", "--resume", "-b", "red")
    c.expect("tiles of other options are not gone on with",
             cli.one_line_error(ended) and "other options" in ended.stderr, ended)
    ended = c.make("resumed", width=500)
    c.expect("nor drawn over", cli.one_line_error(ended) and c.files("resumed") == reference, ended)
    os.mkdir(c.path("other"))
    c.write("other/notes.txt", b"mine")
    ended = c.make("other", "--layout", "xyz")
    c.expect("a folder of something else",
             cli.one_line_error(ended) and os.listdir(c.path("other")) == ["notes.txt"], ended)


def kill_until_done(c, folder, arguments, check, seed=3):
    """Ends the process at random moments, and goes on until one comes to its end."""
    r = random.Random(seed)
    kills = 0
    while True:
        command = [c.program, "tiles", "doc.svg", "-w", "4000", "-o", folder, "--resume", "--quiet", *arguments]
        process = subprocess.Popen(command, cwd=c.folder)
        try:
            if process.wait(timeout=r.uniform(0.01, 0.15 + 0.05 * kills)) != 0:
                return None
            return kills
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            check()


def test_many_kills(c):
    """100 kills of each kind of pyramid, in as many pyramids as it takes."""
    for kind, options in (("folder", ()), ("PMTiles", ("--layout", "pmtiles")), ("shrunk", ("--shrink",)),
                          ("shrunk PMTiles", ("--layout", "pmtiles", "--shrink"))):
        c.make("many", *options, width=4000)
        reference, faults, kills, pyramids = c.files("many"), [], 0, 0

        def only_whole_files():
            for name, data in c.files("many_killed").items():
                if name.endswith("stijl-tiles.json"):  # it tells of a shrunk pyramid that it is complete
                    continue
                if not name.endswith((".part", ".tmp")) and data != reference.get(name):
                    faults.append("pyramid %d: half a file: %s" % (pyramids, name))

        while kills < 100 and not faults:
            more = kill_until_done(c, "many_killed", options, only_whole_files, pyramids)
            pyramids += 1
            made = c.files("many_killed")
            if more is None or made != reference:
                faults.append("pyramid %d: not as one process makes it: %s" %
                              (pyramids, [k for k in {**made, **reference} if made.get(k) != reference.get(k)][:5]))
            kills += more or 0
            shutil.rmtree(c.path("many_killed"))
        shutil.rmtree(c.path("many"))
        c.t.test("%s: killed %d times in %d pyramids: nothing lost, nothing half" % (kind, kills, pyramids),
                 not faults, "\n".join(faults[:20]))


def test_kills(c):
    c.make("large", width=4000)
    reference = c.files("large")

    def only_whole_files():
        for name, data in c.files("killed").items():
            if data != reference.get(name):
                c.expect("after a kill: " + name, False)

    kills = kill_until_done(c, "killed", (), only_whole_files)
    c.expect("%s kills: no half file, the same in the end" % kills, kills and c.files("killed") == reference)
    c.make("large_archive", "--layout", "pmtiles", width=4000)

    def no_archive():
        if os.path.exists(c.path("killed_archive/doc.pmtiles")):
            if c.read("killed_archive/doc.pmtiles") != c.read("large_archive/doc.pmtiles"):
                c.expect("an archive is whole", False)

    kills = kill_until_done(c, "killed_archive", ("--layout", "pmtiles"), no_archive)
    c.expect("%s kills: the same archive, and no part left" % kills, kills and
             c.files("killed_archive") == c.files("large_archive"))


class Archive:
    """A reader of PMTiles, from its specification."""

    def __init__(self, data):
        self.data = data
        assert data[:8] == b"PMTiles\3"
        (self.root, self.root_bytes, self.meta, self.meta_bytes, self.leaf, self.leaf_bytes, self.tile, self.tile_bytes,
         self.addressed, self.entries, self.contents) = struct.unpack("<11Q", data[8:96])
        (self.clustered, self.internal, self.compression, self.kind, self.min_zoom, self.max_zoom, self.west,
         self.south, self.east, self.north) = struct.unpack("<6B4i", data[96:118])
        self.metadata = json.loads(gzip.decompress(data[self.meta:self.meta + self.meta_bytes]))

    def directory(self, offset, size):
        raw, at = gzip.decompress(self.data[offset:offset + size]), 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = raw[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        count = varint()
        steps, runs, lengths, places = ([varint() for _ in range(count)] for _ in range(4))
        assert at == len(raw) and count
        tile_id, entries = 0, []
        for i in range(count):
            tile_id += steps[i]
            offset = places[i] - 1 if places[i] else entries[-1][1] + entries[-1][2]
            entries.append((tile_id, offset, lengths[i], runs[i]))
        return entries

    def tiles(self, offset=None, size=None):
        for tile_id, at, length, run in self.directory(offset or self.root, size or self.root_bytes):
            assert length
            if not run:
                yield from self.tiles(self.leaf + at, length)
            for i in range(run):
                yield tile_id + i, at, self.data[self.tile + at:self.tile + at + length]


def tile_id(z, x, y):
    """Along the curve of level z, behind all lower ones."""
    position = (4 ** z - 1) // 3
    for k in range(z - 1, -1, -1):
        s = 1 << k
        right, low = bool(x & s), bool(y & s)
        position += s * s * ((3 * right) ^ low)
        if not low:
            if right:
                x, y = ~x, ~y
            x, y = y, x
    return position


def test_archive(c):
    ended = c.make("archive", "--layout", "pmtiles")
    data = c.read("archive/doc.pmtiles")
    a = Archive(data)
    wanted = {}
    for name, tile in c.files("xyz").items():
        if name.endswith(".png"):
            wanted[tile_id(*(int(part) for part in name[:-4].split("/")))] = tile
    got = list(a.tiles())
    c.expect("PMTiles: the tiles of XYZ", {i: t for i, _, t in got} == wanted and len(got) == len(wanted), ended)
    c.expect("only that in the folder", os.listdir(c.path("archive")) == ["doc.pmtiles"])
    c.expect("header", (a.root, a.internal, a.compression, a.kind, a.min_zoom, a.max_zoom, a.west) ==
             (127, 2, 1, 2, 0, 2, -1800000000) and a.root + a.root_bytes <= 16384, None)
    c.expect("equal tiles are stored once",
             a.contents == len({p for _, p, _ in got}) == len(set(wanted.values())) < len(got))
    c.expect("counts", a.addressed == len(got) and a.tile + a.tile_bytes == len(data))
    c.expect("in the order of ids", all(p <= q or any(p == r for _, r, _ in got[:i + 1])
                                        for i, ((_, q, _), (_, p, _)) in enumerate(zip(got, got[1:])) if p < q))
    c.make("stored", "--layout", "pmtiles", "--png-level", "0")
    c.make("stored_xyz", "--layout", "xyz", "--png-level", "0")
    tiles = {i: t for i, _, t in Archive(c.read("stored/doc.pmtiles")).tiles()}
    c.expect("tiles of one length are told apart", len({len(t) for t in tiles.values()}) < len(set(tiles.values())) and
             all(tiles[tile_id(*(int(part) for part in name[:-4].split("/")))] == data
                 for name, data in c.files("stored_xyz").items() if name.endswith(".png")))
    side = 256 * 4
    south = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * H / side))))
    c.expect("bounds", abs(a.east / 1e7 - (-180 + 360 * W / side)) < 1e-6 and abs(a.south / 1e7 - south) < 1e-6)
    for n in (1, 3):
        for i in range(n):
            ended = c.make("joined%d" % n, "--layout", "pmtiles", "--shard", "%d/%d" % (i + 1, n))
        ended = c.make("joined%d" % n, "--layout", "pmtiles", "--join", str(n))
        c.expect("%d parts joined: the same bytes, no part left" % n,
                 c.files("joined%d" % n) == {"doc.pmtiles": data}, ended)
    ended = c.make("joined3", "--layout", "pmtiles", "--join", "3")
    c.expect("joined again", ended.status == 0, ended)
    c.make("lacking", "--layout", "pmtiles", "--shard", "1/2")
    ended = c.make("lacking", "--layout", "pmtiles", "--join", "2")
    c.expect("a part that is missing", cli.one_line_error(ended) and "2-of-2.part" in ended.stderr, ended)
    c.make("lacking", "--layout", "pmtiles", "--shard", "2/2")
    with open(c.path("lacking/doc.pmtiles.2-of-2.part"), "r+b") as file:
        file.truncate(os.path.getsize(file.name) - 100)
    ended = c.make("lacking", "--layout", "pmtiles", "--join", "2")
    c.expect("a part that is not complete", cli.one_line_error(ended) and "--resume" in ended.stderr, ended)
    ended = c.make("lacking", "--layout", "pmtiles", "--shard", "2/2", "--resume", "--stats", "stats.json")
    c.expect("is completed", ended.status == 0 and c.stats()["drawn"] == 1, ended)
    ended = c.make("lacking", "--layout", "pmtiles", "--join", "2")
    c.expect("and joined", c.files("lacking") == {"doc.pmtiles": data}, ended)


def test_leaves(c):
    ended = c.make("leaves", "--layout", "pmtiles", "--tile-size", "4", "--min-level", "3", width=500)
    a = Archive(c.read("leaves/doc.pmtiles"))
    got = [i for i, _, _ in a.tiles()]
    c.expect("an archive with leaf directories", a.leaf_bytes > 0 and a.root + a.root_bytes <= 16384 and
             len(got) == len(set(got)) == a.addressed ==
             sum(-(-w // 4) * -(-h // 4) for w, h in levels(500, 301, 4)[3:]), ended)


def test_blank(c):
    reference = c.files("dz254")
    plain = c.make("blank", "--blank", "skip", "--stats", "stats.json")
    got, blank = c.files("blank"), c.stats()["blank"]
    missing = [n for n in reference if n not in got]
    c.expect("blank tiles are left out", blank == len(missing) > 0 and
             all(set(sum(cli.decode(reference[n])[2], [])) == {(0, 0, 0, 0)} for n in missing) and
             all(got[n] == reference[n] for n in got if n.endswith(".png")), plain)
    ended = c.make("shared", "--blank", "share")
    got = c.files("shared")
    c.expect("or links to one file", all(got[n] == reference[n] for n in reference if n.endswith(".png")) and
             all(os.stat(c.path("shared/" + n)).st_nlink > 1 for n in missing), ended)
    ended = c.make("skipped", "--layout", "pmtiles", "--blank", "skip")
    a, full = Archive(c.read("skipped/doc.pmtiles")), Archive(c.read("archive/doc.pmtiles"))
    c.expect("or have no entry", 0 < len(list(a.tiles())) < len(list(full.tiles())), ended)


def premultiplied(rows):
    return [[tuple((v * p[3] * 2 + 255) // 510 for v in p[:3]) + p[3:] for p in row] for row in rows]


def test_shrink(c):
    """Each level against the means of four of the one above it, of pixels that the tiles of one piece give."""
    whole = {}
    for level in range(10, 5, -1):
        name = "shrunk/doc_files/%d/0_0.png" % level
        if not whole:
            ended = c.make("shrunk", "--shrink", "--tile-size", "2048", "--overlap", "0")
        whole[level] = premultiplied(cli.decode(c.read(name))[2])
    c.expect("shrunk: the highest level is drawn", whole[10] == premultiplied(whole_level(c, 10)), ended)
    for level in range(9, 5, -1):
        above, rows = whole[level + 1], []
        for y in range(0, len(above), 2):
            two = above[y], above[min(y + 1, len(above) - 1)]
            rows.append([tuple((two[0][x][i] + two[1][x][i] + two[0][r][i] + two[1][r][i] + 2) // 4 for i in range(4))
                         for x in range(0, len(two[0]), 2) for r in (min(x + 1, len(two[0]) - 1),)])
        c.expect("shrunk: level %d is of the one above" % level, rows == whole[level])
    c.make("shrunk_dz", "--shrink")
    good = True
    for x in range(2):
        for y in range(1):
            tile = premultiplied(cli.decode(c.read("shrunk_dz/doc_files/9/%d_%d.png" % (x, y)))[2])
            x0, y0 = max(0, x * 254 - 1), max(0, y * 254 - 1)
            good = good and all(row == whole[9][y0 + i][x0:x0 + len(row)] for i, row in enumerate(tile))
    c.expect("shrunk: tiles with overlap", good)
    c.make("shrunk_xyz", "--shrink", "--layout", "xyz", "--blank", "skip", "--threads", "3")
    c.make("shrunk_archive", "--shrink", "--layout", "pmtiles", "--blank", "skip")
    wanted = {tile_id(*(int(part) for part in name[:-4].split("/"))): data
              for name, data in c.files("shrunk_xyz").items() if name.endswith(".png")}
    a = Archive(c.read("shrunk_archive/doc.pmtiles"))
    c.expect("shrunk: the archive has the tiles of XYZ", {i: t for i, _, t in a.tiles()} == wanted and len(wanted) > 5)
    reference = c.files("shrunk_dz")
    for name in ("9/1_0", "8/0_0", "3/0_0"):
        os.remove(c.path("shrunk_dz/doc_files/%s.png" % name))
    ended = c.make("shrunk_dz", "--shrink", "--resume")
    c.expect("shrunk: resumed", c.files("shrunk_dz") == reference, ended)


def test_shrink_shards(c):
    """Any number of shards and one process that joins them make the files of one process; each tile once."""
    for layout, n in (("dzi", 1), ("dzi", 3), ("xyz", 4), ("iiif", 2), ("pmtiles", 3)):
        options = ("--shrink", "--layout", layout, "--tile-size", "64", "--blank", "skip")
        c.make("alone", *options, "--stats", "stats.json")
        reference, wanted, tiles, out = c.files("alone"), c.stats()["tiles"], [], "shrunk_shards"
        for i in reversed(range(n)):
            ended = c.make(out, *options, "--shard", "%d/%d" % (i + 1, n), "--stats", "stats.json")
            tiles.append(c.stats()["drawn"])
        c.expect("shrunk, %s, %d shards: not complete" % (layout, n),
                 not any(name.endswith((".dzi", "info.json", ".pmtiles")) for name in c.files(out)), ended)
        ended = c.make(out, *options, "--join", str(n), "--stats", "stats.json")
        tiles.append(c.stats()["drawn"])
        c.expect("shrunk, %s, %d shards: the same files" % (layout, n), c.files(out) == reference, ended)
        c.expect("shrunk, %s, %d shards: each tile once, few by the last process" % (layout, n),
                 sum(tiles) == wanted and tiles[-1] < wanted / 3 and all(tiles[:-1]), None)
        ended = c.make(out, *options, "--join", str(n))
        again = c.make(out, *options, "--shard", "1/%d" % n, "--resume")
        c.expect("shrunk, %s, %d shards: nothing is left to do" % (layout, n),
                 ended.status == again.status == 0 and c.files(out) == reference, ended)
        shutil.rmtree(c.path(out))
        shutil.rmtree(c.path("alone"))
    c.make("shrunk_part", "--shrink", "--shard", "1/2")
    ended = c.make("shrunk_part", "--shrink", "--join", "2")
    c.expect("shrunk: a shard is missing", cli.one_line_error(ended) and "shard 2/2" in ended.stderr, ended)


def test_errors(c):
    for arguments, text in ((("doc.svg",), "-o FOLDER"), (("doc.svg", "-o", "x", "--shard", "3/2"), "--shard"),
                            (("doc.svg", "-o", "x", "--shard", "0/2"), "--shard"), (("-", "-o", "x"), "--name"),
                            (("doc.svg", "-o", "x", "--layout", "xyz", "--overlap", "1"), "--overlap"),
                            (("doc.svg", "-o", "x", "--join", "2"), "--join"), (("nope.svg", "-o", "x"), "nope.svg"),
                            (("doc.svg", "-o", "x", "--tile-size", "10", "--overlap", "6"), "--tile-size"),
                            (("doc.svg", "-o", "x", "--min-level", "20"), "--min-level"),
                            (("doc.svg", "doc.svg", "-o", "x"), "one document"),
                            (("doc.svg", "-o", "doc.svg/x"), "doc.svg"),
                            (("doc.svg", "-o", "x", "-w", "99", "--max-pixels", "9"), "--max-pixels")):
        ended = c("tiles", *arguments)
        c.expect("error: " + " ".join(arguments), cli.one_line_error(ended) and text in ended.stderr and
                 not os.path.exists(c.path("x")), ended)
    c("render", "doc.svg", "-o", "p.png", "--save-scene", "doc.scene", "-w", str(W))
    ended = c("tiles", "doc.scene", "--name", "doc", "-o", "of_scene", "-w", str(W))
    c.expect("a saved scene", ended.status == 0 and c.files("of_scene")["doc_files/10/1_1.png"] ==
             c.files("dz254")["doc_files/10/1_1.png"], ended)


def main():
    t = tap.Tap()
    with tempfile.TemporaryDirectory() as folder:
        c = Tiles(os.path.abspath(sys.argv[1]), folder, t)
        c.write("doc.svg", document().encode())
        for test in (test_deep_zoom, test_pixels, test_small_levels, test_iiif, test_vips, test_shards, test_resume,
                     test_archive,
                     test_leaves, test_blank, test_shrink, test_shrink_shards, test_kills, test_errors,
                     *([test_many_kills] if "--full" in sys.argv else [])):
            start = time.monotonic()
            try:
                test(c)
            except Exception as error:
                t.test("%s ran to its end" % test.__name__, False, "%s: %s" % (type(error).__name__, error))
            print("# %s: %.2f s" % (test.__name__, time.monotonic() - start))
    t.finish()


if __name__ == "__main__":
    main()

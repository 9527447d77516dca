"""Documents, pictures and errors."""

import gzip
import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest
import warnings

import stijl

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PICTURE = SOURCE / "docs" / "picture.svg"
RED = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect id="r" width="2" height="2" fill="red"/></svg>'
)
try:
    import numpy
except ImportError:
    numpy = None
try:
    import PIL.Image as pil
except ImportError:
    pil = None


class Render(unittest.TestCase):
    def test_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "red.svgz")
            path.write_bytes(gzip.compress(RED.encode()))
            pictures = [stijl.render(s) for s in (RED, RED.encode(), bytearray(RED.encode()), path, str(path))]
        for picture in pictures:
            self.assertEqual(bytes(picture), (b"\xff\0\0\xff" * 2 + b"\0" * 8) * 2)

    def test_size(self):
        self.assertEqual(stijl.render(RED).size, (4, 2))
        self.assertEqual(stijl.render(RED, 40).size, (40, 20))
        self.assertEqual(stijl.render(RED, height=50).size, (100, 50))
        self.assertEqual(stijl.render(RED, 10, 10).size, (10, 5))
        self.assertEqual(stijl.render(RED, zoom=2.5).size, (10, 5))
        for wrong in (0, -1, 40000, float("nan")):
            self.assertRaises(stijl.InvalidArgumentError, stijl.render, RED, wrong)
        self.assertRaises(stijl.LimitError, stijl.render, RED, zoom=1e5)

    def test_formats(self):
        half = RED.replace("<rect", '<rect fill-opacity="0.5"')
        values = {f: bytes(stijl.render(half, format=f))[:4] for f in ("RGBA", "RGBa", "BGRA", "BGRa")}
        self.assertEqual(values["RGBA"], b"\xff\0\0\x80")
        self.assertEqual(values["RGBa"], b"\x80\0\0\x80")
        self.assertEqual(values["BGRA"], b"\0\0\xff\x80")
        self.assertEqual(values["BGRa"], b"\0\0\x80\x80")
        self.assertEqual(bytes(stijl.render(half, format="A"))[:4], b"\x80\x80\0\0")
        self.assertRaisesRegex(ValueError, "RGBA", stijl.render, half, format="rgb")

    def test_background_and_id(self):
        self.assertEqual(bytes(stijl.render(RED, background="#00f"))[8:12], b"\0\0\xff\xff")
        self.assertEqual(bytes(stijl.render(RED, background=(0, 1, 0)))[8:12], b"\0\xff\0\xff")
        self.assertEqual(stijl.render(RED, id="r", zoom=2).size, (4, 4))
        self.assertRaises(stijl.InvalidArgumentError, stijl.render, RED, id="none")

    def test_same_bits_with_any_threads(self):
        expected = bytes(stijl.render(PICTURE, 300))
        for threads in (1, 2, 7):
            for isa in ("scalar", "auto"):
                renderer = stijl.Renderer(threads=threads, isa=isa)
                self.assertEqual(bytes(stijl.render(PICTURE, 300, renderer=renderer)), expected)

    def test_threads_of_python(self):
        document = stijl.Document(PICTURE)
        expected, wrong = bytes(document.render(400)), []

        def work():
            for _ in range(8):
                if bytes(document.render(400)) != expected:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_the_gil_is_released(self):
        document, counted, stop = stijl.Document(PICTURE), [0], []

        def count():
            while not stop:
                counted[0] += 1

        scene = document.scene(6000)
        renderer = stijl.Renderer(threads=1)
        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        renderer.render(scene, 6000, 2625)
        during = counted[0] - before
        stop.append(1)
        thread.join()
        self.assertGreater(during, 1000)

    def test_forked_process(self):
        expected = bytes(stijl.render(PICTURE, 700))
        child = os.fork()
        if child == 0:
            os._exit(0 if bytes(stijl.render(PICTURE, 700)) == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Pictures(unittest.TestCase):
    def test_buffer(self):
        picture = stijl.render(RED)
        view = memoryview(picture)
        self.assertEqual((view.shape, view.strides, view.format, view.readonly), ((2, 4, 4), (16, 4, 1), "B", False))
        view[0, 0, 0] = 7
        self.assertEqual(bytes(picture)[0], 7)
        del picture
        self.assertEqual(view[0, 0, 0], 7)
        self.assertEqual(memoryview(stijl.render(RED, format="A")).shape, (2, 4))
        self.assertEqual(bytes(stijl.Picture(3, 2)), bytes(24))
        self.assertRaises(stijl.InvalidArgumentError, stijl.Picture, 0, 1)

    @unittest.skipUnless(numpy, "no NumPy")
    def test_numpy_shares_memory(self):
        picture = stijl.render(RED)
        array = numpy.asarray(picture)
        self.assertEqual((array.shape, array.dtype), ((2, 4, 4), numpy.uint8))
        array[1, 3] = 9
        self.assertEqual(bytes(picture)[-4:], b"\t\t\t\t")
        address = picture.__array_interface__["data"][0]
        self.assertEqual(array.__array_interface__["data"][0], address)

    @unittest.skipUnless(numpy, "no NumPy")
    def test_out(self):
        array = numpy.full((4, 8, 4), 5, numpy.uint8)
        part = array[1:3, 2:6]
        self.assertIs(stijl.render(RED, out=part), part)
        self.assertEqual(array[1, 2].tolist(), [255, 0, 0, 255])
        self.assertEqual(array[0].min(), 5)
        self.assertEqual(array[:, :2].max(), 5)
        self.assertRaises(stijl.InvalidArgumentError, stijl.render, RED, out=array)
        self.assertRaises(BufferError, stijl.render, RED, out=array[2:0:-1, 2:6])
        self.assertRaises((BufferError, ValueError), stijl.render, RED, out=bytes(32))

    @unittest.skipUnless(pil, "no Pillow")
    def test_pillow(self):
        half = RED.replace("<rect", '<rect fill-opacity="0.5"')
        for name in ("RGBA", "BGRA", "RGBa", "BGRa"):
            image = stijl.render(half, format=name).to_pil()
            self.assertEqual((image.mode, image.size, image.getpixel((0, 0))), ("RGBA", (4, 2), (255, 0, 0, 128)), name)
        self.assertEqual(stijl.render(half, format="A").to_pil().getpixel((0, 0)), 128)

    def test_files(self):
        picture = stijl.render(PICTURE, 100)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.PNG")
            picture.save(path)
            self.assertEqual(path.read_bytes(), picture.to_png())
            self.assertEqual(picture._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
            again = stijl.image(path)
            self.assertRaises(stijl.UnsupportedError, picture.save, pathlib.Path(folder, "a.xyz"))
            self.assertRaises(stijl.UnsupportedError, picture.save, pathlib.Path(folder, "png"))
        self.assertEqual(bytes(again), bytes(stijl.render(PICTURE, 100, format="RGBa")))


class Formats(unittest.TestCase):
    half = RED.replace("<rect", '<rect fill-opacity="0.5"')

    def write(self, picture, name, **options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            try:
                picture.save(path, **options)
            except stijl.UnsupportedError as error:
                self.skipTest(str(error))
            self.assertEqual(path.read_bytes(), picture.encode(path.suffix[1:], **options))
            return path.read_bytes()

    def test_plain(self):
        picture = stijl.render(self.half)
        self.assertEqual(self.write(picture, "a.rgba"), bytes(picture))
        head, pixels = self.write(picture, "a.pam").split(b"ENDHDR\n")
        self.assertIn(b"\nWIDTH 4\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\n", head)
        self.assertEqual(pixels, bytes(picture))
        covered = [bytes(picture)[i] == 128 for i in range(3, 32, 4)]
        self.assertEqual(set(covered), {True, False})
        for background, half, empty in (("white", (255, 127, 127), (255,) * 3), ("black", (128, 0, 0), (0,) * 3)):
            wanted = b"".join(bytes(half if c else empty) for c in covered)
            self.assertEqual(self.write(picture, "a.ppm", background=background), b"P6\n4 2\n255\n" + wanted)

    def test_webp(self):
        picture = stijl.render(PICTURE, 100)
        data = self.write(picture, "a.webp")
        self.assertEqual(bytes(stijl.image(data)), bytes(stijl.render(PICTURE, 100, format="RGBa")))
        self.assertLess(len(self.write(picture, "a.webp", quality=20)), len(data))

    def test_jpeg(self):
        picture = stijl.render(self.half, 64)
        data = self.write(picture, "a.JPEG", background=(0, 0, 1))
        for byte, wanted in zip(bytes(stijl.image(data))[:4], (128, 0, 127, 255)):
            self.assertLess(abs(byte - wanted), 4)
        self.assertGreater(len(data), len(self.write(picture, "a.jpg", quality=1, background=(0, 0, 1))))

    def test_wrong(self):
        picture = stijl.render(RED)
        for quality in (0, 101, -5, float("nan")):
            self.assertRaises(stijl.InvalidArgumentError, picture.encode, "jpeg", quality=quality)
        self.assertRaises(stijl.InvalidArgumentError, picture.encode, "png", level=11)
        self.assertRaises(stijl.UnsupportedError, picture.encode, "tiff")
        self.assertRaises(TypeError, picture.encode, "jpeg", quality="high")
        self.assertRaises(stijl.LimitError, stijl.Picture(16384, 1).encode, "webp")
        self.assertEqual(picture.encode("png", level=10), picture.to_png(level=10))


class Errors(unittest.TestCase):
    def test_kinds(self):
        self.assertRaisesRegex(stijl.MalformedError, "line 1", stijl.render, "<svg")
        self.assertRaises(FileNotFoundError, stijl.render, "/nowhere/at.svg")
        self.assertRaises(stijl.LimitError, stijl.render, RED, budget=stijl.Budget(max_work=1))
        self.assertRaises(stijl.LimitError, stijl.render, PICTURE, max_elements=3)
        self.assertRaises(stijl.LimitError, stijl.render, PICTURE, budget=stijl.Budget(max_memory=20000))
        budget = stijl.Budget()
        budget.cancel()
        self.assertTrue(budget.spent)
        self.assertRaises(stijl.CancelledError, stijl.render, RED, budget=budget)
        budget.restart()
        stijl.render(RED, budget=budget)
        self.assertGreater(budget.work, 0)
        for kind in (
            stijl.LimitError,
            stijl.MalformedError,
            stijl.RefusedError,
            stijl.UnsupportedError,
            stijl.OutOfMemoryError,
            stijl.CancelledError,
        ):
            self.assertTrue(issubclass(kind, stijl.Error))

    def test_warnings(self):
        lacking = RED.replace("</svg>", '<image href="nowhere.png" width="2" height="2"/></svg>')
        with self.assertWarns(stijl.DocumentWarning):
            stijl.render(lacking)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertRaises(stijl.DocumentWarning, stijl.render, lacking)

    def test_interrupt(self):
        # Takes many seconds if nobody stops it, and little memory.
        document = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><filter id="f">'
            '<feTurbulence baseFrequency=".1" numOctaves="9"/></filter>'
            + '<rect width="1000" height="1000" filter="url(#f)"/>' * 100
            + "</svg>"
        )
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        old = signal.signal(signal.SIGINT, signal.default_int_handler)
        start = time.monotonic()
        timer.start()
        try:
            budget = stijl.Budget(max_seconds=1000, max_cpu_seconds=1000, max_work=1 << 62, max_memory=1 << 31)
            self.assertRaises(KeyboardInterrupt, stijl.render, document, 4000, budget=budget)
        finally:
            timer.cancel()
            signal.signal(signal.SIGINT, old)
        self.assertLess(time.monotonic() - start, 5)


class Documents(unittest.TestCase):
    def test_tree(self):
        document = stijl.Document(RED)
        self.assertEqual(document.size, (4.0, 2.0))
        node = document.find("r")
        self.assertEqual((node.kind, node.element, node.id, node.box()), ("shape", "rect", "r", (0, 0, 2, 2)))
        self.assertEqual(document.hit(1, 1), node)
        self.assertIsNone(document.hit(3, 1))
        self.assertIsNone(document.find("no"))
        self.assertIsNone(document.nodes[0].parent)
        self.assertIn(node, node.parent.children)
        self.assertEqual(len(list(document.nodes)), document.node_count)
        self.assertRaises(IndexError, lambda: document.nodes[document.node_count])
        found = [e for e in document.query()["elements"] if e["id"] == "r"]
        self.assertEqual(found[0]["canvas"]["layer_box"], {"x": 0, "y": 0, "width": 2, "height": 2})

    def test_scene_outlives_its_document(self):
        scene = stijl.Document(RED).scene(8)
        self.assertEqual(bytes(stijl.draw(scene, 8, 4)), bytes(stijl.render(RED, 8)))


class Match(unittest.TestCase):
    def test_match(self):
        found = stijl.match("<p class=a>x<b>y</b></p>", [".a > b { color: red } @media print { i { color: red } }"])
        self.assertEqual(
            [(r["selector"], len(r["matches"]), r["active"]) for r in found["rules"]],
            [(".a > b", 1, True), ("i", 0, False)],
        )
        self.assertEqual(found["elements"], 5)
        self.assertRaises(stijl.MalformedError, stijl.match, "<svg", ["a{}"], xml=True)

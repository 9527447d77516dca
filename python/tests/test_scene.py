"""What a program records."""

import math
import unittest

import stijl

try:
    import numpy
except ImportError:
    numpy = None


def pixel(scene, x=0, y=0, size=8, **options):
    data = bytes(stijl.draw(scene, size, size, **options))
    return tuple(data[(y * size + x) * 4 :][:4])


def square(paint, **options):
    scene = stijl.Scene()
    scene.fill(stijl.Path().rect(0, 0, 8, 8), paint, **options)
    return scene


class Recording(unittest.TestCase):
    def test_paths(self):
        path = stijl.Path("M1 1H5V5Z")
        self.assertEqual(path.bounds(), (1, 1, 5, 5))
        self.assertEqual(path.segments()[0], ("M", 1.0, 1.0))
        path.move_to(0, 0).line_to(1, 0).quad_to(2, 0, 2, 1).cubic_to(3, 1, 3, 2, 3, 9).arc_to(
            1, 1, 0, False, True, 4, 9
        ).close()
        self.assertEqual(path.bounds()[3], 9)
        self.assertFalse(stijl.Path())
        self.assertTrue(path)
        self.assertIsNone(stijl.Path().bounds())
        self.assertRaisesRegex(stijl.MalformedError, "byte 3", stijl.Path, "M1 x")
        self.assertRaises(stijl.InvalidArgumentError, path.line_to, math.nan, 0)
        self.assertFalse(path)
        path.add(path.ellipse(5, 5, 2), stijl.Matrix.translate(10, 0))
        self.assertAlmostEqual(path.bounds()[2], 17, 3)

    @unittest.skipUnless(numpy, "no NumPy")
    def test_arrays(self):
        points = numpy.array([[0, 0], [4, 0], [numpy.nan, 1], [4, 4], [0, 4]])
        self.assertEqual([s[0] for s in stijl.Path().lines(points).segments()], ["M", "L", "M", "L"])
        narrow = points[:2].astype(numpy.float32)
        self.assertEqual(
            stijl.Path().lines(narrow[::-1], transform=(2, 0, 0, 2, 1, 0)).segments(), [("M", 9, 0), ("L", 1, 0)]
        )
        noise = numpy.column_stack([numpy.linspace(0, 50, 20000), numpy.random.default_rng(1).uniform(0, 50, 20000)])
        short = stijl.Path().lines(noise, tolerance=0.1)
        kept = numpy.array([s[1:] for s in short.segments()])
        self.assertLess(len(kept), 2100)
        self.assertEqual(short.bounds(), stijl.Path().lines(noise).bounds())
        for strip in range(500):  # the line reaches as high and low in each
            near = abs(noise[:, 0] - strip / 10) < 0.1
            around = abs(kept[:, 0] - strip / 10) < 0.2001
            self.assertGreaterEqual(kept[around, 1].max() + 1e-5, noise[near, 1].max())
        codes = numpy.array([1, 3, 3, 2, 79], numpy.uint8)
        self.assertEqual([s[0] for s in stijl.Path().coded(numpy.ones((5, 2)), codes).segments()], ["M", "Q", "L", "Z"])
        self.assertRaises(ValueError, stijl.Path().coded, numpy.ones((2, 2)), numpy.array([1, 4], numpy.uint8))
        self.assertRaises(TypeError, stijl.Path().lines, numpy.ones((3, 2), int))

    def test_paints(self):
        self.assertEqual(pixel(square("red")), (255, 0, 0, 255))
        self.assertEqual(pixel(square((0, 0, 1, 0.5))), (0, 0, 255, 128))
        self.assertEqual(pixel(square(stijl.Paint.solid("lime", opacity=0.5))), (0, 255, 0, 128))
        stops = [(0, "black"), (1, "white")]
        linear = square(stijl.Paint.linear((0, 0), (8, 0), stops))
        self.assertLess(pixel(linear, 0)[0], pixel(linear, 7)[0])
        radial = square(stijl.Paint.radial((4, 4), 4, stops, spread="reflect"))
        self.assertLess(pixel(radial, 4, 4)[0], pixel(radial, 7, 4)[0])
        sweep = square(stijl.Paint.sweep((4, 4), 0, 360, stops))
        self.assertLess(pixel(sweep, 6, 5)[0], pixel(sweep, 6, 2)[0])
        tile = stijl.Scene()
        tile.fill(stijl.Path().rect(0, 0, 1, 2), "red")
        pattern = square(stijl.Paint.pattern(tile, (0, 0, 2, 2)))
        self.assertEqual([pixel(pattern, x)[3] for x in range(4)], [255, 0, 255, 0])
        self.assertRaises(ValueError, stijl.Paint.solid, "no colour")
        self.assertRaises(TypeError, square, None)

    def test_strokes(self):
        scene = stijl.Scene()
        scene.stroke(stijl.Path("M0 4H8"), "red", width=2, cap="round", join="bevel", dashes=[2, 2])
        self.assertEqual((pixel(scene, 0, 4)[3], pixel(scene, 7, 0)[3]), (255, 0))
        self.assertRaises(ValueError, stijl.Scene().stroke, stijl.Path(), "red", cap="flat")

    def test_layers(self):
        scene = stijl.Scene()
        with scene.layer(opacity=0.5, clip=stijl.Path().rect(0, 0, 4, 8)):
            scene.fill_all("red")
        self.assertEqual((pixel(scene), pixel(scene, 5)), ((255, 0, 0, 128), (0, 0, 0, 0)))
        scene = stijl.Scene()
        with scene.layer():
            scene.fill_all("red")
            with scene.mask("luminance"):
                scene.fill(stijl.Path().rect(0, 0, 4, 8), "white")
        self.assertEqual((pixel(scene), pixel(scene, 5)), ((255, 0, 0, 255), (0, 0, 0, 0)))
        scene = square("lime")
        with scene.layer(blend="multiply"):
            scene.fill_all("red")
        self.assertEqual(pixel(scene), (0, 0, 0, 255))

    def test_filters(self):
        invert, scene = stijl.Filter(), stijl.Scene()
        self.assertEqual(invert.invert(invert.SOURCE, 1), 0)
        with scene.layer(filter=invert):
            scene.fill_all("red")
        self.assertEqual(pixel(scene), (0, 255, 255, 255))
        f = stijl.Filter()
        soft = f.blur(f.SOURCE_ALPHA, 2)
        tinted = f.composite(f.flood("blue"), soft, "in")
        self.assertEqual(f.merge([tinted, f.SOURCE]), 3)
        f.transfer(0, ("table", [0, 1]), ("gamma", 1, 2, 0))
        f.convolve(0, [0, 1, 0, 1, 1, 1, 0, 1, 0], 3)
        f.turbulence(0.1, octaves=2)
        f.specular_light(0, at=(1, 1, 5))
        self.assertRaises(stijl.InvalidArgumentError, f.blur, 99, 1)

    def test_images(self):
        picture = stijl.draw(square("red"), 2, 2)
        scene = stijl.Scene()
        scene.image(stijl.image(picture), transform=stijl.Matrix.translate(4, 0), sampling="nearest")
        self.assertEqual((pixel(scene, 3), pixel(scene, 4)), ((0, 0, 0, 0), (255, 0, 0, 255)))
        self.assertEqual(bytes(stijl.image(stijl.draw(square((1, 0, 0, 0.5)), 1, 1))), b"\x80\0\0\x80")
        self.assertEqual(bytes(stijl.image(picture.to_png())), bytes(picture))
        self.assertRaises(stijl.Error, stijl.image, b"no image")
        self.assertRaises(stijl.InvalidArgumentError, stijl.image, 5)

    @unittest.skipUnless(numpy, "no NumPy")
    def test_images_of_arrays(self):
        rgb = numpy.arange(18, dtype=numpy.uint8).reshape(2, 3, 3)
        self.assertEqual(numpy.asarray(stijl.image(rgb))[1, 2].tolist(), [15, 16, 17, 255])
        self.assertEqual(numpy.asarray(stijl.image(rgb[::-1, ::-1]))[0, 0].tolist(), [15, 16, 17, 255])
        self.assertEqual(numpy.asarray(stijl.image(rgb, "BGRA"))[1, 2].tolist(), [17, 16, 15, 255])
        grey = numpy.array([[1, 2]], numpy.uint8)
        self.assertEqual(bytes(stijl.image(grey)), b"\1\2")
        self.assertRaises(TypeError, stijl.image, rgb.astype(float))

    def test_states(self):
        scene = square("red")
        pixel(scene)
        self.assertRaises(stijl.InvalidStateError, scene.fill_all, "red")
        self.assertEqual(scene.bounds(), (0, 0, 8, 8))
        outer = stijl.Scene()
        outer.add(scene, stijl.Matrix.scale(0.5))
        self.assertEqual((pixel(outer, 3), pixel(outer, 4)), ((255, 0, 0, 255), (0, 0, 0, 0)))
        self.assertRaises(
            stijl.InvalidArgumentError, stijl.Scene().fill, stijl.Path("M0 0"), "red", transform=(math.inf,) * 6
        )
        unfinished = stijl.Scene()
        layer = unfinished.layer()
        self.assertRaises(stijl.InvalidStateError, unfinished.finish)
        self.assertTrue(layer)

    def test_changes(self):
        scene = stijl.Scene()
        scene.fill(stijl.Path().rect(0, 0, 8, 8), "red")
        moved = scene.draw_count
        scene.fill(stijl.Path().rect(0, 0, 4, 4), "lime")
        with scene.layer(opacity=0.5) as _:
            scene.fill_all("blue")
        self.assertEqual((moved, scene.draw_count), (1, 5))
        self.assertRaisesRegex(stijl.InvalidStateError, "finished", scene.change, moved, hidden=True)
        self.assertEqual(pixel(scene), (0, 127, 128, 255))
        scene.change(2, hidden=True)
        self.assertEqual(pixel(scene), (0, 255, 0, 255))
        scene.change(moved, transform=stijl.Matrix.translate(4, 0), paint="white")
        self.assertEqual((pixel(scene), pixel(scene, 5)), ((255, 0, 0, 255), (255, 255, 255, 255)))
        scene.change(2, hidden=False, opacity=1)
        self.assertEqual(pixel(scene), (0, 0, 255, 255))
        gradient = stijl.Paint.linear((0, 0), (8, 0), [(0, "black"), (1, "white")])
        scene.change(3, paint=gradient)
        self.assertLess(pixel(scene)[0], pixel(scene, 7)[0])
        self.assertRaisesRegex(stijl.InvalidArgumentError, "number 9", scene.change, 9, hidden=True)
        self.assertRaises(TypeError, scene.change, 0, opacity="much")
        shown = stijl.Paint.pattern(scene, (0, 0, 8, 8))
        self.assertRaisesRegex(stijl.InvalidStateError, "using the scene", scene.change, 0, hidden=True)
        del shown
        scene.change(0, hidden=True)

    def test_saved(self):
        scene, width, height = stijl.Scene.load(square("red").to_bytes(8, 7))
        self.assertEqual((width, height, pixel(scene)), (8, 7, (255, 0, 0, 255)))
        self.assertRaises(stijl.MalformedError, stijl.Scene.load, b"nothing")

    def test_regions(self):
        scene = square(stijl.Paint.linear((0, 0), (8, 8), [(0, "red"), (1, "blue")]))
        whole = bytes(stijl.draw(scene, 8, 8))
        part = stijl.draw(scene, 8, 8, region=(2, 3, 6, 5))
        self.assertEqual(part.size, (4, 2))
        self.assertEqual(bytes(part)[:16], whole[(3 * 8 + 2) * 4 :][:16])
        self.assertRaises(stijl.InvalidArgumentError, stijl.draw, scene, 8, 8, region=(2, 3, 9, 5))

    def test_matrices(self):
        m = stijl.Matrix.translate(1, 2) @ stijl.Matrix.scale(2)
        self.assertEqual(m.apply((1, 1)), (3, 4))
        self.assertEqual(m.inverse().apply((3, 4)), (1, 1))
        self.assertEqual(stijl.Matrix.rotate(90).apply((1, 0)), (0, 1))
        self.assertRaises(stijl.InvalidArgumentError, stijl.Matrix.scale(0).inverse)


class Many(unittest.TestCase):
    def scene(self, color):
        scene = stijl.Scene()
        scene.fill(stijl.Path().ellipse(10, 10, 8, 6), color)
        return scene

    def test_pictures(self):
        red, blue = self.scene("red"), self.scene("blue")
        half = stijl.Matrix.scale(0.5)
        placed = [(red, (0, 0, 20, 16)), (blue, (20, 4, 40, 20), half, "rgb(0 255 0 / 50%)")]
        pixels = bytes(stijl.Renderer(threads=2).render_many([*placed, (red, (0, 16, 10, 26), half)], 40, 30))
        row = lambda picture, width, y, x0, x1: picture[4 * (width * y + x0) : 4 * (width * y + x1)]
        alone = bytes(stijl.draw(red, 20, 16))
        turned = bytes(stijl.draw(blue, 20, 16, transform=half, background="rgb(0 255 0 / 50%)"))
        for y in range(16):
            self.assertEqual(row(pixels, 40, y, 0, 20), row(alone, 20, y, 0, 20))
            self.assertEqual(row(pixels, 40, y + 4, 20, 40), row(turned, 20, y, 0, 20))
        self.assertEqual(row(pixels, 40, 29, 0, 40), bytes(160))

    def test_errors(self):
        renderer, red = stijl.Renderer(), self.scene("red")
        out = bytearray(4 * 4 * 4)
        self.assertEqual(renderer.render_many([], 4, 4).size, (4, 4))
        for wrong in ([red], [(red,)], [(red, (0, 0, 5))], [("red", (0, 0, 4, 4))], 5):
            self.assertRaises((TypeError, stijl.InvalidArgumentError), renderer.render_many, wrong, 4, 4)
        with self.assertRaisesRegex(stijl.InvalidArgumentError, "1"):
            renderer.render_many([(red, (0, 0, 2, 2)), (red, (1, 1, 4, 4))], 4, 4)
        self.assertRaises(stijl.InvalidArgumentError, renderer.render_many, [(red, (0, 0, 5, 4))], 4, 4)
        view = memoryview(out).cast("B", (4, 4, 4))
        self.assertIs(renderer.render_many(((red, (0, 0, 4, 4)) for _ in "a"), 4, 4, out=view), view)


class Texts(unittest.TestCase):
    def setUp(self):
        try:
            self.text = stijl.Text()
        except stijl.UnsupportedError:
            self.skipTest("built without text")

    def test_text(self):
        text = self.text.append("Ag", size=40).append(" small", size=10).layout(width=200)
        width, height = text.size
        self.assertGreater(width, 20)
        self.assertGreater(height, 30)
        self.assertEqual(sum(line["glyph_count"] for line in text.lines()), len(text.glyphs()))
        self.assertEqual(text.hit(0, 0), 0)
        self.assertEqual(text.caret(0)["line"], 0)
        scene = stijl.Scene()
        scene.text(text, "black")
        scene.text_stroke(text, "red", width=0.5)
        self.assertGreater(max(bytes(stijl.draw(scene, 100, 50, format="A"))), 200)
        self.assertTrue(text.outline())

    def test_states(self):
        self.assertRaises(stijl.InvalidStateError, stijl.Scene().text, self.text.append("a"), "red")
        fonts = stijl.Fonts(system=False)
        self.assertRaises(stijl.InputOutputError, fonts.add_file, "/nowhere.ttf")
        self.assertEqual(fonts.uses(), [])

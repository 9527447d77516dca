"""The backend for matplotlib beside Agg. Skipped where there is no matplotlib; scripts/check --full=python
installs it."""

import io
import time
import unittest
import warnings

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import matplotlib
        import numpy as np
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure

        from stijl.matplotlib import FigureCanvasStijl
except ImportError:
    matplotlib = None


def lines(figure, random):
    ax = figure.subplots()
    x = np.linspace(0, 6, 200)
    for i, style in enumerate(["-", "--", "-.", ":"]):
        ax.plot(x, np.sin(x + i), style, lw=1 + i, label=style)
    ax.grid()
    ax.legend()


def gaps(figure, random):
    y = random.random(60)
    y[::7] = np.nan
    figure.subplots().plot(y, "o-")


def scatter(figure, random):
    ax = figure.subplots()
    figure.colorbar(ax.scatter(*random.random((2, 100)), c=random.random(100), s=400 * random.random(100), alpha=0.5))


def markers(figure, random):
    ax = figure.subplots()
    for i, marker in enumerate("ov^<>8sp*hHDdPX+x12"):
        ax.plot(np.arange(5), np.full(5, i), marker, ms=8)


def bars(figure, random):
    figure.subplots().bar(range(5), random.random(5), yerr=0.1, capsize=4, edgecolor="k")


def hatches(figure, random):
    ax = figure.subplots()
    for i, hatch in enumerate(["/", "\\", "|", "-", "+", "x", "o", "O", ".", "*"]):
        ax.bar(i, 2, hatch=hatch, fc="w", ec="g")


def histograms(figure, random):
    ax = figure.subplots()
    ax.hist(random.normal(size=1000), bins=40, histtype="stepfilled", alpha=0.6)
    ax.hist(random.normal(size=1000), bins=40, histtype="step")


def pie(figure, random):
    figure.subplots().pie([1, 2, 3, 4], labels=list("abcd"), autopct="%d%%", explode=(0, 0.1, 0, 0), shadow=True)


def image(figure, random):
    figure.subplots().imshow(random.random((20, 20)), interpolation="bilinear", alpha=0.8)


def clipped_image(figure, random):
    ax = figure.subplots()
    ax.imshow(random.random((10, 10))).set_clip_path(matplotlib.patches.Circle((5, 5), 4, transform=ax.transData))


def contours(figure, random):
    x, y = np.mgrid[-2:2:80j, -2:2:80j]
    ax = figure.subplots(1, 2)
    ax[0].clabel(ax[0].contour(x, y, np.exp(-(x**2) - y**2) * x))
    ax[1].contourf(x, y, np.exp(-(x**2) - y**2) * x, 20)


def mesh(figure, random):
    figure.subplots().pcolormesh(random.random((15, 15)))


def polar(figure, random):
    t = np.linspace(0, 10, 200)
    figure.subplots(subplot_kw={"projection": "polar"}).plot(t, t)


def arrows(figure, random):
    x, y = np.mgrid[0:5, 0:5]
    ax = figure.subplots(1, 2)
    ax[0].quiver(x, y, np.sin(x), np.cos(y))
    y, x = np.mgrid[-3:3:50j, -3:3:50j]
    ax[1].streamplot(x, y, -1 - x**2 + y, 1 + x - y**2)


def between(figure, random):
    x = np.linspace(0, 6, 100)
    figure.subplots().fill_between(x, np.sin(x), np.cos(x), alpha=0.4, where=np.sin(x) > np.cos(x))


def statistics(figure, random):
    ax = figure.subplots(1, 2)
    ax[0].boxplot([random.normal(size=50) for _ in range(4)], notch=True)
    ax[1].violinplot([random.normal(size=50) for _ in range(4)])


def errors(figure, random):
    figure.subplots().errorbar(range(6), random.random(6), xerr=0.2, yerr=0.1, fmt="s", ecolor="r")


def stems(figure, random):
    ax = figure.subplots(1, 2)
    ax[0].stem(random.random(20))
    ax[1].step(range(10), random.random(10), where="mid")


def notes(figure, random):
    figure.subplots().annotate(
        "here",
        (0.5, 0.5),
        (0.8, 0.8),
        bbox={"boxstyle": "round", "fc": "y"},
        arrowprops={"arrowstyle": "->", "connectionstyle": "arc3,rad=.3"},
    )


def formula(figure, random):
    figure.text(0.1, 0.5, r"$\sum_{i=0}^\infty \frac{x_i}{\sqrt{2\pi}}$ rotated", rotation=30, size=24)


def logarithmic(figure, random):
    ax = figure.subplots()
    ax.loglog(np.logspace(0, 4, 50), np.logspace(0, 3, 50) ** 2)
    ax.grid(which="both")


def surface(figure, random):
    x, y = np.mgrid[-2:2:30j, -2:2:30j]
    figure.subplots(subplot_kw={"projection": "3d"}).plot_surface(x, y, np.sin(x * y), cmap="viridis")


def hexagons(figure, random):
    figure.subplots().hexbin(*random.normal(size=(2, 2000)), gridsize=20)


def collection(figure, random):
    figure.subplots().add_collection(
        LineCollection(random.random((50, 2, 2)), array=random.random(50), linestyles="--")
    )


def sketched(figure, random):
    figure.subplots().plot(range(10))[0].set_sketch_params(3, 100, 20)


FIGURES = [
    lines,
    gaps,
    scatter,
    markers,
    bars,
    hatches,
    histograms,
    pie,
    image,
    clipped_image,
    contours,
    mesh,
    polar,
    arrows,
    between,
    statistics,
    errors,
    stems,
    notes,
    formula,
    logarithmic,
    surface,
    hexagons,
    collection,
    sketched,
]
# Text is unhinted here, and edges are rounded otherwise; what is out of place by a pixel shows above this.
MOST = 7.0


def draw(canvas_class, figure):
    canvas = canvas_class(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba()).astype(float)


@unittest.skipUnless(matplotlib, "no matplotlib")
class Matplotlib(unittest.TestCase):
    def test_beside_agg(self):
        for function in FIGURES:
            with self.subTest(figure=function.__name__):
                figure = Figure()
                function(figure, np.random.default_rng(3))
                agg, ours = draw(FigureCanvasAgg, figure), draw(FigureCanvasStijl, figure)
                self.assertEqual(agg.shape, ours.shape)
                self.assertLess(np.sqrt(((agg - ours) ** 2).mean()), MOST)

    def test_comparison_finds_what_is_a_pixel_off(self):
        figure = Figure()
        lines(figure, None)
        agg = draw(FigureCanvasAgg, figure)
        self.assertGreater(np.sqrt(((agg - np.roll(agg, 1, axis=0)) ** 2).mean()), MOST)

    def test_a_million_points(self):
        random = np.random.default_rng(0)
        n = 10**6
        for y in (np.cumsum(random.normal(size=n)), random.normal(size=n)):
            figure = Figure()
            figure.subplots().plot(np.linspace(0, 1, n), y, lw=1)
            seconds = {}  # of the processor, all threads together
            for canvas_class in (FigureCanvasAgg, FigureCanvasStijl) * 3:
                start = time.process_time()
                draw(canvas_class, figure)
                took = time.process_time() - start
                seconds[canvas_class] = min(took, seconds.get(canvas_class, took))
            # (A fifth is the aim, for lines that turn often; see docs/python.md.)
            self.assertLess(seconds[FigureCanvasStijl], seconds[FigureCanvasAgg] / 2)

    def test_no_limit_of_cells(self):
        with matplotlib.rc_context({"path.simplify": False, "agg.path.chunksize": 0}):
            figure = Figure()
            figure.add_axes((0, 0, 1, 1)).plot(np.random.default_rng(0).normal(size=100000), lw=0.5)
            self.assertLess(draw(FigureCanvasStijl, figure)[..., :3].min(), 60)

    def test_files(self):
        figure = Figure()
        FigureCanvasStijl(figure)
        lines(figure, None)
        for name, magic in (("png", b"\x89PNG"), ("jpg", b"\xff\xd8"), ("rgba", b"\xff\xff\xff\xff")):
            file = io.BytesIO()
            figure.savefig(file, format=name)
            self.assertEqual(file.getvalue()[: len(magic)], magic)

    def test_filters(self):
        figure = Figure()
        (line,) = figure.subplots().plot([1, 2, 1], lw=9)
        line.set_agg_filter(lambda image, dpi: (np.ones_like(image), 0, 0))
        self.assertLess(np.sqrt(((draw(FigureCanvasAgg, figure) - draw(FigureCanvasStijl, figure)) ** 2).mean()), MOST)

"""A backend for matplotlib: matplotlib.use("module://stijl.matplotlib").

A figure is recorded as one scene and drawn at once, so that a path has no limit of cells and is never cut into chunks.
Paths are snapped to pixels as Agg's are. Text is drawn by its outlines. Gouraud triangles are not drawn (a
NotImplementedError of matplotlib's says so), and there is no blitting: figures are for files and notebooks.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple, cast

import numpy as np
from matplotlib import cbook
from matplotlib.backend_bases import FigureManagerBase, GraphicsContextBase, RendererBase, _Backend
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.path import Path as MplPath
from matplotlib.transforms import Affine2D

from . import _stijl
from .picture import Picture

_CAPS: Dict[str, Any] = {"butt": "butt", "round": "round", "projecting": "square"}
_SNAPPED = 1024  # vertices: Agg snaps no longer path by itself


class RendererStijl(RendererBase):
    """Records what a figure draws, in pixels from the top."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__()
        self.width, self.height, self.dpi = int(width), int(height), dpi
        self._flip = Affine2D().scale(1, -1).translate(0, self.height)
        self._waiting: List[_stijl.Scene] = []
        self.clear()

    def clear(self) -> None:
        """Forgets all that was drawn."""
        self._scene = _stijl.Scene()
        self._layers: List[Any] = []
        self._clip: Any = None
        self._picture: Picture | None = None

    # --- what matplotlib asks ---

    def get_canvas_width_height(self) -> Tuple[float, float]:
        return self.width, self.height

    def points_to_pixels(self, points: Any) -> Any:
        return points * self.dpi / 72

    def option_image_nocomposite(self) -> bool:
        return True  # images are drawn one by one; nothing is gained by joining them

    # --- clipping ---

    def _open(self, gc: GraphicsContextBase) -> _stijl.Scene:
        """The scene, within the clips of gc. Draws that follow one another with the same clips share their layers."""
        if self._picture is not None:  # drawn before all is there: go on above it
            scene = _stijl.Scene()
            scene.add(self._scene)
            self._scene, self._picture = scene, None
        box = gc.get_clip_rectangle()
        path, transform = cast(Any, gc.get_clip_path())
        bounds = None if box is None else tuple(box.extents)
        key = (
            bounds,
            id(path) if path is not None else None,
            None if transform is None else transform.get_matrix().tobytes(),
        )
        if self._clip is None or self._clip[0] != key:
            self._close()
            self._clip = (key, path)  # held, so that its id stays its own
            if bounds is not None:
                self._push(_stijl.Path().rect(*self._clip_rectangle(bounds)))
            if path is not None:
                self._push(self._convert(path, (transform + self._flip), None))
        return self._scene

    def _clip_rectangle(self, bounds: Sequence[float]) -> Tuple[float, float, float, float]:
        x0, x1 = (np.floor(np.clip(bounds[i], -1e6, 1e6) + 0.5) for i in (0, 2))
        y0, y1 = (np.floor(self.height - np.clip(bounds[i], -1e6, 1e6) + 0.5) for i in (3, 1))
        return float(x0), float(y0), float(max(x1 - x0, 0)), float(max(y1 - y0, 0))

    def _push(self, clip: _stijl.Path) -> None:
        layer = self._scene.layer(clip=clip)
        layer.__enter__()
        self._layers.append(layer)

    def _close(self) -> None:
        while self._layers:
            self._layers.pop().__exit__(None, None, None)
        self._clip = None

    # --- paths ---

    def _convert(
        self, path: MplPath, transform: Any, gc: GraphicsContextBase | None, filled: bool = True, width: float = 0.0
    ) -> _stijl.Path:
        """A path in pixels, snapped and sketched as gc asks."""
        sketch = gc.get_sketch_params() if gc is not None else None
        snap = gc.get_snap() if gc is not None else False
        if sketch is None and (snap is False or (snap is None and len(np.asarray(path.vertices)) > _SNAPPED)):
            m = transform.get_matrix()
            matrix = (m[0, 0], m[1, 0], m[0, 1], m[1, 1], m[0, 2], m[1, 2])
            vertices = np.asarray(path.vertices, float)
            if path.codes is None:
                tolerance = path.simplify_threshold if path.should_simplify and not filled else 0.0
                return _stijl.Path().lines(vertices, transform=matrix, tolerance=tolerance)
            return _stijl.Path().coded(vertices, np.asarray(path.codes, np.uint8), matrix)
        clean = path.cleaned(
            transform,
            remove_nans=True,
            snap=snap,
            stroke_width=width,
            curves=True,
            sketch=sketch,
            simplify=path.should_simplify and not filled,
        )
        return _stijl.Path().coded(clean.vertices, clean.codes)

    def _paint(self, gc: GraphicsContextBase, color: Sequence[float]) -> _stijl.Paint:
        return _stijl.Paint.solid(tuple(color), aliased=not gc.get_antialiased())

    def _colors(self, gc: GraphicsContextBase, face: Any) -> Tuple[Any, Any, float]:
        """The colours that fill and stroke, None for none, and the line's width in pixels."""
        if face is not None:
            face = tuple(face[:3]) + ((gc.get_alpha(),) if gc.get_forced_alpha() or len(face) == 3 else (face[3],))
            face = face if face[3] > 0 else None
        width = float(self.points_to_pixels(gc.get_linewidth()))
        line = gc.get_rgb() if width > 0 and gc.get_rgb()[3] > 0 else None
        return face, line, width if line is not None else 0.0

    def _stroke(
        self, scene: _stijl.Scene, gc: GraphicsContextBase, path: _stijl.Path, color: Any, width: float
    ) -> None:
        offset, dashes = gc.get_dashes()
        scene.stroke(
            path,
            self._paint(gc, color),
            width=width,
            cap=_CAPS[gc.get_capstyle()],
            join=gc.get_joinstyle(),
            dashes=None if dashes is None else [float(self.points_to_pixels(d)) for d in cast(Any, dashes)],
            dash_offset=float(self.points_to_pixels(offset or 0)),
        )

    def _paint_path(
        self, scene: _stijl.Scene, gc: GraphicsContextBase, path: _stijl.Path, face: Any, line: Any, width: float
    ) -> None:
        if face is not None:
            scene.fill(path, self._paint(gc, face))
        hatch = gc.get_hatch_path()
        if hatch is not None:
            scene.fill(path, self._hatch(gc, hatch))
        if line is not None:
            self._stroke(scene, gc, path, line, width)

    def _hatch(self, gc: GraphicsContextBase, hatch: MplPath) -> _stijl.Paint:
        """A pattern whose tile is an inch, as Agg's is."""
        size = int(self.dpi)
        tile = _stijl.Scene()
        path = self._convert(hatch, Affine2D().scale(1, -1).translate(0, 1).scale(size), None)
        color = to_rgba(gc.get_hatch_color())
        tile.fill(path, color)
        tile.stroke(path, color, width=float(self.points_to_pixels(gc.get_hatch_linewidth())), cap="square")
        return _stijl.Paint.pattern(tile, (0, 0, size, size))

    def draw_path(self, gc: GraphicsContextBase, path: MplPath, transform: Any, rgbFace: Any = None) -> None:
        scene = self._open(gc)
        face, line, width = self._colors(gc, rgbFace)
        self._paint_path(
            scene, gc, self._convert(path, transform + self._flip, gc, face is not None, width), face, line, width
        )

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: MplPath,
        marker_trans: Any,
        path: MplPath,
        trans: Any,
        rgbFace: Any = None,
    ) -> None:
        scene = self._open(gc)
        face, line, width = self._colors(gc, rgbFace)
        marker = _stijl.Scene()
        shape = self._convert(marker_path, marker_trans + Affine2D().scale(1, -1), gc, face is not None, width)
        self._paint_path(marker, gc, shape, face, line, width)
        clean = path.cleaned(trans + self._flip, remove_nans=True, curves=False)
        ends = (clean.codes == MplPath.MOVETO) | (clean.codes == MplPath.LINETO)
        places = np.floor(
            np.asarray(clean.vertices, float)[ends] + 0.5
        )
        for x, y in places[(np.abs(places) < 1e6).all(axis=1)].tolist():
            scene.add(marker, (1, 0, 0, 1, x, y))

    # --- images and text ---

    def draw_image(self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None) -> None:
        scene = self._open(gc)
        image = _stijl.Image(np.ascontiguousarray(im[::-1]))
        place = (1.0, 0.0, 0.0, 1.0, round(x), self.height - round(y) - im.shape[0])
        scene.image(image, transform=place, sampling="nearest")  # its alpha has that of gc already

    # --- filters of artists (Artist.set_agg_filter) ---

    def start_filter(self) -> None:
        """What follows is drawn by itself, and given to stop_filter's function."""
        self._close()
        self._waiting.append(self._scene)
        self.clear()

    def stop_filter(self, post_processing: Callable[..., Any]) -> None:
        """Draws what the function makes of the picture: (image, x offset, y offset)."""
        drawn = np.asarray(self.draw_all())
        self.clear()
        self._scene = self._waiting.pop()
        rows, columns = cast(Any, cbook)._get_nonzero_slices(drawn[..., 3])
        if drawn[rows, columns].size:
            image, x, y = post_processing(drawn[rows, columns] / 255, self.dpi)
            if image.dtype.kind == "f":
                image = np.asarray(image * 255.0, np.uint8)
            gc = self.new_gc()
            self.draw_image(gc, columns.start + x, self.height - rows.stop + y, image[::-1])

    # --- the picture ---

    def draw_all(self) -> Picture:
        """The picture of all that was recorded."""
        if self._picture is None:
            self._close()
            self._picture = _stijl.render_scene(self._scene, self.width, self.height)
        return self._picture

    def buffer_rgba(self) -> memoryview:
        return memoryview(self.draw_all())

    def tostring_argb(self) -> bytes:
        return np.roll(np.asarray(self.draw_all()), 1, axis=2).tobytes()


class FigureCanvasStijl(FigureCanvasAgg):
    """A canvas whose files are Agg's: print_png, print_jpg, print_raw, ..."""

    supports_blit = False

    def get_renderer(self) -> RendererStijl:
        width, height = self.figure.bbox.size
        key = width, height, self.figure.dpi
        if getattr(self, "_key", None) != key:
            self._key, self.renderer = key, RendererStijl(width, height, self.figure.dpi)
        renderer: RendererStijl = self.renderer
        return renderer

    def buffer_rgba(self) -> memoryview:
        return self.get_renderer().buffer_rgba()


@_Backend.export
class _BackendStijl(_Backend):
    FigureCanvas = FigureCanvasStijl
    FigureManager = FigureManagerBase

"""stijl, a 2D vector renderer: SVG or a recorded scene in, pixels out, the same bits everywhere.

    import stijl
    stijl.render("drawing.svg", width=1024).save("drawing.png")

`render` draws a document at once, `Document` looks into one. A `Scene` records fills and strokes of a `Path` with a
`Paint`, images, text and layers, and is drawn by `draw` or a `Renderer`. `match` says which rules of style
sheets apply.
"""

from __future__ import annotations

import os
from typing import Any, Tuple, Union

from ._stijl import Budget, Filter, Fonts, Image, Paint, Path, Renderer, Scene, Text
from ._stijl import color, version as __version__
from ._stijl import render_scene as draw
from .css import match
from .document import Document, Node, Source
from .errors import (
    CancelledError,
    DeviceError,
    DocumentWarning,
    Error,
    InputOutputError,
    InvalidArgumentError,
    InvalidStateError,
    LimitError,
    MalformedError,
    OutOfMemoryError,
    RefusedError,
    UnsupportedError,
)
from .matrix import Matrix
from .picture import Picture, image

# fontconfig, as it is within a wheel, reads the machine's configuration. Where there is none it would complain, and
# know of no families: then ours stands for it.
if not any(os.environ.get(name) for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH")):
    if not os.path.exists("/etc/fonts/fonts.conf"):
        os.environ["FONTCONFIG_FILE"] = os.path.join(os.path.dirname(__file__), "fonts.conf")

Color = Union[str, Tuple[float, float, float], Tuple[float, float, float, float]]

__all__ = [
    "Budget",
    "CancelledError",
    "Color",
    "DeviceError",
    "Document",
    "DocumentWarning",
    "Error",
    "Filter",
    "Fonts",
    "Image",
    "InputOutputError",
    "InvalidArgumentError",
    "InvalidStateError",
    "LimitError",
    "MalformedError",
    "Matrix",
    "Node",
    "OutOfMemoryError",
    "Paint",
    "Path",
    "Picture",
    "RefusedError",
    "Renderer",
    "Scene",
    "Text",
    "UnsupportedError",
    "color",
    "draw",
    "image",
    "match",
    "render",
]


def render(
    svg: Source | Document,
    width: int | None = None,
    height: int | None = None,
    *,
    zoom: float = 1.0,
    background: Color | None = None,
    format: str = "RGBA",
    id: str | None = None,
    renderer: Renderer | None = None,
    out: Any = None,
    **loading: Any,
) -> Picture:
    """Draws an SVG document: its text, its bytes, or the path of its file.

    width and height are a box that the picture fits into; one alone, or neither, keeps the document's own shape or
    size, times `zoom`. The background is a colour, by default transparent. Formats are RGBA, BGRA (straight colours),
    RGBa, BGRa (premultiplied: the fastest) and A. `id` draws one element alone. `out`: an array that the pixels go
    into, and that is returned. What else Document takes is taken here.
    """
    document = svg if isinstance(svg, Document) else Document(svg, **loading)
    what: Document | Node | None = document if id is None else document.find(id)
    if what is None:
        raise InvalidArgumentError(f"no element with the id {id!r} draws anything")
    return what.render(width, height, zoom=zoom, background=background, format=format, renderer=renderer, out=out)

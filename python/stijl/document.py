"""SVG documents, and what they draw."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Dict, Iterator, List, Tuple, Union

from . import _stijl
from .errors import InvalidArgumentError, LimitError
from .matrix import Matrix, Rect
from .picture import Picture

Source = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]"]


def read(source: Source) -> Tuple[bytes | bytearray | memoryview, str | None]:
    """A document's bytes, and the folder that it lies in. Text that begins with "<" is itself, any other a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source, None
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        return source.encode(), None
    path = FilePath(source)
    return path.read_bytes(), str(path.parent)


@dataclass(frozen=True)
class Node:
    """Something that a document draws. Nodes are numbered in painting order; the root is 0."""

    document: Document = field(repr=False, compare=False)
    index: int
    kind: str  # group, shape, image, text
    element: str  # the name of the element; "" where there is none
    id: str
    end: int  # its subtree are the nodes from it to before this one
    parent_index: int | None
    transform: Matrix  # from its user space to the one around it
    to_canvas: Matrix  # to CSS pixels of the document

    @property
    def parent(self) -> Node | None:
        """The node around it."""
        return None if self.parent_index is None else self.document.nodes[self.parent_index]

    @property
    def children(self) -> List[Node]:
        """The nodes directly within it."""
        found, index = [], self.index + 1
        while index < self.end:
            found.append(self.document.nodes[index])
            index = found[-1].end
        return found

    def box(self, which: str = "layer", *, canvas: bool = True) -> Rect | None:
        """The smallest upright rectangle (x0, y0, x1, y1) that holds it, on the canvas or in its user space.

        `which`: "object", its outlines; "stroke", with strokes; "layer", of what is drawn, filtered, within clips and
        masks. None where there is none.
        """
        return self.document._box(self.index, which, canvas)

    def scene(self, width: float | None = None, height: float | None = None, *, zoom: float = 1.0) -> _stijl.Scene:
        """The node alone, its layer box scaled to fit."""
        fitted = self._fit(width, height, zoom)
        return self.document._record(fitted[0], fitted[1], self.index)

    def render(self, width: int | None = None, height: int | None = None, **options: Any) -> Picture:
        """The node alone, as Document.render draws the whole."""
        zoom = options.pop("zoom", 1.0)
        fitted = self._fit(width, height, zoom)
        return draw(self.document._record(fitted[0], fitted[1], self.index), fitted, **options)

    def _fit(self, width: float | None, height: float | None, zoom: float) -> Tuple[float, float, float, float]:
        box = self.box()
        if box is None or not (box[2] > box[0] and box[3] > box[1]):
            raise InvalidArgumentError(f"the element {self.id or self.element!r} draws nothing")
        return fit(box[2] - box[0], box[3] - box[1], width, height, zoom)


class Nodes:
    """All nodes of a document, a sequence."""

    __slots__ = ("_document",)

    def __init__(self, document: Document) -> None:
        self._document = document

    def __len__(self) -> int:
        return self._document.node_count

    def __getitem__(self, index: int) -> Node:
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("no such node")
        kind, element, id, end, parent, transform, to_canvas = self._document._node(index)
        return Node(self._document, index, kind, element, id, end, parent, Matrix(*transform), Matrix(*to_canvas))

    def __iter__(self) -> Iterator[Node]:
        return (self[i] for i in range(len(self)))


class Document(_stijl.Document):
    """An SVG document, loaded.

    `source` is its text, its bytes, or the path of its file; files may be gzipped. A document with a path may refer to
    files in its folder and below, and to none elsewhere unless `allow_all_files`; `base_folder` tells another folder.
    What it asks for and its picture will lack is a DocumentWarning. Limits that are reached are a LimitError.
    """

    __slots__ = ()

    def __new__(
        cls,
        source: Source,
        *,
        base_folder: str | os.PathLike[str] | None = None,
        allow_all_files: bool = False,
        dpi: float = 96.0,
        language: str = "en",
        style_sheet: str | None = None,
        fonts: _stijl.Fonts | None = None,
        font_size: float = 16.0,
        max_bytes: int = 1 << 28,
        max_elements: int = 1 << 20,
        max_depth: int = 256,
        max_image_pixels: int = 1 << 28,
        budget: _stijl.Budget | None = None,
    ) -> Document:
        data, folder = read(source)
        return super().__new__(
            cls,
            data,
            base_folder=folder if base_folder is None else os.fspath(base_folder),
            allow_all_files=allow_all_files,
            dpi=dpi,
            language=language,
            style_sheet=style_sheet,
            fonts=fonts,
            font_size=font_size,
            max_bytes=max_bytes,
            max_elements=max_elements,
            max_depth=max_depth,
            max_image_pixels=max_image_pixels,
            budget=budget,
        )

    @property
    def nodes(self) -> Nodes:
        """What the document draws."""
        return Nodes(self)

    def find(self, id: str) -> Node | None:
        """The first node of the element with this id; None where none has it, or it draws nothing."""
        index = self._find(id)
        return None if index is None else self.nodes[index]

    def hit(self, x: float, y: float) -> Node | None:
        """The topmost shape, image or text at a point, in CSS pixels of the document."""
        index = self._hit(x, y)
        return None if index is None else self.nodes[index]

    def scene(self, width: float | None = None, height: float | None = None, *, zoom: float = 1.0) -> _stijl.Scene:
        """What the document draws, scaled to fit into width x height pixels as `render` does."""
        fitted = fit(*self.size, width, height, zoom)
        return self._record(fitted[0], fitted[1])

    def render(self, width: int | None = None, height: int | None = None, **options: Any) -> Picture:
        """A picture of the document; width and height are a box that it fits into. Options as in stijl.render."""
        fitted = fit(*self.size, width, height, options.pop("zoom", 1.0))
        return draw(self._record(fitted[0], fitted[1]), fitted, **options)

    def query(self) -> Dict[str, Any]:
        """Which elements draw, and where: what `stijl query --json` prints."""
        width, height = self.size
        return {"width": width, "height": height, "elements": [describe(n) for n in self.nodes if n.element]}


def fit(
    width: float, height: float, box_width: float | None, box_height: float | None, zoom: float
) -> Tuple[float, float, float, float]:
    """The exact size of what is fitted into a box, and the whole pixels that hold it."""
    for side in (box_width, box_height):
        if side is not None and not 0 < side <= 32767:
            raise InvalidArgumentError(f"a picture's sides have 1 to 32767 pixels, not {side}")
    fitted = _stijl.fit(width, height, box_width or 0, box_height or 0, zoom)
    if not (fitted[2] <= 32767 and fitted[3] <= 32767):
        raise LimitError(f"a picture of {fitted[2]:.0f} x {fitted[3]:.0f} pixels is too large: 32767 is the most")
    return fitted


def draw(scene: _stijl.Scene, fitted: Tuple[float, float, float, float], **options: Any) -> Picture:
    """Draws what was recorded for this size."""
    renderer = options.pop("renderer", None)
    function = _stijl.render_scene if renderer is None else renderer.render
    picture: Picture = function(scene, int(fitted[2]), int(fitted[3]), **options)
    return picture


def describe(node: Node) -> Dict[str, Any]:
    """A node as JSON has it."""

    def boxes(canvas: bool) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for which in ("object", "stroke", "layer"):
            box = node.box(which, canvas=canvas)
            found[which + "_box"] = box and {
                "x": box[0],
                "y": box[1],
                "width": box[2] - box[0],
                "height": box[3] - box[1],
            }
        return found

    return {
        "node": node.index,
        "element": node.element,
        "id": node.id,
        "kind": node.kind,
        "parent": node.parent_index,
        "transform": list(node.transform),
        **boxes(False),
        "canvas": {"transform": list(node.to_canvas), **boxes(True)},
    }

"""Pictures: pixels that NumPy and Pillow share, and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from . import _stijl
from .errors import InvalidArgumentError, UnsupportedError

if TYPE_CHECKING:
    import PIL.Image


class Picture(_stijl.Picture):
    """Pixels: a buffer of height x width x 4 bytes (height x width for the format A).

    numpy.asarray(picture) and memoryview(picture) share its memory. The format is RGBA or BGRA, whose colours are
    straight, or RGBa or BGRa, whose are premultiplied by alpha; they are named as in Pillow.
    """

    __slots__ = ()

    def to_pil(self) -> PIL.Image.Image:
        """A Pillow image. It shares the memory where the format is RGBA, and copies where Pillow changes it."""
        import PIL.Image

        if self.format == "A":
            return PIL.Image.frombuffer("L", self.size, self, "raw", "L", 0, 1)
        if self.format == "RGBA":
            return PIL.Image.frombuffer("RGBA", self.size, self, "raw", "RGBA", 0, 1)
        data = bytes(self)
        if self.format.startswith("B"):
            data = PIL.Image.frombytes("RGBA", self.size, data, "raw", "BGRA").tobytes()
        image = PIL.Image.frombytes("RGBA" if self.format.endswith("A") else "RGBa", self.size, data)
        return image if image.mode == "RGBA" else image.convert("RGBA")

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        quality: float | None = None,
        background: str | Sequence[float] = "white",
        level: int = 1,
    ) -> None:
        """Writes a file; its name tells the format: .png, .webp, .jpg, .ppm, .pam or .rgba (the bytes alone).

        `quality`, 1 to 100: of JPEG, which has 90 without it, and of WebP, which is lossless without it.
        `background`: below what is translucent, in JPEG and PPM.
        `level`: of PNG, 0 (not compressed) to 9 (small); 10 tries all ways.
        """
        path = FilePath(path)
        if not path.suffix:
            raise UnsupportedError(f"{path}: the name has no ending that tells the format, such as .png")
        try:
            data = self.encode(path.suffix, quality=quality, background=background, level=level)
        except UnsupportedError as error:
            raise UnsupportedError(f"{path}: {error} (to_pil() writes what Pillow does)") from None
        path.write_bytes(data)

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        return self.to_png()


_stijl._use_picture(Picture)


def image(source: Any, format: str = "RGBA", *, budget: _stijl.Budget | None = None) -> _stijl.Image:
    """An image to draw, of anything that holds pixels.

    That is a file's path or bytes (PNG, JPEG, WebP, GIF); an array of height x width x 4, x 3 or height x width (alpha)
    bytes, such as NumPy's, whose order and kind of colours `format` tells; a Picture; or an image of Pillow's.
    """
    if isinstance(source, _stijl.Image):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _stijl.Image.decode(FilePath(source).read_bytes(), budget=budget)
    if isinstance(source, (bytes, bytearray)):
        return _stijl.Image.decode(source, budget=budget)
    if hasattr(source, "tobytes") and hasattr(source, "getbands"):
        pil = source if source.mode in ("RGB", "RGBA", "RGBa") else source.convert("RGBA")
        view = memoryview(pil.tobytes()).cast("B", (pil.height, pil.width, len(pil.mode)))
        return _stijl.Image(view, "RGBa" if pil.mode == "RGBa" else "RGBA")
    try:
        memoryview(source).release()
    except TypeError:
        raise InvalidArgumentError(f"neither a file nor pixels: {type(source).__name__}") from None
    return _stijl.Image(source, format)

"""Transforms, in the library's own arithmetic."""

from __future__ import annotations

from typing import NamedTuple, Tuple

from . import _stijl

Point = Tuple[float, float]
Rect = Tuple[float, float, float, float]


class Matrix(NamedTuple):
    """x' = a x + c y + e, y' = b x + d y + f: the order of SVG's matrix(a b c d e f).

    Everywhere a matrix is asked for, any six numbers are one. `outer @ inner` applies the inner one first.
    """

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @classmethod
    def translate(cls, x: float, y: float) -> Matrix:
        """Moves."""
        return cls(1, 0, 0, 1, x, y)

    @classmethod
    def scale(cls, x: float, y: float | None = None) -> Matrix:
        """Scales; one number for both axes."""
        return cls(x, 0, 0, x if y is None else y, 0, 0)

    @classmethod
    def rotate(cls, degrees: float) -> Matrix:
        """Turns x towards y."""
        return cls(*_stijl.matrix_rotate(degrees))

    @classmethod
    def skew(cls, x_degrees: float, y_degrees: float = 0.0) -> Matrix:
        """Skews along both axes."""
        return cls(*_stijl.matrix_skew(x_degrees, y_degrees))

    def __matmul__(self, inner: Matrix) -> Matrix:
        return Matrix(*_stijl.matrix_multiply(self, inner))

    def inverse(self) -> Matrix:
        """InvalidArgumentError where there is none."""
        return Matrix(*_stijl.matrix_invert(self))

    def apply(self, point: Point) -> Point:
        """The transformed point."""
        return _stijl.matrix_apply(self, point)

    def apply_rect(self, rect: Rect) -> Rect:
        """The bounding box of the transformed rectangle."""
        return _stijl.matrix_apply_rect(self, rect)

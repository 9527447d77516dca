"""Style sheets matched against documents."""

from __future__ import annotations

import os
from pathlib import Path as FilePath
from typing import Any, Dict, Iterable

from . import _stijl
from .document import Source, read


def match(
    document: Source,
    sheets: Iterable[str | os.PathLike[str]] = (),
    *,
    name: str | None = None,
    xml: bool | None = None,
    page_sheets: bool | None = None,
    applied: bool = False,
    all_files: bool = False,
    medium: str = "screen",
    width: float = 1280,
    height: float = 800,
    resolution: float = 1,
    dark: bool = False,
    budget: _stijl.Budget | None = None,
) -> Dict[str, Any]:
    """Which rules apply to which elements: what `stijl match --json` prints.

    `document` is HTML or XML: text, bytes or a path. Sheets are paths, or texts of CSS, which have a "{" in them.
    Without any, or with `page_sheets`, those are matched that the document holds and names. With `applied`, conditions
    such as @media have to hold, for the medium that the other arguments describe. `xml`: how it is read, where neither
    the name nor the first bytes tell.

    {"elements": how many, "rules": [{"sheet", "line", "selector", "specificity", "active", "matches": [elements]}]};
    elements are numbered in the document's order.
    """
    data, folder = read(document)
    if name is None and folder is not None:
        name = os.fspath(document)  # type: ignore[arg-type]  # a path, since it has a folder
    pairs = []
    for i, sheet in enumerate(sheets):
        if isinstance(sheet, str) and "{" in sheet:
            pairs.append((f"sheet-{i + 1}", sheet.encode()))
        else:
            pairs.append((os.fspath(sheet), FilePath(sheet).read_bytes()))
    if xml is None:
        xml = (name or "").endswith((".svg", ".xml", ".xhtml")) or bytes(data[:5]).startswith((b"<?xml", b"<svg"))
    return _stijl.match(
        data,
        name,
        xml,
        tuple(pairs),
        not pairs if page_sheets is None else page_sheets,
        applied=applied,
        all_files=all_files,
        medium=medium,
        width=width,
        height=height,
        resolution=resolution,
        dark=dark,
        budget=budget,
    )

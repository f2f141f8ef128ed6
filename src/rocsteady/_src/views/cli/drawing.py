"""Pictures that commands write: --plot."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import refuse_existing, whole_file
from rocsteady._src.base.errors import ArgumentError, printable, require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PICTURES = (".png", ".pdf", ".svg")


def refuse_picture(path: Path | None, *, force: bool) -> None:
    """Refuse a picture that cannot be written, before the work."""
    if path is None:
        return
    refuse_existing(path, force=force)
    if path.suffix.lower() not in PICTURES:
        raise ArgumentError("plot", f"pictures are {', '.join(PICTURES)} files, got {printable(path)}")


def write_picture(draw: Callable[[], Any], path: Path | None, *, force: bool, aloud: bool = True) -> None:
    """Write what ``draw`` displays to a file, if one was asked for."""
    if path is None:
        return
    require("matplotlib", extra="plots", purpose="--plot").use("Agg")
    figure = draw().figure_
    with whole_file(path, force=force) as temporary:
        figure.savefig(temporary, dpi=160)
    if aloud:
        sys.stderr.write(f"Wrote {printable(path)}.\n")

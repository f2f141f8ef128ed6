"""One writer of a checkpoint at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base import locks
from rocsteady._src.base.errors import printable

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path


def locked(path: Path) -> AbstractContextManager[None]:
    """Hold the lock of a file, made if need be; refused while another run holds it."""
    named = printable(path).replace("{", "{{").replace("}", "}}")
    told = f"{named} is being written by another run; wait for it{{more}}, or name another file"
    return locks.locked(path, "checkpoint_in_use", told)

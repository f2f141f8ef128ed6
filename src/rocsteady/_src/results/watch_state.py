"""The file of a watch: written by one run at a time, and never over what another has written meanwhile."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import named_file, refuse_existing, write_whole
from rocsteady._src.base.checksums import KEY, parsed_json
from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.locks import locked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

WAIT = 60.0  # seconds until another look is done
HELD = set[tuple[Path, int]]()  # by which thread of this process


@contextmanager
def state_lock(path: Path | None) -> Iterator[None]:
    """Hold the lock of a state, a file beside it that stays, from before it is read until it is written."""
    if path is None or (path.exists() and not path.is_file()):
        yield
        return
    refuse_existing(path, force=True)
    target = path.resolve()
    mine = (target, threading.get_ident())
    if mine in HELD:
        yield
        return
    named = printable(path).replace("{", "{{").replace("}", "}}")
    told = f"{named} is being brought up to date by another look; wait for it{{more}}, or name another file"
    with locked(target.with_name(f".{target.name}.lock"), "state_in_use", told, wait=WAIT):
        HELD.add(mine)
        try:
            yield
        finally:
            HELD.discard(mine)


def write_state(state: dict[str, Any], path: str | PathLike[str], read: str | None, *, force: bool) -> Path:
    """Write a state; ``read`` is the checksum of the one it goes on from, None where nothing is to be compared."""
    target = named_file(path)
    with state_lock(target):
        if read is not None and target.is_file():
            _refuse_newer(target, (read, state[KEY]))
        write_whole(target, json.dumps(state, separators=(",", ":")), force=force)
    return target


def _refuse_newer(target: Path, known: tuple[str, str]) -> None:
    """Refuse to replace what is neither the state that was read nor the one that is to be written."""
    there = parsed_json(target.read_bytes(), "state", printable(target))
    if not isinstance(there, dict) or there.get(KEY) not in known:
        told = f"{printable(target)} has been written by another look since this one read it"
        raise InputError("state_changed", f"{told}; look again with what it holds now, so that no day is lost")

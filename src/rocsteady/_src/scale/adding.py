"""One file that many add to: every part once, whole or not at all, whoever is tried again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from rocsteady._src.base.atomic import named_file
from rocsteady._src.base.errors import InputError
from rocsteady._src.base.typed import typed
from rocsteady._src.scale.sketches import Sketches, load_sketches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from pathlib import Path


@typed
def add_sketches(path: str | PathLike[str], part: Sketches, *, known: Literal["refuse", "skip"] = "skip") -> bool:
    """Add counts to a file, which is made if it is not there; under a lock, so that many may do so at once.

    For rows that come in batches. Name each part after its batch, so that a batch that is delivered twice, or tried
    again after a failure, counts once: the file knows its parts, and is replaced whole or not at all.

    Parameters
    ----------
    path : str or path
        The file, such as "model.rks".
    part : Sketches
        What :func:`sketch_table` made with ``part=``, or ``Sketches(sketch, part=...)``.
    known : {"skip", "refuse"}
        What to do with a part that was counted before.

    Returns
    -------
    bool
        Whether it was counted now.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rocsteady.scale import Sketch, Sketches, add_sketches, load_sketches
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.rks"
    ...     for number, batch in [(0, ([1, 0], [2, 1])), (1, ([0], [3])), (1, ([0], [3]))]:
    ...         _ = add_sketches(path, Sketches(Sketch().update(*batch, pos_label=1), part=f"batch {number}"))
    ...     load_sketches(path).n_rows
    3
    """
    target = named_file(path)
    with alone_at(target):
        if not target.exists():
            part.save(target)
            return True
        whole = load_sketches(target)
        counted = whole.absorb(part, known=known)
        if counted:
            whole.save(target, force=True)
        return counted


@contextmanager
def alone_at(path: Path) -> Iterator[None]:
    """Wait until nobody else adds to this file; the lock is a file beside it that stays."""
    try:
        import fcntl
    except ImportError as error:  # pragma: no cover - Windows has no such lock
        raise InputError("no_lock", "adding needs locks of a POSIX system; merge into a new file instead") from error
    with path.with_name(f".{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

"""A loaded sketch is believed only after every law of its parts was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import RocsteadyError
from rocsteady._src.inputs.weights import MOST_EXACT_WEIGHT
from rocsteady._src.scale.sketch_bytes import PIECE, damaged
from rocsteady._src.scale.sketch_counts import Counts
from rocsteady._src.scale.sketch_keys import HIGHEST_KEY, LOWEST_KEY, MINUS_ZERO, Grid
from rocsteady._src.scale.sketch_plan import WHOLE, Plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.scale.sketch_bytes import Arrays
    from rocsteady._src.scale.sketch_keys import Keys

FORMS = ("empty", "scores", "buckets", "cells")
ALWAYS, BYTES_PER_ENTRY = 4 << 20, 28  # three columns of eight bytes, and what it takes to check them
LABELS = (str, int, float, type(None))


def whole(value: Any, least: int = 0, most: int = MOST_EXACT_WEIGHT) -> bool:
    """Whether a value is a whole number within limits."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_range(value: Any) -> bool:
    return value is None or (isinstance(value, list) and list(map(type, value)) == [float, float])


FIELDS: dict[str, Callable[[Any], bool]] = {
    "bits": whole,
    "range": _is_range,
    "capacity": whole,
    "dtype": lambda value: value in (None, "float64", "int64"),
    "kind": lambda value: value in (None, "float64", "int64"),
    "form": lambda value: value in FORMS,
    "n_rows": whole,
    "n_dropped": whole,
    "weighted": lambda value: isinstance(value, bool),
    "neg_label": lambda value: value is None or (whole(value, -1, 0)),
    "pos_label": lambda value: isinstance(value, LABELS) and not isinstance(value, bool),
}


def check_header(header: dict[str, Any]) -> None:
    """Refuse fields that are missing, unknown or of another type."""
    if set(header) != set(FIELDS):
        raise damaged("its header lacks fields or has others")
    for name, sound in FIELDS.items():
        if not sound(header[name]):
            raise damaged(f"its field {name} cannot be {str(header[name])[:40]!r}")
    if header["dtype"] not in (None, header["kind"]) and header["kind"] is not None:
        raise damaged("its type of scores contradicts the one asked for")


def bytes_needed(header: dict[str, Any], n_counts: int, n_plan: int) -> int:
    """The memory that a sketch of this header takes, checks included; a header that makes no sense is refused."""
    check_header(header)
    buckets = 16 * (checked_grid(header).size + n_counts) if header["form"] == "buckets" else 0
    return ALWAYS + BYTES_PER_ENTRY * (n_counts + n_plan) + buckets


def checked_grid(header: dict[str, Any]) -> Grid:
    """The grid of a header."""
    try:
        return Grid(header["bits"], None if header["range"] is None else tuple(header["range"]))
    except RocsteadyError as error:
        raise damaged(str(error)) from error


def checked_counts(header: dict[str, Any], grid: Grid, arrays: Arrays, plan_arrays: Arrays) -> Counts | None:
    """Counts whose keys rise, whose numbers are counts, and whose totals match; None when there are no rows."""
    keys, pos, neg = arrays
    form, kind = header["form"], header["kind"]
    if (kind is None) != (form == "empty") or (form != "cells" and plan_arrays[0].size):
        raise damaged("its form and its contents do not fit")
    if form == "empty":
        _demand(keys.size == 0 and header["n_rows"] == 0, "an empty sketch holds no rows")
        return None
    counts = Counts(grid, header["capacity"], kind, _checked_plan(plan_arrays, kind) if form == "cells" else None)
    if form == "cells" and not keys.size:
        _demand(header["n_rows"] == 0, "cells without counts hold no rows")
        return counts
    _check_counts(header, pos, neg)
    _demand(_rising(keys), "keys must rise")
    if form == "buckets":
        _demand(keys[0] >= 0 and keys[-1] < grid.size, "there is no such bucket")
        _demand(header["n_rows"] > header["capacity"], "so few rows would be counted exactly")
        counts.hold_buckets(keys, pos, neg)
        return counts
    _check_keys(keys, kind)
    _demand(form == "cells" or keys.size <= header["capacity"], "there are more scores than its capacity")
    if counts.plan is not None:
        _check_floors(counts.plan, keys)
    counts.hold(keys, pos, neg)
    return counts


def _demand(holds: Any, law: str) -> None:
    if not holds:
        raise damaged(law)


def _rising(keys: Keys) -> bool:
    return bool((keys[1:] > keys[:-1]).all())


def _check_counts(header: dict[str, Any], pos: Keys, neg: Keys) -> None:
    _demand(pos.size and (pos >= 0).all() and (neg >= 0).all(), "counts cannot be negative or absent")
    total = float(pos.sum(dtype=np.float64)) + float(neg.sum(dtype=np.float64))
    _demand(total < MOST_EXACT_WEIGHT and ((pos > 0) | (neg > 0)).all(), "counts are too large, or zero")
    exactly = int(pos.sum()) + int(neg.sum())
    rows = header["n_rows"]
    right = 1 <= rows <= exactly if header["weighted"] else rows == exactly
    _demand(right, f"it counts {exactly} and claims {rows} rows")


def _check_keys(keys: Keys, kind: Any) -> None:
    _demand(keys[0] >= LOWEST_KEY[kind] and keys[-1] <= HIGHEST_KEY[kind], "a key belongs to no score")
    _demand(kind == "int64" or not (keys == MINUS_ZERO).any(), "a key belongs to no score")


def _checked_plan(arrays: Arrays, kind: Any) -> Plan:
    first, last, shift = arrays
    _demand(first.size and (first <= last).all() and (first[1:] > last[:-1]).all(), "cells must not overlap")
    _check_keys(first, kind)
    _check_keys(last, kind)
    _demand((shift >= 0).all() and (shift <= WHOLE).all(), "a cell cannot be split that way")
    return Plan(first, last, shift.astype(np.uint8))


def _check_floors(plan: Plan, keys: NDArray[np.int64]) -> None:
    for start in range(0, keys.size, PIECE):
        piece = keys[start : start + PIECE]
        try:
            floors = plan.floors(piece)
        except RocsteadyError as error:
            raise damaged("it counts rows outside its cells") from error
        _demand((floors == piece).all(), "a cell begins where none can")

"""Tables that do not fit in memory: counted by the engine that holds them, or into sketches.

Made by ``python -m tools.signatures``.
"""

from collections.abc import Sequence
from rocsteady._src.inputs.clean import Missing
from rocsteady._src.ranked import RankedScores
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches as evaluate_sketches
from rocsteady._src.scale.sketch import Sketch as Sketch
from rocsteady._src.scale.sketch import load_sketches as load_sketches
from rocsteady._src.scale.sketch_intervals import compare_sketches as compare_sketches
from typing import Any
from typing import overload

__all__ = [
    "Sketch",
    "compare_sketches",
    "evaluate_sketches",
    "load_sketches",
    "rank_table",
    "sketch_table",
]

@overload
def rank_table(
    table: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    by: None = None,
    resolution: float | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    most_groups: int = 50000000,
    weight_type: str | None = None,
) -> RankedScores: ...

@overload
def rank_table(
    table: object,
    *,
    label: str,
    score: list[str] | tuple[str, ...],
    weight: str | None = None,
    by: None = None,
    resolution: float | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    most_groups: int = 50000000,
    weight_type: str | None = None,
) -> dict[str, RankedScores]: ...

@overload
def rank_table(
    table: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    by: str | Sequence[str],
    resolution: float | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    most_groups: int = 50000000,
    weight_type: str | None = None,
) -> dict[Any, RankedScores]: ...

@overload
def rank_table(
    table: object,
    *,
    label: str,
    score: list[str] | tuple[str, ...],
    weight: str | None = None,
    by: str | Sequence[str],
    resolution: float | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    most_groups: int = 50000000,
    weight_type: str | None = None,
) -> dict[Any, dict[str, RankedScores]]: ...

@overload
def sketch_table(
    table: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    bits: int = 20,
    range: tuple[float, float] | None = None,
    capacity: int = 65536,
    width: float | None = None,
    cells: int = 16777216,
    passes: int = 8,
    n_rows: int | None = None,
    by: None = None,
) -> Sketch: ...

@overload
def sketch_table(
    table: object,
    *,
    label: str,
    score: list[str] | tuple[str, ...],
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    bits: int = 20,
    range: tuple[float, float] | None = None,
    capacity: int = 65536,
    width: float | None = None,
    cells: int = 16777216,
    passes: int = 8,
    n_rows: int | None = None,
    by: None = None,
) -> dict[str, Sketch]: ...

@overload
def sketch_table(
    table: object,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    bits: int = 20,
    range: tuple[float, float] | None = None,
    capacity: int = 65536,
    width: float | None = None,
    cells: int = 16777216,
    passes: int = 8,
    n_rows: int | None = None,
    by: str | Sequence[str],
) -> dict[Any, Sketch]: ...

@overload
def sketch_table(
    table: object,
    *,
    label: str,
    score: list[str] | tuple[str, ...],
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    bits: int = 20,
    range: tuple[float, float] | None = None,
    capacity: int = 65536,
    width: float | None = None,
    cells: int = 16777216,
    passes: int = 8,
    n_rows: int | None = None,
    by: str | Sequence[str],
) -> dict[Any, dict[str, Sketch]]: ...

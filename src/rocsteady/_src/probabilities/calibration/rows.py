"""Rows of one or more models' probabilities, without ranking: what a mean over rows needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_outside
from rocsteady._src.inputs.scores import as_doubles
from rocsteady._src.inputs.tables import read_table
from rocsteady._src.ranked import origin_of, read_models

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.results import Origin

    Array = NDArray[Any]

LABEL, WEIGHT, CLUSTER = "y_true", "sample_weight", "cluster"


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityRows:
    """Labels and probabilities row by row; ``clusters`` numbers the subject of each row, or is None."""

    cleaned: dict[str, CleanRows]
    scores: dict[str, Array]
    positive: NDArray[np.bool_]
    weights: Array | None
    clusters: Array | None
    origin: Origin

    @property
    def n_clusters(self) -> int:
        """Number of independent units."""
        return self.positive.size if self.clusters is None else int(self.clusters.max(initial=-1)) + 1

    @property
    def class_weights(self) -> tuple[float, float]:
        """Weight of the positives and of the negatives."""
        if self.weights is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.positive.size - n_pos
        n_pos = self.weights[self.positive].sum().item()
        return n_pos, self.weights[~self.positive].sum().item()


def read_probabilities(
    y_true: object,
    columns: Mapping[str, object],
    *,
    sample_weight: object = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> ProbabilityRows:
    """Check and align columns; rows that lack a value are refused, or dropped for all models alike. O(n)."""
    given = {name: column for name, column in ((WEIGHT, sample_weight), (CLUSTER, cluster)) if column is not None}
    table = read_table(
        {LABEL: y_true, **columns, **given},
        label=LABEL,
        scores=list(columns),
        weight=WEIGHT if WEIGHT in given else None,
        id=CLUSTER if CLUSTER in given else None,
        missing=missing,
        weight_type=weight_type,
    )
    cleaned = {name: table.clean(name, pos_label) for name in columns}
    first = next(iter(cleaned.values()))
    if not first.positive.size:
        raise InputError("empty", "there are no rows")
    clusters = None
    if cluster is not None:
        options: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
        clusters = read_models(y_true, columns, cluster=cluster, **options).clusters
    return ProbabilityRows(
        cleaned,
        {name: _probabilities(rows.scores, name) for name, rows in cleaned.items()},
        first.positive,
        first.weights,
        clusters,
        origin_of(first),
    )


def _probabilities(scores: Array, name: str) -> Array:
    refuse_outside(scores.min(), scores.max(), f"{name} needs probabilities")
    return as_doubles(scores, name)

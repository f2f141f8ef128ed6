"""Options of evaluate, and the forms of scores, by which editors and type checkers tell its answers apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from rocsteady._src.designs.classes.averaged import Absent
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.model_thresholds import ThresholdOrRule

    # One number per row: names of columns, or the numbers themselves. An array may have several columns.
    OneColumn: TypeAlias = (
        str | Sequence[str] | Sequence[float] | Mapping[str, Sequence[float]] | np.ndarray[tuple[int], Any]
    )


class Options(TypedDict, total=False):
    """What every kind of evaluation takes beside the columns; see :func:`evaluate`."""

    weight: object
    sample_weight: object
    weight_type: WeightType | None
    id: object
    measures: Sequence[Any] | None
    threshold: ThresholdOrRule
    pos_label: Any
    missing: Missing
    intervals: bool | None
    level: float
    n_resamples: int | None
    random_state: int
    auc_method: str
    cluster: object


class OptionsOfClasses(Options, total=False):
    """The same where there may be more than two classes, or several labels."""

    classes_averaged: Sequence[Any] | None
    absent: Absent


class OptionsOfFitted(OptionsOfClasses, total=False):
    """Those of fitted models, whose rows may fall into groups."""

    by: object


OPTIONS = frozenset({**Options.__annotations__, **OptionsOfClasses.__annotations__})

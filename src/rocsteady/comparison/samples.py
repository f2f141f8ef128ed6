"""The rows of a comparison: both models on one sample, or each on a sample of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.errors import ArgumentError
from rocsteady.ranked import read_models

if TYPE_CHECKING:
    from rocsteady.inputs.clean import Missing
    from rocsteady.ranked import ModelRows


def read_samples(
    y_true: object,
    first: object,
    second: object,
    *,
    paired: bool,
    y_true_second: object = None,
    sample_weight: object = None,
    sample_weight_second: object = None,
    cluster: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> list[ModelRows]:
    """Return one sample with both models, or two independent ones with a model each.

    A second sample without labels of its own has the design of the first: labels, weights and subjects.
    """
    of_first: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster}
    of_second: dict[str, Any] = {"sample_weight": sample_weight_second, "cluster": cluster_second}
    rows: dict[str, Any] = {"pos_label": pos_label, "missing": missing}
    if paired:
        _refuse_second({"y_true": y_true_second, **of_second})
        return [read_models(y_true, {"first": first, "second": second}, **of_first, **rows)]
    if y_true_second is None:
        of_second = {name: of_first[name] if given is None else given for name, given in of_second.items()}
    for name, given in of_first.items():
        if (given is None) != (of_second[name] is None):
            raise ArgumentError(f"{name}_second", f"two samples need both {name}= and {name}_second=, or neither")
    return [
        read_models(y_true, {"first": first}, **of_first, **rows),
        read_models(y_true if y_true_second is None else y_true_second, {"second": second}, **of_second, **rows),
    ]


def _refuse_second(columns: dict[str, object]) -> None:
    for name, given in columns.items():
        if given is not None:
            raise ArgumentError(f"{name}_second", f"{name}_second is for paired=False; a single sample takes {name}=")

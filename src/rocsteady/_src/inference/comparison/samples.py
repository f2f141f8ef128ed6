"""The rows of a comparison: both models on one sample, or each on a sample of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.ranked import read_models

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows


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
    weight_type: str | None = None,
) -> list[Rows]:
    """Return one sample with both models, or two independent ones with a model each.

    A second sample without labels of its own has the design of the first: labels, weights and subjects.
    """
    of_first: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster}
    of_second: dict[str, Any] = {"sample_weight": sample_weight_second, "cluster": cluster_second}
    rows: dict[str, Any] = {"pos_label": pos_label, "missing": missing, "weight_type": weight_type}
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


def named_samples(
    table: object, label: str, first: object, second: object, rows: dict[str, Any], *, paired: bool
) -> tuple[object, object, object, dict[str, Any]]:
    """Columns of a table in memory in place of their names: labels, both scores, and the columns of ``rows``."""
    if not paired:
        raise ArgumentError(
            "label", Sentence("the rows of one table are paired: pass two samples as columns, without {label=}")
        )
    named = {name: rows[name] for name in ("sample_weight", "cluster") if rows[name] is not None}
    odd = [name for name, column in {"first": first, "second": second, **named}.items() if not isinstance(column, str)]
    if odd:
        text = Sentence(
            "{label} says that a table comes first: {odd} must be the name of a column of it",
            label=Option("label", (label,)),
            odd=odd[0],
        )
        raise ArgumentError("label", text)
    wanted = list(dict.fromkeys([label, str(first), str(second), *named.values()]))
    columns = pick_columns(table, wanted)
    found = rows | {name: columns[column] for name, column in named.items()}
    return columns[label], columns[str(first)], columns[str(second)], found


def refuse_of_lazy(rows: dict[str, Any], weight_type: str | None, *, paired: bool, method: str) -> None:
    """Refuse what the engine of a lazy table cannot do: it counts rows, and pairs them."""
    _refuse_second({name.removesuffix("_second"): given for name, given in rows.items() if name.endswith("_second")})
    resampled = method in ("bootstrap", "permutation")
    if resampled or not paired or rows["cluster"] is not None or weight_type == "sampling":
        text = "rows of a lazy table are paired by formulas, without cluster and with frequency weights only"
        raise ArgumentError("label", f"{text}; bring the rows into memory for the rest")

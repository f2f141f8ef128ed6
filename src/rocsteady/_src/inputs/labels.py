"""Which rows are positive: {0, 1}, {-1, 1} and booleans speak for themselves, all else needs ``pos_label``."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inputs.arrays import is_missing, natural_array
from rocsteady._src.inputs.scorer import positive_class_of_scorer

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 1 << 17
REMEDY = Sentence("say which one is positive with {pos_label=...}")


def positive_rows(labels: NDArray[Any], pos_label: Any, name: str) -> tuple[NDArray[np.bool_], Any]:
    """Return the mask of positive rows and the label that was taken as positive."""
    if labels.dtype.kind == "O":
        labels = _uniform(labels, name)
    if pos_label is None:
        return _conventional(labels, name)
    return _named(labels, pos_label, name), pos_label


def conventional_negative(labels: NDArray[Any], positive: NDArray[np.bool_]) -> int | None:
    """Which of 0 and -1 means negative, where labels spoke for themselves; None where no row says so."""
    if positive.all():
        return None
    value = labels[int(np.argmin(positive))]
    return int(value) if isinstance(value, (numbers.Number, np.bool_)) and value in (0, -1) else None


def other_label(labels: NDArray[Any], positive: NDArray[np.bool_], pos_label: Any, spoken: int | None) -> Any:
    """The label of all rows that are not positive; None where they have several, or there are none."""
    if spoken is not None:
        return bool(spoken) if pos_label is True else spoken
    if positive.all():
        return None
    others = labels[~positive]
    first = others[0]
    return (first.item() if isinstance(first, np.generic) else first) if bool(np.all(others == first)) else None


def _conventional(labels: NDArray[Any], name: str) -> tuple[NDArray[np.bool_], Any]:
    if labels.dtype.kind == "b":
        return labels, True
    if labels.dtype.kind in "iuf":
        positive, spoken = _ones(labels)
        if spoken or _only_zero_or_minus_one(labels, positive):
            return positive, 1
    elif labels.size == 0:
        return np.zeros(0, dtype=bool), 1
    pos_label = positive_class_of_scorer()
    if pos_label is not None:
        return _named(labels, pos_label, name), pos_label
    found = _distinct(labels)
    words = (
        ", or judge all classes: {rs.evaluate(y, predicted)} takes predicted classes, and columns of predict_proba "
        "with {classes=}"
    )
    more = Sentence(words)
    raise InputError(
        "positive_label_required",
        Sentence(
            "{name} holds the values {values}; {remedy}{more}",
            name=name,
            values=some_values(found),
            remedy=REMEDY,
            more=more if len(found) > 2 else "",
        ),
    )


GIVEN_ALONE = ("y_true", "y", "labels")  # not columns of a table


def refuse_swapped(labels: NDArray[Any], scores: NDArray[Any], name: str, other: str, error: InputError) -> None:
    """Say so where the labels look like scores, and the scores like labels; or both like points of a curve."""
    if _is_path(labels) and _is_path(scores):
        text = f"{name} and {other} both rise from 0 to 1: these look like points of a ROC curve, not like rows"
        line = "rs.curves.roc_from_points(fpr, tpr).area"
        raise InputError("curve_points", f"{text}; for the area below points use {line}") from error
    if labels.dtype.kind not in "fiu" or len(_some_distinct(labels)) <= 2 or len(_some_distinct(scores)) > 2:
        return
    values = some_values(_distinct(scores))
    text = f"{name} holds numbers of more than two kinds and {other} only {values}: labels and scores look swapped"
    if name in GIVEN_ALONE:
        raise InputError("swapped", f"{text}; labels come first, then scores") from error
    meant = {"label": Option("label", (other,)), "scores": Option("scores", (name,))}
    raise InputError("swapped", Sentence("{text}: {label}, {scores}", text=text, **meant)) from error


def _is_path(values: NDArray[Any]) -> bool:
    if values.dtype.kind != "f" or values.size < 3:
        return False
    return bool(values[0] == 0 and values[-1] == 1 and np.all(values[1:] >= values[:-1]))


def _some_distinct(values: NDArray[Any]) -> set[Any]:
    """Distinct values, not more than three of them."""
    found: set[Any] = set()
    for value in values.tolist():
        found.add(value if value.__hash__ else repr(value))
        if len(found) > 2:
            break
    return found


def _ones(labels: NDArray[Any]) -> tuple[NDArray[np.bool_], bool]:
    """Which rows are 1, and whether all others were seen to be 0; in blocks, so that memory is read once."""
    positive = np.empty(labels.shape, dtype=bool)
    whole, bits = labels.dtype.kind != "f", 0
    for start in range(0, labels.size, BLOCK):
        block = labels[start : start + BLOCK]
        np.equal(block, 1, out=positive[start : start + BLOCK])
        bits |= int(np.bitwise_or.reduce(block)) if whole else 0
    return positive, whole and bits in (0, 1)


def _only_zero_or_minus_one(labels: NDArray[Any], positive: NDArray[np.bool_]) -> bool:
    """Whether all rows that are not 1 are 0, or all of them are -1."""
    others = labels[~positive]
    return others.size == 0 or bool((others == 0).all()) or bool((others == -1).all())


def _named(labels: NDArray[Any], pos_label: Any, name: str) -> NDArray[np.bool_]:
    if np.ndim(pos_label) or is_missing(pos_label):
        raise InputError(
            "label_type",
            Sentence(
                "{pos_label} is not one label; pass the value of one class", pos_label=Option("pos_label", (pos_label,))
            ),
        )
    if labels.size and _is_number(labels.flat[0]) != _is_number(pos_label):
        raise InputError(
            "label_type",
            Sentence(
                "{pos_label} and the values of {name}, {values}, are of different types; pass "
                "{@pos_label} as it stands in the data",
                pos_label=Option("pos_label", (pos_label,)),
                name=name,
                values=some_values(_distinct(labels)),
            ),
        )
    positive = np.asarray(labels == pos_label, dtype=bool)
    if not positive.any():
        found = _distinct(labels)
        if len(found) > 1:
            raise InputError(
                "positive_label_absent",
                Sentence(
                    "{pos_label} does not occur in {name}, which holds {found}; pass one of these",
                    pos_label=Option("pos_label", (pos_label,)),
                    name=name,
                    found=some_values(found),
                ),
            )
    return positive


def _is_number(value: object) -> bool:
    return isinstance(value, (numbers.Number, np.bool_))


def _uniform(labels: NDArray[Any], name: str) -> NDArray[Any]:
    """Turn an object array into its natural type; text beside numbers is an error, not a conversion."""
    kinds = {_kind(value) for value in labels}
    if len(kinds) > 1 and kinds != {"boolean", "number"}:
        raise InputError(
            "label_mixed_types",
            f"{name} mixes {' and '.join(sorted(kinds))} values, as in {some_values(_one_of_each(labels))}; "
            "convert them to one type",
        )
    if kinds == {"boolean"}:
        return labels.astype(bool)
    return _numbers(labels) if "number" in kinds else labels


def _numbers(labels: NDArray[Any]) -> NDArray[Any]:
    """Numbers as NumPy has them; decimals and fractions stay as they are unless they are conventional labels."""
    plain = natural_array(labels.tolist())
    if plain.dtype.kind == "O" and set(labels) <= {-1, 0, 1}:
        plain = labels.astype(np.int64)
    return plain if plain.dtype.kind in "iuf" else labels


def _kind(value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, (numbers.Real, Decimal)):
        return "number"
    return "text" if isinstance(value, (str, bytes)) else type(value).__name__


def _one_of_each(labels: NDArray[Any]) -> list[Any]:
    return list({_kind(value): value for value in labels}.values())


def _distinct(labels: NDArray[Any]) -> list[Any]:
    """Distinct values for a message or a count, in an order that does not need them to be comparable."""
    if labels.dtype.kind != "O":
        return np.unique(labels).tolist()  # type: ignore[no-any-return]
    values = {value if value.__hash__ else repr(value): value for value in labels.tolist()}
    return sorted(values.values(), key=repr)

"""Confusion matrices of folds, added cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.rows_by_fold import FoldedRows, read_folds
from rocsteady._src.measures.confusion import Confusion, checked_threshold, confusion_at
from rocsteady._src.results.crossval import FoldCounts
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing


@typed
def crossval_confusion(
    y_true: object,
    y_score: object = None,
    *,
    fold: object = None,
    threshold: Any = None,
    repeat: object = None,
    id: object = None,  # noqa: A002 - as evaluate calls it
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> FoldCounts:
    """Confusion counts of each fold and their sum; a row is called positive when ``score >= threshold``.

    Folds with one class count too. The measures of the sum are those of all rows together, not means over folds.

    Parameters
    ----------
    y_true, y_score, fold, repeat, id, sample_weight, pos_label, missing
        As in :func:`rocsteady.crossval_auc`.
    threshold : float or mapping, optional
        One for all folds, or one for each fold by its name, as when chosen on its training rows. Without it as in
        :func:`rocsteady.confusion`.

    Returns
    -------
    FoldCounts
        ``tp, fp, fn, tn`` by fold, and ``total``, a Confusion with every threshold measure.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, fold = [1, 1, 0, 0] * 2, [1] * 4 + [2] * 4
    >>> counts = rs.crossval.crossval_confusion(y, [0.9, 0.4, 0.6, 0.1, 0.8, 0.7, 0.3, 0.2], fold=fold)
    >>> counts.tp.tolist(), counts.total.tp, counts.total.recall
    ([1, 2], 3, 0.75)
    """
    options: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    rows = read_folds(y_true, {"y_score": y_score}, fold=fold, repeat=repeat, row=id, **options)
    chosen = _thresholds(rows, threshold)
    found = [confusion_at(each.ranked[0], cut) for each, cut in zip(rows.folds, chosen, strict=True)]
    cells = {name: np.array([getattr(each, name) for each in found]) for name in ("tp", "fp", "fn", "tn")}
    same = all(cut == chosen[0] for cut in chosen)
    sums = {name: cell.sum().item() for name, cell in cells.items()}
    total = Confusion(**sums, threshold=chosen[0] if same else None, origin=rows.origin)
    return FoldCounts(
        folds=tuple(each.label for each in rows.folds),
        repeats=tuple(each.repeat for each in rows.folds),
        **cells,
        threshold=np.array(chosen),
        total=total,
        origin=rows.origin,
        warnings=_on_repeats(rows),
    )


def _thresholds(rows: FoldedRows, threshold: Any) -> list[Any]:
    if isinstance(threshold, Mapping):
        labels = dict.fromkeys(fold.label for fold in rows.folds)
        absent = [label for label in labels if label not in threshold]
        strange = [name for name in threshold if name not in labels]
        if absent or strange:
            text = f"threshold has none for fold {some_values(absent)}" if absent else "threshold names folds not there"
            raise ArgumentError("threshold", f"{text}; folds are {some_values(labels)}, given {some_values(threshold)}")
        return [checked_threshold(fold.ranked[0], threshold[fold.label]) for fold in rows.folds]
    if isinstance(threshold, str) or (threshold is not None and np.ndim(threshold)):
        raise ArgumentError("threshold", "threshold must be one number, or a mapping from folds to numbers")
    everything = rows.ranked(rows.folds)
    return [checked_threshold(everything, threshold)] * len(rows.folds)


def _on_repeats(rows: FoldedRows) -> tuple[Remark, ...]:
    if rows.n_repeats == 1:
        return ()
    return (Remark("rows_repeated", n=rows.n_repeats),)

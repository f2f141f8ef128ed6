"""evaluate(y, predicted, by=) and fold=: classes as ``predict`` returns them, in groups and in folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rocsteady._src.designs.classes.scores_by_class import part_of_rows
from rocsteady._src.evaluation.classes.called_models import evaluate_called_rows
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
from rocsteady._src.evaluation.classes.judge import Forms
from rocsteady._src.evaluation.classes.parts import ClassParts, Design


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalledGroups(MulticlassGroups):
    """Predicted classes in every group beside all rows: ``tests[model]`` asks whether the accuracy is the same in all.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "bee", "cat"] * 10
    >>> rs.evaluate(y, y[:20] + ["ant"] * 10, by=["north", "south"] * 15)
    CalledGroups(2 groups by 'group'; 3 classes; accuracy 0.7667 [0.5907, 0.8821], macro precision 0.8627, macro
    ...)
    """

    tested: ClassVar[tuple[str, str]] = ("accuracy", "accuracy")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalledFolds(MulticlassFolds):
    """Predicted classes in every fold: ``result["model"]`` has the mean of each number over folds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "bee", "cat"] * 10
    >>> rs.evaluate(y, y[:20] + ["ant"] * 10, fold=[1, 2] * 15)
    CalledFolds(2 folds by 'fold'; model mean accuracy 0.7667)
    """

    about_pool: ClassVar[str] = ""  # calls of several models are pooled without harm


OF_CALLS = Forms(Design(evaluate_called_rows, part_of_rows, ClassParts), CalledGroups, CalledFolds)

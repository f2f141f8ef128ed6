"""The difference between two models in each group: is it the same in all?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.inference.comparison.compared import adjusted_together
from rocsteady._src.inference.comparison.hypotheses import all_equal
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.results.grouped_comparison import GroupedComparison, Interaction
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.groups.evaluation import GroupedEvaluation
    from rocsteady._src.results import Comparison, TestResult

    Spread = Callable[[str, str], tuple[NDArray[np.float64], NDArray[np.float64]]]

APPROXIMATE, ENOUGH = ("bootstrap", "wald"), 200
SHARED = "subjects have rows in several groups, which then vary together: only the AUC has a test between them"


def groups_as_dict(result: GroupedEvaluation | MulticlassGroups, groups: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """All rows, each group under its name, then the tests, as plain values."""
    return {
        "by": result.by,
        "overall": result.overall.to_dict(),
        "groups": [{"group": name, **each.to_dict()} for name, each in groups],
        "tests": {model: test.to_dict() for model, test in result.tests.items()},
        "interactions": [
            {"first": first, "second": second, **test.to_dict()}
            for (first, second), test in result.interactions.items()
        ],
    }


def compared_groups(
    by: str, found: dict[Any, Comparison], level: float, spread: Spread | None = None
) -> GroupedComparison:
    """Comparisons of all groups, adjusted over groups and pairs, with a test of whether each difference is the same.

    ``spread`` gives the covariance of a difference over the groups, which are independent without it, and the degrees
    of freedom of its variances, for Welch's F.
    """
    if not found:
        raise ArgumentError("one_class_groups", "no group has rows of both classes: there is nothing to compare")
    found = adjusted_together(found)
    first = next(iter(found.values()))
    asked = [(pair.first, pair.second) for pair in first.pairs]
    made = [_interaction(place, pair, list(found.values()), spread) for place, pair in enumerate(asked)]
    return GroupedComparison(by, first.measure, found, _adjusted(made), level, _unsure(found))


def _unsure(found: Mapping[Any, Comparison]) -> tuple[Remark, ...]:
    """A remark where p-values of few rows by resampling or by a normal statistic are adjusted over many comparisons.

    Measured in benchmarks/familywise.py.
    """
    tests = sum(len(each.pairs) for each in found.values())
    sizes = [float(size) for each in found.values() for size in (each.n_pos, each.n_neg) if size is not None]
    by = [name for name in APPROXIMATE if any(each.method.startswith(name) for each in found.values())]
    if tests < 2 or not by or not sizes or min(sizes) >= ENOUGH:
        return ()
    return (Remark("resampled_groups", rows=min(sizes), method=by[0], tests=tests),)


def _interaction(place: int, pair: tuple[str, str], found: list[Comparison], spread: Spread | None) -> Interaction:
    tests = [each.pairs[place].test for each in found]
    values = np.array([test.estimate for test in tests])
    se = np.array([math.nan if test.se is None else test.se for test in tests])
    some = (se > 0) & np.isfinite(values)
    if np.count_nonzero(some) < 2:
        return Interaction(pair[0], pair[1], math.nan, math.nan, 0)
    covariance, free = (np.diag(se**2), _free(tests)) if spread is None else spread(*pair)
    statistic, pvalue, df = all_equal(values[some], covariance[np.ix_(some, some)], free=free[some])
    return Interaction(pair[0], pair[1], statistic, pvalue, df)


def _free(tests: list[TestResult]) -> NDArray[np.float64]:
    """Degrees of freedom of the variance in each group; a normal statistic claims to know it."""
    return np.array([math.inf if test.df is None else test.df for test in tests])


def subjects_shared(parts: Iterable[Evaluation]) -> bool:
    """Whether a subject has rows in several groups, so that these vary together."""
    rows: list[Any] = [(part.rows, part.cluster) for part in parts if part.cluster is not None]
    listed = [set(each.columns[cluster].tolist()) for each, cluster in rows]
    return sum(map(len, listed)) > len(set().union(*listed))


def with_shared_subjects(found: GroupedComparison, known: Mapping[tuple[str, str], TestResult]) -> GroupedComparison:
    """The same where subjects have rows in several groups: the AUC has a test that counts it, other measures none."""
    return replace(found, interactions=_adjusted([_shared(each, found.measure, known) for each in found.interactions]))


def as_evaluated(found: GroupedComparison, known: Mapping[tuple[str, str], TestResult]) -> GroupedComparison:
    """The same with the evaluation's own test of AUCs, so that both say one thing."""
    if found.measure != "AUC":
        return found
    return replace(found, interactions=_adjusted([_of_areas(each, known) for each in found.interactions]))


def _shared(each: Interaction, measure: str, known: Mapping[tuple[str, str], TestResult]) -> Interaction:
    if measure != "AUC":
        return replace(each, statistic=math.nan, pvalue=math.nan, df=0, reason=SHARED)
    return _of_areas(each, known)


def _of_areas(each: Interaction, known: Mapping[tuple[str, str], TestResult]) -> Interaction:
    test = known.get((each.first, each.second)) or known[each.second, each.first]
    return replace(each, statistic=test.statistic, pvalue=test.pvalue, df=int(test.df or 0))


def adjusted_interactions(interactions: Mapping[tuple[str, str], TestResult]) -> dict[tuple[str, str], float]:
    """p-values of whether differences between models depend on the group, adjusted (Holm) over pairs of models."""
    adjusted = adjust_pvalues([test.pvalue for test in interactions.values()]).tolist()
    return dict(zip(interactions, adjusted, strict=True))


def _adjusted(made: list[Interaction]) -> tuple[Interaction, ...]:
    adjusted = adjust_pvalues([each.pvalue for each in made])
    return tuple(replace(each, p_holm=float(p)) for each, p in zip(made, adjusted, strict=True))

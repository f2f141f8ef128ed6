"""What travels with a test between models: when it is known to reject too often, and which method is better there.

The limits come from the measurements in docs/coverage.md: a remark stands where a test at 5% rejected a true hypothesis
8 times of 100 or more. What decides is the size of the smaller class, for each direction in which models may differ;
with a margin also how many rows stand on the wrong side; for a partial area how many lie inside its range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.comparison.hypotheses import PLAIN
from rocsteady._src.inference.intervals.advice import LOPSIDED, few_subjects, independent_rows
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.measures.ranking import auc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import AnyModels, Rows

    Models = AnyModels
    Sizes = tuple[float, float]

FEW, FEW_OF_EVEN, FEW_OF_PERCENTILES, FEW_INSIDE = 12, 5, 25, 4
FEW_WRONG, FEW_WRONG_OF_TIED, HIGH = 3, 0.7, 0.8
ENOUGH_INSIDE = 10
BETTER = Sentence("use {rs.compare_auc(method='auto')}")
MORE = "only more rows help"


def class_sizes(models: Models, weight_type: str | None) -> Sizes:
    """Independent rows of both classes."""
    rows = models.in_memory()
    if rows is None:
        return float(models.ranked[0].n_pos), float(models.ranked[0].n_neg)
    return independent_rows(rows, weight_type_of(models.weights, weight_type))


def few_rows(sizes: Sizes, contrasts: int = 1) -> bool:
    """Whether a test of so many differences at once has too few rows in a class."""
    fewest, most = sorted(sizes)
    return fewest < contrasts * (FEW_OF_EVEN if most < 2 * fewest else FEW)


def delong_remarks(
    models: Models,
    areas: Sequence[float] | NDArray[np.float64],
    area: Area,
    alternative: str,
    weight_type: str | None = None,
) -> tuple[Remark, ...]:
    """On a test by DeLong between two of the models, with these areas."""
    if models.clusters is not None:
        return few_subjects(models.n_clusters)
    sizes = class_sizes(models, weight_type)
    if alternative not in PLAIN:
        return _margin_remarks(sizes, float(max(areas)), BETTER if area.whole else MORE)
    if few_rows(sizes):
        return (Remark("delong_rejects", rows=_few(sizes), better=BETTER),)
    inside = _inside(area, sizes)
    if inside < FEW_INSIDE:
        return (Remark("delong_rejects_inside", rows=inside, better=BETTER),)
    return ()


def default_remarks(sizes: Sequence[Sizes], area: Area) -> tuple[Remark, ...]:
    """On a test by Student's t, which is what "auto" takes of a partial area, and cannot do better.

    Measured (docs/coverage.md, table partial_difference).
    """
    inside = min(_inside(area, each) for each in sizes)
    return (Remark("few_inside_both", rows=inside),) if not area.whole and inside < ENOUGH_INSIDE else ()


def _margin_remarks(sizes: Sizes, largest: float, better: str) -> tuple[Remark, ...]:
    """A test with a margin errs in the direction that matters when an AUC is close to 1."""
    if min(sizes) * (1 - largest) >= FEW_WRONG and not few_rows(sizes):
        return ()
    return (Remark("delong_rejects_with_margin", rows=_few(sizes), auc=largest, better=better),)


def bootstrap_remarks(
    models: Rows, alternative: str, weight_type: str | None = None, *, whole_auc: bool = False
) -> tuple[Remark, ...]:
    """On a difference of any measure by the bootstrap."""
    if models.clusters is not None:
        return few_subjects(models.n_clusters)
    sizes, largest = class_sizes(models, weight_type), _largest(models)
    few, margin = few_rows(sizes), alternative not in PLAIN
    short = whole_auc and (min(sizes) < FEW_OF_PERCENTILES or min(sizes) * (1 - largest) < FEW_WRONG)
    if not few and not short:
        return ()
    better = BETTER if whole_auc else MORE if margin else Sentence("use {method='permutation'}")
    code = "bootstrap_rejects" if few or margin else "bootstrap_short"
    return (Remark(code, rows=_few(sizes), auc=largest, better=better),)


def permutation_remarks(models: Rows, weight_type: str | None = None, *, whole_auc: bool = False) -> tuple[Remark, ...]:
    """On a difference by permutations, whose mixed ranks have fewer ties than either model."""
    sizes, largest = class_sizes(models, weight_type), _largest(models)
    tied = any(ranked.scores.size < ranked.origin.n_rows for ranked in models.ranked)
    if models.clusters is not None or not tied or max(sizes) < LOPSIDED * min(sizes) or not few_rows(sizes):
        return ()
    if largest < HIGH or min(sizes) * (1 - largest) >= FEW_WRONG_OF_TIED:
        return ()
    better = BETTER if whole_auc else MORE
    return (Remark("permutation_rejects", rows=_few(sizes), auc=largest, better=better),)


def _largest(models: Rows) -> float:
    return max(float(auc.sheet.compute(ranked)) for ranked in models.ranked)


def joined_remarks(sizes: Sizes, areas: Sequence[float]) -> tuple[Remark, ...]:
    """On a test of the same rows by joined intervals, whose correlation needs rows too unless both AUCs are high."""
    if not few_rows(sizes) or min(areas) >= HIGH:
        return ()
    better = BETTER if min(sizes) >= 2 else MORE
    return (Remark("joined_rejects", rows=_few(sizes), auc=min(areas), better=better),)


def omnibus_remarks(models: Models, weight_type: str | None = None) -> tuple[Remark, ...]:
    """On the test of all models at once."""
    if models.clusters is not None:
        return few_subjects(models.n_clusters)
    sizes, n_models = class_sizes(models, weight_type), len(models.names)
    if not few_rows(sizes, n_models - 1):
        return ()
    return (Remark("omnibus_rejects", rows=_few(sizes), models=n_models),)


def _few(sizes: Sizes) -> int:
    return round(min(sizes))


def _inside(area: Area, sizes: Sizes) -> float:
    """Rows expected in the range of a partial area, of the class that it is a share of."""
    limits = area.fpr_range or area.tpr_range or (0, 1)
    return (limits[1] - limits[0]) * (sizes[0] if area.tpr_range else sizes[1])

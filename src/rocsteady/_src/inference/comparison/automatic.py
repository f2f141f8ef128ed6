"""Which test between two areas "auto" takes: a rule on class sizes and AUCs, measured in docs/coverage.md.

DeLong's test with Student's t in place of the normal keeps its level once each class has four rows; a margin, and the
interval of a difference that is not 0, also need wrong rows, since an AUC close to 1 is skewed. "wrong" is the size of
the smaller class times 1 - AUC, for the model nearer to 1: about so many rows of it stand on the wrong side. With
fewer the variance under the hypothesis is used: "score".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.inference.comparison.hypotheses import PLAIN
from rocsteady._src.inference.comparison.score import UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW_WRONG, FEW_WRONG_WITH_MARGIN = 3, 10
FEW_INSIDE = 3
SEED = 0  # of the permutations that it may take


def chosen_method(
    areas: Sequence[float],
    sizes: Sequence[tuple[float, float]],
    alternative: str,
    *,
    inside: float | None = None,
) -> str:
    """The method for two areas of classes of such sizes; ``inside`` is how many rows a partial area rests on.

    Examples
    --------
    >>> chosen_method((0.8, 0.85), [(100, 100)] * 2, "two-sided")
    'delong-t'
    >>> chosen_method((0.98, 0.95), [(100, 100)] * 2, "two-sided")
    'score'
    >>> chosen_method((0.92, 0.95), [(100, 100)] * 2, "non-inferiority")
    'score'
    """
    if inside is not None:
        return "permutation" if inside < FEW_INSIDE and alternative in PLAIN else "delong-t"
    fewest = [min(size) for size in sizes]
    if min(fewest) < 2:
        return "newcombe"
    return "score" if few_on_the_wrong_side(areas, sizes, alternative) else "delong-t"


def few_on_the_wrong_side(areas: Sequence[float], sizes: Sequence[tuple[float, float]], alternative: str) -> bool:
    """Whether so few rows are wrong, or there are so few at all, that the variance under the hypothesis is used."""
    fewest = [min(size) for size in sizes]
    wrong = min(n * min(area, 1 - area) for n, area in zip(fewest, areas, strict=True))
    return min(fewest) < UNSURE or wrong < (FEW_WRONG if alternative in PLAIN else FEW_WRONG_WITH_MARGIN)

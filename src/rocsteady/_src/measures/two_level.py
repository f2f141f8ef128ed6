"""Two measures in one number: the first decides, the second breaks its ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.ranking import BOTH_CLASSES
from rocsteady._src.measures.registry import measure

if TYPE_CHECKING:
    from rocsteady._src.measures.confusion import Threshold
    from rocsteady._src.ranked import RankedScores


@measure(
    label="AUC:acc",
    family="two-level",
    better="higher",
    bounds=(0, 1),
    undefined_when=BOTH_CLASSES,
    invariances=("order", "merge", "weights=repeats"),
    reference="Huang and Ling 2007",
)
def auc_acc(ranked: RankedScores, *, threshold: Threshold = None) -> float:
    """AUC, its ties broken by accuracy: a mean of both in which AUC weighs 4 P N times as much.

    The areas of two models on the same rows differ by 1 / (2 P N) or more, or not at all, so that this weight lets no
    difference in accuracy outweigh one in AUC. The source defines an order of models, no number; any such weight gives
    that order, and the number is AUC to within 1 / (4 P N + 1). Weights of rows that are no counts can make areas that
    lie closer.

    Parameters
    ----------
    threshold : float, optional
        Rows with a score of at least this are called positive; 0.5 by default, for probabilities only.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, low, high = [1, 1, 0, 0], [0.4, 0.3, 0.2, 0.1], [0.9, 0.8, 0.2, 0.1]
    >>> rs.auc(y, low) == rs.auc(y, high), rs.measures.auc_acc(y, low), rs.measures.auc_acc(y, high)
    (True, 0.9705882352941176, 1.0)
    """
    counts = confusion_at(ranked, threshold)
    right, total = counts.tp + counts.tn, ranked.n_rows_counted
    # (4 P N AUC + accuracy) / (4 P N + 1), in whole numbers where counts are
    value: float = (2 * ranked.wins_twice * total + right) / (total * (4 * ranked.n_pos * ranked.n_neg + 1))
    return value

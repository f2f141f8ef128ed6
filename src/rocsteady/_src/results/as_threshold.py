"""Results that stand for a threshold: compared with scores, and able to label them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.results.predicted_labels import predicted_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.base import Origin

    Array = NDArray[Any]


class AsThreshold:
    """``float(choice)`` is the threshold, and ``scores >= choice`` compares with it."""

    __slots__ = ()
    threshold: Any
    origin: Origin | None

    def predict(self, scores: object, *, neg_label: Any = None) -> Array:
        """Labels of new scores: the positive one where ``score >= threshold``, as the data have them.

        Parameters
        ----------
        scores : array-like
            Scores of the model that the threshold was chosen for, without missing values.
        neg_label : optional
            The label of all others, where the rows that chose the threshold had several, or did not tell.

        Returns
        -------
        array
            One label per score.

        Examples
        --------
        >>> import rocsteady as rs
        >>> choice = rs.best_threshold(["ill", "well", "ill"], [3, 1, 2], pos_label="ill", rule="accuracy")
        >>> choice.predict([1, 5]).tolist()
        ['well', 'ill']
        """
        return predicted_labels(scores, self.threshold, self.origin, neg_label)

    def __float__(self) -> float:
        """The threshold."""
        return float(self.threshold)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """The threshold, so that ``scores >= choice`` compares with it."""
        del copy
        return np.asarray(self.threshold, dtype=dtype)

    def __le__(self, scores: Any) -> Any:
        return self.threshold <= scores

    def __lt__(self, scores: Any) -> Any:
        return self.threshold < scores

    def __ge__(self, scores: Any) -> Any:
        return self.threshold >= scores

    def __gt__(self, scores: Any) -> Any:
        return self.threshold > scores

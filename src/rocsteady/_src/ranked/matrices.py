"""Many small tables at once: each row of a matrix is one set of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def descending_rows(scores: NDArray[Any], labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Order every row of scores from the highest to the lowest, its labels alongside; ties keep their order.

    Examples
    --------
    >>> import numpy as np
    >>> scores, labels = descending_rows(np.array([[1, 3, 2]]), np.array([[True, False, True]]))
    >>> scores.tolist(), labels.tolist()
    ([[3, 2, 1]], [[False, True, True]])
    """
    if bool((scores[:, :-1] >= scores[:, 1:]).all()):
        return scores, labels
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(labels, order, axis=1)


def row_ranks(keys: NDArray[Any]) -> NDArray[np.intp]:
    """The place of every entry in the increasing order of its row, from 0; ties keep their order.

    Examples
    --------
    >>> import numpy as np
    >>> row_ranks(np.array([[0.5, 0.1, 0.9]])).tolist()
    [[1, 0, 2]]
    """
    ranks: NDArray[np.intp] = np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1, kind="stable")
    return ranks


def row_order(keys: NDArray[Any]) -> NDArray[np.intp]:
    """For every row the places of its entries from the lowest to the highest; ties keep their order.

    Examples
    --------
    >>> import numpy as np
    >>> row_order(np.array([[0.5, 0.1, 0.9]])).tolist()
    [[1, 0, 2]]
    """
    order: NDArray[np.intp] = np.argsort(keys, axis=1, kind="stable")
    return order

"""Averages of one-vs-rest and one-vs-one areas as one sum: theta = sum over i != j of C_ij A(i|j).

A(i|j) is the area of class i against class j by the scores of class i. Every average differs from the others in C
only, which depends on the class sizes; ``drift`` is its derivative by a class size, times A, summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inference.intervals.normal import check_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

AverageName = Literal["macro", "weighted", "micro"]
Scheme = Literal["ovr", "ovo", "hand-till"]


@dataclass(frozen=True, slots=True)
class Average:
    """Which average: ``pairs`` of classes or each class against the rest, ``weighted`` by class size or not."""

    pairs: bool
    weighted: bool
    sizes: tuple[float, ...]

    @property
    def _sizes(self) -> Array:
        return np.array(self.sizes)

    def coefficients(self, place: int) -> Array:
        """C_ij for the scores of one class i and every other class j."""
        n, total, k = self._sizes, sum(self.sizes), len(self.sizes)
        if self.pairs:
            found = (n[place] + n) / (2 * (k - 1) * total) if self.weighted else np.full(k, 1 / (k * (k - 1)))
        else:
            share = n[place] / total if self.weighted else 1 / k
            found = share * n / (total - n[place])
        found[place] = 0.0
        return found

    def drift(self, place: int, areas: Array) -> Array:
        """What one more row of each class changes, through C_ij, given the areas A(i|j) of the scores of class i."""
        n, total, k = self._sizes, sum(self.sizes), len(self.sizes)
        if self.pairs:
            if not self.weighted:
                return np.zeros(k)
            change: Array = areas / (2 * (k - 1) * total)
            change[place] = change.sum()
            change -= float(self.coefficients(place) @ areas) / total
            return change
        rest = total - n[place]
        area = float(n @ areas) / rest
        share = n[place] / total if self.weighted else 1 / k
        change = np.asarray(share * (areas - area) / rest)
        change[place] = 0.0
        if self.weighted:
            change -= area * n[place] / total**2
            change[place] += area / total
        return change


def check_average(average: str | None, scheme: str) -> None:
    """Refuse what does not exist: micro and per class are one-vs-rest, Hand and Till's M is a plain mean of pairs."""
    check_choice("scheme", scheme, get_args(Scheme))
    if average is not None:
        check_choice("average", average, get_args(AverageName))
    if scheme == "hand-till" and average != "macro":
        text = Sentence(
            "Hand and Till's M is the plain mean over pairs: leave {average='macro'}, or use {scheme='ovo'}"
        )
        raise ArgumentError("average", text)
    if scheme == "ovo" and average not in ("macro", "weighted"):
        text = Sentence(
            "{average} is about one class against the rest: use {scheme='ovr'}, or 'macro' or 'weighted'",
            average=Option("average", (average,)),
        )
        raise ArgumentError("average", text)


def name_of(average: str | None, scheme: str) -> str:
    """What to call it."""
    if scheme == "ovr":
        return f"{average} one-vs-rest AUC"
    return "Hand-Till AUC" if average == "macro" else "weighted one-vs-one AUC"

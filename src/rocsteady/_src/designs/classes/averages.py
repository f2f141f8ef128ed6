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
    averaged: tuple[bool, ...]

    @property
    def _sizes(self) -> Array:
        return np.array(self.sizes)

    @property
    def _chosen(self) -> Array:
        """1 for each class that the average is over, else 0."""
        return np.array(self.averaged, dtype=np.float64)

    def coefficients(self, place: int) -> Array:
        """C_ij for the scores of one class i and every other class j."""
        n, chosen = self._sizes, self._chosen
        if not self.averaged[place]:
            return np.zeros(n.size)
        k, among = chosen.sum(), float(chosen @ n)
        if self.pairs:
            each = (n[place] + n) / (2 * (k - 1) * among) if self.weighted else 1 / (k * (k - 1))
            found: Array = chosen * each
        else:
            share = n[place] / among if self.weighted else 1 / k
            found = share * n / (n.sum() - n[place])
        found[place] = 0.0
        return found

    def drift(self, place: int, areas: Array) -> Array:
        """What one more row of each class changes, through C_ij, given the areas A(i|j) of the scores of class i."""
        n, chosen = self._sizes, self._chosen
        if not self.averaged[place] or (self.pairs and not self.weighted):
            return np.zeros(n.size)
        k, among = chosen.sum(), float(chosen @ n)
        if self.pairs:
            change: Array = chosen * areas / (2 * (k - 1) * among)
            change[place] = change.sum()
            change -= chosen * (float(self.coefficients(place) @ areas) / among)
            return change
        rest = n.sum() - n[place]
        area = float(n @ areas) / rest
        share = n[place] / among if self.weighted else 1 / k
        change = np.asarray(share * (areas - area) / rest)
        change[place] = 0.0
        if self.weighted:
            change -= chosen * (area * n[place] / among**2)
            change[place] += area / among
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

"""What groups of equal score add up to, walking up or down the scores: sums, counts at every threshold, pairs won."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocsteady._src.base.exact import exact_dot, exact_wins_twice, exact_wins_twice_of_labels
from rocsteady._src.base.geometry import hull_of_steps, upper_hull
from rocsteady._src.ranked.keyed import SortedKeys
from rocsteady._src.ranked.running import (
    BLOCK,
    at_positives,
    cumulate,
    from_places_on,
    frozen,
    labels_of_rows,
    last,
    left_below,
    one_later,
    sums_of_blocks,
    walk_down,
)
from rocsteady._src.ranked.running_counts import Rising, RunningCounts
from rocsteady._src.ranked.sortkeys import beyond_float

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from rocsteady._src.ranked.grouping import Groups
    from rocsteady._src.results import Origin

    Answer = TypeVar("Answer")

MANY_GROUPS = 1 << 16  # arrays of fewer are made sooner than looked up


class Walks:
    """Sums of groups, made when they are first asked for and kept.

    Groups are there from the start, or wait in sorted keys until somebody asks for them: an AUC can do without.
    """

    scores: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any]
    origin: Origin

    @cached_property
    def row_labels(self) -> NDArray[np.bool_] | None:
        """Whether each row is positive, in the order of the scores, if these all differ; else None."""
        self._open()
        if "row_labels" in vars(self):
            labels: NDArray[np.bool_] | None = vars(self)["row_labels"]
            return labels
        found = labels_of_rows(self.pos, self.neg)
        return None if found is None else frozen(found)  # merged or counted: then all goes the way of ranked rows

    def _open(self) -> None:
        keys: SortedKeys | None = vars(self).get("_sorted")
        if keys is None:
            return
        self._take(keys.groups())
        vars(self).pop("_sorted", None)

    def _take(self, groups: Groups) -> None:
        """Hold groups; narrow counts widen when they are asked for."""
        held: dict[str, Any] = {"scores": groups.scores, "row_labels": None}
        if groups.neg is None:
            held["row_labels"] = frozen(groups.pos)
        elif groups.pos.itemsize == 8:
            held |= {"pos": frozen(groups.pos), "neg": frozen(groups.neg)}
        else:
            held["_narrow"] = frozen(groups.pos), frozen(groups.neg)
        frozen(groups.scores)
        vars(self).update(held)

    def kept(self, what: Hashable, make: Callable[[], Answer]) -> Answer:
        """What was made of these groups before, or is made now: several parts of a page ask for the same."""
        made: dict[Hashable, Any] = vars(self).setdefault("_made", {})
        if what not in made:
            made[what] = make()
        answer: Answer = made[what]
        return answer

    def _of_keys(self, question: Callable[[SortedKeys], Answer]) -> Answer | None:
        """What the sorted keys say, as long as they are there."""
        keys: SortedKeys | None = vars(self).get("_sorted")
        return None if keys is None else keys.ask(question)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in ("scores", "pos", "neg") or "origin" not in vars(self):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self._open()
            if name in vars(self):
                return vars(self)[name]
            return vars(self).setdefault(name, frozen(self.steps[name == "neg"].astype(np.int64)))

    @cached_property
    def n_pos(self) -> Any:
        """Total weight of positives: a Python int when counts are exact."""
        if self.row_labels is not None:
            return int(np.count_nonzero(self.row_labels))
        return int(self.pos.sum()) if self.exact else last(self.pos_through)

    @cached_property
    def n_neg(self) -> Any:
        """Total weight of negatives: a Python int when counts are exact."""
        if self.row_labels is not None:
            return self.row_labels.size - int(self.n_pos)
        return int(self.neg.sum()) if self.exact else last(self.neg_through)

    @property
    def n_rows_counted(self) -> Any:
        """Total weight of all rows."""
        return self.n_pos + self.n_neg

    @property
    def exact(self) -> bool:
        """Whether the counts are integers, so that sums of them do not round."""
        counted = "_sorted" in vars(self) or "_narrow" in vars(self) or self.row_labels is not None
        return counted or bool(self.pos.dtype.kind == "i")

    @property
    def counts_rows(self) -> bool:
        """Whether every unit of weight is a row: there are no weights, or they are said to be frequencies."""
        return self.exact and self.origin.reading != "sampling"

    @cached_property
    def pos_through(self) -> NDArray[Any]:
        """Positives with this score or a lower one."""
        return frozen(cumulate(self.pos))

    @cached_property
    def neg_through(self) -> NDArray[Any]:
        """Negatives with this score or a lower one."""
        return frozen(cumulate(self.neg))

    @cached_property
    def neg_below(self) -> NDArray[Any]:
        """Negatives with a lower score."""
        return frozen(one_later(self.neg_through))

    @cached_property
    def pos_below(self) -> NDArray[Any]:
        """Positives with a lower score."""
        return frozen(one_later(self.pos_through))

    @cached_property
    def called_positive(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and false positives walking down the scores: first none, then one group after another."""
        return frozen(walk_down(self.pos, self.n_pos)), frozen(walk_down(self.neg, self.n_neg))

    @property
    def walked(self) -> tuple[Any, Any]:
        """The same, asked like arrays: of many groups counted where somebody looks."""
        return self._looked_up if self._counts_late else self.called_positive

    def walked_in(self, steps: slice) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and false positives at neighbouring steps of that walk."""
        tp, fp = self.walked
        found = tp[steps]
        if self.row_labels is None or not self._counts_late:
            return found, fp[steps]
        return found, np.arange(steps.start, steps.start + found.size) - found

    @property
    def rates(self) -> tuple[Any, Any]:
        """False and true positive rate at every step of that walk, asked like arrays."""
        (tp, fp), rate = self.walked, Rising.rates if self._counts_late else np.divide
        return rate(fp, self.n_neg), rate(tp, self.n_pos)

    @property
    def rates_up(self) -> tuple[Any, Any]:
        """Shares of the positives and of the negatives below each place among the groups, asked like arrays."""
        (fn, tn), rate = self.walked_up, Rising.rates if self._counts_late else np.divide
        return rate(fn, self.n_pos), rate(tn, self.n_neg)

    def area_twice(self, first: int, last: int) -> int:
        """Twice the area below the walk of counts between two steps, in pairs of rows: exact."""
        tp, fp = self.walked
        rows = slice(self.scores.size - last, self.scores.size - first)
        pos, neg = (each[rows] for each in self.steps)
        if self.row_labels is None:
            most = int(self.n_pos) * int(self.n_neg)
            inside = exact_wins_twice(pos.astype(np.int64, copy=False), neg.astype(np.int64, copy=False), most=most)
        else:
            inside = exact_wins_twice_of_labels(pos)
        return 2 * int(tp[first]) * int(fp[last] - fp[first]) + int(inside)

    @property
    def walked_up(self) -> tuple[Any, Any]:
        """Positives and negatives below each place among the groups, asked like arrays."""
        if self._counts_late:
            return self._looked_up_from_below
        fn, tn = (walk[::-1] for walk in self.called_negative)
        return fn, tn

    @property
    def _counts_late(self) -> bool:
        """Whether counts are summed where somebody looks."""
        return self.exact and self.scores.size >= MANY_GROUPS and "called_positive" not in vars(self)

    @cached_property
    def _looked_up(self) -> tuple[RunningCounts, RunningCounts]:
        pos, neg = self.steps
        return RunningCounts(pos, down=True), RunningCounts(neg, down=True)

    @cached_property
    def _looked_up_from_below(self) -> tuple[RunningCounts, RunningCounts]:
        pos, neg = self.steps
        return RunningCounts(pos, down=False), RunningCounts(neg, down=False)

    @cached_property
    def hull_vertices(self) -> NDArray[np.int64]:
        """Steps of that walk at the vertices of the hull: whatever the costs, the cheapest threshold is one of them."""
        return frozen(self.hull_from(0))

    def hull_from(self, step: int) -> NDArray[np.int64]:
        """Vertices of the hull of the walk from a step on, counted from there."""
        if self.exact:
            gained, paid = (np.ascontiguousarray(each[: self.scores.size - step][::-1]) for each in self.steps)
            return hull_of_steps(paid, gained)
        tp, fp = self.called_positive
        return upper_hull(fp[step:], tp[step:])

    @property
    def steps(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Positives and negatives of each group, in the type that was cheapest to make: a byte each without ties."""
        if self.row_labels is not None:
            return self.row_labels, ~self.row_labels
        narrow: tuple[NDArray[Any], NDArray[Any]] | None = vars(self).get("_narrow")
        return (self.pos, self.neg) if narrow is None else narrow

    @cached_property
    def wins_twice(self) -> Any:
        """Twice the pairs won by the positive, ties counted once: exact for counts of any size."""
        won = self._of_keys(SortedKeys.wins_twice)
        if won is not None:
            return won
        if self.row_labels is not None:
            return exact_wins_twice_of_labels(self.row_labels)
        return exact_wins_twice(self.pos, self.neg, most=self.n_pos * self.n_neg)

    @cached_property
    def tied_pairs(self) -> Any:
        """Pairs of opposite class that are tied: exact for counts of any size."""
        if self.row_labels is not None:
            return 0
        pos, neg = self.steps
        if pos.itemsize == 8:
            return exact_dot(pos, neg)
        blocks = range(0, pos.size, BLOCK)
        return sum(int(pos[at : at + BLOCK].astype(np.int64) @ neg[at : at + BLOCK]) for at in blocks)

    @cached_property
    def _positive_places(self) -> NDArray[np.intp]:
        """Where the positives stand among rows that are not tied."""
        return np.flatnonzero(self.steps[0])

    @cached_property
    def at_positives(self) -> tuple[Any, NDArray[Any], NDArray[Any]]:
        """For groups that hold positives, from the highest down: positives there; true and false ones from there up."""
        if self.row_labels is not None:
            tp = np.arange(1, self.n_pos + 1)
            return 1, tp, self.scores.size - self._positive_places[::-1] - tp
        pos, neg = self.steps
        if pos.itemsize == 8:
            places = np.flatnonzero(pos[::-1])
            tp, fp = (walk[1:][places] for walk in self.called_positive)
            return pos[::-1][places], tp, fp
        return at_positives(pos, neg)

    @property
    def climbs(self) -> tuple[tuple[NDArray[Any], NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]]:
        """True and false positives before and after each step of the walk down that finds positives."""
        if not self.exact:
            tp, fp = self.called_positive
            places = np.flatnonzero(np.diff(tp) > 0)
            return (tp[places], fp[places]), (tp[places + 1], fp[places + 1])
        found, tp, fp = self.at_positives
        if self.row_labels is not None:
            return (tp - found, fp), (tp, fp)
        pos, neg = (each[::-1] for each in self.steps)
        return (tp - found, fp - neg[np.flatnonzero(pos)]), (tp, fp)

    def called_from(self, places: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and false positives when the groups from each place on are called positive."""
        if self.row_labels is None and "_narrow" in vars(self):
            summed = zip(self.steps, self._sums_of_blocks, strict=True)
            tp, fp = (from_places_on(steps, places, sums) for steps, sums in summed)
            return tp, fp
        if self.row_labels is None:
            tp, fp = (walked[self.scores.size - places] for walked in self.called_positive)
            return tp, fp
        tp = self.n_pos - self._positive_places.searchsorted(places)
        return tp, self.scores.size - places - tp

    @cached_property
    def _sums_of_blocks(self) -> list[NDArray[np.int64]]:
        return [sums_of_blocks(steps) for steps in self.steps]

    @cached_property
    def called_negative(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """False and true negatives at the same steps, summed from below, so that small ones keep their digits."""
        if self.exact:  # counts have all their digits, and what is called is known
            tp, fp = self.called_positive
            return frozen(self.n_pos - tp), frozen(self.n_neg - fp)
        return frozen(left_below(self.pos_through)), frozen(left_below(self.neg_through))

    @cached_property
    def thresholds(self) -> NDArray[Any]:
        """``inf`` for "nothing positive", then the distinct scores, decreasing."""
        return frozen(self._topped(self.scores[::-1]))

    def thresholds_at(self, steps: NDArray[np.intp]) -> NDArray[Any]:
        """Thresholds of some steps of the walk down the scores."""
        if not self.scores.size:
            return self.thresholds[steps]
        below_top = self.scores.size - np.maximum(np.where(steps < 0, steps + self.scores.size + 1, steps), 1)
        found = self._topped(self.scores[below_top])
        found[1:][steps == 0] = found[0]
        return found[1:]

    def _topped(self, scores: NDArray[Any]) -> NDArray[Any]:
        """``inf`` before some of the scores, in a type that holds both."""
        if scores.dtype.kind in "iu" and self.scores.size and beyond_float(self.scores[[0, -1]]):
            scores = scores.astype(object)
        top = np.array([np.inf], dtype=scores.dtype if scores.dtype.kind in "fO" else np.float64)
        return np.concatenate([top, scores])

    @property
    def has_infinite_scores(self) -> bool:
        """Whether a score is +inf or -inf; they lie at the ends, so this costs nothing."""
        ends = self._of_keys(SortedKeys.ends)
        if ends is None and self.scores.size:
            ends = self.scores[0], self.scores[-1]
        lowest, highest = ends or (0, 0)
        return bool(lowest == -np.inf or highest == np.inf)

    @property
    def has_two_scores(self) -> bool:
        """Whether there are exactly two different scores."""
        two = self._of_keys(SortedKeys.are_two)
        return self.scores.size == 2 if two is None else two

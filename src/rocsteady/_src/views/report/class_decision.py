"""What to do with models of more than two classes: which one, what becomes of 1,000 cases, and what could be wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, p_words
from rocsteady._src.results.cases import FEW, NARROW, VERY_FEW
from rocsteady._src.results.decision import Check
from rocsteady._src.results.differences import told_apart
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import ends_of, safe

if TYPE_CHECKING:
    from rocsteady._src.results import Comparison, PairComparison
    from rocsteady._src.results.multiclass import MulticlassEvaluation

ENDS = ("estimate", "low", "high")
CASES = 1000
ALIKE = "All mistakes count alike here, and the class with the highest score is called"
AGREEING = {"macro_auc": "the highest macro AUC", "log_loss": "the lowest log loss"}
LOWER = ("log_loss",)


@dataclass(frozen=True, slots=True)
class ClassDecision:
    """The model that calls most rows right, beside the others and beside always answering the largest class.

    ``models`` are evaluations by the names of the page; ``compared`` tests their accuracies, where there are several.
    """

    models: dict[str, MulticlassEvaluation]
    classes: list[str]
    level: float
    compared: Comparison | None = None
    names: dict[str, str] | None = None

    number: ClassVar[str] = "macro AUC"  # beside the rows called right
    assumed: ClassVar[str] = ALIKE
    agreeing: ClassVar[dict[str, str]] = AGREEING

    @staticmethod
    def numbered(found: MulticlassEvaluation) -> Any:
        """The number beside the rows called right, with its interval."""
        return found.averages["macro"]

    @property
    def chance(self) -> float:
        """That number of always answering the largest class."""
        return 0.5

    @property
    def order(self) -> list[str]:
        """The most accurate model first."""
        return sorted(self.models, key=lambda model: -self._accuracy(model))

    @property
    def leader(self) -> str:
        """Who calls most rows right."""
        return self.order[0]

    def _accuracy(self, model: str) -> float:
        return float(self.models[model].measures.accuracy.estimate)

    @property
    def first(self) -> MulticlassEvaluation:
        """The evaluation of the model that leads."""
        return self.models[self.leader]

    @property
    def base(self) -> float:
        """Accuracy of always answering the largest class."""
        return float(self.first.measures.base_rate)

    @property
    def largest(self) -> str:
        """The largest class."""
        return self.classes[int(np.argmax(np.asarray(self.first.support, dtype=np.float64)))]

    def verdict(self) -> list[str]:
        """The sentence to act on, how sure it is, and what was assumed."""
        return [self._headline(), *self._how_sure(), f"{self.assumed}; {self._always()} calls {_of(self.base)} right"]

    def _always(self) -> str:
        return f"always answering {self.largest}"

    def _headline(self) -> str:
        found = self.first.measures.accuracy
        if not found.estimate > self.base:
            return (
                f"Use no model: {self._always()} calls {_of(self.base)} of 1,000 cases right, and no model calls more"
            )
        sure = found.low > self.base and all(self._apart(pair) for pair in self._pairs().values())
        who = f" {self.leader}" if len(self.models) > 1 else " it"
        right = f"of 1,000 cases it calls {_of(found.estimate)} right ({format_level(self.level)}: {_ends(found)})"
        return f"{'Use' if sure else 'Use, for now,'}{who}: {right} and {_of(1 - _right(found.estimate) / CASES)} wrong"

    def _pairs(self) -> dict[str, PairComparison]:
        """Tests of the leader against each other model."""
        found = {}
        for pair in () if self.compared is None else self.compared.pairs:
            first, second = self._named(pair.first), self._named(pair.second)
            if self.leader in (first, second):
                found[second if first == self.leader else first] = pair
        return found

    def _named(self, model: str) -> str:
        return model if self.names is None else self.names[model]

    def _apart(self, pair: PairComparison) -> bool:
        return told_apart(pair.test, pair.p_holm, self.level)

    def _fewer(self, pair: PairComparison) -> tuple[float, float, float]:
        """How many more of 1,000 cases the leader calls right, with the ends of the interval."""
        test, sign = pair.test, 1 if self._named(pair.first) == self.leader else -1
        low, high = sorted(sign * float(end) for end in (test.low, test.high))
        return CASES * sign * float(test.estimate), CASES * low, CASES * high

    def _how_sure(self) -> list[str]:
        pairs = self._pairs()
        if not pairs:
            return []
        rival = self.order[1]
        pair = pairs[rival]
        more, low, high = self._fewer(pair)
        beside = f"{rival}, the runner-up, calls {_of(self._accuracy(rival))} right"
        level = format_level(self.level)
        if self._apart(pair):
            sure = f"{_whole(more)} fewer ({level} interval {_whole(low)} to {_whole(high)}; {p_words(pair.p_holm)})"
            return [f"{beside}, {sure}"]
        ends = f"between {_whole(-low)} more and {_whole(high)} fewer"
        return [f"{beside}; these rows cannot tell which calls more ({ends}, {level}; {p_words(pair.p_holm)})"]

    def table(self) -> TableBlock:
        """What becomes of 1,000 cases with each model."""
        rows: list[list[str]] = []
        values: list[list[Any]] = []
        pairs = self._pairs()
        for model in self.order:
            found = self.models[model]
            accuracy, macro = found.measures.accuracy, self.numbered(found)
            pair = pairs.get(model)
            fewer = "" if pair is None else _less(*self._fewer(pair))
            right = _right(accuracy.estimate)
            told = [f"{format_count(right)} [{_ends(accuracy)}]", format_count(CASES - right), _area(macro), fewer]
            rows.append([model, *told])
            less = None if pair is None else dict(zip(ENDS, map(safe, self._fewer(pair)), strict=True))
            called = {end: safe(CASES * float(getattr(accuracy, end))) for end in ENDS}
            values.append([model, called, safe(CASES * (1 - float(accuracy.estimate))), ends_of(macro), less])
        right = _right(self.base)
        told = [format_count(right), format_count(CASES - right), format_number(self.chance, 3)]
        rows.append([self._always(), *told, ""])
        values.append([self._always(), safe(CASES * self.base), safe(CASES * (1 - self.base)), self.chance, None])
        header = ["of 1,000 cases", "called right", "called wrong", self.number, "fewer right than the first"]
        if len(self.models) == 1:
            header, rows, values = header[:-1], [row[:-1] for row in rows], [row[:-1] for row in values]
        text = f"With {format_level(self.level)} intervals."
        return TableBlock("decision", "Of 1,000 cases", header, rows, text=text, values=values)

    def alarms(self) -> list[str]:
        """What must be known before the headline is read."""
        fewest, which = self._smallest()
        told = []
        if fewest < VERY_FEW:
            told.append(f"Only {format_count(fewest)} rows of {which}: every number about that class is rough")
        for model, found in self.models.items():
            told += self._worse(model if len(self.models) > 1 else "The model", found)
        return told

    def _worse(self, who: str, found: MulticlassEvaluation) -> list[str]:
        if not found.averages["macro"].high < 0.5:
            return []
        return [f"{who} ranks worse than chance: are the columns of scores those of these classes?"]

    def _smallest(self) -> tuple[float, str]:
        sizes = np.asarray(self.first.support, dtype=np.float64)
        place = int(np.argmin(sizes))
        return float(sizes[place]), self.classes[place]

    def checks(self) -> tuple[Check, ...]:
        """Is there enough data, do the measures agree, can the probabilities be trusted?"""
        return self._enough(), self._agree(), self._probabilities()

    def _enough(self) -> Check:
        fewest, which = self._smallest()
        macro = self.numbered(self.first)
        half = (float(macro.high) - float(macro.low)) / 2
        answer = "no" if fewest < VERY_FEW else "partly" if fewest < FEW or not half <= NARROW else "yes"
        text = f"{format_count(fewest)} rows of {which}, the smallest class; {self.number} {_area(macro)}"
        return Check("enough", "Enough data?", answer, text)

    def _agree(self) -> Check:
        question = "Do the measures agree?"
        if len(self.models) < 2:
            return Check("agree", question, "unknown", "there is only one model")
        others = {}
        for measure, words in self.agreeing.items():
            known = {model: float(found.values[measure].estimate) for model, found in self._with(measure).items()}
            if not known:
                continue
            best = min(known, key=known.__getitem__) if measure in LOWER else max(known, key=known.__getitem__)
            if best != self.leader and known[best] != known.get(self.leader):
                others[words] = best
        if others:
            told = " and ".join(f"{model} has {words}" for words, model in others.items())
            return Check("agree", question, "no", f"{self.leader} calls most rows right, but {told}")
        named = ["the most rows right", *(words for name, words in self.agreeing.items() if self._with(name))]
        return Check("agree", question, "yes", f"{self.leader} has {', '.join(named)}")

    def _with(self, measure: str) -> dict[str, MulticlassEvaluation]:
        """All models where each has the measure, else none."""
        values = [found.values.get(measure) for found in self.models.values()]
        known = all(value is not None and not math.isnan(value.estimate) for value in values)
        return self.models if known else {}

    def _probabilities(self) -> Check:
        question = "Can the probabilities be trusted?"
        found = self.first.values.get("log_loss")
        if found is None or math.isnan(found.estimate):
            return Check("probabilities", question, "unknown", "the scores are no probabilities that add up to 1")
        sizes = np.asarray(self.first.support, dtype=np.float64)
        shares = sizes[sizes > 0] / sizes.sum()
        plain = float(-(shares * np.log(shares)).sum())
        loss = format_interval(float(found.estimate), float(found.low), float(found.high), 3)
        text = f"log loss {loss}; giving every row the shares of the classes has {format_number(plain, 3)}"
        if found.low > plain:
            return Check("probabilities", question, "no", text)
        return Check("probabilities", question, "unknown", f"{text}; calibration of classes is not judged here")


def _right(share: float) -> int:
    return math.floor(CASES * float(share) + 0.5 + 1e-9)


def _of(share: float) -> str:
    return format_count(_right(share))


def _whole(count: float) -> str:
    return format_count(math.floor(abs(count) + 0.5 + 1e-9))


def _ends(found: Any) -> str:
    return f"{_of(found.low)}, {_of(found.high)}"


def _less(more: float, low: float, high: float) -> str:
    signed = [("-" if each < 0 and _whole(each) != "0" else "") + _whole(each) for each in (more, low, high)]
    return f"{signed[0]} [{signed[1]}, {signed[2]}]"


def _area(found: Any) -> str:
    estimate, low, high = (float(getattr(found, name)) for name in ("estimate", "low", "high"))
    return "-" if math.isnan(estimate) else format_interval(estimate, low, high, 3)

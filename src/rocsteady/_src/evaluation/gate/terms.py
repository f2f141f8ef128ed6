"""Conditions of a gate as people write them: margins, goals such as "auc >= 0.80", entries of a committed file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, printable, some_values
from rocsteady._src.base.near_names import did_you_mean
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_level, format_setting
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.units.components import Area
from rocsteady._src.measures.probability import log_loss
from rocsteady._src.measures.ranking import partial_auc
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocsteady._src.measures.requests import Request

KEYS = ("measure", "margin", "at_least", "at_most", "threshold", "by", "level", "name")
GOAL = re.compile(
    r"^(?P<measure>.*?[\w)])\s*(?P<sign>>=|<=|>|<)\s*(?P<goal>[-+.\deE]+)(?:\s+with\s+(?P<level>[\d.]+)\s*%.*)?$"
)
SIGNS = {"above": ">", "below": "<"}
MODELS = ("baseline", "candidate")
PART_RANGE: dict[str, Any] = {"fpr_range": (0.0, 0.1)}  # of a partial area, unless said otherwise
MOST_LOSS = 745.0  # no log loss of doubles is larger unless it is infinite
LARGE = 0.2  # of margins, from where on they are more likely a slip


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: the candidate against the baseline by a ``margin``, or by itself against a ``goal``.

    The value, or the difference, has to lie on the ``side`` of the ``limit``. ``thresholds`` are those of the baseline
    and of the candidate. ``by`` are columns of groups, for each of which it has to hold too.
    """

    request: Request
    side: str
    margin: float | None = None
    goal: float | None = None
    thresholds: Mapping[str, float] | None = None
    by: tuple[str, ...] = ()
    level: float | None = None
    called: str | None = None

    @property
    def limit(self) -> float:
        """What the difference, or the value, is held against."""
        if self.goal is not None:
            return self.goal
        shift = float(self.margin or 0.0)
        return (-shift if self.side == "above" else shift) + 0.0  # no sign before zero

    @property
    def measure(self) -> str:
        """What was asked for, as it was written."""
        return self.request.column

    @property
    def name(self) -> str:
        """The condition in short: "auc > baseline - 0.01", "auc >= 0.8"; with its level, where it has its own."""
        if self.called is not None:
            return self.called
        sure = "" if self.level is None else f" with {format_level(self.level)} confidence"
        sign = SIGNS[self.side]
        if self.goal is not None:
            return f"{self.measure} {sign}= {format_setting(self.goal)}{sure}"
        limit = self.limit
        shift = f" {'-' if limit < 0 else '+'} {format_setting(abs(limit))}" if limit else ""
        return f"{self.measure} {sign} baseline{shift}{sure}"

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the largest value that there can be."""
        sheet = self.request.sheet
        if sheet is log_loss.sheet:
            return 0.0, MOST_LOSS
        if sheet is not partial_auc.sheet:
            return sheet.bounds
        area = area_of(self)
        return area.value_of(0.0), area.value_of(1.0)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """A margin that lets nearly everything pass."""
        low, high = self.limits
        if self.margin is None or self.margin < LARGE or not math.isfinite(high - low):
            return ()
        return (Remark("gate_large_margin", margin=self.margin, measure=self.measure),)

    def params(self, model: str) -> dict[str, Any]:
        """Parameters of the measure for the baseline or the candidate."""
        given = dict(self.request.params)
        if "threshold" not in self.request.sheet.params or "threshold" in given:
            return given
        if self.thresholds is None:
            words = "{measure} needs a threshold, settled before these rows were seen: pass {threshold=}"
            raise ArgumentError("threshold", Sentence(words, measure=self.measure))
        return {**given, "threshold": self.thresholds[model]}


def area_of(term: Term) -> Area:
    """Which area a condition is about."""
    if term.request.sheet is not partial_auc.sheet:
        return Area()
    ranges = term.request.params if {"fpr_range", "tpr_range"} & term.request.params.keys() else PART_RANGE
    return Area(**(ranges | term.request.params))


def margin_terms(measure: Any, margin: Any, **more: Any) -> list[Term]:
    """A term for each measure with its margin; one margin serves all measures."""
    measures = [measure] if isinstance(measure, str) or callable(measure) else list(measure)
    margins = [margin] * len(measures) if is_number(margin) else _listed(margin)
    if len(margins) != len(measures):
        counts = f"{format_count(len(measures))} measures and {format_count(len(margins))} margins"
        text = f"{counts}: give one margin for all, or one for each in order"
        raise ArgumentError("margin", text)
    return [_with_margin(each, m, **more) for each, m in zip(measures, margins, strict=True)]


def goal_terms(goals: Any, **more: Any) -> list[Term]:
    """A term for each goal such as "auc >= 0.80"."""
    listed = [goals] if isinstance(goals, str) else _listed(goals)
    return [_of_text(each, **more) for each in listed]


def read_terms(conditions: Iterable[Any], **more: Any) -> list[Term]:
    """Terms of records with the keys of a committed file, or of texts such as "auc >= 0.80"."""
    return [_of_text(each, **more) if isinstance(each, str) else _of_record(each, more) for each in conditions]


def refuse_unknown(given: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Refuse keys that mean nothing, by name."""
    for key in given:
        if key not in known:
            hint = did_you_mean(str(key), known)
            text = f"{where} has a key {printable(repr(key))} that means nothing; keys are {', '.join(known)}{hint}"
            raise ArgumentError("gate_key", text)


def settled_thresholds(given: Any) -> dict[str, float] | None:
    """Thresholds of the baseline and of the candidate: one number for both, or a number for each."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        refuse_unknown(given, MODELS, "threshold")
        if set(given) != set(MODELS):
            raise ArgumentError("threshold", "threshold must be a number, or one for baseline and one for candidate")
    held = dict(given) if isinstance(given, Mapping) else dict.fromkeys(MODELS, given)
    odd = list(dict.fromkeys(value for value in held.values() if not _is_amount(value)))
    if odd:
        text = "a gate takes thresholds that were settled before, as numbers: a rule would choose on the rows it judges"
        raise ArgumentError("threshold", f"{text}, got {some_values(odd)}")
    return {model: float(value) for model, value in held.items()}


def _listed(given: Any) -> list[Any]:
    if isinstance(given, (list, tuple)):
        return list(given)
    raise ArgumentError("margin", f"margins and goals are one, or a list of them, got {some_values([given])}")


def _of_record(given: Any, more: Mapping[str, Any]) -> Term:
    if not isinstance(given, Mapping):
        text = 'a condition is a record such as {"measure": "auc", "margin": 0.01}, or a text such as "auc >= 0.80"'
        raise ArgumentError("conditions", f"{text}, got {some_values([given])}")
    refuse_unknown(given, KEYS, "a condition")
    asked = [key for key in ("margin", "at_least", "at_most") if key in given]
    if "measure" not in given or len(asked) != 1:
        text = "a condition has a measure and one of margin, at_least and at_most"
        raise ArgumentError("conditions", f"{text}, got {some_values([dict(given)])}")
    own: dict[str, Any] = {"called": given.get("name"), "level": given.get("level", more.get("level"))}
    own["by"] = columns_of(given["by"]) if "by" in given else more.get("by", ())
    given_at = given.get("threshold")
    own["thresholds"] = more.get("thresholds") if given_at is None else settled_thresholds(given_at)
    if asked == ["margin"]:
        return _with_margin(given["measure"], given["margin"], **own)
    side = "above" if asked == ["at_least"] else "below"
    return _with_goal(given["measure"], side, given[asked[0]], **own)


def columns_of(by: Any) -> tuple[str, ...]:
    """Names of columns of groups: none, one, or several."""
    return () if by is None else (by,) if isinstance(by, str) else tuple(by)


def _of_text(text: Any, **more: Any) -> Term:
    found = GOAL.match(text.strip()) if isinstance(text, str) else None
    try:
        goal = float(found["goal"]) if found else math.nan
    except ValueError:
        found = None
    if found is None:
        told = 'a goal is written as "auc >= 0.80" or "brier_score <= 0.1"'
        raise ArgumentError("goals", f"{told}, got {some_values([text])}")
    if found["level"] is not None:
        more["level"] = round(float(found["level"]) / 100, 12)
    return _with_goal(found["measure"], "above" if ">" in found["sign"] else "below", goal, **more)


def _with_goal(measure: Any, side: str, goal: Any, **more: Any) -> Term:
    if not (_is_amount(goal) and math.isfinite(goal)):
        raise ArgumentError("goals", f"a goal is a finite number, got {some_values([goal])}")
    term = Term(_one(measure), side, goal=float(goal), **more)
    low, high = term.limits
    if goal <= low if side == "above" else goal >= high:
        beyond = f"below {format_setting(low)}" if side == "above" else f"above {format_setting(high)}"
        raise ArgumentError("goals", f"{term.name} cannot be missed: no {term.measure} is {beyond}")
    return _checked(term)


def _with_margin(measure: Any, margin: Any, **more: Any) -> Term:
    if not (_is_amount(margin) and math.isfinite(margin)):
        text = "margin is the loss that would still do, a finite number; 0 asks for better, -0.02 for better by 0.02"
        raise ArgumentError("margin", f"{text}; got {some_values([margin])}")
    request = _one(measure)
    higher = request.sheet.higher_is_better
    if higher is None:
        text = f"nothing says whether more {request.column} is better or worse, so that no margin can be kept"
        raise ArgumentError("measure", f"{text}; register it with @rs.measure(better='higher'), or give a goal")
    term = Term(request, "above" if higher else "below", margin=float(margin), **more)
    low, high = term.limits
    if margin >= high - low:
        text = f"a margin of {format_setting(margin)} cannot be lost: two values of {term.measure} differ by"
        text = f"{text} {format_setting(high - low)} at most; one point of 100 is written as 0.01"
        raise ArgumentError("margin", text)
    return _checked(term)


def _is_amount(value: Any) -> bool:
    """Whether it is a number, and not true or false, which would be 1 or 0."""
    return is_number(value) and not isinstance(value, (bool, np.bool_))


def _checked(term: Term) -> Term:
    if term.level is not None:
        check_confidence(term.level)
    if term.called is not None and not isinstance(term.called, str):
        raise ArgumentError("conditions", f"the name of a condition is a text, got {some_values([term.called])}")
    term.params("candidate")  # so that a missing threshold is asked for before anything is read
    return term


def check_confidence(level: Any) -> float:
    """A level that makes sense for a decision: above one half."""
    if check_level(level) <= 0.5:
        raise ArgumentError("level", f"a gate decides with more than 50% confidence, got {level!r}; 0.95 means 95%")
    return float(level)


def _one(measure: Any) -> Request:
    requests = [each for each in parse_requests([measure]) if each.sheet.name != "base_rate" or measure == "base_rate"]
    if len(requests) != 1 or not requests[0].named:
        text = f"a condition is about one measure, and {some_values([measure])} are several: name them one by one"
        raise ArgumentError("measure", text)
    return requests[0]

"""McNemar's tests of two shares of the same rows: exact, mid-p, by chi-square with or without correction; Tango's."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.comparison.hypotheses import PLAIN, check_alternative, null_of, result_of
from rocsteady._src.inference.comparison.needed import found_by_outcomes, needed_difference, smallest_pvalue
from rocsteady._src.inference.intervals.advice import FEW_SUBJECTS
from rocsteady._src.inference.intervals.normal import check_choice, check_level, p_value
from rocsteady._src.inference.paired.difference import PairedDifference
from rocsteady._src.inference.paired.sign_flips import flipped_tails
from rocsteady._src.results.differences import told_apart
from rocsteady._src.results.paired import OutcomeTest
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inference.paired.counts import PairedCounts
    from rocsteady._src.results import TestResult

Method = Literal["mcnemar-exact", "mcnemar-mid-p", "mcnemar", "mcnemar-corrected", "tango"]
Ends = Literal["tango", "newcombe", "wald"]


@dataclass(frozen=True, slots=True)
class Asked:
    """How two shares of the same rows are compared; see :func:`rocsteady.compare_outcomes`."""

    method: str = "mcnemar-exact"
    interval: str = "tango"
    alternative: str = "two-sided"
    margin: float | None = None
    level: float = 0.95

    def checked(self, *, by_subject: bool) -> Asked:
        """Refuse what does not go together."""
        check_choice("method", self.method, get_args(Method))
        check_choice("interval", self.interval, get_args(Ends))
        check_alternative(self.alternative, self.margin)
        check_level(self.level)
        if self.margin is not None and self.method != "tango":
            words = "McNemar's tests are about no difference at all; with a margin use {method='tango'}"
            raise ArgumentError("margin", Sentence(words))
        if by_subject and self.method == "mcnemar-corrected":
            words = "there is no continuity correction for subjects of several rows; use {method='mcnemar-exact'}"
            raise ArgumentError("method", Sentence(words))
        return self


def outcome_test(counts: PairedCounts, asked: Asked, **facts: Any) -> OutcomeTest:
    """Test whether the first model has another share of the rows right than the second."""
    if counts.subjects is not None and counts.subjects.n < 2:
        text = f"cluster has {format_count(counts.subjects.n)} subject with such rows"
        raise InputError("one_subject", f"{text}: how much subjects differ takes two of them or more")
    made = result_of(
        PairedDifference(counts, asked.interval),
        asked.alternative,
        asked.margin,
        asked.level,
        ", ".join([asked.method, *_interval_words(asked), "paired", *(["by cluster"] if counts.subjects else [])]),
        **facts,
    )
    if asked.method != "tango" or not counts.n:
        statistic, pvalue = mcnemar(counts, asked)
        made = replace(made, statistic=statistic, pvalue=pvalue)
    return _told(made, counts, asked)


def _interval_words(asked: Asked) -> list[str]:
    return [] if asked.method == asked.interval else [f"interval by {asked.interval}"]


def mcnemar(counts: PairedCounts, asked: Asked) -> tuple[float, float]:
    """Statistic and p; without rows nothing is known, without rows that tell the models apart nothing speaks."""
    if not counts.n:
        return math.nan, math.nan
    if asked.method in ("mcnemar-exact", "mcnemar-mid-p"):
        return float(counts.first_only), _flipped(counts, asked)
    squares = counts.discordant if counts.subjects is None else float((counts.subjects.differences**2).sum())
    gap = float(counts.first_only - counts.second_only)
    if asked.method == "mcnemar-corrected":
        gap = math.copysign(max(abs(gap) - 1, 0.0), gap)
    if not squares:
        return 0.0, 1.0
    return gap * gap / squares, p_value(gap / math.sqrt(squares), asked.alternative)


def _flipped(counts: PairedCounts, asked: Asked) -> float:
    above, here, below = flipped_tails(counts)
    if asked.method == "mcnemar-mid-p":
        above, below = above - here / 2, below - here / 2
    return {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[asked.alternative]


def _told(made: TestResult, counts: PairedCounts, asked: Asked) -> OutcomeTest:
    """The same with its four counts, the difference that such rows find, and what to beware of."""
    remarks = [remark for remark in made.warnings if remark.code != "models_alike"]
    if counts.n and not counts.discordant:
        remarks.append(Remark("outcomes_alike"))
    if asked.alternative in PLAIN and _disagree(made, asked):
        remarks.append(Remark("outcome_interval_disagrees", method=asked.method, interval=asked.interval))
    if counts.subjects is not None and counts.subjects.n < FEW_SUBJECTS:
        remarks.append(Remark("few_subjects", n=counts.subjects.n, better=""))
    fields = {name: getattr(made, name) for name in made.__dataclass_fields__}
    found = OutcomeTest(
        **fields | {"warnings": tuple(remarks), "null": null_of(asked.alternative, asked.margin)},
        both=counts.both,
        first_only=counts.first_only,
        second_only=counts.second_only,
        neither=counts.neither,
        n_subjects=None if counts.subjects is None else counts.subjects.n,
        worth=counts.worth,
    )
    return replace(found, detectable=_detectable(found, 1 - asked.level))


def _detectable(test: OutcomeTest, alpha: float) -> float:
    """The difference that such rows find by this test: none where its p-value cannot be below alpha."""
    if smallest_pvalue(test) > alpha:
        return math.nan
    if told_apart(test, test.pvalue, test.level) or not test.se:
        return found_by_outcomes(test, alpha)
    return needed_difference(test, alpha, widest=1.0)


def _disagree(made: TestResult, asked: Asked) -> bool:
    """Whether test and interval, two-sided, say different things about no difference."""
    if asked.alternative != "two-sided" or math.isnan(made.low) or math.isnan(made.pvalue):
        return False
    return (made.low > 0 or made.high < 0) != (made.pvalue < 1 - asked.level)

"""How many readers and cases a new study needs, from what a pilot study found (Hillis, Obuchowski and Berbaum 2011)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rocsteady._src.base.errors import ArgumentError, RocsteadyError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_number, format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.readers.analyze import FEW_READERS
from rocsteady._src.designs.readers.anova import FIXED_CASES, FIXED_READERS, RANDOM, Spread
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inference.power.predictor import check_share
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results.readers import ReaderPlan, ReaderStudy
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    Bounds = tuple[float, float]

Population = Literal["random", "fixed_readers", "fixed_cases"]
Alternative = Literal["two-sided", "greater", "non-inferiority", "superiority"]
MOST_READERS, MOST_CASES = 10_000, 10_000_000
FEW_CASES = 20  # of the smaller class: of a variance of so many the 95% interval reaches from half to twice it


@typed
def plan(
    pilot: ReaderStudy,
    *,
    difference: float,
    readers: int | None = None,
    cases: int | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    population: Population = "random",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
) -> ReaderPlan:
    """Power of a new reader study, or the readers or cases that it needs, from a pilot study: leave one open.

    Readers and cases are taken to be like those of the pilot, with as many positives among the cases; variances over
    cases shrink with their number. The pilot is small itself: what follows from it is a guess to plan with.

    Parameters
    ----------
    pilot : ReaderStudy
        What :func:`analyze` made of it, by the analysis of variance; of any measure.
    difference : float
        The true mean difference of first and second modality that the new study is to find; of non-inferiority the one
        that is expected, often 0.
    readers, cases : int, optional
        How many judge, and how many cases of both classes.
    power : float, optional
        Probability to find the difference; then readers or cases are asked for.
    alpha : float
        Level of the test.
    population : {"random", "fixed_readers", "fixed_cases"}
        For whom the result is to hold, as in :func:`analyze`.
    alternative : {"two-sided", "greater", "non-inferiority", "superiority"}
        What is to be shown; all but the first are one-sided.
    margin : float, optional
        Of non-inferiority and superiority: the difference that matters.

    Returns
    -------
    ReaderPlan

    References
    ----------
    Hillis, Obuchowski and Berbaum (2011), Academic Radiology 18:129-142.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = {"who": [1, 1, 1, 1, 2, 2, 2, 2] * 2, "by": ["ct"] * 8 + ["mr"] * 8, "ill": [0, 1, 1, 0] * 4,
    ...          "patient": [1, 2, 3, 4] * 4, "rating": [1, 2, 3, 2, 2, 2, 3, 1, 1, 3, 2, 2, 2, 1, 3, 1]}
    >>> pilot = rs.readers.analyze(table, reader="who", modality="by", case="patient", label="ill", score="rating")
    >>> print(rs.readers.plan(pilot, difference=0.1, readers=8, power=0.8))
    a difference of 0.1 in AUC: power 0.8067 with 8 readers and 34 cases, two-sided at 0.05, for other readers, other
    cases (solved for cases); the pilot has 2 readers and 2 cases of its smaller class: its variances are guesses, and
    numbers that follow from them may be several times too small or too large; the pilot's readers differ less between
    modalities than their errors alone would make them: their variance is taken as 0, so that more readers seem to be
    worth little
    """
    _check_study(pilot)
    _check(pilot, readers, cases, power, alpha)
    bounds = _check_difference(pilot, difference)
    check_choice("population", population, (RANDOM, FIXED_READERS, FIXED_CASES))
    _check_margin(alternative, margin)
    shift = {"non-inferiority": margin, "superiority": -(margin or 0.0)}.get(alternative) or 0.0
    gap = abs(difference) if alternative == "two-sided" else difference + shift
    if not gap > 0:
        raise ArgumentError("difference", "the difference lies on the wrong side: no study can show what is not so")
    asked = _Asked(pilot, population, gap, alpha, one_sided=alternative != "two-sided")
    solved = "power" if power is None else "cases" if cases is None else "readers"
    if cases is None:
        held = readers or 0
        cases = _fewest(lambda n: asked.power(held, n), power or 0.0, 4, MOST_CASES, "readers")
    if readers is None:
        kept = cases
        readers = _fewest(lambda n: asked.power(n, kept), power or 0.0, 2, MOST_READERS, "cases")
    spread = asked.spread(readers, cases)
    return ReaderPlan(
        power=asked.power(readers, cases),
        readers=readers,
        cases=cases,
        n_pos=cases * pilot.n_pos / (pilot.n_pos + pilot.n_neg),
        difference=difference,
        se=spread.se,
        df=spread.df,
        alpha=alpha,
        alternative=alternative,
        margin=margin,
        population=population,
        solved_for=solved,
        label=pilot.label,
        warnings=(*_no_room(pilot, difference, bounds), *_remarks(pilot, population)),
    )


def _remarks(pilot: ReaderStudy, population: str) -> tuple[Remark, ...]:
    """What the pilot cannot tell."""
    readers, cases = len(pilot.readers), int(min(pilot.n_pos, pilot.n_neg))
    small = (readers < FEW_READERS and population != FIXED_READERS) or (cases < FEW_CASES and population != FIXED_CASES)
    found = [Remark("small_pilot", readers=readers, cases=cases)] if small else []
    if pilot.components["interaction"] < 0 and population != FIXED_READERS:
        found.append(Remark("pilot_cut_at_zero"))
    return tuple(found)


def _check_difference(pilot: ReaderStudy, difference: float) -> Bounds:
    """Bounds of what the pilot measured, between which no difference is larger than they are apart."""
    bounds = _bounds(pilot)
    if not abs(difference) < bounds[1] - bounds[0]:
        reach = [format_setting(float(sign * (bounds[1] - bounds[0]))) for sign in (-1, 1)]
        text = f"a difference in {pilot.label} lies between {reach[0]} and {reach[1]}, got {format_setting(difference)}"
        raise ArgumentError("difference", f"{text}; name one that matters, such as 0.05")
    return bounds


def _bounds(pilot: ReaderStudy) -> Bounds:
    """Bounds of a measure of ours; of a function of somebody's own nothing is known."""
    try:
        request = one_request(pilot.measure)
    except RocsteadyError:
        return -math.inf, math.inf
    ours = request.params or pilot.label == request.sheet.label
    return request.sheet.bounds if ours else (-math.inf, math.inf)


def _no_room(pilot: ReaderStudy, difference: float, bounds: Bounds) -> tuple[Remark, ...]:
    """Where the better modality would lie above all that the measure can be, if the other stayed as it is."""
    means = [each.estimate for each in pilot.random.means.values()]
    if abs(difference) <= bounds[1] - min(means):
        return ()
    told = ", ".join(format_number(each, 3) for each in means)
    return (Remark("no_room_for_difference", difference=difference, means=told, most=bounds[1]),)


def _check_study(pilot: object) -> None:
    if not isinstance(pilot, ReaderStudy):
        text = "plan() takes the study that rs.readers.analyze(...) made of the pilot's ratings"
        raise ArgumentError("pilot", f"{text}, got {type(pilot).__name__}")


def _check(pilot: ReaderStudy, readers: int | None, cases: int | None, power: float | None, alpha: float) -> None:
    check_share("alpha", alpha)
    if power is not None:
        check_share("power", power)
    if sum(value is None for value in (readers, cases, power)) != 1:
        raise ArgumentError("power_unknowns", "of readers, cases and power give two to learn the third")
    if (readers is not None and readers < 2) or (cases is not None and cases < 2):
        raise ArgumentError("readers", "a study needs two readers and two cases at least")
    if not pilot.components or any(math.isnan(value) for value in pilot.components.values()):
        words = "the pilot has no variance components; analyze it with {method='obuchowski-rockette'}, and two cases of"
        raise ArgumentError("pilot", Sentence(words + " a class at least"))


def _check_margin(alternative: str, margin: float | None) -> None:
    check_choice("alternative", alternative, ("two-sided", "greater", "non-inferiority", "superiority"))
    if (alternative in ("non-inferiority", "superiority")) != (margin is not None and margin > 0):
        raise ArgumentError("margin", Sentence("{margin=} above 0 goes with non-inferiority and superiority, and only"))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A study of any size like the pilot."""

    pilot: ReaderStudy
    population: str
    gap: float
    alpha: float
    one_sided: bool

    def spread(self, readers: float, cases: float) -> Spread:
        """Variance of the difference, and degrees of freedom, of so many readers and cases."""
        known = self.pilot.components
        share = (self.pilot.n_pos + self.pilot.n_neg) / cases
        of_readers = max(known["interaction"], 0.0)
        together = max(known["cov2"] - known["cov3"], 0.0)
        own = share * (known["error"] - known["cov1"])
        if self.population == FIXED_READERS:
            return Spread(2 / readers * (own + share * (readers - 1) * together), None)
        square = of_readers + max(own - share * together, 0.0)  # what the interaction's mean square estimates
        if self.population == FIXED_CASES:
            return Spread(2 / readers * square, readers - 1)
        term = square + share * readers * together
        return Spread(2 / readers * term, (readers - 1) * (term / square) ** 2 if square > 0 else None)

    def power(self, readers: float, cases: float) -> float:
        """Probability that the test rejects."""
        from scipy.special import ndtr, ndtri, stdtrit

        spread = self.spread(readers, cases)
        if not spread.se > 0:
            return 1.0
        away = self.gap / spread.se
        if spread.df is None:
            if self.one_sided:
                return float(ndtr(away - ndtri(1 - self.alpha)))
            reach = ndtri(1 - self.alpha / 2)
            return float(ndtr(away - reach) + ndtr(-away - reach))
        if self.one_sided:
            return t_above(float(stdtrit(spread.df, 1 - self.alpha)), spread.df, away)
        reach = float(stdtrit(spread.df, 1 - self.alpha / 2))
        return t_above(reach, spread.df, away) + t_above(reach, spread.df, -away)


def t_above(t: float, df: float, away: float) -> float:
    """Probability of a noncentral t above ``t``; where scipy's sum does not converge, far out, it is 0 or 1.

    Examples
    --------
    >>> from scipy.special import stdtr
    >>> bool(abs(t_above(1.5, 7.0, 0.0) - (1 - stdtr(7.0, 1.5))) < 1e-15), t_above(12.7, 1.0, -11.0)
    (True, 0.0)
    """
    from scipy.special import nctdtr

    below = float(nctdtr(df, away, t))
    return float(away > t) if math.isnan(below) else 1 - below


def _fewest(reached: Callable[[int], float], power: float, low: int, most: int, held: str) -> int:
    """The smallest number that has the power."""
    if reached(most) < power:
        text = f"with so few {held} power stays below {format_number(reached(most), 3)}, whatever else is taken"
        raise ArgumentError("power", f"{text}: take more {held}")
    high = low
    while reached(high) < power:
        low, high = high, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= power else (middle + 1, high)
    return high

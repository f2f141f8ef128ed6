"""Do two modalities differ when readers use them, for other readers and other cases too?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import printable, some_values
from rocsteady._src.base.text import format_digits
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.readers.anova import FIXED_CASES, FIXED_READERS, RANDOM
from rocsteady._src.designs.readers.asked import asked_measure, covariance_asked
from rocsteady._src.designs.readers.crossed import Columns, crossed_of, read_ratings
from rocsteady._src.designs.readers.design import OBUCHOWSKI_ROCKETTE, U_STATISTICS, crossed_design, partly_design
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.results import Interval, TestResult
from rocsteady._src.results.readers import ReaderAnalysis, ReaderStudy
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.readers.covariances import Covariance
    from rocsteady._src.designs.readers.crossed import Ratings
    from rocsteady._src.designs.readers.design import Compute, Design
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.measures.requests import Request

Method = Literal["obuchowski-rockette", "u-statistics"]
TRACE = 1e-9  # of its length: as long but for rounding
NAMES = {"obuchowski-rockette": OBUCHOWSKI_ROCKETTE, "u-statistics": U_STATISTICS}
FEW_READERS = 5
FEW_FOR_OTHERS = 50  # cases of the smaller class, for measures other than the AUC
FEW_MISREAD = 3  # cases of the smaller class, times 1 - AUC


@typed
def analyze(
    table: object,
    *,
    reader: str,
    modality: str,
    case: str,
    label: str,
    score: str,
    measure: Any = "auc",
    method: Method = "obuchowski-rockette",
    covariance: Covariance | None = None,
    modalities: Sequence[Any] | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> ReaderStudy:
    """Compare modalities by the AUCs, or another measure, of several readers who judged the same cases.

    The mean difference is tested three times: as a statement about other readers and other cases like these, about
    other cases of these readers, and about other readers of these cases. Measured sizes are in docs/readers.md.

    Parameters
    ----------
    table : DataFrame or mapping
        One row per rating.
    reader, modality, case, label, score : str
        Names of its columns: who judged, by which test, which case, the truth about the case, and the rating; higher
        means more positive.
    measure : str, callable or dict
        Any measure by which readers are compared, such as "auc", "partial_auc(fpr_range=(0, 0.2))" or
        "recall(threshold=3)"; a function of labels and ratings; or one of these under a name of its own, as
        ``{"name": function}``.
    method : {"obuchowski-rockette", "u-statistics"}
        "obuchowski-rockette": analysis of variance with Hillis' degrees of freedom; every reader must have judged every
        case under every modality. "u-statistics": variances without bias after Gallas, of any design; readers count
        alike.
    covariance : {"delong", "jackknife", "unbiased"}, optional
        How values vary together over cases. "delong": DeLong's, of AUCs. "jackknife": each case left out in turn, which
        makes this the analysis of Dorfman, Berbaum and Metz (DBM). "unbiased": the U-statistic, of AUCs. When absent,
        DeLong's, with "u-statistics" the unbiased one, and the jackknife for other measures than the AUC.
    modalities : sequence, optional
        Their order: differences are of an earlier one minus a later one. By default sorted. Some of them: these are
        compared, without the ratings of the others.
    alternative, margin
        About first minus second, as in :func:`rocsteady.compare_auc`: "non-inferiority" with the margin that matters.
    level : float
        Confidence level of the intervals.
    pos_label, missing
        As in :func:`rocsteady.rank`. Where ratings were dropped the study is seldom crossed: take "u-statistics".

    Returns
    -------
    ReaderStudy
        ``values`` by modality and reader, ``mean_squares``, ``components``, and the analyses ``random``,
        ``fixed_readers`` and ``fixed_cases``, each with ``test``, ``means``, ``differences`` and ``p_holm``, the
        p-values of the differences adjusted (Holm) over pairs of modalities.

    References
    ----------
    Obuchowski and Rockette (1995), Communications in Statistics - Simulation and Computation 24:285-308. Hillis,
    Obuchowski, Schartz and Berbaum (2005), Statistics in Medicine 24:1579-1607. Hillis (2007), Statistics in Medicine
    26:596-619. Gallas (2006), Academic Radiology 13:353-362. Gallas and Brown (2008), Neural Networks 21:387-397.

    Examples
    --------
    >>> import rocsteady as rs
    >>> film, digital = [3, 1, 4, 2, 2, 4, 3, 1, 1, 4, 2, 3], [4, 1, 4, 2, 3, 4, 3, 1, 2, 4, 1, 3]
    >>> table = {"who": ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"] * 2, "rating": film + digital,
    ...          "by": ["film"] * 12 + ["digital"] * 12, "patient": [1, 2, 3, 4] * 6, "ill": [1, 0, 1, 0] * 6}
    >>> study = rs.readers.analyze(
    ...     table, reader="who", modality="by", case="patient", label="ill", score="rating")
    >>> study.auc["film"]
    {'a': 1.0, 'b': 0.5, 'c': 0.0}
    """
    check_choice("method", method, tuple(NAMES))
    check_alternative(alternative, margin)
    check_level(level)
    request, told = asked_measure(measure)
    plain = request.sheet.name == "auc" and not request.params
    how = covariance_asked(covariance, method, plain=plain)
    columns = Columns(reader, modality, case, label, score)
    ratings = read_ratings(table, columns, pos_label, modalities, missing)
    by_formula = plain and (method == "obuchowski-rockette" or how == "unbiased")
    design, found = _design(ratings, columns, method, how, None if by_formula else _computed(request))
    squares, components = design.parts()
    facts = _facts(ratings)
    values = _values(design, ratings)
    asked = _Asked(design, ratings.modalities, request.sheet, told, NAMES[method], alternative, margin, level, facts)
    random, fixed_readers = asked.analysis(RANDOM), asked.analysis(FIXED_READERS)
    return ReaderStudy(
        readers=ratings.readers,
        modalities=ratings.modalities,
        values=values,
        covariance=found,
        method=how,
        mean_squares=squares,
        components=components,
        random=random,
        fixed_readers=fixed_readers,
        fixed_cases=asked.analysis(FIXED_CASES),
        level=level,
        analysis=NAMES[method],
        measure=request.column,
        label=told,
        **facts,
        warnings=(*_left_out(ratings), *_remarks(values, ratings, plain=plain), *_shorter(random, fixed_readers)),
    )


def _computed(request: Request) -> Compute:
    """The measure of ranked scores."""
    return lambda ranked: request.sheet.compute(ranked, **request.params)


def _design(
    ratings: Ratings, columns: Columns, method: str, how: Covariance, compute: Compute | None
) -> tuple[Design, Any]:
    """The study as the method sees it, with the covariance of all values."""
    if method == "u-statistics":
        return partly_design(ratings, columns, compute)
    return crossed_design(crossed_of(ratings, columns), ratings, columns, how, compute)


def _facts(ratings: Ratings) -> dict[str, Any]:
    n_pos = int(np.count_nonzero(ratings.positive))
    origin = replace(ratings.read.origin, n_rows=ratings.positive.size, n_dropped=ratings.n_dropped)
    return {"n_pos": n_pos, "n_neg": ratings.positive.size - n_pos, "origin": origin}


def _values(design: Design, ratings: Ratings) -> dict[Any, dict[Any, float]]:
    """By modality and reader, of those who have one."""
    lines = design.by_reader()
    return {
        name: {who: value for who, value in zip(ratings.readers, line, strict=True) if not math.isnan(value)}
        for name, line in zip(ratings.modalities, lines, strict=True)
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is asked of a study, for each population in turn."""

    design: Design
    names: tuple[Any, ...]
    sheet: FactSheet
    label: str
    method: str
    alternative: str
    margin: float | None
    level: float
    facts: dict[str, Any]

    def analysis(self, population: str) -> ReaderAnalysis:
        """Means, differences and the test of all modalities at once."""
        pairs = list(combinations(range(self.design.n_modalities), 2))
        names = self.names
        found = {(names[i], names[j]): self._difference(i, j, population) for i, j in pairs}
        adjusted = adjust_pvalues([test.pvalue for test in found.values()]).tolist()
        return ReaderAnalysis(
            population=population,
            test=self._omnibus(population),
            differences=found,
            p_holm=dict(zip(found, adjusted, strict=True)),
            means={name: self._mean(place, population) for place, name in enumerate(names)},
            level=self.level,
            label=self.label,
        )

    def _difference(self, first: int, second: int, population: str) -> TestResult:
        gap, spread = self.design.difference(first, second, population)
        free = None if spread.df is None or math.isnan(spread.df) else spread.df
        alike = self.design.alike(first, second)
        se = 0.0 if alike else spread.se if spread.se > 0 else math.nan  # no spread is no certainty
        made = NormalDifference(gap, se, free)
        found = result_of(made, self.alternative, self.margin, self.level, self.method, **self.facts)
        names = " less ".join(printable(str(self.names[place])) for place in (first, second))
        return replace(found, warnings=_about(names, gap, se, spread.variance))

    def _mean(self, modality: int, population: str) -> Interval:
        value, spread = self.design.mean(modality), self.design.of_mean(modality, population)
        se = spread.se if spread.se > 0 else math.nan
        low, high = NormalDifference(value, se, spread.df).ends(self.level)
        misread = min(self.facts["n_pos"], self.facts["n_neg"]) * (1 - value)
        few = self.sheet.name == "auc" and population != FIXED_CASES and misread < FEW_MISREAD
        notes = _about(printable(str(self.names[modality])), value, se, spread.variance) or (
            (Remark("few_misread"),) if few else ()
        )
        low, high = np.clip((low, high), *self.sheet.bounds).tolist()  # keeps NaN
        return Interval(value, low, high, self.level, self.method, se, **self.facts, warnings=notes)

    def _omnibus(self, population: str) -> TestResult:
        from scipy.special import chdtrc, fdtrc

        t = self.design.n_modalities
        means = [self.design.mean(place) for place in range(t)]
        gap = max(means) - min(means)
        alike = all(self.design.alike(0, place) for place in range(1, t))
        ratio, free = (0.0, None) if alike else self.design.squares(population)
        if free is None:
            statistic, told = ratio * (t - 1), f"{self.method}, chi-square"
            pvalue = float(chdtrc(t - 1, statistic))
        elif math.isnan(free):
            statistic, pvalue, told, free = math.nan, math.nan, f"{self.method}, F", None
        else:
            statistic = ratio
            told = f"{self.method}, F with {t - 1} and {format_digits(free, 3)} degrees of freedom"
            pvalue = float(fdtrc(t - 1, free, statistic))
        return TestResult(
            statistic=statistic,
            pvalue=1.0 if alike else pvalue,
            estimate=gap,
            low=math.nan,
            high=math.nan,
            alternative="two-sided",
            method=told,
            hypothesis="not all modalities are alike",
            level=self.level,
            df=free if free is not None else None if math.isnan(statistic) else float(t - 1),
            **self.facts,
            warnings=_about("all modalities", gap, ratio),
        )


def _about(of: str, gap: float, se: float, variance: float = 0.0) -> tuple[Remark, ...]:
    if math.isnan(se):
        return (Remark("readers_below_zero") if variance < 0 else Remark("readers_no_spread", of=of),)
    return (Remark("modalities_alike"),) if gap == 0 and se == 0 else ()


def _left_out(ratings: Ratings) -> tuple[Remark, ...]:
    """Modalities that were not asked for, and rows that lack a value."""
    told = [Remark("modalities_left_out", which=some_values(ratings.left_out))] if ratings.left_out else []
    return (*told, *([Remark("ratings_dropped", n=ratings.n_dropped)] if ratings.n_dropped else []))


def _remarks(values: dict[Any, dict[Any, float]], ratings: Ratings, *, plain: bool) -> tuple[Remark, ...]:
    """Few readers, readers without an error, without a value."""
    found = []
    fewest = min(len(line) for line in values.values())
    if fewest < FEW_READERS:
        found.append(Remark("few_readers", n=fewest))
    given = (ratings.row_of >= 0).any(axis=1).sum()
    lacking = int(given) - sum(len(line) for line in values.values())
    if lacking:
        found.append(Remark("readers_no_value", n=lacking))
    smaller = int(min(np.count_nonzero(ratings.positive), np.count_nonzero(~ratings.positive)))
    if not plain and smaller < FEW_FOR_OTHERS:
        found.append(Remark("readers_other_measure", n=smaller))
    perfect = sum(value == 1 for line in values.values() for value in line.values()) if plain else 0
    if perfect:
        found.append(Remark("perfect_readers", n=perfect, total=sum(len(line) for line in values.values())))
    return tuple(found)


def _shorter(random: ReaderAnalysis, fixed: ReaderAnalysis) -> tuple[Remark, ...]:
    """Intervals for other readers that end inside those for these readers: a remark that names them."""
    pairs = {" less ".join(printable(str(name)) for name in pair): pair for pair in random.differences}
    found = [of for of, pair in pairs.items() if _inside(random.differences[pair], fixed.differences[pair])]
    means = {f"the mean of {printable(str(name))}": name for name in random.means}
    found += [of for of, name in means.items() if _inside(random.means[name], fixed.means[name])]
    return (Remark("readers_agree", of=", ".join(found)),) if found else ()


def _inside(one: Interval | TestResult, other: Interval | TestResult) -> bool:
    room = TRACE * (other.high - other.low) if math.isfinite(other.high - other.low) else 0.0
    return bool(one.low > other.low + room or one.high < other.high - room)

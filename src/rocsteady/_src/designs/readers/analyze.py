"""Do two modalities differ when readers use them, for other readers and other cases too?"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocsteady._src.base.text import format_digits
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.readers.anova import FIXED_CASES, FIXED_READERS, RANDOM, Anova
from rocsteady._src.designs.readers.covariances import WHOLE, Covariance, covariance_of
from rocsteady._src.designs.readers.crossed import Columns, Crossed, read_crossed
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.results import Interval, TestResult
from rocsteady._src.results.readers import ReaderAnalysis, ReaderStudy
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.readers.anova import Spread

FEW_READERS = 5
FEW_MISREAD = 3  # cases of the smaller class, times 1 - AUC
METHOD = "Obuchowski-Rockette"


@typed
def analyze(
    table: object,
    *,
    reader: str,
    modality: str,
    case: str,
    label: str,
    score: str,
    covariance: Covariance = "delong",
    modalities: Sequence[Any] | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    pos_label: Any = None,
) -> ReaderStudy:
    """Compare modalities by the AUCs of several readers who judged the same cases (Obuchowski-Rockette, Hillis).

    Every reader judges every case under every modality. The mean difference in AUC is tested three times: as a
    statement about other readers and other cases like these, about other cases of these readers, and about other
    readers of these cases. Measured sizes are in docs/readers.md.

    Parameters
    ----------
    table : DataFrame or mapping
        One row per rating.
    reader, modality, case, label, score : str
        Names of its columns: who judged, by which test, which case, the truth about the case, and the rating; higher
        means more positive.
    covariance : {"delong", "jackknife", "unbiased"}
        How AUCs vary together over cases. "delong": DeLong's. "jackknife": each case left out in turn, which makes
        this the analysis of Dorfman, Berbaum and Metz (DBM). "unbiased": the U-statistic.
    modalities : sequence, optional
        Their order: differences are of an earlier one minus a later one. By default sorted.
    alternative, margin
        About first minus second, as in :func:`rocsteady.compare_auc`: "non-inferiority" with the margin that matters.
    level : float
        Confidence level of the intervals.
    pos_label
        As in :func:`rocsteady.rank`.

    Returns
    -------
    ReaderStudy
        ``auc`` by modality and reader, ``mean_squares``, ``components``, and the analyses ``random``,
        ``fixed_readers`` and ``fixed_cases``, each with ``test``, ``means`` and ``differences``.

    References
    ----------
    Obuchowski and Rockette (1995), Communications in Statistics - Simulation and Computation 24:285-308. Hillis,
    Obuchowski, Schartz and Berbaum (2005), Statistics in Medicine 24:1579-1607. Hillis (2007), Statistics in Medicine
    26:596-619.

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
    check_choice("covariance", covariance, get_args(Covariance))
    check_alternative(alternative, margin)
    check_level(level)
    study = read_crossed(table, Columns(reader, modality, case, label, score), pos_label, modalities)
    areas = areas_of(study.rows, WHOLE)
    found = covariance_of(areas, study.rows, covariance)
    n_pos, n_neg = study.rows.class_weights
    sums = areas.sums or study.rows.placement_sums()
    exact = [Fraction(wins, 2 * n_pos * n_neg) for wins in sums.wins]
    anova = Anova.of(exact, found, len(study.modalities))
    facts = {"n_pos": n_pos, "n_neg": n_neg, "origin": study.rows.origin}
    asked = _Asked(study, anova, alternative, margin, level, facts)
    values = [[float(value) for value in line] for line in anova.areas]
    return ReaderStudy(
        readers=study.readers,
        modalities=study.modalities,
        auc={
            name: dict(zip(study.readers, line, strict=True))
            for name, line in zip(study.modalities, values, strict=True)
        },
        covariance=found,
        method=covariance,
        mean_squares=anova.mean_squares(),
        components=anova.components(),
        random=asked.analysis(RANDOM),
        fixed_readers=asked.analysis(FIXED_READERS),
        fixed_cases=asked.analysis(FIXED_CASES),
        level=level,
        **facts,
        warnings=_remarks(anova),
    )


class _Asked:
    """What is asked of a study, for each population in turn."""

    def __init__(
        self,
        study: Crossed,
        anova: Anova,
        alternative: str,
        margin: float | None,
        level: float,
        facts: dict[str, Any],
    ) -> None:
        self.study, self.anova, self.facts = study, anova, facts
        self.alternative, self.margin, self.level = alternative, margin, level

    def analysis(self, population: str) -> ReaderAnalysis:
        """Means, differences and the test of all modalities at once."""
        spread = self.anova.of_difference(population)
        pairs = list(combinations(range(self.anova.n_modalities), 2))
        names = self.study.modalities
        return ReaderAnalysis(
            population=population,
            test=self._omnibus(spread),
            differences={(names[i], names[j]): self._difference(i, j, spread) for i, j in pairs},
            means={name: self._mean(place, population) for place, name in enumerate(names)},
            level=self.level,
        )

    def _difference(self, first: int, second: int, spread: Spread) -> TestResult:
        gap = float(self.anova.mean(first) - self.anova.mean(second))
        se = spread.se if spread.se > 0 or self._alike(first, second) else math.nan  # no spread is no certainty
        made = NormalDifference(gap, se, spread.df)
        found = result_of(made, self.alternative, self.margin, self.level, METHOD, **self.facts)
        return replace(found, warnings=_about(gap, se))

    def _alike(self, first: int, second: int) -> bool:
        """Whether no reader puts the cases in another order under one of the two."""
        r = self.anova.n_readers
        return all(self.study.rows.alike(first * r + place, second * r + place) for place in range(r))

    def _mean(self, modality: int, population: str) -> Interval:
        value, spread = float(self.anova.mean(modality)), self.anova.of_mean(modality, population)
        se = spread.se if spread.se > 0 else math.nan
        low, high = NormalDifference(value, se, spread.df).ends(self.level)
        misread = min(self.facts["n_pos"], self.facts["n_neg"]) * (1 - value)
        few = population != FIXED_CASES and misread < FEW_MISREAD
        notes = (Remark("readers_no_spread"),) if math.isnan(se) else (Remark("few_misread"),) if few else ()
        low, high = np.clip((low, high), 0.0, 1.0).tolist()  # keeps NaN
        return Interval(value, low, high, self.level, METHOD, se, **self.facts, warnings=notes)

    def _omnibus(self, spread: Spread) -> TestResult:
        from scipy.special import chdtrc, fdtrc

        t, r = self.anova.n_modalities, self.anova.n_readers
        means = [self.anova.mean(place) for place in range(t)]
        term = spread.variance * r / 2
        gap = float(max(means) - min(means))
        alike = all(self._alike(0, place) for place in range(1, t))
        ratio = self.anova.mean_squares()["modality"] / term if term > 0 else 0.0 if alike else math.nan
        if spread.df is None:
            statistic, told = ratio * (t - 1), f"{METHOD}, chi-square"
            pvalue = float(chdtrc(t - 1, statistic))
        else:
            statistic, free = ratio, format_digits(spread.df, 3)
            told = f"{METHOD}, F with {t - 1} and {free} degrees of freedom"
            pvalue = float(fdtrc(t - 1, spread.df, statistic))
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
            df=float(t - 1) if spread.df is None else spread.df,
            **self.facts,
            warnings=_about(gap, spread.se if spread.se > 0 or alike else math.nan),
        )


def _about(gap: float, se: float) -> tuple[Remark, ...]:
    if math.isnan(se):
        return (Remark("readers_no_spread"),)
    return (Remark("modalities_alike"),) if gap == 0 and se == 0 else ()


def _remarks(anova: Anova) -> tuple[Remark, ...]:
    """Few readers, readers without an error, readers who differ less than chance would have it."""
    found = []
    if anova.n_readers < FEW_READERS:
        found.append(Remark("few_readers", n=anova.n_readers))
    perfect = sum(value == 1 for line in anova.areas for value in line)
    if perfect:
        found.append(Remark("perfect_readers", n=perfect, total=anova.n_readers * anova.n_modalities))
    if anova.of_difference(RANDOM).variance < anova.of_difference(FIXED_READERS).variance:
        found.append(Remark("readers_agree"))
    return tuple(found)

"""Every result can be drawn, and what is drawn are its numbers."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
import pkgutil
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.base.text import format_number, format_threshold
from rocsteady._src.evaluation.classes.divided import DividedClasses
from rocsteady._src.results.base import Pictured
from rocsteady._src.results.displays import RecordDisplay
from rocsteady._src.results.exploring import PagedResult
from rocsteady._src.results.lab_page import LabResult
from rocsteady._src.results.pictures import Forest, Picture
from rocsteady._src.results.selection import MeasureSelection
from rocsteady.examples import loans
from rocsteady.results import Curve, Interval, Resampling, Result, TestResult

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

SHARED = {Pictured, Result, PagedResult, Curve, DividedClasses, LabResult}
NOT_LIBRARY = ("rocsteady._src.views.cli", "rocsteady.__main__")
OLDEST_RESULTS = tuple(
    f"rocsteady.results.{name}"
    for name in ("answers", "bands", "calibration", "comparison", "inference", "power", "reclassification", "selection")
)
PAIR = {"alternative": "non-inferiority", "margin": 0.03}


def below(parent: type) -> set[type]:
    """Subclasses at any depth; what a dataclass with slots replaced is not reachable by its name any more."""
    found: set[type] = set(parent.__subclasses__())
    deeper = found.union(*(below(child) for child in found)) if found else found
    return {each for each in deeper if getattr(sys.modules[each.__module__], each.__name__, each) is each}


@cache
def result_classes() -> tuple[type, ...]:
    """All that results can be, in every module of the library."""
    for module in pkgutil.walk_packages(rs.__path__, "rocsteady."):
        if not module.name.startswith(NOT_LIBRARY):
            importlib.import_module(module.name)
    classes = {found for found in below(Pictured) - SHARED if found.__module__.startswith("rocsteady.")}
    return tuple(sorted(classes, key=lambda found: (found.__module__, found.__name__)))


def why_not_drawn(found: type) -> str:
    """What a class lacks to be drawn by ``plot(ax=None, publication=True)``; empty if nothing."""
    own_plot = found.plot is not Pictured.plot
    if not own_plot and found._picture is Pictured._picture:
        return "declare _picture, one of the kinds in rocsteady._src.results.pictures, or write plot(ax=None)"
    names = list(inspect.signature(found.plot).parameters.values())
    if [names[1].name, names[1].default] != ["ax", None]:
        return "the first argument of plot must be ax=None"
    takes = {each.name for each in names} | {"publication" for each in names if each.kind is each.VAR_KEYWORD}
    return "" if "publication" in takes else "plot must take publication=True"


def test_every_result_class_has_a_plot() -> None:
    assert len(result_classes()) >= 35
    lacking = {f"{found.__module__}.{found.__name__}": why_not_drawn(found) for found in result_classes()}
    assert {name: reason for name, reason in lacking.items() if reason} == {}


def test_a_result_class_without_a_plot_is_noticed() -> None:
    @dataclasses.dataclass(frozen=True)
    class Bare(Result):
        value: float

    bare: Any = Bare

    class Crooked(bare):
        def plot(self, kind: str = "a", ax: Any = None, *, publication: bool = False) -> Any:
            """The kind first."""

    class Plain(bare):
        def plot(self, ax: Any = None) -> Any:
            """Never for print."""

    assert Bare in below(Pictured)
    assert "declare _picture" in why_not_drawn(Bare)
    assert "ax=None" in why_not_drawn(Crooked)
    assert "publication" in why_not_drawn(Plain)
    with pytest.raises(NotImplementedError, match="Bare must declare _picture"):
        Bare(1.0).plot()


@cache
def examples() -> dict[str, Any]:
    table = loans(400)
    y, first, second = table["defaulted"], table["logistic"], table["boosted"]
    evaluation = rs.evaluate(table, label="defaulted", scores=["logistic", "boosted"], measures=["auc"])
    compared = evaluation.compare(cutoffs=[0.1, 0.3])
    moved, summary = compared.reclassified[0], rs.calibration_summary(y, first)
    models = {"a": first, "b": second, "c": table["scorecard"]}
    return {
        "interval": rs.auc_interval(y, first),
        "resampling": rs.bootstrap_interval("auc", y, first, n_resamples=200, random_state=1).resampling,
        "test": rs.compare_auc(y, first, second),
        "non-inferiority": rs.compare_auc(y, first, second, **PAIR),
        "equivalence": rs.compare_auc(y, first, second, alternative="equivalence", margin=0.03),
        "permutation": rs.compare_measure(
            "auc", y, first, second, method="permutation", n_resamples=200, random_state=1
        ),
        "chi-square": rs.hosmer_lemeshow(y, first),
        "omnibus": rs.compare_models(y, models, method="delong").omnibus,
        "rank sum": rs.auc_null_test(y, first),
        "no interval": rs.spiegelhalter_test(y, first),
        "slope": summary.slope,
        "estimate": moved.nri.nri,
        "ratio": moved.idi.relative,
        "nri": moved.nri,
        "idi": moved.idi,
        "pair": compared.pairs[0],
        "moved": moved,
        "probabilities": compared.probabilities[0],
        "summary": summary,
        "counts": rs.confusion(y, first, threshold=0.3),
        "all counts": rs.confusion(y, first, threshold="all"),
        "binormal": rs.binormal_fit(y, first),
        "brier": rs.brier_decomposition(y, first),
        "binned brier": rs.brier_decomposition(y, first, method="bins"),
        "smooth": rs.smooth_calibration_error(y, first),
        "predictive": (pair := evaluation.compare(threshold=0.3).predictive[0]),
        "relative": pair.ppv,
        "outcome power": rs.power.power_outcomes(discordant=0.2, n=500, power=0.8),
        "power": rs.power_auc(auc=0.7, n_pos=40, n_neg=60),
        "crossings": rs.curves.crossings(rs.roc_curve(y, first), rs.roc_curve(y, second)),
        "width": rs.power.plan_width("sensitivity", 0.9, n=100),
        "goal": rs.power.power_goal("auc", 0.9, above=0.8, n_pos=50),
        "validation": rs.power.validation_size(prevalence=0.2, auc=0.8),
        "criterion": rs.power.validation_size(prevalence=0.2, auc=0.8).criteria[0],
        "threshold": rs.best_threshold(y, first, rule="youden"),
        "strict threshold": rs.best_threshold(y, first, rule="sensitivity", value=0.99),
        "ties": rs.tie_diagnostics(y, table["grade"]),
        "sets": rs.set_properties(y, first),
        "ranked": rs.rank(y, first),
        "chooser": MeasureSelection("auc$", 0.8, 0.01, -0.02, 0.04, 0.7, 0.5, 1.0, 0.03, 0.6, 0.5, 0.7, 0, 20),
    }


FORESTS = (
    "interval",
    "test",
    "non-inferiority",
    "equivalence",
    "rank sum",
    "no interval",
    "slope",
    "estimate",
    "ratio",
)
PARTS = (
    "nri",
    "idi",
    "pair",
    "moved",
    "probabilities",
    "summary",
    "ties",
    "chooser",
    "predictive",
    "relative",
    "crossings",
)
SPREADS = ("resampling", "permutation", "chi-square", "omnibus", "ranked")
OTHERS = ("counts", "all counts", "binormal", "brier", "binned brier", "smooth", "sets", "validation", "criterion")
COUNTED = ("counts", "all counts", "ranked")
SPOTS = ("power", "width", "goal", "threshold", "strict threshold", "outcome power")
NAMES = (*FORESTS, *PARTS, *SPREADS, *OTHERS, *SPOTS)


@pytest.fixture(autouse=True)
def closed_figures() -> Any:
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def words_on(display: Any) -> str:
    from matplotlib.text import Text

    words = " | ".join(text.get_text() for text in display.ax_.findobj(Text) if text.get_text())
    return words.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")


def overhang(figure: Any) -> float:
    """Inches by which anything sticks out of the figure."""
    figure.get_layout_engine().execute(figure)  # as drawing it does first
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    return float(max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))


def undefined(value: Any, number: float) -> Any:
    """The same result with another number in place of every one that is not whole."""
    if isinstance(value, float):
        return number
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.full_like(value, number)
    if isinstance(value, dict):
        return {key: undefined(item, number) for key, item in value.items()}
    if isinstance(value, Result):
        kept = {"level", "df"}
        changed = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.name not in kept}
        record: Any = value
        return dataclasses.replace(record, **{name: undefined(item, number) for name, item in changed.items()})
    return value


def test_all_examples_are_drawn_below() -> None:
    assert set(NAMES) == set(examples())
    declared = {found for found in result_classes() if "_picture" in vars(found)}
    drawn = {type(example) for example in examples().values()}
    assert drawn <= declared
    elsewhere = {found.__name__ for found in declared - drawn if found.__module__.startswith(OLDEST_RESULTS)}
    assert elsewhere == set(), "results of newer parts are drawn in the tests of these parts, these here"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_drawn_where_asked_and_nothing_is_cut_off(name: str) -> None:
    import matplotlib.pyplot as plt

    result = examples()[name]
    own = plt.figure().add_subplot()
    before = len(plt.get_fignums())
    drawn = result.plot(ax=own)
    assert drawn.ax_ is own
    assert drawn.figure_ is own.figure
    assert len(plt.get_fignums()) == before
    shown, printed = result.plot(), result.plot(publication=True)
    assert shown.figure_ is shown.ax_.figure
    assert printed.figure_.get_size_inches()[0] < 0.7 * shown.figure_.get_size_inches()[0]
    assert printed.ax_.xaxis.label.get_fontfamily() == ["serif"]
    assert plt.rcParams["font.family"] != ["serif"]
    for display in (shown, printed):
        assert display.ax_.get_title()
        assert display.ax_.get_xlabel()
        assert overhang(display.figure_) < 0.02


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, math.nan) for name in NAMES if name not in COUNTED]
    + [(name, math.inf) for name in NAMES if name not in (*COUNTED, "power", "binormal")],  # refused if not finite
)
def test_what_is_undefined_or_infinite_is_said(name: str, number: float) -> None:
    display = undefined(examples()[name], number).plot()
    assert overhang(display.figure_) < 0.02
    if isinstance(display, RecordDisplay):
        assert not [each for each in display.dots_ if each is not None]
        words = words_on(display)
        assert any(word in words for word in ("undefined", "inf", "nothing finite", "nan"))


def ends(artist: Any) -> list[float]:
    return [float(x) for x in artist.get_xdata()]


def numbers_of(result: Any) -> list[tuple[float, float, float]]:
    return [(float(each.estimate), float(each.low), float(each.high)) for each in result]


def assert_forest(display: Any, expected: list[tuple[float, float, float]]) -> None:
    assert len(display.dots_) == len(display.bars_) == len(expected)
    for place, (estimate, low, high) in enumerate(expected):
        assert ends(display.dots_[place]) == [estimate]
        assert list(display.dots_[place].get_ydata()) == [place]
        if math.isnan(low):
            assert display.bars_[place] is None
        else:
            assert ends(display.bars_[place]) == [low, high]
    left, right = display.ax_.get_xlim()
    assert all(left < x < right for row in expected for x in row if not math.isnan(x))


@pytest.mark.parametrize(
    ("name", "nulls"),
    [
        ("interval", []),
        ("test", [0]),
        ("non-inferiority", [-0.03]),
        ("equivalence", [-0.03, 0.03]),
        ("rank sum", [0]),
        ("no interval", [0]),
        ("slope", [1]),
        ("estimate", [0]),
        ("ratio", [1]),
    ],
)
def test_an_estimate_stands_on_its_interval_beside_its_hypothesis(name: str, nulls: list[float]) -> None:
    result = examples()[name]
    display = result.plot()
    assert_forest(display, numbers_of([result]))
    drawn = [ends(line) for line in display.references_]
    assert drawn == [[pytest.approx(null, abs=1e-9)] * 2 for null in nulls]
    assert f"{result.estimate:.4f}" in words_on(display)
    if isinstance(result, TestResult):
        assert result.hypothesis in words_on(display)
        assert result.method in words_on(display)
    elif isinstance(result, Interval):
        assert f"95% confidence interval, {result.method}" in display.ax_.get_title()
        assert "positive label 1; " in display.ax_.get_title()


def test_an_undefined_slope_is_compared_with_nothing() -> None:
    assert undefined(examples()["slope"], math.nan).plot().references_ == []
    choice = dataclasses.replace(examples()["threshold"], precision=math.nan)
    assert "precision undefined" in words_on(choice.plot())


def test_an_infinite_limit_is_an_arrow_at_the_edge() -> None:
    display = Interval(3.0, 1.0, math.inf, 0.9, "log").plot()
    low, high = ends(display.bars_[0])
    assert low == 1.0
    assert high == display.ax_.get_xlim()[1]
    assert [line.get_marker() for line in display.ax_.lines].count(">") == 1
    assert "[1.0000, inf]" in words_on(display)
    assert "90% confidence interval" in words_on(display)


def test_results_of_several_parts_show_each() -> None:
    table = examples()
    nri, idi, moved = table["nri"], table["idi"], table["moved"]
    parts = {name: [getattr(table[name], part) for part in (name, "events", "nonevents")] for name in ("nri", "idi")}
    assert_forest(nri.plot(), numbers_of(parts["nri"]))
    assert_forest(idi.plot(), numbers_of(parts["idi"]))
    assert_forest(moved.plot(), numbers_of(parts["nri"] + parts["idi"]))
    pair, model, summary = table["pair"], table["probabilities"], table["summary"]
    assert_forest(pair.plot(), numbers_of([pair.test]))
    alone = [(value, math.nan, math.nan) for value in model.net_benefit.values()]
    assert_forest(model.plot(), numbers_of([model.in_the_large, model.slope, model.brier]) + alone)
    tested = [summary.in_the_large, summary.intercept, summary.slope, summary.observed_expected, summary.brier]
    names = ["scaled_brier", "log_loss", "discrimination", "unreliability", "quality", "r2", "ece", "expected_ece"]
    alone = [(float(getattr(summary, name)), math.nan, math.nan) for name in names]
    display = summary.plot()
    assert_forest(display, numbers_of(tested) + alone)
    assert [ends(line)[0] for line in display.references_] == [0, 0, 1, 1]
    assert [list(line.get_ydata()) for line in display.references_] == [[row - 0.5, row + 0.5] for row in range(4)]


def test_ties_reach_from_the_worst_to_the_best() -> None:
    found = examples()["ties"]
    expected = [(found.auc, found.auc_worst, found.auc_best), (found.auc_if_near_ties_tied, math.nan, math.nan)]
    assert_forest(found.plot(), expected)


def test_a_chooser_of_models_stands_beside_the_reference() -> None:
    display = examples()["chooser"].plot()
    assert_forest(display, [(0.01, -0.02, 0.04)])
    assert [ends(line) for line in display.references_] == [[0, 0]]


def test_names_of_models_are_not_tex() -> None:
    pair = dataclasses.replace(examples()["pair"], first="$a_{", second="b$\x1b[31m" + "long " * 30)
    display = pair.plot()
    assert overhang(display.figure_) < 0.02
    assert r"\$a_{ - b\$" in words_on(display)
    assert "\x1b" not in words_on(display)


@pytest.mark.parametrize("name", ["brier", "binned brier"])
def test_the_steps_of_a_decomposition_lead_to_the_score(name: str) -> None:
    found = examples()[name]
    display = found.plot()
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in display.bars_]
    assert bars[0] == (0, found.uncertainty)
    assert bars[1] == (pytest.approx(found.uncertainty), pytest.approx(found.uncertainty - found.discrimination))
    assert bars[2][1] - bars[2][0] == pytest.approx(found.miscalibration)
    assert bars[-2][1] == pytest.approx(found.score)
    assert bars[-1] == (0, found.score)
    assert len(bars) == (5 if found.within_bins else 4)


def test_bars_are_as_long_as_their_numbers() -> None:
    smooth, sets = examples()["smooth"], examples()["sets"]
    assert [bar.get_width() for bar in smooth.plot().bars_] == [smooth.mean, smooth.p90, smooth.largest]
    numbers = [sets.range, sets.abs_margin, sets.median, sets.pos_range, sets.neg_range]
    assert [bar.get_width() for bar in sets.plot().bars_] == numbers
    assert f"{sets.rel_error_size:.2%}" in words_on(sets.plot())


def test_cells_hold_the_counts_and_their_shares_of_the_row() -> None:
    display = rs.Confusion(tp=30, fp=5, fn=10, tn=1500, threshold=0.5).plot()
    assert [text.get_text() for text in display.dots_] == ["30\n75.0%", "10\n25.0%", "5\n0.3%", "1,500\n99.7%"]
    assert [text.get_position() for text in display.dots_] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["positive", "negative"]
    depths = [patch.get_alpha() for patch in display.bars_]
    assert depths[3] > depths[0] > depths[1] > depths[2]
    empty = rs.Confusion(tp=0, fp=5, fn=0, tn=15).plot()
    assert [text.get_text() for text in empty.dots_][:2] == ["0\nundefined"] * 2


def test_counts_at_all_thresholds_are_lines() -> None:
    found = examples()["all counts"]
    display = found.plot()
    for line, counts in zip(display.bars_, (found.tp, found.fp, found.fn, found.tn), strict=True):
        known = dict(zip(found.threshold.tolist(), counts.tolist(), strict=True))
        assert len(line.get_xdata()) > 100
        assert all(known[x] == y for x, y in zip(*line.get_data(), strict=True))
    single = rs.Confusion(*(np.array([float(x)]) for x in (1, 2, 3, 4)), threshold=np.array([math.inf]))
    assert overhang(single.plot().figure_) < 0.02


def test_replicates_are_counted_and_their_quantiles_marked() -> None:
    values = np.concatenate([np.arange(1000.0), [math.nan, math.inf]])
    display = Resampling("rows", 1002, 2, 7, values).plot()
    heights, edges, _ = display.bars_[0].get_data()
    assert heights == pytest.approx(np.full(40, 1 / 40), abs=0.0011)
    assert heights.sum() == pytest.approx(1)
    assert [edges[0], edges[-1]] == [0, 999]
    marks = [ends(line)[0] for line in display.references_]
    assert marks == pytest.approx([0.025 * 999, 0.5 * 999, 0.975 * 999])
    assert "2 undefined or infinite, not drawn" in words_on(display)
    assert "seed 7" in words_on(display)


def test_a_permutation_test_shows_what_was_observed_among_the_replicates() -> None:
    found = examples()["permutation"]
    display = found.plot()
    assert ends(display.references_[0]) == [found.statistic] * 2
    heights, edges, _ = display.bars_[0].get_data()
    assert heights * 200 == pytest.approx(np.histogram(found.resampling.distribution, edges)[0])


def test_scores_of_each_class_add_up_to_one() -> None:
    ranked = rs.rank([1, 1, 0, 0, 0, 0], [0.0, 4.0, 0.0, 0.0, 2.0, math.inf])
    display = ranked.plot()
    negatives, positives = (bar.get_data()[0] for bar in display.bars_)
    assert [negatives[0], negatives[20], positives[0], positives[-1]] == pytest.approx([2 / 3, 1 / 3, 0.5, 0.5])
    assert "infinite scores are not drawn" in words_on(display)
    assert overhang(rs.rank([1, 0], [0.5, 0.5]).plot().figure_) < 0.02


def test_a_threshold_stands_at_its_rates() -> None:
    found = examples()["threshold"]
    display = found.plot()
    (dot,) = display.dots_
    assert (ends(dot), list(dot.get_ydata())) == ([found.fpr], [found.tpr])
    assert display.bars_[0].get_xydata().tolist() == [[found.fpr, 0], [found.fpr, found.tpr], [0, found.tpr]]
    assert f"precision {format_number(found.precision)}" in words_on(display)
    assert f"score >= {format_threshold(found.threshold, found.next_lower)}" in words_on(display)


def test_power_stands_over_its_rows() -> None:
    found = examples()["power"]
    display = found.plot()
    assert display.dots_[0].get_xydata().tolist() == [[100, found.power]]
    assert list(display.references_[0].get_ydata()) == [0.05, 0.05]
    assert "40 positives, 60 negatives" in words_on(display)


@pytest.mark.parametrize("name", ["chi-square", "omnibus"])
def test_the_filled_tail_is_p(name: str) -> None:
    found = examples()[name]
    statistic = 1.3 * found.df
    from scipy.special import chdtrc

    display = dataclasses.replace(found, statistic=statistic).plot()
    assert ends(display.references_[0]) == [statistic] * 2
    edge = display.bars_[0].get_paths()[0].vertices
    x, y = edge[:, 0], edge[:, 1]
    area = abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))) / 2
    assert area == pytest.approx(float(chdtrc(found.df, statistic)), abs=0.01)


@pytest.mark.parametrize("df", [1.0, 2.0, 3.0])
def test_few_degrees_of_freedom_have_a_tail_too(df: float) -> None:
    display = dataclasses.replace(examples()["chi-square"], statistic=0.0, df=df).plot()
    assert math.isfinite(display.ax_.get_ylim()[1])
    assert overhang(display.figure_) < 0.02


def test_a_binormal_fit_is_its_curve() -> None:
    fit = examples()["binormal"]
    display = fit.plot()
    x, y = display.line_.get_data()
    assert y == pytest.approx(fit.roc(x))
    assert [x[0], x[-1]] == [0, 1]
    assert f"{fit.auc:.3f}" in words_on(display)


def test_a_kind_of_picture_needs_one_place_that_draws_it() -> None:
    from rocsteady._src.views.plots.records import DRAWN_BY

    assert set(DRAWN_BY) == below(Picture)
    assert Forest in DRAWN_BY

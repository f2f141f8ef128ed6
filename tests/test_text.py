"""Figures as people read them: one formatter, whose texts never say something else than the numbers do."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.base.text import (
    LEVELS,
    format_count,
    format_digits,
    format_interval,
    format_number,
    format_p,
    format_share,
    format_threshold,
    p_words,
)
from rocsteady._src.measures.confusion import threshold_text
from sources import nodes_of

PACKAGE = Path(__file__).parent.parent / "src" / "rocsteady"
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1)
FIGURES = re.compile(r"[,+]|[fgeE%]$|\.\d")


def formats_of(path: Path) -> list[str]:
    """Format specifications of a file that turn numbers into text; widths and alignments are not among them."""
    found = []
    for node in nodes_of(path):
        spec = getattr(node, "format_spec", None)
        if isinstance(spec, ast.JoinedStr):
            text = "".join(str(part.value) for part in spec.values if isinstance(part, ast.Constant))
            found += [f"line {node.lineno}: {text}"] if FIGURES.search(text) else []
    if ".format(" in (text := path.read_text()):
        found += re.findall(r"\{\w+:[,+]?(?:\.\d)?[fge%]\}", text)
    return found


@each_case("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_numbers_become_text_in_one_place(path: Path) -> None:
    if path not in (PACKAGE / "_src/base/text.py", PACKAGE / "_src/base/errors.py"):  # what words errors stands below
        assert not formats_of(path), "use rocsteady._src.base.text"


COUNTS = ("size", "n_rows", "n_tied", "n_clusters", "n_repeats", "n_sources", "n_unscored", "n_repeated_ids")


def bare_counts(nodes: Iterable[ast.AST]) -> list[str]:
    """What an f-string counts and writes without separators: lengths, and attributes that are numbers of rows."""
    found = []
    for node in nodes:
        if not isinstance(node, ast.FormattedValue) or node.format_spec is not None or node.conversion != -1:
            continue
        shown = node.value
        length = isinstance(shown, ast.Call) and isinstance(shown.func, ast.Name) and shown.func.id == "len"
        if length or (isinstance(shown, ast.Attribute) and shown.attr in COUNTS):
            found.append(ast.unparse(shown))
    return found


@each_case("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_counts_in_messages_have_separators(path: Path) -> None:
    if path.parent.name not in ("files", "plots"):  # SQL, and numbers that a picture places
        assert not bare_counts(nodes_of(path)), "use format_count"


def test_a_message_of_many_rows_can_be_read() -> None:
    with pytest.raises(rs.InputError, match=r"1,500 .*, rows 0, 1, 2, 3, 4 and 1,495 more"):
        rs.auc([0, 1] * 750, [float("nan")] * 1500)


def test_the_page_has_no_figures_of_its_own() -> None:
    page = (PACKAGE / "_src" / "views" / "report" / "assets" / "page.js").read_text()
    inside = page[page.index("/* Figures by the rules") : page.index("/* Columns, whose repeated texts")]
    for name in ("toFixed", "toPrecision", "toExponential", "toLocaleString"):
        assert name not in page.replace(inside, ""), name


def scores_around(width: type) -> st.SearchStrategy[list[float]]:
    """Scores some of which are neighbours in a floating-point type."""
    some = st.floats(0, 1, width=64 if width is np.float64 else 32)
    steps = st.lists(st.tuples(some, st.integers(0, 3)), min_size=2, max_size=12)

    def stepped(pairs: list[tuple[float, int]]) -> list[float]:
        values = []
        for start, up in pairs:
            value = width(start)
            for _ in range(up):
                value = np.nextafter(value, width(2))
            values.append(value)
        return values

    return steps.map(stepped)


@given(st.sampled_from([np.float64, np.float32]).flatmap(lambda kind: scores_around(kind).map(lambda s: (kind, s))))
@example((np.float64, [0.99999999998, 0.99999999991, 0.5]))
@example((np.float32, [0.1, 0.2, 0.3]))
def test_a_threshold_read_back_calls_the_same_rows(drawn: tuple[Any, list[float]]) -> None:
    kind, listed = drawn
    scores = np.array(listed, dtype=kind)
    ranked = rs.rank([1, *[0] * (scores.size - 1)], scores)
    for threshold in np.unique(scores):
        text = threshold_text(ranked, threshold)
        called = scores >= threshold
        assert np.array_equal(scores.astype(np.float64) >= float(text), called), text
        assert np.array_equal(scores >= float(text), called), f"{text}, compared in {kind.__name__}"
        counts = rs.confusion(ranked, threshold=float(text))
        assert counts.tp + counts.fp == called.sum()


@given(st.lists(st.integers(2**53 - 4, 2**63 - 1), min_size=2, max_size=8))
def test_a_threshold_of_large_whole_numbers_is_written_out(listed: list[int]) -> None:
    scores = np.array(listed)
    ranked = rs.rank([1, *[0] * (scores.size - 1)], scores)
    for threshold in np.unique(scores):
        text = threshold_text(ranked, threshold)
        counts = rs.confusion(ranked, threshold=int(text))
        assert counts.tp + counts.fp == (scores >= threshold).sum()


@given(FINITE)
def test_a_threshold_alone_shows_all_its_digits(value: float) -> None:
    assert float(format_threshold(value)) == value


def test_the_threshold_that_flagged_nothing() -> None:
    """It was printed as 1.000, above every score."""
    scores = np.concatenate([np.full(161, 0.99999999998), np.linspace(0, 0.9, 839)])
    labels = np.r_[np.ones(161, int), np.zeros(839, int)]
    choice = rs.best_threshold(labels, scores)
    shown = re.search(r"score >= (\S+)", str(choice))
    assert shown is not None
    assert (scores >= float(shown[1])).sum() == 161
    table = {"y": labels, "m": scores}
    result = rs.evaluate(table, label="y", scores="m", threshold="youden", measures=["recall"])
    assert result.cells()[1][0][1] == shown[1]


@given(FINITE)
@example(-0.0)
@example(-1e-300)
@example(0.99999)
@example(0.001953125)
def test_numbers_do_not_lie(value: float) -> None:
    shown = ((format_number(value), 4), (format_number(value, 3), 3), (format_number(value, signed=True), 4))
    for text, decimals in shown:
        read = float(text.replace(",", ""))
        if math.isinf(read):
            assert abs(value) > 1.797e308
            continue
        assert not text.startswith("-0") or read < 0
        assert (read == 0) == (value == 0)
        assert (abs(read) == 1) == math.isclose(abs(value), 1, rel_tol=0, abs_tol=1e-12)
        unit = 10**-decimals if abs(value) >= 0.01 else 1e-4 if abs(value) >= 1e-3 else 0.0
        assert abs(read - value) <= 0.5001 * unit or math.isclose(read, value, rel_tol=1e-3, abs_tol=1e-12)


@given(SHARES, SHARES, SHARES)
def test_an_interval_shows_its_width(a: float, b: float, c: float) -> None:
    low, value, high = sorted((a, b, c))
    numbers = [float(text) for text in re.findall(r"[-+.e\d]+", format_interval(value, low, high))]
    assert len(numbers) == 3
    assert numbers[1] <= numbers[0] <= numbers[2]
    if high - low > 1e-9:
        assert numbers[2] - numbers[1] == pytest.approx(high - low, rel=0.12)
    assert not re.search(r"-0\.0*(?![\d])", format_interval(-value, -high, -low))


@given(st.floats(0, 1))
@example(0.0499999)
@example(1e-30)
@example(0.05)
def test_a_p_value_stays_on_its_side(p: float) -> None:
    text = format_p(p)
    if text == "< 0.001":
        assert p < 0.001
    elif text == "> 0.999":
        assert 0.999 < p < 1
    else:
        assert abs(float(text) - p) <= 0.0005
        assert all((float(text) < level) == (p < level) or abs(p - level) < 1e-11 for level in LEVELS)
    assert p_words(p) in (f"p = {text}", f"p {text}")


@given(st.integers(0, 10**30))
def test_counts_are_whole(n: int) -> None:
    assert int(format_count(n).replace(",", "")) == n
    if n <= 2**53:
        assert int(format_count(float(n)).replace(",", "")) == n


@given(st.floats(0, 1e15))
def test_weights_keep_six_digits(weight: float) -> None:
    text = format_count(weight)
    assert float(text.replace(",", "")) == pytest.approx(weight, rel=1e-3, abs=1e-3 if weight >= 1e-3 else 1e-12)
    assert "e+" not in text


def test_shares_do_not_lie() -> None:
    assert [format_share(each, 2) for each in (1e-9, 1 - 1e-9, 0.0, 1.0)] == ["< 0.01%", "> 99.99%", "0.00%", "100.00%"]
    assert format_digits(-0.0, 3) == "0"


def test_ten_million_rows_are_told_in_words() -> None:
    ranked = rs.RankedScores.from_counts([0.1, 0.5, 0.9], [200_000, 601_840, 1_200_000], [7_000_000, 900_000, 98_160])
    interval = rs.auc_interval(ranked)
    text = str(interval)
    assert "e+" not in text
    low, high = (float(end) for end in re.findall(r"\[(.*), (.*)\]", text)[0])
    assert low < interval.estimate < high
    assert "2,001,840 positives" in repr(ranked)


def test_what_is_missing_says_why() -> None:
    interval = rs.auc_interval([1, 0, 0], [0.9, 0.5, 0.1], method="delong")
    assert math.isnan(interval.low)
    assert "nan" not in str(interval)
    assert "no interval: fewer than two" in str(interval)
    test = rs.compare_auc([1, 0, 0], [0.9, 0.5, 0.1], [0.2, 0.3, 0.4], method="delong")
    assert "nan" not in str(test)
    assert "undefined: fewer than two" in str(test)

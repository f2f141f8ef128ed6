"""The page shows figures as the terminal does."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

import rocsteady as rs
from browser import find_browser, opened
from rocsteady._src.base.text import format_count, format_interval, format_number

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores so close to 1 that three decimals call none of them positive."""
    find_browser()
    rng = np.random.default_rng(3)
    labels = np.r_[np.ones(161, int), np.zeros(839, int)]
    scores = np.r_[1 - rng.random(161) * 1e-10, rng.random(839) * 0.9]
    result = rs.evaluate({"y": labels, "m": scores}, label="y", scores="m", intervals=True, n_resamples=20)
    return result.report(tmp_path_factory.mktemp("report") / "report.html")


def numbers() -> list[float]:
    rng = random.Random(7)  # noqa: S311 - examples, no secrets
    made = [rng.random() * 10 ** rng.randint(-9, 17) for _ in range(400)]
    ties = [j / 2**power for power in (3, 5, 6) for j in range(1, 2**power, 2)]
    shares = [j / 37 for j in range(38)]
    return [*made, *(-each for each in made[:50]), *ties, *shares, 0.0, -0.0, 0.99999, 1 - 1e-13, 999.99999, 1e4, 1e15]


def test_page_and_terminal_agree(page_path: Path) -> None:
    values = numbers()
    whole = [float(math.floor(abs(value))) for value in values if abs(value) < 1e15]
    shares = [value for value in values if 0 <= value <= 1]
    triples = [sorted(shares[i : i + 3]) for i in range(len(shares) - 2)]
    with opened(page_path, drawn=False) as page:
        shown = page.evaluate("values => values.map(number)", values)
        counted = page.evaluate("values => values.map(count)", whole)
        ends = page.evaluate("all => all.map(([low, value, high]) => together(value, low, high))", triples)
    assert shown == [format_number(value) for value in values]
    assert counted == [format_count(value) for value in whole]
    assert [f"{value} [{low}, {high}]" for value, low, high in ends] == [
        format_interval(value, low, high) for low, value, high in triples
    ]


def test_the_threshold_shown_calls_the_rows_counted(page_path: Path) -> None:
    with opened(page_path, drawn=False) as page:
        columns = page.evaluate("data.operating.m")
        told = page.evaluate(
            "data.operating.m.threshold.map((_, i) => {"
            " byId('threshold').value = i; moveThreshold();"
            " return [byId('threshold-value').textContent, ...['tp', 'fp'].map((name) =>"
            " document.querySelector(`[data-value=${name}]`).textContent)]; })"
        )
    assert len(told) > 20
    rng = np.random.default_rng(3)
    scores = np.r_[1 - rng.random(161) * 1e-10, rng.random(839) * 0.9]
    for text, tp, fp in told:
        called = scores >= float(text.split()[0])
        assert (int(tp), int(fp)) == (called[:161].sum(), called[161:].sum()), text
    assert columns["threshold"][-1] == "inf"


def test_what_is_undefined_says_why(page_path: Path) -> None:
    with opened(page_path) as page:
        page.evaluate("byId('threshold').value = byId('threshold').max; moveThreshold()")
        rates = page.locator(".rates").inner_text()
    assert "no row is called positive" in rates
    assert "all rows are called alike" in rates
    assert "\u2013" not in rates

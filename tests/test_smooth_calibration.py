"""The smooth calibration curve: R's lowess to 1e-12, and laws."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.probabilities.calibration.belt import beyond, fit_belt
from rocsteady._src.probabilities.calibration.smooth import lowess
from rocsteady._src.probabilities.calibration.terms import LogitCurve, fit_terms, logits_of, spline_terms
from test_r_agreement import COLUMNS, FIXTURES, LABELS

R_SMOOTH = json.loads((FIXTURES / "r_smooth.json").read_text())


@pytest.mark.parametrize("name", ["continuous", "rounded", "rival"])
def test_val_prob(name: str) -> None:
    found, theirs = rs.smooth_calibration_error(LABELS, COLUMNS[name]), R_SMOOTH[name]
    ours = (found.mean, found.p90, found.largest)
    assert ours == pytest.approx((theirs["Eavg"], theirs["E90"], theirs["Emax"]), abs=1e-12)


def test_order_and_repeats() -> None:
    p, order = COLUMNS["rounded"], np.random.default_rng(1).permutation(300)
    plain = rs.smooth_calibration_error(LABELS, p).to_dict()
    assert rs.smooth_calibration_error(LABELS[order], p[order]).to_dict() == plain
    weights = 1 + np.arange(300) % 3
    weighted = rs.smooth_calibration_error(LABELS, p, sample_weight=weights)
    assert weighted.mean == rs.smooth_calibration_error(LABELS.repeat(weights), p.repeat(weights)).mean


def test_a_line_stays_a_line() -> None:
    x = np.linspace(0, 1, 400) ** 2
    assert lowess(x, 3 * x - 1) == pytest.approx(3 * x - 1, abs=1e-12)
    assert lowess(np.full(9, 0.3), np.arange(9.0)) == pytest.approx(4.0)


@pytest.mark.parametrize(("scores", "weights"), [([0.1, 1.2], None), ([0.1, 0.2], [0.5, 1.5])])
def test_refusals(scores: Any, weights: Any) -> None:
    with pytest.raises(rs.InputError):
        rs.smooth_calibration_error([0, 1], scores, sample_weight=weights)


R_CURVE = json.loads((FIXTURES / "r_smooth_curve.json").read_text())
GIVITI = json.loads((FIXTURES / "r_giviti.json").read_text())
AT = np.array(R_CURVE["at"])


@pytest.mark.parametrize("name", ["continuous", "rounded", "rival"])
def test_splines_of_rms(name: str) -> None:
    ranked = rs.rank(LABELS, COLUMNS[name])
    for n_knots, theirs in R_CURVE["spline"][name].items():
        curve = rs.calibration_curve(LABELS, COLUMNS[name], method="spline", n_knots=int(n_knots))
        assert curve.knots == pytest.approx(theirs["knots"], abs=1e-12)
        terms = spline_terms(np.array(curve.knots))
        shape = LogitCurve(terms, fit_terms(ranked, terms))
        line, se = terms(logits_of(AT)) @ shape.fit.estimates, np.sqrt((shape.factor(AT) ** 2).sum(1))
        assert line == pytest.approx(np.array(theirs["logit"]), abs=1e-9)
        assert se == pytest.approx(np.array(theirs["se"]), abs=1e-9)
        ours = [float(each) for each in curve.distances.values()]
        assert ours == pytest.approx(theirs["distances"], abs=1e-9)


def test_knots_of_few_rows() -> None:
    curve = rs.calibration_curve(LABELS[:80], COLUMNS["continuous"][:80], method="spline", n_knots=4)
    assert curve.knots == pytest.approx(R_CURVE["few"]["knots"], abs=1e-12)
    assert [float(each) for each in curve.distances.values()] == pytest.approx(R_CURVE["few"]["distances"], abs=1e-9)


@pytest.mark.parametrize("name", ["continuous", "rounded", "rival", "bent"])
def test_belt(name: str) -> None:
    logits = logits_of(COLUMNS["continuous"])
    scores = 1 / (1 + np.exp(-logits - 0.5 * (logits**2 - 2))) if name == "bent" else COLUMNS[name]
    theirs, found = R_CURVE["belt"][name], fit_belt(rs.rank(LABELS, scores), external=True)
    assert found is not None
    assert (found.degree, found.statistic) == (theirs["degree"], pytest.approx(theirs["statistic"], abs=1e-8))
    assert found.pvalue == pytest.approx(theirs["pvalue"], abs=1e-9)
    assert found.reach(0.95) ** 2 == pytest.approx(theirs["q"], abs=1e-8)
    line = found.curve.terms(logits_of(AT)) @ found.curve.fit.estimates
    assert line == pytest.approx(np.array(theirs["logit"]), abs=1e-8)
    curve = rs.calibration_curve(LABELS, scores, method="belt")
    assert curve.test.pvalue == found.pvalue
    assert curve.degree == found.degree


def test_chances_of_the_belt() -> None:
    for steps, name in enumerate(("one", "two", "three"), start=1):
        ours = [beyond(t, steps, external=True) for t in R_CURVE["beyond"]["t"]]
        assert ours == pytest.approx(R_CURVE["beyond"][name], abs=1e-8)
    rng = np.random.default_rng(1)  # rows that made the model: drawn chi-squares
    squares = rng.standard_normal((200_000, 2)) ** 2
    kept = squares[squares[:, 1] > 3.841458820694124].sum(1)
    assert beyond(9.0, 1, external=False) == pytest.approx(np.mean(kept > 9.0), abs=0.015)


def test_the_belts_test_is_that_of_givitir() -> None:
    """Chances, chosen degrees, statistics and p by givitiR's own functions.

    Of rows that made the model its integrals stop at R's usual tolerance; with 1e-12 they are ours to 3e-12.
    """
    for devel, begun, room in (("external", 1, 1e-12), ("internal", 2, 2e-6)):
        for degree, theirs in GIVITI[devel].items():
            ours = [beyond(t, int(degree) - begun, external=devel == "external") for t in GIVITI["t"]]
            assert ours == pytest.approx(theirs, abs=room)
    x = logits_of(COLUMNS["continuous"])
    made = {"bent": x + 0.5 * (x**2 - 2), "cubic": x - 0.15 * x**3, "moved": x + 0.4}
    for devel, tests in GIVITI["tests"].items():
        for name, theirs in tests.items():
            scores = 1 / (1 + np.exp(-made[name])) if name in made else COLUMNS[name]
            found = fit_belt(rs.rank(LABELS, scores), external=devel == "external")
            assert found is not None
            assert (found.degree, found.statistic) == (theirs["degree"], pytest.approx(theirs["statistic"], abs=1e-8))
            assert found.pvalue == pytest.approx(theirs["pvalue"], abs=1e-9)


@pytest.mark.parametrize("method", ["spline", "lowess", "belt"])
def test_bands(method: Any) -> None:
    plain = rs.calibration_curve(LABELS, COLUMNS["continuous"], method=method)
    assert (plain.band_low <= plain.low).all()
    assert (plain.high <= plain.band_high).all()
    assert plain.count.sum() == LABELS.size
    for each in plain.distances.values():
        assert each.low <= each.estimate <= each.high
    twice = rs.calibration_curve(LABELS.repeat(2), COLUMNS["continuous"].repeat(2), method=method)
    counted = rs.calibration_curve(
        LABELS, COLUMNS["continuous"], method=method, sample_weight=np.full(300, 2), weight_type="frequency"
    )
    assert counted.band_low == pytest.approx(twice.band_low, abs=1e-9)
    assert json.loads(json.dumps(plain.to_dict()))["ici"]["estimate"] == plain.ici.estimate
    assert "ICI" in str(plain)
    assert plain.plot().limits_ is not None


@pytest.mark.parametrize("method", ["spline", "lowess"])
def test_subjects_widen_the_band(method: Any) -> None:
    y, p = LABELS.repeat(3), COLUMNS["continuous"].repeat(3)
    knots: dict[str, Any] = {"n_knots": 4} if method == "spline" else {}
    alone = rs.calibration_curve(LABELS, COLUMNS["continuous"], method=method, cluster=np.arange(300), **knots)
    found = rs.calibration_curve(y, p, method=method, cluster=np.arange(300).repeat(3), **knots)
    rows = rs.calibration_curve(y, p, method=method, **knots)
    width, of_rows, of_one = (np.mean(each.high - each.low) for each in (found, rows, alone))
    assert width / of_rows == pytest.approx(np.sqrt(3), rel=0.1)
    assert width / of_one == pytest.approx(1, rel=0.02)


def test_pointwise_limits_of_lowess() -> None:
    """Written out: the variance of a weighted sum of independent outcomes."""
    y, p = LABELS[:60], COLUMNS["continuous"][:60]
    order = np.argsort(p)
    x, n = p[order], 60
    curve = rs.calibration_curve(y, p, method="lowess")
    weights = np.array([lowess(x, one) for one in np.eye(n)]).T[np.searchsorted(x, curve.predicted)]
    fitted = np.interp(x, curve.predicted, curve.observed)
    se = np.sqrt(weights**2 @ (fitted * (1 - fitted)))
    assert curve.observed == pytest.approx(lowess(x, y[order].astype(float))[np.searchsorted(x, curve.predicted)])
    inside = (curve.low > 0) & (curve.high < 1)
    assert (curve.high - curve.low)[inside] == pytest.approx((2 * 1.959963984540054 * se)[inside], rel=1e-9)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "spline", "n_knots": 2}, "3 to 7"),
        ({"method": "spline", "n_bins": 5}, "about bins"),
        ({"method": "belt", "cluster": np.arange(300) // 2}, "spline"),
        ({"method": "loess"}, "one of"),
    ],
)
def test_curve_refusals(options: Any, told: str) -> None:
    with pytest.raises((rs.InputError, rs.errors.ArgumentError), match=told):
        rs.calibration_curve(LABELS, COLUMNS["continuous"], **options)


def test_no_logit() -> None:
    with pytest.raises(rs.InputError, match="1 rows have a score of exactly 0 or 1"):
        rs.calibration_curve([0, 1, 0, 1], [0.0, 0.5, 0.6, 0.7], method="spline")
    assert rs.calibration_curve([0, 1, 0, 1], [0.0, 0.5, 0.6, 0.7], method="lowess").ici.estimate > 0


def test_report_and_shell(tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from rocsteady._src.views.cli.app import app

    table = rs.examples.loans(300)
    page = tmp_path / "page.html"
    rs.evaluate(table["defaulted"], table["boosted"]).report(page)
    text = page.read_text(encoding="utf-8")
    assert "Distance of probabilities from the smooth curve" in text
    ici = rs.calibration_curve(table["defaulted"], table["boosted"], method="spline").ici
    assert f"{ici.estimate:.4f}" in text
    lines = ["y,p", *(f"{y},{p}" for y, p in zip(table["defaulted"], table["boosted"], strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    asked = ["calibration", str(tmp_path / "rows.csv"), "--label", "y", "--score", "p", "--method", "belt"]
    said = CliRunner().invoke(app, asked)
    assert said.exit_code == 0, said.output
    assert "belt of degree" in said.output

"""The laboratory: the thesis' tables to the cell, the steps and counts against loops and fractions, bad input."""

from __future__ import annotations

import functools
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lab_oracle as slow
import pair_oracles
import rocsteady as rs
from cases import each_case
from oracles import relative_error, rows_of
from rocsteady import lab
from rocsteady._src.extras.lab import counting
from rocsteady._src.extras.lab.batch import FORMULAS, Batch, formula_of
from rocsteady._src.extras.lab.sets import SETS_AT_ONCE, Block, as_sets

FIXTURES = Path(__file__).parent / "fixtures"
THESIS = json.loads((Path(__file__).parent.parent / "reproductions" / "thesis.json").read_text())
ROWS = {row["id"]: row for row in THESIS["table_5_2"]["rows"]}
PPPNNN = (1, 1, 1, 0, 0, 0)
D, E = (1.0, 0.99, 0.98, 0.97, 0.96, 0.0), (1.0, 0.99, 0.98, 0.02, 0.01, 0.0)
C8 = "1.0p 0.9p 0.8p 0.2n 0.1n 0.0n"

small_scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.55, 0.8, 0.99, 1.0]), min_size=2, max_size=7)
labelled_scores = small_scores.flatmap(
    lambda scores: st.tuples(
        st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores)).filter(lambda y: 0 < sum(y) < len(y)),
        st.just(scores),
    )
)


def setting(row: dict[str, Any]) -> lab.ScoreSets:
    source = [(PPPNNN, row["scores"])]
    return lab.generate(
        source, margin_steps=row["margin_steps"], range_steps=row["range_steps"], distribution=True, seed=0
    )


# The thesis


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_cell_of_table_5_2(row: dict[str, Any]) -> None:
    names = list(row["errors"])
    found = lab.count_errors(setting(row), names)
    assert (found.n_sets, found.n_correct) == (row["n_sets"], row["n_correct"])
    assert {one.measure: one.errors for one in found} == row["errors"]
    without_rounding = lab.count_errors(setting(row), names, tolerance=1e-12)
    assert {one.measure: one.errors for one in without_rounding} == row["errors"] | row["errors_in_exact_arithmetic"]


def test_table_5_1_to_the_last_bit() -> None:
    table = THESIS["table_5_1"]
    sets = lab.generate(lab.parse_sets("\n".join(table["sources"])), range_steps=table["range_steps"])
    found = lab.count_errors(sets, [row["measure"] for row in table["rows"]])
    assert found.n_sets == len(sets) == table["n_sets"]
    for one, row in zip(found, table["rows"], strict=True):
        assert (one.errors, one.min_correct, one.max_incorrect) == (
            row["errors"],
            row["min_correct"],
            row["max_incorrect"],
        )


@pytest.mark.parametrize("steps", [(None, None), (30, None), (None, 30)])
@pytest.mark.parametrize("scores", [D, E, tuple(ROWS["C1"]["scores"])])
def test_rows_d_and_e_against_loops(scores: tuple[Any, ...], steps: tuple[Any, ...]) -> None:
    sets = slow.made_of((PPPNNN, scores), *steps)
    ours = lab.generate([(PPPNNN, scores)], margin_steps=steps[0], range_steps=steps[1], distribution=True)
    assert len(ours) == len(sets)
    found = lab.count_errors(ours, [*slow.RATIONAL, *slow.REAL])
    for name, measure in (slow.RATIONAL | slow.REAL).items():
        errors, least, greatest = slow.errors(sets, measure)
        row = found[name]
        assert row.errors == errors, name
        assert row.min_correct == pytest.approx(least, rel=1e-14), name
        assert row.max_incorrect == pytest.approx(greatest, rel=1e-14), name


@pytest.mark.parametrize("scores", [E, tuple(ROWS["C2"]["scores"])])
def test_counts_without_rounding_against_fractions(scores: tuple[Any, ...]) -> None:
    source = (PPPNNN, tuple(Fraction(str(score)) for score in scores))
    sets = slow.made_of(source, 8, None)
    ours = lab.generate([(PPPNNN, scores)], margin_steps=8, distribution=True)
    found = lab.count_errors(ours, list(slow.RATIONAL), tolerance=1e-12)
    for name, measure in slow.RATIONAL.items():
        errors, least, greatest = slow.errors(sets, measure)
        assert found[name].errors == errors, name
        assert found[name].min_correct == pytest.approx(float(least), rel=1e-13)
        assert found[name].max_incorrect == pytest.approx(float(greatest), rel=1e-13)


def test_the_lead_of_mm7_hangs_on_n() -> None:
    sets = slow.made_of((PPPNNN, tuple(ROWS["C2"]["scores"])), 30, None)
    ours = setting(ROWS["C2"])
    found = lab.sweep(ours, "mm7_auc", n=[1 / 100, 1 / 16])
    expected = [slow.errors(sets, functools.partial(slow.mm7, n=n))[0] for n in (1 / 100, 1 / 16)]
    assert found.errors.tolist() == expected
    assert expected[0] == 0
    assert expected[1] > 0


# Measures of batches


@given(st.lists(labelled_scores, min_size=1, max_size=6), st.sampled_from(sorted(FORMULAS)))
def test_batches_equal_the_public_measures_and_the_oracles(sets: list[Any], name: str) -> None:
    for block in as_sets(sets).blocks():
        formula: Any = formula_of(name, {}, block.size)
        values = formula(Batch(block))
        for (labels, scores), value in zip(block.rows(), values, strict=True):
            public = float(rs.get_measure(name).sheet.compute(rs.rank(labels, scores)))
            assert value == pytest.approx(public, rel=1e-12, abs=1e-15, nan_ok=True)
            oracle = getattr(pair_oracles, name, None)
            if oracle is not None:
                rows = rows_of(labels.astype(int), scores)
                assert relative_error(float(value), oracle(rows), scale=pair_oracles.mean_distance(rows)) < 1e-12


@each_case(
    ("call", "params"),
    [
        ("softened_auc", {"q": 0.5}),
        ("soft_auc", {"beta": 20.0}),
        ("mm4_auc", {"floor": 0.25}),
        ("mm6_auc", {"m": 2.0, "n": 0.5, "floor": 0.1}),
        ("mm7_auc", {"m": 0.5, "n": 1 / 16, "floor": 0.9}),
        ("low_auc", {"delta": 0.05}),
        ("up_auc", {"delta": 0.05}),
        ("lambda_auc", {"delta": 0.02}),
        ("rho_auc", {"upper": 0.05}),
        ("rho_auc", {"upper": "range"}),
    ],
)
@each_case("scores", [ROWS["B1"]["scores"], [0.5, 0.5, 0.45, 0.4, 0.4, 0.3], [0.5] * 4])
def test_parameters_reach_the_batch(call: str, params: dict[str, Any], scores: list[Any]) -> None:
    labels = np.arange(len(scores)) < 2
    block = next(lab.generate([(labels, scores)], distribution=True).blocks())
    formula: Any = formula_of(call, params, block.size)
    values = formula(Batch(block))
    public = [rs.get_measure(call).sheet.compute(rs.rank(*row), **params) for row in block.rows()]
    np.testing.assert_allclose(values, public, rtol=1e-12, atol=1e-15)


def test_definitions_that_batches_do_not_know_go_one_by_one() -> None:
    assert formula_of("lambda_auc", {"delta": "rounding"}, 6) is None
    assert formula_of("rho_auc", {"definition": "dong2013"}, 6) is None
    found = lab.count_errors(setting(ROWS["B1"]), ["low_auc(delta='rounding')", "low_auc(delta=0.01)", "low_auc"])
    ends = [(row.errors, row.min_correct, row.max_incorrect) for row in found]
    assert ends[0] == ends[1]
    wide = lab.count_errors(setting(ROWS["B1"]), ["low_auc(delta=0.03)"])[0]
    assert wide.min_correct < ends[1][1]


def test_crossed_blocks_and_rows_give_the_same_bits() -> None:
    crossed = next(setting(ROWS["C5"]).blocks())
    labels, scores = (np.array(column) for column in zip(*crossed.rows(), strict=True))
    rows = Block(scores, labels)
    for name in FORMULAS:
        formula: Any = formula_of(name, {}, 6)
        np.testing.assert_array_equal(formula(Batch(crossed)), formula(Batch(rows)), err_msg=name)


def test_sets_too_large_for_batches_go_one_by_one() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(300) < 0.4
    sets = [(labels, rng.random(300) + labels), (labels, rng.random(300))]
    found = lab.count_errors(sets, ["scored_auc"])
    assert found["scored_auc"].min_correct == rs.scored_auc(*sets[0])
    assert found["scored_auc"].max_incorrect == rs.scored_auc(*sets[1])


# Steps


@given(labelled_scores, st.integers(1, 5), st.integers(1, 5))
def test_steps_against_loops(one: tuple[Any, Any], margin_steps: int, range_steps: int) -> None:
    ours = [
        (tuple(labels.tolist()), tuple(scores.tolist()))
        for labels, scores in lab.generate([one], margin_steps=margin_steps, range_steps=range_steps)
    ]
    made = [x for part in slow.shrunk(*one, margin_steps) for x in slow.narrowed(*part, range_steps)]
    assert len(ours) == len(made)
    for (labels, scores), (other_labels, other_scores) in zip(ours, made, strict=True):
        rows = zip(scores, labels, strict=True)
        other = zip(other_scores, other_labels, strict=True)
        assert sorted(rows) == sorted(other)
        assert list(scores) == sorted(scores, reverse=True)


@given(
    st.lists(labelled_scores, min_size=1, max_size=4),
    st.sampled_from([None, 1, 3]),
    st.sampled_from([None, 2]),
    st.sampled_from([False, True, 9]),
    st.sampled_from([0.0, 0.1]),
    st.integers(1, 200),
)
@settings(max_examples=40)
def test_any_size_of_batch_makes_the_same_sets(
    sets: list[Any], margin_steps: Any, range_steps: Any, distribution: Any, noise: float, most: int
) -> None:
    made = lab.generate(
        sets, margin_steps=margin_steps, range_steps=range_steps, distribution=distribution, noise=noise, seed=5
    )

    def listed(most: int) -> list[Any]:
        return sorted((y.tolist(), s.tolist()) for block in made.blocks(most) for y, s in block.rows())

    assert listed(most) == listed(SETS_AT_ONCE)
    assert len(listed(most)) == len(made) == sum(1 for _ in made)


@pytest.mark.parametrize(
    ("size", "options"),
    [
        (6, {"range_steps": 3000, "distribution": True}),
        (6, {"margin_steps": 60, "range_steps": 60, "distribution": True}),
        (18, {"distribution": True}),
        (100, {"range_steps": 300, "distribution": 1000}),
    ],
)
def test_a_batch_bounds_the_memory(size: int, options: dict[str, Any]) -> None:
    scores = np.linspace(1, 0, size)
    made = lab.generate([(np.arange(size) < size // 2, scores)], **options, seed=1)
    blocks = [(block.n_sets, len(block.scores), len(block.labels)) for block in made.blocks()]
    assert sum(n_sets for n_sets, _, _ in blocks) == len(made) > SETS_AT_ONCE
    assert max(max(sizes) for sizes in blocks) <= SETS_AT_ONCE


def test_large_sets_come_in_smaller_blocks() -> None:
    scores = np.linspace(1, 0, 5000)
    made = lab.generate([(scores > 0.5, scores)], range_steps=3000)
    assert max(block.scores.size for block in made.blocks()) <= 1 << 22


def test_margin_shrinking_that_does_not_apply_is_said() -> None:
    sets = lab.parse_sets("0.9p 0.5n 0.1n\n0.9n 0.5p 0.1n\n0.9p 0.6n 0.4p 0.1n")
    made = lab.generate(sets, margin_steps=10)
    assert len(made) == 10 + 1 + 10
    (note,) = made.notes()
    assert note.startswith("margin shrinking does not apply to 1 of 3 sets")
    assert note in lab.count_errors(made, "auc").notes


def test_noise_is_seeded_and_has_its_size() -> None:
    source = [(PPPNNN, D)]
    first, again, other = (
        np.array([s for _, s in lab.generate(source * 500, noise=0.01, seed=seed)]) for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert not (first == other).all()
    assert (first[:, :1] >= first[:, 1:2]).all()
    assert first.mean() == pytest.approx(np.mean(D), abs=5 * 0.01 / np.sqrt(first.size))
    assert first[:, -1].std() == pytest.approx(0.01, rel=0.2)


@pytest.mark.parametrize("size", [2, 5, 20, 50, 100])
def test_sampled_labellings_hold_all_correct_ones_and_others_near_them(size: int) -> None:
    found = lab.sample_labellings(size, size + 400, seed=3)
    scores = np.arange(size)[::-1]
    correct = [rs.auc(labels, scores) == 1 for labels in found]
    assert correct == [True] * (size - 1) + [False] * 401
    assert len(np.unique(found[: size - 1], axis=0)) == size - 1
    assert (found == lab.sample_labellings(size, size + 400, seed=3)).all()
    if size >= 20:
        positives = found.sum(axis=1)[size - 1 :]
        exchanged = [int((~row[:count]).sum()) for row, count in zip(found[size - 1 :], positives, strict=True)]
        assert np.mean(np.equal(exchanged, 1)) == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize("scale", [1e-308, 1e-160, 1e150, 1e299])
def test_scores_of_any_size_can_be_judged(scale: float) -> None:
    source = [(PPPNNN, [scale * score for score in (3, 2.5, 2, 1, 0.5, 0)])]
    made = lab.generate(source, margin_steps=4, range_steps=3, distribution=True)
    found = lab.count_errors(made, ["mm1_auc", "mm4_auc", "scored_auc", "soft_auc", "rho_auc(upper='range')"])
    usual = lab.generate([(PPPNNN, [3, 2.5, 2, 1, 0.5, 0])], margin_steps=4, range_steps=3, distribution=True)
    for one, other in zip(found, lab.count_errors(usual, [row.measure for row in found]), strict=True):
        if one.measure in ("mm1_auc", "mm4_auc"):
            assert one.errors == other.errors
            assert one.min_correct == pytest.approx(other.min_correct)


# Counting


def by_definition(sets: Any, value: Any, tolerance: float = 0.0) -> int:
    valued = [(slow.margin(y, s) > 0, value(np.array(y), np.array(s))) for y, s in sets]
    others = [v for correct, v in valued if not correct]
    return sum(correct and v < max(others) - tolerance for correct, v in valued) if others else 0


@given(
    st.lists(labelled_scores, min_size=1, max_size=12), st.sampled_from([0.0, 0.0312])
)  # no difference of such scores
@settings(max_examples=30)
def test_counts_against_the_definition(sets: list[Any], tolerance: float) -> None:
    def own(y_true: Any, y_score: Any) -> float:
        return float(y_score[y_true == 1].min() - y_score[y_true == 0].mean())

    found = lab.count_errors(sets, ["auc", "mm12_auc", "defective_pairs", own, "rho_auc"], tolerance)
    assert found["auc"].errors == 0
    assert found["defective_pairs"].errors == 0
    assert found["own"].errors == by_definition(sets, own, tolerance)
    assert found["mm12_auc"].errors == by_definition(sets, rs.mm12_auc, tolerance)
    assert found.n_sets == len(sets)
    assert found.n_correct == sum(slow.margin(*one) > 0 for one in sets)
    for by in ("range", "margin", "ratio"):
        split = found.breakdown(by)
        assert split.n_correct.sum() == found.n_correct
        assert split.errors.sum(axis=1).tolist() == [row.errors for row in found]


def test_breakdowns_put_errors_where_they_belong() -> None:
    made = lab.generate(lab.parse_sets(C8), margin_steps=5, range_steps=4, distribution=True)
    found = lab.count_errors(made, ["scored_auc", "mm4_auc"])
    bar = found["scored_auc"].max_incorrect
    at: dict[str, list[Any]] = {"range": [], "margin": [], "ratio": []}
    for labels, scores in made:
        about = slow.margin(labels, scores)
        if about > 0 and slow.scored(labels, scores) < bar:
            at["range"].append(slow.width(scores))
            at["margin"].append(about)
            at["ratio"].append(labels.mean())
    for by in ("range", "margin"):
        split = found.breakdown(by)
        edges = np.round([*split.low, split.high[-1]], 12)  # rounding moves nothing over an edge
        assert split.errors[0].tolist() == np.histogram(np.round(at[by], 12), edges)[0].tolist()
    ratio = found.breakdown("ratio")
    assert ratio.low.tolist() == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6])
    assert ratio.errors[0].tolist() == [at["ratio"].count(share) for share in ratio.low.tolist()]
    frame = ratio.to_frame("polars")
    assert frame["errors"].sum() == sum(row.errors for row in found)


def test_counts_do_not_depend_on_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made = setting(ROWS["C5"])
    kept = lab.count_errors(made).to_dict()
    monkeypatch.setattr(counting, "MOST_KEPT", 0)
    seen: list[float] = []
    assert lab.count_errors(made, progress=seen.append).to_dict() == kept
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_one_measure_under_several_names() -> None:
    made = setting(ROWS["C1"])
    assert lab.count_errors(C8, "auc").n_sets == 1
    for name in ("mm7_auc", "mm7", "mm7AUC", rs.mm7_auc, "mm7_auc()"):
        (row,) = lab.count_errors(made, [name])
        assert row.measure.startswith("mm7_auc")
        assert row.errors == ROWS["C1"]["errors"]["mm7_auc"]
    own = lab.count_errors(made, {"mine": lambda y, s: -rs.scored_auc(1 - y, s), "other": rs.scored_auc})
    assert [(row.measure, row.errors) for row in own] == [("mine", 0), ("other", 2)]


def test_default_measures_leave_out_what_the_scores_do_not_suit() -> None:
    sets = [(PPPNNN, (9, 8, 7, 3, 2, 1)), (PPPNNN, (9, 8, 3, 7, 2, 1))]
    found = lab.count_errors(sets)
    assert "prob_auc" not in [row.measure for row in found]
    assert any(note.startswith("prob_auc is left out") for note in found.notes)
    with pytest.raises(rs.InputError, match="prob_auc needs scores in") as caught:
        lab.count_errors(sets, ["prob_auc"])
    assert caught.value.code == "not_probabilities"


def test_a_measure_that_is_undefined_somewhere_says_where() -> None:
    sets = [((1, 0), (1.0, 0.5)), ((1, 0), (0.5, 1.0))]
    found = lab.count_errors(sets, ["rho_auc", lambda y, s: float("nan")])
    assert [row.n_undefined for row in found] == [1, 2]
    assert "rho_auc is undefined on 1 sets, which are left out of its counts" in found.notes
    assert np.isnan(found[1].min_correct)


def test_sets_without_correct_or_without_incorrect_ones_say_so() -> None:
    only_correct = lab.count_errors([((1, 0), (1.0, 0.5))], "mm7")
    assert np.isnan(only_correct["mm7_auc"].max_incorrect)
    assert any(note.startswith("every set is correctly ranked") for note in only_correct.notes)
    only_wrong = lab.count_errors([((1, 0), (0.5, 0.5))], "mm7")
    assert np.isnan(only_wrong["mm7_auc"].min_correct)
    assert any(note.startswith("no set is correctly ranked") for note in only_wrong.notes)


def test_results_reach_frames_and_json() -> None:
    found = lab.count_errors(setting(ROWS["C1"]), ["auc", "mm1_auc"])
    frame = found.to_frame("polars")
    assert frame.columns[:4] == ["measure", "errors", "min_correct", "max_incorrect"]
    assert frame["n_sets"].to_list() == [62, 62]
    assert json.loads(json.dumps(found.to_dict()))["rows"][1]["errors"] == 2
    assert found["mm1_auc"] is found[1] is list(found)[1]
    assert len(found) == 2


# Sweeps


def test_a_sweep_is_many_counts() -> None:
    made = lab.generate(lab.parse_sets(C8), margin_steps=6, range_steps=5, distribution=True)
    grid = {"m": [0.5, 2.0], "n": [0.0, 0.01, 0.5]}
    found = lab.sweep(made, "mm7_auc(floor=0.25)", **grid)
    assert found.errors.shape == (2, 3)
    for i, m in enumerate(grid["m"]):
        for j, n in enumerate(grid["n"]):
            (row,) = lab.count_errors(made, [f"mm7_auc(floor=0.25, m={m}, n={n})"])
            assert found.errors[i, j] == row.errors
            assert found.min_correct[i, j] == row.min_correct
    assert found.errors.min() == found.errors[grid["m"].index(found.fewest["m"]), grid["n"].index(found.fewest["n"])]
    frame = found.to_frame("polars")
    assert frame.columns == ["m", "n", "errors", "min_correct", "max_incorrect"]
    assert frame["errors"].to_list() == found.errors.ravel().tolist()


@pytest.mark.parametrize("name", ["q", "beta", "m", "n", "floor"])
def test_every_parameter_can_be_swept(name: str) -> None:
    measure = {"q": "softened_auc", "beta": "soft_auc"}.get(name, "mm6_auc")
    found = lab.sweep(setting(ROWS["C2"]), measure, **{name: [0.1, 0.9]})
    assert found.errors[0] != found.errors[1]


@each_case(
    ("measure", "grid", "text"),
    [
        ("mm7_auc", {}, "at least one parameter"),
        ("mm7_auc", {"q": [1]}, "no free parameter 'q'; it has: m, n, floor"),
        ("mm7_auc(n=1)", {"n": [1]}, "no free parameter 'n'"),
        ("mm7_auc", {"n": [float("nan")]}, "finite numbers"),
        ("mm7_auc", {"n": [-1]}, "n at least 0"),
        ("family:score-aware", {"n": [1]}, "one registered measure"),
        ("mm7_auc", {"n": np.linspace(0, 1, 200), "m": np.linspace(0.1, 1, 200)}, "40000 points"),
    ],
)
def test_sweeps_refuse(measure: str, grid: dict[str, Any], text: str) -> None:
    with pytest.raises(rs.ArgumentError, match=text):
        lab.sweep(setting(ROWS["C1"]), measure, **grid)


# Reading


def test_sets_from_text_files_lines_and_tables(tmp_path: Path) -> None:
    text = "# two sets\n\n.85p  0.8P, 7.5e-1n\r\n1n 0.50p -2n # last\n"
    path = tmp_path / "sets.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    table = "set;label;score;other\na;1;.85;x\na;p;.8;x\na;0;.75;x\nb;n;1;x\nb;true;.5;x\nb;0;-2;x\n"
    expected = [([1, 1, 0], [0.85, 0.8, 0.75]), ([0, 1, 0], [1.0, 0.5, -2.0])]
    with path.open(encoding="utf-8-sig") as handle:
        for source in (
            text,
            path,
            str(path),
            handle,
            text.splitlines(),
            io.StringIO(text),
            [b".85p .8p .75n", b"1n .5p -2n"],
            table,
        ):
            found = lab.parse_sets(source)
            assert [(y.tolist(), s.tolist()) for y, s in found] == expected


@each_case(
    "text",
    [
        "0.9p 0.1n; 0.2p 0.95n",
        "0.9p 0.1n;0.2p 0.95n;",
        "(0.9p 0.1n); .2p .95n",
        "0.9p, 0.1n; [0.2p 0.95n].",
        "(0.9p 0.1n; 0.2p 0.95n)",
        "(0.9p 0.1n), (0.2p 0.95n).",
    ],
)
def test_a_semicolon_ends_a_set(text: str) -> None:
    found = [(y.tolist(), s.tolist()) for y, s in lab.parse_sets(text)]
    assert found == [([1, 0], [0.9, 0.1]), ([0, 1], [0.95, 0.2])]
    assert lab.count_errors(text, "auc").n_sets == 2


@given(st.lists(labelled_scores, min_size=1, max_size=4))
@settings(max_examples=30)
def test_what_is_written_is_read(sets: list[Any]) -> None:
    lines = [" ".join(f"{s!r}{'p' if y else 'n'}" for y, s in zip(*one, strict=True)) for one in sets]
    found = sorted((sorted(zip(s.tolist(), y.tolist(), strict=True))) for y, s in lab.parse_sets(lines))
    assert found == sorted(sorted(zip(s, y, strict=True)) for y, s in sets)


@each_case(
    ("text", "code", "message"),
    [
        ("", "empty", "there are no score sets"),
        ("\n# nothing\n", "empty", "there are no score sets"),
        ("1p 0n\n\n0.9p 0.1\n", "score_token", "line 3: cannot read '0.1'"),
        ("1p 0n\nnanp 0n", "score_token", "line 2: cannot read 'nanp'"),
        ("1p 1e999n\n", "not_finite", "line 1: 1 scores are not finite"),
        ("0,9p 0,1n\n", "score_token", "line 1: cannot read '0'"),
        ("1p 0n\n1p .5p\n", "single_class", "line 2: a set needs both classes, and this one has 2 positives among 2"),
        ("1p 0n\n0.9p; 0.8p; 0.1n\n", "single_class", "line 2, set 1: a set needs both classes"),
        ("(1p 0n) 0.2p 0.9n", "score_token", "line 1: brackets do not match at '0.2p 0.9n'"),
        ("1e308p -1e308n\n", "score_range", "line 1: scores beyond 1e\\+300 leave no room"),
        ("no_such_file.txt", "no_sets", "neither a file nor a set"),
        ("label,score\n1,0.5\n2,0.1", "labels", "line 3: label '2'"),
        ("label,score\n1,0.5\n0,x", "score_token", "line 3: score 'x' is not a number"),
        ("label,score\n1,nan\n0,1", "not_finite", "line 2: score 'nan'"),
        ("label,score\n1,0.5,7", "cells", "line 2: 3 cells below 2 columns"),
        ("label,score,set\n1,0.5,a\n0,1,b", "single_class", "set 'a': a set needs both classes"),
        ("label,score\n", "empty", "there are no score sets"),
    ],
)
def test_bad_text_is_refused_with_its_line(text: str, code: str, message: str) -> None:
    with pytest.raises(rs.InputError, match=message) as caught:
        lab.parse_sets(text)
    assert caught.value.code == code


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"1p 0n\n\xff\xfe")
    with pytest.raises(rs.InputError, match="not UTF-8 text"):
        lab.parse_sets(path)


@each_case(
    ("sets", "text"),
    [
        ([], "there are no score sets"),
        ([1], "set 1 cannot be read"),
        ([((1, 0), (1, 2, 3))], "labels of shape"),
        ([((1, 2), (1, 0))], "labels other than 1"),
        ([((1, 0), (1.0, np.nan))], "1 scores are not finite"),
        ([((1, 0), (1, 0)), ((1, 1), (1, 0))], "set 2: a set needs both classes"),
    ],
)
def test_bad_lists_are_refused(sets: list[Any], text: str) -> None:
    with pytest.raises(rs.InputError, match=text):
        lab.count_errors(sets, "auc")


@each_case(
    ("options", "text"),
    [
        ({"margin_steps": 0}, "margin_steps must be a whole number"),
        ({"range_steps": 2.5}, "range_steps must be a whole number"),
        ({"range_steps": True}, "range_steps must be a whole number"),
        ({"noise": -1}, "noise must be"),
        ({"noise": float("nan")}, "noise must be"),
        ({"seed": -1, "noise": 1}, "seed must be"),
        ({"distribution": 0}, "distribution is True"),
        ({"distribution": 3}, "3 labellings of 4 scores cannot hold the 3 correct ones"),
    ],
)
def test_bad_steps_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=text):
        lab.generate([((1, 1, 0, 0), (4, 3, 2, 1))], **options)


def test_too_many_labellings_name_the_remedy() -> None:
    scores = np.linspace(0, 1, 21)
    with pytest.raises(rs.InputError, match="sample them with distribution=1000") as caught:
        lab.generate([(scores > 0.5, scores)], distribution=True)
    assert caught.value.code == "too_many_labellings"
    assert len(lab.generate([(scores > 0.5, scores)], distribution=1000)) == 1000


def test_steps_keep_their_order() -> None:
    first = lab.generate([(PPPNNN, D)], margin_steps=3)
    both = lab.generate(first, range_steps=2, distribution=True)
    assert len(both) == 3 * 2 * 62
    for options in ({"margin_steps": 2}, {"range_steps": 2}, {"distribution": True}):
        with pytest.raises(rs.ArgumentError, match="these sets have steps already"):
            lab.generate(both, **options)


@each_case(
    ("measures", "text"),
    [
        ([], "at least one measure"),
        (["no_such"], "there is no measure"),
        (["base_rate"], "tells nothing about the order"),
        (["mm7_auc(n=-1)"], "n at least 0"),
        (["mm7_auc(z=1)"], "no parameter z"),
        (["auc", "auc"], "more than once"),
        ([lambda y, s: 1.0, lambda y, s: 2.0], "as a dict"),
    ],
)
def test_bad_measures_are_refused(measures: list[Any], text: str) -> None:
    with pytest.raises(rs.ArgumentError, match=text):
        lab.count_errors([(PPPNNN, D)], measures)


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_bad_tolerances_are_refused(tolerance: float) -> None:
    with pytest.raises(rs.ArgumentError, match="tolerance must be"):
        lab.count_errors([(PPPNNN, D)], "auc", tolerance)


@each_case(
    "text",
    (
        "0.123456789012345678p 0.123456789012345677n",
        "label,score\n1,0.123456789012345678\n0,0.123456789012345677",
        "1p 1e-400n",
    ),
)
def test_scores_that_doubles_do_not_hold_apart_are_refused(text: str) -> None:
    with pytest.raises(rs.InputError, match=r"are one double|beyond the range of doubles"):
        lab.parse_sets(text)
    assert len(list(lab.parse_sets("0.50p 0.5p 0.1n"))) == 1

"""Graded answers of lm-evaluation-harness, inspect and evaluate become a paired comparison of outcomes.

Files in tests/fixtures/answers were written by those libraries (make_answers.py there); the shares that they say
themselves are the second witness. Damaged and hostile files are made here.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inputs.answers import json_files

FILES = Path(__file__).parent / "fixtures" / "answers"
HARNESS = {model: FILES / "lm_eval" / model for model in ("new", "old")}
LOGS = {model: FILES / "inspect" / model for model in ("new", "old")}
HOW = {"metric": {"sums": "acc", "products": "acc_norm"}, "filter": "flexible-extract"}


def test_shares_are_those_that_the_harness_wrote() -> None:
    answers = rs.trackers.read_lm_eval(HARNESS, **HOW)
    names = {"sums": "acc,none", "products": "acc_norm,none", "written": "exact_match,flexible-extract"}
    for model, folder in HARNESS.items():
        (path,) = folder.rglob("results_*.json")
        said = json.loads(path.read_text())["results"]
        for task, name in names.items():
            assert answers.right[model][answers.task == task].mean() == said[task][name]
        of_run = rs.trackers.read_lm_eval({model: path, "again": folder}, **HOW)
        assert np.array_equal(of_run.right[model], answers.right[model])
    by_folder = rs.trackers.read_lm_eval(str(HARNESS["new"]), **HOW)
    assert list(by_folder.right) == ["guesses"]


def test_tasks_are_clusters_and_rows_are_questions() -> None:
    answers = rs.trackers.read_lm_eval(HARNESS, **HOW)
    first, second = answers.right["new"], answers.right["old"]
    own = rs.compare_outcomes(first, second, cluster=answers.task.tolist())
    found = answers.compare("new", "old")
    assert (found.pvalue, found.low, found.n_subjects) == (own.pvalue, own.low, 3)
    alone = answers.compare("new", "old", cluster=None)
    assert alone.pvalue == rs.compare_outcomes(first, second).pvalue
    assert answers.compare(baseline="old").pairs[0].test.estimate == pytest.approx(found.estimate)
    assert list(answers.to_frame().columns) == ["task", "question", "new", "old"]
    assert "24 questions of 3 tasks; compared by task" in str(answers)
    assert answers.plot().ax_.get_title() or answers.plot().figure_
    json.dumps(answers.to_dict())


def test_logs_of_inspect_are_read_from_archives_and_from_json() -> None:
    pytest.importorskip("zstandard", reason="zstandard is absent: pip install 'rocsteady[inspect]'")
    answers = rs.trackers.read_inspect(LOGS, scorer="match")
    sums = answers.task == "sums"
    assert {model: right[sums].mean() for model, right in answers.right.items()} == {"new": 8 / 12, "old": 2 / 12}
    assert answers.epoch[sums].tolist() == [1] * 6 + [2] * 6
    assert "10 questions of 2 tasks, asked 16 times in all; compared by task" in str(answers)
    one = rs.trackers.read_inspect({model: path / "sums.eval" for model, path in LOGS.items()}, scorer="match")
    assert one.cluster == "question"
    assert one.compare("new", "old").n_subjects == 6
    both = rs.trackers.read_inspect({"old": LOGS["old"] / "words.eval", "json": FILES / "inspect" / "json"})
    assert np.array_equal(both.right["old"], both.right["json"])
    assert list(rs.trackers.read_inspect(FILES / "inspect" / "json").right) == ["mockllm/model"]


def log(tmp_path: Path, *values: Any, name: str = "log.json", **sample: Any) -> Path:
    """A log of inspect with these values of scores."""
    samples = [
        {"id": n, "epoch": 1, "scores": {"grader": {"value": value}}, **sample} for n, value in enumerate(values)
    ]
    path = tmp_path / name
    path.write_text(json.dumps({"eval": {"task": "t", "model": "m"}, "samples": samples}))
    return path


def test_grades_are_those_of_inspect(tmp_path: Path) -> None:
    path = log(tmp_path, *("C", "I", "N", 1, 0.0, True, "yes", "False"))
    found = rs.trackers.read_inspect(path).right["m"].tolist()
    assert found == [True, False, False, True, False, True, True, False]
    partly = log(tmp_path, "C", "P")
    assert rs.trackers.read_inspect(partly, partial="right").right["m"].tolist() == [True, True]
    assert rs.trackers.read_inspect(partly, partial="wrong").right["m"].tolist() == [True, False]
    lacking = log(tmp_path, "C", float("nan"), None)
    assert rs.trackers.read_inspect(lacking, missing="drop").n_ungraded == 2


def samples(tmp_path: Path, *lines: Any, name: str = "samples_t_2026-01-01T00-00-00.1.jsonl") -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def line(doc: int, **more: Any) -> dict[str, Any]:
    return {"doc_id": doc, "filter": "none", "metrics": ["acc"], "acc": 1.0, "doc_hash": f"h{doc}", **more}


def archive(tmp_path: Path, parts: dict[str, bytes], name: str = "log.eval") -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as held:
        for part, data in parts.items():
            held.writestr(part, data)
    return path


HEADER = json.dumps({"eval": {"task": "t", "model": "m"}}).encode()
SUMMARY = json.dumps([{"id": 1, "epoch": 1, "scores": {"g": {"value": "C"}}}]).encode()


def bomb(tmp: Path) -> Any:
    return rs.trackers.read_inspect(archive(tmp, {"header.json": HEADER, "summaries.json": b" " * 5_000_000 + SUMMARY}))


def damaged(tmp: Path) -> Any:
    path = tmp / "d.eval"
    with zipfile.ZipFile(LOGS["new"] / "words.eval") as held:
        start = held.getinfo("summaries.json").header_offset + 80
    data = bytearray((LOGS["new"] / "words.eval").read_bytes())
    data[start : start + 20] = bytes(20)
    path.write_bytes(bytes(data))
    return rs.trackers.read_inspect(path)


def read_two(tmp: Path, first: list[Any], second: list[Any], **how: Any) -> Any:
    paths = {"a": samples(tmp, *first, name="a.jsonl"), "b": samples(tmp, *second, name="b.jsonl")}
    # files with names of their own are two tasks, unless they are called as the harness calls them
    for model, path in paths.items():
        (tmp / model).mkdir(exist_ok=True)
        paths[model] = Path(shutil.move(path, tmp / model / "samples_t.jsonl"))
    return rs.trackers.read_lm_eval(paths, **how)


HARNESS_FAULTS = {
    "cut off": (
        lambda tmp: rs.trackers.read_lm_eval(samples(tmp, line(0), '{"doc_id": 1, "ac')),
        "line 2 of samples_t.* is no",
    ),
    "nested": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, "[" * 100_000)), "nested too deeply|is no JSON"),
    "digits": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, '{"doc_id": ' + "9" * 9000 + "}")), "is no JSON"),
    "bytes": (lambda tmp: rs.trackers.read_lm_eval(_bytes(tmp)), "is no JSON"),
    "a list": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, "[1]")), "is a JSON list where an object"),
    "no id": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, {"metrics": ["acc"], "acc": 1})), "has no doc_id"),
    "no metric": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, {"doc_id": 1})), "has no metric of its answer"),
    "two metrics": (
        lambda tmp: rs.trackers.read_lm_eval(HARNESS["new"], filter="flexible-extract"),
        "has 2 metrics: choose",
    ),
    "other metric": (
        lambda tmp: rs.trackers.read_lm_eval(samples(tmp, line(0)), metric="f1"),
        "no metric 'f1'; it has 'acc'",
    ),
    "two filters": (
        lambda tmp: rs.trackers.read_lm_eval(HARNESS, metric=HOW["metric"]),
        "by 2 filters: choose filter= of",
    ),
    "other filter": (
        lambda tmp: rs.trackers.read_lm_eval(HARNESS, metric=HOW["metric"], filter="x"),
        "has no filter 'x'; it has 'strict-match'",
    ),
    "a share": (
        lambda tmp: rs.trackers.read_lm_eval(samples(tmp, line(0, acc=0.4))),
        "grade 0.4, which is neither right",
    ),
    "a pair": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, line(0, acc=[-3.1, 7]))), "neither right nor wrong"),
    "twice": (
        lambda tmp: rs.trackers.read_lm_eval(samples(tmp, line(0), line(0))),
        "more than one answer to question '0'",
    ),
    "none": (lambda tmp: rs.trackers.read_lm_eval(samples(tmp, "")), "no graded answers of"),
    "no file": (lambda tmp: rs.trackers.read_lm_eval(tmp / "no"), "there is no file or folder"),
    "no samples": (rs.trackers.read_lm_eval, "holds no samples of lm-evaluation-harness"),
    "a number": (lambda tmp: rs.trackers.read_lm_eval({"a": 3}), "named by a path or a list of paths, got int"),
    "summary": (lambda tmp: rs.trackers.read_lm_eval(_results(tmp)), "run lm_eval with --log_samples"),
    "unmatched": (lambda tmp: read_two(tmp, [line(0)], [line(0), line(1)]), "1 answers .* such as b's to question '1'"),
    "other text": (lambda tmp: read_two(tmp, [line(0)], [line(0, doc_hash="x")]), "is not the same question for all"),
    "unmatched=": (
        lambda tmp: read_two(tmp, [line(0)], [line(0)], unmatched="x"),
        "unmatched must be 'raise' or 'drop'",
    ),
}


def _bytes(tmp: Path) -> Path:
    path = tmp / "samples_x.jsonl"
    path.write_bytes(b'{"doc_id": "\xff\xfe"}')
    return path


def _results(tmp: Path) -> Path:
    path = tmp / "r" / "results_2026-01-01T00-00-00.1.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    return path


LOG_FAULTS = {
    "bomb": (bomb, "summaries.json in log.eval expands to more than 1,048,576 bytes; it is not read"),
    "damaged": (damaged, "cannot be expanded|is damaged|no archive|is no JSON"),
    "no zip": (lambda tmp: rs.trackers.read_inspect(_text(tmp, "x.eval")), "x.eval is no archive that can be read"),
    "no header": (lambda tmp: rs.trackers.read_inspect(archive(tmp, {"a": b""})), "has no header.json"),
    "no task": (lambda tmp: rs.trackers.read_inspect(archive(tmp, {"header.json": b'{"eval": {}}'})), "names no task"),
    "no log": (lambda tmp: rs.trackers.read_inspect(_text(tmp, "x.json")), "x.json is a JSON list where an object"),
    "no scores": (lambda tmp: rs.trackers.read_inspect(log(tmp, 1, scores=None)), "1 questions lack a grade"),
    "two scorers": (
        lambda tmp: rs.trackers.read_inspect(log(tmp, 1, scores={"a": {}, "b": {}})),
        "2 scores: choose scorer=",
    ),
    "other scorer": (lambda tmp: rs.trackers.read_inspect(log(tmp, 1), scorer="x"), "no score by 'x'; it has 'grader'"),
    "partly": (lambda tmp: rs.trackers.read_inspect(log(tmp, "P")), "is partly right"),
    "partial=": (lambda tmp: rs.trackers.read_inspect(log(tmp, "P"), partial="half"), "partial must be 'raise'"),
    "a grade": (lambda tmp: rs.trackers.read_inspect(log(tmp, "B+")), "grade 'B[+]', which is neither right nor wrong"),
    "many grades": (lambda tmp: rs.trackers.read_inspect(log(tmp, {"a": 1})), "neither right nor wrong"),
    "epoch": (lambda tmp: rs.trackers.read_inspect(log(tmp, 1, epoch="x")), "has epoch 'x'"),
    "no list": (lambda tmp: rs.trackers.read_inspect(_log_of(tmp, {"a": 1})), "'samples' of y.json is a JSON dict"),
    "sample": (lambda tmp: rs.trackers.read_inspect(_log_of(tmp, [3])), "a sample of y.json is a JSON int"),
}


def _text(tmp: Path, name: str) -> Path:
    path = tmp / name
    path.write_text("[]")
    return path


def _log_of(tmp: Path, held: Any) -> Path:
    path = tmp / "y.json"
    path.write_text(json.dumps({"eval": {"task": "t"}, "samples": held}))
    return path


def of(said: Any, truth: Any, **more: Any) -> dict[str, Any]:
    return {"predictions": said, "references": truth, **more}


PREDICTION_FAULTS = {
    "a summary": (lambda _: rs.trackers.read_evaluate({"a": {"accuracy": 0.9}}), "pass what compute\\(\\) was given"),
    "lengths": (lambda _: rs.trackers.read_evaluate({"a": of([1], [1, 0])}), "1 predictions, 2 references"),
    "types": (lambda _: rs.trackers.read_evaluate({"a": of(["1"], [1])}), "pass right=function"),
    "no list": (lambda _: rs.trackers.read_evaluate({"a": of(3, [1])}), "predictions of a is a int"),
    "a number": (lambda _: rs.trackers.read_evaluate({"a": 3}), "predictions and references by name"),
    "truth": (lambda _: rs.trackers.read_evaluate({"a": of([1], [1]), "b": of([1], [0])}), "not the same question"),
    "a line": (lambda tmp: rs.trackers.read_evaluate({"a": str(samples(tmp, {"prediction": 1}))}), "has no reference"),
    "right": (lambda _: rs.trackers.read_evaluate({"a": of([1], [1])}, right=lambda p, r: 0.5), "neither right nor"),
}
FAULTS = {**HARNESS_FAULTS, **LOG_FAULTS, **PREDICTION_FAULTS}


@each_case("name", list(FAULTS))
def test_faulty_files_get_a_sentence(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    if name == "damaged":
        pytest.importorskip("zstandard")
    call, told = FAULTS[name]
    folder = tmp_path_factory.mktemp("fault")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_files, "MOST_BYTES", 1 << 20)
        with pytest.raises(rs.RocsteadyError, match=told):
            call(folder)


def test_all_parts_together_are_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_files, "MOST_IN_ALL", 3000)
    sample = json.dumps({"id": 1, "epoch": 1, "scores": {"g": {"value": "C"}}, "pad": " " * 900}).encode()
    parts = {"header.json": HEADER, **{f"samples/{n}_epoch_1.json": sample for n in range(5)}}
    with pytest.raises(rs.InputError, match="expands to more than 3,000 bytes"):
        rs.trackers.read_inspect(archive(tmp_path, parts))


def test_a_log_that_was_cut_off_is_read_from_its_samples(tmp_path: Path) -> None:
    parts = {
        f"samples/{n}_epoch_1.json": json.dumps({"id": n, "scores": {"g": {"value": n % 2}}}).encode() for n in range(4)
    }
    read = rs.trackers.read_inspect(archive(tmp_path, {"header.json": HEADER, **parts}))
    assert read.right["m"].tolist() == [False, True, False, True]


def test_zstandard_is_asked_for_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(rs.errors.MissingDependencyError, match=r'pip install "rocsteady\[inspect\]"'):
        rs.trackers.read_inspect(LOGS["new"])


def test_predictions_and_references(tmp_path: Path) -> None:
    new, old = (
        of(np.array([1, 0, 1, 1]), [1, 0, 0, 1], ids=list("abcd")),
        of([1, 1, 1, 0], [1, 0, 1, 0], ids=list("dcab")),
    )
    old["references"] = [1, 0, 1, 0]  # the same, in another order
    found = rs.trackers.read_evaluate({"new": new, "old": old})
    assert found.right["new"].tolist() == [True, True, False, True]
    assert found.right["old"].tolist() == [True, True, False, True]
    lines = samples(tmp_path, {"id": "a", "prediction": " Paris", "reference": ["paris", "Paris"], "task": "cities"})
    loose = rs.trackers.read_evaluate({"m": lines}, right=lambda said, truths: said.strip() in truths)
    assert (loose.right["m"].tolist(), loose.task.tolist()) == ([True], ["cities"])
    runs = {"0": [[0, {"passed": True}], [1, {"passed": False}]], "1": [[0, {"passed": False}], [1, {"passed": True}]]}
    code = rs.trackers.read_evaluate({"m": runs, "other": runs})
    assert (code.right["m"].tolist(), code.cluster) == ([True, False, False, True], "question")
    dropped = rs.trackers.read_evaluate({"a": of([1, 2], [1, 1]), "b": of([1], [1])}, unmatched="drop")
    assert (dropped.n_unmatched, "left out: 1 answers" in str(dropped)) == (1, True)
    with pytest.raises(rs.ArgumentError, match="name two models of 'a', 'b'"):
        dropped.compare("a", "c")
    with pytest.raises(rs.ArgumentError, match="cluster must be"):
        dropped.compare(cluster="doc")

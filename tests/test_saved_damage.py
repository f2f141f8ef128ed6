"""Saved files with one bit turned, of other machines and of nobody: refused, or the same numbers."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from cases import each_case
from rocsteady._src.base.checksums import with_checksum
from rocsteady._src.views.cli.app import app, run

if TYPE_CHECKING:
    from collections.abc import Callable

RNG = np.random.default_rng(5)
Y = np.tile([1, 0, 0], 8)
TWO = {"a": np.round(Y + RNG.normal(size=24), 2), "b": np.round(Y + RNG.normal(size=24), 2)}
CLASSES = np.tile([0, 1, 2], 8)
MATRICES = {name: np.round(RNG.dirichlet(np.ones(3), 24), 3) for name in "ab"}
MATRICES = {name: each / each.sum(axis=1, keepdims=True) for name, each in MATRICES.items()}
TABLE = {"y": np.tile(Y, 8), "s": np.tile(TWO["a"], 8) + RNG.normal(size=192), "day": np.repeat(np.arange(8), 24)}
WATCH: dict[str, Any] = {"score": "s", "label": "y", "day": "day"}
SAVED: dict[str, Callable[[], Any]] = {
    "evaluation": lambda: rs.evaluate(Y, TWO, measures=["auc"], intervals=True),
    "gate": lambda: rs.gate(Y, TWO["a"], TWO["b"], margin=0.1),
    "classes": lambda: rs.evaluate(CLASSES, MATRICES),
    "comparison": lambda: rs.compare_auc(Y, TWO["a"], TWO["b"]),
    "threshold": lambda: rs.best_threshold(Y, TWO["a"]),
}
SAMPLE = 2_000  # bits, where a file has more


def flips(data: bytes, seed: int = 1) -> list[bytes]:
    """The file with one bit turned, for every bit or a sample of them."""
    bits = np.arange(8 * len(data))
    chosen = bits if bits.size <= SAMPLE else np.random.default_rng(seed).choice(bits, SAMPLE, replace=False)
    made = []
    for bit in chosen:
        turned = bytearray(data)
        turned[bit // 8] ^= 1 << (bit % 8)
        made.append(bytes(turned))
    return made


@each_case("kind", SAVED)
def test_one_turned_bit_is_refused_or_changes_no_number(kind: str) -> None:
    def read(path: Path) -> str:
        found = rs.load(path)
        return json.dumps(found.to_dict()) + str(found)

    with TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        whole = SAVED[kind]().save(path).read_bytes()
        told, refused = read(path), 0
        for turned in flips(whole):
            path.write_bytes(turned)
            try:
                assert read(path) == told
            except rs.InputError:
                refused += 1
        assert refused > 0.98 * len(flips(whole))


def test_one_turned_bit_of_a_state_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "watch.json"
    first = {name: each[TABLE["day"] < 6] for name, each in TABLE.items()}
    rest = {name: each[TABLE["day"] >= 6] for name, each in TABLE.items()}
    whole = rs.monitor(first, **WATCH, reference=4).save_state(path).read_bytes()
    told = rs.monitor(rest, **WATCH, state=path).to_dict()
    for turned in flips(whole):
        path.write_bytes(turned)
        try:
            assert str(rs.monitor(rest, **WATCH, state=path).to_dict()) == str(told)
        except (rs.InputError, rs.ArgumentError):
            continue


@each_case("kind", SAVED)
def test_files_without_checksum_are_refused(kind: str) -> None:
    with TemporaryDirectory() as folder:
        path = SAVED[kind]().save(Path(folder) / "saved.json")
        told = json.loads(path.read_text())
        del told["checksum"]
        path.write_text(json.dumps(told))
        with pytest.raises(rs.InputError, match="has no checksum"):
            rs.load(path)


def test_a_state_without_checksum_is_refused() -> None:
    held = rs.monitor(TABLE, **WATCH, reference=4).state()
    del held["checksum"]
    with pytest.raises(rs.InputError, match="has no checksum"):
        rs.monitor(TABLE, **WATCH, state=held)


def forged_evaluations() -> dict[str, Callable[[dict[str, Any]], Any]]:
    """Changes of a saved evaluation that contradict what else it holds."""
    return {
        "value": lambda own: own["values"]["a"]["dict"][0].__setitem__(1, 0.123),
        "positives": lambda own: own["groups"]["a"]["pos"].__setitem__(0, own["groups"]["a"]["pos"][0] + 1),
        "negative": lambda own: own["groups"]["a"]["neg"].__setitem__(0, -1),
        "rows": lambda own: own["origin"].__setitem__("n_rows", 7),
        "columns": lambda own: own.__setitem__("columns", [*own["columns"], "f1"]),
        "estimate": lambda own: own["intervals"]["a"]["auc"].__setitem__("estimate", 0.2),
        "ends": lambda own: own["intervals"]["a"]["auc"].__setitem__("low", 0.9999),
        "counts": lambda own: own["intervals"]["a"]["auc"].__setitem__("n_pos", 300),
    }


@each_case("change", forged_evaluations())
def test_evaluations_that_contradict_themselves_are_refused(change: str) -> None:
    with TemporaryDirectory() as folder:
        path = rs.evaluate(Y, TWO, measures=["auc", "average_precision"], intervals=True).save(
            Path(folder) / "saved.json"
        )
        told = json.loads(path.read_text())
        forged_evaluations()[change](told["result"]["own"])
        path.write_text(json.dumps(with_checksum(told)))
        with pytest.raises(rs.InputError, match="damaged"):
            rs.load(path)


def forged_states() -> dict[str, Callable[[dict[str, Any]], Any]]:
    """Changes of a state that contradict what else it holds."""

    def day(held: dict[str, Any]) -> dict[str, Any]:
        return next(iter(held["days"][""].values()))

    return {
        "rows": lambda held: held.__setitem__("n_rows", 3),
        "negative count": lambda held: day(held).__setitem__("n_pos", -4.0),
        "area": lambda held: day(held).__setitem__("area", 1.5),
        "bins": lambda held: day(held).__setitem__("bins", [1e6, *day(held)["bins"][1:]]),
        "text": lambda held: day(held).__setitem__("n_neg", "many"),
        "unsorted edges": lambda held: held["plan"].__setitem__("edges", held["plan"]["edges"][::-1]),
    }


@each_case("change", forged_states())
def test_states_that_contradict_themselves_are_refused(change: str) -> None:
    held = rs.monitor(TABLE, **WATCH, reference=4).state()
    forged_states()[change](held)
    with pytest.raises(rs.InputError, match="damaged"):
        rs.monitor(TABLE, **WATCH, state=with_checksum(held))


NESTED = "[" * 100_000 + "]" * 100_000


def test_nested_brackets_end_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nested.json"
    for text in (NESTED, '{"a":' * 100_000 + "1" + "}" * 100_000, "1" * 5_000):
        path.write_text(text)
        with pytest.raises(rs.InputError):
            rs.load(path)
        with pytest.raises(rs.InputError):
            rs.monitor(TABLE, **WATCH, state=path)
    (tmp_path / "rows.csv").write_text("y,s,day\n1,0.5,1\n0,0.4,2\n")
    path.write_text(NESTED)
    call = ["watch", str(tmp_path / "rows.csv"), "--label", "y", "--score", "s", "--day", "day", "--state", str(path)]
    monkeypatch.setattr("sys.argv", ["rocsteady", *call])
    with pytest.raises(SystemExit) as ending:
        run()
    told = capsys.readouterr().err
    assert (ending.value.code, "nested too deeply" in told, "Traceback" in told) == (2, True, False)
    toml = tmp_path / "gate.toml"
    toml.write_text("label = " + NESTED)
    with pytest.raises(rs.InputError, match="nested too deeply"):
        rs.gate(TABLE, baseline="s", candidate="s", conditions=toml)


def day_rows(day: int) -> dict[str, Any]:
    return {name: each[TABLE["day"] == day] for name, each in TABLE.items()}


def test_two_looks_at_once_lose_no_day(tmp_path: Path) -> None:
    """In Python the second is refused: what it read is not what is there."""
    path = tmp_path / "watch.json"
    first = {name: each[TABLE["day"] < 6] for name, each in TABLE.items()}
    rs.monitor(first, **WATCH, reference=4, state=path).save_state(path)
    one, two = (rs.monitor(day_rows(day), **WATCH, state=path) for day in (6, 7))
    one.save_state(path)
    one.save_state(path)  # what is there already may be written again
    with pytest.raises(rs.InputError, match="has been written by another look since this one read it"):
        two.save_state(path)
    again = rs.monitor(day_rows(7), **WATCH, state=path)
    assert again["auc"].day == ("4", "5", "6", "7")
    absent = tmp_path / "new.json"
    both = [
        rs.monitor(first, **WATCH, reference=4, state=absent),
        rs.monitor(TABLE, **WATCH, reference=4, state=absent),
    ]
    both[0].save_state(absent)
    with pytest.raises(rs.InputError, match="by another look"):
        both[1].save_state(absent)


def test_two_commands_at_once_lose_no_day(tmp_path: Path) -> None:
    """The second waits until the first has written, however long that takes to compute."""
    state = tmp_path / "watch.json"
    call = ["--label", "y", "--score", "s", "--day", "day", "--reference", "4", "--state", str(state)]

    def file(name: str, days: Any) -> str:
        at = np.isin(TABLE["day"], days)
        lines = [f"{y},{s},{day}" for y, s, day in zip(*(TABLE[each][at] for each in ("y", "s", "day")), strict=True)]
        (tmp_path / name).write_text("y,s,day\n" + "\n".join(lines) + "\n")
        return str(tmp_path / name)

    CliRunner().invoke(app, ["watch", file("a.csv", range(6)), *call])
    files = [file("b.csv", [6]), file("c.csv", [7])]
    source = "import sys, time; from rocsteady._src.views.cli import watching as w; f = w._watched\n"
    source += "def slow(*a):\n    r = f(*a); time.sleep(0.5); return r\nw._watched = slow\n"
    source += "from rocsteady._src.views.cli.app import app\napp(sys.argv[1:])"
    runs = [
        subprocess.Popen([sys.executable, "-c", source, "watch", each, *call], stdout=-3, stderr=-3) for each in files
    ]
    for each in runs:
        each.wait(60)
    held = json.loads(state.read_text())
    assert sorted(held["days"][""]) == ["4", "5", "6", "7"]


def test_a_lock_is_of_one_thread_and_waits_no_longer_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rocsteady._src.results import watch_state

    monkeypatch.setattr(watch_state, "WAIT", 0.1)
    told: list[str] = []

    def other() -> None:
        try:
            with watch_state.state_lock(tmp_path / "w.json"):
                told.append("held")
        except rs.InputError as error:
            told.append(str(error))

    with watch_state.state_lock(tmp_path / "w.json"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "is being brought up to date by another look" in told[0]


def test_where_the_system_has_no_locks_a_file_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady._src.base import locks

    monkeypatch.setattr(locks, "_system_lock", lambda _: False)
    told = "run.jsonl is in use; wait for it{more}"
    with locks.locked(tmp_path / "run.jsonl", "in_use", told):
        assert (tmp_path / "run.jsonl.lock").exists()
        with (
            pytest.raises(rs.InputError, match=r"delete .*run.jsonl.lock"),
            locks.locked(tmp_path / "run.jsonl", "in_use", told),
        ):
            pass
    assert not (tmp_path / "run.jsonl.lock").exists()


def test_models_may_be_watched_in_any_order(tmp_path: Path) -> None:
    """The order of models in a state file was that of their names, and another was refused."""
    table = TABLE | {"old": TABLE["s"], "new": TABLE["s"] + 0.1}
    how: dict[str, Any] = {"score": ["old", "new"], "label": "y", "day": "day"}
    path = rs.monitor(table, **how, reference=4).save_state(tmp_path / "watch.json")
    assert rs.monitor(table, **how, state=path).models == ("old", "new")

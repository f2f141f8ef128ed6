"""The same questions to tables that stay in an engine, to files, and to sketches of them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import rocsteady as rs

from .designs import evaluated
from .words import VERBS, measure, measures, verb

Table = dict[str, Any]


def in_engine(table: Table, engine: str) -> Any:
    from scale_kit import make_table

    return make_table(engine, pa.table(table))


@verb("in an engine")
def asked(table: Table, engine: str, asks: str = "evaluation", **words: Any) -> Any:
    """A verb of designs, asked of a table in an engine."""
    return VERBS[asks](in_engine(table, engine), **words)


@verb("ranked in an engine")
def ranked(table: Table, engine: str, score: str = "a", by: str | None = None, **words: Any) -> Any:
    how = words | ({"by": by} if by else {})
    found = rs.scale.rank_table(in_engine(table, engine), label="y", score=score, **how)
    parts = found if isinstance(found, dict) else {"all": found}
    return {
        str(name): {"auc": rs.auc(part), "n_pos": part.n_pos, "n_neg": part.n_neg, "interval": rs.auc_interval(part)}
        for name, part in parts.items()
    }


@verb("gate in an engine")
def gate(table: Table, engine: str, **words: Any) -> Any:
    how = {name: list(each) if isinstance(each, tuple) else each for name, each in words.items()}
    return rs.gate(in_engine(table, engine), "b", "a", label="y", **how)


def _sketch(table: Table, score: str, words: dict[str, Any]) -> Any:
    how: dict[str, Any] = {name: words.pop(name) for name in ("weight", "width") if name in words}
    how |= {"range": tuple(words.pop("range"))} if "range" in words else {"range": (0, 1)}
    return rs.scale.sketch_table(
        in_engine(table, "polars"), label="y", score=score, bits=words.pop("bits", 6), capacity=1, **how
    )


@verb("sketch")
def sketch(table: Table, asks: str, score: str = "a", **words: Any) -> Any:
    """What a sketch answers: estimates with bounds, intervals that contain those of the rows."""
    held = _sketch(table, score, words)
    match asks:
        case "auc":
            return held.auc()
        case "interval":
            of = words.pop("of", "auc")
            return held.auc_interval(**words) if of == "auc" else held.measure_interval(measure(of), **words)
        case "value":
            return held.measure(measure(words.pop("of")), **words)
        case "threshold":
            return _threshold(held, words)
        case "predictive values":
            return held.predictive_values(**words)
        case "curve":
            return held.roc_curve() if words["curve"] == "roc" else held.pr_curve()
        case "counts":
            return {name: getattr(held, name) for name in ("n_pos", "n_neg", "n_rows", "n_outside", "cells", "exact")}
    raise ValueError(asks)


def _threshold(held: Any, words: dict[str, Any]) -> Any:
    found = re.fullmatch(r"(\w+) (<=|>=) ([\d.]+)", words["rule"])
    assert found is not None
    if "guarantee" in words:
        side = "at_most" if found[2] == "<=" else "at_least"
        return held.threshold_guarantee(found[1], **{side: float(found[3])}, confidence=words["guarantee"])
    return held.operating_point(**{{"recall": "tpr"}.get(found[1], found[1]): float(found[3])})


@verb("sketch after moves")
def moved(table: Table, move: str, **words: Any) -> Any:
    """Sketches of parts that are merged, of batches, written and read again, refined by a second reading."""
    half = len(table["y"]) // 2
    whole = rs.scale.Sketch(8, range=(0, 1), capacity=1)
    match move:
        case "merge":
            parts = [
                rs.scale.Sketch(8, range=(0, 1), capacity=1).update(table["y"][rows], table["a"][rows])
                for rows in (np.s_[:half], np.s_[half:])
            ]
            return parts[0].merge(parts[1]).auc()
        case "batches":
            for rows in (np.s_[:half], np.s_[half:]):
                whole.update(table["y"][rows], table["a"][rows])
            return whole.auc()
        case "bytes":
            return rs.scale.Sketch.from_bytes(whole.update(table["y"], table["a"]).to_bytes()).auc()
        case "refine":
            return whole.update(table["y"], table["a"]).refine(lambda: iter([(table["y"], table["a"])]), **words).auc()
        case "file":
            made = rs.scale.sketch_table(
                in_engine(table, "polars"), label="y", score="a", by="site", bits=8, range=(0, 1)
            )
            return {site: {"a": _read_again(made[site]).auc()} for site in ("north", "south", "east")}
    raise ValueError(move)


def _read_again(sketch: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.sketch"
        sketch.save(path)
        return rs.scale.load_sketches(path)


@verb("evaluation of sketches")
def sketches(table: Table, scores: tuple[str, ...] = ("a", "b"), bits: int = 7, **words: Any) -> Any:
    held = {name: _sketch(table, name, {"bits": bits}) for name in scores}
    how = {name: measures(each) if name == "measures" else each for name, each in words.items()}
    return rs.scale.evaluate_sketches(held, curves=False, **how)


@verb("difference of sketches")
def difference(table: Table, split: str, score: str = "a", **words: Any) -> Any:
    """Sketches of different rows."""
    one, other = (
        {name: each[table[split] == which] for name, each in table.items()} for which in sorted(set(table[split]))[:2]
    )
    return rs.scale.compare_sketches(_sketch(one, score, {"bits": 8}), _sketch(other, score, {"bits": 8}), **words)


@verb("brackets of an evaluation")
def brackets(table: Table, engine: str, **words: Any) -> Any:
    return evaluated(in_engine(table, engine), words)

"""Which way a command takes when files do not fit: groups, brackets from cells, or sums that DuckDB makes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady._src.inputs.files import ScannedFiles
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.remarks import Remark
    from rocsteady._src.views.cli.source import Source

BRACKETED = ("evaluate", "report")
ROUNDED = ("confusion", "thresholds", "calibration", "operating-point", "decide")
TRACE = 0.8  # of the groups that may come: an engine's estimate of distinct values is off by a few hundredths


def surely_too_many(files: ScannedFiles, source: Source) -> bool:
    """Whether a model has many more different scores than may come back, by an estimate that takes no memory."""
    if not other_way(source):
        return False
    from rocsteady._src.ranked.lazy.fetch import duckdb_in_words

    names = [f'approx_count_distinct("{name.replace(chr(34), chr(34) * 2)}")' for name in source.scores]
    with duckdb_in_words():
        counted = files.relation.aggregate(", ".join(names)).fetchall()[0]
    return bool(max(counted) * TRACE > files.most_groups)


def other_way(source: Source) -> bool:
    """Whether the command has another way than groups in memory."""
    return source.command in (*BRACKETED, *ROUNDED, "compare") and source.weight_type != "sampling"


def without_groups(source: Source, rows: LazyRows, files: ScannedFiles, options: dict[str, Any]) -> Any:
    """The answer of a command whose groups do not fit."""
    from rocsteady._src.inputs.files import estimate_rows
    from rocsteady._src.inputs.files.scan import memory_bytes
    from rocsteady._src.scale.sketch_refine import CELLS
    from rocsteady._src.scale.too_many import bracketed_table, summed_table
    from rocsteady._src.views.cli.memory import Room

    level = (options.get("level") or 0.95) if options.get("intervals") else None
    method = options.get("auc_method") or "auto"
    if source.command == "compare":
        return SummedModels(rows)
    if source.command in ROUNDED:
        return _rounded_down(rows, files, options)
    if source.exact:
        return summed_table(rows, measures=options.get("measures"), level=level, auc_method=method)
    asked: dict[str, Any] = {
        "measures": options.get("measures"),
        "threshold": options.get("threshold"),
        "auc_method": method,
    }
    cells = Room.of(memory_bytes(source.memory), source.command).cells_beside(len(source.scores))
    return bracketed_table(
        rows,
        level=level,
        cells=min(cells, CELLS),
        n_rows=estimate_rows(files.paths),
        curves=source.command == "report",
        **asked,
    )


def _rounded_down(rows: LazyRows, files: ScannedFiles, options: dict[str, Any]) -> Any:
    """Models on steps of their scores: exact at thresholds that are steps, or given."""
    from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
    from rocsteady._src.ranked.lazy.floors import with_floors

    asked: dict[str, Any] = {name: options.get(name) for name in ("measures", "threshold")}
    result = evaluate_rows(with_floors(rows, options.get("threshold"), files.most_groups), **asked)
    how = {name: options[name] for name in ("level", "n_resamples", "random_state", "auc_method") if name in options}
    return result.with_intervals(**how) if options.get("intervals") else result


def rounding_told(result: Any) -> list[str]:
    """That scores were rounded down to fit, for pages that do not show all remarks."""
    from rocsteady._src.results.remarks import noted

    return [noted(remark) for remark in result.remarks if remark.code == "rounded_down"]


def safely_rounded(answer: Any, result: Any, model: str) -> Any:
    """An answer whose threshold is a step where scores were rounded down: between steps it would call other rows."""
    floors = getattr(result.rows, "floors", None)
    return answer if floors is None else replace(answer, threshold=floors.safe(answer.threshold, model))


def _summed() -> tuple[Remark, ...]:
    from rocsteady._src.results.remarks import Remark

    return (Remark("summed_by_engine"),)


@dataclass(frozen=True)
class SummedModels:
    """Models whose AUCs DuckDB adds up: they can be compared, and nothing else."""

    rows: LazyRows
    remarks: tuple[Remark, ...] = field(default_factory=_summed)

    def compare(
        self,
        baseline: str | None = None,
        *,
        measure: Any = None,
        measures: Any = None,
        threshold: Any = None,
        method: str = "auto",
        intervals: str = "separate",
        level: float = 0.95,
        cutoffs: Any = None,
    ) -> Comparison:
        """Compare AUCs; what needs groups or rows is refused."""
        from rocsteady._src.base.errors import ArgumentError
        from rocsteady._src.inference.comparison.models import Plan, compare_ranked_models
        from rocsteady._src.inference.units.components import Area
        from rocsteady._src.ranked.lazy.paired import sum_models

        if measure not in (None, "auc") or any(given is not None for given in (measures, threshold, cutoffs)):
            text = "there are too many different scores to compare by anything but the AUC within --memory"
            raise ArgumentError("memory", f"{text}; raise it, or leave --measure, --threshold and --cutoffs out")
        found = compare_ranked_models(sum_models(self.rows), Area(), Plan(method, intervals, level, baseline))
        return replace(found, warnings=(*found.warnings, *self.remarks))


def write_report(result: Any, output: Path, shown: dict[str, Any], *, title: str, force: bool) -> Path:
    """Write the page of a result; of brackets their own, which has no room for costs and pairs."""
    from rocsteady._src.results.scale import BracketedEvaluation
    from rocsteady._src.views.cli.drawing import write_picture
    from rocsteady._src.views.cli.sketching import refuse_pairs

    kind = shown.pop("kind", None)
    if kind is not None:
        write_picture(lambda: result.plot(kind), output, force=force, aloud=False)
        return output
    if not isinstance(result, BracketedEvaluation):
        written: Path = result.report(output, force=force, title=title, **shown)
        return written
    asked = ("cutoffs", "baseline", "cost_fp", "cost_fn", "prevalence", "model", "threshold")
    refuse_pairs(**{name: shown[name] for name in asked})
    return result.report(output, force=force, title=title)

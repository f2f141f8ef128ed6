"""Measure the coverage of every interval and the size of every test; rewrites the tables of docs/coverage.md.

``python -m benchmarks.coverage [--repeats N] [--quick] [--only NAME ...]``; about two and a half hours on one core.
``--measures NAME ...`` writes the lines of these measures in the table of every measure, on the samples of all.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tools.site.tables import NUMBERS, RESULTS, read_page, write_rows

from benchmarks import coverage_auto as auto
from benchmarks import coverage_auto_designs as designs
from benchmarks import coverage_bound as bound
from benchmarks import coverage_default as default
from benchmarks import coverage_every as every
from benchmarks import coverage_intervals as intervals
from benchmarks import coverage_remarks as remarks
from benchmarks import coverage_resampled as resampled
from benchmarks import coverage_tests as tests
from benchmarks import coverage_thresholds as thresholds
from benchmarks.coverage_kit import Effort

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"
QUICK = Effort(analytic=40, resampled=4, resamples=50)
TABLES: dict[str, Callable[[Effort], str]] = {
    "auc": intervals.auc_table,
    "shape": intervals.shape_table,
    "bootstrap": resampled.table_of("auc"),
    "summary": intervals.summary_table,
    "warnings": intervals.warning_table,
    "holdout": default.holdout_table,
    "holdout_text": default.holdout_text,
    "partial": intervals.partial_table,
    "partial_few_inside": intervals.few_inside_table,
    "partial_resampled": resampled.table_of(resampled.PARTIAL),
    "average_precision": resampled.table_of("average_precision"),
    "every": every.every_table,
    "at_bound": bound.bound_table,
    "clusters": intervals.cluster_table,
    "weights": intervals.weight_table,
    "proportions": thresholds.proportion_table,
    "threshold_measures": thresholds.threshold_measure_table,
    "youden": thresholds.youden_table,
    "chosen": thresholds.chosen_table,
    "null": tests.null_table,
    "paired": lambda effort: tests.size_table(tests.paired_found(effort)),
    "unpaired": lambda effort: tests.size_table(tests.unpaired_found(effort)),
    "margin": lambda effort: tests.size_table(tests.margin_found(effort)),
    "margin_alike": tests.alike_table,
    "partial_and_omnibus": lambda effort: tests.size_table(tests.partial_and_omnibus_found(effort)),
    "test_warnings": tests.warning_table,
    "auto_paired": auto.paired_table,
    "auto_unpaired": auto.unpaired_table,
    "auto_margin": auto.margin_table,
    "auto_difference": auto.difference_table,
    "auto_omnibus": auto.omnibus_table,
    "auto_partial": auto.partial_table,
    "auto_clusters": designs.cluster_size_table,
    "auto_weights": designs.weight_size_table,
    "auto_measures": designs.measure_size_table,
    "auto_elsewhere": auto.other_table,
    "auto_elsewhere_text": lambda effort: auto.other_text(auto.other_found(effort)),
    "margin_remark": remarks.margin_warning_table,
    "partial_difference": remarks.partial_difference_table,
    "auto_power": auto.power_table,
    "auto_together": auto.together_table,
    "resampled": resampled.size_table_of("auc"),
    "resampled_unpaired": resampled.size_table_of("auc", paired=False),
    "resampled_precision": resampled.size_table_of("average_precision"),
    "resampled_sensitivity": resampled.size_table_of("sensitivity_at"),
    "curves": resampled.curve_table,
    "effort": lambda effort: (
        f"{effort.analytic} samples per setting for formulas, {effort.resampled} samples of {effort.resamples} "
        f"resamples each for bootstrap and permutation. The Monte Carlo standard error of a share near 95% is "
        f"{(0.95 * 0.05 / effort.analytic) ** 0.5:.2%} and {(0.95 * 0.05 / effort.resampled) ** 0.5:.1%}."
    ),
}


def with_table(page: str, name: str, content: str) -> str:
    """The page with one table written anew: into the file that its markers hold, or between them."""
    pattern = re.compile(rf"(<!-- table: {re.escape(name)} -->\n)(.*?)(<!-- end -->)", re.DOTALL)
    found = pattern.search(page)
    if not found:
        raise SystemExit(f"the page has no place for the table {name!r}")
    named = NUMBERS.search(found[2])
    if named and content.startswith("|"):
        write_rows(RESULTS / named[1], content)
        return page
    return pattern.sub(lambda found: f"{found[1]}{content}\n{found[3]}", page)


def found_table(page: Path, name: str) -> str:
    """A table as it stands on the page."""
    return read_page(page).partition(f"<!-- table: {name} -->\n")[2].partition("\n<!-- end -->")[0]


def effort_asked(repeats: int | None, *, quick: bool) -> Effort:
    base = QUICK if quick else Effort()
    return base if repeats is None else Effort(repeats, max(repeats // 10, 1), base.resamples)


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, help="samples per setting for formulas; a tenth of it for resampling")
    parser.add_argument("--quick", action="store_true", help="a few samples, to see that all runs; writes nothing")
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES), help="tables to write")
    parser.add_argument("--measures", nargs="+", default=[], help="lines to write of the table of every measure")
    asked = parser.parse_args(arguments)
    effort = effort_asked(asked.repeats, quick=asked.quick)
    if asked.measures:
        lines = every.every_table(effort, tuple(asked.measures))
        page.write_text(with_table(page.read_text(), "every", every.with_lines(found_table(page, "every"), lines)))
        return
    for name in asked.only:
        start = time.process_time()
        content = TABLES[name](effort)
        print(f"{name}: {time.process_time() - start:.0f} s", flush=True)
        if asked.quick:
            print(content, flush=True)
        else:
            page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()

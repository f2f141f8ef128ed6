"""Do groups that are alike pass for alike? Rewrites the table of docs/subgroups.md.

``python -m benchmarks.subgroup_size [--repeats N]``; about five minutes on one core.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.coverage import with_table
from benchmarks.coverage_kit import Setting, coverage, size, stream, table
from rocsteady._src.evaluation.groups.areas import group_areas
from rocsteady._src.evaluation.groups.tests import differences, heterogeneity
from rocsteady._src.ranked import read_rows
from rocsteady.results import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = Path(__file__).parent.parent / "docs" / "subgroups.md"
GROUPS, SIZES, PREVALENCES, AUCS = (2, 5, 10), (30, 100, 400), (0.1, 0.5), (0.7, 0.9)
ALPHA = 0.05


def rejected_and_held(setting: Setting, n_groups: int, repeats: int) -> tuple[float, float]:
    """Share of samples in which groups seem to differ, and of differences whose interval holds 0."""
    rng, rejected, held = stream("groups", setting, n_groups), [], []
    y, group = np.tile(setting.y, n_groups), np.repeat(np.arange(n_groups), setting.n)
    for _ in range(repeats):
        scores = rng.standard_normal(y.size) + setting.gap * y
        rows = read_rows({"y": y, "s": scores}, label="y", scores=["s"])
        found = group_areas(rows, rows.split(group, n_groups), group)
        rejected.append(heterogeneity(found, np.ones(1), {}).pvalue <= ALPHA)
        lines = differences(found, list(range(n_groups)), ("s",), 0.95, Origin(1, y.size))
        held += [line.low <= 0 <= line.high for line in lines if not np.isnan(line.low)]
    return float(np.mean(rejected)), float(np.mean(held))


def size_table(repeats: int) -> str:
    rows = []
    for n_groups, n, prevalence, auc in product(GROUPS, SIZES, PREVALENCES, AUCS):
        setting = Setting(round(n * prevalence), n - round(n * prevalence), auc)
        share, held = rejected_and_held(setting, n_groups, repeats)
        rows.append([n_groups, n, setting.n_pos, auc, size(share), coverage(held)])
    return table(["groups", "rows in each", "positives in each", "AUC", "test at 5%", "intervals at 95%"], rows)


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=400, help="samples per setting")
    page.write_text(with_table(page.read_text(), "size", size_table(parser.parse_args(arguments).repeats)))


if __name__ == "__main__":
    main()

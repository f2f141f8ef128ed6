"""Plans and what studies of that size reach: ``python -m benchmarks.plans_reached outcomes|validation|auc STUDIES``.

Each word prints a table of docs/planning.md: power of comparisons of right and wrong on the same rows, widths of the
criteria of a validation, and power of tests of one AUC and of two.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtri

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OF_TASK, NET_BENEFIT = 10, 3
REACH = float(ndtri(0.975))


def table_of_outcomes(studies: int) -> Iterator[str]:
    """Power asked for and reached by McNemar's exact test, of independent rows and of tasks."""
    yield "| difference | discordant | rows of a task | design effect | power asked for | rows | reached |"
    yield "|--:" * 7 + "|"
    for difference, discordant in ((0.02, 0.05), (0.05, 0.1), (0.05, 0.3), (0.1, 0.3), (0.2, 0.5)):
        for power in (0.8, 0.9):
            plan = rs.power.power_outcomes(difference=difference, discordant=discordant, power=power)
            rng, reached = np.random.default_rng([round(1000 * difference), round(10 * power)]), 0
            wins = [(discordant + sign * difference) / 2 for sign in (1, -1)]
            for _ in range(studies):
                kind = rng.choice(3, plan.n, p=[*wins, 1 - discordant])
                reached += _found(rs.compare_outcomes(kind == 0, kind == 1))
            yield _line(difference, discordant, 1, 1.0, power, plan.n, reached / studies)
    for step, suits in ((0.4, 0.5), (0.4, 1.0), (0.8, 1.0)):
        pilot = _tasks(100_000, step, suits, np.random.default_rng(1))
        for power in (0.8, 0.9):
            how: dict[str, Any] = {"discordant": pilot[1], "design_effect": pilot[2]}
            plan = rs.power.power_outcomes(difference=pilot[0], power=power, **how)
            rng, tasks = np.random.default_rng([round(10 * step), round(10 * suits)]), math.ceil(plan.n / OF_TASK)
            answers = [_answers(tasks, step, suits, rng) for _ in range(studies)]
            reached = sum(_found(rs.compare_outcomes(a, b, cluster=task)) for a, b, task in answers)
            yield _line(*pilot[:2], OF_TASK, pilot[2], power, tasks * OF_TASK, reached / studies)


def _found(test: Any) -> bool:
    """Whether the test finds the difference, on its true side."""
    return bool(test.pvalue <= 0.05 and test.estimate > 0)


def _line(difference: float, discordant: float, of_task: int, effect: float, power: float, n: int, got: float) -> str:
    return f"| {difference:.3g} | {discordant:.3g} | {of_task} | {effect:.2f} | {power:.0%} | {n} | {got:.1%} |"


def _answers(tasks: int, step: float, suits: float, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Right and wrong of two models; tasks differ in how hard they are, and in which of the models they suit."""
    task = np.repeat(np.arange(tasks), OF_TASK)
    hard, liked = rng.standard_normal(tasks), suits * rng.standard_normal(tasks)
    odds = ((step + liked) / 2 + hard)[task], (hard - (step + liked) / 2)[task]
    first, second = (rng.random(task.size) < expit(each) for each in odds)
    return first, second, task


def _tasks(tasks: int, step: float, suits: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """Difference, discordant share and design effect of very many tasks."""
    first, second, _ = _answers(tasks, step, suits, rng)
    apart = first.astype(float) - second
    sums = apart.reshape(tasks, OF_TASK).sum(axis=1)
    return float(apart.mean()), float((first != second).mean()), float(sums.var() / apart.var() / OF_TASK)


def table_of_validation(studies: int) -> Iterator[str]:
    """Widths asked for and reached, each criterion at its own number of rows."""
    yield "| prevalence | AUC | criterion | width asked for | rows | mean width |"
    yield "|--:|--:|--|--:|--:|--:|"
    settings = ((0.1, 0.75, 1.0), (0.3, 0.8, 1.0), (0.5, 0.7, 2.0), (0.05, 0.9, 2.0))
    for prevalence, auc, wide in settings:
        widths: dict[str, Any] = {
            f"{name}_width": wide * most for name, most in (("oe", 0.2), ("slope", 0.2), ("net_benefit", 0.2))
        }
        plan = rs.power.validation_size(
            prevalence=prevalence, auc=auc, threshold=prevalence, auc_width=wide * 0.1, **widths
        )
        for place, each in enumerate(plan.criteria):
            rng = np.random.default_rng([round(100 * auc), place])
            found = [_widths(prevalence, auc, each.n, rng)[place] for _ in range(studies)]
            reached = 2 * REACH * np.std(found) if place == NET_BENEFIT else np.mean(found)
            yield f"| {prevalence} | {auc} | {each.name} | {each.width:g} | {each.n} | {reached:.4f} |"


def _widths(prevalence: float, auc: float, n: int, rng: np.random.Generator) -> list[float]:
    """Of observed over expected, of the slope and of the AUC, of true risks; and the net benefit itself."""
    gap = math.sqrt(2) * float(ndtri(auc))
    y = (rng.random(n) < prevalence).astype(int)
    risk = expit(math.log(prevalence / (1 - prevalence)) + gap * rng.standard_normal(n) + gap**2 * (y - 0.5))
    found = rs.calibration.calibration_summary(y, risk)
    curve = rs.decision_curve(y, risk, thresholds=[prevalence])
    (net,) = curve.standardized.values()
    ends: list[Any] = [found.observed_expected, found.slope, rs.auc_interval(y, risk)]
    return [each.high - each.low for each in ends] + [float(net[0])]


def table_of_auc(studies: int) -> Iterator[str]:
    """Power asked for and reached by the rank sum of one score, and by DeLong's and the default test of two."""
    yield "| AUC | second AUC | correlation | ratio | power asked for | positives | reached | by auto |"
    yield "|--:" * 8 + "|"
    for auc, ratio in ((0.6, 1.0), (0.7, 1.0), (0.7, 4.0), (0.85, 1.0)):
        for power in (0.8, 0.9):
            plan = rs.power_auc(auc=auc, power=power, ratio=ratio)
            sizes = math.ceil(plan.n_pos or 0), math.ceil(plan.n_neg or 0)
            rng, reached = np.random.default_rng([round(100 * auc), round(ratio), round(10 * power)]), 0
            for _ in range(studies):
                y, score, _ = _scores(auc, auc, 0.0, sizes, rng)
                test = rs.inference.auc_null_test(y, score)
                reached += test.pvalue <= 0.05 and test.estimate > 0
            yield f"| {auc} | | | {ratio:g} | {power:.0%} | {sizes[0]} | {reached / studies:.1%} | |"
    for auc, second, corr, ratio in ((0.8, 0.7, 0.5, 1.0), (0.85, 0.8, 0.8, 1.0), (0.85, 0.75, 0.3, 4.0)):
        for power in (0.8, 0.9):
            both: dict[str, Any] = {"corr_pos": corr, "corr_neg": corr}
            plan = rs.power_auc(auc=auc, second_auc=second, power=power, ratio=ratio, **both)
            sizes = math.ceil(plan.n_pos or 0), math.ceil(plan.n_neg or 0)
            rng, got = np.random.default_rng([round(100 * second), round(ratio), round(10 * power)]), np.zeros(2)
            for _ in range(studies):
                rows = _scores(auc, second, corr, sizes, rng)
                tests = [rs.compare_auc(*rows, method=method) for method in ("delong", "auto")]
                got += [test.pvalue <= 0.05 and test.estimate > 0 for test in tests]
            told = " | ".join(f"{each:.1%}" for each in got / studies)
            yield f"| {auc} | {second} | {corr} | {ratio:g} | {power:.0%} | {sizes[0]} | {told} |"


def _scores(
    first: float, second: float, corr: float, sizes: tuple[int, int], rng: np.random.Generator
) -> tuple[Any, Any, Any]:
    """Labels and normal scores of two models of these AUCs."""
    y = np.repeat([1, 0], sizes)
    shared, *own = rng.standard_normal((3, y.size))
    a, b = (math.sqrt(corr) * shared + math.sqrt(1 - corr) * each for each in own)
    return y, a + math.sqrt(2) * ndtri(first) * y, b + math.sqrt(2) * ndtri(second) * y


TABLES: dict[str, Callable[[int], Iterator[str]]] = {
    "outcomes": table_of_outcomes,
    "validation": table_of_validation,
    "auc": table_of_auc,
}


if __name__ == "__main__":
    for line in TABLES[sys.argv[1]](int(sys.argv[2])):
        print(line, flush=True)

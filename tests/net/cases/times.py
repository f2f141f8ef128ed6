"""Censored times: concordance, areas and Brier scores by a time, with competing events, weights and clusters."""

from __future__ import annotations

from typing import Any

from ..case import Case, cases, each

UNITS: tuple[dict[str, Any], ...] = (
    {"weight": "w"},
    {"weight": "k", "weight_type": "frequency"},
    {"cluster": "cluster"},
    {"weight": "w", "cluster": "cluster"},
)
RIVAL = {"time": "rival_time", "event": "cause", "pos_label": 1}
SIDES = each("greater", "less")
MARGINS = each("non-inferiority", "superiority", "equivalence")


def in_units(verb: str, line: str, **words: Any) -> list[Case]:
    return [case for units in UNITS for case in cases(verb, "times", line, **words, **units)]


ONE: list[Case] = [
    *cases(
        "measure of times",
        "times",
        "times/concordance",
        of="concordance",
        variant=each("harrell", "uno"),
        tau=each(None, 4),
    ),
    *cases("measure of times", "times", "times/concordance", of="concordance", variant="gonen-heller"),
    *in_units("measure of times", "times/concordance", of="concordance", variant=each("harrell", "uno")),
    *cases("measure of times", "times", "times/concordance", of="concordance", **RIVAL),
    *cases(
        "measure of times",
        "times",
        "times/auc_at",
        of="auc_at",
        at=each(1, 2, 4, (1, 2, 4)),
        variant=each(None, "incident"),
    ),
    *cases("measure of times", "times", "times/auc_at", of="auc_at", at=2, variant="incident", span=0.5),
    *cases("measure of times", "times", "times/auc_at", of="auc_at", at=2, ipcw="known"),
    *cases("measure of times", "times", "times/auc_at", of="auc_at", at=each(2, (1, 4)), **RIVAL),
    *in_units("measure of times", "times/auc_at", of="auc_at", at=2),
    *cases(
        "measure of times",
        "times",
        "times/brier_at",
        of="brier_at",
        score="a_2",
        at=2,
        scaled=each(None, True),
        level=each(None, 0.9),
    ),
    *cases("measure of times", "times", "times/brier_at", of="brier_at", score=("a_1", "a_2", "a_4"), at=(1, 2, 4)),
    *cases("measure of times", "times", "times/brier_at", of="brier_at", score="a_2", at=2, **RIVAL),
    *cases("measure of times", "times", "times/brier_at", of="brier_at", score="a_2", at=2, ipcw="known"),
    *in_units("measure of times", "times/brier_at", of="brier_at", score="a_2", at=2),
    *cases(
        "measure of times",
        "times",
        "times/net_benefit_at",
        of="net_benefit_at",
        score="a_2",
        at=2,
        thresholds=(0.2, 0.4, 0.6),
    ),
    *in_units("measure of times", "times/net_benefit_at", of="net_benefit_at", score="a_2", at=2, thresholds=(0.3,)),
    *cases(
        "measure of times",
        "times",
        "times/net_benefit_at",
        of="net_benefit_at",
        score="a_2",
        at=2,
        thresholds=(0.3,),
        **RIVAL,
    ),
    *cases(
        "measure of times",
        "times",
        "times/calibration_at",
        of="calibration_at",
        score="a_2",
        at=2,
        n_bins=each(None, 4),
    ),
    *in_units("measure of times", "times/calibration_at", of="calibration_at", score="a_2", at=2),
    *cases("measure of times", "times", "times/calibration_at", of="calibration_at", score="a_2", at=2, **RIVAL),
    *cases(
        "measure of times",
        "times",
        "times/integrated_auc",
        of="integrated_auc",
        at=(1, 2, 4),
        variant=each(None, "incident"),
    ),
    *in_units("measure of times", "times/integrated_auc", of="integrated_auc", at=(1, 2, 4)),
    *cases(
        "measure of times",
        "times",
        "times/integrated_brier",
        of="integrated_brier",
        score=("a_1", "a_2", "a_4"),
        at=(1, 2, 4),
    ),
    *in_units(
        "measure of times", "times/integrated_brier", of="integrated_brier", score=("a_1", "a_2", "a_4"), at=(1, 2, 4)
    ),
    *cases("measure of times", "times", "errors/InputError", of="auc_at", at=each(0.001, 1000)),
]
TWO: list[Case] = [
    *cases(
        "difference of times",
        "times",
        "times/compare_concordance",
        of="concordance",
        variant=each("harrell", "uno"),
        tau=each(None, 4),
    ),
    *cases("difference of times", "times", "times/compare_concordance", of="concordance", variant="gonen-heller"),
    *cases("difference of times", "times", "times/compare_concordance", of="concordance", alternative=SIDES),
    *cases(
        "difference of times", "times", "times/compare_concordance", of="concordance", alternative=MARGINS, margin=0.05
    ),
    *in_units("difference of times", "times/compare_concordance", of="concordance"),
    *cases(
        "difference of times",
        "times",
        "times/compare_auc_at",
        of="auc_at",
        at=each(1, 2, 4),
        variant=each(None, "incident"),
    ),
    *cases("difference of times", "times", "times/compare_auc_at", of="auc_at", at=2, alternative=MARGINS, margin=0.05),
    *cases("difference of times", "times", "times/compare_auc_at", of="auc_at", at=2, **RIVAL),
    *in_units("difference of times", "times/compare_auc_at", of="auc_at", at=2),
    *cases("difference of times", "times", "times/compare_brier_at", of="brier_at", first="a_2", second="b_2", at=2),
    *cases(
        "difference of times",
        "times",
        "times/compare_brier_at",
        of="brier_at",
        first="a_2",
        second="b_2",
        at=2,
        alternative=MARGINS,
        margin=0.02,
    ),
    *in_units("difference of times", "times/compare_brier_at", of="brier_at", first="a_2", second="b_2", at=2),
    *cases(
        "difference of times",
        "times",
        "times/compare_net_benefit_at",
        of="net_benefit_at",
        first="a_2",
        second="b_2",
        at=2,
        threshold=0.3,
    ),
    *in_units(
        "difference of times",
        "times/compare_net_benefit_at",
        of="net_benefit_at",
        first="a_2",
        second="b_2",
        at=2,
        threshold=0.3,
    ),
    *cases(
        "reclassification of times",
        "times",
        "times/net_reclassification_at",
        of="nri",
        at=2,
        cutoffs=each(None, (0.3, 0.6)),
    ),
    *in_units("reclassification of times", "times/net_reclassification_at", of="nri", at=2),
    *cases(
        "reclassification of times",
        "times",
        "times/integrated_discrimination_at",
        of="idi",
        at=2,
        level=each(None, 0.9),
    ),
    *in_units("reclassification of times", "times/integrated_discrimination_at", of="idi", at=2),
    *cases("reclassification of times", "times", "times/integrated_discrimination_at", of="idi", at=2, **RIVAL),
]
TABLES: list[Case] = [
    case
    for units in ({}, *UNITS)
    for verb in ("evaluation", "comparison")
    for case in (
        *cases(verb, "times", "flat/evaluate", label="event", time="time", scores=("a_score", "b_score"), **units),
        *cases(
            verb,
            "times",
            "flat/evaluate",
            label="event",
            time="time",
            at=(1, 2, 4),
            scores=("a_score", "b_score"),
            **units,
        ),
        *cases(verb, "times", "flat/evaluate", label="event", time="time", at=2, scores=("a_2", "b_2"), **units),
    )
]
OTHER_CENSORED = {"time": "rival_time", "event": "cause", "pos_label": 1, "censored": 2}
KNOWN = {"ipcw": "known"}
RISK = {"score": "a_2", "at": 2}
RISKS = {"first": "a_2", "second": "b_2", "at": 2}
OPTIONS: list[Case] = [
    case
    for how in (OTHER_CENSORED, KNOWN, {"level": 0.8})
    for case in (
        *cases(
            "measure of times", "times", "times/auc_at", of=each("auc_at", "brier_at", "calibration_at"), **RISK, **how
        ),
        *cases(
            "measure of times", "times", "times/net_benefit_at", of="net_benefit_at", **RISK, thresholds=(0.3,), **how
        ),
        *cases("measure of times", "times", "times/integrated_auc", of="integrated_auc", at=(2,), **how),
        *cases("difference of times", "times", "times/compare_auc_at", of=each("auc_at", "brier_at"), **RISKS, **how),
        *cases(
            "difference of times",
            "times",
            "times/compare_net_benefit_at",
            of="net_benefit_at",
            **RISKS,
            threshold=0.3,
            **how,
        ),
        *cases(
            "reclassification of times", "times", "times/net_reclassification_at", of=each("nri", "idi"), at=2, **how
        ),
    )
]
TIED = {"first": "a_tied", "second": "b_tied"}
MORE: list[Case] = [
    *cases(
        "measure of times",
        "times",
        "times/concordance",
        of="concordance",
        score="a_tied",
        variant=each("harrell", "uno", "gonen-heller"),
    ),
    *cases(
        "measure of times",
        "times",
        "times/auc_at",
        of="auc_at",
        score="a_tied",
        at=each(1, 2, 4),
        variant=each(None, "incident"),
    ),
    *cases(
        "measure of times",
        "times",
        "times/auc_at",
        of="auc_at",
        score="a_tied",
        at=2,
        weight=each("w", "k"),
        cluster="cluster",
    ),
    *cases("measure of times", "times", "times/integrated_auc", of="integrated_auc", score="a_tied", at=(1, 2, 4)),
    *cases(
        "difference of times",
        "times",
        "times/compare_concordance",
        of="concordance",
        **TIED,
        variant=each("harrell", "uno", "gonen-heller"),
    ),
    *cases(
        "difference of times",
        "times",
        "times/compare_auc_at",
        of="auc_at",
        **TIED,
        at=2,
        variant=each(None, "incident"),
    ),
    *cases("measure of times", "times", "times/concordance", of="concordance", variant="uno", tau=4, level=0.8),
    *cases("difference of times", "times", "times/compare_concordance", of="concordance", level=0.8),
    *cases(
        "measure of times",
        "times",
        "times/integrated_brier",
        of="integrated_brier",
        score=("a_1", "a_2", "a_4"),
        at=(1, 2, 4),
        level=0.8,
    ),
    *cases(
        "difference of times",
        "times",
        "times/compare_net_benefit_at",
        of="net_benefit_at",
        **RISKS,
        threshold=0.3,
        alternative=SIDES,
    ),
    *cases(
        "difference of times",
        "times",
        "times/compare_net_benefit_at",
        of="net_benefit_at",
        **RISKS,
        threshold=0.3,
        alternative=MARGINS,
        margin=0.05,
    ),
    *cases(
        "evaluation", "times", "flat/evaluate", label="event", time="time", at=2, scores=("a_2", "b_2"), ipcw=("known",)
    ),
    *cases(
        "evaluation",
        "times",
        "flat/evaluate",
        label="cause",
        pos_label=1,
        censored=2,
        time="rival_time",
        at=2,
        scores=("a_2", "b_2"),
    ),
]
CASES: list[Case] = [
    *ONE,
    *OPTIONS,
    *MORE,
    *TWO,
    *TABLES,
    *cases(
        "comparison",
        "times",
        "flat/evaluate",
        label="event",
        time="time",
        at=(1, 2, 4),
        scores=("a_score", "b_score"),
        of=each("auc(2)", "auc(4)", "harrell", "uno"),
    ),
    *cases(
        "comparison",
        "times",
        "flat/evaluate",
        label="event",
        time="time",
        at=2,
        scores=("a_2", "b_2"),
        of=each("auc", "brier"),
        baseline=each(None, "b_2"),
    ),
    *cases("evaluation", "times", "flat/evaluate", label="event", time="time", at=2, scores=("a_2", "b_2"), by="site"),
    *cases(
        "evaluation",
        "times",
        "flat/evaluate",
        label="cause",
        pos_label=1,
        time="rival_time",
        at=2,
        scores=("a_2", "b_2"),
    ),
    *cases("frame", "times", "flat/evaluate", label="event", time="time", at=(1, 2, 4), scores=("a_score", "b_score")),
    *cases("saved and read", "times", "flat/load", label="event", time="time", at=2, scores=("a_2", "b_2")),
]

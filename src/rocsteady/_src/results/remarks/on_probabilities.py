"""What remarks say about calibration, reclassification and decision curves."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

MORE_ROWS = "Only more rows help."

CALIBRATION = {
    "rare_class": Told(
        "{n:count} rows of the rarer class: with 10 of 200, 95% intervals of a difference in Brier score held 92% of "
        "true values, with 2 or 3 of 50 85%{ (docs/calibration.md)}",
        "Collect more rows of that class; the test rejects too seldom rather than too often.",
    ),
    "no_limits": Told(
        "no limits: {why}",
        "Pass the rows themselves, or weights that count rows.",
    ),
    "steps_chosen": Told(
        "steps were chosen by these rows: limits are approximate, and hold at the mean score of the step",
        "Take bins of equal size for limits that hold.",
    ),
    "isotonic_limits_short": Told(
        "limits from resampled isotonic curves are too short, most of all in small samples: {limits='wilson'} is safer",
        "Take Wilson's limits.",
    ),
    "few_in_bins": Told(
        "{n:count} of {total:count} bins hold fewer than {enough} rows",
        "Take fewer bins.",
    ),
    "fewer_bins": Told(
        "{n:count} bins in place of {usual}, which would hold fewer than {enough} rows on average",
        "Ask for another number of bins, or take more rows.",
    ),
    "few_for_curve": Told(
        "{n:count} rows of the smaller class are few for a smooth curve: below {enough} its bands held the true curve "
        "less often than they promise",
        MORE_ROWS,
    ),
    "diagonal_in_band": Told(
        "the band holds the diagonal everywhere: distances as large as these appear with true probabilities too",
        "Do not read them as errors of the model; more rows would tell.",
    ),
    "band_wide": Told(
        "among scores from {low:number} to {high:number} the band is wider than a half: rows there are few, or "
        "(nearly) all of one class, and no curve is known",
        "Look at bins there, take fewer knots, or more rows.",
    ),
    "curve_unvarying": Told(
        "nothing varies about the curve, as of rows of one class or of very few: there are no limits, and distances "
        "have no intervals",
        "Take more rows, of both classes.",
    ),
    "belt_of_degree": Told(
        "the belt holds curves of degree {degree}, which the rows chose: where the truth bends more than they show, "
        "it held the whole curve in as few as 45 of 100 samples; its test keeps its size",
        "Read the test, and a spline for the curve.",
    ),
    "band_of_smoother": Told(
        "limits and band are those of the smoothed curve: a bend narrower than its window (two thirds of the rows) is "
        "flattened, and they do not count that; with rare events they held the whole curve in under half of samples",
        "Look at bins or a spline too.",
    ),
    "knots_tied": Told(
        "ties leave {n} of {asked} knots",
        "Nothing: rows of one score stay together.",
    ),
    "groups_tied": Told(
        "ties leave {n} of {asked} groups",
        "Nothing: rows of one score stay together.",
    ),
    "no_groups_left": Told(
        "too few groups: the test is undefined",
        "Take more groups, or a test without groups, such as Spiegelhalter's.",
    ),
    "few_expected": Told(
        "{n:count} of {total:count} expected counts are below {enough}: p is rough",
        "Take fewer groups.",
    ),
    "nothing_to_test": Told(
        "scores of 0, 1/2 and 1 alone leave nothing to test",
        "Pass probabilities that are not rounded.",
    ),
    "cancelled_in_subjects": Told(
        "what rows add to an estimate cancels in every subject: its standard error is 0",
        "Check the subjects: every one has as many positives as its scores expect.",
    ),
    "certain_scores": Told(
        "{n:count} rows have a score of exactly 0 or 1, which has no logit: nothing is fitted",
        "Keep probabilities away from 0 and 1.",
    ),
    "one_class_not_fitted": Told(
        "only one class is present: nothing is fitted",
        "Take rows of both classes.",
    ),
    "separated": Told(
        "scores separate the classes, or are all equal: slope and intercept have no finite estimate",
        "Take more rows: on these no finite slope fits best.",
    ),
    "not_converged": Told(
        "a fit did not converge",
        "Look at the scores: some may be extreme.",
    ),
    "no_positives_expected": Told(
        "without positives, observed or expected, the interval is undefined",
        "Take rows with positives.",
    ),
    "ece_rough": Told(
        "expected_ece is rough: {n} bins have a variance below {enough}",
        "Take fewer bins.",
    ),
}
RECLASSIFICATION = {
    "nri_misleads": Told(
        "NRI rises for miscalibrated models even when nothing improves (Pepe, Hilden, Gerds): read it beside "
        "calibration and net benefit",
        "Look at calibration and net benefit too.",
    ),
    "idi_misleads": Told(
        "IDI rewards predictions that are spread out, calibrated or not: read it beside calibration and net benefit",
        "Look at calibration and net benefit too.",
    ),
    "slope_zero": Told(
        "the old model's slope, {slope:number}, is near 0: the relative IDI is unstable, and here undefined",
        "Report the IDI itself.",
    ),
    "slope_small": Told(
        "the old model's slope, {slope:number}, is near 0 (se {se:number}): the relative IDI is unstable",
        "Report the IDI itself.",
    ),
    "wald_short": Told(
        "{rows:count} rows in the smaller class: 95% intervals by wald held the truth in 52% to 95% of such "
        "samples; {better}",
        "Take the method that is named, or more rows.",
    ),
    "welch_short": Told(
        "{rows:count} rows in the smaller class: 95% intervals by welch held the truth in 90% to 96% of such "
        "samples; only more rows help",
        MORE_ROWS,
    ),
    "few_to_move": Told(
        "{rows:count} rows in the smaller class: each that moves changes the NRI by {step:digits2}, and 95% intervals "
        "held the truth in 92% to 100% of such samples; only more rows help",
        MORE_ROWS,
    ),
    "few_in_table": Told(
        "{rows:count} rows in the smaller class: each that moves is {step:digits2} of it; only more rows help",
        MORE_ROWS,
    ),
    "one_unit_of_class": Told(
        "a class has a single row or subject: how much they differ is unknown, and intervals and p are undefined",
        "Take more rows of that class.",
    ),
    "single_mover": Told(
        "the {name} are a single row: their width of zero is not certainty",
        "Take more rows of that class.",
    ),
    "moved_alike": Told(
        "the {name} all moved alike, or not at all: their width of zero is not certainty",
        "Do not read a width of zero as certainty.",
    ),
    "changed_alike": Told(
        "every row of a class changed alike: a width of zero is not certainty",
        "Do not read a width of zero as certainty.",
    ),
    "cells_left_out": Told(
        "cells with fewer than {enough} rows, left out of Cook's test: {n:count}",
        "Take fewer cutoffs.",
    ),
    "few_cells": Told(
        "Cook's test needs at least {needed} cells with {enough} rows, there are {n}",
        "Take fewer cutoffs, or more rows.",
    ),
    "certain_cell": Told(
        "a cell's mean prediction is exactly 0 or 1",
        "Keep probabilities away from 0 and 1.",
    ),
    "of_pairs": Told(
        "{pairs:list}: {remark}",
        "See the remark: it holds for these pairs of models.",
    ),
}
DECISIONS = {
    "few_events_decided": Told(
        "independent positive cases: only {events:count}; limits and tests of the net benefit rest on few events",
        "Take more positive rows before acting on a small net benefit.",
    ),
    "few_called": Told(
        "fewer than {enough} rows are called positive at {n:count} thresholds, from {start:digits6} on: limits are too "
        "short there",
        "Do not read the limits where so few rows are called positive.",
    ),
    "few_called_differently": Told(
        "only {n:count} rows are called differently: p and limits are rough",
        MORE_ROWS,
    ),
    "prevalence_outside": Told(
        "a share of {share:number} is called there, which no prevalence gives with TPR {tpr:number} and FPR "
        "{fpr:number}: chance, or the classes do not look the same there",
        "Check on some labelled rows of the new place whether the rates still hold.",
    ),
    "prevalence_unknown": Told(
        "the rates are too uncertain, or too close to each other, to exclude any prevalence",
        "Take a threshold at which TPR and FPR lie apart, or more labelled rows.",
    ),
    "prevalence_of_calibrated": Told(
        "the interval takes the probabilities as calibrated on the labelled rows, of which it counts only how well "
        "they tell their share of positives",
        "Check calibration first; the method 'confusion' counts the uncertainty of labelled rows too.",
    ),
}

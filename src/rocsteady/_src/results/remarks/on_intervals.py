"""What remarks say about intervals, resamples, chosen thresholds and bands."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

DEFAULT_IS_BETTER = "Take the default method."
MORE_ROWS = "Only more rows help."

INTERVALS = {
    "no_variance": Told(
        "fewer than two independent units in a class: the variance is undefined; {better}",
        DEFAULT_IS_BETTER,
    ),
    "components_agree": Told(
        "all components agree (area {area:setting}): a width of zero is not certainty; {better}",
        DEFAULT_IS_BETTER,
    ),
    "short_interval": Told(
        "{rows:count} rows in the smaller class and an AUC of {auc:number}: 95% intervals by {method} held the truth "
        "in fewer than 92% of such samples; {better}",
        "Take the method that is named.",
    ),
    "single_row": Told(
        "a class has a single row: how it spreads is unknown, and the interval rests on a model",
        "Take more rows of that class.",
    ),
    "single_unit": Told(
        "a class has one independent unit: how it spreads is unknown, and the interval rests on a model",
        "Take more subjects of that class.",
    ),
    "few_heavy": Told(
        "few rows with large weights decide: 95% intervals held the truth in 88% to 98% of such samples",
        "Look at the rows with the largest weights; more rows like them help.",
    ),
    "few_subjects": Told(
        "only {n} subjects: intervals over so few are too short{better}",
        "Take more subjects; where a method is named, it is better.",
    ),
    "few_weighted_rows": Told(
        "only {n} weighted rows: intervals over so few are too short",
        MORE_ROWS,
    ),
    "subjects_not_measured": Told(
        "only {n} subjects: intervals over so few were not measured",
        "Take more subjects, or trust the interval less.",
    ),
    "rate_unresolved": Told(
        "a rate of {rate:setting} needs at least {needed:count} {whose} without an error to be shown at {level:level}; "
        "there are {there:count}",
        "Hold a rate that the rows can show, or take more of them.",
    ),
    "few_called_at_precision": Told(
        "{rows:count} rows are called positive at this precision: with fewer than 20, 95% intervals of the recall held "
        "the truth in as few as 69% of samples",
        "Hold a lower precision, or take more rows.",
    ),
    "promise_bracket": Told(
        "counted in cells: the threshold of the rows themselves lies in the bracket, and this is its safe end",
        "Refine the sketch, or raise its capacity, to come closer to it.",
    ),
    "promise_by_cells": Told(
        "counted in cells: the tests of precision go from one edge of a cell to the next",
        "Refine the sketch, or raise its capacity, to test at every score.",
    ),
    "interval_bracket": Told(
        "counted in cells: the ends reach as far as those of the rows themselves may",
        "Refine the sketch, or raise its capacity, to come closer to the rows.",
    ),
    "replicate_percentiles": Told(
        "percentiles of a Poisson bootstrap: measures that chance moves away from a coin's value (KS, H-measure, hull) "
        "have ends that are too far from it where a model is weak",
        "Rank the rows if they fit: evaluate corrects for it.",
    ),
    "few_wrong_in_sketch": Told(
        "fewer than three rows of the smaller class stand on the wrong side: DeLong's interval is short there",
        "Count more rows, or rank them and take compare_auc, which has a test for such AUCs.",
    ),
    "point_bracket": Told(
        "counted in cells: the rate is held at the edge of one, and the ends reach as far as those of the rows may",
        "Refine the sketch, or raise its capacity, to come closer to the rows.",
    ),
    "cost_chosen": Told(
        "these rows chose the thresholds as well: 95% intervals held the least cost in 88% to 100% of samples, and the "
        "true cost of the threshold chosen in 84% to 98%",
        "Take the threshold from other rows where the cost at one of them matters.",
    ),
    "counts_bracket": Told(
        "counted in cells, and the threshold lies inside of one: the ends reach as far as those of the rows may",
        "Take a threshold at the edge of a cell, refine the sketch, or raise its capacity.",
    ),
    "few_inside": Told(
        "{rows:digits2} rows expected inside the range of the partial area: 95% intervals held the truth in as few as "
        "77% of such samples, where the classes spread unlike; a wider range rests on more rows",
        "Take a wider range of the partial area, or more rows.",
    ),
    "few_for_measure": Told(
        "{rows:count} rows in the smaller class: 95% intervals of {measure} held the truth in fewer than 92% of "
        "samples with fewer than {enough}",
        MORE_ROWS,
    ),
    "few_subjects_for_measure": Told(
        "{n:count} subjects{of_class}: 95% intervals of {measure} held the truth in fewer than 92% of samples with "
        "fewer than {enough} rows in the smaller class",
        MORE_ROWS,
    ),
    "few_rows_for_measure": Told(
        "{rows:count} rows: 95% intervals of {measure} held the truth in fewer than 92% of samples with fewer than "
        "{enough}",
        MORE_ROWS,
    ),
    "few_of_first_rows": Told(
        "{rows:number} of the {k:setting} highest rows differ from the others in class: 95% intervals held the truth "
        "in fewer than 92% of such samples",
        "Take a larger k.",
    ),
    "grows_with_rows": Told(
        "the value rests on the range of the scores, which grows with the rows: the interval is about samples of this "
        "size",
        "Do not compare the value with one of more or fewer rows.",
    ),
    "rows_agree": Told(
        "all rows agree: a width of zero is not certainty",
        "Do not read the interval as certainty: more rows may disagree.",
    ),
    "infinite_value": Told(
        "the value is infinite, so that it has no interval: a score of 0 or 1 was given to what did not happen",
        "Keep probabilities away from 0 and 1.",
    ),
    "no_share": Told(
        "there are no rows to take a share of: the interval is undefined",
        "Choose a threshold at which some rows are called so.",
    ),
    "wald_too_short": Told(
        "{rows:count} successes or failures are too few for Wald's interval, which is too short: use wilson",
        "Take the default, Wilson's interval.",
    ),
    "few_of_share": Told(
        "only {rows:count} successes or failures: clopper-pearson guarantees its level, {method} does not",
        "Take clopper-pearson where the level must be guaranteed.",
    ),
    "one_subject_of_share": Told(
        "only one subject has such rows: how much subjects differ is unknown, and so is the interval",
        "Take more subjects.",
    ),
    "undefined_on_counts": Told(
        "the measure is undefined on these counts, and so is its interval",
        "Choose a threshold at which the measure is defined.",
    ),
    "few_in_a_cell": Told(
        "only {rows:count} {cell}: the delta method needs larger counts, {enough} or more",
        MORE_ROWS,
    ),
    "few_behind_measure": Told(
        "only {rows:count} {cell}: the interval rests on few rows; with {enough} or more in each cell it is shorter",
        MORE_ROWS,
    ),
    "half_a_row_more": Told(
        "no spread can be told from these counts: the interval is that of half a row more in each cell",
        MORE_ROWS,
    ),
}
RESAMPLES = {
    "few_resamples": Told(
        "{n:count} resamples: the ends are uncertain themselves; use 2000 or more",
        "Ask for more resamples.",
    ),
    "resamples_left_out": Told(
        "undefined in {failed:count} of {total:count} resamples, which are left out",
        MORE_ROWS,
    ),
    "resamples_undefined": Told(
        "undefined in {failed:count} of {total:count} resamples: too few rows of a class to resample, so that there is "
        "no interval",
        MORE_ROWS,
    ),
    "undefined_without_a_unit": Told(
        "undefined with one unit left out: there is no standard error",
        "Take more rows of the smaller class, or the bootstrap.",
    ),
    "few_units_drawn": Told(
        "only {n} units of a class to draw from: {method} intervals are too short; {better}",
        "Take the method that is named, or more rows of the smaller class.",
    ),
    "resamples_agree": Told(
        "all resamples agree: a width of zero is not certainty",
        "Do not read the interval as certainty: more rows may disagree.",
    ),
    "at_bound": Told(
        "the value is {value:setting}, and so is every resample: the other end is what the measure would be where the "
        "AUC is the low end of its own interval, {auc:number}, and both classes spread alike",
        "Nothing: the interval has a width. More rows make it narrower.",
    ),
    "infinite_resamples": Told(
        "the value is infinite, and so are resamples: there is no interval",
        "Keep probabilities away from 0 and 1, or choose another threshold.",
    ),
    "estimate_left_out": Told(
        "the interval leaves out the estimate: resamples lie {side} it, around {middle:number}, since the measure is "
        "biased in samples of this size",
        "Trust the interval more than the estimate, or take more rows.",
    ),
}
CHOSEN = {
    "threshold_as_given": Told(
        "the threshold was chosen on these rows, and the interval takes it as given: new rows will do worse than it "
        "says",
        "Choose the threshold on other rows, or allow resamples.",
    ),
    "short_when_chosen_of_subjects": Told(
        "{n:count} subjects{of_class}: 95% intervals at a threshold chosen on the same rows held the truth in fewer "
        "than 92% of samples with fewer than {enough} rows in the smaller class; choose the threshold on other rows",
        "Choose the threshold on other rows.",
    ),
    "short_when_chosen": Told(
        "{rows} rows in the smaller class: 95% intervals at a threshold chosen on the same rows held the truth in "
        "fewer than 93% of samples with fewer than {enough}; choose the threshold on other rows",
        "Choose the threshold on other rows.",
    ),
    "flattered_by_choice": Told(
        "the interval leaves out the estimate: the threshold was chosen on these rows, which flatter it by "
        "{optimism:number}",
        "Trust the interval, or choose the threshold on other rows.",
    ),
    "choice_unstable": Told(
        "fewer than {enough} rows of one class: 95% intervals of a chosen threshold held the truth in 31% to 100% of "
        "such samples, the less the higher the AUC; choose the threshold on other rows and take "
        "rs.inference.measure_interval "
        "at it",
        "Choose the threshold on other rows, and take the interval of the rate at it.",
    ),
    "choice_undefined": Told(
        "undefined in {failed:count} of {total:count} resamples, in which nothing is called positive: no interval",
        "Choose the threshold on other rows, or by another rule.",
    ),
    "choice_infinite": Told(
        "infinite, so that nothing is called positive, in {failed:count} of {total:count} resamples: no se",
        "Choose the threshold by another rule.",
    ),
}
BANDS = {
    "tied_ks": Told(
        "tied scores: the Kolmogorov-Smirnov band is wider than it needs to be",
        "Nothing: the band is on the safe side.",
    ),
    "tied_bootstrap": Told(
        'heavily tied scores: bootstrap bands of 95% held 88% to 96% of true curves; {method="ks"} holds them',
        "Take the band by Kolmogorov and Smirnov.",
    ),
    "tied_binormal": Told(
        "heavily tied scores: the band is about the smooth curve behind the ties, above the lines between thresholds; "
        '{method="ks"} is about those',
        "Take the band by Kolmogorov and Smirnov for the curve between thresholds.",
    ),
    "few_for_fixed_width": Told(
        "fewer than {enough} rows of one class: a fixed-width band of 95% held 45% to 94% of true curves in such "
        'samples; take {method="ks"}',
        "Take the band by Kolmogorov and Smirnov.",
    ),
    "few_for_bootstrap": Told(
        "few rows of one class, or few ranked wrong: a bootstrap band of 95% held 30% to 95% of true curves in such "
        'samples; take {method="ks"}',
        "Take the band by Kolmogorov and Smirnov.",
    ),
    "few_for_binormal": Told(
        "fewer than {enough} rows: a working-hotelling band of 95% held 86% to 98% of true curves in such samples; "
        'take {method="ks"}',
        "Take the band by Kolmogorov and Smirnov.",
    ),
    "normal_theory_rough": Told(
        "fewer than {enough} rows of one class: normal theory is rough",
        MORE_ROWS,
    ),
    "no_standard_errors": Told(
        "no standard errors: {why}",
        "Say that the weights count repeated rows, if they do; else resample.",
    ),
    "poor_fit": Told(
        "the fitted curve leaves the data farther than chance would: the binormal model fits poorly",
        "Take the empirical curve.",
    ),
    "hooked": Told(
        "the fitted curve dips below the chance line at one end (a hook)",
        "Read the fitted curve in the middle only, or take the empirical one.",
    ),
}

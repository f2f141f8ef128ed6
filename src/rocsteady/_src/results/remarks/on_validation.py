"""What remarks say about internal validation and imputed data."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

VALIDATION = {
    "short_after_632": Told(
        "95% intervals of .632+ held the truth in as few as 81 of 100 data sets for the AUC and 51 for the Brier score",
        "Take its estimate, and new rows for how sure it is; docs/validation.md has the settings.",
    ),
    "short_two_stage": Told(
        "two-stage intervals of 95% held the AUC in 83.8% of 80 data sets of 100 rows (30 times 30 resamples), less "
        "often than location-shifted ones (93.0%)",
        "Take the location-shifted interval; docs/validation.md compares them.",
    ),
    "whole_procedure": Told(
        "this corrects for what the procedure did within each resample, and nothing else: choices that were made on "
        "all rows before (variables, cut-offs, tuning, imputation) keep their optimism",
        "Put every step that looked at the outcome into the estimator (a Pipeline, a search) or the fitting function.",
    ),
    "fits_failed": Told(
        "{failed:count} of {total:count} resamples have no model, and are left out; the first: {first}",
        "Repair the procedure; resamples that fail are seldom like those that do not.",
    ),
    "value_undefined_in_resamples": Told(
        "undefined in {failed:count} of {total:count} resamples, which are left out of it",
        "Take more rows of the smaller class, or another measure.",
    ),
    "perfect_in_training": Told(
        "the model ranks its own rows perfectly: most of the rows that judge a resample's model had made it, so that "
        "corrected values stay too good; .632+ is made for such models",
        "Take the method .632+, or cross-validation.",
    ),
    "d2_is_rough": Told(
        "D2 knows the statistics only: p may be off by a factor of two either way",
        "Pool estimates with standard errors where there are any.",
    ),
    "few_rows_of_procedure": Told(
        "with 100 rows, 95% intervals of AUC and Brier score held the truth in 90 to 94 of 100 data sets (in 93 with "
        "200): {n:count} rows are few",
        "Read the interval as a little too short; take more rows.",
    ),
    "few_resamples_of_procedure": Told(
        "{n:count} resamples: the ends of the interval are uncertain themselves; use {enough:count} or more",
        "Ask for more resamples.",
    ),
    "nothing_varies_in_resamples": Told(
        "no interval: nothing varies, the value is {value:number} in every resample, and no width is not certainty",
        "Look at the model: one that gives all rows the same score has nothing to judge.",
    ),
    "apparent_undefined": Told(
        "undefined for the model of all rows, so that there is nothing to correct",
        "Take another measure, or a model for which it is defined.",
    ),
    "points_without_limits": Told(
        "{n:count} of {total:count} points have no limits: there an imputation's curve, or one of its limits, is 0 or "
        "1, which has no logit; the plain mean is shown",
        "Choose points further inside, or read the curve there without limits.",
    ),
    "optimism_pooled": Told(
        "how often pooled intervals of corrected values hold has not been measured",
        "Trust the estimate more than the ends.",
    ),
    "few_imputations": Told(
        "{m:count} imputations, and {missing:number} of the information is missing: another set of imputations may "
        "give other ends; take one imputation for each percent",
        "Impute more often.",
    ),
    "imputed_for_times": Told(
        "pooled concordance lies too low where predictors were imputed by a line in event and time: 95% intervals held "
        "93.1% of 1,000 data sets of 300 rows",
        "Impute from the model of the times itself; docs/validation.md has the numbers.",
    ),
}

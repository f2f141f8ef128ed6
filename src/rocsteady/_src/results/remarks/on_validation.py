"""What remarks say about internal validation and imputed data."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

VALIDATION = {
    "short_after_632": Told(
        "95% intervals of .632+ held the truth in as few as 81 of 100 data sets for the AUC and 51 for the Brier score",
        "Take its estimate, and new rows for how sure it is; docs/validation.md has the settings.",
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
    "few_imputations": Told(
        "{m:count} imputations, and {missing:number} of the information is missing: another set of imputations may "
        "give other ends; take one imputation for each percent",
        "Impute more often.",
    ),
}

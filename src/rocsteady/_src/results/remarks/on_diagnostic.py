"""What remarks say about diagnostic studies: partial verification and adjustment for covariates."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

DIAGNOSTIC = {
    "verified_like_others": Told(
        "this holds if rows of one call (and stratum) were verified whatever their truth: doctors who saw more than "
        "the test and acted on it make it wrong, and no number here shows that",
        "Name in strata what verification depended on.",
    ),
    "few_verified": Told(
        "the verified rows show {n:count} {which}, the rarer of misses and false alarms; below {enough} the AUC's "
        "interval held the truth in as few as 85 of 100 samples",
        "Verify more rows.",
    ),
    "rarely_verified": Told(
        "one verified row stands for {most:number} rows: the estimate hangs on few of them",
        "Verify more of such rows.",
    ),
    "weights_known": Told(
        "the chances of verification are taken for known; where a wrong model gave them, this is wrong too",
        "Check the model of verification, or take strata.",
    ),
    "verified_at_bound": Told(
        "the estimate is 0 or 1: the delta method has no interval there",
        "Take more verified rows.",
    ),
    "strata_left_out": Told(
        "{n:count} positives lie in strata without negatives and are left out: their place among negatives like them "
        "is unknown",
        "Take coarser strata, or the linear method.",
    ),
    "few_in_strata": Told(
        "{n:count} of {total:count} strata have fewer than {enough} negatives: places among them are coarse",
        "Take coarser strata, or the linear method.",
    ),
    "line_of_negatives": Told(
        "the line through negatives' scores is taken for right, with one spread around it: if either is wrong, places "
        "are too",
        "Draw residuals of negatives against covariates; take strata where they bend or fan out.",
    ),
}

"""What remarks say about watching rows day by day."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

WATCH = {
    "labels_could_turn": Told(
        "no alarm is raised, and labels that are not there could raise one: pass {matures=}, the days that labels "
        "take, or {label_timeout=}, the days after which they will not come",
        "Let younger days wait, or say after how many days labels do not come any more.",
    ),
    "never_labelled": Told(
        "{watched:share} of the rows of watched days and {reference:share} of those of the reference had no label "
        "after {days:count} days and count as never labelled: rows with a label stand for them",
        "Ask why they have none: where that depends on the label, or on how the model errs, labelled rows do not stand "
        "for them.",
    ),
    "labels_after_deadline": Told(
        "{n:count} labels came more than {days:count} days after their rows were scored, and were no more expected",
        "Take a later deadline: until they came, these rows counted as never labelled.",
    ),
    "labels_open": Told(
        "{n:count} of {total:count} rows of days that are judged have no label yet: for an alarm they count as if all "
        "of them would speak for the model, so that a drop among them is not seen before their labels come",
        "Say how many days labels take, so that younger days wait; the ends of each day show what they leave open.",
    ),
    "days_wait_for_rows": Told(
        "{measure}: the last {n:count} days have too few rows to be judged and wait for the days that follow",
        "Nothing; or watch weeks instead of days.",
    ),
    "segment_unknown": Told(
        "{segments}: no rows enough in the reference, so that a change cannot be judged there",
        "Take a longer reference, or merge segments.",
    ),
    "days_left_out": Told(
        "{n:count} days lie before the end of the reference and outside it, and are left out",
        "Name the days of the reference.",
    ),
    "expected_untested": Told(
        "what is expected without labels holds if the scores are calibrated probabilities, which no labelled day has "
        "tested yet",
        "Come back when labels are there.",
    ),
    "expected_refuted": Told(
        "the scores are not calibrated probabilities any more: what is expected without labels is not to be trusted",
        "Calibrate the scores anew, on rows of their own, and begin a new watch.",
    ),
    "weights_untested": Told(
        "with sampling weights the calibration of probabilities is not tested, on which rests what is expected without "
        "labels",
        "Watch calibration_gap, which counts weights.",
    ),
    "days_seen_before": Told(
        "{n:count} days that were seen before are given again, as they were",
        "Nothing: they count once.",
    ),
}

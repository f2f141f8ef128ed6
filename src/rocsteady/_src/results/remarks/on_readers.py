"""What remarks say about reader studies."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

READERS = {
    "modalities_left_out": Told(
        "modalities left out, as asked for: {which}",
        "Nothing: it was asked for. Say in the report that there were others.",
    ),
    "ratings_dropped": Told(
        "incomplete rows dropped, as asked for: {n:count}",
        "Find out why they are missing: a case that was too hard to rate is no accident.",
    ),
    "no_room_for_difference": Told(
        "a difference of {difference:setting} is more than the pilot leaves room for: its means are {means}, and none "
        "can be above {most:setting}, so that one modality would have to be worse than it was",
        "Plan with a smaller difference.",
    ),
    "few_readers": Told(
        "{n:count} readers: what is said of other readers rests on very few; with four and fewer, 95% intervals of a "
        "modality's mean AUC held as little as 91% of true values{ (docs/readers.md)}",
        "Ask more readers, or speak of these readers only.",
    ),
    "few_misread": Told(
        "the mean AUC is so close to 1, or a class so small, that few cases are misread: 95% intervals of such a mean "
        "held as little as 81% of true values{ (docs/readers.md)}",
        "Take more or harder cases of the smaller class; differences and their tests hold.",
    ),
    "readers_other_measure": Told(
        "{n:count} cases of the smaller class: by measures other than the AUC, tests at 5% for these readers rejected "
        "up to 7.1% of alike modalities{ (docs/readers.md)}",
        "Take more cases, or read a p-value near 0.05 as larger.",
    ),
    "perfect_readers": Told(
        "{n:count} of {total:count} AUCs are 1: readers without an error seem to have no error of estimation",
        "Take harder cases, or more of them.",
    ),
    "readers_no_value": Told(
        "{n:count} times a reader judged cases of one class only under a modality, and has no value there: left out",
        "Let each reader judge cases of both classes.",
    ),
    "readers_agree": Told(
        "{of}: the readers vary less than their errors alone would make them, and the interval for other readers is "
        "shorter than that for these, which cannot be; take the wider one",
        "Report the wider of the two intervals.",
    ),
    "modalities_alike": Told(
        "no reader orders the cases otherwise under one of the two: the difference is 0, and its interval has no width",
        "Check that the ratings of the two modalities are not the same.",
    ),
    "readers_below_zero": Told(
        "the unbiased estimate of a variance came out below 0, so that there is no interval and no test: readers and "
        "cases are too few, or the readers' values vary less than their errors alone would make them",
        "Take more readers and cases; of a fully crossed study the analysis of variance has an answer.",
    ),
    "small_pilot": Told(
        "the pilot has {readers:count} readers and {cases:count} cases of its smaller class: its variances are "
        "guesses, and numbers that follow from them may be several times too small or too large",
        "Plan with a larger study, or look what twice each variance would ask for.",
    ),
    "pilot_cut_at_zero": Told(
        "the pilot's readers differ less between modalities than their errors alone would make them: their variance is "
        "taken as 0, so that more readers seem to be worth little",
        "Plan with a variance of readers that comparable studies found.",
    ),
    "readers_no_spread": Told(
        "{of}: nothing varies, or a class has one case: there is no variance of it, and so no interval and no test",
        "Take more cases of the smaller class, and more readers.",
    ),
}

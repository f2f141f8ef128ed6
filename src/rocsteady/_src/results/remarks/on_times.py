"""What remarks say about censored outcomes."""

from __future__ import annotations

from rocsteady._src.results.remarks.noun import Told

TIMES = {
    "few_events": Told(
        "{n:count} events: with so few, 95% intervals of concordance held as little as 90% of true values, and tests "
        "at 5% rejected up to 10% of alike models{ (docs/censored.md)}",
        "Watch longer, or more rows; read the interval as too short.",
    ),
    "few_subjects_in_time": Told(
        "{n:count} subjects: with 20, tests at 5% rejected up to 11% of alike models, with 10 or fewer 30%, and 95% "
        "intervals held as little as 78% of true values{ (docs/censored.md)}",
        "Bring more subjects: more rows of the same ones help little.",
    ),
    "rarely_watched": Told(
        "only {least:number} of the rows were still watched when the last counted event came: it stands for many, and "
        "95% intervals held as little as 89% of true values{ (docs/censored.md)}; choose an earlier {tau=}",
        "Stop earlier: take tau= before the last rows were watched.",
    ),
    "taken_as_censored": Told(
        "{n:count} rows with the label {label} are taken as censored, as no row has the label that means it; if it is "
        "another event, no row is censored: {censored=None}",
        "Say which label means without event: {censored=...}.",
    ),
    "few_at_time": Told(
        "{n:count} cases or controls at {at}: with so few, 95% intervals of Brier(t) held as little as 69% of true "
        "values, and tests at 5% rejected up to 27% of alike models, of NRI and IDI 59%{ (docs/censored.md)}",
        "Ask for a time by which more rows had the event, or fewer.",
    ),
    "rarely_watched_at": Told(
        "only {least:number} of the rows were still watched at the end of what is known at {at}: some rows "
        "stand for many, and 95% intervals held as little as 56% of true values{ (docs/censored.md)}",
        "Ask for an earlier time.",
    ),
    "events_of_another_time": Told(
        "the events nearest to {at} came at {when:number} on the whole: where discrimination changes over time, this "
        "is the value of another time, and 95% intervals of a strong marker held as little as 90% of true "
        "values{ (docs/censored.md)}",
        "Ask for a time with as many events before as after it, or take a smaller {span=}.",
    ),
    "integrated_test_few": Told(
        "{n:count} events by the last time: with fewer than 200, tests at 5% of the integrated AUC rejected up to 10% "
        "of models that are alike{ (docs/censored.md)}",
        "Read a p-value near 0.05 as larger, or compare concordance or the Brier score.",
    ),
    "competing_no_concordance": Told(
        "{n:count} rows have another event: there is no concordance, and at a time such rows are without the event",
        "Nothing, where that is meant. To judge as if such rows were censored, label them so.",
    ),
    "no_cases_at": Told(
        "at {at} no row had the event: there are no cases yet",
        "Ask for a later time.",
    ),
    "no_controls_at": Told(
        "at {at} no row is known to be without the event: nobody was watched longer",
        "Ask for an earlier time: before the last rows were censored.",
    ),
    "not_followed": Told(
        "at {at} nobody was watched any more, and the last rows were censored before: nobody knows how many had the "
        "event by then",
        "Ask for an earlier time.",
    ),
    "scores_beyond_risks": Told(
        "scores of {models} lie outside [0, 1] and are no risks: no model has a Brier score or observed over expected",
        "Give risks of all models, or judge those that have them by themselves.",
    ),
    "nothing_varies": Told(
        "no row would change the value, which is no certainty: there is no interval",
        "Collect rows that disagree.",
    ),
}

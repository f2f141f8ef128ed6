"""STARD and TRIPOD+AI: which items of a checklist a result can fill in, and which are left to authors."""

from __future__ import annotations

from typing import Any

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.checklist_answers import ANSWERS
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.results.checklist import ReportingChecklist

# Number, what it is about in our words, and who answers it: a name below, or nobody but the authors.
STARD = (
    ("1", "called a study of diagnostic accuracy in the title", ""),
    ("2", "abstract", ""),
    ("3", "background, and what the test is for", ""),
    ("4", "aims and hypotheses", ""),
    ("5", "planned before or after the data were collected", ""),
    ("6", "who could take part", ""),
    ("7", "how they were found", ""),
    ("8", "where and when", ""),
    ("9", "consecutive, random or convenience series", ""),
    ("10a", "the index test, so that others can repeat it", "score"),
    ("10b", "the reference standard", "label"),
    ("11", "why this reference standard", ""),
    ("12a", "the index test's cut-off, and whether it was fixed before", "threshold"),
    ("12b", "the reference standard's cut-off", ""),
    ("13a", "what readers of the index test knew", ""),
    ("13b", "what assessors of the reference standard knew", ""),
    ("14", "how accuracy was estimated or compared", "methods"),
    ("15", "what was done with indeterminate results", ""),
    ("16", "what was done with missing results", "missing"),
    ("17", "analyses of variability, planned or not", "subjects"),
    ("18", "how the number of participants was planned", ""),
    ("19", "flow of participants", "flow"),
    ("20", "who the participants were", ""),
    ("21a", "severity among those with the condition", ""),
    ("21b", "other diagnoses among those without", ""),
    ("22", "time, and what was done, between both tests", ""),
    ("23", "index test by reference standard, as counts", "counts"),
    ("24", "accuracy with its precision", "values"),
    ("25", "harms", ""),
    ("26", "limits of the study", "remarks"),
    ("27", "what it means for practice", ""),
    ("28", "registration", ""),
    ("29", "where the protocol is", ""),
    ("30", "who paid", ""),
)
TRIPOD = (
    ("1", "title: developed or evaluated, population, outcome", ""),
    ("2", "abstract, which has a checklist of its own", ""),
    ("3a", "context, and why this model", ""),
    ("3b", "for whom, in whose hands, at which step of care", ""),
    ("3c", "known inequalities between groups", ""),
    ("4", "aims: development, evaluation or both", ""),
    ("5a", "sources of data, and whom they represent", ""),
    ("5b", "dates of data", ""),
    ("6a", "setting and centres", ""),
    ("6b", "who could take part", ""),
    ("6c", "treatments, and what was done about them", ""),
    ("7", "preparation and checks of data", ""),
    ("8a", "the outcome and its time horizon, how and when assessed", "label"),
    ("8b", "who assessed the outcome, where judgement was needed", ""),
    ("8c", "what assessors of the outcome did not know", ""),
    ("9a", "how first predictors were chosen", ""),
    ("9b", "predictors, how and when measured", ""),
    ("9c", "who assessed predictors, where judgement was needed", ""),
    ("10", "how the sample size was reached, and that it is enough", ""),
    ("11", "what was done with missing data, and why rows were left out", "missing"),
    ("12a", "which rows were used for what", ""),
    ("12b", "how predictors entered the analysis", ""),
    ("12c", "kind of model, all steps of building it, internal validation", "validation"),
    ("12d", "how differences between clusters were handled", "subjects"),
    ("12e", "measures and plots of performance, and why; comparisons", "methods"),
    ("12f", "updating after evaluation", ""),
    ("12g", "how predictions were made", "score"),
    ("13", "methods against class imbalance, and recalibration after them", ""),
    ("14", "what was done for fairness", ""),
    ("15", "what the model gives out; thresholds, and how they were found", "threshold"),
    ("16", "how rows of development and evaluation differ", ""),
    ("17", "ethics, consent", ""),
    ("18a", "funding", ""),
    ("18b", "conflicts of interest", ""),
    ("18c", "where the protocol is", ""),
    ("18d", "registration", ""),
    ("18e", "where the data are", ""),
    ("18f", "where the code is", "software"),
    ("19", "involvement of patients and public", ""),
    ("20a", "flow of participants, with and without the outcome", "flow"),
    ("20b", "who the participants were, in each source of data", ""),
    ("20c", "predictors and outcome beside those of development", ""),
    ("21", "participants and events in each analysis", "flow"),
    ("22", "the whole model, so that others can use it", ""),
    ("23a", "performance with intervals, in key subgroups too", "values"),
    ("23b", "performance across clusters", ""),
    ("24", "results of updating", ""),
    ("25", "interpretation, fairness among it", ""),
    ("26", "limits, and what they do to bias and certainty", "remarks"),
    ("27a", "poor or absent input in use", ""),
    ("27b", "what users must do and know", ""),
    ("27c", "next steps", ""),
)
GUIDELINES = {"STARD": STARD, "TRIPOD+AI": TRIPOD}
SHORT = {"STARD2015": "STARD", "TRIPOD": "TRIPOD+AI", "TRIPODAI": "TRIPOD+AI"}  # letters and digits alone


@typed
def reporting_checklist(result: Any, guideline: str = "TRIPOD+AI") -> ReportingChecklist:
    """The items of STARD 2015 or TRIPOD+AI, with what a result can say about them; the rest is for authors.

    Nothing is invented: an item without an answer is empty. Numbers of items and what each is about were checked one by
    one against the lists (STARD 2015, items 18 to 30 in reprints; TRIPOD+AI of 11 January 2024); the words are ours and
    short. The checklists themselves, with explanations, are those of their authors.

    Parameters
    ----------
    result : Evaluation, TimedEvaluation, OptimismCorrected or ReaderStudy
        What :func:`rocsteady.evaluate` gave for two classes, where ``intervals=True`` and a threshold let it say more,
        or for censored times; :func:`rocsteady.validation.optimism`; or :func:`rocsteady.readers.analyze`.
    guideline : {"STARD", "TRIPOD+AI"}
        Diagnostic accuracy, or prediction models; capitals do not matter, and "tripod" is enough.

    Returns
    -------
    ReportingChecklist
        ``items``, ``topics``, ``filled``; ``to_markdown()`` gives the table for a supplement.

    References
    ----------
    Bossuyt et al. (2015), BMJ 351:h5527. Collins et al. (2024), BMJ 385:e078378.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.evaluate([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1], threshold=0.5)
    >>> found = rs.validation.reporting_checklist(result, "STARD")
    >>> found["23"]
    'score: tp 3, fp 1, fn 0, tn 2'
    """
    plain = "".join(letter for letter in guideline.upper() if letter.isalnum())
    named = SHORT.get(plain, plain)
    check_choice("guideline", named if named in GUIDELINES else guideline, tuple(GUIDELINES))
    answers = next((each for kind, each in ANSWERS.items() if isinstance(result, kind)), None)
    if answers is None:
        told = printable(type(result).__name__, most=40)
        others = "validation.optimism() or readers.analyze()"
        raise ArgumentError("result", f"pass what evaluate() gave for two classes or times, {others}, got {told}")
    rows = GUIDELINES[named]
    return ReportingChecklist(
        guideline=named,
        items=tuple(number for number, _, _ in rows),
        topics=tuple(topic for _, topic, _ in rows),
        filled=tuple(answers[who](result) if who in answers else "" for _, _, who in rows),
        n_pos=result.n_pos,
        n_neg=result.n_neg,
        origin=result.origin,
    )

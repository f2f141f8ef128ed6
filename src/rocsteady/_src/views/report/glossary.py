"""Terms of a page in a sentence each; only those that are on it."""

from __future__ import annotations

import re

TERMS = {
    "accuracy": "Share of all cases that are called right. Calling all cases alike already reaches the base rate.",
    "area under the curve (AUC)": "How often a positive scores higher than a negative; 0.5 is chance, 1 perfect.",
    "As given": "Back to the model, threshold, costs and prevalence with which the page was made.",
    "average precision": "Mean of the precision at every positive case, from the highest score down.",
    "balanced accuracy": "Mean over the classes of the share of their cases that are called right.",
    "base rate": "Accuracy of calling all cases as the larger class is.",
    "baseline": "The model that others are compared with.",
    "Brier score": "Mean squared distance between probability and outcome; 0 is perfect.",
    "calibration": "Whether cases with a probability of 20% turn out positive in 20% of cases.",
    "calibration in the large": "Whether probabilities are too low (above 0) or too high (below 0) on average.",
    "calibration slope": "1 when probabilities spread as they should; below 1 they are too extreme.",
    "Cheapest": "The threshold of least cost of the selected model, at the costs and the prevalence that are typed.",
    "confidence interval": "In so many of 100 samples like this one, such an interval holds the true value.",
    "decision curve": "Net benefit of acting on a model, for every threshold probability that one might choose.",
    "E50, E90, Emax": "Distances between probabilities and that curve: of half the cases less, of 90% less, and most.",
    "F1": "Harmonic mean of precision and recall.",
    "false alarm": "A negative case that is flagged (false positive).",
    "false positive rate": "Share of the negative cases that are flagged.",
    "gains": "Share of the positive cases among so many cases with the highest scores.",
    "granularity": "What the curve would be if scores closer than delta were not told apart.",
    "H-measure": "How much a model saves, averaged over what costs are likely; 0 is useless, 1 perfect.",
    "Hand and Till": "Mean over pairs of classes of how often one of each class is ordered right.",
    "Holm": "p-values made larger, as several comparisons find something by chance more often than one.",
    "hull": "The best that can be had from a curve at all costs.",
    "ICI": "Mean distance between probabilities and a smooth curve of what happened; chance alone makes some.",
    "IDI": "How much farther apart the new model puts the mean probabilities of both classes.",
    "Kolmogorov-Smirnov": "The largest distance between the shares of both classes above a threshold.",
    "kappa": "Agreement of calls with the truth beyond chance; 0 is chance, 1 perfect.",
    "log loss": "Mean surprise at what happened; what gives every case the shares of the classes is the mark to beat.",
    "macro, micro": "Macro: the mean over classes or labels, each counted alike. Micro: all their cases pooled.",
    "MCC": "Correlation of calls with the truth; 0 is chance, 1 perfect.",
    "missed": "A positive case that is not flagged (false negative).",
    "negative predictive value": "Share of the cases left alone that are really negative.",
    "Neutral": "Costs at which both classes weigh the same: a miss counts as many false alarms as there are"
    " negatives for a positive.",
    "net benefit": "Positives found less false alarms, the latter weighed by the odds of the threshold; per case.",
    "NRI": "Share of cases that a new model moves to a better risk category, less those it moves to a worse one.",
    "precision": "Share of the flagged cases that are really positive.",
    "prevalence": "Share of positive cases among all.",
    "recall": "Share of the positive cases that are found (true positive rate, sensitivity).",
    "p": "How often chance alone would show at least such a difference where there is none.",
    "ROC": "Share of positives found against share of negatives flagged, for every threshold.",
    "threshold": "The lowest score that is flagged.",
    "tied": "Cases with the same score, which no threshold tells apart.",
}
WORDS = {
    "area under the curve (AUC)": r"AUC",
    "false alarm": r"false alarms?",
    "E50, E90, Emax": r"E50",
    "Hand and Till": r"hand[_ -]till\w*",
    "log loss": r"log[_ ]loss",
    "macro, micro": r"macro\w*|micro\w*",
    "p": r"p by Holm|adjusted p|p [=<>] [01]",
    "balanced accuracy": r"balanced[_ ]accuracy",
    "H-measure": r"h_measure|H-measure",
    "average precision": r"average[_ ]precision",
    "Kolmogorov-Smirnov": r"ks_statistic|Kolmogorov",
    "confidence interval": r"intervals?",
    "missed": r"miss(?:es|ed)?",
    "tied": r"ties|tied",
    "gains": r"gains",
}


def glossary(text: str) -> list[tuple[str, str]]:
    """Terms that a text uses, with what they mean.

    Examples
    --------
    >>> [term for term, _ in glossary("AUC and recall")]
    ['area under the curve (AUC)', 'recall']
    """
    return [
        (term, meaning)
        for term, meaning in TERMS.items()
        if re.search(rf"\b(?:{WORDS.get(term, re.escape(term))})\b", text, re.IGNORECASE)
    ]

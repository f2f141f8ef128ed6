"""Words that people type into the search, by the page that answers them: entries of the site's index, found first."""

from __future__ import annotations

_WORDS = """
adjusted_roc: covariate-adjusted ROC, AROC, adjusting for age
bands: confidence band, ROC band, simultaneous band
calibration: calibration, overconfident, recalibrate, reliability diagram, Brier score, Hosmer-Lemeshow,
  expected calibration error
censored: survival, C-index, concordance, time-dependent ROC, censoring, competing risks
checklists: STARD, TRIPOD, reporting guideline
clusters: clustered data, several rows per patient, repeated measurements, repeated measures, cluster bootstrap
credit: Gini, PSI, lift, KS statistic, scorecard
crossval: cross-validation, folds, repeated folds
decisions: report, PDF, best threshold, optimal cutoff, threshold cost, cost of errors, net benefit, decision curve
diagnostic_tests: sensitivity and specificity, diagnostic test, likelihood ratio, predictive value
gate: gate, CI, continuous integration, deploy, deployment, non-inferiority, pipeline, regression of a model,
  may the new model replace the old one
from_proc: pROC, ci.auc, roc.test, boot.n
granularity: gROC, granular ROC, small gaps
how_sure: confidence interval, confidence interval AUC, AUC confidence interval, DeLong, p-value, compare two models
language_models: language model evaluation, lm-evaluation-harness, inspect, LLM
learning: AUC optimisation, maximise AUC, maximize AUC, AUC loss, train for AUC
missing_predictors: missing values, multiple imputation, Rubin, mice
multiclass: multi-class AUC, multiclass, one-vs-rest, Hand and Till, multi-label
operating_point: false positive rate, equal error rate, DET curve, biometrics, sensitivity at specificity,
  sensitivity at fixed specificity
ordered_classes: VUS, HUM, ordinal outcome, ordered classes
paired: McNemar, paired test, predicted labels
planning: sample size, power, how many patients, study design
prevalence: prevalence, label shift, prior shift, base rate
promises: guarantee, guaranteed threshold, at most 5% false alarms
readers: reader study, two doctors, two readers, multi-reader multi-case, MRMC, Obuchowski-Rockette, radiologists
reclassification: NRI, IDI, net reclassification improvement, risk categories
scale: large file, memory, large data, does not fit in memory, Spark, Dask, DuckDB, Polars, Ibis
score_aware: score-aware AUC, scored AUC, probabilistic AUC, soft AUC
selection: model selection, choose a model
serve: local page, drop a file, without code, browser
sketch: sketch, streaming, approximate AUC, merge counts, many machines, sketch file
smooth_calibration: calibration belt, ICI, smooth calibration curve, restricted cubic spline
subgroups: fairness, subgroups, women and men, groups
trackers: MLflow, Weights & Biases, TensorBoard, Prometheus, OpenMetrics
validation: optimism, internal validation, bootstrap .632, shrinkage, recalibration
verification: verification bias, partial verification, Begg-Greenes
watch: monitoring, drift, alarm, model decay, performance over time
"""
_LINES = _WORDS.replace(",\n  ", ", ").strip().splitlines()
SEARCHED = {page: words.split(", ") for page, words in (line.split(": ", 1) for line in _LINES)}


def with_entries(text: str, place: str) -> str:
    """The text with its entries below its title; ``!`` makes each the main one, which the search shows first."""
    words = SEARCHED.get(place.removesuffix(".md"))
    if words is None:
        return text
    title, rest = text.split("\n", 1)
    entries = ", ".join(f"! {each}" for each in words)
    return f"{title}\n\n```{{index}} {entries}\n```\n{rest}"

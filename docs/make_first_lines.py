"""Write docs/first_lines.md, what to type here for lines of other libraries: python docs/make_first_lines.py."""

from __future__ import annotations

from pathlib import Path

from rocsteady._src.base.foreign_names import LIBRARIES, NEAREST, OPTIONS_ELSEWHERE

START = """# First lines

Made by `docs/make_first_lines.py`; every line is run by the test-suite.

What you would type first, coming from another library. Some names work as they are:

```python
>>> import numpy as np, rocsteady as rs
>>> rng = np.random.default_rng(1)
>>> y = rng.integers(0, 2, 200)
>>> s, t = (1 / (1 + np.exp(-(spread * (2 * y - 1) + rng.normal(size=200)))) for spread in (1.0, 0.6))
>>> round(rs.auc(y, s), 4)
0.9208
>>> fpr, tpr, thresholds = rs.roc_curve(y, s)
>>> precision, recall, thresholds = rs.pr_curve(y, s)
>>> prob_true, prob_pred = rs.calibration_curve(y, s, n_bins=5)
>>> print(rs.evaluate(y, s))
model     auc  average_precision  ks_statistic  h_measure
score  0.9208             0.9067        0.7788     0.6721
200 rows: 104 positive, 96 negative; positive label 1; a higher score means more positive
>>> rs.evaluate(y, {"first": s, "second": t}).compare()
Comparison(first ranks better than second: AUC +0.082 [+0.013, +0.151])

```

Names that mean something else here, or nothing, answer with the line to type:

```python
>>> rs.Delong_test(y, s, t)
Traceback (most recent call last):
AttributeError: module 'rocsteady' has no attribute 'Delong_test'; MLstatkit's Delong_test is here: \
rs.compare_auc(y, s, t, method='delong')
>>> rs.auc(fpr, tpr)
Traceback (most recent call last):
rocsteady.errors.InputError: y_true and y_score both rise from 0 to 1: these look like points of a ROC curve, not like \
rows; for the area below points use rs.curves.roc_from_points(fpr, tpr).area
>>> rs.auc(rs.roc_curve(y, s))
Traceback (most recent call last):
rocsteady.errors.ArgumentError: y_score is missing: pass labels first, then scores; the area of a curve is its .area

```

Below, `y` are labels of two classes and `labels` of three, `s` and `t` scores of two models, `p` probabilities of three
classes, `df` a table, `X` features and `clf` a classifier. Dots of R's names are underscores, as in `roc_test`.
"""


def page() -> str:
    """The whole page."""
    parts = [START]
    for library, lines in LIBRARIES.items():
        rows = [f"| `{name}` | {'nearest: ' if name in NEAREST else ''}`{line}` |" for name, line in lines.items()]
        parts.append("\n".join([f"## {library or 'Others'}", "", "| there | here |", "| --- | --- |", *rows, ""]))
    told = [f"| `{name}(..., {option}=)` | {_marked(line)} |" for (name, option), line in OPTIONS_ELSEWHERE.items()]
    parts.append("\n".join(["## Options of scikit-learn", "", "| there | here |", "| --- | --- |", *told, ""]))
    return "\n".join(parts)


def _marked(line: str) -> str:
    """The line of Python within a sentence, in the type of code."""
    parts = [each.partition("rs.") for each in line.split("; ")]
    return "; ".join(f"{words}`{found}{code}`" if found else words for words, found, code in parts)


if __name__ == "__main__":
    Path(__file__).with_name("first_lines.md").write_text(page(), encoding="utf-8")

"""Draw the pictures of docs/sources: ``python docs/make_source_pictures.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

import rocsteady as rs

FOLDER = Path(__file__).parent / "sources"
TASK_3_2 = ([-1, 1, -1, 1, 1], [0.2, 0.4, 0.1, 0.7, 0.05])
TABLE_5_3 = ([1, 1, 1, 0, 1, 0, 1, 0, 0, 0], [0.89, 0.8, 0.8, 0.8, 0.63, 0.33, 0.33, 0.1, 0.1, 0.1])
OPERATORS = {
    "A": ([0.20, 0.25, 0.40, 0.70, 0.90], [0.20, 0.30, 0.60, 0.80, 0.85]),
    "B": ([0.10, 0.20, 0.50, 0.95], [0.15, 0.40, 0.80, 0.95]),
}
FOUR = {"A": (0.1, 0.4), "B": (0.6, 0.9), "C": (0.2, 0.8), "D": (0.7, 0.4)}


def radar() -> mpl.figure.Figure:
    """The measured points, and curves through them."""
    from rocsteady._src.views.plots import draw_curves

    shown = draw_curves({name: rs.curves.roc_from_points(*points) for name, points in OPERATORS.items()})
    for display, points in zip(shown, OPERATORS.values(), strict=True):
        shown.ax_.plot(*points, "o", color=display.line_.get_color())
    return shown.figure_


def profiles() -> mpl.figure.Figure:
    """Figure 2 by both definitions: AUC/up and low/AUC of one sample of the binormal model."""
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 200)
    s = np.concatenate([rng.normal(0.65, 0.2, 200), rng.normal(0.45, 0.2, 200)])
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    for panel, definition in zip(panels, ("consistent", "dong2013"), strict=True):
        rs.curves.granularity_profile(y, s, upper=1, definition=definition).plot(panel)
        panel.set_title(definition)
    return figure


def picks() -> mpl.figure.Figure:
    """Figure 4: twenty models of one split, by the four measures of the paper."""
    measures = ["auc", "scored_auc", "lambda_auc(delta=0.02)", "rho_auc"]
    found = rs.lab.select_models("breast_cancer", "bayes", measures, n_splits=2, n_bootstraps=20, random_state=0)
    return found.plot(measures=measures).figure_


def main() -> None:
    mpl.use("Agg")
    pictures = {
        "seminar_step": rs.curves.roc_walk(*TASK_3_2).plot(steps=4).figure_,
        "lecture_walk": rs.curves.roc_walk(*TABLE_5_3).plot().figure_,
        "lecture_radar": radar(),
        "survey_points": rs.curves.roc_points(FOUR).plot().figure_,
        "paper_profile": profiles(),
        "paper_binormal": rs.lab.simulate_binormal().plot().figure_,
        "paper_picks": picks(),
    }
    for name, figure in pictures.items():
        figure.savefig(FOLDER / f"{name}.png", dpi=80)


if __name__ == "__main__":
    main()

"""Draw the pictures of laboratory.md: ``python docs/make_laboratory.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from rocsteady import lab

HERE = Path(__file__).parent
SOURCE = "1.00p 0.90p 0.80p 0.20n 0.10n 0.00n"


def main() -> None:
    mpl.use("Agg")
    sets = lab.generate(lab.parse_sets(SOURCE), margin_steps=30, range_steps=30, distribution=True)
    found = lab.count_errors(sets)
    pictures = {
        "differences": lab.difference_functions().plot(),
        "clouds": found.plot(kind="clouds"),
        "range": found.plot(kind="range"),
        "sweep": lab.sweep(sets, "mm7_auc", n=np.geomspace(0.001, 0.25, 25)).plot(),
        "heat": lab.sweep(sets, "mm7_auc", m=np.linspace(0.1, 2, 20), n=np.geomspace(0.001, 0.25, 20)).plot(),
    }
    for name, display in pictures.items():
        display.figure_.savefig(HERE / f"laboratory_{name}.png", dpi=90)


if __name__ == "__main__":
    main()

"""
Which technique is better, whoever reads?
=========================================

The difference in AUC: for other readers and cases, for these, and of each reader.
"""

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(3)
ill, seen = np.arange(80) % 2, rng.normal(size=80)
rows = [
    {"technique": by, "reader": who, "patient": case, "ill": ill[case], "rating": gain * ill[case] + seen[case] + noise}
    for by, gain in (("new", 2.2), ("old", 1.4))
    for who in ("A", "B", "C", "D")
    for case, noise in enumerate(0.7 * rng.normal(size=80))
]
table = {name: [row[name] for row in rows] for name in rows[0]}
how = {"reader": "reader", "modality": "technique", "case": "patient", "label": "ill", "score": "rating"}
rs.readers.analyze(table, **how).plot()

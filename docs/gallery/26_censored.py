"""
Who dies within a year, when some were lost?
============================================

AUC at two times of two risk scores, of rows that were not all watched to the end.
"""

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(7)
marker = rng.normal(size=400)
death, end = rng.exponential(1500 * np.exp(-marker)), rng.uniform(200, 3000, 400)
table = {"days": np.minimum(death, end).round(), "died": (death <= end).astype(int)}
table |= {"new": marker + 0.5 * rng.normal(size=400), "old": marker + rng.normal(size=400)}
rs.evaluate(table, label="died", time="days", scores=["new", "old"], at=[365, 1825]).plot()

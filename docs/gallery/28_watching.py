"""
Has the model become worse?
===========================

A model looked at every day. From day 40 on its scores know less; the alarm is raised once the rows show it.
"""

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(5)
day = np.repeat(np.arange(80), 50)
y = (rng.random(4000) < 0.3).astype(int)
table = {"day": day, "y": y, "score": np.where(day < 40, 1.6, 0.7) * y + rng.normal(size=4000)}
rs.monitor(table, "score", label="y", day="day", reference=20).plot()

"""
As good everywhere?
===================

The AUC of each group with its interval.
"""

import numpy as np

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
table["branch"] = np.array(["north", "south", "west"])[np.arange(2000) % 3]
rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"], by="branch").plot()

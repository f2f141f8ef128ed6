"""
Folds of a cross-validation
===========================

Each fold and their mean.
"""

import numpy as np

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
table["fold"] = np.arange(2000) % 5
rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"], fold="fold").plot()

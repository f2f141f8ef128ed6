"""
Which model is better? All pairs at once
========================================

Differences of AUC with intervals; those that leave out 0 are told apart.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
result = rs.evaluate(table, label="defaulted", scores=["boosted", "logistic", "scorecard", "grade"])
result.compare().plot()

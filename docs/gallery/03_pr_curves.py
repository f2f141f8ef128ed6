"""
Precision and recall
====================

For rare positives: how pure is what is flagged?
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
result = rs.evaluate(table, label="defaulted", scores=["boosted", "logistic", "grade"])
result.plot(kind="pr")

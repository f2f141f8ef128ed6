"""
ROC curves of several models
============================

One line each; the diagonal is chance. Models differ in colour and dash.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
result = rs.evaluate(table, label="defaulted", scores=["boosted", "logistic", "grade"])
result.plot()

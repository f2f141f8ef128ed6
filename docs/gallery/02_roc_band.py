"""
How sure is the whole ROC curve?
================================

A band that holds the true curve as a whole in 95% of samples, around the curve of 300 loans.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans(300)
rs.roc_band(table["defaulted"], table["logistic"], method="fixed-width").plot()

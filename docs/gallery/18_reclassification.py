"""
Does the new model move people the right way?
=============================================

From categories of the old model to those of the new one, events and others apart.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.reclassification(table["defaulted"], table["logistic"], table["boosted"], cutoffs=[0.1, 0.3]).plot()

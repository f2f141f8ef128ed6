"""
How many rows do I need?
========================

Power of a test of an AUC of 0.7 against 0.5.
"""

import rocsteady as rs

rs.power_auc(auc=0.7, n_pos=40, n_neg=60).plot()

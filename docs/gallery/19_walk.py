"""
The ROC curve step by step
==========================

Ten cases: up for a positive, right for a negative, a slope for a tie.
"""

import rocsteady as rs

y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
s = [0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.4, 0.3, 0.3, 0.1]
rs.curves.roc_walk(y, s).plot()

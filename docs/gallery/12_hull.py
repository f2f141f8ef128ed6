"""
The convex hull of a ROC curve
==============================

What mixing of thresholds reaches; points below it are never the best choice, at any cost.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans(80)
shown = rs.roc_curve(table["defaulted"], table["logistic"]).plot(name="logistic")
rs.roc_hull(table["defaulted"], table["logistic"]).plot(ax=shown.ax_, name="its hull")

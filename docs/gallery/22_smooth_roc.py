"""
A smooth ROC curve
==================

The binormal curve of maximum likelihood over the empirical one.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans(300)
shown = rs.roc_curve(table["defaulted"], table["grade"]).plot(name="empirical")
rs.curves.smooth_roc(table["defaulted"], table["grade"]).plot(ax=shown.ax_)

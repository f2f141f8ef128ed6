"""
Where does a rule put the threshold?
====================================

Youden's choice on the ROC curve: the point farthest above the diagonal.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
shown = rs.roc_curve(table["defaulted"], table["boosted"]).plot(name="boosted")
rs.best_threshold(table["defaulted"], table["boosted"], rule="youden").plot(ax=shown.ax_)

"""
When small gaps between scores do not count
===========================================

The ROC curve between its bounds if scores closer than delta are not told apart.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.granular_roc(table["defaulted"], table["boosted"], delta=0.05).plot()

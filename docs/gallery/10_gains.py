"""
How many positives are in the best tenth?
=========================================

Gains: rows by falling score against the share of positives found.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.gains_curve(table["defaulted"], table["boosted"]).plot()

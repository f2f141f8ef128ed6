"""
Four counts at a threshold
==========================

What was called, and what it was.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.confusion(table["defaulted"], table["boosted"], threshold=0.3).plot()

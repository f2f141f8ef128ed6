"""
Measures as a function of the threshold
=======================================

The same counts at every threshold, as rates.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.confusion(table["defaulted"], table["boosted"], threshold="all").plot()

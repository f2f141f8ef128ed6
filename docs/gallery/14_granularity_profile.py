"""
How much of this AUC rests on small gaps?
=========================================

Lower and upper AUC as delta grows.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.curves.granularity_profile(table["defaulted"], table["boosted"]).plot()

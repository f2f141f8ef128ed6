"""
What a bootstrap drew
=====================

Replicates of the average precision, with their middle and ends.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
drawn = rs.bootstrap_interval("average_precision", table["defaulted"], table["boosted"], random_state=1)
drawn.resampling.plot()

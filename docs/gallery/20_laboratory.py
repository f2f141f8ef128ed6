"""
Measuring the measures
======================

How often measures order small sets of scores wrongly.
"""

import rocsteady as rs

sets = rs.lab.generate("1.00p 0.90p 0.80p 0.20n 0.10n 0.00n", margin_steps=10, range_steps=10, distribution=True)
rs.lab.count_errors(sets).plot()

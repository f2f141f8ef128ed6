"""
Do ten percent mean ten percent, without bins?
==============================================

A smooth calibration curve with its band, and how the risks are spread.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.calibration_curve(table["defaulted"], table["logistic"], method="spline").plot()

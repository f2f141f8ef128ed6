"""
One number and its parts
========================

The Brier score as miscalibration, discrimination and uncertainty.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.calibration.brier_decomposition(table["defaulted"], table["logistic"]).plot()

"""
Do ten percent mean ten percent?
================================

Predicted against observed, with limits of each bin. A calibrated model follows the diagonal.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.calibration_curve(table["defaulted"], table["logistic"], n_bins=10).plot()

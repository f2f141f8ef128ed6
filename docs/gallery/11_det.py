"""
Detection error trade-off
=========================

Misses against false alarms on normal scales, as in speech and biometrics.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
rs.curves.det_curve(table["defaulted"], table["boosted"]).plot()

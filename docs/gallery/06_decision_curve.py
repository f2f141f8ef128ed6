"""
Is it worth acting on the model?
================================

Net benefit against the threshold probability, beside acting on everybody and on nobody.
"""

import rocsteady as rs
from rocsteady.examples import loans

table = loans()
models = {"boosted": table["boosted"], "logistic": table["logistic"]}
rs.decision_curve(table["defaulted"], models).plot()

"""
More than two classes
=====================

One class against the rest, three times.
"""

from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import rocsteady as rs

X, y = load_wine(return_X_y=True)
scores = cross_val_predict(LogisticRegression(max_iter=10_000), X[:, :2], y, cv=5, method="predict_proba")
rs.evaluate_multiclass(y, scores).plot()

"""Graded answers that other libraries wrote: which questions of which tasks a model had right."""

from rocsteady._src.inputs.answers.graded import Graded, SideBySide, side_by_side

__all__ = ["Graded", "SideBySide", "side_by_side"]

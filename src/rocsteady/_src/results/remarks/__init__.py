"""Remarks that travel with results, and the tables of what their codes say."""

from rocsteady._src.results.remarks.noun import Remark, Told, noted, remark_in, together, undefined_because

__all__ = ["Remark", "Told", "noted", "remark_in", "together", "undefined_because"]

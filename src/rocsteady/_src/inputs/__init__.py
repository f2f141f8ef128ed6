"""Labels, scores, weights and tables of any container become clean NumPy arrays here, and only here."""

from rocsteady._src.inputs.clean import CleanRows, Names, clean_rows

__all__ = ["CleanRows", "Names", "clean_rows"]

"""Tables that do not fit in memory: counted by the engine that holds them, or into sketches."""

from rocsteady._src.ranked.lazy.rank_table import rank_table
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
from rocsteady._src.scale.sketch import Sketch, load_sketches
from rocsteady._src.scale.sketch_intervals import compare_sketches
from rocsteady._src.scale.sketch_table import sketch_table

__all__ = [
    "Sketch",
    "compare_sketches",
    "evaluate_sketches",
    "load_sketches",
    "rank_table",
    "sketch_table",
]

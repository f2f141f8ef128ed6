"""Reader studies: several readers judge the same cases under several modalities."""

from rocsteady._src.designs.readers.analyze import (
    analyze,
)
from rocsteady._src.designs.readers.plan import (
    plan,
)

__all__ = [
    "analyze",
    "plan",
]

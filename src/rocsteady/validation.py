"""Internal validation: what a modelling procedure is worth on new rows, and answers pooled over imputed data."""

from rocsteady._src.designs.validation.optimism import (
    optimism,
)
from rocsteady._src.designs.validation.pooled_curves import (
    pool_curves,
)
from rocsteady._src.designs.validation.pooling import (
    pool,
)

__all__ = [
    "optimism",
    "pool",
    "pool_curves",
]

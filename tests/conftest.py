"""Settings of the whole suite: hypothesis profiles, and a matplotlib that needs no screen."""

import os
import sys

from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it every process that tests start compiles the whole package
sys.dont_write_bytecode = False

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=60, **COMMON)
settings.register_profile("nightly", max_examples=2000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

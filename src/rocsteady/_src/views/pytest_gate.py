"""What pytest finds where rocsteady is installed: a fixture that fails a test unless a candidate passes the gate.

pytest imports this module at its start, so that nothing else is imported before a test asks for the fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from rocsteady._src.results.gate import GateResult

POLICIES = ("fail", "skip", "pass")


class AssertGate(Protocol):
    """Takes what ``rs.gate`` takes, and what to do with a test where it cannot be told: fail, skip or pass."""

    def __call__(self, *args: Any, cannot_tell: str = "fail", **options: Any) -> GateResult:
        """Give the result where the test goes on."""
        ...


@pytest.fixture
def rocsteady_gate() -> AssertGate:
    """Fail the test unless the candidate may replace the baseline; the message is the table of conditions.

    Call it with the arguments of ``rs.gate``: ``rocsteady_gate(y, old, new, margin=0.01)``. ``cannot_tell="skip"`` or
    "pass" lets a test end so where the rows do not decide; unless said it fails.
    """
    return _asserted


def _asserted(*args: Any, cannot_tell: str = "fail", **options: Any) -> GateResult:
    from rocsteady._src.base.decided import UNSURE
    from rocsteady._src.base.errors import ArgumentError
    from rocsteady._src.evaluation.gate.gate import gate

    __tracebackhide__ = True
    if cannot_tell not in POLICIES:
        raise ArgumentError("cannot_tell", f"cannot_tell must be one of {', '.join(POLICIES)}, got {cannot_tell!r}")
    found: GateResult = gate(*args, **options)
    if found.decision == UNSURE and cannot_tell == "skip":
        pytest.skip(found.verdict[0])
    if not found.passed and not (found.decision == UNSURE and cannot_tell == "pass"):
        pytest.fail(str(found), pytrace=False)
    return found

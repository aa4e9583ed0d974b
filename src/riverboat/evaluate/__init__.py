"""How good a strategy is: exact values, best responses, exploitability, bounds on it."""

from riverboat.evaluate._compare import (
    CompareProgress,
    Competitor,
    Convergence,
    Measured,
    SchemeCurve,
    compare,
)
from riverboat.evaluate._compare_files import check_comparison_path
from riverboat.evaluate._exact import Exploitability, exploitability, exploitability_at
from riverboat.evaluate._responses import (
    RESPONSE_BYTES,
    ResponseBound,
    SeatResponse,
    duel,
    response_bound,
    sampled_value,
)

__all__ = [
    "RESPONSE_BYTES",
    "CompareProgress",
    "Competitor",
    "Convergence",
    "Exploitability",
    "Measured",
    "ResponseBound",
    "SchemeCurve",
    "SeatResponse",
    "check_comparison_path",
    "compare",
    "duel",
    "exploitability",
    "exploitability_at",
    "response_bound",
    "sampled_value",
]

"""How good a strategy is: exact values, best responses, exploitability, bounds on it."""

from riverboat.evaluate._exact import Exploitability, exploitability, exploitability_at
from riverboat.evaluate._responses import (
    RESPONSE_BYTES,
    ResponseBound,
    SeatResponse,
    response_bound,
    sampled_value,
)

__all__ = [
    "RESPONSE_BYTES",
    "Exploitability",
    "ResponseBound",
    "SeatResponse",
    "exploitability",
    "exploitability_at",
    "response_bound",
    "sampled_value",
]

"""How good a strategy is: exact values, best responses, exploitability, bounds on it."""

from riverboat.evaluate._exact import Exploitability, exploitability
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
    "Exploitability",
    "ResponseBound",
    "SeatResponse",
    "duel",
    "exploitability",
    "response_bound",
    "sampled_value",
]

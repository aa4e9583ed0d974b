"""How good a strategy is: exact values, best responses, exploitability, bounds on it."""

from riverboat.evaluate.exact import Exploitability, exploitability
from riverboat.evaluate.trained import (
    Estimate,
    ResponseBound,
    SeatResponse,
    response_bound,
    sampled_value,
)

__all__ = [
    "Estimate",
    "Exploitability",
    "ResponseBound",
    "SeatResponse",
    "exploitability",
    "response_bound",
    "sampled_value",
]

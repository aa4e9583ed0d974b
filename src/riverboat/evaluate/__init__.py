"""How good a strategy is: exact values, best responses, exploitability."""

from riverboat.evaluate.exact import Exploitability, exploitability

__all__ = ["Exploitability", "exploitability"]

"""Regret rules of other packages by name, for comparison with the schemes of the papers.

A package adds one with an entry point of the group `riverboat.rules`: a class or an object with
the methods of `RegretRule`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from riverboat.errors import SolveError
from riverboat.plain._samplings import AverageStrategy, Chance, External, Full, Outcome
from riverboat.plain._solver import Solver
from riverboat.settings import PlugIns
from riverboat.solve import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from riverboat.plain._regret_rules import RegretRule
    from riverboat.plain._samplings import Sampling
    from riverboat.solve import Deals

_METHODS: Final = ("strategy", "update", "discount", "average_weight")
_SAMPLINGS: Final[dict[str, Callable[[], Sampling]]] = {
    "full": Full,
    "chance": Chance,
    "external": External,
    "outcome": Outcome,
    "average-strategy": AverageStrategy,
}


def _accept(name: str, value: Any, package: str) -> RegretRule:  # noqa: ARG001 - for all plug-ins
    """Return the rule of an entry point: an object, or an instance of its class."""
    rule: RegretRule = value() if isinstance(value, type) else value
    missing = [method for method in _METHODS if not callable(getattr(rule, method, None))]
    if missing:
        raise SolveError(f"{value!r} is not a regret rule: it has no {' and no '.join(missing)}")
    return rule


_PLUG_INS: Final = PlugIns(
    "riverboat.rules", "regret rule", SolveError, _accept, SCHEMES.__contains__
)


def rule_faults() -> tuple[str, ...]:
    """Return a sentence for each rule of another package that cannot be used.

    Examples
    --------
    >>> rule_faults()
    ()
    """
    return _PLUG_INS.faults()


def solver_maker(text: str) -> Callable[[Deals, int], Solver] | None:
    """Return a function of deals and a seed that makes a solver with another package's rule.

    Parameters
    ----------
    text
        A rule, `hedge`, or a sampling scheme and a rule, `external hedge`.

    Examples
    --------
    >>> solver_maker("cfr+") is None  # Riverboat's own are schemes
    True
    """
    words = text.split()
    if not 1 <= len(words) <= 2 or (len(words) == 2 and words[0] not in _SAMPLINGS):
        return None
    rule = None if words[-1] in SCHEMES else _PLUG_INS.get(words[-1])
    if rule is None:
        return None
    sampling = _SAMPLINGS["full" if len(words) == 1 else words[0]]()
    return lambda deals, seed: Solver(deals, rule, sampling, seed=seed)

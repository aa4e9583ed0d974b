"""Random play in the core, to measure speed and to detect changes of the rules."""

from __future__ import annotations

import msgspec

from riverboat import _core
from riverboat.errors import GameError
from riverboat.game._spec import GameSpec
from riverboat.report import Columns, Framed

# Hands of one call into the core (about 0.1 s); Ctrl-C works between calls.
_SLICE = 100_000


class SimulationReport(Framed, msgspec.Struct, frozen=True):
    """Totals of random play.

    Attributes
    ----------
    hands, actions, showdowns
        Their numbers.
    payoffs
        Chips won or lost by seat, in total.
    rake
        Chips taken by the house, in total.
    checksum
        Checksum of all payoffs in order: the same seed gives the same number
        until the rules change.
    """

    hands: int
    actions: int
    showdowns: int
    payoffs: tuple[int, ...]
    rake: int
    checksum: int

    def frame_columns(self) -> Columns:
        """Return a row for each seat: chips won in total and per hand."""
        return {
            "seat": range(len(self.payoffs)),
            "chips": self.payoffs,
            "chips_per_hand": [chips / max(self.hands, 1) for chips in self.payoffs],
        }


def simulate(spec: GameSpec, hands: int, seed: int) -> SimulationReport:
    """Play whole hands with uniformly random legal actions.

    The kind of action is drawn uniformly from the legal ones, then the size of
    a bet uniformly between its bounds.

    Parameters
    ----------
    spec
        The game; each hand starts with its stacks.
    hands
        Number of hands.
    seed
        Random seed of cards and actions.

    Examples
    --------
    >>> from riverboat.game import catalogue, simulate
    >>> report = simulate(catalogue("nolimit-100bb"), hands=1000, seed=1)
    >>> report.hands, sum(report.payoffs)
    (1000, 0)
    """
    if not isinstance(spec, GameSpec):
        raise GameError(f"{spec!r} is not a GameSpec")
    if not isinstance(hands, int) or hands < 0:
        raise GameError(f"the number of hands must be a whole number from 0 on, not {hands!r}")
    if not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise GameError(f"a seed is a whole number from 0 to 2^63 - 1, not {seed!r}")
    payoffs = [0] * spec.players
    actions = showdowns = rake = checksum = 0
    for start in range(0, hands, _SLICE):
        part = _core.simulate_hands(spec.compiled, min(_SLICE, hands - start), seed + start)
        actions += part[1]
        showdowns += part[2]
        payoffs = [a + b for a, b in zip(payoffs, part[3], strict=True)]
        rake += part[4]
        checksum ^= part[5]
    return SimulationReport(hands, actions, showdowns, tuple(payoffs), rake, checksum)

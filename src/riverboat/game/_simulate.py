"""Random play inside the core: how fast the rules are, and a checksum of what they do."""

from __future__ import annotations

import msgspec

from riverboat import _core
from riverboat.errors import GameError
from riverboat.game._spec import GameSpec
from riverboat.report import Columns, Framed

# Each call into the core plays at most so many hands (about 0.1 s), so that
# Ctrl-C works between them.
_SLICE = 100_000


class SimulationReport(Framed, msgspec.Struct, frozen=True):
    """What random play came to.

    Attributes
    ----------
    hands, actions, showdowns
        How many of each.
    payoffs
        Chips won or lost by seat, in total.
    rake
        Chips taken by the house, in total.
    checksum
        Of every payoff in order: the same seed gives the same number until the
        rules change.
    """

    hands: int
    actions: int
    showdowns: int
    payoffs: tuple[int, ...]
    rake: int
    checksum: int

    def frame_columns(self) -> Columns:
        """Return a row for each seat: what it won in all, and a hand."""
        return {
            "seat": range(len(self.payoffs)),
            "chips": self.payoffs,
            "chips_per_hand": [chips / max(self.hands, 1) for chips in self.payoffs],
        }


def simulate(spec: GameSpec, hands: int, seed: int) -> SimulationReport:
    """Play whole hands with uniformly random legal actions.

    The kind of action is uniform over those allowed, then the size of a bet
    over the whole chips between its bounds.

    Parameters
    ----------
    spec
        The game; each hand starts with its stacks.
    hands
        How many.
    seed
        Of cards and actions.

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

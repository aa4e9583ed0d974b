"""A match dealt to players of another engine's protocol, who may be other programs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from riverboat.arena import Chair, play_hand
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, Hand
from riverboat.statistics import Estimate, mean_estimate


@dataclass(frozen=True, slots=True)
class DealtMatch:
    """The result of a match by player (not by position).

    Attributes
    ----------
    hands
        All of them, with the player of each seat.
    chips
        By player, in all.
    mbb_per_hand
        By player.
    errors
        By player: what went wrong, by kind.
    """

    hands: tuple[tuple[Hand, tuple[int, ...]], ...]
    chips: tuple[int, ...]
    mbb_per_hand: tuple[Estimate, ...]
    errors: tuple[dict[str, int], ...]


def deal_match(  # noqa: PLR0913 - the docstring names them
    spec: GameSpec,
    players: Sequence[Any],
    hands: int,
    seed: int,
    *,
    first_seat: int = 0,
    time_limit: float = 600.0,
    progress: Callable[[], object] = lambda: None,
) -> DealtMatch:
    """Deal a match.

    Parameters
    ----------
    spec
        The game.
    players
        Our bots or players at a link, one for each seat.
    hands, seed
        The cards of a hand depend only on the seed and its number: with the players in another
        order the same seed gives a duplicate match.
    first_seat
        Seat of the first player in the first hand of two; players move by one seat a hand.
    time_limit
        Seconds per decision.
    progress
        Called after every hand.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import catalogue
    >>> bots = [make_bot("fish", 1), make_bot("fold", 2)]
    >>> deal_match(catalogue("discard-2017"), bots, hands=4, seed=1).chips
    (-2, 2)
    """
    if len(players) != spec.players:
        raise ArenaError(f"the game has {spec.players} seats, but {len(players)} players are given")
    chairs = [Chair(player, time_limit) for player in players]
    played = []
    for number in range(hands):
        order = _order(spec, number + first_seat)
        hand = Hand(spec, seed=_hand_seed(seed, number))
        seated = [chairs[player] for player in order]
        play_hand(hand, seated, tell=True)
        played.append((hand, order))
        progress()
    return _summed(spec, tuple(played), chairs)


def _order(spec: GameSpec, shift: int) -> tuple[int, ...]:
    """Return the player of each seat; players move by one seat a hand."""
    return tuple((seat + shift) % spec.players for seat in range(spec.players))


def _hand_seed(seed: int, number: int) -> int:
    return int.from_bytes(blake2b(b"acpc %d %d" % (seed, number), digest_size=8).digest())


def _summed(
    spec: GameSpec, played: tuple[tuple[Hand, tuple[int, ...]], ...], chairs: list[Chair]
) -> DealtMatch:
    chips = np.zeros((len(played), spec.players))
    for row, (hand, order) in enumerate(played):
        chips[row, list(order)] = hand.payoffs()
    unit = 1000 / (spec.big_blind or 1)
    return DealtMatch(
        played,
        tuple(int(each) for each in chips.sum(axis=0)),
        tuple(mean_estimate(unit * column) for column in chips.T),
        tuple(dict(chair.errors) for chair in chairs),
    )

"""A dealer for ACPC players that connect, and for bots of ours beside them.

Positions move on by one after every hand, as with the competition's own dealer. A player that is
late, gone or not understood has checked or folded, and it is counted: the match goes on.
"""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from riverboat.arena import Chair, begin_hand, end_hand, play_hand
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, Hand, write_acpc_game
from riverboat.protocols.acpc._bot import AcpcBot
from riverboat.protocols.client import LineLink, accept
from riverboat.statistics import Estimate, mean_estimate

_END = "\r\n"


@dataclass(frozen=True, slots=True)
class DealtMatch:
    """What came out, by player: not by position.

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


def remote(server: socket.socket, start_seconds: float, seconds: float) -> AcpcBot:
    """Return the player that connects to a socket that listens; it may come again if it is cut."""
    waits = iter((start_seconds,))

    def connect() -> LineLink:
        return accept(server, next(waits, seconds), _END)

    return AcpcBot(connect, seconds=seconds)


def deal(  # noqa: PLR0913 - each is one word of the docstring
    spec: GameSpec,
    players: Sequence[Any],
    hands: int,
    seed: int,
    *,
    time_limit: float = 600.0,
    progress: Callable[[], object] = lambda: None,
) -> DealtMatch:
    """Deal a match.

    Parameters
    ----------
    spec
        The game; one that the protocol has words for.
    players
        Bots, by `remote` or of ours, as many as the game has seats.
    hands, seed
        The cards of a hand depend on the seed and its number alone: with the players in another
        order the same seed makes a duplicate match.
    time_limit
        Seconds for a decision.
    progress
        Called after every hand.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.game import catalogue
    >>> bots = [make_bot("fish", 1), make_bot("fold", 2)]
    >>> deal(catalogue("nolimit-200bb"), bots, hands=4, seed=1).chips  # big blind, small blind
    (300, -300)
    """
    if len(players) != spec.players:
        raise ArenaError(f"the game has {spec.players} seats, not {len(players)}")
    write_acpc_game(spec)  # refuses what the protocol has no words for
    chairs = [Chair(player, time_limit) for player in players]
    played = []
    for number in range(hands):
        order = _order(spec, number)
        hand = Hand(spec, seed=_hand_seed(seed, number))
        seated = [chairs[player] for player in order]
        begin_hand(hand, seated)
        play_hand(hand, seated)
        end_hand(hand, seated)
        played.append((hand, order))
        progress()
    return _summed(spec, tuple(played), chairs)


def _order(spec: GameSpec, number: int) -> tuple[int, ...]:
    """By seat, the player: player 0 begins in position 0, which is seat 1 of two."""
    shift = number + (1 if spec.players == 2 and spec.big_blind else 0)
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

"""AIVAT in a match: each hand is scored when it is played; sums are kept next to the chips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from riverboat.bots import BotRef, make_bot
from riverboat.errors import ArenaError, GameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from riverboat.arena._chair import Chair
    from riverboat.bots import Bot
    from riverboat.game import GameSpec, Hand


@dataclass(frozen=True, slots=True)
class AivatSums:
    """AIVAT sums of a session."""

    value: str
    """Name of the value function, with its version."""
    known: tuple[bool, ...]
    """For each bot, whether its strategy is known."""
    chips: NDArray[np.float64]
    """[deals, bots] chips won."""
    left_out: int
    """Hands that count as played, because a known bot failed in them."""


class AivatLog:
    """Scores the hands of a session.

    Parameters
    ----------
    spec
        The game.
    files
        Strategy files of the bots; the first one gives the value function.
    shape
        Number of deals and bots of the session.
    """

    def __init__(self, spec: GameSpec, files: Sequence[Path], shape: tuple[int, int]) -> None:
        from riverboat.evaluate import AivatScorer, aivat_value, is_known  # noqa: PLC0415 - slow

        self._is_known = is_known
        self._value = aivat_value(spec, files)
        self._scorer = AivatScorer(self._value)
        self._chips = np.zeros(shape)
        self._known = (False,) * shape[1]
        self._left_out = 0

    def add(self, hand: Hand, deal: int, order: tuple[int, ...], chairs: list[Chair]) -> None:
        """Score a hand; `order` and `chairs` have the number and the chair of each seat."""
        known = {
            number: self._is_known(chair.bot) for number, chair in zip(order, chairs, strict=True)
        }
        self._known = tuple(known[number] for number in sorted(known))
        bots = [c.bot if known[number] else None for number, c in zip(order, chairs, strict=True)]
        try:
            chips = self._scorer.score(hand, bots)
        except GameError:  # a known bot was late or made an illegal move, and a safe move was made
            self._left_out += 1
            chips = float(hand.payoffs()[0])
        self._chips[deal, list(order)] += chips, -chips

    def sums(self) -> AivatSums:
        """Return the sums of the session."""
        return AivatSums(self._value.name, self._known, self._chips, self._left_out)


def strategy_files(bots: Iterable[str | Callable[[int], Bot]], spec: GameSpec) -> list[Path]:
    """Return the strategy files that bots play a game from, in the order of the bots."""
    named = [BotRef.parse(bot) for bot in bots if isinstance(bot, str)]
    return [file for bot in named if not bot.untrusted for file in bot.files_for(spec)]


def prepare_aivat(spec: GameSpec, bots: Sequence[str | Callable[[int], Bot]]) -> None:
    """Check that the strategy of at least one bot is known; build the value table if missing.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> prepare_aivat(catalogue("limit"), ["shark", "fish"])
    """
    from riverboat.evaluate import aivat_value, is_known  # noqa: PLC0415 - slow

    players = [
        make_bot(bot, 0) if isinstance(bot, str) else bot(0)
        for bot in bots
        if not (isinstance(bot, str) and BotRef.parse(bot).untrusted)
    ]
    if not any(map(is_known, players)):
        raise ArenaError(
            f"AIVAT knows the strategy of none of {', '.join(map(_name, bots))}: it needs a bot "
            "that does not learn and gives its strategy for all hands, such as blueprint, fish, "
            "montecarlo, or search with iterations="
        )
    aivat_value(spec, strategy_files(bots, spec))


def _name(bot: str | Callable[[int], Bot]) -> str:
    return bot if isinstance(bot, str) else getattr(bot, "__name__", "a bot")

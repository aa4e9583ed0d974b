"""PyPokerEngine's stock random player."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from riverboat.protocols.pypokerengine._player import BasePokerPlayer


class StockRandom(BasePokerPlayer):  # type: ignore[misc]  # the engine has no types
    """The engine's stock random player: folds one time in three, else raises; never calls.

    It also folds where a check is free, which `random-pypokerengine` cannot: only the engine allows
    that.

    Parameters
    ----------
    seed
        Of its draws.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)  # noqa: S311 - a game, no secret

    def declare_action(
        self,
        valid_actions: Sequence[Mapping[str, Any]],
        hole_card: object,  # noqa: ARG002 - the engine tells it
        round_state: object,  # noqa: ARG002 - the engine tells it
    ) -> tuple[str, int]:
        """Answer the engine."""
        least, most = (valid_actions[2]["amount"][bound] for bound in ("min", "max"))
        if self._random.random() < 1 / 3 or least < 0:
            return "fold", 0
        return "raise", self._random.randint(least, max(least, most))

    def receive_notification(self, message: object) -> None:
        """Listen to nothing."""

"""The example players of PyPokerEngine, written anew from what they are known to do.

The package does not ship them: shared behaviour is described in docs/pypokerengine.md. They need
nothing of the package but its base class, and not even that to be asked through `as_bot`.
"""

from __future__ import annotations

import random
from typing import Any

try:
    from pypokerengine.players import BasePokerPlayer
except ImportError:
    BasePokerPlayer = object


class Quiet(BasePokerPlayer):  # type: ignore[misc]  # the package has no types
    """A player that does not listen."""

    def receive_game_start_message(self, game_info: Any) -> None:
        """Hear of a game."""

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """Hear of a hand."""

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """Hear of a street."""

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:
        """Hear of an action."""

    def receive_round_result_message(self, winners: Any, hand_info: Any, state: Any) -> None:
        """Hear of a result."""


class FishPlayer(Quiet):
    """Calls always."""

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:  # noqa: ARG002 - the package's signature
        """Call."""
        return "call", valid_actions[1]["amount"]


class FoldPlayer(Quiet):
    """Folds always, also where a check is free."""

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:  # noqa: ARG002 - the package's signature
        """Fold."""
        return "fold", 0


class RandomPlayer(Quiet):
    """Folds one time in three, else raises to any size, also where no raise is offered."""

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:  # noqa: ARG002 - the package's signature
        """Fold or raise."""
        if random.random() < 1 / 3:
            return "fold", 0
        bounds = valid_actions[2]["amount"]
        return "raise", random.randint(bounds["min"], bounds["max"])


class HonestPlayer(Quiet):
    """Calls if its sampled win rate is at least its fair share, else folds.

    The stock player takes 1,000 samples; fewer here, because the engine's evaluator is slow.
    """

    samples = 10

    def receive_game_start_message(self, game_info: Any) -> None:
        """Count the players."""
        self._players = game_info["player_num"]

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:
        """Call or fold."""
        from pypokerengine.utils.card_utils import (  # noqa: PLC0415 - for one player
            estimate_hole_card_win_rate,
            gen_cards,
        )

        rate = estimate_hole_card_win_rate(
            self.samples,
            self._players,
            gen_cards(hole_card),
            gen_cards(round_state["community_card"]),
        )
        return ("call", valid_actions[1]["amount"]) if rate >= 1 / self._players else ("fold", 0)


STOCK = (HonestPlayer, FishPlayer, FoldPlayer, RandomPlayer)

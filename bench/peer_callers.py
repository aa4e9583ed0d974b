"""PyPokerEngine with two players that always call: the same rival in two benches."""

import importlib
from collections.abc import Callable
from typing import Any


def pypokerengine_callers(stack: int, small_blind: int) -> Callable[[int], None]:
    """Return a function that plays so many hands, each a game of one round with new stacks.

    Parameters
    ----------
    stack, small_blind
        Chips.
    """
    api = importlib.import_module("pypokerengine.api.game")
    base: Any = importlib.import_module("pypokerengine.players").BasePokerPlayer

    class Caller(base):  # type: ignore[misc]  # the package has no types
        """Calls."""

        def declare_action(self, valid_actions: Any, *_: Any) -> Any:
            return valid_actions[1]["action"], valid_actions[1]["amount"]

        def _ignore(self, *_: Any) -> None:
            return None

        receive_game_start_message = receive_round_start_message = _ignore
        receive_street_start_message = receive_game_update_message = _ignore
        receive_round_result_message = _ignore

    def play(hands: int) -> None:
        for _ in range(hands):
            config = api.setup_config(
                max_round=1, initial_stack=stack, small_blind_amount=small_blind
            )
            config.register_player("a", Caller())
            config.register_player("b", Caller())
            api.start_poker(config, verbose=0)

    return play

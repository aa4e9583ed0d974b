"""Strategy files for the bots that need one."""

from pathlib import Path

import pytest

from bots.strategy_files import random_strategy, trained_to_the_flop
from riverboat.cards import HandStrength


@pytest.fixture(scope="session")
def strategy_files(
    tables: HandStrength, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """By bot, a file that it can play from; `swaps` is one for the discard game."""
    folder = tmp_path_factory.mktemp("strategies")
    bins = "equity-bins 3/4/3/4"
    menu = "100%, a ; cap 2"
    two_streets = trained_to_the_flop(folder / "flop.blueprint")
    holdem = random_strategy(folder / "holdem.blueprint", "nolimit-100bb", menu, bins, tables)
    return {
        "blueprint": holdem,
        "search": holdem,
        "swaps": random_strategy(
            folder / "swaps.blueprint", "discard-2017", menu, f"{bins} recall", tables
        ),
        "cfrv1": two_streets,
        "cfrv2": two_streets,
    }

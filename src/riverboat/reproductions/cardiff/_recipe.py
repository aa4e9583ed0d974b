"""Types of `recipe.toml`, and the game that the thesis trains."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from riverboat.game import GameSpec, catalogue
from riverboat.reproductions._recipe import (
    Published,
    ReproductionRecipe,
    Response,
    TomlTable,
    load_data,
)
from riverboat.reproductions._run import ReproductionRun
from riverboat.training import Recipe, load_recipe

#: Strategy files of a run: as trained, cleaned, and read from the cleaned file's CSV.
FILES = ("cardiff.blueprint", "cardiff-clean.blueprint", "cardiff-csv.blueprint")


class Seat(TomlTable, frozen=True):
    """A bot of the table; `{file}` stands for the trained strategy."""

    bot: str
    engine: str = ""
    """The bot that takes its place inside PyPokerEngine, which is then the author's; "" = `bot`."""
    comparable: bool = True
    """Whether the bot is the author's, as far as the thesis describes it."""


class Variant(TomlTable, frozen=True):
    """An idea of the thesis for future work, as a training."""

    title: str
    streets: int
    cards: str
    menu: str = ""
    """"" = the published bet menu; any other makes the game no-limit."""
    scheme: str = "chance"


class Changed(TomlTable, frozen=True):
    """Names of the conditions that are changed for pairs with another winner."""

    nothing: str
    small: str
    big: str
    order: str
    samples: str
    engine: str


class Amounts(TomlTable, frozen=True):
    """How much each step computes."""

    menu: str
    """The published bet menu, or a smaller one for tests."""
    iterations: tuple[int, ...]
    """Iterations at which the training is measured; the last one ends it."""
    sampled: tuple[int, ...]
    """Iterations at which the current strategy is measured, for the author's running mean."""
    sampled_deals: int
    value_deals: int
    bound: Response
    table_hands: int
    champion_hands: int
    csv_hands: int
    simulation_hands: int
    reversed_hands: int
    engine_iterations: int
    engine_hands: int
    precision_iterations: int
    street_seconds: float
    streets: tuple[int, ...]
    variant_seconds: float
    variant_hands: int
    variants: tuple[str, ...]
    variant_cards: str = ""
    """Card abstraction of all variants, for tests; "" = each variant's own."""


class Cardiff(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    bots: dict[str, Seat]
    """The seven bots by the names in tables."""
    table2: dict[str, dict[str, float]]
    """The published table: the first bot's winnings against the second, small blinds per hand."""
    simulations: dict[str, str]
    """Bots of section 7.3; `{file}` as above."""
    reversed: tuple[tuple[str, str], ...]
    """Pairs with another winner than in the published table, the later bot of the table first."""
    changed: Changed
    fewer_samples: dict[str, str]
    """Monte-Carlo with the number of runouts in the code of figure 13."""
    csv_opponents: tuple[str, ...]
    variant_opponents: tuple[str, ...]
    variants: dict[str, Variant]
    """Trainings by name; the published system first."""
    street_cards: tuple[str, ...]
    """Card abstraction by street that fits into memory."""
    tenfold: tuple[float, float]
    """Range of factors that count as about tenfold."""
    alike: float
    """Two factors up to this ratio count as equal."""

    def strangers(self, *, engine: bool = False) -> list[str]:
        """Return the bots that differ from the author's and cannot be compared."""
        seats = self.bots.items()
        return [name for name, seat in seats if not (seat.comparable or (engine and seat.engine))]

    def published_rows(self) -> dict[tuple[str | int | float, ...], Published]:
        """Return the author's figures by row of results, including table 2."""
        return super().published_rows() | {
            ("table", "won", row, column): Published(value, "table 2, PyPokerEngine's rules")
            for row, won in self.table2.items()
            for column, value in won.items()
        }


DATA = load_data("cardiff", Cardiff)


def toy_recipe(
    run: ReproductionRun, changes: Mapping[str, Any], game: GameSpec | None = None
) -> Recipe:
    """Return the published training with this run's bet menu, threads and seed, and changes."""
    base = {"menu": DATA.amounts(run).menu, "threads": run.workers, "seed": run.seed}
    named = {} if game is None else {"game": msgspec.to_builtins(game)}
    return load_recipe("cardiff").changed({**base, **named, **changes})


def toy_game(streets: int, *, limit: bool = True, small_blind_first: bool = False) -> GameSpec:
    """Return the thesis's game with 2 to 4 streets.

    Parameters
    ----------
    streets
        Number of streets; the showdown follows the last.
    limit
        Whether raises are always one big blind, the game's minimum raise.
    small_blind_first
        Whether the small blind also opens the later streets, as in PyPokerEngine.

    Examples
    --------
    >>> toy_game(2) == catalogue("cardiff")
    True
    >>> sum(street.board for street in toy_game(4, limit=False).streets)
    5
    """
    game = catalogue("cardiff" if limit else "nolimit-100bb")
    before, flop = game.streets[:2]
    one_card = replace(flop, board=1)
    opener = 0 if small_blind_first else None
    later = [replace(street, first=opener) for street in (flop, *(one_card,) * (streets - 2))]
    usual = limit and streets == 2 and not small_blind_first
    name = game.name if usual else f"toy-{streets}"
    return game.replace(name=name, streets=(before, *later))


def pair_name(one: str, other: str) -> str:
    """Return the name of a pair of bots in tables."""
    return f"{one} v {other}"

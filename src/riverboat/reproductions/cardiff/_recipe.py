"""What stands in recipe.toml, and the thesis's game as it is trained."""

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

#: Strategy files of a run: as trained, cleaned, and read from the cleaned one's CSV.
FILES = ("cardiff.blueprint", "cardiff-clean.blueprint", "cardiff-csv.blueprint")


class Seat(TomlTable, frozen=True):
    """A bot of the table; `{file}` stands for the trained strategy."""

    bot: str
    engine: str = ""
    """Who plays for it inside PyPokerEngine, if that is another bot: then it is the author's."""
    comparable: bool = True
    """Whether it is the author's bot, as far as the thesis tells."""


class Variant(TomlTable, frozen=True):
    """One of the thesis's ideas for later, as a training."""

    title: str
    streets: int
    cards: str
    menu: str = ""
    """"" = the published one; another makes the game no-limit."""
    scheme: str = "chance"


class Changed(TomlTable, frozen=True):
    """What is changed where a pair comes out otherwise, as people read it."""

    nothing: str
    small: str
    big: str
    order: str
    samples: str
    engine: str


class Amounts(TomlTable, frozen=True):
    """How much is computed."""

    menu: str
    """The whole one, or a smaller one for tests."""
    iterations: tuple[int, ...]
    """Where the training is measured; the last is its end."""
    sampled: tuple[int, ...]
    """Where the strategy of the regrets is valued, for the author's running mean."""
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
    """Cards of all variants, for tests; "" = their own."""


class Cardiff(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    bots: dict[str, Seat]
    """The seven, by the names that people read."""
    table2: dict[str, dict[str, float]]
    """The published table: what the first name won from the second, small blinds a hand."""
    simulations: dict[str, str]
    """Bots of section 7.3; `{file}` as above."""
    reversed: tuple[tuple[str, str], ...]
    """Pairs whose winner is another here than in the published table; the later of it first."""
    changed: Changed
    fewer_samples: dict[str, str]
    """Monte-Carlo with as many run-outs as the code of figure 13 has."""
    csv_opponents: tuple[str, ...]
    variant_opponents: tuple[str, ...]
    variants: dict[str, Variant]
    """By name; the published system first."""
    street_cards: tuple[str, ...]
    """By street: cards that fit into memory."""
    tenfold: tuple[float, float]
    """Factors that are called about tenfold."""
    alike: float
    """Up to this ratio two factors count as equal."""

    def strangers(self, *, engine: bool = False) -> list[str]:
        """Bots of the table that are not the author's, and cannot be compared with his."""
        seats = self.bots.items()
        return [name for name, seat in seats if not (seat.comparable or (engine and seat.engine))]

    def published_rows(self) -> dict[tuple[str | int | float, ...], Published]:
        """Return the author's figures by row of results, those of table 2 too."""
        return super().published_rows() | {
            ("table", "won", row, column): Published(value, "table 2, PyPokerEngine's rules")
            for row, won in self.table2.items()
            for column, value in won.items()
        }


DATA = load_data("cardiff", Cardiff)


def toy_recipe(
    run: ReproductionRun, changes: Mapping[str, Any], game: GameSpec | None = None
) -> Recipe:
    """Return the published training with this run's menu, threads and seed, and some changes."""
    base = {"menu": DATA.amounts(run).menu, "threads": run.workers, "seed": run.seed}
    named = {} if game is None else {"game": msgspec.to_builtins(game)}
    return load_recipe("cardiff").changed({**base, **named, **changes})


def toy_game(streets: int, *, limit: bool = True, small_blind_first: bool = False) -> GameSpec:
    """Return the thesis's game with 2 to 4 streets.

    Parameters
    ----------
    streets
        The showdown comes after the last.
    limit
        Whether raises are always one big blind, as its least raise is.
    small_blind_first
        Whether the small blind opens the later streets, too, as in PyPokerEngine.

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
    """Name a pair of bots as people read it."""
    return f"{one} v {other}"

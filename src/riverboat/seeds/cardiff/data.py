"""What recipe.toml holds: the setting, the published figures, bots, variants, amounts."""

from dataclasses import replace
from functools import cache

import msgspec

from riverboat.game import GameSpec, catalogue
from riverboat.seeds._recipe import Part, Published, SettingRow, load_data
from riverboat.seeds._reproduction import Reproduction
from riverboat.training import Recipe, load_recipe

__all__ = ["Amounts", "Data", "Seat", "Variant", "amounts", "data", "toy_game"]


class Table2(Part, frozen=True):
    """The published table, small blinds a hand."""

    rows: tuple[tuple[float, ...], ...]


class Seat(Part, frozen=True):
    """A bot of the table; `{file}` stands for the trained strategy."""

    title: str
    bot: str
    engine: str = ""
    """Who plays for it inside PyPokerEngine, if that is another bot."""
    comparable: bool = True
    """Whether it is the author's bot, as far as the thesis tells."""


class Variant(Part, frozen=True):
    """One of the thesis's ideas for later, as a training."""

    name: str
    title: str
    streets: int
    cards: str
    menu: str = ""
    """"" = the published one; another makes the game no-limit."""
    scheme: str = "chance"

    def recipe(self, menu: str) -> Recipe:
        """Return the training; `menu` is the published one."""
        game = toy_game(self.streets, limit=not self.menu)
        return load_recipe("cardiff").changed(
            {
                "name": self.name,
                "game": msgspec.to_builtins(game),
                "menu": self.menu or menu,
                "cards": self.cards,
                "scheme": self.scheme,
                "bound.every": 0,
            }
        )


class Amounts(Part, frozen=True):
    """How much is computed."""

    menu: str
    """The whole one, or a smaller one for tests."""
    iterations: tuple[int, ...]
    """Where the training is measured; the last is its end."""
    value_deals: int
    bound_seconds: float
    bound_deals: int
    table_hands: int
    champion_hands: int
    csv_hands: int
    engine_iterations: int
    engine_hands: int
    street_seconds: float
    streets: tuple[int, ...]
    variant_seconds: float
    variant_hands: int
    variants: tuple[str, ...]
    variant_cards: str = ""
    """Cards of all variants, for tests; "" = their own."""


class Data(Part, frozen=True):
    """The whole recipe."""

    setting: tuple[SettingRow, ...]
    published: dict[str, Published]
    table2: Table2
    bots: tuple[Seat, ...]
    variants: tuple[Variant, ...]
    amounts: dict[str, Amounts]


@cache
def data() -> Data:
    """Read the recipe.

    Examples
    --------
    >>> data().published["training_seconds"].value
    39600.0
    """
    return load_data("cardiff", Data)


def amounts(run: Reproduction) -> Amounts:
    """Return how much a run computes."""
    return data().amounts[run.effort]


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

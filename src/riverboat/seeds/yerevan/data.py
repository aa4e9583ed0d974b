"""The recipe as data, and what trials found as plain numbers."""

from functools import cache

import msgspec

from riverboat.seeds._recipe import Part, Published, SettingRow, load_data
from riverboat.seeds._reproduction import Reproduction

__all__ = ["MBB", "Amounts", "Point", "Recipe", "Rival", "Trial", "amounts", "recipe"]

#: Thousandths of a big blind in a chip: the big blind has 10 chips.
MBB = 100.0


class OpenPureCfr(Part, frozen=True):
    """Iterations a second of the program that the thesis follows."""

    leduc: int
    blind_cards: int


class Bound(Part, frozen=True):
    """How responses start whose winnings are the lower bound of exploitability."""

    prior: float
    """Visits that the measured strategy is worth to its response."""
    tried: tuple[float, ...]
    """All that were looked at before that one was chosen."""


class Rival(Part, frozen=True):
    """A CFR bot of another seed, trained for limit."""

    name: str
    label: str
    cards: str
    scheme: str
    bot: str = "blueprint"
    streets: int = 4


class Amounts(Part, frozen=True):
    """How much an effort computes; times in processor seconds."""

    cards: str
    train_times: tuple[float, ...]
    response_iterations: int
    response_deals: int
    value_deals: int
    speed_seconds: float
    exact_cards: str
    exact_deals: int
    exact_times: tuple[float, ...]
    exact_seeds: int
    same_time: float
    table_deals: int
    duel_deals: int
    ranks: str
    suits: str
    deck_buckets: tuple[tuple[int, int], ...]
    deck_times: tuple[float, ...]
    deck_seeds: int
    fly_deals: int
    rivals: tuple[str, ...]
    rival_seconds: float
    hands: int
    bots: tuple[str, ...] = ()
    """Which built-in bots play; all if empty."""


class Recipe(Part, frozen=True):
    """What recipe.toml holds."""

    training: str
    setting: tuple[SettingRow, ...]
    published: dict[str, Published]
    open_pure_cfr: OpenPureCfr
    bound: Bound
    schemes: dict[str, str]
    bots: dict[str, str]
    rival: tuple[Rival, ...]
    amounts: dict[str, Amounts]


class Point(msgspec.Struct, frozen=True):
    """A measurement during a training."""

    seconds: float
    """Processor time of the training so far."""
    iterations: int
    exploitability: float
    """mbb a hand."""
    margin: float = 0.0
    """Half the 95 % interval; 0 where it is exact."""


class Trial(msgspec.Struct, frozen=True):
    """One training, measured on its way."""

    scheme: str
    seed: int
    iterations: int
    seconds: float
    """Of all threads together."""
    nodes: int
    table_bytes: int
    infosets: int
    visited: int
    points: tuple[Point, ...]

    @property
    def speed(self) -> float:
        """Iterations a processor second."""
        return self.iterations / max(self.seconds, 1e-9)

    @property
    def last(self) -> Point:
        """How it ended."""
        return self.points[-1]


@cache
def recipe() -> Recipe:
    """Return the recipe.

    Examples
    --------
    >>> recipe().published["rounds"].value
    1000000.0
    """
    return load_data("yerevan", Recipe)


def amounts(run: Reproduction) -> Amounts:
    """Return how much a run computes."""
    return recipe().amounts[run.effort]

"""Pineapple's recipe as data: `recipe.toml` and what it holds."""

from functools import lru_cache
from typing import Literal

import msgspec

from riverboat.recipes.run import Run
from riverboat.recipes.seed import load_data

__all__ = ["Amounts", "Data", "Figure", "Sampled", "SettingRow", "amounts", "data"]

Translation = Literal["pseudo-harmonic", "nearest-ratio", "nearest-amount"]


class SettingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the table of settings; `{iterations}` and `{hands}` are filled in."""

    what: str
    theirs: str
    ours: str


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published figure, and where in the report of its authors it stands."""

    value: float
    where: str


class Sampled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scheme of the comparison at equal time."""

    name: str
    file: str
    scheme: str


class Exact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The smaller tree where exploitability is exact."""

    menu: str


class Better(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we would run instead."""

    menu: str
    cards: str
    scheme: str
    fallback: Literal["uniform", "check-fold", "monte-carlo"]
    translation: Translation


class Amounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much an effort computes."""

    iterations: int
    snapshots: tuple[int, ...]
    """Iterations at which the strategy on its way is kept and played."""
    hands: int
    """Of the main match."""
    side_hands: int
    """Of every other match."""
    watched_hands: int
    """In which each decision of the final bot is looked at."""
    side_watched: int
    """The same for the strategies on the way."""
    setting_iterations: int
    """One of `snapshots`, or `iterations`: there the paper's settings are compared."""
    sampling_seconds: float
    tabulated_deals: int
    """Deals of the table that vanilla CFR walks, in the whole tree."""
    bound_seconds: float
    bound_deals: int
    exact_deals: int
    exact_seconds: tuple[float, ...]
    better_seconds: float
    swap_views: int
    slow_views: int
    deals: int
    """Deals whose dealing is timed."""
    menu: str = ""
    """Instead of the recipe's own: tests have a smaller tree."""
    better_menu: str = ""
    better_cards: str = ""


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `recipe.toml`."""

    recipe: str
    translation: Translation
    fallback: Literal["uniform"]
    """Where nothing was trained: one of the menu's actions, each as likely as the others."""
    opponent: str
    translations: tuple[Translation, ...]
    fallbacks: tuple[str, ...]
    setting: tuple[SettingRow, ...]
    published: dict[str, Figure]
    samplings: tuple[Sampled, ...]
    exact: Exact
    better: Better
    amounts: dict[str, Amounts]


@lru_cache(maxsize=1)
def data() -> Data:
    """Read the recipe.

    Examples
    --------
    >>> data().published["reached"].value
    70000.0
    """
    return load_data("pineapple", Data)


def amounts(run: Run) -> Amounts:
    """Return how much a run computes."""
    return data().amounts[run.effort]

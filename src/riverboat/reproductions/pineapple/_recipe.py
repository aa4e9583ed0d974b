"""What stands in recipe.toml."""

from typing import Literal

from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data
from riverboat.translation import Translation


class Sampled(TomlTable, frozen=True):
    """A scheme of the comparison at equal time."""

    name: str
    file: str
    scheme: str


class Better(TomlTable, frozen=True):
    """What we would run instead."""

    menu: str
    cards: str
    scheme: str
    fallback: Literal["uniform", "check-fold", "monte-carlo"]
    translation: Translation


class Amounts(TomlTable, frozen=True):
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
    bound: Response
    exact_deals: int
    exact_seconds: tuple[float, ...]
    better_seconds: float
    own_menus: dict[str, str]
    """Of the authors' own game with fixed swaps, by name: the code's, then the document's."""
    own_deals: int
    """Drawn once; that game trains on them."""
    swap_views: int
    slow_views: int
    deals: int
    """Deals whose dealing is timed."""
    menu: str = ""
    """Instead of the recipe's own: tests have a smaller tree."""
    better_menu: str = ""
    better_cards: str = ""


class Pineapple(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    recipe: str
    translation: Translation
    fallback: Literal["uniform"]
    """Where nothing was trained: one of the menu's actions, each as likely as the others."""
    opponent: str
    opponent_by_score: str
    translations: tuple[Translation, ...]
    fallbacks: tuple[str, ...]
    samplings: tuple[Sampled, ...]
    exact_menu: str
    """Of the smaller tree where exploitability is exact."""
    better: Better


DATA = load_data("pineapple", Pineapple)

"""What stands in recipe.toml."""

from typing import Any

import msgspec

from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data

#: Names of strategies: the combination of the members, the bot itself, and the author's own game.
BOT, KEYED = "bot", "keyed"


class Uncapped(TomlTable, frozen=True):
    """The author's raises without our caps."""

    menu: str
    decisions: int
    """Of our tree with this menu and the recipe's game; a test counts them."""


class Fit(TomlTable, frozen=True):
    """One training."""

    name: str
    seed: int
    """Added to the run's."""
    floor: bool = True
    start: bool = True
    times: int = 1
    """Of the members' iterations."""
    rule: str = "cfr"
    averaging: str = "uniform"
    step: int | None = None
    """Iterations that share one weight; None is the scheme's own."""


class Amounts(TomlTable, frozen=True):
    """How much is computed."""

    iterations: int
    """Of each member."""
    speed_iterations: int
    """Of the measurement of speed, for each number of threads."""
    hands: int
    """Of each match against a variant."""
    duel_hands: int
    """Of each match of two strategies."""
    bound: Response
    """Of each estimate of exploitability."""
    outcome_deals: int
    """By which wins, ties and losses of buckets are counted."""
    fork_iterations: int
    """Of each measurement of threads by subtree."""
    key_iterations: int
    """Of the training with the author's key."""
    key_menu: str
    """Its menu: his raises without caps."""
    changes: dict[str, Any] = msgspec.field(default_factory=dict)
    """Of the training recipe."""


class Caltech(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    styles: tuple[str, ...]
    verdicts: dict[str, str]
    labels: dict[str, str]
    """Of strategies, as people read them."""
    uncapped: Uncapped
    two_raises: str
    """The menu with two raises on every street."""
    forks: tuple[tuple[int, int], ...]
    """Actions and last street of decisions that get a thread; the author's rule first."""
    cores: tuple[int, ...]
    """For which speed is forecast."""
    fit: tuple[Fit, ...]

    def fits(self, prefix: str) -> tuple[Fit, ...]:
        """Return the trainings whose name begins so.

        Examples
        --------
        >>> [fit.seed for fit in DATA.fits("member")]
        [0, 1, 2, 3]
        """
        return tuple(fit for fit in self.fit if fit.name.startswith(prefix))


DATA = load_data("caltech", Caltech)

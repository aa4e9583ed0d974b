"""The recipe as data: what `recipe.toml` holds."""

from functools import cache
from typing import Generic, TypeVar

from riverboat.seeds._recipe import Part, Published, SettingRow, load_data
from riverboat.seeds._reproduction import Reproduction

__all__ = ["NAME", "By", "Husky", "Listed", "Size", "SweepPlan", "husky"]

NAME = "husky"
T = TypeVar("T")


class By(Part, Generic[T], frozen=True):
    """An amount for each effort."""

    full: T
    quick: T
    tiny: T

    def of(self, run: Reproduction) -> T:
        """Return the one that goes with a run."""
        return run.pick(self.full, self.quick, self.tiny)


class SweepPlan(Part, frozen=True):
    """A grid over a bot's thresholds."""

    key: str
    title: str
    bot: str
    against: str
    optimum: dict[str, float]
    """The authors' best point."""
    where: str
    grids: By[dict[str, str]]
    games: By[int]
    hands: By[int]
    why: str = ""
    """What the rules say of the best points."""
    says_it_wins: bool = False
    """Whether the authors say that the bot wins at their point; else they give thresholds only."""


class Fresh(Part, frozen=True):
    """The best points once more, with another seed."""

    games: By[int]
    hands: By[int]


class Opponents(Part, frozen=True):
    """One threshold against several opponents."""

    bot: str
    against: str
    counts: By[list[int]]
    grids: By[str]
    games: By[int]
    hands: By[int]


class Claim(Part, frozen=True):
    """A sentence of the document as a match."""

    bots: list[str]
    games: By[int]
    hands: By[int]


class Training(Part, frozen=True):
    """The CFR bot, and wide CFR with another menu."""

    recipe: str
    narrow: By[dict[str, str | int | float]]
    """Keys of the recipe that an effort changes."""
    wide: By[dict[str, str | int | float]]
    """Keys that wide CFR has otherwise than that."""


class Size(Part, frozen=True):
    """How much an opponent raises: big blinds of a first and a second raise, or a pot share."""

    name: str
    label: str
    menu: bool = False
    """Whether these are sizes of the CFR bot's menu."""
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None
    share: float = 0.0

    @property
    def words(self) -> str:
        """What the first and second raise of a street go to, in big blinds; else the label.

        Examples
        --------
        >>> Size("x", "small", before=(2.0, 4.0), after=(1.0, 3.0)).words
        'small: to 2 and 4 bb before the flop, 1 and 3 after'
        """
        if self.before is None or self.after is None:
            return self.label
        before = f"to {self.before[0]:g} and {self.before[1]:g} bb before the flop"
        return f"{self.label}: {before}, {self.after[0]:g} and {self.after[1]:g} after"


class Translation(Part, frozen=True):
    """The opponent whose bets are translated."""

    low: float
    high: float
    rules: list[str]
    hands: By[int]
    watched: By[int]
    """Hands that are played to see what the bot's decisions come from."""
    sizes: list[Size]
    judged: str
    """Name of the size whose cost is told, against the mean of the sizes of the menu."""


class KillerPlan(Part, frozen=True):
    """Killer's learning curves."""

    bot: str
    opponents: list[str]
    blinds: tuple[int, int]
    stack: int
    seeds: By[int]
    hands: By[int]
    block: By[int]


class Listed(Part, frozen=True):
    """A bot of the document."""

    name: str
    bot: str
    strategy: str
    sweep: str = ""
    """The sweep that its thresholds are from."""
    summarised: bool = False
    """Whether it has a line in the document's summary table; else only the text has it."""
    learns: bool = False


class TablePlan(Part, frozen=True):
    """How much each pair plays."""

    hands: By[int]
    lives: By[int]
    life: By[int]


class Seats(Part, frozen=True):
    """Tables of several seats."""

    counts: By[list[int]]
    tables: By[list[list[str]]]
    """Names of the bots at each table."""
    lives: By[int]
    life: By[int]


class Speed(Part, frozen=True):
    """Seconds for each figure; at least three rounds are measured however few they are."""

    seconds: By[float]


class Husky(Part, frozen=True):
    """The whole recipe."""

    setting: list[SettingRow]
    published: dict[str, Published]
    sweeps: list[SweepPlan]
    fresh: Fresh
    opponents: Opponents
    claim: Claim
    training: Training
    translation: Translation
    killer: KillerPlan
    bots: list[Listed]
    table: TablePlan
    seats: Seats
    speed: Speed


@cache
def husky() -> Husky:
    """Return the recipe.

    Examples
    --------
    >>> husky().published["heads_up_hands_per_second"].value
    2200.0
    """
    return load_data(NAME, Husky)

"""Types of `recipe.toml`."""

from riverboat.reproductions._recipe import ReproductionRecipe, TomlTable, load_data

Changes = dict[str, str | int | float]
#: Names in the report of the bots that play a strategy.
CFR, WIDE, DEFAULT = "CFR", "wide CFR", "Riverboat's default"


class SweepPlan(TomlTable, frozen=True):
    """A sweep of a bot's thresholds; its grid is one of the amounts."""

    key: str
    bot: str
    against: str
    title: str
    optimum: dict[str, float]
    """The authors' best point."""
    where: str
    why: str = ""
    """An explanation of the best points by the rules."""
    says_it_wins: bool = False
    """Whether the authors say that the bot wins at their point."""


class Size(TomlTable, frozen=True):
    """Raise sizes of an opponent: big blinds of a first and second raise, or a pot share."""

    name: str
    label: str
    menu: bool = False
    """Whether these are sizes of the CFR bot's menu."""
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None
    share: float = 0.0


class Translation(TomlTable, frozen=True):
    """Opponent, raise sizes and rules of the experiment on action translation."""

    low: float
    high: float
    rules: tuple[str, ...]
    judged: str
    """Name of the size whose cost is judged against the mean of the menu's sizes."""
    sizes: tuple[Size, ...]


class Killer(TomlTable, frozen=True):
    """Killer's learning curves."""

    bot: str
    history: str
    """Killer that also learns by betting line: the authors' future work."""
    opponents: dict[str, str]
    better: dict[str, str]
    """Further opponents of Killer with a history; `{CFR}` is the trained CFR bot."""
    chain: str
    """Killer that other bots replace when it does not win."""
    met: dict[str, str]
    """Opponents of that Killer."""
    blinds: tuple[int, int]
    stack: int
    learnt: float
    """Share of the last third's chips per hand at which Killer counts as having learnt."""


class Listed(TomlTable, frozen=True):
    """A bot of the document."""

    name: str
    bot: str
    strategy: str
    sweep: str = ""
    """The sweep that gave its thresholds."""
    summarised: bool = False
    """Whether the document's summary table has the bot."""
    learns: bool = False


class Played(TomlTable, frozen=True):
    """Games and hands to play at each point."""

    games: int
    hands: int


class Swept(Played, frozen=True):
    """A grid for each threshold."""

    grids: dict[str, str]


class EngineSwept(TomlTable, frozen=True):
    """Games at each point of grids."""

    games: int
    grids: dict[str, str]


class Several(Played, frozen=True):
    """A grid of one threshold, against several numbers of opponents."""

    counts: tuple[int, ...]
    grid: str


class Watched(TomlTable, frozen=True):
    """Hands of each match, and hands in which the bot's decisions are counted."""

    hands: int
    watched: int


class Seeds(TomlTable, frozen=True):
    """Killer's hands with each random seed, and the hands of a block."""

    seeds: int
    hands: int
    block: int


class Optimised(TomlTable, frozen=True):
    """Matches of an optimiser for each swept threshold, and hands of each."""

    steps: int
    hands: int
    sweeps: tuple[str, ...]
    """Keys of the sweeps."""


class Lives(TomlTable, frozen=True):
    """Fresh bots and deals of each; hands of matches without learning bots."""

    lives: int
    life: int
    hands: int = 0


class Amounts(TomlTable, frozen=True):
    """How much each step computes."""

    speed_seconds: float
    """Seconds per figure, and at least three rounds."""
    speed_seats: tuple[int, ...]
    sweeps: dict[str, Swept]
    again: Played
    """Repeated matches of the best points, with another random seed."""
    claim: Played
    several: Several
    narrow: Changes
    """Changes to the training recipe."""
    wide: Changes
    """Further changes for wide CFR."""
    translation: Watched
    killer: Seeds
    history: Seeds
    chain: Seeds
    optimiser: Optimised
    engine: dict[str, EngineSwept]
    """Sweeps inside PyPokerEngine; others are not played there."""
    sizes: Swept
    """Sweep of a threshold with each raise size."""
    pairs: Lives
    tables: Lives
    seated: tuple[tuple[str, ...], ...]
    """Names of the bots at each table."""


class Husky(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """Contents of `recipe.toml`."""

    training: str
    several: tuple[str, str]
    """A bot, and the bot that it plays several copies of."""
    claim: tuple[str, str]
    """A claim of the document as a match."""
    raises: tuple[str, ...]
    """Raise sizes to sweep, with the bot and opponent of the first sweep."""
    thresholds: dict[str, str]
    sweeps: tuple[SweepPlan, ...]
    translation: Translation
    killer: Killer
    bots: tuple[Listed, ...]

    def rule(self, opponents: int) -> float:
        """Return the authors' threshold against a number of opponents.

        Examples
        --------
        >>> DATA.rule(16)  # 0.65 / 16 ** 0.25
        0.325
        """
        known = self.published
        factor, exponent = known["opponents_factor"].value, known["opponents_exponent"].value
        return float(factor * opponents**exponent)


DATA = load_data("husky", Husky)

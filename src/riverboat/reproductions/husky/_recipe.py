"""What stands in recipe.toml."""

from riverboat.reproductions._recipe import ReproductionRecipe, TomlTable, load_data

Changes = dict[str, str | int | float]
#: What the bots that play from a strategy are called in all of the report.
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
    """What the rules say of the best points."""
    says_it_wins: bool = False
    """Whether the authors say that the bot wins at their point."""


class Size(TomlTable, frozen=True):
    """How much an opponent raises: big blinds of a first and a second raise, or a pot share."""

    name: str
    label: str
    menu: bool = False
    """Whether these are sizes of the CFR bot's menu."""
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None
    share: float = 0.0


class Translation(TomlTable, frozen=True):
    """The opponent whose bets are translated."""

    low: float
    high: float
    rules: tuple[str, ...]
    judged: str
    """Name of the size whose cost is told, against the mean of the sizes of the menu."""
    sizes: tuple[Size, ...]


class Killer(TomlTable, frozen=True):
    """Killer's learning curves."""

    bot: str
    history: str
    """The same with the line of play in what it learns for: the authors' future work."""
    opponents: dict[str, str]
    chain: str
    """Killer as it goes on to other bots where it does not win."""
    met: dict[str, str]
    """Who meets that one."""
    blinds: tuple[int, int]
    stack: int
    learnt: float
    """Share of the last third's chips a hand at which it counts as having learnt."""


class Listed(TomlTable, frozen=True):
    """A bot of the document."""

    name: str
    bot: str
    strategy: str
    sweep: str = ""
    """The sweep that its thresholds are from."""
    summarised: bool = False
    """Whether it has a line in the document's summary table; else only the text has it."""
    learns: bool = False


class Played(TomlTable, frozen=True):
    """What is played at each point, in two ways."""

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
    """Hands of each match, and hands in which the bot's decisions are looked at."""

    hands: int
    watched: int


class Seeds(TomlTable, frozen=True):
    """Killer's hands with each seed, and the hands of a block."""

    seeds: int
    hands: int
    block: int


class Lives(TomlTable, frozen=True):
    """Fresh bots, and for how many deals each is kept; hands where no bot learns."""

    lives: int
    life: int
    hands: int = 0


class Amounts(TomlTable, frozen=True):
    """How much is computed."""

    speed_seconds: float
    """For each figure; at least three rounds are measured however few they are."""
    speed_seats: tuple[int, ...]
    sweeps: dict[str, Swept]
    again: Played
    """The best points once more, with another seed."""
    claim: Played
    several: Several
    narrow: Changes
    """Of the training recipe."""
    wide: Changes
    """What wide CFR has otherwise than that."""
    translation: Watched
    killer: Seeds
    chain: Seeds
    engine: dict[str, EngineSwept]
    """Sweeps inside PyPokerEngine; those left out are not played."""
    sizes: Swept
    """The sweep of a threshold with each size of raises."""
    pairs: Lives
    tables: Lives
    seated: tuple[tuple[str, ...], ...]
    """Names of the bots at each table."""


class Husky(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    several: tuple[str, str]
    """A bot, and which it meets several of."""
    claim: tuple[str, str]
    """A sentence of the document as a match."""
    raises: tuple[str, ...]
    """Sizes of raises to sweep, of the bot and opponent of the first sweep."""
    thresholds: dict[str, str]
    sweeps: tuple[SweepPlan, ...]
    translation: Translation
    killer: Killer
    bots: tuple[Listed, ...]

    def rule(self, opponents: int) -> float:
        """Return the authors' threshold against some number of opponents.

        Examples
        --------
        >>> DATA.rule(16)  # 0.65 / 16 ** 0.25
        0.325
        """
        known = self.published
        factor, exponent = known["opponents_factor"].value, known["opponents_exponent"].value
        return float(factor * opponents**exponent)


DATA = load_data("husky", Husky)

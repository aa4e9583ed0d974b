"""What stands in recipe.toml."""

from riverboat.reproductions._recipe import ReproductionRecipe, Response, TomlTable, load_data


class OpenPureCfr(TomlTable, frozen=True):
    """Iterations a second of the program that the thesis follows."""

    leduc: int
    blind_cards: int


class Solved(TomlTable, frozen=True):
    """What the small blind wins in the solved game, mbb a hand."""

    low: float
    high: float
    where: str


class Bound(TomlTable, frozen=True):
    """How responses start whose winnings are the lower bound of exploitability."""

    prior: float
    """Visits that the measured strategy is worth to its response."""
    tried: tuple[float, ...]
    """All that were looked at before that one was chosen."""


class Namings(TomlTable, frozen=True):
    """Ways to name hands, as people read them."""

    every: str
    classes: str
    some: str
    """With a place for the number of buckets."""
    buckets: str


class Rival(TomlTable, frozen=True):
    """A CFR bot of another source document, trained for limit."""

    name: str
    label: str
    cards: str
    scheme: str
    bot: str = "blueprint"
    streets: int = 4


class Amounts(TomlTable, frozen=True):
    """How much an effort computes; times in processor seconds."""

    cards: str
    train_times: tuple[float, ...]
    response: Response
    value_deals: int
    speed_seconds: float
    exact_cards: str
    exact_deals: int
    exact_times: tuple[float, ...]
    exact_seeds: int
    same_time: float
    table_deals: int
    duel_deals: int
    three_menu: str
    three_cards: str
    three_time: float
    three_hands: int
    ranks: str
    suits: str
    deck_buckets: tuple[tuple[int, int], ...]
    deck_times: tuple[float, ...]
    deck_seeds: int
    fly_deals: int
    rivals: tuple[str, ...]
    hands: int
    bots: tuple[str, ...] = ()
    """Which built-in bots play; all if empty."""


class Yerevan(ReproductionRecipe[Amounts], frozen=True, kw_only=True):
    """The whole file."""

    training: str
    open_pure_cfr: OpenPureCfr
    solved: Solved
    bound: Bound
    namings: Namings
    schemes: dict[str, str]
    three_schemes: tuple[str, ...]
    """Of `schemes`, for three players; Pure first."""
    bots: dict[str, str]
    rival: tuple[Rival, ...]


DATA = load_data("yerevan", Yerevan)

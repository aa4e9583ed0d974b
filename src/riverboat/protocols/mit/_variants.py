"""Differences between years of Pokerbots: the game, the numbers, the letters.

The engine never sends them: they are constants in each year's skeleton.
"""

from dataclasses import dataclass, replace
from functools import cache

from riverboat.bots import try_to_sit
from riverboat.errors import ProtocolError, RiverboatError, did_you_mean
from riverboat.game import GameSpec, catalogue, catalogue_names

_HUSKY_LEVEL = 200


@dataclass(frozen=True, slots=True)
class Variant:
    """One year's engine.

    Attributes
    ----------
    name
        The year, or the engine's name.
    spec
        The game of the first round.
    rounds
        Rounds in a match.
    clock
        Seconds for all rounds.
    result
        Letter of the clause that ends a round.
    reds
        Whether cards are added to the board until a black card.
    own_game
        The exact game, for bots that play it, where `spec` is only an approximation.
    auction
        Whether a card is auctioned after the flop.
    tosses
        Whether each player tosses a card onto the board.
    grows
        Whether blinds grow with the rounds.
    """

    name: str
    spec: GameSpec
    rounds: int = 1000
    clock: float = 30.0
    result: str = "D"
    reds: bool = False
    auction: bool = False
    tosses: bool = False
    grows: bool = False
    own_game: GameSpec | None = None

    def spec_of(self, number: int) -> GameSpec:
        """Return the game of a round, counted from 1.

        Examples
        --------
        >>> [VARIANTS["husky"].spec_of(number).blinds for number in (1, 199, 200, 400)]
        [(10, 20), (10, 20), (25, 50), (50, 100)]
        """
        level = number // _HUSKY_LEVEL if self.grows else 0
        if not level:
            return self.spec
        return _at_level(self.spec, level)

    @property
    def game(self) -> str:
        """The game as `--game` names it, with the engine's chips.

        Examples
        --------
        >>> VARIANTS["2025"].game, VARIANTS["2026"].game
        ('nolimit-200bb with stacks of 400 and blinds 1/2', 'tossem-2026')
        """
        if self.spec.name in catalogue_names():
            return self.spec.name
        stack, (small, big) = self.spec.stacks[0], self.spec.blinds
        return f"nolimit-{stack // big}bb with stacks of {stack} and blinds {small}/{big}"

    def is_playable(self, number: int) -> bool:
        """Whether both players can post the blinds of a round: Husky's grow beyond the stacks."""
        return not self.grows or 50 * (number // _HUSKY_LEVEL) < self.spec.stacks[0]


@cache  # a clock of half a millisecond a round leaves no time to compile a game
def _at_level(spec: GameSpec, level: int) -> GameSpec:
    return spec.replace(name=f"husky level {level}", blinds=(25 * level, 50 * level))


def _holdem(name: str, stack: int = 400, small: int = 1, big: int = 2) -> GameSpec:
    return catalogue("nolimit-100bb").replace(name=name, stacks=(stack, stack), blinds=(small, big))


#: The supported engines.
VARIANTS = {
    variant.name: variant
    for variant in (
        Variant(
            "2023", _holdem("pokerbots-2023"), reds=True, own_game=catalogue("river-of-blood-2023")
        ),
        Variant("2024", _holdem("pokerbots-2024"), auction=True),
        Variant("2025", _holdem("pokerbots-2025"), clock=60.0),
        Variant("2026", catalogue("tossem-2026"), clock=60.0, result="A", tosses=True),
        Variant("husky", _holdem("husky", 1000, 10, 20), rounds=10_000, clock=5.0, grows=True),
    )
}


#: Years that are not supported, and why.
_MISSING = {
    "2020": "permutation hold'em, whose ranks have another order in every match",
    "2021": "a game that Riverboat does not have",
    "2022": "a game that Riverboat does not have",
}


def find_variant(name: str) -> Variant:
    """Return the variant of a year.

    Examples
    --------
    >>> find_variant("2026").spec.name
    'tossem-2026'
    """
    if name not in VARIANTS:
        listed, near = ", ".join(VARIANTS), did_you_mean(name, VARIANTS)
        if name in _MISSING:
            raise ProtocolError(f"Pokerbots {name} is {_MISSING[name]}: use {listed}")
        raise ProtocolError(f"{name[:40]!r} is not a year of Pokerbots{near}: use {listed}")
    return VARIANTS[name]


def variant_for(bot: str, name: str) -> Variant:
    """Return the variant of a year for a bot: with the exact game if the bot plays that.

    Examples
    --------
    >>> variant_for("fish", "2023").spec.name, variant_for("shark", "2023").spec.name
    ('river-of-blood-2023', 'pokerbots-2023')
    """
    variant = find_variant(name)
    if variant.own_game is None:
        return variant
    try:
        try_to_sit(bot, variant.own_game)
    except RiverboatError:
        return variant
    return replace(variant, spec=variant.own_game)

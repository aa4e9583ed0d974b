"""What a match is: game, bots, number of hands, seed. All that its result depends on.

Work is cut into *sessions* of a fixed number of deals, each with seeds of its own, so that the
result does not depend on how many processes share it. In a session every bot is made anew; with
duplicate deals the session is played once for each rotation of the seats, again with new bots, so
that no bot can remember a card.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from riverboat import __version__
from riverboat.arena._aivat import strategy_files
from riverboat.arena._deal_seed import DealSeed
from riverboat.bots import Bot, BotKind, BotRef
from riverboat.errors import ArenaError, GameError, RiverboatError
from riverboat.game import GameSpec, find_game
from riverboat.sandbox import Mode
from riverboat.settings import Settings, meaning

BotMaker = str | Callable[[int], Bot]

SESSION_DEALS = 500
SESSION_GAMES = 25
SLOW_DEALS = 10  # minutes of hands: what is stopped loses no more
# The life of a bot that learns: killer's chain of replacements takes 4,000 hands to its end.
LEARNING_DEALS = 5_000
_LEAST_SESSIONS = 10  # of a match of such bots: sessions are the units of its interval
#: Most hands, or games, of a match.
MOST_HANDS = 10**10
# Streams of seeds that never meet.
_DEALS, _BOTS, PAIRS, _HANDS, _TABLE, POINTS = 1, 2, 3, 4, 5, 6


def seeds_of(count: int, seed: int, stream: int, *place: int) -> list[int]:
    """Return seeds below 2^63 that depend on nothing but these numbers."""
    place += (0,) * (2 - len(place))
    words = (seed & 0xFFFFFFFF, seed >> 32, stream, *place)  # as many words for every seed
    states = np.random.SeedSequence(words).generate_state(count, np.uint64)
    return [int(state) >> 1 for state in states]


def bot_name(maker: BotMaker) -> str:
    """Return how a bot is called in results.

    Examples
    --------
    >>> from riverboat.bots import RandomBot
    >>> bot_name("checkcall"), bot_name(RandomBot)
    ('checkcall', 'RandomBot')
    """
    if isinstance(maker, str):
        return maker
    return str(getattr(maker, "__name__", None) or type(maker).__name__)


class MatchSettings(Settings, frozen=True):
    """A match of as many bots as the game has seats.

    `hide`, `record`, `correct`, `keep_going`, `sandbox` and `tournament` do not change what is
    played.

    Examples
    --------
    >>> settings = MatchSettings(("random", "checkcall"), "leduc", hands=1001, seed=7)
    >>> settings.num_deals, settings.num_sessions, settings.names
    (501, 2, ('random', 'checkcall'))
    """

    error: ClassVar[type[RiverboatError]] = ArenaError

    bots: Annotated[
        tuple[BotMaker, ...], meaning("by chair: names, Python files, or makers of bots")
    ]
    game: Annotated[GameSpec | str, meaning("a game of the catalogue, or a game file")] = (
        "nolimit-100bb"
    )
    hands: Annotated[
        int, meaning("hands, seat rotations counted; rounded up to whole deals", 0, MOST_HANDS)
    ] = 0
    games: Annotated[
        int, meaning("instead of hands: freeze-outs, stacks carried on", 0, MOST_HANDS)
    ] = 0
    rounds: Annotated[int, meaning("most hands of a freeze-out; most chips then win", 1, 10**6)] = (
        1_000
    )
    seed: Annotated[
        int, meaning("random seed of cards and bots; with a deal seed only a number", 0, 2**63 - 1)
    ] = 0
    duplicate: Annotated[bool, meaning("play each deal in every seat order")] = True
    session: Annotated[
        int, meaning("deals (or games) before a bot is made anew; 0 = see docs/arena.md", 0, 10**6)
    ] = 0
    time_limit: Annotated[
        Annotated[float, Meta(gt=0, le=86_400)], meaning("seconds for a decision")
    ] = 35.0
    memory_limit: Annotated[
        int, meaning("bytes of address space for a bot of a file", 1 << 26, 1 << 50)
    ] = 4 << 30
    sandbox: Annotated[
        Mode, meaning("how bots of files are confined (`riverboat doctor`, docs/security.md)")
    ] = "auto"
    hide: Annotated[
        tuple[str, ...], meaning("ledgers that bots of files may not see, besides the user's")
    ] = ()
    correct: Annotated[
        bool, meaning("also score all-in hands by the expectation over the cards to come")
    ] = True
    aivat: Annotated[bool, meaning("reduce variance by AIVAT (docs/aivat.md)")] = False
    record: Annotated[bool, meaning("keep the hands, for hand histories")] = False
    keep_going: Annotated[bool, meaning("play on with a bot that fails most decisions")] = False
    tournament: Annotated[
        int | None, meaning("seed of the tournament that the match is part of")
    ] = None
    deal_seed: Annotated[
        DealSeed | None, meaning("cards come from it instead of the seed; no bot can know it")
    ] = None

    def __post_init__(self) -> None:
        """Tidy, and refuse what cannot be played."""
        super().__post_init__()
        bots: object = self.bots
        if isinstance(bots, str) or not all(isinstance(b, str) or callable(b) for b in self.bots):
            raise ArenaError(f"bots are a list of names or makers of bots, not {self.bots!r}")
        if not 2 <= len(self.bots) <= 10:
            raise ArenaError(f"a table has 2 to 10 bots, not {len(self.bots)}")
        msgspec.structs.force_setattr(self, "bots", tuple(self.bots))
        if isinstance(self.game, str):
            msgspec.structs.force_setattr(self, "game", find_game(self.game, len(self.bots)))
        if self.spec.players != len(self.bots):
            raise ArenaError(
                f"the game has {self.spec.players} seats, and {len(self.bots)} bots came"
            )
        if (self.hands > 0) == (self.games > 0):
            raise ArenaError("a match has a number of hands or a number of games, one of them")
        self._check_aivat()

    def _check_aivat(self) -> None:
        """Refuse games whose hands AIVAT cannot score."""
        if not self.aivat:
            return
        from riverboat.evaluate import check_aivat_game  # noqa: PLC0415 - most matches need none

        check_aivat_game(self.spec)
        if self.carried:
            raise ArenaError("AIVAT scores hands with full stacks: take --hands, not --games")

    @property
    def spec(self) -> GameSpec:
        """The game."""
        if isinstance(self.game, str):  # it was looked up above
            raise ArenaError(f"{self.game!r} was not found")
        return self.game

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bots by chair; those that come twice get a number."""
        plain = [bot_name(bot) for bot in self.bots]
        return tuple(
            f"{name} #{plain[: i + 1].count(name)}" if plain.count(name) > 1 else name
            for i, name in enumerate(plain)
        )

    @property
    def carried(self) -> bool:
        """Whether stacks go on from hand to hand."""
        return self.games > 0

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return len(self.bots) if self.duplicate else 1

    @property
    def num_deals(self) -> int:
        """Deals, or games, with seeds of their own."""
        return -(-(self.hands or self.games) // self.rotations)

    @property
    def session_length(self) -> int:
        """Deals or games of a session."""
        if self.session or self.carried:
            return self.session or SESSION_GAMES
        kinds = [kind for kind in map(_kind, self.bots) if kind is not None]
        if any(kind.learns for kind in kinds):
            return min(max(SESSION_DEALS, self.num_deals // _LEAST_SESSIONS), LEARNING_DEALS)
        return SLOW_DEALS if any(kind.slow for kind in kinds) else SESSION_DEALS

    @property
    def num_sessions(self) -> int:
        """Sessions of the match; the last may be shorter."""
        return -(-self.num_deals // self.session_length)

    @property
    def keeps_hands(self) -> bool:
        """Whether hands are kept: if asked, and of what was dealt from a deal seed."""
        return self.record or self.deal_seed is not None

    def deal_seeds(self, session: int) -> list[int]:
        """Return the seeds of the deals (or games) of a session."""
        count = min(self.session_length, self.num_deals - session * self.session_length)
        return self._seeds(count, _DEALS, session)

    def hand_seed(self, game_seed: int, played: int) -> int:
        """Return the seed of a hand of a freeze-out; `played` hands came before it."""
        if self.deal_seed is None:
            return (game_seed + played) & (2**63 - 1)
        # Hands that are over must not tell the seed of those to come.
        return self.deal_seed.numbers(1, game_seed, _HANDS, played, 0)[0]

    def bot_seeds(self, session: int, rotation: int) -> list[int]:
        """Return the seed of each bot."""
        return self._seeds(len(self.bots), _BOTS, session, rotation)

    def table_seed(self, session: int, rotation: int) -> int:
        """Return the seed of what an engine draws besides cards."""
        if self.deal_seed is None:
            return self.bot_seeds(session, rotation)[0]
        return self._seeds(1, _TABLE, session, rotation)[0]

    def _seeds(self, count: int, stream: int, session: int, rotation: int = 0) -> list[int]:
        if self.deal_seed is None:
            return seeds_of(count, self.seed, stream, session, rotation)
        return self.deal_seed.numbers(count, self.seed, stream, session, rotation)

    def as_values(self) -> dict[str, Any]:
        """Return what the result depends on but its deal seed, and its tournament, for a ledger."""
        part: dict[str, Any] = {}
        if self.tournament is not None:
            part["tournament"] = self.tournament
        if self.aivat:  # the value is chosen before the match, and is another match if it changes
            from riverboat.evaluate import aivat_value_name  # noqa: PLC0415 - most matches need none

            part["aivat"] = aivat_value_name(self.spec, strategy_files(self.bots))
        return {
            "bots": [bot_name(bot) for bot in self.bots],
            "files": {bot: _fingerprint(file) for bot, file in _files(self.bots)},
            "game": asdict(self.spec),
            "hands": self.hands,
            "games": self.games,
            "rounds": self.rounds,
            "seed": self.seed,
            "duplicate": self.duplicate,
            "session": self.session_length,
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "correct": self.correct,
            "record": self.record,
            "version": __version__,
            **part,
        }

    def with_deal_seed(self, bots: Iterable[BotMaker] | None = None) -> "MatchSettings":
        """Return the settings with a deal seed if an outside bot is among `bots` (else: its own).

        Examples
        --------
        >>> MatchSettings(("fish", "random"), hands=2).with_deal_seed().deal_seed is None
        True
        """
        chosen = self.bots if bots is None else bots
        if self.deal_seed is not None or not any(map(is_outside, chosen)):
            return self
        return msgspec.structs.replace(self, deal_seed=DealSeed.draw())

    @property
    def key(self) -> str:
        """Short text that tells matches apart."""
        values = self.as_values()
        values.pop("tournament", None)  # a part of a tournament is played as a match is
        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_outside(bot: BotMaker) -> bool:
    """Return whether a bot runs code that is not ours to trust.

    Examples
    --------
    >>> is_outside("bots/mine.py"), is_outside("fish")
    (True, False)
    """
    return isinstance(bot, str) and BotRef.parse(bot).untrusted


def _kind(bot: BotMaker) -> BotKind | None:
    """What is known of a bot by name; None for files and makers, which need `session`."""
    if not isinstance(bot, str):
        return None
    try:
        ref = BotRef.parse(bot)
        return None if ref.untrusted else ref.kind
    except GameError:  # told when the bot is made
        return None


def _files(bots: tuple[BotMaker, ...]) -> Iterator[tuple[str, Path]]:
    """Yield the bots that are made from a file, and their files."""
    for bot in bots:
        files = BotRef.parse(bot).files if isinstance(bot, str) else []
        for file in files:
            yield (str(bot) if len(files) == 1 else f"{bot} {file.name}"), file


def _fingerprint(path: Path) -> str:
    """Return a checksum of a bot's file, so that an edited or retrained bot is another bot."""
    if not path.is_file():
        raise ArenaError(f"there is no file {str(path)!r}")
    return _digest(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, changed: int) -> str:
    """Checksum of a file as it was when last changed: a strategy may have a gigabyte."""
    del changed
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]

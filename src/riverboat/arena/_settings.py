"""Settings of a match: game, bots, number of hands, seed. Its result depends on nothing else.

A match is divided into *sessions* of a fixed number of deals with seeds of their own, so the result
does not depend on the number of processes. Every session creates its bots again. With duplicate
deals a session is played once for each rotation of the seats, each time with new bots, so that no
bot can remember a card.
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
SLOW_DEALS = 10  # for slow bots: a stopped match loses minutes at most
# For bots that learn: killer's chain of replacements needs 4,000 hands.
LEARNING_DEALS = 5_000
_LEAST_SESSIONS = 10  # with bots that learn: sessions are the units of the interval
#: Maximum number of hands, or games, of a match.
MOST_HANDS = 10**10
# Independent streams of seeds.
_DEALS, _BOTS, PAIRS, _HANDS, _TABLE, POINTS = 1, 2, 3, 4, 5, 6


def seeds_of(count: int, seed: int, stream: int, *place: int) -> list[int]:
    """Return seeds below 2^63 that depend only on these numbers."""
    place += (0,) * (2 - len(place))
    words = (seed & 0xFFFFFFFF, seed >> 32, stream, *place)  # as many words for every seed
    states = np.random.SeedSequence(words).generate_state(count, np.uint64)
    return [int(state) >> 1 for state in states]


def bot_name(maker: BotMaker) -> str:
    """Return the name of a bot in results.

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
    """Settings of a match of as many bots as the game has seats.

    `hide`, `record`, `correct`, `keep_going`, `sandbox` and `tournament` do not change the play.

    Examples
    --------
    >>> settings = MatchSettings(("random", "checkcall"), "leduc", hands=1001, seed=7)
    >>> settings.num_deals, settings.num_sessions, settings.names
    (501, 2, ('random', 'checkcall'))
    """

    error: ClassVar[type[RiverboatError]] = ArenaError

    bots: Annotated[
        tuple[BotMaker, ...], meaning("names, Python files or factories of bots, in seat order")
    ]
    game: Annotated[GameSpec | str, meaning("game of the catalogue, or game file")] = (
        "nolimit-100bb"
    )
    hands: Annotated[
        int, meaning("hands, including seat rotations; rounded up to whole deals", 0, MOST_HANDS)
    ] = 0
    games: Annotated[
        int, meaning("freeze-outs with carried stacks, instead of hands", 0, MOST_HANDS)
    ] = 0
    rounds: Annotated[
        int, meaning("maximum hands of a freeze-out; then the largest stack wins", 1, 10**6)
    ] = 1_000
    seed: Annotated[
        int, meaning("random seed of cards and bots (mixed with the deal seed)", 0, 2**63 - 1)
    ] = 0
    duplicate: Annotated[bool, meaning("play each deal in every seat order")] = True
    session: Annotated[
        int, meaning("deals (or games) until bots are created again (0 = default)", 0, 10**6)
    ] = 0
    time_limit: Annotated[
        Annotated[float, Meta(gt=0, le=86_400)], meaning("time limit per decision in seconds")
    ] = 35.0
    memory_limit: Annotated[
        int,
        meaning("memory limit (address space) of a bot from a file, in bytes", 1 << 26, 1 << 50),
    ] = 4 << 30
    sandbox: Annotated[
        Mode, meaning("sandbox for bots from files (`riverboat doctor`, docs/security.md)")
    ] = "auto"
    hide: Annotated[tuple[str, ...], meaning("more ledgers to hide from bots from files")] = ()
    correct: Annotated[bool, meaning("score all-in hands by all-in EV, too")] = True
    aivat: Annotated[bool, meaning("reduce variance by AIVAT (docs/aivat.md)")] = False
    record: Annotated[bool, meaning("keep the hands for hand histories")] = False
    keep_going: Annotated[bool, meaning("continue with bots that fail most decisions")] = False
    tournament: Annotated[
        int | None, meaning("seed of the tournament that the match is part of")
    ] = None
    deal_seed: Annotated[
        DealSeed | None, meaning("secret random seed of the cards, unknown to all bots")
    ] = None

    def __post_init__(self) -> None:
        """Look up the game and check that these bots can play it."""
        super().__post_init__()
        bots: object = self.bots
        if isinstance(bots, str) or not all(isinstance(b, str) or callable(b) for b in self.bots):
            raise ArenaError(
                f"bots={self.bots!r}: expected a list of names or of functions that create a bot"
            )
        if not 2 <= len(self.bots) <= 10:
            raise ArenaError(f"a match has 2 to 10 bots, not {len(self.bots)}")
        msgspec.structs.force_setattr(self, "bots", tuple(self.bots))
        if isinstance(self.game, str):
            msgspec.structs.force_setattr(self, "game", find_game(self.game, len(self.bots)))
        if self.spec.players != len(self.bots):
            raise ArenaError(
                f"the game has {self.spec.players} seats, but {len(self.bots)} bots are given"
            )
        if (self.hands > 0) == (self.games > 0):
            raise ArenaError(
                f"hands={self.hands}, games={self.games}: give exactly one of them a value above 0"
            )
        self._check_aivat()

    def _check_aivat(self) -> None:
        """Refuse games whose hands AIVAT cannot score."""
        if not self.aivat:
            return
        from riverboat.evaluate import check_aivat_game  # noqa: PLC0415 - most matches need none

        check_aivat_game(self.spec)
        if self.carried:
            raise ArenaError("AIVAT scores hands with full stacks: use --hands, not --games")

    @property
    def spec(self) -> GameSpec:
        """The game."""
        if isinstance(self.game, str):  # `__post_init__` has looked it up
            raise ArenaError(f"there is no game {self.game!r}")
        return self.game

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bots in seat order; equal names get a number."""
        plain = [bot_name(bot) for bot in self.bots]
        return tuple(
            f"{name} #{plain[: i + 1].count(name)}" if plain.count(name) > 1 else name
            for i, name in enumerate(plain)
        )

    @property
    def carried(self) -> bool:
        """Whether stacks carry over from hand to hand."""
        return self.games > 0

    @property
    def rotations(self) -> int:
        """Number of times that each deal is played."""
        return len(self.bots) if self.duplicate else 1

    @property
    def num_deals(self) -> int:
        """Number of deals, or games, each with its own seed."""
        return -(-(self.hands or self.games) // self.rotations)

    @property
    def session_length(self) -> int:
        """Number of deals, or games, in a session."""
        if self.session or self.carried:
            return self.session or SESSION_GAMES
        kinds = [kind for kind in map(_kind, self.bots) if kind is not None]
        if any(kind.learns for kind in kinds):
            return min(max(SESSION_DEALS, self.num_deals // _LEAST_SESSIONS), LEARNING_DEALS)
        return SLOW_DEALS if any(kind.slow for kind in kinds) else SESSION_DEALS

    @property
    def num_sessions(self) -> int:
        """Number of sessions; the last may be shorter."""
        return -(-self.num_deals // self.session_length)

    @property
    def keeps_hands(self) -> bool:
        """Whether hands are kept: with `record`, and if they are dealt from a deal seed."""
        return self.record or self.deal_seed is not None

    def deal_seeds(self, session: int) -> list[int]:
        """Return the seeds of the deals (or games) of a session."""
        count = min(self.session_length, self.num_deals - session * self.session_length)
        return self._seeds(count, _DEALS, session)

    def hand_seed(self, game_seed: int, played: int) -> int:
        """Return the seed of a hand of a freeze-out; `played` hands came before it."""
        if self.deal_seed is None:
            return (game_seed + played) & (2**63 - 1)
        # The seed of a finished hand must not reveal the next one.
        return self.deal_seed.numbers(1, game_seed, _HANDS, played, 0)[0]

    def bot_seeds(self, session: int, rotation: int) -> list[int]:
        """Return the seed of each bot."""
        return self._seeds(len(self.bots), _BOTS, session, rotation)

    def table_seed(self, session: int, rotation: int) -> int:
        """Return the seed of an engine's random draws other than cards."""
        if self.deal_seed is None:
            return self.bot_seeds(session, rotation)[0]
        return self._seeds(1, _TABLE, session, rotation)[0]

    def _seeds(self, count: int, stream: int, session: int, rotation: int = 0) -> list[int]:
        if self.deal_seed is None:
            return seeds_of(count, self.seed, stream, session, rotation)
        return self.deal_seed.numbers(count, self.seed, stream, session, rotation)

    def as_values(self) -> dict[str, Any]:
        """Return the settings that the result depends on, for a ledger; not the deal seed."""
        part: dict[str, Any] = {}
        if self.tournament is not None:
            part["tournament"] = self.tournament
        if self.aivat:  # another value function makes another match
            from riverboat.evaluate import aivat_value_name  # noqa: PLC0415 - most matches need none

            part["aivat"] = aivat_value_name(self.spec, strategy_files(self.bots, self.spec))
        return {
            "bots": [bot_name(bot) for bot in self.bots],
            "files": {bot: _fingerprint(file) for bot, file in _files(self)},
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
        """Return the settings with a new deal seed if an outside bot plays.

        `bots` are the bots to check, by default those of the match.

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
        """Hash that identifies the match."""
        values = self.as_values()
        values.pop("tournament", None)  # it does not change the play
        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_outside(bot: BotMaker) -> bool:
    """Return whether a bot runs untrusted code, such as a Python file.

    Examples
    --------
    >>> is_outside("bots/mine.py"), is_outside("fish")
    (True, False)
    """
    return isinstance(bot, str) and BotRef.parse(bot).untrusted


def _kind(bot: BotMaker) -> BotKind | None:
    """Return the kind of a bot; None for files and factories."""
    if not isinstance(bot, str):
        return None
    try:
        ref = BotRef.parse(bot)
        return None if ref.untrusted else ref.kind
    except GameError:  # reported when the bot is created
        return None


def _files(match: MatchSettings) -> Iterator[tuple[str, Path]]:
    """Yield each bot that plays from a file, with the file; carried stacks may need any depth."""
    for bot in match.bots:
        if not isinstance(bot, str):
            continue
        ref = BotRef.parse(bot)
        files = ref.files if match.games else ref.files_for(match.spec)
        for file in files:
            yield (str(bot) if len(files) == 1 else f"{bot} {file.name}"), file


def _fingerprint(path: Path) -> str:
    """Return a checksum of a bot's file: an edited or retrained bot counts as another bot."""
    if not path.is_file():
        raise ArenaError(f"there is no file {str(path)!r}")
    return _digest(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, changed: int) -> str:
    """Return the checksum of a file; cached by time of change, since strategies are large."""
    del changed
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]

"""The conformance test of bots: legal moves, in time, repeatable.

A bot plays some hands in each seat of several games, twice with the same seed. It must answer in
time, with legal moves, and must repeat its moves. It may refuse a game with a `GameError` at its
first decision there.

`check_bot` runs a bot in its own process. A bot that hangs, ends its process or crashes Python
fails only the current game, and the test continues with the next one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Final, Literal

from riverboat.bots._bot import Bot, Hook, tell
from riverboat.bots._outside import MEMORY, PATIENT_SECONDS, BotError, OutsideBot
from riverboat.bots._prints import prints_file
from riverboat.bots._process import own_traceback, refuses
from riverboat.bots._ref import BotRef, make_bot
from riverboat.bots._simple_bots import RandomBot
from riverboat.errors import ArenaError, GameError, RiverboatError, in_words, one_line
from riverboat.game import Action, GameSpec, Hand, View, find_game
from riverboat.report import Columns, Framed, columns_of
from riverboat.sandbox import Mode

Outcome = Literal["passed", "refused", "failed"]
TrialGame = tuple[str, int]
#: Games of the test, with their numbers of seats.
GAMES: Final[tuple[TrialGame, ...]] = (
    ("nolimit-100bb", 2),
    ("nolimit-100bb", 3),
    ("nolimit-100bb", 6),
    ("limit", 2),
    ("potlimit", 4),
    ("short-deck", 2),
    ("cardiff", 2),
    ("discard-2017", 2),
    ("tossem-2026", 2),
    ("kuhn", 2),
    ("leduc", 2),
)


@dataclass(frozen=True, slots=True)
class GameCheck:
    """The result of a bot in one game.

    Attributes
    ----------
    game, seats
        The game and its number of seats.
    outcome
        `passed`, `refused` (the bot does not play this game) or `failed`.
    reason
        Why the bot failed or refused; else empty.
    hands, decisions
        Number of hands and decisions.
    slowest
        Seconds of the slowest decision.
    traceback
        Python's traceback of an error in the bot's code; else empty.
    """

    game: str
    seats: int
    outcome: Outcome
    reason: str = ""
    hands: int = 0
    decisions: int = 0
    slowest: float = 0.0
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class ConformanceReport(Framed):
    """The results of a bot in all games."""

    bot: str
    seed: int
    checks: tuple[GameCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether it plays at least one game, and fails in none."""
        outcomes = {check.outcome for check in self.checks}
        return "passed" in outcomes and "failed" not in outcomes

    def frame_columns(self) -> Columns:
        """Return a row for each game."""
        return columns_of([asdict(check) for check in self.checks])


class _RefusedError(Exception):
    """The bot does not play this game."""


class _FailedError(Exception):
    """The bot broke a rule."""

    traceback = ""


def check_game(
    bot: str,
    game: TrialGame,
    hands: int = 20,
    seed: int = 0,
    make: Callable[[str, int], Bot] = make_bot,
) -> GameCheck:
    """Test a bot in one game.

    Parameters
    ----------
    bot
        Name of the bot; see `make_bot`.
    game
        Name of the game (see `find_game`) and number of seats.
    hands
        Number of hands in each seat; they are played twice.
    seed
        Seed of the bot, the cards and the opponents, who play at random.
    make
        Creates the bot from its name and the seed.

    Examples
    --------
    >>> check_game("shark", ("limit", 2), hands=5).outcome
    'passed'
    >>> check_game("rule-based", ("kuhn", 2), hands=5).reason
    "rule-based plays only hold'em with two hole cards"
    """
    trial = _Trial(find_game(*game))
    try:
        first = trial.play(make(bot, seed), hands, seed)
        second = trial.play(make(bot, seed), hands, seed)
        _compare(first, second)
    except BotError as error:
        return trial.result(game, "failed", f"the bot cannot be created: {error}")
    except _RefusedError as refusal:
        return trial.result(game, "refused", str(refusal))
    except _FailedError as failure:
        return replace(trial.result(game, "failed", str(failure)), traceback=failure.traceback)
    return trial.result(game, "passed")


class _Trial:
    """Hands of one bot in one game."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._hands = self._decisions = 0
        self._slowest = 0.0

    def result(self, game: TrialGame, outcome: Outcome, reason: str = "") -> GameCheck:
        """Return the result of the game."""
        name, seats = game
        return GameCheck(name, seats, outcome, reason, self._hands, self._decisions, self._slowest)

    def play(self, bot: Bot, hands: int, seed: int) -> list[str]:
        """Play hands in each seat and return their full lines."""
        lines = []
        for number in range(hands * self._spec.players):
            seat = number % self._spec.players
            others = RandomBot(seed + number)
            lines.append(self._play_hand(bot, seat, others, seed + number))
        return lines

    def _play_hand(self, bot: Bot, seat: int, others: Bot, seed: int) -> str:
        hand = Hand(self._spec, seed=seed)
        where = f"hand {seed}, seat {seat}"
        self._tell(bot, "hand_started", hand.view(seat), where)
        while (actor := hand.actor) is not None:
            if actor == seat:
                hand.do(self._ask(bot, hand, hand.view(seat), where))
            else:
                hand.do(others.act(hand.view(actor)))
        self._tell(bot, "hand_over", hand.view(seat), where)
        self._hands += 1
        return hand.full_line

    def _ask(self, bot: Bot, hand: Hand, view: View, where: str) -> str | Action:
        """Get one move from the bot and check that it is legal."""
        start = perf_counter()
        try:
            move = bot.act(view)
        except Exception as error:
            refusal = error.refusal if isinstance(error, BotError) else refuses(error)
            if refusal and self._decisions == 0:
                raise _RefusedError(str(error)) from error
            raise _raised(error, f"act, {where}, after {view.line!r}") from error
        self._slowest = max(self._slowest, perf_counter() - start)
        self._decisions += 1
        if not isinstance(move, str | Action) or not _is_legal(hand, move):
            allowed = ", ".join(view.legal)
            raise _FailedError(
                f"the move {move!r} is illegal in {where}, after {view.line!r}; legal: {allowed}"
            )
        return move

    @staticmethod
    def _tell(bot: Bot, hook: Hook, view: View, where: str) -> None:
        try:
            tell(bot, hook, view)
        except Exception as error:
            raise _raised(error, f"{hook}, {where}") from error


def _is_legal(hand: Hand, move: str | Action) -> bool:
    try:
        return hand.can(move)
    except GameError:
        return False


def _compare(first: Sequence[str], second: Sequence[str]) -> None:
    """Fail a bot whose moves differ with the same seed."""
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            raise _FailedError(
                f"the bot is not repeatable: with the same seed, hand {number} was {one!r} and "
                f"then {other!r}"
            )


def _raised(error: Exception, where: str) -> _FailedError:
    """Return a failure with the traceback of the bot's own code."""
    if not isinstance(error, BotError):
        failure = _FailedError(f"{in_words(error)}, in {where}")
        failure.traceback = own_traceback(error, ours=1)
        return failure
    in_its_code = error.kind in ("raised", "memory")
    failure = _FailedError(f"{error}, in {where}" if in_its_code else str(error))
    lines = [one_line(line, 1_000) for line in error.traceback.splitlines()]  # untrusted text
    failure.traceback = "".join(f"{line}\n" for line in lines)
    return failure


def check_bot(  # noqa: PLR0913 - the docstring names them
    bot: str,
    games: Sequence[TrialGame] = GAMES,
    hands: int = 20,
    seed: int = 0,
    limit: float = 35.0,
    *,
    sandbox: Mode = "auto",
) -> Iterator[GameCheck]:
    """Test a bot game by game, in its own process.

    Parameters
    ----------
    bot
        Name of the bot; see `make_bot`.
    games
        Names of games (see `find_game`) and numbers of seats.
    hands
        Number of hands in each seat of each game; they are played twice.
    seed
        Seed of the bot, the cards and the opponents, who play at random.
    limit
        Time limit per decision in seconds.
    sandbox
        Sandbox of a bot from a file: `auto`, `off` or `required`.

    Yields
    ------
    GameCheck
        The result in each game, in order.

    Raises
    ------
    GameError
        If the bot does not exist, or raises an error when it is created. A file that stalls or ends
        Python when it is loaded fails every game.
    ArenaError
        If the sandbox is required and not available.

    Examples
    --------
    >>> [check.outcome for check in check_bot("fish", [("kuhn", 2)], hands=1)]
    ['passed']
    """
    if hands < 1 or not limit > 0:  # `not` refuses nan, too
        raise GameError(f"hands={hands} and limit={limit:g} must be above 0")
    if limit > PATIENT_SECONDS:
        raise GameError(f"limit={limit:g}: a decision may take at most {PATIENT_SECONDS:g} s")
    ref = BotRef.parse(bot)
    if ref.untrusted:
        prints_file(bot).unlink(missing_ok=True)
    else:
        ref.make(seed)  # reports a wrong name at once
    left = list(games)
    while left:
        try:
            player = OutsideBot(bot, seed, limit, MEMORY, sandbox, trusted=not ref.untrusted)
        except ArenaError as error:
            reason = _why_not_made(error)
            yield from (GameCheck(*game, "failed", reason) for game in left)
            return
        with closing(player):
            while left:
                check = _check_outside(player, bot, left.pop(0), hands, seed)
                yield check
                if check.outcome == "failed":  # the next game has a new process
                    break


def _why_not_made(error: ArenaError) -> str:
    """Return why the process of a bot failed; raise errors of the bot's code and of ours."""
    cause = error.__cause__
    if not isinstance(cause, BotError):
        raise error
    if cause.kind == "raised":
        raise GameError(str(cause)) from error
    return f"the bot cannot be created: {cause}"


def _check_outside(
    player: OutsideBot, bot: str, game: TrialGame, hands: int, seed: int
) -> GameCheck:
    def make(_bot: str, _seed: int) -> Bot:
        player.renew()
        return player

    try:
        return check_game(bot, game, hands, seed, make)
    except RiverboatError as error:
        return GameCheck(*game, "failed", in_words(error))

"""Local best response (LBR) in the real game: a lower bound on the exploitability of a bot.

Each deal is played twice, with the responder in either seat; such a pair is the unit of the
confidence interval. Deals and random numbers depend only on the seed and the number of the deal, so
a run has the same result on any number of processes, and can be stopped and resumed. Each line of
the log has a block of deals. A file may have lines of several runs; each run resumes its own.
"""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from riverboat.bots import BotRef, make_bot
from riverboat.errors import GameError
from riverboat.evaluate._lbr_hand import (
    LBR_PRESETS,
    LbrHand,
    LocalResponder,
    check_lbr_game,
    parse_lbr_set,
)
from riverboat.game import GameSpec, Hand, find_game
from riverboat.report import Columns, Framed
from riverboat.runs import PieceLog, Stop, num_workers, run_jobs
from riverboat.solve import whole_number
from riverboat.statistics import Estimate, estimate_columns, mean_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Note for every place that shows a result of LBR.
NO_PROOF: Final = (
    "Local best response is one opponent: what it wins the bot can lose, but a low or negative "
    "number proves nothing."
)

_DEALS: Final = 25  # deals per block: a few tenths of a second
_SLOW_DEALS: Final = 1  # for a bot that solves: about a minute
_MOST_HANDS: Final = 1_000_000_000
_MOST_WORKERS: Final = 1024


@dataclass(frozen=True)
class LbrResult(Framed):
    """Winnings of a local best response.

    Attributes
    ----------
    bot, game, set, seed
        The settings; the set is written street by street.
    hands
        Played hands, half of them in each seat.
    won
        Winnings in mbb/hand, variance-reduced; the unit of the interval is a deal, played in both
        seats.
    seats
        Winnings by the responder's seat.
    plain
        Winnings without variance reduction.
    finished
        Whether all requested hands were played.
    """

    bot: str
    game: str
    set: str
    seed: int
    hands: int
    won: Estimate
    seats: tuple[Estimate, Estimate]
    plain: Estimate
    finished: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "bot": self.bot,
            "game": self.game,
            "set": self.set,
            "seed": self.seed,
            "hands": self.hands,
            "mbb": self.won.as_values(),
            "by_seat": [seat.as_values() for seat in self.seats],
            "mbb_plain": self.plain.as_values(),
            "finished": self.finished,
        }

    def frame_columns(self) -> Columns:
        """Return one row."""
        values = {"bot": [self.bot], "set": [self.set], "hands": [self.hands]}
        return {**values, **estimate_columns("mbb", [self.won])}


def local_best_response(  # noqa: PLR0913 - options by keyword
    bot: str | object,
    sets: str = "nine",
    *,
    game: str | GameSpec = "nolimit-100bb",
    hands: int = 2000,
    seed: int = 1,
    workers: int | None = None,
    log: Path | str | None = None,
    resume: bool = False,
    progress: Callable[[int, int, Estimate], object] | None = None,
) -> LbrResult:
    """Let a local best response (LBR) play against a bot.

    Ctrl-C stops early and returns the result so far.

    Parameters
    ----------
    bot
        A bot's text, such as `blueprint` or `blueprint:mine.blueprint,threshold=0`; or a bot object
        with known strategies (`riverboat.bots.RangeBot`), which plays in this process.
    sets
        Actions of the responder: a preset (`fc`, `fcpa`, `nine`, `flop`, `odd`, `56`, `own`), or
        the sets of the four streets, such as `c-c-nine-nine`.
    game
        Hold'em for two players with equal stacks, without rake.
    hands
        Number of hands; an odd number is rounded up.
    seed
        Random seed of deals and actions.
    workers
        Processes; 0 or None: all cores.
    log
        File to which every block of deals is appended as a line of JSON.
    resume
        Continue with the blocks of this run that the log has.
    progress
        Called after each block with played hands, all hands, and mbb/hand so far.

    Examples
    --------
    >>> local_best_response("fold", "fcpa", hands=20, workers=1).plain.mean  # 0.75 big blinds
    750.0
    """
    spec = find_game(game) if isinstance(game, str) else game
    check_lbr_game(spec)
    parse_lbr_set(sets)
    deals = -(-whole_number("hands", hands, 2, _MOST_HANDS) // 2)
    seed = whole_number("seed", seed, 0, 2**64 - 1)
    if workers is not None:
        whole_number("workers", workers, 0, _MOST_WORKERS)
    run = _run_keys(bot, spec, LBR_PRESETS.get(sets, sets), seed)
    kept = PieceLog(None if log is None else Path(log), run, _Block, resume=resume)
    played = _Played(run, spec, deals, kept)
    at_once = _SLOW_DEALS if _is_slow(bot) else _DEALS
    jobs = (_Job(bot, spec, sets, seed, *each) for each in played.missing(at_once))
    named = isinstance(bot, str)
    with (
        Stop() as stop,
        closing(
            run_jobs(
                _play_block,
                jobs,
                workers or num_workers() if named else 1,
                name="local best response",
                retries=2,
                # A block of a bot that searches takes minutes, so Ctrl-C does not wait for it.
                stopped=(lambda: stop.asked) if named else None,
            )
        ) as results,
    ):
        for _, block in results:
            played.add(block)
            if progress is not None:
                now = played.result()
                progress(now.hands, 2 * deals, now.won)
            if stop.asked:
                break
    return played.result()


def _run_keys(bot: str | object, spec: GameSpec, sets: str, seed: int) -> dict[str, Any]:
    """The values that identify a run; a strategy file is identified by its checksum."""
    if isinstance(bot, str) and BotRef.parse(bot).untrusted:
        raise GameError(
            f"{bot} is a bot of a Python file, which runs in its own process and cannot give the "
            "strategies of all hands: call riverboat.evaluate.local_best_response with a bot object"
        )
    player = make_bot(bot, 0) if isinstance(bot, str) else bot
    if (build := getattr(player, "build_tables", None)) is not None:
        build(None, spec)
    files = BotRef.parse(bot).files_for(spec) if isinstance(bot, str) else _files(bot)
    whole = b"".join(Path(file).read_bytes() for file in files)
    digest = hashlib.sha256(whole).hexdigest()[:16] if whole else ""
    name = bot if isinstance(bot, str) else type(bot).__name__
    return {"bot": name, "strategy": digest, "game": spec.name, "set": sets, "seed": seed}


def _files(bot: object) -> list[Path]:
    """The strategy file of a bot object, if it has one."""
    path = getattr(getattr(getattr(bot, "query", None), "source", None), "path", None)
    return [] if path is None else [path]


@dataclass(frozen=True)
class _Job:
    """A block of deals."""

    bot: str | object
    spec: GameSpec
    sets: str
    seed: int
    first: int
    last: int


class _Block(msgspec.Struct):
    """Winnings on some deals, in chips, by the responder's seat; a line of the log."""

    deal: int
    """Number of the first deal."""
    chips: list[tuple[float, float]]
    luck: list[tuple[float, float]]

    def __post_init__(self) -> None:
        """Check that all numbers are finite, and that there are as many of both kinds."""
        if not np.isfinite([*self.chips, *self.luck]).all() or len(self.chips) != len(self.luck):
            raise ValueError("a block must have two finite numbers per deal in chips and in luck")


class _Played:
    """The played deals of a run."""

    def __init__(
        self, run: dict[str, Any], spec: GameSpec, deals: int, log: PieceLog[_Block]
    ) -> None:
        self._run, self._spec, self._deals, self._log = run, spec, deals, log
        self._won: dict[int, tuple[tuple[float, float], tuple[float, float]]] = {}
        for block in log.done:
            self._take(block)

    def missing(self, at_once: int) -> Iterator[tuple[int, int]]:
        """Yield first and last deal of the blocks that are not played yet."""
        for first in range(0, self._deals, at_once):
            last = min(first + at_once, self._deals)
            if not all(deal in self._won for deal in range(first, last)):
                yield first, last

    def add(self, block: _Block) -> None:
        """Add a block, and append it to the log."""
        self._take(block)
        self._log.add(block)

    def _take(self, block: _Block) -> None:
        self._won.update(enumerate(zip(block.chips, block.luck, strict=True), block.deal))

    def result(self) -> LbrResult:
        """Return the result of the requested deals so far."""
        deals = [self._won[deal] for deal in sorted(self._won) if deal < self._deals]
        hands = np.array(deals).reshape(-1, 2, 2)
        chips, luck = np.moveaxis(hands, 1, 0) * (1000 / self._spec.big_blind)
        won = chips - luck
        return LbrResult(
            **{name: self._run[name] for name in ("bot", "game", "set", "seed")},
            hands=2 * len(won),
            won=mean_estimate(won.mean(axis=1)),
            seats=(mean_estimate(won[:, 0]), mean_estimate(won[:, 1])),
            plain=mean_estimate(chips.mean(axis=1)),
            finished=len(won) == self._deals,
        )


def _is_slow(bot: str | object) -> bool:
    """Whether a bot needs seconds for a decision."""
    return BotRef.parse(bot).kind.slow if isinstance(bot, str) else False


def _play_block(job: _Job) -> _Block:
    """Play the deals of a block, in both seats."""
    if isinstance(job.bot, str):
        responder, spec = _responder(job.bot, job.spec, job.sets)
    else:
        responder, spec = LocalResponder(job.bot, parse_lbr_set(job.sets)), job.spec
    chips, luck = [], []
    for deal in range(job.first, job.last):
        one, other = (_play(responder, spec, job.seed, deal, seat) for seat in (0, 1))
        chips.append((one.chips, other.chips))
        luck.append((one.luck, other.luck))
    return _Block(job.first, chips, luck)


@lru_cache(maxsize=4)
def _responder(bot: str, spec: GameSpec, sets: str) -> tuple[LocalResponder, GameSpec]:
    """Return the responder of this process; the bot caches its strategies."""
    return LocalResponder(make_bot(bot, 0), parse_lbr_set(sets)), spec


def _play(responder: LocalResponder, spec: GameSpec, seed: int, deal: int, seat: int) -> LbrHand:
    (cards,) = np.random.SeedSequence([seed, deal]).generate_state(1, np.uint64).tolist()
    draws = np.random.default_rng([seed, deal, seat, 1])
    return responder.play(Hand(spec, seed=cards), seat, draws)

"""Local best response in the real game: a lower bound on what a bot can lose, from real hands.

Each deal is played twice, with the responder in either seat; the pair is the unit of the interval.
Deals and draws depend on the seed and the number of the deal alone, so that a run gives the same
numbers on any number of processes and may be stopped and gone on with. Its log has a line for some
deals. One file may hold several settings, bots and seeds; a run takes up its own. A deal is the
same in whatever block it is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeGuard

import numpy as np

from riverboat.bots import BotRef, make_bot
from riverboat.errors import GameError, SolveError
from riverboat.evaluate._lbr_hand import (
    LBR_PRESETS,
    LbrHand,
    LocalResponder,
    check_lbr_game,
    parse_lbr_set,
)
from riverboat.files import json_lines
from riverboat.game import GameSpec, Hand, find_game
from riverboat.report import Columns, Framed
from riverboat.runs import RunLog, Stop, num_workers, run_jobs
from riverboat.solve import whole_number
from riverboat.statistics import Estimate, estimate_columns, mean_estimate


class LbrLog:
    """Deals that were played.

    Parameters
    ----------
    path
        The file; None keeps nothing.
    run
        What tells this run from others: bot, strategy, game, set and seed.
    resume
        Whether deals of this run that the file has are taken up. Without it they are refused.

    Attributes
    ----------
    deals
        By number, what was won in both seats.
    """

    def __init__(self, path: Path | None, run: Mapping[str, Any], *, resume: bool) -> None:
        self._run = dict(run)
        self._log = None if path is None else RunLog(path, kept=None)
        self.deals: dict[int, list[LbrHand]] = {}
        if path is None:
            if resume:
                raise SolveError("there is nothing to go on with: name the log of the run")
            return
        own = [line for line in json_lines(path, _is_block) if self._run.items() <= line.items()]
        if own and not resume:
            raise SolveError(
                f"{path} has {len(own)} lines of this run already: go on with them (--resume), or "
                "take another file"
            )
        for line in own:
            self._take(line["deal"], _hands(line))

    def add(self, first: int, hands: list[list[LbrHand]]) -> None:
        """Keep deals from a first one on: what was won on each, in both seats."""
        self._take(first, hands)
        if self._log is not None:
            chips = [[hand.chips for hand in deal] for deal in hands]
            luck = [[hand.luck for hand in deal] for deal in hands]
            self._log.write({**self._run, "deal": first, "chips": chips, "luck": luck})

    def _take(self, first: int, hands: list[list[LbrHand]]) -> None:
        self.deals.update(enumerate(hands, first))


def _hands(line: dict[str, Any]) -> list[list[LbrHand]]:
    """The hands of a line, by deal."""
    deals = zip(line["chips"], line["luck"], strict=True)
    return [list(map(LbrHand, *deal)) for deal in deals]


def _is_block(line: Any) -> bool:
    """Whether a JSON value is some deals."""
    if not isinstance(line, dict) or not isinstance(line.get("deal"), int):
        return False
    chips, luck = line.get("chips"), line.get("luck")
    return _are_pairs(chips) and _are_pairs(luck) and len(chips) == len(luck)


def _are_pairs(values: Any) -> TypeGuard[list[list[float]]]:
    """Whether a JSON value has two numbers for each deal."""
    return isinstance(values, list) and all(
        isinstance(deal, list)
        and len(deal) == 2
        and all(isinstance(won, int | float) and isfinite(won) for won in deal)
        for deal in values
    )


#: What must be said wherever such a number is shown.
NO_PROOF: Final = (
    "Local best response is one opponent: what it wins the bot can lose, but a low or negative "
    "number proves nothing."
)

_DEALS: Final = 25  # of a block: a few tenths of a second
_SLOW_DEALS: Final = 1  # a minute, where a bot solves for every size
_MOST_HANDS: Final = 1_000_000_000

LbrProgress = Callable[[int, int, Estimate], object]
"""Called with hands played, hands in all, and mbb a hand so far."""


@dataclass(frozen=True)
class LbrResult(Framed):
    """What a local best response won.

    Attributes
    ----------
    bot, game, set, seed
        What was asked; the set is written out, street by street.
    hands
        Hands played, half of them in each seat.
    won
        Milli big blinds a hand, less luck; the unit of the interval is a deal, played in both
        seats.
    seats
        The same by the responder's seat.
    plain
        With luck: as it was played.
    finished
        Whether all hands that were asked for were played.
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
        """Return it as JSON values."""
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


def local_best_response(  # noqa: PLR0913 - what is measured, how long, and where it is kept
    bot: str | object,
    sets: str = "nine",
    *,
    game: str | GameSpec = "nolimit-100bb",
    hands: int = 2000,
    seed: int = 1,
    workers: int | None = None,
    log: Path | str | None = None,
    resume: bool = False,
    progress: LbrProgress | None = None,
) -> LbrResult:
    """Let a local best response play against a bot.

    Ctrl-C ends it with what there is.

    Parameters
    ----------
    bot
        A bot's text, such as `blueprint` or `blueprint:mine.blueprint,threshold=0`; or a bot that
        tells its strategies (`riverboat.bots.RangeBot`), which plays in this process.
    sets
        What the responder may do: a preset (`fc`, `fcpa`, `nine`, `flop`, `odd`, `56`, `own`), or
        the sets of the four streets, such as `c-c-nine-nine`.
    game
        Hold'em of two players with equal stacks, without rake.
    hands
        An even number of them is played.
    seed
        Of deals and draws.
    workers
        Processes; all cores by default.
    log
        A file that every block of deals is appended to, as JSON lines.
    resume
        Take up the blocks of this run that the log has.
    progress
        Called after each block.

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
    run = _run_keys(bot, spec, LBR_PRESETS.get(sets, sets), seed)
    kept = LbrLog(None if log is None else Path(log), run, resume=resume)
    played = _Played(run, spec, kept, deals)
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
                # A block of a bot that searches takes minutes: the workers are not waited for.
                stopped=(lambda: stop.asked) if named else None,
            )
        ) as results,
    ):
        for job, hands_played in results:
            kept.add(job.first, hands_played)
            if progress is not None:
                progress(played.hands, 2 * deals, played.result().won)
            if stop.asked:
                break
    return played.result()


def _run_keys(bot: str | object, spec: GameSpec, sets: str, seed: int) -> dict[str, Any]:
    """What tells one run from another; a strategy file is told by its contents."""
    if isinstance(bot, str) and BotRef.parse(bot).untrusted:
        raise GameError(
            f"{bot} is a bot of a Python file, which runs in a process of its own and is asked for "
            "one hand only: use riverboat.evaluate.local_best_response with the bot itself"
        )
    made = make_bot(bot, 0) if isinstance(bot, str) else bot
    if (build := getattr(made, "build_tables", None)) is not None:
        build()
    path = getattr(getattr(getattr(made, "query", None), "source", None), "path", None)
    digest = "" if path is None else hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    name = bot if isinstance(bot, str) else type(bot).__name__
    return {"bot": name, "strategy": digest, "game": spec.name, "set": sets, "seed": seed}


@dataclass(frozen=True)
class _Job:
    """A block of deals."""

    bot: str | object
    spec: GameSpec
    sets: str
    seed: int
    first: int
    last: int


@dataclass(frozen=True)
class _Played:
    """The deals of a run, as far as they are played."""

    run: dict[str, Any]
    spec: GameSpec
    log: LbrLog
    deals: int

    def missing(self, at_once: int) -> Iterator[tuple[int, int]]:
        """First and last deal of the blocks that are not played."""
        for first in range(0, self.deals, at_once):
            last = min(first + at_once, self.deals)
            if not all(deal in self.log.deals for deal in range(first, last)):
                yield first, last

    @property
    def hands(self) -> int:
        """Hands played."""
        return 2 * len(self._own())

    def _own(self) -> list[int]:
        """The deals that are played, of those that were asked for."""
        return sorted(deal for deal in self.log.deals if deal < self.deals)

    def result(self) -> LbrResult:
        """What was won so far."""
        hands = np.array([self.log.deals[deal] for deal in self._own()]).reshape(-1, 2, 2)
        chips, luck = np.moveaxis(hands, 2, 0) * (1000 / self.spec.big_blind)
        won = chips - luck
        run = self.run
        return LbrResult(
            bot=run["bot"],
            game=run["game"],
            set=run["set"],
            seed=run["seed"],
            hands=2 * len(won),
            won=mean_estimate(won.mean(axis=1)),
            seats=(mean_estimate(won[:, 0]), mean_estimate(won[:, 1])),
            plain=mean_estimate(chips.mean(axis=1)),
            finished=len(won) == self.deals,
        )


def _is_slow(bot: str | object) -> bool:
    """Whether a bot takes seconds for a decision."""
    return BotRef.parse(bot).kind.slow if isinstance(bot, str) else False


def _play_block(job: _Job) -> list[list[LbrHand]]:
    """What was won on each deal of a block, in either seat."""
    if isinstance(job.bot, str):
        responder, spec = _responder(job.bot, job.spec, job.sets)
    else:
        responder, spec = LocalResponder(job.bot, parse_lbr_set(job.sets)), job.spec
    return [[_play(responder, spec, job.seed, deal, seat) for seat in (0, 1)]
            for deal in range(job.first, job.last)]  # fmt: skip


@lru_cache(maxsize=4)
def _responder(bot: str, spec: GameSpec, sets: str) -> tuple[LocalResponder, GameSpec]:
    """One of each process: the bot remembers what it was asked about a game."""
    return LocalResponder(make_bot(bot, 0), parse_lbr_set(sets)), spec


def _play(responder: LocalResponder, spec: GameSpec, seed: int, deal: int, seat: int) -> LbrHand:
    (cards,) = np.random.SeedSequence([seed, deal]).generate_state(1, np.uint64).tolist()
    draws = np.random.default_rng([seed, deal, seat, 1])
    return responder.play(Hand(spec, seed=cards), seat, draws)

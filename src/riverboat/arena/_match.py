"""Playing matches: sessions on all cores, progress, early stopping, resuming."""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from riverboat.arena._aivat import prepare_aivat
from riverboat.arena._chair import LEAST_DECISIONS, refuse_failing
from riverboat.arena._deal_seed import DealSeed, Dealt
from riverboat.arena._ledger import Ending, Ledger
from riverboat.arena._result import MatchResult, chips_at_stake
from riverboat.arena._session import SessionResult, play_session
from riverboat.arena._settings import BotMaker, MatchSettings, is_outside
from riverboat.arena._tables import build_here, build_tables, missing_tables
from riverboat.bots import OutsideBot, prints_file, try_to_sit
from riverboat.errors import ArenaError, RiverboatError, RunError
from riverboat.game import GameSpec
from riverboat.runs import hidden_memory, is_remote, num_workers, place, run_jobs
from riverboat.statistics import ConfidenceSequence

Job = tuple[MatchSettings, int]
"""A match, and the number of one of its sessions."""

_SAVE_SECONDS = 2.0
_RETRIES = 2  # of a session whose worker ended; its result is repeatable


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """Progress of a match."""

    match: "Match"
    done: int
    """Deals (or games) played, of `total`."""
    total: int


class Match:
    """A running match: collects sessions in order until the match is over.

    Parameters
    ----------
    settings
        Settings of the match. With an outside bot, this run gets a deal seed of its own.
    until_sure
        Whether to stop as soon as the sign of the first bot's result is significant (95 %).
    ledger
        The ledger that the match is entered in; None = none.
    resume
        Whether to resume the last match of the same settings in the ledger. Of a finished one the
        result is returned, and nothing is played.
    """

    def __init__(
        self,
        settings: MatchSettings,
        *,
        until_sure: bool = False,
        ledger: Ledger | None = None,
        resume: bool = False,
    ) -> None:
        self.settings = settings.with_deal_seed()
        if ledger is not None and any(map(is_outside, settings.bots)):
            hide = (*settings.hide, str(ledger.path.absolute()))
            self.settings = replace(self.settings, hide=hide)
        self.ledger = ledger
        self.sessions: list[SessionResult] = []
        self.seconds = 0.0
        self.sequence = _sequence_for(settings) if until_sure else None
        self.number: int | None = None
        #: Damaged sessions of the ledger, which are played again.
        self.damaged: tuple[int, ...] = ()
        self._runs: list[Dealt] = []
        self._run_of: dict[int, int] = {}
        self._entered = self._published = False
        self._known: dict[int, SessionResult] = {}
        self._unsaved: list[SessionResult] = []
        self._saved_at = time.monotonic()
        self._finished = False
        self._decisions = [0] * len(settings.bots)
        self._errors = [Counter[str]() for _ in settings.bots]
        if ledger is not None and resume:
            self._resume(ledger)
        self._earlier = frozenset(self._known)
        while not self.over and (known := self._known.get(len(self.sessions))) is not None:
            self._count(known)

    def _resume(self, ledger: Ledger) -> None:
        """Load the saved sessions of the last match of these settings.

        A command may be killed when its match is finished and before it shows the result. So a
        finished match is loaded, too, if all of its sessions are intact.
        """
        entry = ledger.latest(self.settings)
        if entry is None:
            return
        saved = ledger.saved(entry.id, self.settings)
        whole = self.sequence is not None or len(saved.sessions) == self.settings.num_sessions
        if entry.finished and (saved.damaged or not whole):
            return
        self.number, self._finished = entry.id, entry.finished is not None
        self._known, self._run_of = saved.sessions, saved.runs
        self._runs = list(entry.deal_seeds)
        self.damaged = tuple(saved.damaged)

    @property
    def over(self) -> bool:
        """Whether all sessions are played, or the result is significant with `until_sure`."""
        sure = self.sequence is not None and self.sequence.sign != 0
        return sure or len(self.sessions) >= self.settings.num_sessions

    @property
    def done(self) -> int:
        """Deals (or games) played."""
        return sum(len(session.hands) for session in self.sessions)

    def enter(self) -> None:
        """Enter the match, or its next run, in the ledger, after the bots were tried."""
        if self.over:
            return
        if self._published:  # its cards are no longer secret
            self.settings = replace(self.settings, deal_seed=DealSeed.draw())
        self._entered, self._published = True, False
        if self.ledger is not None and self.number is None:
            self.number = self.ledger.begin(self.settings)
        elif self.ledger is not None and self.number is not None and self.settings.deal_seed:
            self.ledger.add_run(self.number)
        if self.ledger is not None and self.number is not None:
            self.ledger.fail(self.number, "")
        if self.settings.deal_seed is not None:
            self._runs.append(Dealt(None))

    def jobs(self) -> Iterator[Job]:
        """Yield the sessions that are not played yet, until the match is over."""
        for session in range(len(self.sessions), self.settings.num_sessions):
            if self.over:
                return
            if session not in self._known:
                yield self.settings, session

    def add(self, result: SessionResult) -> None:
        """Add the next session; sessions after the end of the match are ignored."""
        self._known[result.session] = result
        self._run_of[result.session] = len(self._runs) - 1
        self._unsaved.append(result)
        while not self.over and (known := self._known.get(len(self.sessions))) is not None:
            self._count(known)
        if time.monotonic() - self._saved_at > _SAVE_SECONDS:
            self.save()

    def _count(self, result: SessionResult) -> None:
        self.sessions.append(result)
        for bot, errors in enumerate(result.errors):
            self._decisions[bot] += result.times[bot].decisions
            self._errors[bot] += errors
        if self.sequence is not None:
            self.sequence.add(_observations(self.settings, result))

    def refuse_failing(self) -> None:
        """Raise `ArenaError` if a bot failed more than half of its decisions.

        Checked from 100 decisions on, and at the end of a shorter match; never with `keep_going`.
        """
        if self.settings.keep_going or not self.sessions:
            return
        least = 1 if self.over else LEAST_DECISIONS
        for bot, name in enumerate(self.settings.names):
            if self._errors[bot]:
                said = self.sessions[-1].said[bot]
                refuse_failing(name, self._decisions[bot], self._errors[bot], said, least)

    def save(self) -> None:
        """Save the new sessions in the ledger."""
        if self.ledger is not None and self.number is not None and not self._finished:
            run = max(0, len(self._runs) - 1)
            self.ledger.add_sessions(self.number, self._unsaved, run)
        self._unsaved = []
        self._saved_at = time.monotonic()

    def fail(self, problem: str) -> None:
        """Enter in the ledger that the match ended with an error; it can still be resumed."""
        if self.ledger is None or self.number is None or self._finished or self.over:
            return
        self.ledger.fail(self.number, problem)

    def publish(self) -> None:
        """Publish the deal seed of this run: no more cards come from it."""
        seed = self.settings.deal_seed
        if seed is None or not self._entered or self._published:
            return
        self._published = True
        self._runs[-1] = Dealt(seed.hex())
        if self.ledger is not None and self.number is not None and not self._finished:
            self.ledger.publish(self.number, seed)

    def finish(self) -> MatchResult:
        """Return the result and enter it in the ledger."""
        return finish_matches([self])[0]

    def ending(self, result: MatchResult) -> Ending | None:
        """Return the result for the ledger; None from the second call on."""
        if self.number is None or self._finished:
            return None
        self._finished = True
        verdict = result.verdict()
        judged = {"verdict": None if verdict is None else verdict.as_values()}
        values = result.summary() | judged | {"curve": result.curve()}
        return Ending(self.number, result.hands, values, len(self.sessions))

    def result(self) -> MatchResult:
        """Return the result so far."""
        if not self.sessions:
            raise ArenaError("there is no result: no hand was played yet")
        before = sum(int(s.hands.sum()) for s in self.sessions if s.session in self._earlier)
        return MatchResult(
            self.settings, tuple(self.sessions), self.seconds, self.sequence, before, self._dealt()
        )

    def _dealt(self) -> tuple[Dealt, ...]:
        """Return the sessions of each deal seed; runs without a session are left out."""
        counted = range(len(self.sessions))
        by_run = [
            tuple(session for session in counted if self._run_of[session] == run)
            for run in range(len(self._runs))
        ]
        pairs = zip(self._runs, by_run, strict=True)
        return tuple(Dealt(run.seed, sessions) for run, sessions in pairs if sessions)


def _sequence_for(settings: MatchSettings) -> ConfidenceSequence:
    """Return the confidence sequence of the first bot's result, bounded by the stacks."""
    most_lost = float(chips_at_stake(settings.spec))
    return ConfidenceSequence(-most_lost, (settings.spec.players - 1) * most_lost)


def _observations(settings: MatchSettings, result: SessionResult) -> NDArray[np.float64]:
    """Return the first bot's mean result of each unit: chips per hand, or chips per game."""
    chips = result.corrected[:, 0]
    sizes = np.full(len(chips), settings.rotations) if settings.carried else result.hands
    if any(result.learns):
        return np.array([chips.sum() / sizes.sum()])
    return np.asarray(chips / sizes)


def play_matches(
    matches: Sequence[Match],
    workers: int | None = None,
    begun: Callable[[], object] = lambda: None,
    stopped: Callable[[], bool] | None = None,
) -> Generator[MatchProgress, None, None]:
    """Play matches one after the other on the same processes; yield progress after every session.

    Every bot is tried first, so a bot that cannot be created or does not play the game is refused
    before anything is entered in the ledger. If a bot fails more than half of 100 or more
    decisions, all matches end with an error, except with `keep_going`. Missing bucket tables of
    long matches are built first; call `build_tables` before to see the progress. All played
    sessions are saved in the ledger at the end, also after an error.

    With an outside bot, deals come from a deal seed that only this process and its workers have in
    memory, which is hidden from other programs if the system can do that. The deal seed is
    published when all processes of bots have ended. A resumed match gets a new one.

    Parameters
    ----------
    matches
        In the order of play.
    workers
        Number of processes; by default all cores of this machine or of the open place.
    begun
        Called once, after all bots were tried and before the first hand is dealt.
    stopped
        Called several times a second; when it returns True, play stops, and unfinished matches can
        be resumed. For matches that are played in a thread.

    Examples
    --------
    >>> match = Match(MatchSettings(("checkcall", "random"), "leduc", hands=20))
    >>> [progress.done for progress in play_matches([match], workers=1)]
    [10]
    """
    workers = num_workers() if workers is None else workers
    if workers < 1:
        raise ArenaError(f"workers={workers}: a match needs at least 1 worker")
    hidden = any(match.settings.deal_seed is not None for match in matches if not match.over)
    if hidden and place() is not None:
        raise ArenaError(
            "bots from files play only on this machine, because their deal seed must not leave it: "
            "use --on local"
        )
    with hidden_memory() if hidden else nullcontext():
        build_tables(missing_tables(match.settings for match in matches if not match.over))
        _try_bots(matches)
        for match in matches:
            if match.settings.aivat and not match.over:
                prepare_aivat(match.settings.spec, match.settings.bots)
        for match in matches:
            match.refuse_failing()  # if it is resumed
            match.enter()
        begun()
        try:
            yield from _play_entered(matches, workers, stopped)
        except RiverboatError as error:
            for match in matches:
                match.fail(str(error))
            raise
        finally:
            for match in matches:
                match.save()
                match.publish()


def _play_entered(
    matches: Sequence[Match], workers: int, stopped: Callable[[], bool] | None
) -> Iterator[MatchProgress]:
    """Play entered matches; when this ends, all workers and bots have ended."""
    by_settings = {id(match.settings): match for match in matches}
    jobs = (job for match in matches for job in match.jobs())
    most = sum(match.settings.num_sessions - len(match.sessions) for match in matches)
    private = any(match.settings.deal_seed is not None for match in matches)
    clock = time.perf_counter()
    with closing(_play_jobs(jobs, min(workers, max(1, most)), private, stopped)) as played:
        for (settings, _), result in played:
            match = by_settings[id(settings)]
            match.add(result)
            now = time.perf_counter()
            match.seconds += now - clock
            clock = now
            match.refuse_failing()
            yield MatchProgress(match, match.done, match.settings.num_deals)


def _play_jobs(
    jobs: Iterator[Job], workers: int, private: bool, stopped: Callable[[], bool] | None
) -> Generator[tuple[Job, SessionResult], None, None]:
    """Play sessions on workers; raise an error of a worker as `ArenaError`."""
    try:
        retries = 0 if private else _RETRIES  # a bot from a file must not see its cards twice
        yield from run_jobs(
            _play_job, jobs, workers, name="session", retries=retries, private=private,
            stopped=stopped,
        )  # fmt: skip
    except RunError as error:
        raise ArenaError(
            f"a session could not be played: {error}. Bots from files run in separate processes, "
            "so a built-in bot crashed, or memory ran out"
        ) from error


def _play_job(job: Job) -> SessionResult:
    if is_remote():
        build_here(job[0])
    return play_session(*job)


def _try_bots(matches: Sequence[Match]) -> None:
    """Create each bot that is named by text once; built-in bots also make a decision.

    Tables that a bot builds at its first decision are then built here once, and not in every worker
    within the time limit of a decision.
    """
    tables = {
        (bot, match.settings.spec): match.settings
        for match in matches
        if not match.over
        for bot in match.settings.bots
    }
    for (bot, _), settings in tables.items():
        if not isinstance(bot, str):
            continue
        if is_outside(bot):
            prints_file(bot).unlink(missing_ok=True)
            limits = settings.time_limit, settings.memory_limit
            sandbox, hide = settings.sandbox, settings.hide
            OutsideBot(bot, settings.seed, *limits, sandbox, hide=hide).close()
        else:
            try_to_sit(bot, settings.spec, seed=settings.seed)


def finish_matches(matches: Sequence[Match]) -> list[MatchResult]:
    """Return the results and enter them in the ledger, all or none.

    If a tournament is killed at its end, either all its matches are finished or none.

    Examples
    --------
    >>> match = Match(MatchSettings(("checkcall", "random"), "leduc", hands=20))
    >>> _ = list(play_matches([match], workers=1))
    >>> [result.hands for result in finish_matches([match])]
    [20]
    """
    results = [match.result() for match in matches]
    by_ledger: dict[Ledger, list[Ending]] = {}
    for match, result in zip(matches, results, strict=True):
        if match.ledger is not None and (ending := match.ending(result)) is not None:
            by_ledger.setdefault(match.ledger, []).append(ending)
    for ledger, endings in by_ledger.items():
        ledger.finish(endings)
    return results


def play_match(  # noqa: PLR0913 - the docstring names the parameters
    bots: Sequence[BotMaker],
    game: GameSpec | str = "nolimit-100bb",
    *,
    workers: int = 1,
    until_sure: bool = False,
    ledger: Ledger | None = None,
    progress: Callable[[MatchProgress], object] | None = None,
    **settings: Any,
) -> MatchResult:
    """Play a match and return its result.

    Parameters
    ----------
    bots
        Bots in seat order; see `MatchSettings`.
    game
        The game or its name.
    workers
        Number of processes. With more than one, bots that are not named by text must be importable,
        and a script must guard its own start with `if __name__ == "__main__"`.
    until_sure
        Whether to stop when the sign of the first bot's result is significant.
    ledger
        The ledger that the match is entered in; None = none.
    progress
        Called after each session.
    **settings
        Further fields of `MatchSettings`: `hands` or `games`, `seed`, `deal_seed`, `duplicate` and
        so on.

    Raises
    ------
    ArenaError
        If a bot cannot be created, or fails more than half of its decisions without `keep_going`.

    Examples
    --------
    >>> result = play_match(["random", "checkcall"], "leduc", hands=2000, seed=5)
    >>> result.hands, result.unit
    (2000, 'duplicate deal')
    """
    match = Match(
        MatchSettings(bots=tuple(bots), game=game, **settings), until_sure=until_sure, ledger=ledger
    )
    for report in play_matches([match], workers):
        if progress is not None:
            progress(report)
    return match.finish()

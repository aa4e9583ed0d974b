"""Trainings and matches of reproductions, with progress and resuming."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, TypeVar

import msgspec
from numpy.typing import NDArray

from riverboat.arena import (
    BotMaker,
    Ledger,
    Match,
    MatchResult,
    MatchSettings,
    TournamentResult,
    finish_matches,
    pairings,
    play_matches,
)
from riverboat.bots import BlueprintBot, Bot, make_bot
from riverboat.errors import ArenaError, RunError
from riverboat.game import GameSpec, Hand, View
from riverboat.protocols.pypokerengine import need_engine
from riverboat.reproductions._run import Found, ReproductionRun, Row, found_in, rows_of
from riverboat.runs import num_workers, run_jobs
from riverboat.solve import Solver
from riverboat.statistics import Estimate
from riverboat.training import (
    Progress,
    Recipe,
    RunFiles,
    Setup,
    Stretch,
    Until,
    Watch,
    iterate,
    read_log,
    train,
)

#: Husky's protocol for sweeps: short freeze-outs, scored by the share won.
HUSKY_GAMES: Final = 500
#: Maximum number of rounds of a game.
HUSKY_ROUNDS: Final = 10

_Job = TypeVar("_Job")
_Name = TypeVar("_Name")
_Result = TypeVar("_Result")


class Measuring(Watch):
    """Measures a training at some iterations.

    Parameters
    ----------
    at
        Iterations to measure at, ascending.
    units
        Units of the measured quantities, by name.

    Attributes
    ----------
    found
        The measured quantities.
    """

    def __init__(self, at: Sequence[int], units: Mapping[str, str]) -> None:
        super().__init__(at)
        self.units, self.found = units, Found()

    def notes(self) -> Mapping[str, Any]:
        """Return the measured quantities as rows."""
        rows: list[Any] = msgspec.to_builtins(rows_of("watch", self.found, self.units))
        return {"rows": rows}

    def restore(self, notes: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:  # noqa: ARG002 - as watches have it
        """Restore the measured quantities."""
        self.found = found_in(msgspec.convert(notes["rows"], list[Row]))


def train_recipe(
    run: ReproductionRun,
    recipe: Recipe,
    name: str,
    setup: Setup | None = None,
    measuring: Measuring | None = None,
) -> Found:
    """Train a recipe into NAME.blueprint of the run's folder, or resume the training.

    The result has the final figures (`resident_bytes` is the maximum of the process) and `curve`,
    the measurements during training: `riverboat.training.Measured`, chips/hand.

    Parameters
    ----------
    run
        Receives the progress, and owns the folder.
    recipe
        The training; its threads become the run's workers.
    name
        Stem of the file names.
    setup
        Result of `prepare(recipe)`, if it exists already.
    measuring
        Measures during training; its quantities become part of the result.

    Raises
    ------
    KeyboardInterrupt
        If the training was stopped; its checkpoint stays.
    """
    recipe = recipe.changed({"threads": run.workers})
    files = RunFiles.of(run.path(name))
    text = msgspec.json.encode(recipe.as_dict(), order="deterministic")
    digest = hashlib.sha256(text).hexdigest()[:12]
    found = run.kept(
        f"{name}.{digest}.trained", lambda: _train(run, recipe, files, setup, measuring)
    )
    files.checkpoint.unlink(missing_ok=True)
    return found


def _train(
    run: ReproductionRun,
    recipe: Recipe,
    files: RunFiles,
    setup: Setup | None,
    measuring: Measuring | None,
) -> Found:
    """Train, from the checkpoint if this run has one."""
    resuming = files.checkpoint.exists()
    peak, last = 0, None
    course = train(
        recipe,
        files.blueprint,
        resume=resuming,
        force=not resuming,
        setup=setup,
        watch=measuring,
    )
    for last in course:
        peak = max(peak, last.resident_bytes)
        run.tell(_done(recipe, last), f"trains {files.blueprint.stem}")
    if last is None or last.event == "stopped" or not (measuring is None or measuring.over):
        raise KeyboardInterrupt
    measured = [line["measured"] for line in read_log(files.log) if line.get("measured")]
    curve = {(each["iterations"], each["seconds"]): each for each in measured}
    return Found(
        iterations=last.iterations,
        seconds=last.seconds,
        iterations_per_second=last.iterations / max(last.seconds, 1e-9),
        infosets=last.infosets,
        visited=last.visited,
        resident_bytes=peak,
        blueprint=files.blueprint.name,
        blueprint_bytes=files.blueprint.stat().st_size,
        table_bytes=last.table_bytes,
        curve=list(curve.values()),
        **(measuring.found if measuring else {}),
    )


def _done(recipe: Recipe, progress: Progress) -> float:
    """Return the finished share of a training, over all members of an ensemble."""
    budget = recipe.budget
    pairs = ((progress.iterations, budget.iterations), (progress.seconds, budget.seconds))
    share = max((done / whole for done, whole in pairs if whole), default=0.0)
    return (progress.member - 1 + min(1.0, share)) / progress.members


def iterate_told(
    run: ReproductionRun, solver: Solver, stops: Until | Sequence[Until], text: str
) -> Iterator[Stretch]:
    """Train a solver with `riverboat.training.iterate`, and report progress to the run."""
    for now in iterate(solver, stops):
        run.tell(now.share, text)
        yield now


def do_jobs(
    run: ReproductionRun, function: Callable[[_Job], _Result], jobs: Sequence[_Job], text: str
) -> list[_Result]:
    """Run jobs on all cores with `riverboat.runs.run_jobs`, and report progress to the run."""
    workers, done = min(run.workers or num_workers(), len(jobs)), list[_Result]()
    with closing(run_jobs(function, jobs, workers, name=text, retries=2)) as results:
        for _, result in results:
            done.append(result)
            run.tell(len(done) / len(jobs), text)
    return done


def play_all(run: ReproductionRun, settings: Sequence[MatchSettings]) -> list[Match]:
    """Play matches one after the other on all cores, or resume them.

    They are written to the run's ledger, `matches.sqlite` in its folder, and marked as finished
    once the step's result is stored, because a finished match would be played again.
    """
    ledger = Ledger(run.path("matches.sqlite"))
    matches = [Match(each, ledger=ledger, resume=True) for each in settings]
    total = sum(match.settings.num_deals for match in matches)
    with closing(play_matches(matches, run.workers or None)) as reports:
        for report in reports:
            names = " v ".join(map(_short, report.match.settings.names))
            run.tell(sum(match.done for match in matches) / total, names)
    run.once_kept(lambda: finish_matches(matches))
    return matches


def _short(name: str) -> str:
    """Return a bot's name without the folder of its file."""
    return re.sub(r"(?<=:)[^,]*/", "", name)


def play_named(
    run: ReproductionRun, pairs: Mapping[_Name, tuple[BotMaker, ...]], **settings: Any
) -> dict[_Name, MatchResult]:
    """Play named matches; `settings` are further fields of all `MatchSettings`."""
    settings = {"seed": run.seed, **settings}
    played = play_all(run, [MatchSettings(bots, **settings) for bots in pairs.values()])
    return {name: match.result() for name, match in zip(pairs, played, strict=True)}


def by_first(values: Mapping[tuple[str, str], _Result]) -> dict[str, dict[str, _Result]]:
    """Return the values of pairs by first name, then by second name.

    Examples
    --------
    >>> by_first({("Fish", "Shark"): -3, ("Fish", "Fold"): 2})
    {'Fish': {'Shark': -3, 'Fold': 2}}
    """
    found: dict[str, dict[str, _Result]] = {}
    for (one, other), value in values.items():
        found.setdefault(one, {})[other] = value
    return found


def play_round_robin(
    run: ReproductionRun,
    bots: Sequence[BotMaker],
    names: Callable[[BotMaker], str] = str,
    **settings: Any,
) -> TournamentResult:
    """Play every bot against every other; `settings` are further fields of `MatchSettings`."""
    first = MatchSettings((bots[0], bots[1]), seed=run.seed, **settings)
    matches = play_all(run, pairings(bots, first))
    return TournamentResult.of([names(bot) for bot in bots], matches)


def watch_hands(
    spec: GameSpec, act: Callable[[View], str], rival: Bot, hands: int, seed: int
) -> Iterator[float]:
    """Play hands with alternating seats, and yield the chips won by the player `act`."""
    for number in range(hands):
        hand, seat = Hand(spec, seed=seed + number), number % 2
        while hand.actor is not None:
            view = hand.view(hand.actor)
            hand.do(act(view) if hand.actor == seat else str(rival.act(view)))
        yield hand.payoffs()[seat]


def missing_engine() -> str:
    """Return why PyPokerEngine cannot be used, or an empty text."""
    try:
        need_engine()
    except ArenaError as error:
        return str(error)
    return ""


def blueprint_bot(text: str, seed: int) -> BlueprintBot:
    """Return a bot that plays a strategy file, with access to the strategy."""
    bot = make_bot(text, seed)
    if not isinstance(bot, BlueprintBot):
        raise RunError(f"{text} does not play a strategy file: its decisions cannot be counted")
    return bot


def mean_of(won: Sequence[Estimate]) -> Estimate:
    """Return the mean over bots that played the same cards.

    Their errors may be fully correlated, so the margins are averaged, too: an upper bound on the
    margin of the mean.

    Examples
    --------
    >>> mean_of([Estimate.with_margin(1.0, 3.0), Estimate.with_margin(2.0, 3.0)]).text()
    '1.5 ± 3.0'
    """
    mean = sum(each.mean for each in won) / len(won)
    return Estimate.with_margin(mean, sum(each.margin for each in won) / len(won))


def husky_game(players: int = 2) -> GameSpec:
    """Return the game of husky's sweeps: no-limit hold'em, 100 chips, blinds 5 and 10.

    Examples
    --------
    >>> husky_game(3).blinds
    (5, 10, 0)
    """
    return GameSpec(name="husky", stacks=(100,) * players, blinds=(5, 10) + (0,) * (players - 2))

"""`riverboat sweep`: the best settings of a bot against an opponent."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from rich.console import RenderableType
from rich.text import Text

from riverboat.arena import (
    Ledger,
    Match,
    MatchSettings,
    Sweep,
    SweepPoints,
    bot_name,
    check_sweep_plot,
    finish_matches,
    parse_grid,
    plot_sweeps,
)
from riverboat.bots import BotRef
from riverboat.cli._arena import (
    HandsOption,
    check_plot,
    chosen_seed,
    hands_or_games,
    read_deal_seed,
    run_matches,
)
from riverboat.cli._command import argument, fields_of, option
from riverboat.cli._match_report import unit_named, won_text
from riverboat.cli._options import (
    DealSeedOption,
    LedgerOption,
    OnOption,
    PlotOption,
    ResumeOption,
    SeedOption,
    WorkersOption,
)
from riverboat.cli._output import Answer, grid, status, with_margin
from riverboat.errors import ArenaError
from riverboat.game import find_game
from riverboat.report import how_many, share
from riverboat.reproductions import HUSKY_GAMES, HUSKY_ROUNDS, husky_game
from riverboat.statistics import Estimate, PowerLaw, fit_power_law

_LABELS = {"mbb": "mbb/hand", "games": "games won"}


class SweepOptions(msgspec.Struct, frozen=True):
    """The grid and the matches; each field is an option."""

    fixed: Annotated[dict[str, Any], fields_of(MatchSettings, "game", "keep_going", "sandbox")]
    param: Annotated[list[str], option("Values of a setting: name=first:last:step or name=a,b,c.")]
    against: Annotated[str, option("The opponent.")]
    opponents: Annotated[
        str, option("Number of opponents; a list such as 1,2,4 fits a power law.")
    ] = "1"
    hands: HandsOption = None
    protocol: Annotated[str, option("husky: share of 500 games won, 10 rounds each.")] = ""
    games: Annotated[
        int | None, option("Games per point with --protocol husky (default: 500).")
    ] = None
    seed: SeedOption = None
    deal_seed: DealSeedOption = None
    workers: WorkersOption = None
    on: OnOption = "local"
    resume: ResumeOption = False
    ledger: LedgerOption = True
    plot: PlotOption = None

    def counts(self) -> tuple[int, int]:
        """Return the numbers of hands and of games, one of which is 0."""
        if self.protocol not in ("", "husky"):
            raise ArenaError(f"--protocol must be husky or left out, not {self.protocol!r}")
        if self.games is not None and not self.protocol:
            raise ArenaError("--games needs --protocol husky")
        games = HUSKY_GAMES if self.protocol and self.games is None else self.games
        return hands_or_games(self.hands, games)


def sweep_command(
    bot: Annotated[str, argument("The bot, with its fixed settings.")], options: SweepOptions
) -> Answer:
    """Test a grid of a bot's settings against an opponent.

    The best point is partly luck: play it again with another seed before you report it. Every point
    is a match in the ledger; --resume continues a stopped sweep from there.
    """
    counts = options.counts()
    values = _parse_grids(options.param)
    opponents = _parse_counts(options.opponents)
    if len(opponents) > 1 and len(values) > 1:
        raise ArenaError("several --opponents fit a power law, which needs exactly one --param")
    check_plot(options.plot)
    if options.plot is not None:
        check_sweep_plot(len(values))
    seed = chosen_seed(options.seed)
    if len(opponents) > 1:
        bot = _without_own_scaling(bot, values)
    runs = [_run(bot, values, options, count, counts, seed) for count in opponents]
    _play(runs, options)
    law = _fit(runs) if len(runs) > 1 else None
    files = [(options.plot, partial(_plot, runs))]
    return Answer(_values(runs, seed, law), *_parts(runs, seed, law), files=files)


@dataclass(slots=True)
class _Run:
    """The sweep against one number of opponents."""

    opponents: int
    sweep: Sweep
    points: SweepPoints = field(default_factory=SweepPoints)  # filled after the matches


def _run(
    bot: str,
    values: Mapping[str, tuple[float, ...]],
    options: SweepOptions,
    opponents: int,
    counts: tuple[int, int],
    seed: int,
) -> _Run:
    """Plan the sweep against one number of opponents."""
    seats = opponents + 1
    fixed = dict(options.fixed)
    named = fixed.pop("game")
    settings = MatchSettings(
        bots=(bot, *[options.against] * opponents),
        game=husky_game(seats) if options.protocol else find_game(named, seats),
        hands=counts[0],
        games=counts[1],
        rounds=HUSKY_ROUNDS,
        seed=seed,
        deal_seed=read_deal_seed(options.deal_seed),
        **fixed,
    )
    return _Run(opponents, Sweep(bot, values, settings, "games" if options.protocol else "mbb"))


def _parse_grids(texts: list[str]) -> dict[str, tuple[float, ...]]:
    grid: dict[str, tuple[float, ...]] = {}
    for text in texts:
        name, values = parse_grid(text)
        if name in grid:
            raise ArenaError(f"--param {name} is given twice: list all values in one --param")
        grid[name] = values
    return grid


def _without_own_scaling(bot: str, grid: Mapping[str, object]) -> str:
    """Set exponent=0 in a bot that scales its thresholds by the number of opponents itself.

    Husky's bots multiply their thresholds by opponents ** exponent. Optima of scaled thresholds do
    not show how to scale them.
    """
    ref = BotRef.parse(bot)
    if ref.untrusted or "exponent" in grid or re.search(r"\bexponent\s*=", ref.settings):
        return bot
    if all(parameter.name != "exponent" for parameter in ref.kind.parameters):
        return bot
    status.print(f"Setting exponent=0 in {ref.name}: it would scale its thresholds itself.")
    return ref.with_settings({"exponent": 0}).text


def _parse_counts(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isdigit() and 1 <= int(word) <= 9 for word in words):
        raise ArenaError(f"--opponents takes numbers from 1 to 9 such as 1,2,4, not {text!r}")
    return sorted({int(word) for word in words})


def _play(runs: list[_Run], options: SweepOptions) -> None:
    """Play the matches of all sweeps in one pool of processes."""
    ledger = Ledger() if options.ledger else None
    plans = [run.sweep.matches(ledger, options.resume) for run in runs]
    playable = [match for plan in plans for match in plan if isinstance(match, Match)]
    if not playable:
        raise ArenaError(str(plans[0][0]))
    seed = runs[0].sweep.settings.seed
    run_matches(playable, options.workers, seed, options.seed, options.on)
    finish_matches(playable)
    for run, plan in zip(runs, plans, strict=True):
        run.points = run.sweep.points(plan)


def _fit(runs: list[_Run]) -> PowerLaw | str:
    """Fit the power law, or say why there is none."""
    name = next(iter(runs[0].sweep.parameters))
    optima = [run.points.best.parameters[name] for run in runs]
    try:
        return fit_power_law([run.opponents for run in runs], optima)
    except ArenaError as error:
        best = ", ".join(f"{value:g}" for value in optima)
        return f"no power law can be fitted to the optima {best}: {error}"


def _plot(runs: list[_Run], path: Path) -> None:
    sweep = runs[0].sweep
    settings = sweep.settings
    title = f"{sweep.bot} v {bot_name(settings.bots[-1])}, {settings.spec.name}, "
    title += f"seed {settings.seed}"
    curves = {how_many(run.opponents, "opponent"): run.points for run in runs}
    plot_sweeps(curves, _LABELS[sweep.score], path, title)


def _law_values(law: PowerLaw | str | None) -> dict[str, Any] | None:
    if not isinstance(law, PowerLaw):
        return None
    return {
        "factor": law.factor,
        "factor_interval_95": _bounds(law, law.factor_interval),
        "exponent": law.exponent,
        "exponent_interval_95": _bounds(law, law.exponent_interval),
    }


def _bounds(law: PowerLaw, interval: tuple[float, float]) -> list[float | None]:
    """Return an interval for JSON; nulls if there are only two optima."""
    return [*interval] if math.isfinite(law.exponent_interval[1]) else [None, None]


def _values(runs: list[_Run], seed: int, law: PowerLaw | str | None) -> dict[str, Any]:
    first = runs[0].sweep
    return {
        "bot": str(first.bot),
        "against": first.settings.names[-1],
        "game": first.settings.spec.name,
        "seed": seed,
        "hands": first.settings.hands,
        "games": first.settings.games,
        "score": "games_won" if first.score == "games" else "mbb_per_hand",
        "sweeps": [
            {
                "opponents": run.opponents,
                "points": [point.as_values() for point in run.points],
                "best": run.points.best.as_values(),
                "as_good": [point.parameters for point in run.points.as_good_as_best],
            }
            for run in runs
        ],
        "power_law": _law_values(law),
        "power_law_refused": law if isinstance(law, str) else None,
    }


def _parts(runs: list[_Run], seed: int, law: PowerLaw | str | None) -> Iterator[RenderableType]:
    for run in runs:
        yield from _run_parts(run, seed)
    if isinstance(law, PowerLaw):
        low, high = law.exponent_interval
        span = f"{low:.3f} to {high:.3f}" if math.isfinite(high) else "no interval from two optima"
        yield f"optimum = {law.factor:.3f} * opponents ^ {law.exponent:.3f} (exponent {span})"
    elif law is not None:
        yield Text(law)


def _run_parts(run: _Run, seed: int) -> Iterator[RenderableType]:
    names = list(run.sweep.parameters)
    written = share if run.sweep.score == "games" else with_margin
    yield f"{how_many(run.opponents, 'opponent')}, {run.sweep.settings.spec.name}, seed {seed}"
    table = grid([*names, _LABELS[run.sweep.score]], left=0)
    best = run.points.best
    for point in run.points:
        text = "-" if point.score is None else written(point.score)
        style = "bold" if point is best else None
        table.add_row(*(f"{point.parameters[n]:g}" for n in names), text, style=style)
    yield table
    if best.score is not None:
        yield Text(_verdict(run, best.parameters, best.score), "bold")


def _verdict(run: _Run, parameters: Mapping[str, float], score: Estimate) -> str:
    """Name the best point, or say that others may be as good."""
    others = len(run.points.as_good_as_best) - 1
    chosen = ", ".join(f"{name}={value:g}" for name, value in parameters.items())
    if others:
        points = how_many(others, "other point")
        return f"Inconclusive: {chosen} is ahead, but {points} may be as good (95 %)."
    if run.sweep.score == "games":
        return f"{chosen} is best: {share(score)} of games"
    unit = unit_named("mbb", run.sweep.settings.spec).name
    return f"{chosen} is best: {won_text(score.mean, score.interval, unit)}"

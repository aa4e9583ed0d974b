"""Results of matches and tournaments in the terminal: tables and a verdict.

Between two bots one wins what the other loses; only the first bot's result is shown.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from riverboat.arena import MatchResult, TournamentResult, Verdict, unit_of
from riverboat.cli._output import grid, with_margin
from riverboat.errors import ArenaError
from riverboat.game import GameSpec
from riverboat.report import duration, how_many, share
from riverboat.table import YOU

# A verdict does not print larger numbers of needed hands: nobody would play so many.
_MOST_NEEDED = 100_000_000


class Unit(NamedTuple):
    """The unit of results: its name and factors from chips/hand and mbb/hand."""

    name: str
    factor: float
    """One chip per hand in this unit."""
    per_mbb: float
    """A thousandth of a blind per hand in this unit."""


def unit_named(word: str, spec: GameSpec) -> Unit:
    """Return the unit of a word: `mbb`, `bb`, `sb` or `chips`.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> unit_named("mbb", catalogue("leduc")).name, unit_named("bb", catalogue("limit")).factor
    ('mante/hand', 10.0)
    """
    blind, name = unit_of(spec)
    units = {"mbb": (f"m{name}/hand", 1000 / blind), "bb": (f"{name}/100", 100 / blind)}
    units["chips"] = ("chips/hand", 1.0)
    if spec.small_blind:
        units["sb"] = ("sb/hand", 1 / spec.small_blind)
    if word not in units:
        raise ArenaError(f"--unit must be one of {', '.join(units)} for {spec.name}, not {word!r}")
    label, factor = units[word]
    return Unit(label, factor, factor * blind / 1000)


def verdict_values(result: MatchResult | TournamentResult) -> dict[str, Any]:
    """Return the verdict for JSON."""
    verdict = result.verdict()
    return {"verdict": None if verdict is None else verdict.as_values()}


def verdict_text(verdict: Verdict, unit: Unit) -> str:
    """Name the winner, or the number of hands that a significant difference needs.

    Examples
    --------
    >>> from riverboat.statistics import Estimate
    >>> won = Estimate.with_margin(412.0, 59.0)
    >>> unit = Unit("mbb/hand", 100.0, 1.0)
    >>> verdict_text(Verdict("blueprint", True, won, won.interval, 4_000), unit)
    'blueprint wins: +412 mbb/hand (353 to 471)'
    >>> close = Estimate.with_margin(12.0, 278.0)
    >>> open = Verdict("blueprint", False, close, close.interval, 4_000, False, 100, 31_000)
    >>> verdict_text(open, unit)
    'Inconclusive after 4,000 hands. To detect a difference of 100 mbb/hand you need about 31,000.'
    """
    if verdict.decided:
        bounds = [bound * unit.per_mbb for bound in verdict.interval]
        won = won_text(verdict.won.mean * unit.per_mbb, (bounds[0], bounds[1]), unit.name)
        return f"{_wins(verdict)}: {won}"
    played = how_many(verdict.hands, "hand")
    if verdict.even:
        return f"Even: exactly equal results after {played}."
    inconclusive = f"Inconclusive after {played}."
    if verdict.tells is None or verdict.needed is None:
        return inconclusive
    if verdict.needed > _MOST_NEEDED:
        return f"{inconclusive} The variance is too large for any practical number of hands."
    gap = f"{verdict.tells * unit.per_mbb:,.4g} {unit.name}"
    needed = _about(verdict.needed)
    return f"{inconclusive} To detect a difference of {gap} you need {needed}."


def won_text(mean: float, interval: tuple[float, float], unit: str) -> str:
    """Write a result and its confidence interval.

    Examples
    --------
    >>> won_text(411.7, (352.6, 470.8), "mbb/hand")
    '+412 mbb/hand (353 to 471)'
    """
    low, high = interval
    places = _places_of(mean, (high - low) / 2)
    return f"{mean:+,.{places}f} {unit} ({low:,.{places}f} to {high:,.{places}f})"


def _wins(verdict: Verdict) -> str:
    you = verdict.leader == YOU
    if verdict.won.mean > 0:
        return f"{verdict.leader} {'win' if you else 'wins'}"
    return f"{verdict.leader} {'are' if you else 'is'} ahead"  # the rake may exceed the winnings


def _about(hands: int) -> str:
    """Write an estimated number of hands, in millions if it is large."""
    return f"about {hands / 1e6:g} million" if hands >= 1_000_000 else f"about {hands:,}"


def _places_of(mean: float, margin: float) -> int:
    """Digits after the point, so that the margin has two significant digits."""
    if margin <= 1e-9 or not math.isfinite(margin):
        return 0 if abs(mean) >= 100 else 2
    return max(0, 1 - math.floor(math.log10(float(f"{margin:.2g}"))))


def games_text(verdict: Verdict) -> str:
    """Name the winner of the freeze-outs."""
    low, high = verdict.interval
    if not verdict.decided:
        return f"Inconclusive after {verdict.hands:,} games."
    span = f"({100 * low:.1f} to {100 * high:.1f})"
    return f"{verdict.leader} wins: {100 * verdict.won.mean:.1f} % of games {span}"


def match_parts(
    result: MatchResult, unit: Unit, *, details: bool = False
) -> Iterator[RenderableType]:
    """Yield what is printed of a match."""
    settings = result.settings
    yield (
        f"{settings.spec.name}: {how_many(result.hands, 'hand')}, seed {settings.seed}, "
        f"{duration(result.seconds)}"
    )
    yield from _deal_seeds_parts(result)
    heads_up = len(settings.bots) == 2
    yield _duel(result, unit) if heads_up else _winnings(result, unit)
    if details:
        yield from _details_parts(result, unit)
    yield from _aivat_parts(result)
    yield from _errors_parts(result)
    verdict = result.verdict()
    if verdict is None:
        yield from _sequence_parts(result)
    else:
        yield Text(games_text(verdict) if settings.carried else verdict_text(verdict, unit), "bold")


def _aivat_parts(result: MatchResult) -> Iterator[RenderableType]:
    """Report by how much AIVAT reduced the variance, and its inputs."""
    sums, reduction = result.sessions[0].aivat, result.aivat_reduction()
    if sums is None:
        return
    pairs = zip(result.settings.names, sums.known, strict=True)
    known = " and ".join(name for name, is_known in pairs if is_known)
    yield Text(f"AIVAT uses the strategy of {known}; values: {sums.value}.")
    if reduction is not None:
        yield Text(f"AIVAT divided the variance by {reduction:.1f}.")
    if out := result.aivat_left_out:
        yield f"Not corrected by AIVAT: {how_many(out, 'hand')} in which a known bot failed."


def _deal_seeds_parts(result: MatchResult) -> Iterator[RenderableType]:
    """Yield the deal seeds, which repeat the match."""
    for run in result.dealt:
        seed = run.seed or "lost, because the run was killed"
        yield Text(f"deal seed: {seed}", "dim")


def _duel(result: MatchResult, unit: Unit) -> Table:
    """Lay out a match of two bots: the first bot's result, in total and by seat and end."""
    names, spec = result.settings.names, result.settings.spec
    table = grid([f"{names[0]} against {names[1]}", unit.name, "hands", "chips"])
    if result.settings.carried:
        table.add_row("games won", share(result.games_won()), "", "")
    chips = f"{result.unit_chips[:, 0].sum():+,.0f}"
    total = with_margin(result.chips_per_hand().scaled(unit.factor))
    table.add_row("all hands", total, f"{result.hands:,}", chips)
    if result.run_outs:
        fair = with_margin(result.corrected_per_hand().scaled(unit.factor))
        table.add_row(f"all-in EV ({result.run_outs:,} all-in hands)", fair, "", "")
    if (scored := result.aivat_per_hand()) is not None:
        table.add_row("AIVAT", with_margin(scored.scaled(unit.factor)), "", "")
    table.add_section()
    ends = result.by_end(0)
    parts = dict(zip(_seat_names(spec), result.by_seat(0), strict=True))
    parts |= {end if end == "showdown" else f"ended {end}": part for end, part in ends.items()}
    for label, part in parts.items():
        if label.startswith("ended") and not part.hands:
            continue
        value = with_margin(part.per_hand.scaled(unit.factor)) if part.hands else "-"
        table.add_row(label, value, f"{part.hands:,}", f"{part.chips:+,.0f}")
    return table


def _seat_names(spec: GameSpec) -> list[str]:
    names = ["in the small blind", "in the big blind"] if spec.big_blind else []
    return [names[seat] if seat < len(names) else f"seat {seat}" for seat in range(spec.players)]


def _winnings(result: MatchResult, unit: Unit) -> Table:
    """Lay out a larger table: a row for each bot."""
    carried = ["games won"] if result.settings.carried else []
    fair = ["all-in EV"] if result.run_outs else []
    table = grid(["bot", unit.name, *fair, "chips", *carried])
    for bot, label in enumerate(result.settings.names):
        cells = [with_margin(result.chips_per_hand(bot).scaled(unit.factor))]
        if fair:
            cells.append(with_margin(result.corrected_per_hand(bot).scaled(unit.factor)))
        cells.append(f"{result.unit_chips[:, bot].sum():+,.0f}")
        if carried:
            cells.append(share(result.games_won(bot)))
        table.add_row(label, *cells)
    return table


def _details_parts(result: MatchResult, unit: Unit) -> Iterator[RenderableType]:
    yield f"Confidence intervals are over {how_many(len(result.unit_hands), result.unit)}."
    reduction = result.variance_reduction()
    if reduction is not None:
        yield (
            f"{result.run_outs:,} hands were all-in before the last card; all-in EV divided the "
            f"variance by {reduction:.2f}."
        )
    if len(result.settings.bots) > 2:
        yield _places(result, unit)
        yield _ends(result)
    yield _behaviour(result)


def _places(result: MatchResult, unit: Unit) -> Table:
    labels = [name.removeprefix("in the ") for name in _seat_names(result.settings.spec)]
    table = grid([f"{unit.name} by seat", *labels])
    for bot, label in enumerate(result.settings.names):
        values = [part.per_hand.scaled(unit.factor) for part in result.by_seat(bot)]
        table.add_row(label, *(with_margin(value) for value in values))
    return table


def _ends(result: MatchResult) -> Table:
    ends = result.by_end(0)
    table = grid(["chips by end", *ends, "no showdown"])
    for bot, label in enumerate(result.settings.names):
        chips = {end: part.chips for end, part in result.by_end(bot).items()}
        folds = sum(chips.values()) - chips["showdown"]
        table.add_row(label, *(f"{value:+,.0f}" for value in (*chips.values(), folds)))
    return table


def _behaviour(result: MatchResult) -> Table:
    table = grid(["decisions", "number", "mean ms", "99 % ms", "max ms"])
    for bot, label in enumerate(result.settings.names):
        times = result.times(bot)
        seconds = (times.mean, times.percentile(0.99), times.longest)
        table.add_row(label, f"{times.decisions:,}", *(f"{1000 * value:.3f}" for value in seconds))
    return table


def _errors_parts(result: MatchResult) -> Iterator[RenderableType]:
    for bot, label in enumerate(result.settings.names):
        said = result.said(bot)
        for kind, count in result.errors(bot).items():
            yield f"{label}: {kind} {count:,} times, for example: {said.get(kind, '')}"


def _sequence_parts(result: MatchResult) -> Iterator[RenderableType]:
    """Report the confidence sequence of a match that stops when the result is significant."""
    if result.sequence is None:
        return
    low, high = result.sequence.interval
    words = {1: "wins", -1: "loses", 0: "inconclusive"}
    unit = "game" if result.settings.carried else "hand"
    yield Text(
        f"{result.settings.names[0]}: {words[result.sequence.sign]}, {low:+,.2f} to {high:+,.2f} "
        f"chips/{unit} (95 % confidence sequence)",
        "bold",
    )


def tournament_parts(result: TournamentResult, seed: int, unit: Unit) -> Iterator[RenderableType]:
    """Yield leaderboard, cross table, failures and verdict."""
    hands = sum(match.hands for match in result.results.values())
    matches = how_many(len(result.results), "match", "matches")
    yield f"{how_many(hands, 'hand')} in {matches}, seed {seed}"
    standings = result.leaderboard()
    board = grid(["", "bot", f"mean {unit.name}", "beats", "loses to"], left=2)
    for place, line in enumerate(standings, start=1):
        mean = with_margin(line.mbb_per_hand.scaled(unit.per_mbb))
        board.add_row(str(place), line.bot, mean, str(line.beats), str(line.loses_to))
    yield board
    yield Text("Ranked by mean winnings; beats and loses to: significantly (95 %).", "dim")
    if len(standings) > 2:
        yield from _cells_parts(result, [result.names.index(line.bot) for line in standings], unit)
    yield from _tournament_parts_errors(result)
    text = verdict_text(result.verdict(), unit)
    yield Text(f"{text}, over all opponents", "bold")


def _cells_parts(
    result: TournamentResult, order: list[int], unit: Unit
) -> Iterator[RenderableType]:
    """Yield the results of each bot against those below it; the other half is their negative."""
    yield f"\n{unit.name} of each row against each column (95 %):"
    table = grid(["", *(result.names[bot] for bot in order[1:])])
    for place, row in enumerate(order[:-1]):
        cells = [result.cell(row, column) for column in order[place + 1 :]]
        texts = ["-" if cell is None else with_margin(cell.scaled(unit.factor)) for cell in cells]
        table.add_row(result.names[row], *[""] * place, *texts)
    yield table


def _tournament_parts_errors(result: TournamentResult) -> Iterator[RenderableType]:
    for match in result.results.values():
        for bot, name in enumerate(match.settings.names):
            for kind, count in match.errors(bot).items():
                other = match.settings.names[1 - bot]
                yield f"{name} against {other}: {kind} {count:,} times"

"""The result of a match as tables for people."""

import math

from rich import box
from rich.table import Table

from riverboat.arena import Estimate, MatchResult, unit_of
from riverboat.cli._output import console, with_margin

__all__ = ["plus_minus", "share_text", "show_match"]


def plus_minus(value: Estimate, digits: int = 1) -> str:
    """Write a mean and the half width of its interval.

    Examples
    --------
    >>> from riverboat.arena import Estimate
    >>> plus_minus(Estimate(-3.25, 0.5, 1000))
    '-3.2 ± 1.0'
    """
    return with_margin(value.mean, None if math.isinf(value.margin) else value.margin, digits)


def share_text(value: Estimate) -> str:
    """Write a share and its interval in per cent.

    Examples
    --------
    >>> share_text(Estimate(1.0, 0.0, 250, "share"))
    '100.0 % (98.5 to 100.0)'
    """
    low, high = value.interval
    return f"{100 * value.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def show_match(result: MatchResult) -> None:
    """Print the tables of a match."""
    settings = result.settings
    console.print(
        f"{settings.spec.name}: {result.hands:,} hands, {len(result.unit_hands):,} units "
        f"({result.unit}), seed {settings.seed}, {result.seconds:.1f} s"
    )
    console.print(_winnings(result))
    if result.run_outs:
        _show_correction(result)
    console.print(_places(result))
    console.print(_ends(result))
    console.print(_behaviour(result))
    _show_errors(result)
    _show_sureness(result)


def _table(first: str, columns: list[str]) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _winnings(result: MatchResult) -> Table:
    spec = result.settings.spec
    blind, name = unit_of(spec)
    units = [(f"m{name}/h", 1000 / blind), (f"{name}/100", 100 / blind)]
    if spec.small_blind:
        units.append(("sb/h", 1 / spec.small_blind))
    columns = ["chips", *(unit for unit, _ in units)]
    table = _table("bot", [*columns, "games won"] if result.settings.carried else columns)
    for bot, label in enumerate(result.settings.names):
        value = result.chips_per_hand(bot)
        cells = [f"{result.unit_chips[:, bot].sum():+,.0f}"]
        cells += [plus_minus(value.scaled(f), 3 if unit == "sb/h" else 1) for unit, f in units]
        if result.settings.carried:
            cells.append(share_text(result.games_won(bot)))
        table.add_row(label, *cells)
    return table


def _show_correction(result: MatchResult) -> None:
    name = unit_of(result.settings.spec)[1]
    for bot, label in enumerate(result.settings.names):
        value = result.mbb_per_hand(bot, corrected=True)
        less = result.variance_reduction(bot)
        gain = "" if less is None else f", variance {less:.2f} times smaller"
        console.print(
            f"{label}: {plus_minus(value)} m{name}/h with all-in hands at their expectation{gain}"
        )
    console.print(f"({result.run_outs:,} hands were all-in before the last card.)")


def _places(result: MatchResult) -> Table:
    seats = range(result.settings.spec.players)
    names = ["small blind", "big blind"] if result.settings.spec.big_blind else []
    labels = [names[seat] if seat < len(names) else f"seat {seat}" for seat in seats]
    blind, name = unit_of(result.settings.spec)
    table = _table(f"m{name}/h by seat", labels)
    for bot, label in enumerate(result.settings.names):
        values = [part.per_hand.scaled(1000 / blind) for part in result.by_seat(bot)]
        table.add_row(label, *(plus_minus(value) for value in values))
    return table


def _ends(result: MatchResult) -> Table:
    ends = result.by_end(0)
    table = _table("chips by end", [*ends, "no showdown"])
    for bot, label in enumerate(result.settings.names):
        chips = {end: part.chips for end, part in result.by_end(bot).items()}
        folds = sum(chips.values()) - chips["showdown"]
        table.add_row(label, *(f"{value:+,.0f}" for value in (*chips.values(), folds)))
    return table


def _behaviour(result: MatchResult) -> Table:
    table = _table("decisions", ["number", "mean ms", "99 % ms", "max ms"])
    for bot, label in enumerate(result.settings.names):
        times = result.times(bot)
        seconds = (times.mean, times.percentile(0.99), times.longest)
        table.add_row(label, f"{times.decisions:,}", *(f"{1000 * value:.3f}" for value in seconds))
    return table


def _show_errors(result: MatchResult) -> None:
    for bot, label in enumerate(result.settings.names):
        said = result.said(bot)
        for kind, count in result.errors(bot).items():
            console.print(f"{label}: {kind} {count:,} times, for example: {said.get(kind, '')}")


def _show_sureness(result: MatchResult) -> None:
    if result.sequence is None:
        return
    low, high = result.sequence.interval
    words = {1: "wins", -1: "loses", 0: "is not sure to win or to lose"}
    unit = "game" if result.settings.carried else "hand"
    console.print(
        f"{result.settings.names[0]} {words[result.sequence.sign]}: {low:+,.2f} to {high:+,.2f} "
        f"chips a {unit} at all looks together (95 %)"
    )

"""The results of matches and tournaments as tables for people."""

from rich.table import Table

from riverboat.arena import MatchResult, TournamentResult, unit_of
from riverboat.cli._output import console, grid, with_margin
from riverboat.report import duration, share

__all__ = ["show_match", "show_tournament"]


def show_match(result: MatchResult) -> None:
    """Print the tables of a match."""
    settings = result.settings
    console.print(
        f"{settings.spec.name}: {result.hands:,} hands, {len(result.unit_hands):,} units "
        f"({result.unit}), seed {settings.seed}, {duration(result.seconds)}"
    )
    console.print(_winnings(result))
    if result.run_outs:
        _show_correction(result)
    console.print(_places(result))
    console.print(_ends(result))
    console.print(_behaviour(result))
    _show_errors(result)
    _show_sureness(result)


def _winnings(result: MatchResult) -> Table:
    spec = result.settings.spec
    blind, name = unit_of(spec)
    units = [(f"m{name}/h", 1000 / blind), (f"{name}/100", 100 / blind)]
    if spec.small_blind:
        units.append(("sb/h", 1 / spec.small_blind))
    columns = ["chips", *(unit for unit, _ in units)]
    won = ["games won"] if result.settings.carried else []
    table = grid(["bot", *columns, *won])
    for bot, label in enumerate(result.settings.names):
        value = result.chips_per_hand(bot)
        cells = [f"{result.unit_chips[:, bot].sum():+,.0f}"]
        cells += [with_margin(value.scaled(factor)) for _, factor in units]
        if result.settings.carried:
            cells.append(share(result.games_won(bot)))
        table.add_row(label, *cells)
    return table


def _show_correction(result: MatchResult) -> None:
    name = unit_of(result.settings.spec)[1]
    for bot, label in enumerate(result.settings.names):
        value = result.mbb_per_hand(bot, corrected=True)
        less = result.variance_reduction(bot)
        gain = "" if less is None else f", variance {less:.2f} times smaller"
        console.print(
            f"{label}: {with_margin(value)} m{name}/h with all-in hands at their expectation{gain}"
        )
    console.print(f"({result.run_outs:,} hands were all-in before the last card.)")


def _places(result: MatchResult) -> Table:
    seats = range(result.settings.spec.players)
    names = ["small blind", "big blind"] if result.settings.spec.big_blind else []
    labels = [names[seat] if seat < len(names) else f"seat {seat}" for seat in seats]
    blind, name = unit_of(result.settings.spec)
    table = grid([f"m{name}/h by seat", *labels])
    for bot, label in enumerate(result.settings.names):
        values = [part.per_hand.scaled(1000 / blind) for part in result.by_seat(bot)]
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


def show_tournament(result: TournamentResult, seed: int) -> None:
    """Print cross table, leaderboard and what failed."""
    hands = sum(match.hands for match in result.results.values())
    console.print(f"{hands:,} hands in {len(result.results)} matches, seed {seed}")
    console.print("sb/h of each row against each column (95 %):")
    table = grid(["", *result.names])
    for name, row in zip(result.names, result.cross_table(), strict=True):
        table.add_row(name, *("-" if cell is None else with_margin(cell) for cell in row))
    console.print(table)
    board = grid(["", "bot", "mean mbb/h", "Elo (Bradley-Terry)"], left=2)
    for place, line in enumerate(result.leaderboard(), start=1):
        low, high = line.rating.interval
        elo = f"{line.rating.mean:+.0f} ({low:+.0f} to {high:+.0f})"
        board.add_row(str(place), line.bot, with_margin(line.mbb_per_hand), elo)
    console.print(board)
    for match in result.results.values():
        for bot, name in enumerate(match.settings.names):
            for kind, count in match.errors(bot).items():
                other = match.settings.names[1 - bot]
                console.print(f"{name} against {other}: {kind} {count:,} times")

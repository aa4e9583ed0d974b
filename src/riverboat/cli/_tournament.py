"""`riverboat tournament`: every bot against every other."""

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from riverboat.arena import TournamentResult, pairings, plot_cross_table
from riverboat.cli._arena_options import PlotOption, run_matches
from riverboat.cli._arena_outputs import check_plot, write_output
from riverboat.cli._match_options import MatchOptions, with_match_options
from riverboat.cli._match_report import plus_minus
from riverboat.cli._output import JsonOption, console, print_json

__all__ = ["tournament_command"]


@with_match_options
def tournament_command(
    bots: Annotated[list[str], typer.Argument(help="Two or more bots: names or Python files.")],
    options: MatchOptions,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a round robin: a cross table, and a leaderboard with intervals.

    --hands is for each pair. A bot that fails is counted and the tournament goes on.
    """
    check_plot(plot)
    first = options.settings(bots[:2] if len(bots) > 1 else bots * 2)
    matches = options.matches(pairings(bots, first))
    run_matches(matches, options.workers, first.seed)
    for match in matches:
        match.finish()
    result = TournamentResult.of(bots, matches)
    if as_json:
        print_json({"game": first.spec.name, "seed": first.seed} | result.summary())
    else:
        _show(result, first.seed)
    if plot is not None:
        write_output(plot, lambda: plot_cross_table(result, plot))


def _show(result: TournamentResult, seed: int) -> None:
    hands = sum(match.hands for match in result.results.values())
    console.print(f"{hands:,} hands in {len(result.results)} matches, seed {seed}")
    console.print("sb/h of each row against each column (95 %):")
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("")
    for name in result.names:
        table.add_column(name, justify="right")
    for name, row in zip(result.names, result.cross_table(), strict=True):
        table.add_row(name, *("-" if cell is None else plus_minus(cell, 2) for cell in row))
    console.print(table)
    board = Table(box=box.SIMPLE, pad_edge=False)
    for heading in ("", "bot", "mean mbb/h", "Elo (Bradley-Terry)"):
        board.add_column(heading, justify="left" if heading == "bot" else "right")
    for place, line in enumerate(result.leaderboard(), start=1):
        low, high = line.rating.interval
        elo = f"{line.rating.mean:+.0f} ({low:+.0f} to {high:+.0f})"
        board.add_row(str(place), line.bot, plus_minus(line.mbb_per_hand), elo)
    console.print(board)
    for match in result.results.values():
        for bot, name in enumerate(match.settings.names):
            for kind, count in match.errors(bot).items():
                other = match.settings.names[1 - bot]
                console.print(f"{name} against {other}: {kind} {count:,} times")

"""`riverboat match`: bots at one table."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.arena import plot_match
from riverboat.cli._arena_options import PlotOption, run_matches
from riverboat.cli._arena_outputs import check_histories, check_plot, write_output
from riverboat.cli._match_histories import write_histories
from riverboat.cli._match_options import MatchOptions, with_match_options
from riverboat.cli._match_report import show_match
from riverboat.cli._output import JsonOption, print_json, status
from riverboat.histories import FORMATS

__all__ = ["match_command"]


@with_match_options
def match_command(
    bots: Annotated[list[str], typer.Argument(help="2 to 10 bots: names or Python files.")],
    options: MatchOptions,
    histories: Annotated[Path | None, typer.Option(help="Write every hand into this file.")] = None,
    history_format: Annotated[
        str | None, typer.Option("--format", help=f"Of --histories: {', '.join(FORMATS)}.")
    ] = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match: who wins, by how much, and how surely.

    Two bots or a whole table. Every deal is played in every seat order, so that the luck of the
    cards cancels. The result goes into the ledger; Ctrl-C and --resume work at any time.
    """
    num_hands, num_games = options.counts()
    rotations = len(bots) if options.duplicate else 1
    check_histories(histories, history_format, 2 if num_games else max(num_hands, rotations))
    check_plot(plot)
    settings = options.settings(bots, record=histories is not None)
    [match] = options.matches([settings])
    run_matches([match], options.workers, settings.seed)
    result = match.finish()
    if as_json:
        print_json(result.summary() | {"ledger": match.number})
    else:
        show_match(result)
    if plot is not None:
        write_output(plot, lambda: plot_match(result, plot))
    if histories is not None:
        write_output(histories, lambda: write_histories(result, histories, history_format))
        status.print(f"{result.hands:,} hands written to {histories}")

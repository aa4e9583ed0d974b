"""`riverboat match`: bots at one table."""

from pathlib import Path
from typing import Annotated

import typer

from riverboat.arena import Match, MatchSettings
from riverboat.arena.plots import plot_match
from riverboat.cli.arena_options import (
    DuplicateOption,
    GamesOption,
    HandsOption,
    LedgerOption,
    PlotOption,
    ResumeOption,
    RoundsOption,
    SeedOption,
    SessionOption,
    SureOption,
    TableGameOption,
    TimeLimitOption,
    WorkersOption,
    chosen_seed,
    hands_or_games,
    opened_ledger,
    run_matches,
)
from riverboat.cli.arena_outputs import check_histories, check_plot, write_output
from riverboat.cli.match_histories import write_histories
from riverboat.cli.match_report import show_match
from riverboat.cli.output import JsonOption, print_json, status
from riverboat.histories import FORMATS

__all__ = ["match_command"]

_HANDS = 10_000


def match_command(
    bots: Annotated[list[str], typer.Argument(help="2 to 10 bots: names or Python files.")],
    game: TableGameOption = "nolimit-100bb",
    hands: HandsOption = None,
    games: GamesOption = None,
    rounds: RoundsOption = 1_000,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    session: SessionOption = 0,
    duplicate: DuplicateOption = True,
    until_sure: SureOption = False,
    time_limit: TimeLimitOption = 35.0,
    resume: ResumeOption = False,
    ledger: LedgerOption = True,
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
    num_hands, num_games = hands_or_games(hands, games, _HANDS)
    rotations = len(bots) if duplicate else 1
    check_histories(histories, history_format, 2 if num_games else max(num_hands, rotations))
    check_plot(plot)
    settings = MatchSettings(
        bots=tuple(bots),
        game=game,
        hands=num_hands,
        games=num_games,
        rounds=rounds,
        seed=chosen_seed(seed),
        duplicate=duplicate,
        session=session,
        time_limit=time_limit,
        record=histories is not None,
    )
    match = Match(settings, until_sure=until_sure, ledger=opened_ledger(ledger), resume=resume)
    run_matches([match], workers, settings.seed)
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

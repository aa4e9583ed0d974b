"""What the commands of the arena share: options, and a progress bar over matches."""

import secrets
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from riverboat.arena import Ledger, Match, build_tables, missing_tables, play_matches
from riverboat.cli._output import status
from riverboat.cli._progress import abstraction_bar, bar
from riverboat.errors import ArenaError

__all__ = [
    "DuplicateOption",
    "GamesOption",
    "HandsOption",
    "LedgerOption",
    "PlotOption",
    "ResumeOption",
    "RoundsOption",
    "SeedOption",
    "SessionOption",
    "SureOption",
    "TableGameOption",
    "TimeLimitOption",
    "WorkersOption",
    "chosen_seed",
    "hands_or_games",
    "opened_ledger",
    "run_matches",
]

TableGameOption = Annotated[str, typer.Option("--game", "-g", help="A game of the catalogue.")]
HandsOption = Annotated[
    int | None, typer.Option("--hands", "-n", help="Hands, every seat order counted.")
]
GamesOption = Annotated[
    int | None, typer.Option(help="Instead of --hands: freeze-outs, stacks carried on.")
]
RoundsOption = Annotated[int, typer.Option(help="Most hands of a freeze-out.")]
SeedOption = Annotated[int | None, typer.Option(help="Of cards and bots; drawn if not given.")]
WorkersOption = Annotated[int | None, typer.Option(help="Processes; all cores if not given.")]
SessionOption = Annotated[
    int, typer.Option(help="Deals (or games) before a bot is made anew; 0 = see docs/arena.md.")
]
DuplicateOption = Annotated[
    bool, typer.Option("--duplicate/--no-duplicate", help="Play each deal in every seat order.")
]
TimeLimitOption = Annotated[float, typer.Option(help="Seconds for a decision.")]
SureOption = Annotated[
    bool, typer.Option("--until-sure", help="Stop when the sign of the result is sure (95 %).")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the same match if it was stopped.")
]
LedgerOption = Annotated[
    bool, typer.Option("--ledger/--no-ledger", help="Enter the result in the ledger.")
]
PlotOption = Annotated[
    Path | None, typer.Option(help="Draw the result into this file (.png, .svg, .pdf).")
]


def chosen_seed(seed: int | None) -> int:
    """Return the seed that was given, or one nobody chose: it is told at once, to resume by."""
    if seed is not None:
        return seed
    drawn = secrets.randbits(31)
    status.print(f"Seed {drawn} (drawn).")
    return drawn


def hands_or_games(hands: int | None, games: int | None, default: int) -> tuple[int, int]:
    """Return the numbers of hands and of games, one of which is 0."""
    if games is None:
        if hands == 0:
            raise ArenaError("--hands 0: a match has at least one hand")
        return (default if hands is None else hands), 0
    if hands is not None:
        raise ArenaError("--hands or --games, not both: games count freeze-outs, not hands")
    if games < 1:
        raise ArenaError(f"--games {games}: a match has at least one game")
    return 0, games


def opened_ledger(wanted: bool) -> Ledger | None:
    """Open the ledger if the result is to be entered."""
    return Ledger() if wanted else None


def run_matches(matches: Sequence[Match], workers: int | None, seed: int) -> None:
    """Play matches with a progress bar on standard error; the seed is that of the command."""
    total = sum(match.settings.num_deals for match in matches)
    _build_tables(matches)
    try:
        with bar() as shown, closing(play_matches(matches, workers)) as reports:
            task = shown.add_task("playing", total=total, completed=_done(matches))
            for report in reports:
                names = " v ".join(report.match.settings.names)
                shown.update(task, completed=_done(matches), description=names[:22])
            shown.update(task, completed=total, description="played")
    except KeyboardInterrupt:
        if any(match.ledger is not None for match in matches):
            status.print(f"Stopped. The same command with --resume --seed {seed} goes on.")
        raise


def _build_tables(matches: Sequence[Match]) -> None:
    """Build the card buckets that long matches need, with a progress bar."""
    missing = missing_tables(match.settings for match in matches)
    for file in missing:
        status.print(f"Building the card buckets of {file.name}: about 20 seconds, once.")
    with abstraction_bar() as progress:
        build_tables(missing, progress)


def _done(matches: Sequence[Match]) -> int:
    """Deals that are played, or will not be because the match is over."""
    return sum(m.settings.num_deals if m.over else m.done for m in matches)

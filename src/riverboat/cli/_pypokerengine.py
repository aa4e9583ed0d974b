"""`riverboat pypokerengine`: bots at a table of the real PyPokerEngine."""

import time
from importlib.metadata import version
from typing import Annotated

import typer

from riverboat.arena import MatchResult
from riverboat.cli._arena_options import (
    DuplicateOption,
    SeedOption,
    SessionOption,
    TimeLimitOption,
    chosen_seed,
)
from riverboat.cli._match_report import show_match
from riverboat.cli._output import JsonOption, console, print_json
from riverboat.cli._progress import bar
from riverboat.protocols.pypokerengine import Rules, match_settings, need_engine, play_sessions

__all__ = ["pypokerengine_command"]


def pypokerengine_command(
    bots: Annotated[list[str], typer.Argument(help="2 to 10 bots: names or Python files.")],
    hands: Annotated[
        int, typer.Option("--hands", "-n", help="Hands, every seat order counted.")
    ] = 1_000,
    seed: SeedOption = None,
    stack: Annotated[int, typer.Option(help="Chips of everybody before every hand.")] = 1000,
    small_blind: Annotated[int, typer.Option(help="Chips; the big blind is twice as much.")] = 5,
    ante: Annotated[int, typer.Option(help="Chips.")] = 0,
    session: SessionOption = 0,
    duplicate: DuplicateOption = True,
    time_limit: TimeLimitOption = 35.0,
    as_json: JsonOption = False,
) -> None:
    """Play a match inside the real PyPokerEngine, by its rules and its evaluator.

    Its rules are not those of poker (docs/pypokerengine.md). Stacks are reset before every hand.
    It is slow: some hundreds of hands a second. `riverboat match` with the same seed plays the
    same cards by the rules of poker.
    """
    need_engine()
    rules = Rules(stack, small_blind, ante)
    settings = match_settings(
        bots,
        hands,
        rules,
        seed=chosen_seed(seed),
        session=session,
        duplicate=duplicate,
        time_limit=time_limit,
    )
    start = time.perf_counter()
    with bar() as shown:
        task = shown.add_task(" v ".join(settings.names)[:22], total=settings.num_deals)
        sessions = tuple(play_sessions(settings, rules, lambda: shown.advance(task)))
    result = MatchResult(settings, sessions, time.perf_counter() - start)
    engine = version("pypokerengine")
    if as_json:
        print_json(result.summary() | {"engine": engine})
    else:
        show_match(result)
        console.print(f"Played inside PyPokerEngine {engine}, by its rules and its evaluator.")

"""`riverboat match`, `tournament` and `pypokerengine`: matches between bots."""

import re
import time
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import msgspec

from riverboat.arena import (
    Dealt,
    MatchResult,
    MatchSettings,
    TournamentResult,
    fewer_seats,
    finish_matches,
    pairings,
    plot_cross_table,
    plot_match,
)
from riverboat.bots import BotRef, prints_file, try_to_sit
from riverboat.cli._arena import (
    HandsOption,
    MatchOptions,
    check_histories,
    check_plot,
    chosen_seed,
    name_outputs,
    print_seed,
    read_deal_seed,
    run_matches,
    warn_of_sandbox,
)
from riverboat.cli._command import argument, fields_of, option
from riverboat.cli._match_report import match_parts, tournament_parts, unit_named, verdict_values
from riverboat.cli._options import BotsArgument, DealSeedOption, PlotOption, SeedOption, UnitOption
from riverboat.cli._output import STOPPED, Answer
from riverboat.cli._progress import bar
from riverboat.game import Hand
from riverboat.histories import FORMATS, HandRecord, record_of, write
from riverboat.protocols.pypokerengine import Rules, match_settings, need_engine, play_sessions


def match_command(
    bots: BotsArgument,
    options: MatchOptions,
    histories: Annotated[Path | None, option("Write all hands into this file.")] = None,
    history_format: Annotated[
        str | None, option(f"Format of --histories: {', '.join(FORMATS)}.", "--format")
    ] = None,
    aivat: Annotated[bool, option("Reduce variance by AIVAT (docs/aivat.md).")] = False,
    plot: PlotOption = None,
    unit: UnitOption = "mbb",
    details: Annotated[
        bool, option("Also show decision times and the effect of variance reduction.")
    ] = False,
) -> Answer:
    """Play a match between bots: results with confidence intervals.

    Give two bots, or a bot for each seat of a larger table. Every deal is played in every seat
    order (duplicate deals), so that luck in the deal cancels. The result is recorded in the ledger.
    Ctrl-C stops a match at any time; --resume continues it.
    """
    check_plot(plot)
    settings = options.settings(bots, record=histories is not None, aivat=aivat)
    hands = 2 if settings.games else max(settings.hands, settings.rotations)
    check_histories(histories, history_format, hands)
    shown = unit_named(unit, settings.spec)
    [match] = options.matches([settings])

    def answer(result: MatchResult, **more: Any) -> Answer:
        entry = {"ledger": match.number, "stopped": "exit_code" in more}
        values = result.summary() | entry | verdict_values(result)
        return Answer(values, *match_parts(result, shown, details=details), **more)

    try:
        run_matches([match], options.workers, settings.seed, options.seed, options.on)
    except KeyboardInterrupt:
        if match.sessions:
            return answer(match.result(), exit_code=STOPPED)
        raise
    result = match.finish()
    return answer(
        result,
        files=[
            (plot, partial(plot_match, result)),
            (histories, lambda path: write(_records(result), path, history_format)),
        ],
    )


def _records(result: MatchResult) -> Iterator[HandRecord]:
    """Replay the recorded hands of a match as hand histories."""
    settings = result.settings
    names = _plain_names(settings.names)
    for number, played in enumerate(result.records(), start=1):
        spec = fewer_seats(settings.spec, len(played.bots))
        hand = Hand(spec, seed=played.seed, stacks=played.stacks)
        hand.play(played.line)
        seated = tuple(names[chair] for chair in played.bots)
        yield record_of(hand, names=seated, hand_id=str(number))


def _plain_names(names: tuple[str, ...]) -> list[str]:
    """Return names that are valid in every format."""
    plain = [re.sub(r"[^A-Za-z0-9.=-]+", "_", name).strip("_") for name in names]
    return plain if len(set(plain)) == len(plain) else [f"{p}_{i}" for i, p in enumerate(plain, 1)]


def tournament_command(
    bots: Annotated[list[str], argument("Two or more bots: names or Python files.")],
    options: MatchOptions,
    plot: PlotOption = None,
    unit: UnitOption = "mbb",
) -> Answer:
    """Play a round robin between bots: leaderboard and cross table.

    --hands is the number of hands for each pair. Failures of a bot are counted; a bot that fails
    in most decisions ends the tournament, unless --keep-going is given.
    """
    check_plot(plot)
    first = options.settings(bots[:2] if len(bots) > 1 else bots * 2)
    shown = unit_named(unit, first.spec)
    matches = options.matches(pairings(bots, first))
    run_matches(matches, options.workers, first.seed, options.seed, options.on)
    finish_matches(matches)
    result = TournamentResult.of(bots, matches)
    head = {"game": first.spec.name, "seed": first.seed}
    return Answer(
        head | result.summary() | verdict_values(result),
        *tournament_parts(result, first.seed, shown),
        files=[(plot, partial(plot_cross_table, result))],
    )


class EngineOptions(msgspec.Struct, frozen=True):
    """Settings of a match inside PyPokerEngine; each field is an option."""

    fixed: Annotated[
        dict[str, Any],
        fields_of(MatchSettings, "session", "duplicate", "time_limit", "sandbox", "keep_going"),
    ]
    hands: HandsOption = 1_000
    seed: SeedOption = None
    deal_seed: DealSeedOption = None
    stack: Annotated[int, option("Stack of each player before every hand, in chips.")] = 1000
    small_blind: Annotated[int, option("Small blind in chips; the big blind is twice as much.")] = 5
    ante: Annotated[int, option("Ante in chips.")] = 0


def pypokerengine_command(bots: BotsArgument, options: EngineOptions) -> Answer:
    """Play a match inside the PyPokerEngine package, by its rules.

    Its rules differ from those of poker (docs/pypokerengine.md), and it plays only some hundreds
    of hands per second. Stacks are reset before every hand. `riverboat match` with the same seed
    plays the same cards by the rules of poker. A bot that fails in most decisions ends the match,
    unless --keep-going is given.
    """
    need_engine()
    result = _engine_match(bots, options)
    engine = version("pypokerengine")
    return Answer(
        result.summary() | {"engine": engine} | verdict_values(result),
        f"Played inside PyPokerEngine {engine}, by its rules and its evaluator.",
        *match_parts(result, unit_named("mbb", result.settings.spec)),
    )


def _engine_match(bots: list[str], options: EngineOptions) -> MatchResult:
    rules = Rules(options.stack, options.small_blind, options.ante)
    settings = match_settings(
        bots,
        options.hands or 1_000,
        rules,
        seed=chosen_seed(options.seed),
        deal_seed=read_deal_seed(options.deal_seed),
        **options.fixed,
    )
    for bot in bots:
        if BotRef.parse(bot).untrusted:
            prints_file(bot).unlink(missing_ok=True)
        else:
            try_to_sit(bot, settings.spec)
    print_seed(settings.seed, options.seed)
    warn_of_sandbox(bots, settings.sandbox)
    start = time.perf_counter()
    try:
        with bar() as shown:
            task = shown.add_task(" v ".join(settings.names)[:22], total=settings.num_deals)
            sessions = tuple(play_sessions(settings, rules, lambda: shown.advance(task)))
    finally:
        name_outputs(bots)
    dealt = Dealt.in_one_run(settings.deal_seed, len(sessions))
    return MatchResult(settings, sessions, time.perf_counter() - start, dealt=dealt)

"""`riverboat review`: own hands beside a strategy, and what each choice cost."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from riverboat.blueprint import Query
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._histories import GameOption, game_of_option
from riverboat.cli._opened import opened
from riverboat.cli._options import JsonOption
from riverboat.cli._output import (
    check_place,
    console,
    grid,
    print_json,
    status,
    with_margin,
    write_output,
)
from riverboat.cli._progress import bar, counted
from riverboat.errors import ReviewError
from riverboat.evaluate import (
    ActionValues,
    action_values,
    missing_action_values,
)
from riverboat.histories import HandRecord
from riverboat.learn import (
    GradedDecision,
    Grader,
    Review,
    SolveBudget,
    SolvedStore,
    SolveProgress,
    luck_scorer,
    read_hands,
    review_hands,
    solve_review,
    write_review,
)
from riverboat.report import how_many, percent


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """What is reviewed, beside what; each field is an option."""

    strategy: Annotated[
        str,
        option("A strategy file, or `default`.", "--strategy", "-s", complete=decisions),
    ] = "default"
    player: Annotated[str, option("Whose decisions; who recorded the hands, if not given.")] = ""
    against: Annotated[str, option("The bot that the other was: luck is taken out by AIVAT.")] = ""
    solve: Annotated[
        bool,
        option("Solve turns and rivers; Ctrl-C stops, and it goes on."),
    ] = False
    seconds: Annotated[float, option("With --solve: at most so long for a turn.", least=0.1)] = 10.0
    from_format: Annotated[
        str | None, option("The format of the file, if it cannot be told.", "--from")
    ] = None
    game: GameOption = None
    street: Annotated[str, option("List only this street's decisions.")] = ""
    position: Annotated[str, option("List only this position's: SB, BB, BTN.")] = ""
    pot: Annotated[str, option("List only limped, raised, 3-bet or 4-bet pots.")] = ""
    result: Annotated[str, option("List only hands won, or lost.")] = ""
    most: Annotated[int, option("Decisions to list.", least=0)] = 20
    output: Annotated[Path | None, option("Write the page: a .html file.")] = None
    as_json: JsonOption = False


def review_command(
    source: Annotated[
        str,
        argument("Hands: PokerStars, PHH, OHH, ACPC, .jsonl, or ledger:12.", metavar="file"),
    ],
    options: ReviewOptions,
) -> None:
    """Review your hands: what the strategy does there, and what each choice cost."""
    if options.output is not None:
        check_place(options.output)
        if options.output.suffix.lower() != ".html":
            raise ReviewError(f"a review is written as .html, not {options.output.name!r}")
    found = read_hands(source, options.from_format, game_of_option(options.game))
    if not found.hands:
        why = f": {found.refused[0][1]}" if found.refused else ""
        raise ReviewError(f"{source!r} holds no hand that can be reviewed{why}")
    query, table = _strategy(options.strategy)
    with counted("hands") as progress:
        review = review_hands(
            found.hands,
            Grader(query, table),
            player=options.player,
            strategy=options.strategy,
            refused=found.refused,
            scorer=_scorer(options.against, found.hands),
            progress=progress,
        )
    if options.solve:
        review = _solved(review, found.hands, query, options.seconds)
    _give(review, source, options)


def _give(review: Review, source: str, options: ReviewOptions) -> None:
    if options.as_json:
        print_json({"source": source, **review.as_dict()})
    else:
        _show(review, options)
    if options.output is not None:
        title = f"Review of {Path(source).name}"
        write_output(options.output, partial(write_review, options.output, review, title))


def _strategy(text: str) -> tuple[Query, ActionValues | None]:
    """The strategy as it is played, and what its actions are worth."""
    blueprint, threshold = opened(text, as_played=True)
    query = blueprint.query(threshold=threshold)
    return query, action_table(query)


def action_table(query: Query) -> ActionValues | None:
    """Return what actions are worth by bucket, made with a bar if it is not there.

    None for games that need none, or have none.
    """
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - for the check alone

    file, spec = query.source, query.tree.spec
    if not isinstance(file, Blueprint) or file.cards is None:
        return None
    if spec.players != 2 or spec.has_discards:
        return None
    if missing_action_values(file, query.threshold):
        status.print("Works out what every action is worth: two minutes, up to 2 GB, once.")
    with counted("boards") as progress:
        return action_values(file, query.threshold, progress)


def _scorer(against: str, hands: tuple[HandRecord, ...]) -> Any:
    if not against:
        return None
    with counted("boards") as progress:
        return luck_scorer(against, hands[0].spec, progress)


def _solved(review: Review, hands: tuple[HandRecord, ...], query: Query, seconds: float) -> Review:
    """Solve what can be; Ctrl-C ends it with what there is."""
    budget = SolveBudget(turn_seconds=seconds)
    latest: SolveProgress | None = None
    store = SolvedStore()
    if store.notice:
        status.print(store.notice)
    with bar() as shown:
        task = shown.add_task("solves")
        try:
            for latest in solve_review(review, hands, query, store, budget):
                shown.update(task, completed=latest.done, total=latest.total)
        except KeyboardInterrupt:
            status.print("Stopped. The same command goes on.")
    return review if latest is None else latest.review


def _show(review: Review, options: ReviewOptions) -> None:
    multiway = sum(each.multiway for each in review.hands)
    console.print(
        f"{how_many(len(review.hands), 'hand')} of {review.player} beside {review.strategy}: "
        f"{len(review.graded_hands):,} graded, {multiway:,} with three or more to the flop (not "
        f"graded), {len(review.refused):,} refused."
    )
    rows = [
        [
            each.street,
            str(each.decisions),
            str(each.mistakes),
            f"{each.loss_bb:,.2f}",
            with_margin(each.per_100),
        ]
        for each in review.totals()
    ]
    heads = ["street", "decisions", "not its choice", "cost, bb", "bb/100 hands, 95 %"]
    console.print(grid(heads, rows))
    names = {"result": "Won", "all_in": "All-in at expectation", "aivat": "By AIVAT"}
    for name, value in review.results().items():
        console.print(f"{names[name]}: {with_margin(value)} bb/100.")
    listed = [each for each in review.costly if _wanted(each, options)]
    console.print(f"\n{how_many(len(listed), 'decision')} that cost, the dearest first:")
    console.print(_listed(listed[: options.most]))
    console.print("Values of flop and turn are means over hands that the strategy plays alike.")


def _wanted(each: GradedDecision, options: ReviewOptions) -> bool:
    won = each.result_bb or 0.0
    outcome = "won" if won > 0 else "lost" if won < 0 else "even"
    asked = {
        options.street: each.street,
        options.position: each.position,
        options.pot: each.pot_type,
        options.result: outcome,
    }
    return all(not wanted or wanted == own for wanted, own in asked.items())


def _listed(rows: list[GradedDecision]) -> Any:
    heads = ["hand", "street", "hole", "board", "line", "did", "strategy", "cost, bb", "±", "by"]
    table = grid(heads, left=7)
    for each in rows:
        played = ", ".join(f"{a} {percent(p, 0)}" for a, p in each.grade.actions.items() if p > 0)
        table.add_row(
            str(each.hand),
            each.street,
            each.hole,
            each.board,
            each.line or "-",
            each.grade.did,
            played,
            f"{each.loss_bb or 0.0:.2f}",
            f"{1.96 * each.error_bb:.2f}",
            each.grade.source,
        )
    return table

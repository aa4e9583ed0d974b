"""`riverboat review`: own hands beside a strategy, and what each choice cost; after `play` too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from rich.console import RenderableType

from riverboat.blueprint import Query
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._histories import GameOption, game_of_option
from riverboat.cli._opened import opened
from riverboat.cli._output import Answer, check_place, grid, status, with_margin
from riverboat.cli._progress import counted
from riverboat.errors import ReviewError
from riverboat.evaluate import ActionValues, action_values, missing_action_values
from riverboat.histories import HandRecord
from riverboat.learn import (
    OWN_CHOICE,
    Grade,
    GradedDecision,
    Grader,
    Review,
    SolveBudget,
    SolvedStore,
    SolveProgress,
    decisions_of,
    luck_scorer,
    read_hands,
    review_hands,
    seat_grader,
    solve_review,
    write_review,
)
from riverboat.report import how_many, percent
from riverboat.table import Session


class ReviewOptions(msgspec.Struct, frozen=True):
    """What is reviewed, beside what; each field is an option."""

    strategy: Annotated[
        str, option("A strategy file, or `default`.", "--strategy", "-s", complete=decisions)
    ] = "default"
    player: Annotated[str, option("Whose decisions; who recorded the hands, if not given.")] = ""
    against: Annotated[str, option("The bot that the other was: luck is taken out by AIVAT.")] = ""
    solve: Annotated[bool, option("Solve turns and rivers; Ctrl-C stops, and it goes on.")] = False
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


def review_command(
    source: Annotated[
        str, argument("Hands: PokerStars, PHH, OHH, ACPC, .jsonl, or ledger:12.", metavar="file")
    ],
    options: ReviewOptions,
) -> Answer:
    """Review your hands: what the strategy does there, and what each choice cost."""
    if options.output is not None:
        check_place(options.output, "a review is", [".html"])
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
    title = f"Review of {Path(source).name}"
    return Answer(
        {"source": source, **review.as_dict()},
        *_parts(review, options),
        files=[(options.output, lambda path: write_review(path, review, title))],
    )


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
    with counted("solves") as show:
        try:
            for latest in solve_review(review, hands, query, store, budget):
                show(latest.done, latest.total)
        except KeyboardInterrupt:
            status.print("Stopped. The same command goes on.")
    return review if latest is None else latest.review


def _parts(review: Review, options: ReviewOptions) -> Iterator[RenderableType]:
    multiway = sum(each.multiway for each in review.hands)
    yield (
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
    yield grid(heads, rows)
    names = {"result": "Won", "all_in": "All-in at expectation", "aivat": "By AIVAT"}
    for name, value in review.results().items():
        yield f"{names[name]}: {with_margin(value)} bb/100."
    listed = [each for each in review.costly if _wanted(each, options)]
    yield f"\n{how_many(len(listed), 'decision')} that cost, the dearest first:"
    yield _listed(listed[: options.most])
    yield "Values of flop and turn are means over hands that the strategy plays alike."


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
        table.add_row(
            str(each.hand),
            each.street,
            each.hole,
            each.board,
            each.line or "-",
            each.grade.did,
            _played(each.grade),
            f"{each.loss_bb or 0.0:.2f}",
            f"{1.96 * each.error_bb:.2f}",
            each.grade.source,
        )
    return table


def _played(grade: Grade) -> str:
    """What the strategy does, and how often."""
    return ", ".join(f"{act} {percent(share, 0)}" for act, share in grade.actions.items() if share)


def graded_lines(session: Session) -> Iterator[str]:
    """Say of each own decision what the first bot's strategy does there; nothing if it has none."""
    spec = session.spec
    name = session.names[1]
    grader = seat_grader(name, spec)
    if grader is None:
        return
    blind, cost = max(spec.big_blind, 1), 0.0
    graded = 0
    for view, did in decisions_of(session.hand, session.seat_of(0)):
        grade = grader.grade(view, did)
        graded += grade.graded
        cost += (grade.loss or 0.0) / blind
        if grade.graded and grade.frequency < OWN_CHOICE:
            yield f"{spec.street_names[view.street]}, you {did}: {_told(grade, blind)}"
    if graded:
        yield f"Beside the strategy this hand cost you {cost:.2f} bb."


def _told(grade: Grade, blind: int) -> str:
    played = _played(grade)
    if grade.loss is None:
        return f"it plays {played}"
    return f"it plays {played}; yours cost {cost_text(grade, blind)}"


def cost_text(grade: Grade, blind: float) -> str:
    """Write what a choice cost, with its margin where it is not exact."""
    margin = f" ± {1.96 * grade.error / blind:.2f}" if grade.error else ""
    return f"{(grade.loss or 0.0) / blind:.2f}{margin} bb"

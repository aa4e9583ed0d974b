"""`riverboat review`: EV loss of hands compared with a strategy; also used by `play`."""

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
    """What to review, and with which strategy; each field is an option."""

    strategy: Annotated[
        str, option("A strategy file, or `default`.", "--strategy", "-s", complete=decisions)
    ] = "default"
    player: Annotated[str, option("The player to review (default: who recorded the hands).")] = ""
    against: Annotated[str, option("The opponent, if a bot: results are then AIVAT-adjusted.")] = ""
    solve: Annotated[bool, option("Re-solve turn and river decisions, biggest mistakes first.")] = (
        False
    )
    seconds: Annotated[float, option("Time limit of --solve for a turn in seconds.", least=0.1)] = (
        10.0
    )
    from_format: Annotated[
        str | None, option("Format of the file, if it is not recognised.", "--from")
    ] = None
    game: GameOption = None
    street: Annotated[str, option("List only decisions of this street.")] = ""
    position: Annotated[str, option("List only this position: SB, BB or BTN.")] = ""
    pot: Annotated[str, option("List only limped, raised, 3-bet or 4-bet pots.")] = ""
    result: Annotated[str, option("List only hands that were won, lost or even.")] = ""
    most: Annotated[int, option("Number of decisions to list.", least=0)] = 20
    output: Annotated[Path | None, option("Write the review as an .html page.")] = None


def review_command(
    source: Annotated[
        str,
        argument(
            "Hand history (PokerStars, PHH, OHH, ACPC, .jsonl), or a match: ledger:12.",
            metavar="file",
        ),
    ],
    options: ReviewOptions,
) -> Answer:
    """Review your hands: the strategy's play and your EV loss.

    With --solve, Ctrl-C stops and shows the results so far; the same command continues.
    """
    if options.output is not None:
        check_place(options.output, "a review is", [".html"])
    histories = read_hands(source, options.from_format, game_of_option(options.game))
    if not histories.hands:
        why = f": {histories.refused[0][1]}" if histories.refused else ""
        raise ReviewError(f"{source!r} has no hand that can be reviewed{why}")
    query, table = _strategy(options.strategy)
    with counted("hands") as progress:
        review = review_hands(
            histories.hands,
            Grader(query, table),
            player=options.player,
            strategy=options.strategy,
            refused=histories.refused,
            scorer=_scorer(options.against, histories.hands),
            progress=progress,
        )
    if options.solve:
        review = _solved(review, histories.hands, query, options.seconds)
    title = f"Review of {Path(source).name}"
    return Answer(
        {"source": source, **review.as_dict()},
        *_parts(review, options),
        files=[(options.output, lambda path: write_review(path, review, title))],
    )


def _strategy(text: str) -> tuple[Query, ActionValues | None]:
    """The strategy as played, and the EVs of its actions."""
    blueprint, threshold = opened(text, as_played=True)
    query = blueprint.query(threshold=threshold)
    return query, action_table(query)


def action_table(query: Query) -> ActionValues | None:
    """Return the table of action EVs by bucket; build it with a progress bar if it is missing.

    None for games that do not need one.
    """
    from riverboat.blueprint import Blueprint  # noqa: PLC0415 - only for this check

    file, spec = query.source, query.tree.spec
    if not isinstance(file, Blueprint) or file.cards is None:
        return None
    if spec.players != 2 or spec.has_discards:
        return None
    if missing_action_values(file, query.threshold):
        status.print("Computing the EV of every action: two minutes, up to 2 GB, only this time.")
    with counted("boards") as progress:
        return action_values(file, query.threshold, progress)


def _scorer(against: str, hands: tuple[HandRecord, ...]) -> Any:
    if not against:
        return None
    with counted("boards") as progress:
        return luck_scorer(against, hands[0].spec, progress)


def _solved(review: Review, hands: tuple[HandRecord, ...], query: Query, seconds: float) -> Review:
    """Re-solve the decisions that can be solved; Ctrl-C stops with the results so far."""
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
            status.print("Stopped. The same command continues.")
    return review if latest is None else latest.review


def _parts(review: Review, options: ReviewOptions) -> Iterator[RenderableType]:
    multiway = sum(hand.multiway for hand in review.hands)
    yield (
        f"{how_many(len(review.hands), 'hand')} of {review.player}, compared with "
        f"{review.strategy}: {len(review.graded_hands):,} graded, {multiway:,} multiway flops (not "
        f"graded), {len(review.refused):,} refused."
    )
    rows = [
        [
            total.street,
            str(total.decisions),
            str(total.mistakes),
            f"{total.loss_bb:,.2f}",
            with_margin(total.per_100),
        ]
        for total in review.totals()
    ]
    heads = ["street", "decisions", "mistakes", "EV loss, bb", "bb/100 hands, 95 %"]
    yield grid(heads, rows)
    names = {"result": "Result", "all_in": "All-in EV", "aivat": "AIVAT"}
    for name, value in review.results().items():
        yield f"{names[name]}: {with_margin(value)} bb/100."
    listed = [decision for decision in review.costly if _matches(decision, options)]
    yield f"\n{how_many(len(listed), 'decision')} with an EV loss, biggest mistakes first:"
    yield _listed(listed[: options.most])
    yield "EVs on flop and turn are means over the hands of a bucket."
    if limited := sum(decision.grade.limited for decision in review.decisions):
        yield (
            f"{how_many(limited, 'decision')} solved up to the time limit, not to the target: "
            "another run gives slightly different values."
        )


def _matches(decision: GradedDecision, options: ReviewOptions) -> bool:
    """Whether the filters of the options keep a decision."""
    won = decision.result_bb or 0.0
    outcome = "won" if won > 0 else "lost" if won < 0 else "even"
    filters = {
        options.street: decision.street,
        options.position: decision.position,
        options.pot: decision.pot_type,
        options.result: outcome,
    }
    return all(not wanted or wanted == own for wanted, own in filters.items())


def _listed(decisions: list[GradedDecision]) -> Any:
    heads = [
        *("hand", "street", "hole", "board", "line", "action", "strategy"),
        *("EV loss, bb", "±", "by"),
    ]
    table = grid(heads, left=7)
    for decision in decisions:
        table.add_row(
            str(decision.hand),
            decision.street,
            decision.hole,
            decision.board,
            decision.line or "-",
            decision.grade.did,
            _frequencies(decision.grade),
            f"{decision.loss_bb or 0.0:.2f}",
            f"{1.96 * decision.error_bb:.2f}",
            decision.grade.source,
        )
    return table


def _frequencies(grade: Grade) -> str:
    """The strategy's actions with their frequencies."""
    return ", ".join(f"{act} {percent(share, 0)}" for act, share in grade.actions.items() if share)


def graded_lines(session: Session) -> Iterator[str]:
    """Yield the first bot's strategy at the user's mistakes of a hand, and the EV loss.

    Nothing if the bot has no strategy to compare with.
    """
    spec = session.spec
    name = session.names[1]
    grader = seat_grader(name, spec)
    if grader is None:
        return
    blind, loss = max(spec.big_blind, 1), 0.0
    graded = 0
    for view, did in decisions_of(session.hand, session.seat_of(0)):
        grade = grader.grade(view, did)
        graded += grade.graded
        loss += (grade.loss or 0.0) / blind
        if grade.graded and grade.frequency < OWN_CHOICE:
            yield f"{spec.street_names[view.street]}, you {did}: {_comparison(grade, blind)}"
    if graded:
        yield f"EV loss this hand: {loss:.2f} bb"


def _comparison(grade: Grade, blind: int) -> str:
    strategy = f"the strategy plays {_frequencies(grade)}"
    return strategy if grade.loss is None else f"{strategy}; EV loss {loss_text(grade, blind)}"


def loss_text(grade: Grade, blind: float) -> str:
    """Write the EV loss of an action in big blinds, with its margin if it is not exact."""
    margin = f" ± {1.96 * grade.error / blind:.2f}" if grade.error else ""
    return f"{(grade.loss or 0.0) / blind:.2f}{margin} bb"

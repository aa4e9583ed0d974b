"""`riverboat drill`: practise decisions; each answer is graded, and wrong ones come back."""

import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from rich.text import Text

from riverboat.blueprint import Blueprint, decision_at, shown_as
from riverboat.bots import make_bot
from riverboat.cards import built_strength
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._opened import opened
from riverboat.cli._output import Answer, check_place, console, grid, hole_painted, status
from riverboat.cli._review import action_table, loss_text
from riverboat.errors import IllegalActionError, ReviewError, RiverboatError
from riverboat.files import is_file
from riverboat.game import View
from riverboat.learn import Answer as DrillAnswer
from riverboat.learn import (
    Deck,
    Grade,
    Grader,
    History,
    Progress,
    Question,
    StrategyDeck,
    Trainer,
    Wanted,
    open_deck,
    progress_of,
)
from riverboat.report import duration, hedged, how_many, percent
from riverboat.spots import Solution
from riverboat.table import Session, read_move

PotType = Literal["limped", "raised", "3-bet", "4-bet"]


class DrillOptions(msgspec.Struct, frozen=True):
    """Which decisions to ask, and where to save answers; each field is an option."""

    street: Annotated[str, option("Street: preflop, flop, turn or river.")] = ""
    position: Annotated[str, option("Position: SB or BB; for solutions OOP or IP.")] = ""
    pot: Annotated[PotType | None, option("Pot type of the questions.")] = None
    close: Annotated[
        float | None,
        option("Only close decisions: maximum EV difference of the best two (% of pot).", least=0),
    ] = None
    hands: Annotated[bool, option("Play whole hands; every action is graded.")] = False
    count: Annotated[
        int | None, option("Number of questions (default: no limit).", "--count", "-n", least=1)
    ] = None
    seed: Annotated[int | None, option("Random seed of new questions; drawn if not given.")] = None
    matrix: Annotated[bool, option("Show the strategy of all hands after each answer.")] = True
    history: Annotated[
        Path | None, option("File of your answers (default: in your user folder).")
    ] = None
    progress: Annotated[bool, option("Show only your progress.")] = False
    export: Annotated[Path | None, option("Export your answers to a .json or .csv file.")] = None
    delete: Annotated[bool, option("Delete all your answers.")] = False


def drill_command(
    options: DrillOptions,
    source: Annotated[
        str,
        argument(
            "A strategy (default), a solution, or a folder of solutions.",
            metavar="[file]",
            complete=decisions,
        ),
    ] = "default",
) -> Answer:
    """Practise decisions of a strategy or solution; wrong answers come back.

    After each answer the drill shows the strategy, the EV of each action and your EV loss. Close
    the drill with q to see your progress.
    """
    history = History(options.history)
    if history.notice:
        status.print(history.notice, soft_wrap=True, markup=False)
    if options.export is not None:
        check_place(options.export)
        history.export(options.export)
        status.print(f"Wrote {options.export}.", soft_wrap=True)
    if options.delete:
        status.print(f"Deleted {how_many(history.delete(), 'answer')}.")
    if options.export is None and not options.delete and not options.progress:
        with suppress(EOFError, KeyboardInterrupt):
            _train(source, history, options)
    return _summary(history)


def _train(source: str, history: History, options: DrillOptions) -> None:
    close = None if options.close is None else options.close / 100
    wanted = Wanted(options.street, options.position, options.pot or "", close)
    deck = _deck(source, wanted)
    if options.hands:
        _play_hands(deck, history, options)
        return
    trainer = Trainer(deck, history, wanted, options.seed)
    number = 0
    while options.count is None or number < options.count:
        question, repeated = trainer.ask()
        _show_question(question, repeated)
        answer = _answered(trainer, question)
        if answer is None:
            return
        _show_answer(deck, question, answer, options.matrix)
        number += 1


def _answered(trainer: Trainer, question: Question) -> DrillAnswer | None:
    """Ask until an answer can be graded; None if the user leaves."""
    while (move := _read_answer(trainer.deck, question)) is not None:
        try:
            return trainer.answer(question, move)
        except ReviewError as error:
            console.print(f"Not graded: {error}")
    return None


def _deck(source: str, wanted: Wanted) -> Deck:
    path = Path(source)
    if path.is_dir() or (is_file(path) and Solution.recognises(path)):
        return open_deck(source)
    blueprint, threshold = opened(source, as_played=True)
    query = blueprint.query(threshold=threshold)
    wanted.check(query.tree.spec)  # before a table is built for minutes
    status.print(f"{source}, {shown_as(threshold)}")
    return StrategyDeck(source, Grader(query, action_table(query)))


def _show_question(question: Question, repeated: bool) -> None:
    again = " (repeated)" if repeated else ""
    pot, call = question.pot / question.big_blind, question.to_call / question.big_blind
    price = f", {call:g} bb to call" if call else ""
    console.print(
        f"\n{question.street}, {question.position}{again}: pot {pot:g} bb{price}", style="bold"
    )
    board = Text(f"   board {question.board}" if question.board else "")
    console.print(Text.assemble("You hold ", _cards(question.hole), board))
    console.print(f"Line: {question.line or 'first action'}. Moves: {', '.join(question.options)}.")


def _cards(text: str) -> Text:
    from riverboat.cards import parse_cards  # noqa: PLC0415 - used only here

    return hole_painted(tuple(parse_cards(text)))


def _read_answer(deck: Deck, question: Question) -> str | None:
    """Read the user's move; None if they leave."""
    while True:
        typed = console.input(Text("Your move (q leaves): ", "bold")).strip()
        if typed.lower() in ("q", "quit", "exit"):
            return None
        if typed in question.options:
            return typed
        if isinstance(deck, StrategyDeck):
            hand = deck.hand(question.line, question.board, question.hole)
            try:
                return str(read_move(typed, hand))
            except IllegalActionError as error:
                console.print(str(error))
        else:
            console.print(f"{typed!r} is not a move here: type {', '.join(question.options)}")


def _show_answer(deck: Deck, question: Question, answer: DrillAnswer, matrix: bool) -> None:
    console.print(_graded(answer.grade, question.big_blind), style="bold")
    console.print(_values(answer.grade, question.big_blind))
    if matrix and isinstance(deck, StrategyDeck):
        with suppress(RiverboatError):  # an off-tree line has no matrix
            _show_matrix(deck, question)
    left = (answer.due - datetime.now(UTC)).total_seconds()
    console.print(f"Next review: in {duration(max(left, 0))}.", style="dim")


def _graded(grade: Grade, blind: float) -> str:
    frequency = f"The strategy plays this {percent(grade.frequency, 0)} of the time"
    if grade.loss is None:
        return f"{frequency}. EV loss: unknown"
    return f"{frequency}. EV loss: {loss_text(grade, blind)}"


def _values(grade: Grade, blind: float) -> Any:
    table = grid(["action", "strategy, %", "EV, bb"])
    for action, share in grade.actions.items():
        value = grade.values.get(action)
        ev = "" if value is None else f"{value / blind:.2f}"
        table.add_row(action, hedged(share), ev)
    return table


def _show_matrix(deck: StrategyDeck, question: Question) -> None:
    query = deck.grader.query
    file = query.source
    if not isinstance(file, Blueprint) or file.cards is None:
        return
    node = file.find_node(question.line)
    view = decision_at(file, node, question.board, built_strength, threshold=query.threshold)
    for line in view.matrix(console):
        console.print(line)


def _play_hands(deck: Deck, history: History, options: DrillOptions) -> None:
    """Play whole hands against the strategy; every move is graded at once and saved."""
    if not isinstance(deck, StrategyDeck):
        raise ReviewError("--hands needs a strategy to play against, not a solution")
    seed = secrets.randbits(31) if options.seed is None else options.seed
    trainer = Trainer(deck, history)
    session = Session(deck.spec, [None, make_bot(f"blueprint:{deck.name}", seed)], seed)
    loss = 0.0
    while options.count is None or session.played < options.count:
        session.deal()
        while session.waiting is not None:
            view = session.view
            board = f"   board {view.board_text}" if view.board else ""
            line = view.line or "first action"
            console.print(f"\n{view.hole_text}{board}   {line}   pot {view.pot}")
            typed = console.input(Text("Your move (q leaves): ", "bold")).strip()
            if typed.lower() in ("q", "quit", "exit"):
                return
            try:
                move = str(read_move(typed, session.hand))
            except IllegalActionError as error:
                console.print(str(error))
                continue
            loss += _grade_move(trainer, view, move)
            session.play(move)
        console.print(f"Hand over: {session.last[0]:+} chips. EV loss so far: {loss:.2f} bb.")


def _grade_move(trainer: Trainer, view: View, move: str) -> float:
    """Grade a move of a hand and print the grade; return the EV loss in big blinds."""
    question = trainer.deck.again(view.line, view.board_text, view.hole_text)
    try:
        answer = trainer.answer(question, move)
    except ReviewError as error:
        console.print(f"Not graded: {error}")
        return 0.0
    console.print(_graded(answer.grade, question.big_blind))
    return answer.loss_bb or 0.0


def _summary(history: History) -> Answer:
    rows = progress_of(history.answers())
    values = {"history": str(history.path), "progress": [each.as_dict() for each in rows]}
    heads = ["street", "answers", "like the strategy, 95 %", "EV loss, bb, 95 %", "last 100"]
    return Answer(values, grid(heads, map(_progress_row, rows)))


def _progress_row(progress: Progress) -> list[str]:
    low, high = progress.as_strategy.interval
    share = f"{percent(progress.as_strategy.mean, 0)} ({percent(low, 0)} to {percent(high, 0)})"
    return [
        progress.street,
        str(progress.answers),
        share if progress.answers else "-",
        progress.loss_bb.text() if progress.answers else "-",
        progress.lately.text() if progress.answers else "-",
    ]

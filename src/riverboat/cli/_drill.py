"""`riverboat drill`: decisions to train on, graded at once, asked again in time."""

import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from rich.text import Text

from riverboat.blueprint import Blueprint, decision_at
from riverboat.bots import make_bot
from riverboat.cards import built_strength
from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._opened import opened
from riverboat.cli._output import Answer, check_place, console, grid, hole_painted, status
from riverboat.cli._review import action_table, cost_text
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


class DrillOptions(msgspec.Struct, frozen=True):
    """What is asked, and where answers go; each field is an option."""

    street: Annotated[str, option("Only preflop, flop, turn or river.")] = ""
    position: Annotated[str, option("Only SB or BB; of a solution OOP or IP.")] = ""
    pot: Annotated[str, option("Only limped, raised, 3-bet or 4-bet pots.")] = ""
    close: Annotated[
        float | None,
        option("Only where the best two differ by at most so many % of the pot.", least=0),
    ] = None
    hands: Annotated[bool, option("Play whole hands against the bot, graded at once.")] = False
    count: Annotated[
        int | None, option("Stop after so many questions.", "--count", "-n", least=1)
    ] = None
    seed: Annotated[int | None, option("Of new questions; drawn if not given.")] = None
    matrix: Annotated[bool, option("Show all hands of the decision.")] = True
    history: Annotated[
        Path | None, option("The file of your answers, instead of the usual one.")
    ] = None
    progress: Annotated[bool, option("Show your progress only.")] = False
    export: Annotated[Path | None, option("Write all your answers: a .json or .csv.")] = None
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
    """Train on decisions of a strategy or of solved spots, and see your progress."""
    history = History(options.history)
    if options.export is not None:
        check_place(options.export)
        history.export(options.export)
        status.print(f"{options.export} is written.", soft_wrap=True)
    if options.delete:
        status.print(f"{how_many(history.delete(), 'answer')} deleted.")
    if options.export is None and not options.delete and not options.progress:
        with suppress(EOFError, KeyboardInterrupt):
            _train(source, history, options)
    return _summary(history)


def _train(source: str, history: History, options: DrillOptions) -> None:
    deck = _deck(source)
    if options.hands:
        _play_hands(deck, history, options)
        return
    close = None if options.close is None else options.close / 100
    wanted = Wanted(options.street, options.position, options.pot, close)
    trainer = Trainer(deck, history, wanted, options.seed)
    asked = 0
    while options.count is None or asked < options.count:
        question, before = trainer.ask()
        _show_question(question, before)
        answer = _answered(trainer, question)
        if answer is None:
            return
        _show_answer(deck, question, answer, options.matrix)
        asked += 1


def _answered(trainer: Trainer, question: Question) -> DrillAnswer | None:
    """What came of what the person does; None if he leaves."""
    while (did := _asked(trainer.deck, question)) is not None:
        try:
            return trainer.answer(question, did)
        except ReviewError as error:
            console.print(f"Not graded: {error}")
    return None


def _deck(source: str) -> Deck:
    path = Path(source)
    if path.is_dir() or (is_file(path) and Solution.recognises(path)):
        return open_deck(source)
    blueprint, threshold = opened(source, as_played=True)
    query = blueprint.query(threshold=threshold)
    return StrategyDeck(source, Grader(query, action_table(query)))


def _show_question(question: Question, before: bool) -> None:
    again = " (again)" if before else ""
    pot, call = question.pot / question.big_blind, question.to_call / question.big_blind
    price = f", {call:g} bb to call" if call else ""
    console.print(
        f"\n{question.street}, {question.position}{again}: pot {pot:g} bb{price}", style="bold"
    )
    board = Text(f"   board {question.board}" if question.board else "")
    console.print(Text.assemble("You hold ", _cards(question.hole), board))
    console.print(f"So far: {question.line or 'nothing'}. Choices: {', '.join(question.options)}.")


def _cards(text: str) -> Text:
    from riverboat.cards import parse_cards  # noqa: PLC0415 - here alone

    return hole_painted(tuple(parse_cards(text)))


def _asked(deck: Deck, question: Question) -> str | None:
    """What the person does; None if he leaves."""
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
            console.print(f"{typed!r} is none of {', '.join(question.options)}")


def _show_answer(deck: Deck, question: Question, answer: DrillAnswer, matrix: bool) -> None:
    console.print(_graded(answer.grade, question.big_blind), style="bold")
    console.print(_values(answer.grade, question.big_blind))
    if matrix and isinstance(deck, StrategyDeck):
        with suppress(RiverboatError):  # a line that is not on the menu has no matrix
            _show_matrix(deck, question)
    left = (answer.due - datetime.now(UTC)).total_seconds()
    console.print(f"It comes again in {duration(max(left, 0))}.", style="dim")


def _graded(grade: Grade, blind: float) -> str:
    often = f"the strategy does that in {percent(grade.frequency, 0)}"
    if grade.loss is None:
        return f"{often}; what it cost is not known"
    return f"{often}; it cost {cost_text(grade, blind)}"


def _values(grade: Grade, blind: float) -> Any:
    table = grid(["action", "strategy, %", "EV, bb"])
    for action, share in grade.actions.items():
        value = grade.values.get(action)
        worth = "" if value is None else f"{value / blind:.2f}"
        table.add_row(action, hedged(share), worth)
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
    """Whole hands against the strategy; every move is graded when it is made, and remembered."""
    if not isinstance(deck, StrategyDeck):
        raise ReviewError("whole hands are played against a strategy, not a solution")
    seed = secrets.randbits(31) if options.seed is None else options.seed
    trainer = Trainer(deck, history)
    name = "blueprint" if deck.name == "default" else f"blueprint:{deck.name}"
    session = Session(deck.spec, [None, make_bot(name, seed)], seed)
    cost = 0.0
    while options.count is None or session.played < options.count:
        session.deal()
        while session.waiting is not None:
            view = session.view
            board = f"   board {view.board_text}" if view.board else ""
            console.print(f"\n{view.hole_text}{board}   {view.line or 'first'}   pot {view.pot}")
            typed = console.input(Text("Your move (q leaves): ", "bold")).strip()
            if typed.lower() in ("q", "quit", "exit"):
                return
            try:
                move = str(read_move(typed, session.hand))
            except IllegalActionError as error:
                console.print(str(error))
                continue
            cost += _told(trainer, view, move)
            session.play(move)
        console.print(f"The hand is over: {session.last[0]:+} chips; all cost {cost:.2f} bb.")


def _told(trainer: Trainer, view: View, move: str) -> float:
    """Grade a move of a hand and say it; return what it cost, big blinds."""
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
    heads = ["street", "answers", "as the strategy, 95 %", "cost, bb, 95 %", "last 100"]
    return Answer(values, grid(heads, map(_progress_row, rows)))


def _progress_row(each: Progress) -> list[str]:
    low, high = each.as_strategy.interval
    share = f"{percent(each.as_strategy.mean, 0)} ({percent(low, 0)} to {percent(high, 0)})"
    return [
        each.street,
        str(each.answers),
        share if each.answers else "-",
        each.loss_bb.text() if each.answers else "-",
        each.lately.text() if each.answers else "-",
    ]

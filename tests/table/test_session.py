"""The table without a terminal: what is typed, who sits where, chips and what is shown."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from riverboat.arena import DealSeed
from riverboat.bots import RandomBot, make_bot
from riverboat.cards import as_cards, card_text
from riverboat.cli._draw import acts_lines, board_line, moves_line, odds_line, pots_line, seat_table
from riverboat.errors import GameError, IllegalActionError, RiverboatError
from riverboat.game import Action, Hand, catalogue, catalogue_names
from riverboat.table import (
    Acted,
    BoardDealt,
    Dealt,
    Session,
    Shown,
    TableEvent,
    Won,
    pot_share_to,
    read_move,
    words_of,
)
from riverboat.table._events import act_of
from sizes import few_or_many

_T = TypeVar("_T")


def deal(line: str = "", game: str = "nolimit-100bb", players: int | None = None) -> Hand:
    return Hand.from_line(catalogue(game, players), line, seed=1)


@pytest.mark.parametrize(
    ("line", "typed", "move"),
    [
        ("", "b30", "b30"),
        ("", "30", "b30"),
        ("", " Raise to 30 ", "b30"),
        ("", "bet 1,000", "b1000"),
        ("", "min", "b20"),
        ("", "allin", "b1000"),
        ("", "ALL-IN", "b1000"),
        ("", "c", "c"),
        ("", "call", "c"),
        ("", "f", "f"),
        ("", "Fold", "f"),
        ("", "pot", "b30"),  # call 5: the pot is 20; raise by 20 to 30
        ("", "half", "b20"),  # raise by 10 to 20
        ("c", "k", "k"),
        ("c", "check", "k"),
        ("b30c/", "half", "b30"),  # pot 60
        ("b30c/", "2/3", "b40"),
        ("b30c/", "75%", "b45"),
        ("b30c/", "third", "b20"),
        ("", "3bb", "b30"),
        ("", "2.5 bb", "b25"),
        ("", "3x", "b30"),  # of the big blind
        ("b25", "3x", "b75"),  # of the raise
        ("b30c/", "4.5bb", "b45"),
        ("b30c/b40", "pot", "b180"),  # call 40: the pot is 140; raise by 140 to 180
        ("b30c/b970", "allin", "c"),  # all that is left is a call
    ],
)
def test_spellings(line: str, typed: str, move: str) -> None:
    assert read_move(typed, deal(line)) == Action(move)


@pytest.mark.parametrize(
    ("line", "typed", "sentence"),
    [
        ("", "k", "k is not allowed: there are 5 to call; call with c or fold with f"),
        ("", "check", "check (k) is not allowed: there are 5 to call"),
        ("", "b5", "b5 is not allowed: a raise must be to at least 20 and at most 1000"),
        ("", "1/5", "1/5 (b14) is not allowed: a raise must be to at least 20"),
        ("", "2000", "2000 (b2000) is not allowed: a raise must be to at least 20"),
        ("", "d Ah", "d Ah (dAh) is not allowed: you must bet, not discard"),
        ("c", "c", "c is not allowed: there is nothing to call; check with k"),
        ("c", "f", "f is not allowed: "),
        ("", "", "'' is not a move: bet a size such as 30, 3bb"),
        ("", "1/0", "'1/0' is not a move"),
        ("", "0%", "'0%' is not a move"),
        ("", "fish", "'fish' is not a move"),
        ("", "d fish", "'d fish' is not a move here"),
        ("b1000", "min", "min (b1001) is not allowed: "),
        ("", "x" * 500, f"'{'x' * 40}' is not a move"),
    ],
)
def test_refusals_are_sentences(line: str, typed: str, sentence: str) -> None:
    hand = deal(line)
    with pytest.raises(IllegalActionError, match=re.escape(sentence)):
        read_move(typed, hand)
    assert hand.num_actions == len(Hand.from_line(hand.spec, line, seed=1).events)


def test_discard_spellings() -> None:
    hand = deal("ck/", "discard-2017")
    own = card_text(hand.hole_cards(1)[0])
    for typed in (f"d{own}", f"d {own}", f"D {own.upper()}", f"discard {own.lower()}"):
        assert read_move(typed, hand) == Action(f"d{own}")
    assert read_move("s", hand) == Action("s")
    for typed in ("d", "d?", "d ??", "k", "dAhKh"):
        with pytest.raises(IllegalActionError):
            read_move(typed, hand)


def test_pot_is_the_most_in_pot_limit() -> None:
    for line in ("", "c", "b30", "b30b90", "ck/", "ck/b20"):
        hand = deal(line, "potlimit")
        assert hand.actor is not None
        assert pot_share_to(hand.view(hand.actor), Fraction(1)) == hand.max_raise_to


@given(st.text(max_size=30))
def test_any_text_is_a_move_or_a_sentence(typed: str) -> None:
    for line, game in (("", "nolimit-100bb"), ("ck/", "discard-2017"), ("b20b30b40", "limit")):
        hand = deal(line, game)
        try:
            move = read_move(typed, hand)
        except IllegalActionError:
            continue
        assert hand.can(move)


def test_moves_in_words() -> None:
    hand = deal()
    said = []
    for move in ("b30", "c", "k", "b30", "b970", "f"):
        said.append(words_of(act_of(hand, Action(move))))
        hand.do(move)
    assert said == [
        *("raises to 30", "calls 20", "checks", "bets 30"),
        *("raises to 970 all-in", "folds"),
    ]
    assert act_of(deal(), Action("b30")).share == 1.0  # the pot, as typed


def test_swapped_cards_stay_hidden() -> None:
    hand = deal("ck/", "discard-2017")
    move = Action(f"d{card_text(hand.hole_cards(1)[0])}")
    swap = act_of(hand, move)
    assert (swap.seen_by(0).card, words_of(swap.seen_by(0))) == (-1, "swaps a card")
    assert (swap.seen_by(1).card, words_of(swap.seen_by(1))) == (move.card, "swaps")
    toss = deal("ck/", "tossem-2026")
    move = Action(f"d{card_text(toss.hole_cards(1)[0])}")
    assert act_of(toss, move).seen_by(0).card == move.card  # a toss is public


def test_button_moves_and_everybody_posts() -> None:
    session = Session(catalogue("nolimit-100bb", 3), [None, "checkcall", "checkcall"], seed=1)
    buttons = []
    for _ in range(6):
        session.deal()
        buttons.append(session.chair_of(session.hand.button))
        assert session.seat_of(session.chair_of(1)) == 1
        while session.waiting is not None:
            session.play("f" if session.view.legal.fold else "k")
    assert buttons == [0, 1, 2, 0, 1, 2]
    # Two hands folded on the button for nothing, two as small and two as big blind.
    assert session.played == 6
    assert session.by_seat(["a", "b", "c"]) == ("a", "b", "c")  # chair 2 has the button again


def test_mistakes_of_the_caller() -> None:
    spec = catalogue("nolimit-100bb")
    with pytest.raises(GameError, match="nolimit-100bb has 2 seats, not 3: name a bot for each"):
        Session(spec, [None, RandomBot(1), RandomBot(2)], seed=1)
    session = Session(spec, [None, RandomBot(1)], seed=1)
    with pytest.raises(GameError, match="no hand has been dealt yet"):
        _ = session.hand
    with pytest.raises(GameError, match="it is nobody's turn: deal a hand first"):
        session.play("c")
    with pytest.raises(GameError, match="there is no result"):
        session.result(1.0)
    session.deal()
    with pytest.raises(GameError, match="not over"):
        session.deal()
    before = session.hand.line
    with pytest.raises(IllegalActionError):
        session.play("nonsense")
    with pytest.raises(IllegalActionError):
        session.play("b1")
    assert session.hand.line == before
    assert [type(event).__name__ for event in session.events] == ["Dealt"]


def test_carried_stacks_and_buying_in() -> None:
    session = Session("nolimit-100bb", [None, "checkcall"], seed=3, carry=True)
    seen = 0
    for _ in range(20):
        before = session.hand.stacks if session.played else (1000, 1000)
        session.deal()
        stacks = session.hand.starting_stacks
        if session.bought_in:
            seen += 1
            assert sorted(stacks)[0] == 1000
        else:
            assert sorted(stacks) == sorted(before)
        while session.waiting is not None:
            session.play(read_move("allin", session.hand))
    assert seen  # somebody went broke in 20 all-ins


def scripted(rng: random.Random, session: Session) -> Iterator[str]:
    """Texts that a careless person might type, until one is good."""
    while True:
        cards = "".join(card_text(card) for card in rng.sample(session.view.hole, 1))
        yield rng.choice(
            [
                *("k", "c", "f", "s", "min", "half", "pot", "2/3", "75%", "allin", "?", "", "d"),
                *(f"d {cards}", str(rng.randint(0, 300)), f"b{rng.randint(0, 2000)}", "no"),
            ]
        )


def drawn(session: Session, console: Console) -> str:
    """Everything that is shown of one moment, as one text of 80 columns."""
    view = session.view
    names = session.by_seat(["You", "Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"])
    holes = [view.hole if seat == view.seat else view.shown[seat] for seat in range(len(names))]
    streets = [str(street) for street in range(len(view.spec.streets))]
    with console.capture() as capture:
        console.print(seat_table(view, names, holes, range(len(names))), board_line(view))
        console.print(*acts_lines(session.news, names, streets), sep="\n")
        console.print(odds_line(view), moves_line(view), sep="\n")
        if session.hand.finished:
            console.print(pots_line(session.hand.pots(), names))
    return capture.get()


def tables() -> list[tuple[str, int]]:
    """Every game with every number of seats up to 9 that it allows."""
    pairs = []
    for name in catalogue_names():
        for seats in range(2, 10):
            try:
                catalogue(name, seats)
            except RiverboatError:
                continue
            pairs.append((name, seats))
    return pairs


@pytest.mark.parametrize("hands", few_or_many(18, 60))
@pytest.mark.parametrize(("game", "seats"), tables())
def test_random_sessions(game: str, seats: int, hands: int) -> None:
    """Random typing: no crash, chips conserved, never more on the screen than the person knows.

    For each pair of a game and a number of seats: 3,780 hands in all in the slow suite.
    """
    rng = random.Random(f"{game} {seats}")
    console = Console(width=80, no_color=True, highlight=False)
    spec = catalogue(game, seats)
    bots = [make_bot(rng.choice(["random", "checkcall"]), index) for index in range(seats - 1)]
    session = Session(spec, [None, *bots], seed=rng.getrandbits(40), carry=rng.random() < 0.5)
    total = 0
    for number in range(hands):
        session.deal()
        chips = sum(session.hand.starting_stacks)
        while session.waiting is not None:
            for typed in scripted(rng, session):
                try:
                    session.play(read_move(typed, session.hand))
                    break
                except IllegalActionError:
                    continue
        assert session.hand.settled
        assert sum(session.hand.stacks) == chips
        assert sum(session.hand.payoffs()) == 0
        total += session.hand.payoffs()[session.seat_of(0)]
        if number % 6 == 0:
            assert all(len(line) <= 80 for line in drawn(session, console).splitlines())
    assert (session.totals[0], session.played) == (total, hands)


@pytest.mark.parametrize("hands", few_or_many(30, 100))
def test_a_decision_fits_and_hides(hands: int) -> None:
    console = Console(width=80, no_color=True, highlight=False)
    spec = catalogue("nolimit-200bb", 9)
    session = Session(spec, [None, *(RandomBot(seed) for seed in range(8))], seed=5)
    decisions = 0
    rng = random.Random(1)
    for _ in range(hands):
        session.deal()
        while session.waiting is not None:
            decisions += 1
            text = drawn(session, console)
            # The screen of a decision has five more lines: head, blanks, cards and prompt.
            assert len(text.splitlines()) <= 19
            known = set(session.view.hole) | set(session.view.board)
            shown = re.findall(r"\b[2-9TJQKA][♣♦♥♠]", text)
            symbols = dict(zip("♣♦♥♠", "cdhs", strict=True))
            assert {as_cards(card[0] + symbols[card[1]])[0] for card in shown} <= known
            session.play(rng.choice([move for move in session.view.legal if move != "f"]))
    assert decisions > hands


def told(session: Session, kind: type[_T]) -> list[_T]:
    """The events of a kind, of this hand."""
    return [event for event in session.events if isinstance(event, kind)]


@pytest.mark.parametrize("game", catalogue_names())
def test_events_tell_the_whole_hand(game: str) -> None:
    rng = random.Random(game)
    chairs = range(catalogue(game).players)
    session = Session(game, ["random" for _ in chairs], seed=rng.getrandbits(40))
    for _ in range(50):
        session.deal()  # nobody is asked: bots alone play to the end
        hand = session.hand
        assert hand.settled
        (dealt,) = told(session, Dealt)
        assert dealt.chairs == session.by_seat(chairs)
        acts = told(session, Acted)
        assert [(act.street, act.seat) for act in acts] == [(e.street, e.seat) for e in hand.events]
        tossed = [act.card for act in acts if act.kind == "toss"]
        board = [card for event in told(session, BoardDealt) for card in event.cards]
        assert sorted(board + tossed) == sorted(hand.board)
        shown = {event.seat: event.cards for event in told(session, Shown)}
        assert shown == {s: hand.hole_cards(s) for s in hand.live if len(hand.live) > 1}
        won = told(session, Won)
        assert [pot.pot for pot in won] == list(range(len(hand.pots())))
        taken = [sum(chips) for chips in zip(*(pot.chips for pot in won), strict=True)]
        assert sum(taken) == sum(pot.amount - pot.rake for pot in won)
        assert all(chips == 0 or seat in hand.live for seat, chips in enumerate(taken))
    assert sum(session.totals) == 0
    assert session.result(1.0).hands == session.played == 50


def test_several_people_are_asked_in_turn_and_see_their_own() -> None:
    session = Session("discard-2017", [None, None], seed=7)
    assert session.names == ("Person 1", "Person 2")
    session.deal()
    asked = []
    for move in ("c", "k"):
        asked.append(session.waiting)
        assert session.view.seat == session.hand.actor
        session.play(move)
    assert asked == [0, 1]
    assert session.waiting == 1
    card = session.view.hole[0]
    session.play(f"d{card_text(card)}")
    seen = [session.events_of(chair)[-1] for chair in (0, 1)]
    assert [event.card for event in seen if isinstance(event, Acted)] == [-1, card]
    assert session.news[-1].card == -1  # the other person is asked now


def test_events_are_plain_data() -> None:
    session = Session("nolimit-100bb", ["random", "checkcall"], seed=3)
    session.deal()
    written = msgspec.json.encode(session.events)
    assert msgspec.json.decode(written, type=list[TableEvent]) == session.events


def test_a_record_knows_chairs_and_names() -> None:
    session = Session("nolimit-100bb", [None, "checkcall"], seed=3)
    for number in (1, 2):
        session.deal()
        while session.waiting is not None:
            session.play("f" if session.view.legal.fold else "k")
        record = session.record()
        assert record.names[record.hero or 0] == "You"
        assert record.seat_numbers == session.by_seat((1, 2))
        assert (record.hand().payoffs(), session.dealt) == (session.hand.payoffs(), number)


@pytest.mark.parametrize("game", catalogue_names())
def test_a_hand_that_is_left_ends_folded(game: str) -> None:
    """It costs what was in, whatever the cards; it always ends."""
    spec = catalogue(game)
    others = ["checkcall"] * (spec.players - 1)
    for seed in range(4):
        session = Session(spec, [None, *others], seed)
        session.deal()
        paid = session.hand.contributions[session.seat_of(0)]
        session.fold_out()
        assert (session.played, session.running, session.waiting) == (1, False, None)
        assert sum(session.totals) == 0
        assert session.last[0] == session.totals[0] == -paid
        (act,) = [
            event
            for event in session.events
            if isinstance(event, Acted) and event.seat == session.seat_of(0)
        ]
        assert act.kind == "fold"
    session.fold_out()  # no hand: nothing happens
    assert session.played == 1


def test_a_hand_that_is_left_for_free_goes_to_the_others() -> None:
    """Each pot to those who could win it, odd chips to the first; stacks and results follow."""
    session = Session("nolimit-100bb", [None, "checkcall", "checkcall"], seed=1, carry=True)
    session.deal()
    session.play("b25")
    session.fold_out()
    won = [event for event in session.events if isinstance(event, Won)]
    assert [(event.amount, sorted(event.chips)) for event in won] == [(75, [0, 37, 38])]
    assert sorted(session.last) == [-25, 12, 13]
    assert session.result(1.0).chips_per_hand().mean == -25
    session.deal()
    stacks = [session.hand.starting_stacks[session.seat_of(chair)] for chair in range(3)]
    assert stacks == [1000 + chips for chips in session.totals]


CALLER = "class Mine:\n    def act(self, view):\n        return 'k' if view.legal.check else 'c'\n"


def test_a_bot_of_a_file_sits_at_a_table_with_a_deal_seed(tmp_path: Path) -> None:
    """Its cards follow from nothing that a bot could search."""
    file = tmp_path / "mine.py"
    file.write_text(CALLER)

    def dealt(secret: DealSeed | None) -> tuple[DealSeed | None, list[int]]:
        session = Session("leduc", [None, str(file)], seed=1, deal_seed=secret)
        try:
            holes = []
            for _ in range(20):
                session.deal()
                holes += [session.hand.hole_cards(0)[0], session.hand.hole_cards(1)[0]]
                session.fold_out()
        finally:
            session.close()
        return session.deal_seed, holes

    (secret, first), (other, second) = dealt(None), dealt(None)
    assert secret is not None
    assert secret != other
    assert first != second
    assert dealt(secret) == (secret, first)
    assert Session("leduc", [None, "random"], seed=1).deal_seed is None

"""A person's session: counted like a match, and entered in the ledger."""

import random
from dataclasses import asdict
from pathlib import Path

import pytest

from riverboat.arena import DealSeed, Ledger, PersonLog
from riverboat.cards import equity
from riverboat.game import Hand, catalogue
from riverboat.table import Session

NOLIMIT = catalogue("nolimit-100bb")


def test_all_in_hands_count_by_their_expectation() -> None:
    log = PersonLog(NOLIMIT, ["You", "fish"], seed=1)
    cards = {"hole": ["AhKh", "QsQd"], "board": "Qh7h2c3d9s"}
    log.add(Hand.from_line(NOLIMIT, "ck/b990c", **cards), seated=(0, 1))
    log.add(Hand.from_line(NOLIMIT, "f", **cards), seated=(1, 0))
    result = log.result(seconds=1.0)
    assert (result.hands, result.run_outs, result.unit) == (2, 1, "deal")
    assert result.unit_chips.tolist() == [[-1000, 1000], [5, -5]]
    share = equity("AhKh", "QsQd", board="Qh7h2c").players[0].equity
    assert result.unit_corrected[0] == pytest.approx([2000 * share - 1000, 1000 - 2000 * share])
    assert result.corrected_per_hand().mean > result.chips_per_hand().mean
    assert [part.hands for part in result.by_seat(0)] == [1, 1]


def test_swaps_are_not_corrected() -> None:
    game = catalogue("discard-2017")
    log = PersonLog(game, ["You", "fish"], seed=1)
    hand = Hand(game, seed=3)
    hand.do("b200")
    hand.do("c")
    while hand.actor is not None:
        hand.do("s")
    log.add(hand, seated=(0, 1))
    assert log.result(1.0).run_outs == 0


def test_a_session_is_logged_as_it_is_played(tmp_path: Path) -> None:
    rng = random.Random(1)
    spec = catalogue("nolimit-100bb", 3)
    session = Session(spec, [None, "fish", "random"], seed=4)
    for _ in range(60):
        session.deal()
        while session.waiting is not None:
            session.play(rng.choice(list(session.view.legal)))
    result = session.result(seconds=30.0)
    assert (result.hands, result.unit_chips[:, 0].sum()) == (60, session.totals[0])
    assert abs(result.unit_chips.sum()) == abs(result.unit_corrected.sum().round(6)) == 0
    assert [part.hands for part in result.by_seat(0)] == [20, 20, 20]
    settings = {"game": spec.name, "bots": list(session.names), "seed": 4}
    book = Ledger(tmp_path / "ledger.sqlite")
    entry = book.entry(book.add_result("play", settings, result.summary(), result.seconds))
    assert (entry.kind, entry.bots, entry.hands) == ("play", ("You", "fish", "random"), 60)
    assert entry.finished is not None
    assert entry.finished > entry.started
    assert entry.result is not None
    you = entry.result["bots"][0]
    assert you["bot"] == "You"
    assert you["chips"] == session.totals[0]
    for key in ("mbb_per_hand", "corrected_mbb_per_hand"):
        low, high = you[key]["interval_95"]
        assert low < you[key]["mean"] < high


def entered(book: Ledger, deal_seed: DealSeed, *, carry: bool) -> Session:
    """Play at random with a deal seed, and enter the session as `riverboat play` does."""
    rng = random.Random(3)
    spec = catalogue("nolimit-100bb", 3)
    session = Session(spec, [None, "fish", "random"], seed=4, carry=carry, deal_seed=deal_seed)
    for _ in range(30):
        session.deal()
        while session.waiting is not None:
            session.play(rng.choice(list(session.view.legal)))
    settings = {"game": spec.name, "bots": list(session.names), "seed": 4, "carry": carry}
    result = session.result(seconds=1.0)
    book.add_result(
        "play",
        settings | {"rules": asdict(spec)},
        result.summary(),
        session=result.sessions[0],
        deal_seed=deal_seed,
    )
    return session


@pytest.mark.parametrize("carry", [False, True])
def test_a_session_with_a_deal_seed_keeps_its_hands(tmp_path: Path, carry: bool) -> None:
    book = Ledger(tmp_path / "ledger.sqlite")
    seed = DealSeed.draw()
    session = entered(book, seed, carry=carry)
    records = book.sessions(1)[0].records
    assert records is not None
    assert len(records) == session.played == 30
    assert [run.seed for run in book.entry(1).deal_seeds] == [seed.hex()]
    assert not list(book.damage())
    again = entered(Ledger(tmp_path / "again.sqlite"), seed, carry=carry)
    assert again.result(1.0).records() == session.result(1.0).records()


def test_estimates_are_those_of_the_result() -> None:
    session = Session("nolimit-100bb", [None, "all-in", "checkcall"], seed=2)
    for _ in range(40):
        session.deal()
        while session.running:
            session.play("c" if session.view.legal.call else "k")
    result = session.result(1.0)
    for chair in range(3):
        won, adjusted = session.per_hand(chair)
        assert (won.mean, won.error) == pytest.approx(
            (result.chips_per_hand(chair).mean, result.chips_per_hand(chair).error)
        )
        assert adjusted is not None
        corrected = result.corrected_per_hand(chair)
        assert (adjusted.mean, adjusted.error) == pytest.approx((corrected.mean, corrected.error))

"""Hands of the ledger are played again from what it kept."""

from dataclasses import asdict
from pathlib import Path

import pytest

from riverboat.arena import (
    DealSeed,
    Ledger,
    Match,
    MatchSettings,
    finish_matches,
    play_matches,
)
from riverboat.errors import ReviewError
from riverboat.game import catalogue
from riverboat.learn import read_hands
from riverboat.table import Session


def test_a_match_of_the_ledger(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    bots = ("checkcall", "random")
    settings = MatchSettings(bots, "leduc", hands=4, seed=1, deal_seed=DealSeed.draw())
    match = Match(settings, ledger=ledger)
    list(play_matches([match], workers=1))
    finish_matches([match])
    found = read_hands("ledger:1", ledger=ledger.path)
    assert len(found.hands) == 4
    assert {name for each in found.hands for name in each.names} == set(bots)


def test_a_session_of_the_ledger(tmp_path: Path) -> None:
    spec, ledger = catalogue("leduc"), Ledger(tmp_path / "ledger.sqlite")
    session = Session(spec, [None, "checkcall"], 1, deal_seed=DealSeed.draw())
    lines = []
    for _ in range(2):
        session.deal()
        while session.waiting is not None:
            session.play("k" if session.view.legal.check else "c")
        lines.append(session.hand.full_line)
    session.close()
    result = session.result(1.0)
    assert session.deal_seed is not None
    rules: dict[str, object] = {
        "game": spec.name,
        "bots": list(session.names),
        "seed": 1,
        "carry": False,
    }
    rules |= {"carry": False, "rules": asdict(spec), "secret": session.deal_seed.hex()}
    [played], secret = result.sessions, session.deal_seed
    ledger.add_result("play", rules, result.summary(), 1.0, session=played, deal_seed=secret)
    found = read_hands("ledger:1", ledger=tmp_path / "ledger.sqlite")
    assert [record.line for record in found.hands] == lines
    assert {"You", "checkcall"} == set(found.hands[0].names)
    with pytest.raises(ReviewError, match="no match 7"):
        read_hands("ledger:7", ledger=tmp_path / "ledger.sqlite")
    with pytest.raises(ReviewError, match="by its number"):
        read_hands("ledger:x")

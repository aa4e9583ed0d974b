"""A ledger that version 0.1.0 wrote: it opens, and what it tells is what is played today.

`data/ledger-0.1.sqlite` holds two matches of `random` against `checkcall` at Leduc, 400 hands in
sessions of 50 deals: one with seed 5, finished; one with seed 6, recorded, stopped after two
sessions.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.arena import Ledger, Match, MatchSettings, play_match, play_matches

GIVEN: dict[str, Any] = {"game": "leduc", "hands": 400, "session": 50}
BOTS = ("random", "checkcall")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """Open a copy."""
    old = Path(__file__).parent / "data" / "ledger-0.1.sqlite"
    return Ledger(Path(shutil.copy(old, tmp_path)))


def without_times(summary: dict[str, Any]) -> dict[str, Any]:
    """Leave out what depends on the clock and the version, as JSON keeps the rest."""
    clock = {"seconds", "hands_per_second", "curve", "played_with"}
    kept = {key: value for key, value in summary.items() if key not in clock}
    kept["bots"] = [
        {key: value for key, value in bot.items() if not key.startswith("seconds")}
        for bot in kept["bots"]
    ]
    return dict(json.loads(json.dumps(kept)))


def test_a_finished_match_says_what_is_played_today(ledger: Ledger) -> None:
    entry = ledger.entry(1)
    assert (entry.version, entry.game, entry.bots, entry.hands) == ("0.1.0", "leduc", BOTS, 400)
    assert entry.result is not None
    today = play_match(BOTS, seed=5, **GIVEN)
    assert without_times(today.summary()) == without_times(entry.result) | {"deal_seeds": []}
    curve = today.curve()
    assert list(curve) == list(entry.result["curve"])
    for name, values in entry.result["curve"].items():
        # The bands of 0.1 had 1.96 standard errors, those of today 1.95996.
        assert list(curve[name]) == pytest.approx(values, rel=1e-4)


def test_settings_have_the_same_values(ledger: Ledger) -> None:
    values = MatchSettings(BOTS, seed=5, **GIVEN).as_values() | {"version": "0.1.0"}
    assert json.loads(json.dumps(values)) == ledger.entry(1).settings


def test_sessions_of_a_stopped_match_can_be_read(ledger: Ledger) -> None:
    match = Match(MatchSettings(BOTS, seed=6, record=True, **GIVEN))
    list(play_matches([match], workers=1))
    for number, old in ledger.sessions(2).items():
        new = match.sessions[number]
        for name in ("hands", "chips", "corrected", "wins", "seats", "ends"):
            assert np.array_equal(getattr(old, name), getattr(new, name))
        assert (old.records, old.learns, old.run_outs) == (new.records, new.learns, new.run_outs)
        assert [t.decisions for t in old.times] == [t.decisions for t in new.times]
    assert sorted(ledger.sessions(2)) == [0, 1]


def test_new_matches_go_into_the_old_file(ledger: Ledger) -> None:
    play_match(BOTS, seed=7, ledger=ledger, **GIVEN)
    assert [entry.seed for entry in ledger.entries()] == [5, 6, 7]

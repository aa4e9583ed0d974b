"""OHH written out by hand: amounts are what an action adds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from riverboat.histories import from_text, read, to_text


def action(player: int, name: str, amount: float = 0, cards: str = "") -> dict[str, Any]:
    found = {"action_number": 1, "player_id": player, "action": name, "amount": amount}
    if cards:
        found["cards"] = [cards[:2], cards[2:]]
    return found


# Pot-limit, three players. Before the flop: raise to 3.00, raise to 9.00 (8.50 more by the
# small blind), call. A bet of 12.00 on the flop is all-in for the small blind; side pot none.
HAND: dict[str, Any] = {
    "spec_version": "1.4.7",
    "site_name": "Example",
    "network_name": "Example",
    "internal_version": "1.0",
    "tournament": False,
    "game_number": "12-34",
    "start_date_utc": "2024-03-01T20:15:00Z",
    "table_name": "Thames",
    "game_type": "Holdem",
    "bet_limit": {"bet_type": "PL", "bet_cap": 0},
    "table_size": 6,
    "currency": "EUR",
    "dealer_seat": 2,
    "small_blind_amount": 0.5,
    "big_blind_amount": 1,
    "ante_amount": 0,
    "hero_player_id": 30,
    "players": [
        {"id": 10, "seat": 2, "name": "dealer", "starting_stack": 100},
        {"id": 20, "seat": 4, "name": "small", "starting_stack": 21},
        {"id": 30, "seat": 6, "name": "big", "starting_stack": 150.25},
        {"id": 40, "seat": 5, "name": "away", "starting_stack": 5, "is_sitting_out": True},
    ],
    "rounds": [
        {
            "id": 0,
            "street": "Preflop",
            "cards": [],
            "actions": [
                action(20, "Post SB", 0.5),
                action(30, "Post BB", 1),
                action(30, "Dealt Cards", cards="2c3d"),
                action(10, "Raise", 3),
                action(20, "Raise", 8.5),
                action(30, "Fold"),
                action(10, "Call", 6),
            ],
        },
        {
            "id": 1,
            "street": "Flop",
            "cards": ["Ah", "7h", "2s"],
            "actions": [action(20, "Bet", 12), action(10, "Call", 12)],
        },
        {"id": 2, "street": "Turn", "cards": ["9s"], "actions": []},
        {"id": 3, "street": "River", "cards": ["9d"], "actions": []},
        {
            "id": 4,
            "street": "Showdown",
            "cards": [],
            "actions": [
                action(20, "Shows Cards", cards="KsKc"),
                action(10, "Shows Cards", cards="AdQd"),
            ],
        },
    ],
    "pots": [
        {
            "number": 0,
            "amount": 43,
            "rake": 1.72,
            "player_wins": [{"player_id": 10, "win_amount": 41.28}],
        }
    ],
}


def line(hand: dict[str, Any]) -> str:
    return json.dumps({"ohh": hand}) + "\n\n"


def test_field_by_field() -> None:
    record = from_text(line(HAND), "ohh")
    assert record.names == ("small", "big", "dealer")
    assert record.seat_numbers == (4, 6, 2)
    assert record.table_size == 6
    assert (record.site, record.table, record.hand_id) == ("Example", "Thames", "12-34")
    assert record.date == datetime(2024, 3, 1, 20, 15, tzinfo=UTC)
    assert (record.currency, record.unit) == ("EUR", 100)
    assert record.hero == 1
    assert record.spec.betting == "pot-limit"
    assert record.spec.blinds == (50, 100, 0)
    assert record.stacks == (2100, 15025, 10000)
    assert record.line == "b300b900fc/b1200c"
    assert record.shows == ((0, True), (2, True))
    assert record.payoffs() == (-2100, -100, 2028)
    assert record.hand().rake == 172  # four per cent
    assert record.spec.rake.percent == 4


def test_written_amounts_are_what_is_added() -> None:
    written = json.loads(to_text(from_text(line(HAND), "ohh"), "ohh"))["ohh"]
    moves = [
        (a["action"], a["amount"], a["is_allin"])
        for part in written["rounds"]
        for a in part["actions"]
        if "Cards" not in a["action"]
    ]
    assert moves == [
        ("Post SB", 0.5, False),
        ("Post BB", 1.0, False),
        ("Raise", 3.0, False),
        ("Raise", 8.5, False),
        ("Fold", 0.0, False),
        ("Call", 6.0, False),
        ("Bet", 12.0, True),
        ("Call", 12.0, False),
    ]
    assert written["pots"] == [
        {
            "number": 0,
            "amount": 43.0,
            "rake": 1.72,
            "player_wins": [{"player_id": 2, "win_amount": 41.28}],
        }
    ]
    assert written["dealer_seat"] == 2
    assert [part["cards"] for part in written["rounds"]] == [
        [],
        ["Ah", "7h", "2s"],
        ["9s"],
        ["9d"],
        [],
    ]


def test_fixed_point() -> None:
    first = to_text(from_text(line(HAND), "ohh"), "ohh")
    assert first.endswith("}\n\n")
    assert first.count("\n") == 2
    assert to_text(from_text(first, "ohh"), "ohh") == first


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game_type": "Omaha"}, "'Omaha' is not read; Holdem is"),
        ({"bet_limit": {"bet_type": "XX"}}, "use NL, PL or FL"),
        ({"players": [{"id": 1, "seat": 2}]}, "the field name is missing"),
        ({"pots": []}, "does not name the winner"),
        ({"rounds": HAND["rounds"][:1]}, "ends while seat 2 is to act"),
        ({"small_blind_amount": "0.5"}, "small_blind_amount must be a number"),
        ({"big_blind_amount": 1.001}, "3 decimals"),
        ({"big_blind_amount": 1e300}, "big_blind_amount cannot be 1E+300"),
        ({"dealer_seat": None}, "the field dealer_seat is missing"),
        ({"rounds": [{"actions": [action(99, "Fold")]}]}, "there is no player 99"),
        ({"rounds": [{"actions": [action(10, "Straddle", 2)]}]}, "'Straddle' is not supported"),
    ],
)
def test_bad_hands_are_refused_with_a_reason(change: dict[str, Any], reason: str) -> None:
    result = read(line(HAND) + line({**HAND, **change}) + line(HAND), format="ohh")
    assert len(result.hands) == 2
    (refused,) = result.refused
    assert refused.line == 3
    assert reason in refused.reason


def test_text_that_is_no_json() -> None:
    result = read('{"ohh": {\n\n' + line(HAND))
    assert len(result.hands) == 1
    assert result.refused[0].reason.startswith("this is not JSON")

"""ACPC lines written out by hand: positions, totals over the hand, reverse blinds."""

from __future__ import annotations

import pytest

from riverboat.game import catalogue, write_acpc_game
from riverboat.histories import from_text, read, to_text

# Position 0 is the big blind, 1 the button. Raise to 300 in all, then 900 in all: on the flop
# that is a bet of 600.
LINE = "STATE:17:r300c/cr900c/cc/cc:TdAs|8h8c/2c8d3h/9c/Kh:-900|900:Bob|Ada\n"
# All-in before the flop: empty streets, a full board.
ALL_IN = "STATE:18:r20000c///:AhAd|KsKd/2c8d3h/9c/Th:20000|-20000:Bob|Ada\n"
# Limit raises have no number; the dealer's log has -15 as it is three small blinds.
LIMIT = "STATE:0:crc/rf:Qh2s|Td9d/4c5c6s:20|-20:Bob|Ada\n"
# Six players, position = seat, as in Pluribus' logs.
SIX = "STATE:30:ffr225fff:3c9s|Td9h|Ah3s|2h5s|KhKd|7c4c:-50|-100|0|0|150|0:a|b|c|d|e|f\n"


def test_positions_and_totals() -> None:
    record = from_text(LINE, "acpc")
    assert record.names == ("Ada", "Bob")
    assert record.hand_id == "17"
    assert record.spec.blinds == (50, 100)
    assert record.stacks == (20000, 20000)
    assert record.line == "b300c/kb600c/kk/kk"
    assert record.payoffs() == (900, -900)
    assert to_text(record, "acpc") == LINE


@pytest.mark.parametrize(
    ("text", "line", "payoffs"),
    [
        (ALL_IN, "b20000c", (-20000, 20000)),
        (LIMIT, "cb20c/b10f", (-20, 20)),
        (SIX, "ffb225fff", (-50, -100, 0, 0, 150, 0)),
    ],
)
def test_guessed_games(text: str, line: str, payoffs: tuple[int, ...]) -> None:
    record = from_text(text, "acpc")
    assert record.line.rstrip("/") == line
    assert record.payoffs() == payoffs
    assert to_text(record, "acpc") == text


def test_the_game_can_be_named() -> None:
    text = "STATE:0:r30f:|:-10|10:x|y"
    assert from_text(text, "acpc", game="nolimit-100bb").stacks == (1000, 1000)
    spec = catalogue("nolimit-100bb").replace(stacks=(700, 800))
    assert from_text(text, "acpc", game=spec).stacks == (700, 800)
    assert from_text(text, "acpc", game=write_acpc_game(spec)).stacks == (700, 800)
    with_comment = "".join(f"# {line}\n" for line in write_acpc_game(spec).splitlines()) + text
    assert from_text(with_comment, "acpc").stacks == (700, 800)


def test_toy_games() -> None:
    text = "STATE:5:crc:Qs|Ks:-2|2:x|y\n"
    record = from_text(text, "acpc", game="kuhn")
    assert record.line == "kb1c"
    assert to_text(record, "acpc") == text


def test_split_pots_with_half_chips() -> None:
    spec = catalogue("nolimit-100bb", players=3)
    text = "STATE:0:cfc/cc/cc/cc:2c3c|Ah4c|As4d/KdKsQh/Qd/9s:-5|2.5|2.5:x|y|z"
    record = from_text(text, "acpc", game=spec)
    assert record.payoffs() == (-5, 3, 2)


def test_unknown_cards_leave_it_to_the_values() -> None:
    text = "STATE:0:cc/cc/cc/cc:TdAs|/2c8d3h/9c/Kh:-100|100:Bob|Ada\n"
    record = from_text(text, "acpc")
    assert not record.hand().settled
    assert record.payoffs() == (100, -100)
    assert to_text(record, "acpc") == text


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("STATE:0:r150f:|:50|-50:x|y", "must be to at least 200 and at most 20000"),
        ("STATE:0:fc:|:50|-50:x|y", "its betting is over"),
        ("STATE:0:x:|:50|-50:x|y", "not a betting round"),
        ("STATE:0:f:|:51|-51:x|y", "seat 0 wins -1 chips"),
        ("STATE:0:f:|:a|b:x|y", "'a' is not a number of chips"),
        ("STATE:0:f:|:50|-50:x", "needs 2 names, not 1"),
        ("STATE:0:f:|:50|-50", "is not STATE:hand:betting:cards:values:names"),
        ("STATE:0:cc:|:50|-50:x|y", "ends while seat 1 is to act"),
        ("STATE:0:f:AhAh|:50|-50:x|y", "Ah"),
        ("STATE:0:f:|/2c8d3h:50|-50:x|y", "3 board cards, but the betting needs 0"),
        ("STATE:x:f:|:50|-50:x|y", "must be digits, not 'x'"),
    ],
)
def test_bad_lines_are_refused_with_a_reason(bad: str, reason: str) -> None:
    log = f"# name/game/hands/seed m g 2 1\n{LINE}\n{bad}\n{ALL_IN}SCORE:1|-1:x|y\n"
    result = read(log)
    assert len(result.hands) == 2
    (refused,) = result.refused
    assert refused.line == 4
    assert reason in refused.reason

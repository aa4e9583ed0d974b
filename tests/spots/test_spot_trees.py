"""Trees of spots equal those of postflop-solver (commit 9d1509f), action by action.

Its trees were listed by a program of our own: for each decision a row `line: actions`, our text,
without the slashes between streets. Here stand the number of rows and the beginning of the SHA-256
of the sorted rows.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from riverboat.spots import Spot
from riverboat.tree import DECISION, Tree

FLOP, TURN, RIVER = "Ks7h2d", "Ks7h2d3c", "Ks7h2d3c8d"
BASIC = (
    "turn_bet = 60%, e, a; turn_raise = 2.5x; river_bet = 60%, e, a; river_raise = 2.5x; "
    "river_donk = 50%; add_allin = 1.5; force_allin = 0.15; merging = 0.1"
)
# Board, pot, stack, decisions, digest, sizes.
LISTED = [
    (
        *(FLOP, 90, 155, 102, "b2c02fd974d5"),
        "flop_bet = 33%; flop_raise = 2.5x; turn_bet = 50%; river_bet = 50%; add_allin = 1",
    ),
    ("Td9d6hQc", 200, 900, 75, "c7276d556a01", BASIC),
    (
        *(FLOP, 61, 470, 229, "5ce44bc183e9"),
        "flop_bet = 50%; flop_raise = 2.5x; turn_bet = 66%; turn_raise = 2.5x; "
        "turn_donk = 25%, 90%; river_bet = 70%; river_raise = 3x; river_donk = 30%, e, a; "
        "add_allin = 0.8; force_allin = 0.2",
    ),
    (
        *(FLOP, 5500, 97500, 130, "a596145e7f1d"),
        "flop_bet = 33%, 75%; flop_raise = a; turn_bet = 75%; turn_raise = a; river_bet = 75%; "
        "river_raise = a",
    ),
    (
        *(TURN, 120, 600, 108, "f77088c90b77"),
        "turn_bet = 25%, 75%, 125%; turn_raise = 50%, 100%; river_bet = 25%, 75%, 125%; "
        "river_raise = 50%; force_allin = 0.6; merging = 0.05; river_donk = 20%; turn_donk = 10%",
    ),
    (
        *(FLOP, 60, 970, 668, "c263ef5084c8"),
        "flop_bet = e, 2e; flop_raise = e; turn_bet = e, 3e; turn_raise = 2e; river_bet = e; "
        "river_raise = 3e",
    ),
    (
        *(RIVER, 173, 911, 244, "ac92cb538e43"),
        "river_bet = 20%, 25%, 33%, 50%, 55%, 60%, 100%, 110%, 150%, 400%, a; "
        "river_raise = 2x, 2.2x, 3x, 50%, 75%, a; merging = 0.1",
    ),
    (
        *(TURN, 37, 211, 172, "3e04c7caab35"),
        "turn_bet = 20%, 25%, 33%, 50%, 55%, 60%; turn_raise = 2.5x, 60%; "
        "river_bet = 30%, 35%, 90%, 100%; river_raise = 2.5x, 3x, 100%; merging = 0.25; "
        "add_allin = 2; force_allin = 0.33",
    ),
    (
        *(FLOP, 60, 1000, 195, "81508bb003ba"),
        "flop_bet = 60%, 2e; turn_bet = 60%, 2e; river_bet = 60%, 2e; turn_donk = 2e; "
        "add_allin = 1.5; merging = 0.1",
    ),
    (
        *(RIVER, 40, 700, 570, "68551c9c515c"),
        "river_bet = 10%, 75%; river_raise = 2x, 45%, e",
    ),
    (RIVER, 55, 975, 32, "9fc6297b2f74", "river_bet = 33%, 75%, a; river_raise = 3x, a"),
    (
        *(TURN, 100, 830, 81, "10b0f7fc6791"),
        "turn_bet_oop = 30%; turn_bet_ip = 55%, 130%; turn_raise_oop = 3.5x; turn_raise_ip = 60%; "
        "river_bet_oop = 40%, a; river_bet_ip = 80%; river_raise_oop = 100%; "
        "river_raise_ip = 2.2x",
    ),
    (
        *(RIVER, 7, 9, 34, "2349865ce762"),
        "river_bet = 10%, 50%; river_raise = 2x, 10%; force_allin = 0.1; add_allin = 0.5",
    ),
    (
        *(TURN, 5500, 97500, 344, "3e30a6ac81f5"),
        "turn_bet = 33%, 75%, a; turn_raise = 3x, a; river_bet = 33%, 75%, a; river_raise = 3x, a",
    ),
]


def tree_of(board: str, pot: int, stack: int, sizes: str) -> Tree:
    head = f"board = {board}\npot = {pot}\nstack = {stack}\noop = AA\nip = QQ\n"
    return Spot.parse(head + sizes.replace("; ", "\n")).tree()


@pytest.mark.parametrize("listed", LISTED)
def test_all_actions(listed: tuple[str, int, int, int, str, str]) -> None:
    board, pot, stack, count, digest, sizes = listed
    tree = tree_of(board, pot, stack, sizes)
    rows = sorted(
        f"{tree.line(node).replace('/', '')}: {' '.join(tree.actions(node))}"
        for node in range(tree.num_nodes)
        if tree.kind[node] == DECISION
    )
    assert len(rows) == count
    assert sha256("\n".join(rows).encode()).hexdigest()[:12] == digest


def test_some_actions_of_its_example() -> None:
    """For the eye: root, a check down, after the player out of position bet, after he called."""
    tree = tree_of("Td9d6hQc", 200, 900, BASIC)
    found = {line: tree.actions(tree.node(line)) for line in ("", "kk", "b120c", "kb120c")}
    assert found == {
        "": ("k", "b120", "b216", "b900"),
        "kk": ("k", "b120", "b900"),
        "b120c": ("k", "b264", "b780"),
        "kb120c": ("k", "b220"),
    }

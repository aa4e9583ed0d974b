"""Solving: reports, budgets, locks and exploitation, against known values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from riverboat.cards import card_text
from riverboat.errors import RiverboatError, SpotError
from riverboat.spots import (
    Lock,
    Solution,
    SolveSettings,
    Spot,
    forecast,
    solve,
)
from spots.made import BLUFF, TURN, hole

if TYPE_CHECKING:
    from pathlib import Path


# ---- Solving


def test_reports_come_down_to_the_target() -> None:
    solving = solve(TURN, SolveSettings(target=0.01))
    reports = list(solving)
    assert [report.event for report in reports[:-1]] == ["solving"] * (len(reports) - 1)
    last = reports[-1]
    assert last.event == "finished"
    assert last.share <= 0.01 < reports[-2].share
    assert last.exploitability == pytest.approx(last.share * TURN.pot)
    assert last.values is not None
    assert sum(last.values) == pytest.approx(TURN.pot)
    assert sum(last.best_responses) - TURN.pot == pytest.approx(2 * last.exploitability)
    assert solving.solution.share == last.share


def test_budgets_end_it() -> None:
    report = list(solve(TURN, SolveSettings(target=0, iterations=15)))[-1]
    assert (report.event, report.iteration) == ("stopped", 15)
    report = list(solve(TURN, SolveSettings(target=0, seconds=0.02)))[-1]
    assert report.event == "stopped"
    assert report.seconds >= 0.02


@pytest.mark.parametrize(
    "options",
    [
        {"target": 2},
        {"target": 0},
        {"seconds": -1.0},
        {"iterations": 0},
        {"schedule": "fast"},
        {"bits": 8},
        {"locks": ["k: KK"]},
        {"locks": ["b10: KK = c 50"]},
        {"locks": ["b10: KK = c 50 c 50"]},
        {"locks": ["b10: KK = b30 100"]},
        {"locks": ["kk: all = k 100"]},
        {"locks": ["b11: all = k 100"]},
        {"locks": ["b10: XX = c 100"]},
    ],
)
def test_what_cannot_be_solved(options: dict[str, Any]) -> None:
    with pytest.raises(RiverboatError):
        solve(BLUFF, SolveSettings(**options))


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.spots._forecast.available_memory", lambda: 1000)
    flop = TURN.changed({"board": TURN.board[:6]})
    with pytest.raises(SpotError, match=r"MB of memory, and 1 kB are free"):
        solve(flop)
    assert forecast(flop).available_bytes == 1000


# ---- Locks and exploitation


def test_locks_move_values() -> None:
    # postflop-solver's test node_locking; unlocked by hand: QQ bets 1/3, K calls 2/3.
    free = solve(BLUFF, SolveSettings(target=0.0001)).finish().node()
    assert free.values[0, hole("AsAh")] == pytest.approx(26.667, abs=0.01)
    assert free.value(1) == pytest.approx(6.667, abs=0.01)
    assert free.hand("QsQh").strategy[1] == pytest.approx(1 / 3, abs=0.01)
    for calls, aces, queens, kings in ((75, 27.5, 0.0, 6.25), (50, 25.0, 5.0, 5.0)):
        lock = f"b10: KsKh = f {100 - calls} c {calls}"
        node = solve(BLUFF, SolveSettings(target=0.00001, locks=(lock,))).finish().node()
        assert node.values[0, hole("AsAh")] == pytest.approx(aces, abs=1e-3)
        assert node.values[0, hole("QsQh")] == pytest.approx(queens, abs=1e-3)
        assert node.value(1) == pytest.approx(kings, abs=1e-3)


def test_a_lock_of_one_hand_leaves_the_others_free() -> None:
    # postflop-solver's test node_locking_partial: JJ bets 20 %, then QQ bets 30 %.
    spot = BLUFF.changed({"oop": "AsAh, QsQh, JsJh", "pot": 10})
    lock = ": JsJh = k 80 b10 20"
    node = solve(spot, SolveSettings(target=0.0001, locks=(lock,))).finish().node()
    assert node.hand("JsJh").strategy.tolist() == pytest.approx([0.8, 0.2])
    assert node.hand("QsQh").strategy[1] == pytest.approx(0.3, abs=0.01)
    assert node.values[0, hole("AsAh")] == pytest.approx(15, abs=0.05)
    assert node.value(1) == pytest.approx(5, abs=0.05)


def test_locks_tell_suits_apart() -> None:
    # Clubs and diamonds are alike in the spot, not in the locks.
    spot = Spot(board="Ks7s2s3h", pot=5, stack=20, oop="AA, 77", ip="99, 66", menu="a")
    one_card = "kk on 8d: all = k 100"
    solution = solve(spot, SolveSettings(target=0.01, locks=(one_card,))).finish()
    assert solution.node("kk", "8d").hand("AhAs").strategy.tolist() == [1, 0]
    assert solution.node("kk", "8c").hand("AhAs").strategy[0] < 1
    one_hand = ": AdAh = k 100"
    node = solve(spot, SolveSettings(target=0.01, locks=(one_hand,))).finish().node()
    assert node.hand("AdAh").strategy.tolist() == [1, 0]
    assert node.hand("AcAh").strategy[0] < 1
    boards = [
        forecast(spot, SolveSettings(locks=locks)).engine.num_boards
        for locks in ((), (": AA = k 100",), (one_card,), (one_hand,))
    ]
    assert boards == [36, 36, 49, 49]


@pytest.mark.parametrize(("head", "dealt"), [("kk on 8d9d", "1 card is"), ("k on 8d", "0 cards")])
def test_a_lock_has_as_many_cards_as_its_line(head: str, dealt: str) -> None:
    with pytest.raises(SpotError, match=f"{dealt}.* dealt to the spot's board"):
        solve(TURN, SolveSettings(locks=(f"{head}: all = k 100",)))


def test_text_of_locks() -> None:
    text = "kk/b60 on 8d: QQ+, AKs = f 12.5 c 87.5; all = f 100"
    lock = Lock.parse(text)
    assert Lock.parse(str(lock)) == lock
    assert lock.cards is not None
    assert card_text(lock.cards[0]) == "8d"
    rows = lock.strategy(("f", "c"))
    assert rows[:, hole("AsAh")].tolist() == [0.125, 0.875]
    assert rows[:, hole("7s2h")].tolist() == [1, 0]
    assert Lock.parse_all(f"# all\n{text}\n\n") == (lock,)
    with pytest.raises(SpotError, match="at most"):
        Lock.parse_all("k: all = k 100\n" * 1001)


def test_a_lock_on_one_card_holds_there_only() -> None:
    lock = "kk on 8d: all = k 100"
    solution = solve(
        TURN,
        SolveSettings(
            target=0.02,
            locks=(
                "kk: all = b13 100",
                lock,
            ),
        ),
    ).finish()
    checks = solution.node("kk", "8d").actions.index("k")
    there, elsewhere = solution.node("kk", "8d"), solution.node("kk", "3d")
    assert there.frequencies()[checks] == pytest.approx(1)
    assert elsewhere.frequencies()[checks] == pytest.approx(0)


def test_maximal_exploitation() -> None:
    # Against a king that always calls, aces win 30 and queens nothing.
    solving = solve(BLUFF, SolveSettings(target=0.001, locks=("b10: KK = c 100",)))
    solving.finish()
    report = solving.exploit("oop")
    assert report.values == pytest.approx((15, 5))
    node = solving.solution.node()
    assert node.hand("AsAh").strategy.tolist() == [0, 1]
    assert node.hand("QsQh").strategy.tolist() == [1, 0]
    assert solving.solution.facts.exploited == "oop"


def test_a_run_that_was_stopped_stays_so_when_it_is_exploited() -> None:
    solving = solve(BLUFF, SolveSettings(target=0, iterations=2))
    solving.finish()
    assert solving.exploit("ip").event == "stopped"


def test_the_best_response_to_a_given_solution(turn: Solution, turn_file: Path) -> None:
    solving = solve(TURN)
    solving.follow(Solution.open(turn_file), "ip")
    assert solving.exploit("oop").values is not None
    response = solving.engine.value(0)
    assert response == pytest.approx(turn._source.best_response(0), abs=1e-4)  # type: ignore[attr-defined]
    assert response > turn.facts.values[0]
    with pytest.raises(SpotError, match="same board and tree"):
        solve(TURN.changed({"pot": 21})).follow(turn, "ip")
    with pytest.raises(SpotError, match="lacks hands of the range ip"):
        solve(TURN.changed({"ip": "AKs, JJ, QTs, 99"})).follow(turn, "ip")

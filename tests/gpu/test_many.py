"""Many spots at once: the kernels' twin stands in for a card."""

import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu.made import CARD, twin_of
from riverboat.errors import GpuError
from riverboat.gpu import FlatSpot, LastStreet, packed
from riverboat.runs import Stop
from riverboat.spots import (
    Library,
    Solution,
    SolveSettings,
    Spot,
    _forecast,
    _library,
    _many,
    solve,
    solve_many,
)
from riverboat.spots._device_engine import device_bytes
from riverboat.spots._inputs import DEFAULT, find_schedule
from spots.made import BLUFF

OTHER = Spot(board="2s3h4d6c7c", pot=30, stack=30, oop="AsAh, QsQh", ip="KsKh", menu="50%, a")
TASKS = Path("/proc/self/task")


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A card that the twin plays; the sizes of packs."""
    packs: list[int] = []

    def counted(flats: Sequence[FlatSpot]) -> FlatSpot:
        packs.append(len(flats))
        return packed(flats)

    monkeypatch.setattr(_many, "gpu_cards", lambda: [CARD])
    monkeypatch.setattr(_forecast, "gpu_cards", lambda: [CARD])
    monkeypatch.setattr(_many, "gpu_cards", lambda: [CARD])
    monkeypatch.setattr(_many, "DeviceSpot", twin_of)
    monkeypatch.setattr(_many, "packed", counted)
    return packs


def test_spots_are_solved_together(card: list[int]) -> None:
    spots = [BLUFF, OTHER, BLUFF]
    together = solve_many(spots, SolveSettings(target=0.03, device="auto"))
    for spot, solving in zip(spots, together, strict=True):
        found = solving.solution
        alone = solve(spot, SolveSettings(target=0.03)).finish()
        assert found.facts.exploitability <= 0.03 * spot.pot
        assert found.facts.values == pytest.approx(alone.facts.values, abs=0.06 * spot.pot)
        assert found.node("").actions == alone.node("").actions
    assert card == [3]


def test_packs_fit_into_the_card(card: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_many, "_MEMORY_SHARE", 1e-9)
    assert len(list(solve_many([BLUFF, OTHER], SolveSettings(iterations=2, device="gpu")))) == 2
    assert card == [1, 1]


def test_packs_are_of_like_size_and_solutions_in_order(
    card: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = OTHER.changed({"oop": "22+, A2s+, KTo+", "ip": "55+, A9s+"})
    turn = BLUFF.changed({"board": "2s3h4d6c"})
    spots = [wide, BLUFF, turn, OTHER, wide]
    options: dict[str, Any] = {"iterations": 3, "target": 0.0, "device": "gpu"}
    together = [each.solution.facts for each in solve_many(spots, SolveSettings(**options))]
    assert card == [5]  # too few to part
    monkeypatch.setattr(_many, "_FULL", 2)
    found = [each.solution.facts for each in solve_many(spots, SolveSettings(**options))]
    assert card == [5, 2, 2, 1]
    for one, other in zip(together, found, strict=True):
        assert one.values == pytest.approx(other.values)
        assert one.exploitability == pytest.approx(other.exploitability)
    monkeypatch.setattr(_many, "_FULL", 3)  # the two small rivers do not fill a pack
    list(solve_many(spots, SolveSettings(**options)))
    assert card == [5, 2, 2, 1, 4, 1]


def test_packs_that_have_not_begun_are_left_out(
    card: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_many, "_FULL", 1)
    turn = BLUFF.changed({"board": "2s3h4d6c"})
    stop, solved = Stop(), []
    spots = [BLUFF, turn, BLUFF]
    for each in solve_many(spots, SolveSettings(target=0.0, iterations=2, device="gpu"), stop):
        stop.ask()
        solved.append(each.spot)
    assert solved == [BLUFF, BLUFF]
    assert card == [2]


def test_a_stopped_library_has_each_solution_under_its_own_name(
    card: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(_many, "_FULL", 1)
    boards = ("2s3h4d6c7c", "2s3h4d6c", "2s3h4d6c8c")
    library = Library.of(tmp_path, [BLUFF.changed({"board": board}) for board in boards])
    options: dict[str, Any] = {"device": "gpu", "target": 0.05}
    numbers = []
    for report in library.solve(SolveSettings(**options), plot=False):
        numbers.append(report.number)
        if len(numbers) == 1:
            signal.raise_signal(signal.SIGINT)
    assert numbers == [1, 3]  # one pack; the other had not begun
    assert card == [2]
    solutions = [job.files.solution for job in library.jobs]
    assert [path.exists() for path in solutions] == [True, False, True]
    assert Solution.open(solutions[2]).spot.board == boards[2]
    again = library.solve(SolveSettings(**{**options, "device": "cpu"}), resume=True, plot=False)
    assert {each.number for each in again if each.report} == {2}


def test_after_a_stop_nothing_more_is_built(
    card: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[Spot] = []
    make = _many._waiting

    def counted(spot: Spot, *args: Any, **options: Any) -> _many.Waiting:
        built.append(spot)
        return make(spot, *args, **options)

    monkeypatch.setattr(_many, "_MEMORY_SHARE", 1e-9)
    monkeypatch.setattr(_many, "_waiting", counted)
    stop = Stop()
    for _ in solve_many([BLUFF] * 20, SolveSettings(threads=2, device="gpu"), stop):
        stop.ask()
    assert len(built) <= 4
    assert card == [1]


def test_where_memory_does_not_suffice_packs_are_halved(
    card: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(flat: FlatSpot, **options: Any) -> Any:
        if len(flat.weight) > 1 or sum(flat.num_numbers) > numbers:
            raise GpuError("this spot does not fit into GPU memory")
        return twin_of(flat, **options)

    wide = OTHER.changed({"oop": "22+, A2s+, KTo+", "ip": "55+, A9s+"})
    numbers = sum(_many._waiting(OTHER, OTHER.tree(), find_schedule(DEFAULT), 1).flat.num_numbers)
    monkeypatch.setattr(_many, "DeviceSpot", small)
    found = list(solve_many([BLUFF, wide, OTHER], SolveSettings(target=0.05, device="gpu")))
    assert card == [3, 1, 2, 1, 1]
    assert [each.device for each in found] == ["gpu", "cpu", "gpu"]
    assert found[1].notice == "Solving on the CPU: this spot does not fit into GPU memory."
    assert [each.spot for each in found] == [BLUFF, wide, OTHER]


@pytest.mark.parametrize("ahead", [1, 40, 2**22])
@pytest.mark.usefixtures("card")
def test_tables_come_in_pieces(ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those at the target averages alone, of the others all."""
    monkeypatch.setattr(_many, "_AHEAD", ahead)
    spots = [BLUFF, OTHER, BLUFF, OTHER, OTHER]
    together = list(solve_many(spots, SolveSettings(target=0.05, iterations=8, device="gpu")))
    assert {each.report.event for each in together if each.report} == {"finished", "stopped"}
    for spot, found in zip(spots, together, strict=True):
        (alone,) = solve_many([spot], SolveSettings(target=0.05, iterations=8, device="gpu"))
        for name, table in alone.engine.state().items():
            assert found.engine.state()[name].tobytes() == table.tobytes()


@pytest.mark.usefixtures("card")
def test_spots_that_differ_by_cards_share_a_tree() -> None:
    boards = [BLUFF.changed({"board": board}) for board in ("2s3h4d6c7c", "2s3h4d6c8c")]
    others: list[dict[str, Any]] = [
        {"pot": 22},
        {"menu": "50%, a"},
        {"added": ("b5",)},
        {"rake_percent": 5.0},
        {"board": "2s3h4d6c"},
    ]
    spots = [*boards, *(BLUFF.changed(change) for change in others)]
    found = [
        each.engine.tree for each in solve_many(spots, SolveSettings(iterations=1, device="gpu"))
    ]
    assert found[0] is found[1]
    assert len({id(tree) for tree in found}) == len(spots) - 1


def test_packs_are_forecast() -> None:
    """One with many lines makes all blocks of its pack large."""
    schedule = find_schedule(DEFAULT)
    sizes = OTHER.changed({"menu": "25%, 50%, 75%, 100%, a | 50%, 100%, a"})
    part = [_many._waiting(spot, spot.tree(), schedule, 1) for spot in (BLUFF, sizes, OTHER)]
    whole = device_bytes(packed([each.flat for each in part]))
    joined: dict[Any, LastStreet] = {}
    for each in part:
        joined[each.size] = each.last.joined(joined.get(each.size))
    assert len(joined) > 1
    told = sum(each.bytes for each in part) + _many._scratch(joined)
    assert whole == pytest.approx(told, rel=0.01)
    assert told > sum(device_bytes(each.flat) for each in part)


def test_many_end_early(card: list[int]) -> None:
    found = list(solve_many([BLUFF, OTHER], SolveSettings(target=0.0, seconds=1e-6, device="gpu")))
    assert [each.engine.iteration for each in found] == [1, 1]
    assert [each.report and each.report.event for each in found] == ["stopped"] * 2
    (stopped := Stop()).ask()
    assert not list(solve_many([BLUFF], SolveSettings(device="gpu"), stopped))
    assert card == [2]


def test_small_spots_of_a_library_are_solved_together(card: list[int], tmp_path: Path) -> None:
    spots = [BLUFF, BLUFF.changed({"board": "2s3h4d6c8c"}), BLUFF.changed({"board": "2s3h4d6c9c"})]
    library = Library.of(tmp_path / "rivers", spots)
    options: dict[str, Any] = {"device": "gpu"}
    first = list(library.solve(SolveSettings(**options, target=0.0, iterations=3)))
    assert [(each.number, each.report and each.report.iteration) for each in first] == [
        (1, 3), (2, 3), (3, 3),
    ]  # fmt: skip
    assert {each["state"] for each in library.as_dict()["spots"]} == {"stopped"}
    assert card == [3]
    library.jobs[2].files.checkpoint.unlink()
    library.jobs[2].files.solution.unlink()
    again = list(library.solve(SolveSettings(target=0.05), resume=True, plot=False))
    assert {each.number for each in again} == {1, 2, 3}
    assert {each["state"] for each in library.as_dict()["spots"]} == {"solved"}
    whole: dict[str, Any] = {**options, "target": 0.05}
    again = list(library.solve(SolveSettings(**whole), resume=True, plot=False))
    assert [each.report for each in again] == [None] * 3
    list(library.solve(SolveSettings(**whole), force=True, plot=False))
    assert card == [3, 3]
    assert {each["state"] for each in library.as_dict()["spots"]} == {"solved"}
    assert Solution.open(library.jobs[0].files.solution).facts.values[0] > 12


def test_what_a_card_cannot_do_at_once_is_solved_in_turn(card: list[int], tmp_path: Path) -> None:
    library = Library.of(tmp_path, [BLUFF, BLUFF.changed({"board": "2s3h4d6c8c"})])
    list(
        library.solve(SolveSettings(device="auto", seconds=9, target=0.05), plot=False, force=True)
    )
    assert card == []


def test_many_have_predictions_and_can_go_on(card: list[int]) -> None:
    options: dict[str, Any] = {"target": 0.0, "iterations": 3, "schedule": "pcfr+"}
    for found in solve_many([BLUFF, OTHER], SolveSettings(**options, device="gpu")):
        alone = solve(found.spot, SolveSettings(**options))
        alone.finish()
        tables = found.engine.state()
        for name, table in alone.engine.state().items():
            np.testing.assert_allclose(tables[name], table, atol=1e-4)
        assert tables["predictions0"].any()
    assert card == [2]


def test_16_bits_are_solved_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.spots._library.gpu_notice", lambda **_: "")
    spots = list(enumerate([BLUFF, BLUFF]))
    assert _library._together(spots, SolveSettings(device="gpu")) == [0, 1]
    assert _library._together(spots, SolveSettings(device="gpu", bits=16)) == []


@pytest.mark.skipif(not TASKS.exists(), reason="threads are counted by Linux")
def test_those_that_wait_have_no_threads() -> None:
    before = len(list(TASKS.iterdir()))
    waiting = _many._waiting(BLUFF, BLUFF.tree(), find_schedule(DEFAULT), 4)
    assert len(list(TASKS.iterdir())) == before
    assert waiting.engine.iteration == 0

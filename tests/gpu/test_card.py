"""Witnesses on a real card, against the CPU's engine: skipped where none is.

All witnesses of spots run there, too: `RIVERBOAT_TEST_DEVICE=gpu pytest tests/spots`.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu.made import SPOTS, engine_of
from riverboat.cards import parse_cards
from riverboat.errors import GpuError
from riverboat.gpu import require_card
from riverboat.spots import (
    SCHEDULES,
    DeviceEngine,
    Engine,
    Gadget,
    GadgetMode,
    Library,
    Solution,
    SolveSettings,
    Spot,
    gpu_notice,
    solve,
    solve_many,
)
from spots.made import BLUFF, TURN, one_hand

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(gpu_notice()), reason=gpu_notice() or "there is a card"),
]

BENCH = Path(__file__).parents[2] / "bench" / "spots"


def on_card(engine: Engine, **options: Any) -> DeviceEngine:
    """Return the same spot on the card."""
    weights = [np.zeros(1326, dtype=np.float32) for _ in (0, 1)]
    for player in (0, 1):
        weights[player][engine.hands[player]] = engine._core.start_reach(player)
    given = {"schedule": engine.schedule, "isomorphism": engine.isomorphism, **options}
    return DeviceEngine(engine.tree, engine.board, (weights[0], weights[1]), **given)


@pytest.mark.parametrize("name", SPOTS)
def test_the_first_iterations_are_the_cpus(name: str) -> None:
    engine = engine_of(name)
    card = on_card(engine)
    for _ in range(2):
        engine.run(1)
        card.run(1)
        assert card.exploitability() == pytest.approx(engine.exploitability(), rel=2e-5, abs=2e-4)
        assert card.both_values() == pytest.approx(engine.both_values(), rel=2e-5, abs=2e-4)


@pytest.mark.parametrize("name", ["turn_flush", "turn_search", "river_all"])
def test_values_are_the_cpus(name: str) -> None:
    spot = Spot.read(BENCH / f"{name}.spot")
    cpu, card = (
        solve(spot, SolveSettings(target=0.0005, device=device)) for device in ("cpu", "gpu")
    )
    assert card.device == "gpu"
    first, second = cpu.finish(), card.finish()
    assert second.facts.exploitability <= 0.0005 * spot.pot
    assert second.facts.values == pytest.approx(first.facts.values, abs=0.001 * spot.pot)


def test_a_flop_is_the_cpus() -> None:
    spot = Spot.read(BENCH / "flop_mono.spot")
    cpu, card = (
        solve(spot, SolveSettings(iterations=2, target=0, device=device))
        for device in ("cpu", "gpu")
    )
    first, second = cpu.finish(), card.finish()
    assert second.facts.exploitability == pytest.approx(first.facts.exploitability, rel=1e-4)


def test_runs_are_the_same_to_the_last_bit() -> None:
    engines = [on_card(engine_of("turn")) for _ in range(2)]
    for engine in engines:
        engine.run(50)
    for name, table in engines[0].state().items():
        assert table.tobytes() == engines[1].state()[name].tobytes()


@pytest.mark.parametrize("schedule", ["ramp", "pcfr+"])
def test_state_goes_on_from_either_device(schedule: str) -> None:
    engine = engine_of("turn", schedule=SCHEDULES[schedule])
    card, other = on_card(engine), on_card(engine)
    card.run(3)
    engine.load_state({name: table.copy() for name, table in card.state().items()}, 3)
    assert engine.exploitability() == pytest.approx(card.exploitability(), rel=1e-9)
    other.load_state({name: table.copy() for name, table in engine.state().items()}, 3)
    for each in (card, other):
        each.run(2)
    assert card.exploitability() == other.exploitability()


def test_queries_are_those_of_the_tables() -> None:
    engine = engine_of("turn")
    card = on_card(engine)
    card.run(20)
    engine.load_state(card.state(), 20)
    node, cards = engine.tree.node("kk/"), parse_cards("2c")
    np.testing.assert_array_equal(card.strategy(node, cards), engine.strategy(node, cards))
    np.testing.assert_array_equal(card.values(0, node, cards), engine.values(0, node, cards))
    np.testing.assert_array_equal(card.recorded_values(1), engine.recorded_values(1))


@pytest.mark.parametrize("name", ["turn_search", "flop_mono"])
def test_16_bits_reach_the_target_in_half_the_memory(name: str) -> None:
    spot = Spot.read(BENCH / f"{name}.spot")
    first, second = (
        solve(spot, SolveSettings(target=0.003, device="gpu", bits=bits)) for bits in (32, 16)
    )
    values = [each.finish().facts.values for each in (first, second)]
    assert second.report is not None
    assert second.report.share <= 0.003
    assert values[1] == pytest.approx(values[0], abs=0.006 * spot.pot)
    bytes_of = [each.engine._device.tables["regrets"][0].nbytes for each in (first, second)]  # type: ignore[attr-defined]
    assert bytes_of[0] == 2 * bytes_of[1]


def test_locks_responses_and_schedules() -> None:
    for name in ("ramp", "pfs", "cfr+", "pcfr+"):
        engine = engine_of("river", schedule=SCHEDULES[name])
        card = on_card(engine)
        for each in (engine, card):
            each.lock(0, (), one_hand([0.5, 0.25, 0.25], "KsQs"))
            each.run(2)
        assert card.exploitability() == pytest.approx(engine.exploitability(), abs=2e-4)
        won = card.adopt_best_response(0)
        assert won == pytest.approx(card.value(0)) == pytest.approx(card.best_response(0))
        card.unlock(0, ())
        assert card.best_response(0) >= won - 1e-9


@pytest.mark.parametrize("mode", ["resolve", "maxmargin", "combined"])
def test_gadgets(mode: GadgetMode) -> None:
    before = engine_of("turn")
    before.run(50)
    gadget = Gadget(1, before.values(1, 0), mode)
    engine, card = (engine_of("turn", kind=kind, gadget=gadget) for kind in (Engine, DeviceEngine))
    for each in (engine, card):
        each.run(3)
    assert card.exploitability() == pytest.approx(engine.exploitability(), abs=1e-3)
    np.testing.assert_allclose(card.margins(), engine.margins(), atol=1e-3)


def test_solution_files_are_alike(tmp_path: Path) -> None:
    found = []
    for device in ("cpu", "gpu"):
        solution = solve(TURN, SolveSettings(target=0.001, device=device)).finish()
        solution.write(tmp_path / f"{device}.solution")
        found.append(Solution.open(tmp_path / f"{device}.solution"))
    cpu, card = found
    for name in ("spot", "locks", "schedule", "bits", "isomorphism", "own_reach", "target"):
        assert getattr(card.facts, name) == getattr(cpu.facts, name)
    assert card.node("k").actions == cpu.node("k").actions
    assert card.facts.values == pytest.approx(cpu.facts.values, abs=0.001 * TURN.pot)


@pytest.mark.parametrize("full", [1000, 1])
def test_many_spots_at_once(full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one pack, and each size as a pack of its own."""
    monkeypatch.setattr("riverboat.spots._many._FULL", full)
    spots = [BLUFF, TURN, Spot.read(BENCH / "river_narrow.spot"), BLUFF]
    together = list(solve_many(spots, SolveSettings(target=0.002, device="gpu")))
    for spot, solving in zip(spots, together, strict=True):
        found, alone = solving.solution, solve(spot, SolveSettings(target=0.002)).finish()
        assert found.facts.exploitability <= 0.002 * spot.pot
        assert found.facts.values == pytest.approx(alone.facts.values, abs=0.004 * spot.pot)
        assert found.node("").actions == alone.node("").actions


def test_a_library_is_solved_at_once_and_goes_on(tmp_path: Path) -> None:
    boards = ("2s3h4d6c7c", "2s3h4d6c8c", "2s3h4d6cTc")
    library = Library.of(tmp_path, [BLUFF.changed({"board": board}) for board in boards])
    options: dict[str, Any] = {"device": "gpu", "plot": False}
    list(library.solve(SolveSettings(**options, target=0.0, iterations=5)))
    assert {each["state"] for each in library.as_dict()["spots"]} == {"stopped"}
    list(library.solve(SolveSettings(**options, target=0.002), resume=True))
    for job in library.jobs:
        facts = Solution.open(job.files.solution).facts
        assert facts.exploitability <= 0.002 * BLUFF.pot
        assert facts.values[0] == pytest.approx(13.3, abs=0.1)


def test_a_full_card_is_a_sentence() -> None:
    cupy = require_card()
    pool = cupy.cuda.MemoryPool()  # one that holds nothing of tests before
    with cupy.cuda.using_allocator(pool.malloc):
        engine = on_card(engine_of("turn"))
        engine.run(1)
        pool.set_limit(size=pool.total_bytes() + 1024)
        with pytest.raises(GpuError, match="does not fit into GPU memory"):
            engine.value(0)  # rows of an exact check are longer
        with pytest.raises(GpuError, match="does not fit into GPU memory"):
            on_card(engine_of("turn"))
        pool.set_limit(size=0)
        assert engine.value(0) == pytest.approx(engine.value(0))

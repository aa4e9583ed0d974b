"""The arrays of the core and the kernels' twin: it solves as the CPU's engine does."""

import numpy as np
import pytest

from gpu.made import KEEPING, Table, TwinEngine, chips, engine_of
from gpu.twin import TwinSpot
from riverboat.gpu import FlatSpot, Mode, packed
from riverboat.spots import SCHEDULES, Engine, Gadget, GadgetMode, Schedule, flat_spot
from riverboat.spots._device_engine import device_bytes
from spots.made import one_hand

CASES = [
    ("river", 1),
    ("river", 1000),
    ("rake", 1000),
    pytest.param("turn", 1, marks=pytest.mark.slow),  # segments of the last street cut small
    ("short", 1000),
    pytest.param("flop", 1000, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "rows"), CASES)
def test_the_twin_plays_as_the_engine(name: str, rows: int) -> None:
    engine = engine_of(name)
    flat = flat_spot(engine, rows)
    twin = TwinSpot(flat)
    for t in range(2):
        engine.run(1)
        twin.run(engine.schedule.factors(t, t + 1))
        for player in (0, 1):
            best = chips(flat, engine, player, twin.root_values(player, Mode.best))
            mean = chips(flat, engine, player, twin.root_values(player, exact=t > 0))
            expected = engine.best_response(player), engine.value(player)
            assert (best, mean) == pytest.approx(expected, abs=5e-5)


def test_averages_without_own_reach() -> None:
    engine = engine_of("rake", schedule=SCHEDULES["pfs"])
    flat = flat_spot(engine)
    twin = TwinSpot(flat, own_reach=False)
    engine.run(2)
    twin.run(engine.schedule.factors(0, 2))
    for player in (0, 1):
        mean = chips(flat, engine, player, twin.root_values(player))
        assert mean == pytest.approx(engine.value(player), abs=5e-5)


@pytest.mark.parametrize("schedule", [SCHEDULES["pcfr+"], KEEPING])
def test_predictions_are_the_cpus(schedule: Schedule) -> None:
    engine, twin = (
        engine_of("rake", schedule=schedule, kind=kind) for kind in (Engine, TwinEngine)
    )
    for each in (engine, twin):
        each.lock(0, (), one_hand([0.5, 0.25, 0.25], "KsQs"))
    for _ in range(4):
        for each in (engine, twin):
            each.run(1)
        assert twin.exploitability() == pytest.approx(engine.exploitability(), abs=5e-5)
        tables = engine.state()
        assert {"predictions0", "predictions1"} < tables.keys()
        for name, table in twin.state().items():
            np.testing.assert_allclose(table, tables[name], atol=2e-4)


def test_predictions_go_on_from_either_device() -> None:
    engine, twin, other, wrong = (
        engine_of("rake", schedule=SCHEDULES[name], kind=kind)
        for name, kind in [
            ("pcfr+", Engine), ("pcfr+", TwinEngine), ("pcfr+", TwinEngine), ("cfr+", Engine),
        ]
    )  # fmt: skip
    twin.run(3)
    engine.load_state({name: table.copy() for name, table in twin.state().items()}, 3)
    other.load_state(engine.state(), 3)
    wrong.load_state(engine.state(), 3)
    for each in (engine, twin, other, wrong):
        each.run(2)
    assert other.exploitability() == twin.exploitability()
    assert engine.exploitability() == pytest.approx(twin.exploitability(), abs=5e-5)
    assert wrong.exploitability() != pytest.approx(twin.exploitability(), abs=1e-2)


def test_16_bits_are_the_cpus_but_for_rounding() -> None:
    engine, twin = (engine_of("rake", bits=16, kind=kind) for kind in (Engine, TwinEngine))
    for each in (engine, twin):
        each.run(2)
    assert twin.exploitability() == pytest.approx(engine.exploitability(), rel=1e-4)
    for each in (engine, twin):
        each.run(198)
        assert each.exploitability()[-1] < 0.001 * 20


def test_16_bits_go_on_from_either_device() -> None:
    """The CPU's regrets are parts of the largest of their node: a 65534th is lost at most."""
    engine, twin, other = (
        engine_of("turn", bits=16, kind=kind) for kind in (Engine, TwinEngine, TwinEngine)
    )
    twin.run(3)
    engine.load_state({name: table.copy() for name, table in twin.state().items()}, 3)
    assert engine.exploitability() == pytest.approx(twin.exploitability(), rel=1e-9)
    other.load_state(engine.state(), 3)
    for player in (0, 1):
        regrets, again = (
            each._device.tables["regrets"][player].astype(np.float64)
            for each in (twin, other)
            if isinstance(each, TwinEngine)
        )
        np.testing.assert_allclose(again, regrets, rtol=1e-3, atol=np.abs(regrets).max() / 30_000)
        np.testing.assert_array_equal(
            other.state()[f"average{player}"], engine.state()[f"average{player}"]
        )
    engine.run(2)
    other.run(2)
    assert other.exploitability() == pytest.approx(engine.exploitability(), rel=1e-3)


def test_tables_lie_as_the_cores_do() -> None:
    engine = engine_of("turn")
    twin = TwinSpot(flat_spot(engine))
    engine.run(1)
    twin.run(engine.schedule.factors(0, 1))
    for player in (0, 1):
        regrets = engine.state()[f"regrets{player}"]
        np.testing.assert_allclose(twin.tables["regrets"][player], regrets, atol=2e-4)


def test_locks_hold() -> None:
    from riverboat import _core  # noqa: PLC0415 - arrays of the core, which only wrappers touch

    engine = engine_of("river")
    engine.lock(0, (), one_hand([0.5, 0.25, 0.25], "KsQs"))
    flat = flat_spot(engine)
    twin = TwinSpot(flat)
    for player in (0, 1):
        twin.set_locks(player, *_core.flat_locks(engine._core, player))
    engine.run(2)
    twin.run(engine.schedule.factors(0, 2))
    for player in (0, 1):
        best = chips(flat, engine, player, twin.root_values(player, Mode.best))
        assert best == pytest.approx(engine.best_response(player), abs=5e-5)
    won = chips(flat, engine, 0, twin.root_values(0, Mode.adopt))
    assert chips(flat, engine, 0, twin.root_values(0)) == pytest.approx(won)


@pytest.mark.parametrize("mode", ["resolve", "maxmargin", "combined"])
def test_a_gadget_is_the_cpus(mode: GadgetMode) -> None:
    before = engine_of("river")
    before.run(100)
    for player in (0, 1):
        gadget = Gadget(player, before.values(player, 0), mode)
        engine, twin = (
            engine_of("river", kind=kind, gadget=gadget) for kind in (Engine, TwinEngine)
        )
        for each in (engine, twin):
            each.run(2)
        assert twin.exploitability() == pytest.approx(engine.exploitability(), abs=1e-3)
        for each in (engine, twin):
            each.run(200)
        assert twin.exploitability() == pytest.approx(engine.exploitability(), abs=0.02)
        margins = [each.margins()[each.hands[player]] for each in (engine, twin)]
        np.testing.assert_allclose(margins[1], margins[0], atol=0.1)
        won = twin.adopt_best_response(player)
        assert won == pytest.approx(twin.value(player)) == pytest.approx(twin.best_response(player))


def test_a_gadget_goes_on_from_either_device() -> None:
    before = engine_of("river")
    before.run(100)  # values of untrained strategies are alike: rounding would decide
    gadget = Gadget(0, before.values(0, 0))
    twin, other = (engine_of("river", kind=TwinEngine, gadget=gadget) for _ in range(2))
    engine = engine_of("river", gadget=gadget)
    twin.run(3)
    for each in (engine, other):
        each.load_state({name: table.copy() for name, table in twin.state().items()}, 3)
    for each in (twin, other, engine):
        each.run(2)
    assert other.exploitability() == twin.exploitability()
    assert engine.exploitability() == pytest.approx(twin.exploitability(), abs=1e-3)


def test_many_spots_are_solved_as_one() -> None:
    engines = [engine_of(name) for name in ("river", "short", "rake")]
    flats = [flat_spot(engine) for engine in engines]
    whole = TwinSpot(packed(flats))
    factors = engines[0].schedule.factors(0, 2)
    whole.run(factors)
    for player in (0, 1):
        alone = []
        for flat in flats:
            twin = TwinSpot(flat)
            twin.run(factors)
            alone.append(twin.root_values(player, Mode.best))
        np.testing.assert_array_equal(whole.root_values(player, Mode.best), np.concatenate(alone))


def test_memory_is_counted() -> None:
    flat: FlatSpot = flat_spot(engine_of("turn"))
    tables = 8 * sum(flat.num_numbers)
    assert tables < device_bytes(flat)
    assert device_bytes(flat) - device_bytes(flat, 16) == tables // 2
    assert device_bytes(flat, predictive=True) - device_bytes(flat) == tables // 2


def test_tables_are_brought_once(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of("river", kind=TwinEngine)
    monkeypatch.setattr(Table, "brought", 0)
    engine.run(2)
    for expected in (2, 2):  # both players' averages, and nothing again
        engine.values(0, 0)
        assert Table.brought == expected
    engine.state()
    assert Table.brought == 4
    engine.state()
    engine.strategy(0)
    assert Table.brought == 4
    engine.adopt_best_response(0)
    engine.state()
    assert Table.brought == 6  # regrets are as they were

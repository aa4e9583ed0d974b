"""The kernels themselves without a card: run on the CPU thread by thread, as `emulated` does."""

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from gpu.emulated import CUPY, PROCESSORS, run_backwards
from gpu.made import CARD, KEEPING, SPOTS, TwinEngine, engine_of
from riverboat.errors import GpuError
from riverboat.gpu import _cards as cards
from riverboat.gpu import _device as device
from riverboat.gpu import last_street, row_bytes
from riverboat.spots import SCHEDULES, DeviceEngine, Gadget, GadgetMode
from riverboat.spots import _device_engine as engines
from spots.made import one_hand

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("c++") is None, reason="it needs Linux and c++"
)

Options = dict[str, Any]
ALL: dict[str, Options] = {"32": {}, "16": {"bits": 16}, "pcfr+": {"schedule": SCHEDULES["pcfr+"]}}
each_kind = pytest.mark.parametrize("options", ALL.values(), ids=ALL.keys())
slow = pytest.mark.slow


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """CuPy finds a card."""
    for module in (cards, device):
        monkeypatch.setattr(module, "require_card", lambda: CUPY)
    monkeypatch.setattr(engines, "gpu_cards", lambda: [CARD])
    cards.kernels.cache_clear()
    yield
    cards.kernels.cache_clear()


def on_card(name: str, **options: Any) -> DeviceEngine:
    """Return an engine of a spot on the card."""
    engine = engine_of(name, kind=DeviceEngine, **options)
    assert isinstance(engine, DeviceEngine)
    return engine


@each_kind
def test_the_first_iterations_are_the_cpus(options: Options) -> None:
    """Rounding differs: of 16 bits by the scale, which the CPU has for each node."""
    rel = 1e-3 if "bits" in options else 2e-5
    for name in SPOTS:
        engine, card = engine_of(name, **options), on_card(name, **options)
        for _ in range(2):
            engine.run(1)
            card.run(1)
            near = pytest.approx(engine.exploitability(), rel=rel)
            assert card.exploitability() == near
            assert card.both_values() == pytest.approx(engine.both_values(), rel=1e-3)


def test_kernels_are_as_their_twin_with_16_bits() -> None:
    """But for sums in another order: one step of the last of 11 bits, where a number is rounded."""
    card, twin = on_card("turn", bits=16), engine_of("turn", kind=TwinEngine, bits=16)
    for engine in (card, twin):
        engine.run(3)
    for player in (0, 1):
        found, expected = (
            np.asarray(each._device.tables["regrets"][player], dtype=np.float64)
            for each in (card, twin)
            if isinstance(each, DeviceEngine)
        )
        assert np.abs(expected).max() > 100
        np.testing.assert_allclose(found, expected, rtol=3e-3, atol=1e-2)


@each_kind
def test_threads_do_not_race(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last thread first, the last warp first: not a bit differs.

    Segments are small, so that a block's items differ.
    """
    monkeypatch.setattr(engines, "flat_spot", partial(engines.flat_spot, last_rows=2))
    for name in ("river", "many", "short", "turn"):
        found = []
        for backwards in (False, True):
            engine = on_card(name, **options)
            with run_backwards(engine._device.build, backwards):
                engine.run(3)
                checks = [engine._check(exact=exact) for exact in (False, True)]
                values = engine.both_values(), engine.adopt_best_response(0)
            tables = {table: numbers.tobytes() for table, numbers in engine.state().items()}
            found.append((checks, values, tables))
        assert found[0] == found[1]


def test_checks_in_parts_are_those_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("turn", "flop", "river"):
        found = []
        for parts in (1, 2, 3):
            monkeypatch.setattr(device, "CHECK_PARTS", parts)
            engine = on_card(name)
            engine.run(3)
            found.append((engine._check(exact=True), engine.both_values()))
        assert found[0] == found[1] == found[2]


def test_rows_take_what_was_forecast() -> None:
    """No more where this card has fewer processors; a row that nobody needs has a number, too."""
    for name in SPOTS:
        engine = on_card(name)
        engine.value(0)
        rooms = engine._device._rooms.values()
        took = sum(max(each) for each in zip(*(room.sizes for room in rooms), strict=True))
        told = row_bytes(engine.flat) + last_street(engine.flat).scratch_bytes
        items = len(engine.flat.levels(0)[0])
        assert took <= told + 8
        assert items > 1 or took == pytest.approx(told, abs=8)


@each_kind
def test_locks_and_responses(options: Options) -> None:
    engine, card = engine_of("river", **options), on_card("river", **options)
    for each in (engine, card):
        each.lock(0, (), one_hand([0.5, 0.25, 0.25], "KsQs"))
        each.run(2)
    assert card.exploitability() == pytest.approx(engine.exploitability(), rel=1e-4)
    won = card.adopt_best_response(0)
    assert won == pytest.approx(card.value(0)) == pytest.approx(card.best_response(0))


def test_predictions_go_on_from_either_device() -> None:
    """Nodes of few actions and of many, streets with kernels of their own."""
    options = ALL["pcfr+"]
    for name in ("river", "sizes", "flop"):
        engine, card, other = engine_of(name, **options), *(on_card(name, **options) for _ in "ab")
        card.run(3)
        engine.load_state({table: each.copy() for table, each in card.state().items()}, 3)
        other.load_state(engine.state(), 3)
        for each in (engine, card, other):
            each.run(2)
        tables = card.state()
        for table, numbers in other.state().items():
            assert numbers.tobytes() == tables[table].tobytes()
        for table, numbers in engine.state().items():
            np.testing.assert_allclose(tables[table], numbers, atol=1e-3)


@slow
def test_predictions_where_averages_ignore_reaches() -> None:
    engine, card = engine_of("rake", schedule=KEEPING), on_card("rake", schedule=KEEPING)
    for each in (engine, card):
        each.run(4)
    assert card.exploitability() == pytest.approx(engine.exploitability(), rel=2e-5)


@pytest.mark.parametrize("schedule", ["ramp", "pcfr+"])
@pytest.mark.parametrize("mode", ["resolve", "maxmargin", "combined"])
def test_gadgets(mode: GadgetMode, schedule: str) -> None:
    before, known = engine_of("river"), SCHEDULES[schedule]
    for player in (0, 1):
        gadget = Gadget(player, before.values(player, 0), mode)
        engine = engine_of("river", gadget=gadget, schedule=known)
        card = on_card("river", gadget=gadget, schedule=known)
        for each in (engine, card):
            each.run(3)
        assert card.exploitability() == pytest.approx(engine.exploitability(), abs=1e-3)
        np.testing.assert_allclose(card.margins(), engine.margins(), atol=1e-3)


def test_a_card_with_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that have no room in shared memory are read where they are; sums must have it."""
    found = []
    for most, staged in ((227, True), (14, False)):
        monkeypatch.setitem(PROCESSORS, "MaxSharedMemoryPerBlockOptin", most * 1024)
        card = on_card("many")
        assert card._device.build.staged == staged
        card.run(2)
        found.append(card.exploitability())
    assert found[0] == found[1]
    monkeypatch.setitem(PROCESSORS, "MaxSharedMemoryPerBlockOptin", 12 * 1024)
    with pytest.raises(GpuError, match="need 13 KB of a block's memory, but this GPU has 12"):
        on_card("many")


def test_few_hands_take_one_warp() -> None:
    found = {}
    for name in ("turn", "many"):
        room = on_card(name)._device._rooms["float"]
        found[name] = {(last.kernel, last.threads) for last in room.trains}
        assert all(last.kernel == "last" for last in room.checks)
    assert found == {"turn": {("warp", 32)}, "many": {("last", 64)}}


@pytest.mark.parametrize(
    "options", [ALL["32"], *(pytest.param(ALL[kind], marks=slow) for kind in ("16", "pcfr+"))]
)
def test_it_converges(options: Options) -> None:
    card = on_card("river", **options)
    card.run(300)
    assert card.exploitability()[-1] < 0.0003 * 20

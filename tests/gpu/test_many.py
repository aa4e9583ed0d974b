"""Many spots at once: the kernels' twin stands in for a card."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from gpu.made import CARD, twin_of
from riverboat.gpu import FlatSpot, packed
from riverboat.spots import Spot, _many, solve, solve_many
from riverboat.spots._schedule import DEFAULT
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
    monkeypatch.setattr(_many, "DeviceSpot", twin_of)
    monkeypatch.setattr(_many, "packed", counted)
    return packs


def test_spots_are_solved_together(card: list[int]) -> None:
    spots = [BLUFF, OTHER, BLUFF]
    for spot, found in zip(spots, solve_many(spots, target=0.01, device="auto"), strict=True):
        alone = solve(spot, target=0.01).finish()
        assert found.facts.exploitability <= 0.01 * spot.pot
        assert found.facts.values == pytest.approx(alone.facts.values, abs=0.02 * spot.pot)
        assert found.node("").actions == alone.node("").actions
    assert card == [3]


def test_packs_fit_into_the_card(card: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_many, "_MEMORY_SHARE", 1e-9)
    assert len(list(solve_many([BLUFF, OTHER], iterations=2, device="gpu"))) == 2
    assert card == [1, 1]


@pytest.mark.skipif(not TASKS.exists(), reason="threads are counted by Linux")
def test_those_that_wait_have_no_threads() -> None:
    before = len(list(TASKS.iterdir()))
    engine = _many._waiting_engine(BLUFF, DEFAULT, 4)
    assert len(list(TASKS.iterdir())) == before
    assert engine.iteration == 0

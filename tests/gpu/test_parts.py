"""Rows of a walk: few, because parts of it and values of its last street take each other's."""

import numpy as np
import pytest

from gpu.made import SPOTS, engine_of
from riverboat.gpu import FlatSpot, FlatView, packed, row_bytes
from riverboat.gpu._shapes import walk_parts
from riverboat.spots import flat_spot


def flat(name: str) -> FlatSpot:
    return flat_spot(engine_of(name))


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_parts_are_the_whole(name: str, count: int) -> None:
    spot = flat(name)
    for player in (0, 1):
        view, levels = spot.views[player], spot.levels(player)
        parts = walk_parts(spot, player, count)
        above = levels[1] if len(levels) > 1 else levels[0][:0]
        assert len(parts) == max(1, min(count, len(np.unique(view.item[above, 0]))))
        np.testing.assert_array_equal(np.concatenate([part.last for part in parts]), levels[0])
        np.testing.assert_array_equal(np.concatenate([part.above for part in parts]), above)
        assert [part.end for part in parts] == [*(p.begin for p in parts[1:]), view.value_size]
        for part in parts:
            places = view.item_rows[part.last, 1]
            assert (part.begin <= places).all()
            assert (places < part.end).all()


def test_a_part_reads_what_it_has() -> None:
    """Items before the last street have their next boards in their part."""
    spot = flat("flop")
    for player in (0, 1):
        view = spot.views[player]
        for part in walk_parts(spot, player, 2):
            np.testing.assert_array_equal(
                np.unique(view.item[part.last, 2]),
                part.above[view.bound("num_exits")[view.item[part.above, 1]] > 0],
            )


def test_an_exact_check_takes_no_more_values_than_training() -> None:
    """But for rows of one board more."""
    spot = flat("flop")
    reaches = max(view.reach_size for view in spot.views)
    values = max(view.value_size for view in spot.views)
    assert row_bytes(spot) == pytest.approx(8 * reaches + 4 * values, rel=0.1)


def test_many_are_one_part() -> None:
    both = packed([flat("turn"), flat("turn")])
    assert [len(walk_parts(both, player, 2)) for player in (0, 1)] == [1, 1]


@pytest.mark.parametrize("name", SPOTS)
def test_values_take_rows_of_reaches(name: str) -> None:
    """Of the last street leaves are rows, and no row is written before it was read."""
    spot = flat(name)
    for player in (0, 1):
        view = spot.views[player]
        last = np.unique(view.item[spot.levels(player)[0], 1])
        np.testing.assert_array_equal(view.bound("leaves")[last], view.bound("rows")[last])
        for segment in last:
            lanes = view.lanes[_lanes(view, segment)]
            written: set[int] = set()
            for two in (lanes[i : i + 2] for i in range(0, len(lanes), 2)):
                assert written.isdisjoint(two[:, 0].tolist())
                written.update(two[:, 1:3][two[:, 1:3] >= 0].tolist())


def _lanes(view: FlatView, segment: int) -> slice:
    first = int(view.bound("first_lane")[segment])
    return slice(first, first + int(view.bound("lanes")[segment]))

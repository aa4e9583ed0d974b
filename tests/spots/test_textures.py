"""Textures of flops: how many there are of each, and means over them."""

from itertools import combinations
from typing import Any, cast

import pytest

from riverboat.errors import SpotError
from riverboat.spots import (
    ReportRow,
    SpotTable,
    Texture,
    few_flops,
)


def flops_by(by: Texture) -> dict[str, int]:
    """How many of the 22,100 flops have each texture."""
    table = table_of(dict.fromkeys(few_flops(), (1.0, 1.0)))
    return {row.name: int(row.weight) for row in table.by_texture(by).rows}


def table_of(values: dict[str, tuple[float, float]]) -> SpotTable:
    """A report of boards with weights and EVs."""
    rows = [
        ReportRow(board, weight, {"k": 1.0}, (value, 0.0), (0.5, 0.5))
        for board, (weight, value) in values.items()
    ]
    return SpotTable("At the start", "oop", (), tuple(rows))


def test_flops_of_each_texture() -> None:
    """4 suits of C(13, 3); ranks of C(13, 3), 13 x 12 and 13; the rest by subtraction."""
    one, rainbow = 4 * 286, 4 * 3 * 2 * 286 + 13 * 12 * 4 * 3 + 13 * 4
    assert flops_by("suits") == {
        "one suit": one,
        "rainbow": rainbow,
        "two suits": 22_100 - one - rainbow,
    }
    assert flops_by("pairs") == {
        "no pair": 64 * 286,
        "a pair": 13 * 12 * 6 * 4,
        "three of a rank": 13 * 4,
    }


def test_straights_are_those_of_ten_straights() -> None:
    straights = [{(low + step) % 13 for step in range(-1, 4)} for low in range(10)]
    triples = sum(
        any(set(ranks) <= straight for straight in straights)
        for ranks in combinations(range(13), 3)
    )
    assert flops_by("straights")["a straight can be"] == 64 * triples


def test_high_cards_come_from_the_ace_down() -> None:
    rows = table_of(dict.fromkeys(few_flops(200), (1.0, 1.0))).by_texture("high").rows
    assert [row.name[0] for row in rows][:5] == ["A", "K", "Q", "J", "T"]


def test_rows_are_means_by_how_often_play_comes_there() -> None:
    table = table_of({"Ks7h2d": (1.0, 4.0), "Qs7h2d": (3.0, 8.0), "QsQh2d": (1.0, 1.0)})
    pair, none = table.by_texture("pairs").rows
    assert (none.name, none.weight, none.values) == ("no pair", 4.0, (7.0, 0.0))
    assert (pair.name, pair.weight, pair.values) == ("a pair", 1.0, (1.0, 0.0))


def test_of_all_flops_each_counts_as_often_as_it_is_dealt() -> None:
    table = table_of(dict.fromkeys(few_flops(), (1.0, 1.0)))
    assert sum(row.weight for row in table.by_texture("suits").rows) == 22_100
    some = table_of(dict.fromkeys(few_flops()[:-1], (1.0, 1.0)))
    assert sum(row.weight for row in some.by_texture("suits").rows) == 1_754


def test_another_texture_is_refused() -> None:
    with pytest.raises(SpotError, match="suits, pairs, straights, high, not 'colour'"):
        table_of({"Ks7h2d": (1.0, 1.0)}).by_texture(cast("Any", "colour"))

"""Kinds from outside: registered, written in text, saved and restored."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.buckets import (
    KINDS,
    BucketKind,
    CardAbstraction,
    FitTask,
    Parameters,
    StreetRule,
    bucket_tables,
    make_abstraction,
    parse_abstraction,
    register_kind,
)
from riverboat.cards import HOLES, HandStrength
from riverboat.errors import AbstractionError


class HighCardRule(StreetRule):
    """The rank of the higher hole card."""

    name: ClassVar[str] = "high-card"
    needs_tables: ClassVar[bool] = False
    num_buckets = 13

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """Rank of the higher card."""
        del board
        return max(hole) // 4

    def fill(self, tables: HandStrength | None, begin: int, out: NDArray[Any]) -> None:
        """All rows alike."""
        del tables, begin
        out[:] = HOLES.max(axis=1) // 4

    def parameters(self) -> Parameters:
        """None."""
        return {}

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def restore(cls, parameters: Parameters, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """There is only one."""
        del parameters, arrays
        return cls()


class HighCard(BucketKind):
    """Only before the flop."""

    name: ClassVar[str] = "high-card"
    sentence: ClassVar[str] = "the rank of the higher hole card"
    rules: ClassVar[tuple[type[StreetRule], ...]] = (HighCardRule,)
    counted: ClassVar[bool] = False
    numbers: ClassVar[tuple[int, ...]] = (13,)

    def fit(self, task: FitTask) -> StreetRule:
        """There is only one."""
        del task
        return HighCardRule()


def test_a_kind_from_outside() -> None:
    register_kind(HighCard())
    cards = make_abstraction("high-card | suitless")
    assert cards.num_buckets == (13, 76895)
    again = CardAbstraction.restore(*cards.save())
    assert (again.name, again.street_bucket("2hJc")) == ("high-card | suitless", 9)
    table = bucket_tables(make_abstraction("high-card")).tables[0]
    assert np.bincount(table[0]).tolist() == [6 + 16 * rank for rank in range(13)]


def test_streets_that_a_kind_does_not_have() -> None:
    register_kind(HighCard())
    assert str(parse_abstraction("high-card 1")) == "high-card"
    with pytest.raises(AbstractionError, match="the number of streets must be from 1 to 1"):
        parse_abstraction("high-card 2")
    with pytest.raises(AbstractionError, match="it has no buckets on the flop"):
        parse_abstraction("lossless | high-card")


def test_forgotten_kinds_are_unknown() -> None:
    assert "high-card" not in KINDS
    with pytest.raises(AbstractionError, match="it is not a kind"):
        parse_abstraction("high-card")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "High"}, "'High' cannot be the name of a kind of buckets"),
        ({"name": "recall"}, "but not 'recall'"),
        ({"name": "lossless"}, "a kind of buckets 'lossless' exists already"),
        ({"numbers": ()}, "must have numbers by street"),
        ({"counted": True}, "must have numbers by street"),
        ({"rules": (type("Other", (HighCardRule,), {"name": "ranks"}),)}, "another rule 'ranks'"),
    ],
)
def test_bad_kinds_are_refused(changes: dict[str, Any], sentence: str) -> None:
    before = list(KINDS)
    with pytest.raises(AbstractionError, match=sentence):
        register_kind(type("Bad", (HighCard,), changes)())
    assert list(KINDS) == before

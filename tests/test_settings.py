"""Settings from Python, tables and text have the same checks and error messages."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
import pytest
from msgspec import Meta

from riverboat.errors import GameError, RiverboatError
from riverboat.settings import (
    Settings,
    allowed,
    checked,
    read_settings,
    read_value,
    settings_of,
    shown,
)


class Pace(Settings, frozen=True):
    """A table within another."""

    seconds: Annotated[float, Meta(gt=0, le=60)] = 1.0
    marks: tuple[int, ...] = ()


class Plan(Settings, frozen=True, kw_only=True):
    """A setting of each type."""

    error: ClassVar[type[RiverboatError]] = GameError

    file: Annotated[str, Meta(description="the file", extra={"positional": True})]
    count: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 3
    share: Annotated[float, Meta(ge=0, le=1, description="how much")] = 0.5
    ties: Literal["win", "half", "loss"] = "win"
    loud: bool = False
    pace: Pace | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.loud and not self.count:
            raise GameError("nothing is loud when count is 0")


def test_a_table_becomes_settings() -> None:
    plan = checked(Plan, {"file": "a", "share": 1, "pace": {"marks": [1, 2]}}, "the plan")
    assert plan == Plan(file="a", share=1.0, pace=Pace(marks=(1, 2)))
    assert isinstance(plan.share, float)
    assert plan.pace == Pace(1.0, (1, 2))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"fiel": 1},
            "the plan has no setting 'fiel' (did you mean 'file'?); the settings of the plan are "
            "file (text), count (a",
        ),
        ({}, "the plan lacks the setting 'file': it must be text"),
        (
            {"count": -1},
            "the plan: count=-1 is not allowed: it must be a whole number from 0 to 2^63 - 1",
        ),
        ({"count": 10**400}, "is not allowed: it must be a whole number"),
        ({"count": "1"}, "count='1' is not allowed"),
        ({"count": True}, "count=True is not allowed"),
        ({"share": float("nan")}, "share=nan is not allowed: it must be a number from 0 to 1"),
        ({"ties": "draw"}, "ties='draw' is not allowed: it must be win, half or loss"),
        ({"loud": 1}, "loud=1 is not allowed: it must be yes or no"),
        ({"pace": 1}, "pace=1 is not allowed: it must be a table, or none"),
        (
            {"pace": {"second": 1}},
            "has no setting 'pace.second' (did you mean 'seconds'?); the settings of pace are "
            "seconds (a number",
        ),
        (
            {"pace": {"seconds": 0}},
            "pace.seconds=0 is not allowed: it must be a number above 0 and at most 60",
        ),
        (
            {"pace": {"marks": [1.5]}},
            "marks=[1.5] is not allowed: it must be a list, each item a whole number",
        ),
        ({"count": 0, "loud": True}, "the plan: nothing is loud when count is 0"),
    ],
)
def test_wrong_tables(values: dict[str, Any], sentence: str) -> None:
    given = values if not values else {"file": "a", **values}
    with pytest.raises(RiverboatError) as caught:
        checked(Plan, given, "the plan")
    assert sentence in str(caught.value)


def test_wrong_values_raise_the_error_of_their_class() -> None:
    with pytest.raises(
        GameError, match=r"^share=2 is not allowed: it must be a number from 0 to 1$"
    ):
        Plan(file="a", share=2)
    with pytest.raises(RiverboatError, match=r"^seconds=inf is not allowed"):
        Pace(seconds=float("inf"))


def test_text_becomes_settings() -> None:
    plan = read_settings(Plan, "a.txt, count=1_000, SHARE = 0.25, loud=on", "plan")
    assert plan == Plan(file="a.txt", count=1000, share=0.25, loud=True)
    with pytest.raises(GameError, match="plan: share=much is not allowed"):
        read_settings(Plan, "a.txt,share=much", "plan")
    with pytest.raises(GameError, match=r"'b.txt' needs a name, as in name=value; the settings"):
        read_settings(Plan, "a.txt,b.txt", "plan")


def test_settings_are_described() -> None:
    first, _, share, *_ = settings_of(Plan)
    assert (first.required, first.positional, first.text) == (True, True, "the file")
    assert (share.default, share.allowed, share.text) == (0.5, "a number from 0 to 1", "how much")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Annotated[float, Meta(le=5)], "a number of at most 5"),
        (Annotated[float, Meta(lt=5)], "a number below 5"),
        (Annotated[int, Meta(ge=1)], "a whole number of at least 1"),
        (Annotated[int, Meta(ge=1, le=2**62)], "a whole number from 1 to 2^62"),
        (Annotated[float, Meta(ge=0, le=1e9)], "a number from 0 to 1,000,000,000"),
        (Annotated[int, Meta(ge=0, le=1_000_000)], "a whole number from 0 to 1,000,000"),
        (Annotated[float, Meta(gt=0)], "a number above 0"),
        (str | dict[str, Any], "text, or a table"),
        (Literal["one"], "one"),
    ],
)
def test_types_in_words(kind: Any, words: str) -> None:
    assert allowed(kind) == words


def test_values_of_unknown_types_are_left_to_the_class() -> None:
    class Made(Settings, frozen=True):
        maker: object
        other: type[msgspec.Struct]

    assert Made(print, Pace).maker is print


class Curve(Settings, frozen=True):
    """Numbers with None or words as alternatives."""

    power: Annotated[float, Meta(extra={"infinite": True})] = 1.0
    points: tuple[tuple[int, Annotated[float, Meta(ge=0, lt=0.5)]], ...] = ()


def test_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    curve = Curve(np.float32(2), [[np.int64(3), np.float32(0.25)]])  # type: ignore[arg-type]  # NumPy's numbers are numbers
    assert curve == Curve(2.0, ((3, 0.25),))
    assert [type(curve.power), type(curve.points[0][0])] == [float, int]
    for wrong in (np.zeros(2), np.bool_(True)):
        with pytest.raises(RiverboatError, match=r"power=.* is not allowed: it must be a number"):
            Curve(wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_only_what_may_be_infinite_is() -> None:
    assert Curve(math.inf) == checked(Curve, {"power": "inf"}, "curve")
    assert checked(Curve, {"power": "-inf"}, "curve").power == -math.inf
    for wrong in (math.nan, "nan", "infinite"):
        with pytest.raises(RiverboatError, match=r"power=.* is not allowed: it must be a number"):
            Curve(wrong)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(RiverboatError, match="seconds=inf is not allowed"):
        Pace(math.inf)


def test_messages_name_each_part_of_a_pair() -> None:
    sentence = (
        r"points=\(\(1, 0.5\),\) .* a list, each item "
        r"\(a whole number, a number of at least 0 and below 0.5\)"
    )
    with pytest.raises(RiverboatError, match=sentence):
        Curve(points=((1, 0.5),))


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(RiverboatError, match="the curve: 3 is not a table of settings"):
        checked(Curve, 3, "the curve")  # type: ignore[arg-type]  # wrong on purpose


def test_any_value_can_be_shown() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    assert shown(Odd()) == "a value of type Odd"
    assert shown(10**5000) == "a value of type int"
    assert len(shown("x" * 1000)) == 80


@dataclass
class Unread:
    """A type that nobody can look at."""

    size: "Missing"  # type: ignore[name-defined] # noqa: F821 - on purpose


def test_a_text_is_read_without_a_look_at_the_types_beside_it() -> None:
    """A game is its name or a `GameSpec`, which takes longer to look at than to refuse a name."""
    named = Annotated[Unread | str, Meta(description="name or value")]
    assert read_value(named, "leduc") == "leduc"
    with pytest.raises(RiverboatError, match="not allowed"):
        read_value(named, "\ud800")
    with pytest.raises(RiverboatError, match="not allowed"):
        read_value(Annotated[str, Meta(max_length=3)], "leduc")
    assert read_value(Annotated[str, "a note of another library"], "leduc") == "leduc"

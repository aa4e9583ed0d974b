"""Ranges as values: checks, sizes, dead cards, and how they look."""

import copy
import io
import pickle
import re
from dataclasses import FrozenInstanceError
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from rich.console import Console

from riverboat.cards import HOLES, NUM_HOLES, Range, class_text, hole_text, parse_class, parse_hole
from riverboat.errors import CardError, RangeError

# Many equal weights, so that runs form, and floats of every size.
any_weights = arrays(
    np.float64,
    NUM_HOLES,
    elements=st.one_of(
        st.sampled_from([0.0, 1.0, 0.5, -0.0, 5e-324, 1e-05, 1 - 2**-53]), st.floats(0, 1)
    ),
    fill=st.sampled_from([0.0, 1.0, 0.1]),
)
class_level_weights = arrays(
    np.float64, 169, elements=st.sampled_from([0.0, 1.0, 1.0, 0.25]), fill=st.just(0.0)
).map(lambda weights: weights[[parse_class(class_of(hole)) for hole in range(NUM_HOLES)]])


def class_of(hole: int) -> str:
    text = hole_text(hole)
    return text[::2] + ("" if text[0] == text[2] else "s" if text[1] == text[3] else "o")


def printed(shown: Range, width: int = 80) -> list[str]:
    """Lines on a console without colours."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(shown)
    return file.getvalue().splitlines()


@settings(deadline=None)
@given(any_weights | class_level_weights)
def test_text_round_trip_is_exact(weights: NDArray[np.float64]) -> None:
    original = Range.from_weights(weights)
    again = Range.parse(original.to_text())
    assert again == original
    assert hash(again) == hash(original)
    assert again.weights.tobytes() == original.weights.tobytes()
    assert str(again) == original.to_text()


@settings(deadline=None, max_examples=30)
@given(any_weights)
def test_sizes_are_sums(weights: NDArray[np.float64]) -> None:
    shown = Range.from_weights(weights)
    assert shown.num_combos == pytest.approx(sum(weights.tolist()), rel=1e-12)
    assert len(shown) == shown.support == sum(weight > 0 for weight in weights.tolist())


@settings(deadline=None, max_examples=30)
@given(any_weights)
def test_matrix_is_the_mean_of_each_class(weights: NDArray[np.float64]) -> None:
    matrix = Range.from_weights(weights).matrix()
    members: dict[str, list[float]] = {}
    for hole in range(NUM_HOLES):
        members.setdefault(class_of(hole), []).append(float(weights[hole]))
    for index in range(169):
        values = members[class_text(index)]
        assert matrix[divmod(index, 13)] == pytest.approx(sum(values) / len(values), abs=1e-15)


def test_full_and_empty() -> None:
    assert Range.full() == Range.parse("random")
    assert Range.empty() == Range.parse("")
    assert (Range.full().num_combos, len(Range.empty())) == (1326, 0)
    assert (Range.full().matrix() == 1).all()


def test_without_dead_cards() -> None:
    # Three dead cards leave 49, so 49 * 48 / 2 = 1,176 hole pairs.
    board = "Qs7h2h"
    left = Range.full().without(board)
    assert len(left) == 1176
    assert (
        left == Range.full().without([43, "7h", 2]) == Range.full().without(np.array([43, 22, 2]))
    )
    dead = np.isin(HOLES, [43, 22, 2]).any(axis=1)
    assert (left.weights == ~dead).all()
    assert Range.full().without("") == Range.full()
    assert str(Range.parse("AA:0.5").without("Ah")) == "AsAd:0.5, AsAc:0.5, AdAc:0.5"
    with pytest.raises(CardError, match="'1h' is not a card"):
        Range.full().without("1h")


def test_union_and_intersection() -> None:
    one, other = Range.parse("QQ+, AK:0.5"), Range.parse("KK:0.5, AK")
    assert one | other == Range.parse("QQ+, AK")
    assert one & other == Range.parse("KK:0.5, AK:0.5")
    with pytest.raises(TypeError):
        one | 3  # type: ignore[operator]  # wrong on purpose


def test_nothing_can_change_a_range() -> None:
    given_weights = np.ones(NUM_HOLES)
    shown = Range.from_weights(given_weights)
    given_weights[:] = 0
    assert shown == Range.full()
    for fixed in (shown, pickle.loads(pickle.dumps(shown)), copy.deepcopy(shown)):
        assert fixed == Range.full()
        with pytest.raises(ValueError, match="read-only"):
            fixed.weights[0] = 0.5
        with pytest.raises(ValueError, match="WRITEABLE"):
            fixed.weights.flags.writeable = True
        with pytest.raises(FrozenInstanceError):
            fixed.weights = given_weights  # type: ignore[misc]  # read-only on purpose


def test_equality_and_hash() -> None:
    assert Range.parse("AKs") != Range.parse("AKo")
    assert Range.parse("AKs") != "AKs"
    assert len({Range.parse("AKs, AKo"), Range.parse("AK"), Range.parse("AA")}) == 2
    negative_zero = np.where(Range.parse("AA").weights == 0, -0.0, 1.0)
    assert hash(Range.from_weights(negative_zero)) == hash(Range.parse("AA"))


@pytest.mark.parametrize("dtype", [bool, np.int64, np.float32, np.uint8])
def test_any_real_dtype_will_do(dtype: type) -> None:
    assert Range.from_weights(np.ones(NUM_HOLES, dtype=dtype)) == Range.full()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(169), r"weights of shape \(1326,\), not \(169,\)"),
        (np.ones((1326, 1)), r"not \(1326, 1\)"),
        (0.5, r"not \(\)"),
        ([[1], [1, 2]], "not an array of numbers"),
        (["a"] * 1326, "real numbers from 0 to 1, not <U1 values"),
        (np.ones(1326, dtype=complex), "not complex128 values"),
        ([None] * 1326, "not object values"),
    ],
)
def test_bad_arrays(weights: object, message: str) -> None:
    with pytest.raises(RangeError, match=message):
        Range.from_weights(weights)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(RangeError, match=message):
        Range(weights)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("bad", [-0.1, 1.0000001, np.nan, np.inf])
def test_bad_weight_is_named_with_its_hand(bad: float) -> None:
    weights = np.zeros(NUM_HOLES)
    weights[parse_hole("AhKd")] = bad
    with pytest.raises(RangeError, match=rf"the weight of AhKd .* is {bad}: weights are 0 to 1"):
        Range.from_weights(weights)


def test_repr_is_code_while_it_is_short() -> None:
    assert repr(Range.parse("KK+, AK:0.5")) == "Range.parse('KK+, AK:0.5')"
    uneven = Range.from_weights(np.linspace(0, 1, NUM_HOLES))
    assert re.fullmatch(r"<Range of 1325 hole pairs, 663 combos: .*…>", repr(uneven))
    assert len(repr(uneven)) < 150


def test_grid_without_colours_tells_every_weight() -> None:
    lines = printed(Range.parse("QQ+, AKs, AKo:0.5, AJs:0.001, KQs:0.999"))
    assert len(lines) == 14
    assert [line.split()[:4] for line in lines[:3]] == [
        ["AA", "AKs", "·", "AJs01"],
        ["AKo50", "KK", "KQs99", "·"],
        ["·", "·", "QQ", "·"],
    ]
    assert {len(line) for line in lines[:13]} == {77}
    # 18 + 4 + 6 + 0.004 + 3.996 combos.
    assert lines[13] == "32 of 1,326 combos (2.4%); AJs01 is 1% of AJs"


def test_narrow_grid() -> None:
    lines = printed(Range.parse("QQ+, AKs, AKo:0.5"), width=60)
    assert [line.split()[:3] for line in lines[:2]] == [["AA", "AKs", "·"], ["50%", "KK", "·"]]
    assert {len(line) for line in lines[:13]} == {51}
    assert len(printed(Range.full(), width=30)[:13]) == 13


def test_grid_goes_through_an_ascii_stream() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Console(file=stream, width=80, color_system=None).print(Range.parse("AA"))
    stream.flush()
    assert raw.getvalue().decode("ascii").split()[:2] == ["AA", "."]


def test_grid_with_colours_names_every_class() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, color_system="truecolor")
    console.print(Range.parse("QQ+, AKo:0.5"))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue()).split("\n")
    names = [name for line in plain[:13] for name in line.split()]
    assert len(names) == 169
    assert names[:2] + names[13:15] == ["AA", "AKs", "AKo50", "KK"]
    assert file.getvalue() != "\n".join(plain)


class Cells(HTMLParser):
    """Text of each table cell, and whether every tag is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag; its attributes do not matter here."""
        del attrs
        if tag != "br":
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Collect what a cell shows."""
        if "td" in self.open:
            self.cells[-1] += data


def test_html_is_a_whole_table_of_169_cells() -> None:
    html = Range.parse("QQ+, AKs, AKo:0.5")._repr_html_()
    parser = Cells()
    parser.feed(html)
    assert parser.open == []
    assert [re.sub(r"\d+%$", "", cell) for cell in parser.cells] == [*map(class_text, range(169))]
    assert parser.cells[13] == "AKo50%"
    assert "<b>AKs</b>" in html
    assert "<b>AQs</b>" not in html
    assert "title='AKo: 6 of 12 combos'" in html
    assert "28 of 1,326 combos" in html
    assert "http" not in html
    assert len(html) < 20_000

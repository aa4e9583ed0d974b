"""The text of card abstractions: round trips, and sentences that point at the bad token."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.buckets import KINDS, make_abstraction, parse_abstraction
from riverboat.errors import AbstractionError


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lossless", "lossless"),
        ("lossless 4", "lossless"),
        ("  Suitless   2 ", "suitless 2"),
        ("equity-bins 3/4/3/4 recall", "equity-bins 3/4/3/4 recall"),
        ("percentile 169 / 200/ 200 /200", "percentile 169/200/200/200"),
        ("percentile 169 | percentile 20", "percentile 169/20"),
        ("lossless|lossless", "lossless 2"),
        ("lossless | distribution 200|percentile 9 RECALL", None),
        ("semantic", "semantic"),
        ("percentile 169/20 | ochs 30/40", "percentile 169 | percentile 20 | ochs 30 | ochs 40"),
    ],
)
def test_canonical_text(text: str, canonical: str | None) -> None:
    read = parse_abstraction(text)
    assert str(read) == (canonical or "lossless | distribution 200 | percentile 9 recall")
    assert parse_abstraction(str(read)) == read


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[tuple[str, int | None]], bool]:
    """Kind and number of each street, and whether earlier buckets are remembered."""
    names = st.sampled_from(sorted(KINDS))
    streets = []
    for street in range(draw(st.integers(1, 4))):
        kind = KINDS[draw(names)]
        count = draw(st.integers(1, 169 if street == 0 else 65_536)) if kind.counted else None
        streets.append((kind.name, count))
    return streets, draw(st.booleans())


@given(texts())
def test_every_text_reads_back(said: tuple[list[tuple[str, int | None]], bool]) -> None:
    streets, recall = said
    words = [kind if count is None else f"{kind} {count}" for kind, count in streets]
    if len(words) == 1 and streets[0][1] is None:
        words = [f"{words[0]} 1"]  # without a number it is for all streets
    read = parse_abstraction(" | ".join(words) + " recall" * recall)
    assert [(street.kind, street.num_buckets) for street in read.streets] == streets
    assert read.recall == recall
    assert parse_abstraction(str(read)) == read


@given(st.text(st.sampled_from("lose percntil1269/| x-"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(AbstractionError):  # any other error fails
        read = parse_abstraction(text)
        assert parse_abstraction(str(read)) == read


@pytest.mark.parametrize(
    ("text", "reason", "caret"),
    [
        ("", "a kind is missing", 0),
        ("percentiles 5", "it is not a kind", 0),
        ("percentile", "number of preflop buckets must be from 1 to 169", 10),
        ("percentile 200/200", "number of preflop buckets must be from 1 to 169", 11),
        ("percentile 169/0", "number of flop buckets must be from 1 to 65,536", 15),
        ("percentile 169/70000", "number of flop buckets", 15),
        ("percentile 1/2/3/4/5", "four streets", 18),
        ("lossless 5", "number of streets must be from 1 to 4", 9),
        ("lossless 2 2", "the text must end here", 11),
        ("lossless | percentile 2/3/4/5", "four streets", 27),
        ("lossless 2 | percentile 2", "one kind and its numbers", 9),
        ("lossless |", "a kind is missing", 10),
        ("lossless | recall | lossless", "recall must be at the end", 11),
        ("suitless|suitless|suitless|suitless|suitless", "four streets", 35),
    ],
)
def test_errors_point_at_the_token(text: str, reason: str, caret: int) -> None:
    with pytest.raises(AbstractionError) as caught:
        parse_abstraction(text)
    first, shown, carets, allowed = str(caught.value).split("\n")
    assert reason in first
    assert shown == "    " + text
    assert carets.index("^") == 4 + caret
    assert "percentile-squared" in allowed


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(AbstractionError, match=r"has [0-9,]+ buckets: at most"):
        make_abstraction("lossless 3 recall")


def test_every_kind_has_an_example_that_reads() -> None:
    for name, kind in KINDS.items():
        assert str(parse_abstraction(kind.example)) == kind.example
        assert kind.example.startswith(name)
        assert kind.sentence

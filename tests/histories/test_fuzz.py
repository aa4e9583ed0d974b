"""Damaged and random text: only the package's own errors, and `read` raises none at all."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from histories.random_records import random_record
from riverboat.errors import RiverboatError
from riverboat.histories import FORMATS, from_text, read, to_text

# Pieces of the formats, and what programs stumble over.
PIECES = (
    *"\n\r\t\x00 :|/[]{}()'\"\\.,-+#*$€0123456789",
    *("\u2028", "\ud800", "\ufeff", "é", "99999999999999999999", "-1", "1e999", "NaN", "0.001"),
    *("null", "true", "[[[[", "{}", "p1 cbr 5", "p0 f", "d db ????", "sm", "inf", "1_000"),
    *(" and is all-in", "Seat 1: ", ": folds", "*** SUMMARY ***", "collected", "Dealt to "),
    *("r5", "cc/", "STATE:", "\n\n", "Ah", "AhAh", "raises 1 to ", "is the button", "00:00:00"),
)


def mutate(text: str, rng: random.Random) -> str:
    """Some cuts, doublings, swaps and insertions."""
    for _ in range(rng.choice([1, 1, 1, 2, 4, 10])):
        a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        if rng.random() < 0.7:
            b = min(b, a + rng.choice([1, 2, 5, 30]))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:a] + text[b:]
        elif kind == 1:
            text = text[:b] + text[a:b] + text[b:]
        elif kind == 2:
            text = text[:a] + rng.choice(PIECES) + text[b:]
        else:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
    return text


def noise(rng: random.Random) -> str:
    """Random pieces."""
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(60)))


def fuzz(inputs: int, seed: int) -> Counter[str]:
    """Feed inputs to every reader; count what came of them."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    texts = {
        name: [to_text(random_record(i, plain=name == "acpc"), name) for i in range(40)]
        for name in FORMATS
    }
    for i in range(inputs):
        name = FORMATS[i % len(FORMATS)]
        text = noise(rng) if rng.random() < 0.1 else mutate(rng.choice(texts[name]), rng)
        try:
            record = from_text(text, name)
        except RiverboatError as error:
            assert str(error)  # noqa: PT017 - every refusal says something
            seen["refused"] += 1
        else:
            seen["read"] += 1
            if i % 10 == 0:
                check_read(record_text := to_text_if_possible(record, name), name)
                seen["written again"] += record_text is not None
        if i % 20 == 0:
            read("\n" + text, format=rng.choice([name, None]))
    return seen


def to_text_if_possible(record: object, name: str) -> str | None:
    try:
        return to_text(record, name)  # type: ignore[arg-type]
    except RiverboatError:
        return None


def check_read(text: str | None, name: str) -> None:
    """What a reader accepts and a writer writes is a fixed point."""
    if text is not None and name != "acpc":
        assert to_text(from_text(text, name), name) == text


def test_twenty_thousand_inputs() -> None:
    seen = fuzz(20_000, seed=1)
    assert seen["refused"] > 5_000
    assert seen["read"] > 2_000
    assert seen["written again"] > 100


@pytest.mark.slow
def test_a_million_inputs() -> None:
    seen = fuzz(1_000_000, seed=2)
    print(dict(seen))
    assert seen["refused"] + seen["read"] == 1_000_000

"""Damaged and random text: only the package's own errors, and `read` raises none at all."""

from __future__ import annotations

import json
import random
import tomllib
from collections import Counter
from typing import Any

import pytest

from game.random_games import random_catalogue_spec
from histories.random_records import play_out, random_record
from riverboat.errors import RiverboatError
from riverboat.histories import FORMATS, HandRecord, from_text, read, record_of, to_text
from sizes import few_or_many

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


# Values of other types, for the formats that have types.
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    5,
    10**30,
    0.5,
    1e300,
    "",
    "Ah",
    [],
    [1],
    {},
    {"a": 1},
    [[]],
    [{}],
)


def replace_value(value: Any, rng: random.Random) -> Any:
    """Put a value of another type somewhere into a tree."""
    if rng.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return rng.choice(VALUES)
    if isinstance(value, dict):
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: replace_value(value[key], rng)}
    index = rng.randrange(len(value))
    return [*value[:index], replace_value(value[index], rng), *value[index + 1 :]]


def toml_value(value: Any) -> str:
    """Write a value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml_value(v)}" for key, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return "1979-05-27" if value is None else json.dumps(value)


def change_type(name: str, text: str, rng: random.Random) -> str:
    """Change the type of one value of a hand."""
    if name in ("ohh", "lines"):
        return json.dumps(replace_value(json.loads(text), rng))
    changed = replace_value(tomllib.loads(text), rng)
    if not isinstance(changed, dict):
        return toml_value(changed)
    keep = {k: v for k, v in changed.items() if k != "time"}
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in keep.items())


def noise(rng: random.Random) -> str:
    """Random pieces."""
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(60)))


def some_record(name: str, seed: int) -> HandRecord:
    """A record that the format carries; lines are for the catalogue's games."""
    if name != "lines":
        return random_record(seed, plain=name == "acpc")
    rng = random.Random(seed)
    return record_of(play_out(random_catalogue_spec(rng), seed, rng), hand_id=str(seed), unit=100)


def fuzz(inputs: int, seed: int) -> Counter[str]:
    """Feed inputs to every reader; count what came of them."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    texts = {name: [to_text(some_record(name, i), name) for i in range(40)] for name in FORMATS}
    for i in range(inputs):
        name = FORMATS[i % len(FORMATS)]
        text = rng.choice(texts[name])
        if name in ("ohh", "phh", "lines") and rng.random() < 0.4:
            text = change_type(name, text, rng)
        else:
            text = noise(rng) if rng.random() < 0.1 else mutate(text, rng)
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
        return to_text(record, name)  # type: ignore[arg-type]  # a format's name
    except RiverboatError:
        return None


def check_read(text: str | None, name: str) -> None:
    """What a reader accepts and a writer writes is a fixed point."""
    if text is not None and name != "acpc":
        assert to_text(from_text(text, name), name) == text


@pytest.mark.parametrize("count", few_or_many(800, 8000))
def test_thousands_of_inputs(count: int) -> None:
    seen = fuzz(count, seed=1)
    assert seen["refused"] > count / 4
    assert seen["read"] > count / 10
    assert seen["written again"] > count / 200


@pytest.mark.slow
def test_a_million_inputs() -> None:
    seen = fuzz(1_000_000, seed=2)
    print(dict(seen))
    assert seen["refused"] + seen["read"] == 1_000_000

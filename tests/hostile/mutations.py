"""Bad texts without end: good ones spoilt, pieces thrown together, and a few of great length."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

__all__ = ["STONES", "json_texts", "spoilt_values", "texts"]

#: What programs stumble over, whatever they read.
STONES = (
    *"\n\r\t\x00\x1b\x7f \"'\\/|:;,.=-+#%*?$()[]{}<>_~^!@&0123456789abcdefxABKQTcdhs",
    *(
        "\u2028",
        "\ud800",
        "\udfff",
        "\ufeff",
        "\u0661",
        "\u00bd",
        "\uff21",
        "\u202e",
        "é",
        "♥",
        "🂡",
    ),
    *("99999999999999999999", "-1", "1e999", "-1e-999", "NaN", "inf", "0x1f", "1_000", "1" * 150),
    *("null", "true", "[[[[", "]]]]", "{{{{", '"""', "'''", "a.a.a.a", "../", "/etc/passwd", ".py"),
    *("\r\n", "\n\n", "==", "::", ",,", "%s", "{0}", "\\u0000", "\\ud800", "\\"),
)


def texts(samples: Sequence[str], pieces: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Yield so many texts for a parser whose good texts and words are given."""
    random = Random(seed)
    stones = (*STONES, *pieces)
    for number in range(count):
        kind = random.random()
        if number % 500 == 499:
            yield _long(samples, stones, random)
        elif kind < 0.15:
            yield "".join(random.choices(stones, k=random.randrange(40)))
        else:
            yield _spoilt(random.choice(samples), stones, random)


def _spoilt(text: str, stones: Sequence[str], random: Random) -> str:
    """Cut, double, replace, insert and swap in a few places."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        first, last = sorted(random.randrange(len(text) + 1) for _ in range(2))
        if random.random() < 0.8:
            last = min(last, first + random.choice((0, 1, 2, 6, 30)))
        match random.randrange(5):
            case 0:
                text = text[:first] + text[last:]
            case 1:
                text = text[:last] + text[first:last] + text[last:]
            case 2 | 3:
                text = text[:first] + random.choice(stones) + text[last:]
            case _:
                lines = text.split("\n")
                one, other = random.randrange(len(lines)), random.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                text = "\n".join(lines)
    return text


def _long(samples: Sequence[str], stones: Sequence[str], random: Random) -> str:
    """Repeat a word some thousand times within a good text."""
    text, word = random.choice(samples), random.choice(stones)
    at = random.randrange(len(text) + 1)
    return text[:at] + word * random.choice((300, 3_000, 12_000)) + text[at:]


#: Values of all types, for texts that have types.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 5, 2**31, 2**63, 2**64, 10**30, 10**120, 0.5, -0.0, 1e300),
    *("", "Ah", "\x00", "\x1b[2J", "\ud800", "a" * 3_000, "../x", "mine.py", "blueprint:own"),
    *([], [1], [[]], [{}], {}, {"a": 1}, {"": None}, [None], ["x"], [1, "x", None], [0] * 300),
)


def spoilt_values(value: Any, random: Random) -> Any:
    """Put a value of another type somewhere into a tree, or drop or add a key."""
    if random.random() < 0.15 or not isinstance(value, dict | list) or not value:
        deep = random.random() < 0.05
        return _deep(random.choice((20, 150, 400, 3_000))) if deep else random.choice(VALUES)
    if isinstance(value, dict):
        key = random.choice(list(value))
        if random.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        if random.random() < 0.05:
            return {**value, random.choice(("more", "", "\x00", "crc32")): random.choice(VALUES)}
        return {**value, key: spoilt_values(value[key], random)}
    index = random.randrange(len(value))
    return [*value[:index], spoilt_values(value[index], random), *value[index + 1 :]]


class _deep:  # noqa: N801 - a marker that `json_texts` writes out
    """Brackets one in the other: too deep for Python to write."""

    def __init__(self, depth: int) -> None:
        self.text = "[" * depth + "]" * depth


def json_texts(value: Any) -> str:
    """Write a tree as JSON, deep places included."""
    found: list[str] = []

    def placed(deep: Any) -> str:
        found.append(deep.text)
        return f"@deep{len(found) - 1}@"

    text = json.dumps(value, default=placed)
    for index, deep in enumerate(found):
        text = text.replace(f'"@deep{index}@"', deep)
    return text

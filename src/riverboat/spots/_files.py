"""The text of a spot: TOML, or lines of `key = value`.

Both have the same keys: the fields of `Spot`. In place of `menu` a text may give bet sizes by
street and player, and fractions in place of percentages, as in postflop-solver:

====================================  =======================================================
`turn_bet`, `turn_raise`              sizes of the first bet and of raises (`none` or empty: no
                                      bet); also `flop_`, `river_`
`turn_bet_oop`, `turn_raise_ip`       the sizes of one player
`turn_donk`                           donk sizes
`add_allin`, `force_allin`,           `add`, `force .. called` and `near` of the menu
`merging`
`rake`                                fraction of the pot, in place of `rake_percent`
====================================  =======================================================

Keys of streets before the spot's street are ignored.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from riverboat.cards import BOARD_CARDS, STREETS, parse_cards
from riverboat.errors import RiverboatError, SpotError, did_you_mean
from riverboat.files import read_text, toml_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

_MOST_BYTES = 300_000
_SIDES = ("_oop", "_ip", "")
_SIZES = tuple(
    f"{street}_{kind}"
    for street in STREETS[1:]
    for kind in (*(f"{act}{side}" for act in ("bet", "raise") for side in _SIDES), "donk")
)
_RULES = {"add_allin": "add {}%", "merging": "near {}%", "force_allin": "force {}% called"}
#: JSON schemas of keys that replace `menu` and `rake_percent`.
OTHER_KEYS: Final[dict[str, Any]] = {
    **{name: {"type": "string", "description": "bet sizes, in place of menu"} for name in _SIZES},
    **{name: {"type": "number", "description": f"menu: {rule}"} for name, rule in _RULES.items()},
    "rake": {"type": "number", "description": "fraction of the pot, in place of rake_percent"},
}
_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_LISTS = ("added", "removed")


def parse_values(text: str) -> dict[str, Any]:
    """Read the keys of a text: valid TOML, or lines of `key = value`."""
    try:
        return toml_values(text)
    except SpotError:
        return lines_values(text)


def read_values(path: Path) -> dict[str, Any]:
    """Read a file's keys: TOML if its name ends in `.toml`, else lines of `key = value`."""
    text = read_text(path, f"the spot {str(path)!r}", SpotError, _MOST_BYTES)
    return toml_values(text) if path.suffix.lower() == ".toml" else lines_values(text)


def toml_values(text: str) -> dict[str, Any]:
    """Return the keys of a TOML text."""
    return toml_table(text, "the spot", SpotError)


def lines_values(text: str) -> dict[str, Any]:
    """Return the keys of lines `key = value`; `#` begins a comment, quotes are optional."""
    _check_length(text)
    values: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        key, equals, value = content.partition("=")
        if not equals:
            raise SpotError(f"line {number} of the spot is not key = value: {content[:60]!r}")
        if key.strip() in values:
            raise SpotError(f"line {number} of the spot repeats the key {key.strip()[:60]!r}")
        values[key.strip()] = _read(key.strip(), value.strip().strip("\"'"))
    return values


def _check_length(text: str) -> None:
    if len(text) > _MOST_BYTES:
        raise SpotError(
            f"the text of a spot may have at most {_MOST_BYTES:,} characters, not {len(text):,}"
        )


def _read(key: str, word: str) -> Any:
    """Parse a value: a number or list if the key has that type, else text."""
    if key in _LISTS:
        return word.replace(",", " ").split()
    if key in ("stack", "bet_sizes") and "," in word:
        return [_number(part.strip()) for part in word.split(",")]
    if key == "bet_sizes":
        return [_number(word)]
    if key in ("board", "oop", "ip", "menu", "betting", "deck") or key in _SIZES:
        return word
    return _number(word)


def _number(word: str) -> Any:
    """Parse a number; other text is returned unchanged, and `Spot` rejects it."""
    if _WHOLE.fullmatch(word):
        return int(word)
    try:
        return float(word)
    except ValueError:
        return word


def field_values(values: Mapping[str, Any], fields: Collection[str], where: str) -> dict[str, Any]:
    """Return the values of a spot's fields; bet sizes by street become its menu."""
    known = (*fields, *_SIZES, *_RULES, "rake")
    for name in values:
        if name not in known:
            near = did_you_mean(name, known)
            raise SpotError(f"{where} has no setting {str(name)[:60]!r}{near}")
    own = {name: value for name, value in values.items() if name in fields}
    if "rake" in values:
        _only_one(own, "rake_percent", "rake", where)
        own["rake_percent"] = float(_percent(values["rake"], "rake", where))
    if any(name in values for name in (*_SIZES, *_RULES)):
        _only_one(own, "menu", "sizes by street", where)
        own["menu"] = _menu_text(values, where)
    return own


def _only_one(own: Mapping[str, Any], name: str, other: str, where: str) -> None:
    if name in own:
        raise SpotError(f"{where} has both {name} and {other}: give only one of them")


def _menu_text(values: Mapping[str, Any], where: str) -> str:
    """Build the bet menu from the bet sizes by street."""
    try:
        begin = BOARD_CARDS.index(len(parse_cards(str(values.get("board", "")))))
    except (ValueError, RiverboatError):  # `Spot` reports what is wrong with the board
        begin = 1
    streets = " / ".join(" ; ".join(_street(values, street)) for street in STREETS[max(1, begin) :])
    rules = (
        text.format(_percent(values[name], name, where))
        for name, text in _RULES.items()
        if values.get(name)
    )
    return " ; ".join((streets, *rules))


def _street(values: Mapping[str, Any], street: str) -> Iterator[str]:
    """Yield the menu parts of one street."""

    def sizes(kind: str, side: str) -> str:
        both = values.get(f"{street}_{kind}", "")
        return str(values.get(f"{street}_{kind}_{side}", both)).strip() or "none"

    yield f"{sizes('bet', 'oop')} | {sizes('raise', 'oop')}"
    yield f"ip {sizes('bet', 'ip')} | {sizes('raise', 'ip')}"
    if f"{street}_donk" in values:
        yield f"donk {str(values[f'{street}_donk']).strip() or 'none'}"


def _percent(share: object, name: str, where: str) -> str:
    """Turn a fraction into percent, as text without an exponent."""
    try:
        number = Decimal(str(share)) * 100
        if not 0 <= number <= 10**6:
            raise InvalidOperation
    except InvalidOperation:
        raise SpotError(f"{where}: {name}={share!r:.60} is not a fraction such as 0.15") from None
    return f"{number.normalize():f}"


def toml_text(values: Mapping[str, Any]) -> str:
    """Write texts, numbers and lists as TOML, one key per line."""
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

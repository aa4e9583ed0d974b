"""What the arena and a bot in another process say to each other.

Messages are msgpack lists, the first item says what they are:

| arena to bot | bot to arena |
| --- | --- |
| `hello`, bot, seed, memory limit | `ready`, learns, has hand_started, has hand_over |
| `game`, the spec as a map | (nothing) |
| `act`, view | `move`, text |
| `hand_started` or `hand_over`, view | `done` |

Instead of an answer the bot's side may send `failed`, kind, sentence. A view is the list of the
fields of `View` without its spec.
"""

from dataclasses import asdict
from typing import Any

import msgspec

from riverboat.game import GameSpec, LegalActions, View

__all__ = ["decode_spec", "decode_view", "encode_spec", "encode_view"]


class WireLegal(msgspec.Struct, array_like=True, frozen=True):
    """`LegalActions` as a list."""

    fold: bool
    check: bool
    call: int | None
    raise_to: tuple[int, int] | None
    stand: bool
    discards: tuple[int, ...]


class WireView(msgspec.Struct, array_like=True, frozen=True):
    """`View` without its spec, as a list."""

    seat: int
    button: int
    actor: int | None
    street: int
    hole: tuple[int, ...]
    discarded: tuple[int, ...]
    board: tuple[int, ...]
    line: str
    live: tuple[int, ...]
    stacks: tuple[int, ...]
    starting_stacks: tuple[int, ...]
    bets: tuple[int, ...]
    pot: int
    to_call: int
    legal: WireLegal
    finished: bool
    shown: tuple[tuple[int, ...], ...]
    payoffs: tuple[int, ...] | None


def encode_view(view: View) -> list[Any]:
    """Return the fields of a view but for its spec."""
    fields: list[Any] = [getattr(view, name) for name in WireView.__struct_fields__]
    place = WireView.__struct_fields__.index("legal")
    fields[place] = msgspec.structs.astuple(view.legal)
    return fields


def decode_view(spec: GameSpec, fields: object) -> View:
    """Make the view again.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("leduc"), seed=1).view(0)
    >>> decode_view(view.spec, encode_view(view)) == view
    True
    """
    wire = msgspec.convert(fields, WireView)
    values = [getattr(wire, name) for name in WireView.__struct_fields__]
    place = WireView.__struct_fields__.index("legal")
    values[place] = LegalActions(*msgspec.structs.astuple(wire.legal))
    return View(spec, *values)


def encode_spec(spec: GameSpec) -> dict[str, Any]:
    """Return a game as a map."""
    return asdict(spec)


def decode_spec(values: object) -> GameSpec:
    """Make the game again.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> spec = catalogue("discard-2017")
    >>> decode_spec(encode_spec(spec)) == spec
    True
    """
    return msgspec.convert(values, GameSpec)

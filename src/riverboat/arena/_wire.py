"""What the arena and a bot in another process say to each other.

Messages are msgpack lists, the first item says what they are:

| arena to bot | bot to arena |
| --- | --- |
| `hello`, bot, seed, memory limit | `ready`, learns, has hand_started, has hand_over |
| `game`, the spec as a map | (nothing) |
| `act`, view | `move`, text |
| `hand_started` or `hand_over`, view | `done` |

Instead of an answer the bot's side may send `failed`, kind, sentence. A view is the map of the
fields of `View` without its spec; with `act` it says the seconds left.
"""

from dataclasses import asdict
from typing import Any

import msgspec

from riverboat.game import GameSpec, View

__all__ = ["decode_spec", "decode_view", "encode_spec", "encode_view"]


def encode_view(view: View) -> dict[str, Any]:
    """Return the fields of a view but for its spec, which is sent once a match."""
    fields = msgspec.structs.asdict(view)
    del fields["spec"]
    return fields


def decode_view(spec: GameSpec, fields: dict[str, Any]) -> View:
    """Make the view again.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("leduc"), seed=1).view(0)
    >>> sent = msgspec.msgpack.encode(encode_view(view))
    >>> decode_view(view.spec, msgspec.msgpack.decode(sent)) == view
    True
    """
    return msgspec.convert({**fields, "spec": spec}, View)


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

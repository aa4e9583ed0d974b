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
from typing import Any, Final

import msgspec

from riverboat.game import GameSpec, LegalActions, View

__all__ = ["decode_spec", "decode_view", "encode_spec", "encode_view"]


def _listed(kind: type[msgspec.Struct], **changes: Any) -> type[msgspec.Struct]:
    """Return a struct that is read from the list of another's fields, its spec left out."""
    fields = [
        (field.name, changes.get(field.name, field.type))
        for field in msgspec.structs.fields(kind)
        if field.name != "spec"  # sent once a match
    ]
    return msgspec.defstruct(f"Wire{kind.__name__}", fields, array_like=True, frozen=True)


_WireLegal: Final = _listed(LegalActions)
_WireView: Final = _listed(View, legal=_WireLegal)
_LEGAL: Final = _WireView.__struct_fields__.index("legal")


def encode_view(view: View) -> list[Any]:
    """Return the fields of a view but for its spec."""
    fields: list[Any] = list(msgspec.structs.astuple(view)[1:])
    fields[_LEGAL] = msgspec.structs.astuple(view.legal)
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
    values = list(msgspec.structs.astuple(msgspec.convert(fields, _WireView)))
    values[_LEGAL] = LegalActions(*msgspec.structs.astuple(values[_LEGAL]))
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

"""What the arena and a bot in another process say to each other.

Messages are msgpack lists, the first item says what they are:

| arena to bot | bot to arena |
| --- | --- |
| (nothing) | `started`, what the sandbox lacks |
| `hello`, bot, seed, memory limit | `ready`, learns, has hand_started, has hand_over |
| `act`, view, game | `move`, text |
| `hand_started` or `hand_over`, view, game | `done` |

Instead of an answer the bot's side may send `failed`, kind, sentence. A view is the map of the
fields of `View` without its spec; with `act` it says the seconds left. The game is a map where it
is another than before, else nothing. Every question has one answer: the bot's side never sends
anything else.
"""

from dataclasses import asdict
from typing import Any, Literal

import msgspec

from riverboat.game import GameSpec, View


class _Message(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=str.lower
):
    """Base of what a bot's side says: a list whose first item is the kind."""


class Started(_Message, frozen=True):
    """Our own code runs in the bot's process, and none of the bot's yet."""

    missing: str


class Ready(_Message, frozen=True):
    """The bot is made."""

    learns: bool
    hand_started: bool
    hand_over: bool


class Move(_Message, frozen=True):
    """What it does."""

    text: str


class Done(_Message, frozen=True):
    """It has heard of a hand's beginning or end."""


class Failed(_Message, frozen=True):
    """It has no answer."""

    kind: Literal["raised", "memory"]
    sentence: str


Answer = Started | Ready | Move | Done | Failed

_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def decode_answer(data: bytes) -> Answer:
    """Read what a bot's process sent, which may be anything.

    Raises
    ------
    msgspec.MsgspecError
        If it is no answer.

    Examples
    --------
    >>> decode_answer(msgspec.msgpack.encode(["move", "b30"]))
    Move(text='b30')
    """
    return _answers.decode(data)


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

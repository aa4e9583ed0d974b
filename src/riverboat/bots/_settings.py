"""Settings of bots: frozen values that know their bounds, and can be read from text.

>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> @dataclass(frozen=True, kw_only=True)
... class Taste(Settings):
...     high: Annotated[float, number("raises above this win rate")] = 0.6
>>> Taste.read("taste", "high=0.7")
Taste(high=0.7)
>>> Taste(high=2)
Traceback (most recent call last):
riverboat.errors.GameError: high=2 is not possible: it is a number from 0 to 1
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_type_hints

from riverboat.errors import GameError

__all__ = ["Meaning", "Parameter", "Settings", "choice", "number", "switch", "whole", "words"]

Kind = Literal["number", "whole number", "choice", "yes or no", "text"]
_TRUTHS = {"yes": True, "true": True, "on": True, "1": True} | dict.fromkeys(
    ("no", "false", "off", "0"), False
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a setting does and which values it may have; written into its type by `Annotated`.

    Attributes
    ----------
    kind
        What its values are.
    text
        What it does in a few words.
    least, most
        Bounds of numbers.
    choices
        The words that a choice allows.
    positional
        Whether it may be given without its name, as the file in `blueprint:FILE`.
    """

    kind: Kind
    text: str
    least: float = 0
    most: float = 0
    choices: tuple[str, ...] = ()
    positional: bool = False

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""
        match self.kind:
            case "number" | "whole number":
                return f"a {self.kind} from {self.least:,} to {self.most:,}"
            case "choice":
                return ", ".join(self.choices[:-1]) + " or " + self.choices[-1]
            case _:
                return self.kind


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a bot: its name, its default (the source's value) and its meaning."""

    name: str
    default: Any
    meaning: Meaning

    def check(self, value: object) -> None:
        """Refuse a value that it may not have."""
        match self.meaning.kind:
            case "number":
                good = (
                    isinstance(value, int | float)
                    and self.meaning.least <= value <= self.meaning.most
                )
            case "whole number":
                good = isinstance(value, int) and self.meaning.least <= value <= self.meaning.most
            case "choice":
                good = value in self.meaning.choices
            case "yes or no":
                good = isinstance(value, bool)
            case _:
                good = isinstance(value, str)
        if not good or (isinstance(value, bool) and self.meaning.kind != "yes or no"):
            raise self.refusal(value)

    def read(self, text: str) -> Any:
        """Return the value that the text stands for."""
        word = text.strip()
        try:
            value = self._value(word)
        except (KeyError, ValueError):
            raise self.refusal(word) from None
        self.check(value)
        return value

    def _value(self, word: str) -> Any:
        match self.meaning.kind:
            case "number":
                return float(word)
            case "whole number":
                return int(word.replace("_", ""))
            case "yes or no":
                return _TRUTHS[word.lower()]
            case _:
                return word

    def refusal(self, value: object) -> GameError:
        """The sentence for a value that it may not have."""
        return GameError(f"{self.name}={value} is not possible: it is {self.meaning.allowed}")


def number(text: str, least: float = 0, most: float = 1) -> Meaning:
    """Declare a setting that is a number between bounds."""
    return Meaning("number", text, least=least, most=most)


def whole(text: str, least: int = 0, most: int = 1_000_000) -> Meaning:
    """Declare a setting that is a whole number between bounds."""
    return Meaning("whole number", text, least=least, most=most)


def choice(text: str, choices: Sequence[str]) -> Meaning:
    """Declare a setting that is one of some words."""
    return Meaning("choice", text, choices=tuple(choices))


def switch(text: str) -> Meaning:
    """Declare a setting that is yes or no."""
    return Meaning("yes or no", text)


def words(text: str, *, positional: bool = False) -> Meaning:
    """Declare a setting that is any text, such as a file."""
    return Meaning("text", text, positional=positional)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Base of all settings; its own has nothing to set."""

    def __post_init__(self) -> None:
        """Refuse values outside their bounds."""
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise parameter.refusal(value)
            parameter.check(value)

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return what can be set, in order."""
        hints = get_type_hints(cls, include_extras=True)
        return tuple(
            Parameter(entry.name, entry.default, meaning)
            for entry in fields(cls)
            for meaning in getattr(hints[entry.name], "__metadata__", ())
            if isinstance(meaning, Meaning)
        )

    @classmethod
    def read(cls, owner: str, text: str) -> Self:
        """Return the settings of text such as `low=0.1,high=0.6`; `owner` is for sentences."""
        known = {parameter.name: parameter for parameter in cls.parameters()}
        values: dict[str, Any] = {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            name, equals, value = part.partition("=")
            name = name.strip().lower().replace("-", "_")
            if not equals:
                name, value = _positional(owner, part, known, values), part
            if name not in known:
                raise GameError(f"{owner} has no setting {name!r}: {_list(known)}")
            values[name] = known[name].read(value)
        return cls(**values)


def _positional(owner: str, part: str, known: dict[str, Parameter], values: dict[str, Any]) -> str:
    for name, parameter in known.items():
        if parameter.meaning.positional and name not in values:
            return name
    raise GameError(f"{part!r} is no setting of {owner}, write name=value: {_list(known)}")


def _list(known: dict[str, Parameter]) -> str:
    if not known:
        return "it has none"
    return "it has " + ", ".join(f"{name} ({p.meaning.allowed})" for name, p in known.items())

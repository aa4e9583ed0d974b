"""Settings of all kinds, checked by one path: msgspec types, and sentences for what is wrong.

A class of settings says what each may be and what it does. Values come from Python, from a
table (a recipe) or from text (a bot); a wrong one is refused with the same sentence.

>>> from typing import Annotated
>>> class Taste(Settings, frozen=True):
...     high: Annotated[float, meaning("raises above this win rate", 0, 1)] = 0.6
>>> checked(Taste, {"high": 0.7}, "taste")
Taste(high=0.7)
>>> checked(Taste, {"hihg": 0.7}, "taste")
Traceback (most recent call last):
riverboat.errors.RiverboatError: taste has no setting 'hihg' (did you mean 'high'?): it has \
high (a number from 0 to 1)
>>> Taste(high=2)
Traceback (most recent call last):
riverboat.errors.RiverboatError: high=2 is not possible: it is a number from 0 to 1
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import msgspec

from riverboat.errors import RiverboatError, did_you_mean

_LONGEST = 80

_TRUTHS = {"yes": True, "true": True, "on": True, "1": True} | dict.fromkeys(
    ("no", "false", "off", "0"), False
)
_PLAIN = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "text",
    NoneType: "none",
}


def shown(value: object, longest: int = _LONGEST) -> str:
    """Return a value as a sentence shows it: short, whatever its `__repr__` does.

    Examples
    --------
    >>> shown("min"), len(shown(10**400))
    ("'min'", 80)
    """
    try:
        text = repr(value)
    except Exception:  # anybody's code, and integers of 5,000 digits
        text = f"a value of type {type(value).__name__}"
    return _cut(text, longest)


def meaning(
    text: str, least: float | None = None, most: float | None = None, *, positional: bool = False
) -> msgspec.Meta:
    """Say what a setting does, for `Annotated`, and the bounds of a number.

    Parameters
    ----------
    text
        What it does, in a few words.
    least, most
        Bounds, themselves allowed.
    positional
        Whether text may give it without its name, as the file in `blueprint:FILE`.

    Examples
    --------
    >>> meaning("raises above this win rate", 0, 1)
    msgspec.Meta(ge=0, le=1, description='raises above this win rate')
    """
    extra = {"positional": True} if positional else None
    return msgspec.Meta(ge=least, le=most, description=text, extra=extra)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all settings; values that its fields do not allow are refused with a sentence.

    What is allowed is kept as its field's type: numbers of NumPy as plain ones, lists as tuples.

    Fields that msgspec cannot check, such as functions, are left to the class.
    """

    error: ClassVar[type[RiverboatError]] = RiverboatError
    """What wrong values raise."""

    def __post_init__(self) -> None:
        """Refuse what the fields do not allow, and keep the rest as their types."""
        for setting in settings_of(type(self)):
            given = getattr(self, setting.name)
            if given is not setting.default:
                found = _Context().value(setting, given, type(self).error)
                msgspec.structs.force_setattr(self, setting.name, found)


_Kind = TypeVar("_Kind", bound=Settings)


class Setting(msgspec.Struct, frozen=True):
    """One setting: its name, its default, and what its type says of it."""

    name: str
    default: Any
    type: Any
    text: str
    """What it does, in a few words."""
    positional: bool
    """Whether text may give it without its name, as the file in `blueprint:FILE`."""
    infinite: bool
    """Whether it may be infinite, which tables write as text: `inf` or `-inf`."""

    @classmethod
    def of(cls, name: str, default: Any, kind: Any) -> "Setting":
        """Read what a type says of a setting; a part of a union may say it, too."""
        parts = [kind, *get_args(kind)]
        metas = [m for part in parts for m in get_args(part)[1:] if isinstance(m, msgspec.Meta)]
        text = next((meta.description for meta in metas if meta.description), "")
        marks = {word for meta in metas for word, set_ in (meta.extra or {}).items() if set_}
        return cls(name, default, kind, text, "positional" in marks, "infinite" in marks)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is msgspec.NODEFAULT

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""
        return allowed(self.type)


@lru_cache(maxsize=256)
def settings_of(kind: type[msgspec.Struct]) -> tuple[Setting, ...]:
    """Return what can be set, in order.

    Examples
    --------
    >>> settings_of(Setting)[0].name
    'name'
    """
    return tuple(
        Setting.of(field.name, _default(field), field.type)
        for field in msgspec.structs.fields(kind)
    )


def checked(
    kind: type[_Kind],
    values: Mapping[str, Any],
    where: str,
    *,
    show: Callable[[object], str] = shown,
) -> _Kind:
    """Make settings from a table of values, tables within it included.

    Parameters
    ----------
    kind
        Class of the settings.
    values
        By name.
    where
        What they belong to, for sentences: `the recipe 'mine.toml'`.
    show
        How sentences write a value.

    Raises
    ------
    RiverboatError
        The error of `kind`, with the name, the value and what is allowed.

    Examples
    --------
    >>> checked(Settings, {"high": 1}, "fish")
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: fish has no setting 'high': it has none
    """
    return _Context(where, show=show).make(kind, values)


def read_settings(kind: type[_Kind], text: str, where: str) -> _Kind:
    """Make settings from text such as `low=0.1,high=0.6`.

    Examples
    --------
    >>> read_settings(Settings, "", "fish")
    Settings()
    """
    known = {setting.name: setting for setting in settings_of(kind)}
    values: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, word = part.partition("=")
        name = name.strip().lower().replace("-", "_")
        if not equals:
            name, word = _positional(kind, part, where, values), part
        values[name] = _read(known[name].type, word.strip()) if name in known else word
    return checked(kind, values, where, show=_cut)


def read_value(kind: Any, word: str) -> Any:
    """Return the value of a type that a word stands for.

    Raises
    ------
    RiverboatError
        If the type does not allow it, with what is allowed.

    Examples
    --------
    >>> read_value(Annotated[int, msgspec.Meta(ge=2, le=9)], "6")
    6
    """
    setting = Setting.of("", msgspec.NODEFAULT, kind)
    try:
        return _Context(show=_cut).value(setting, _read(kind, word), RiverboatError)
    except RiverboatError:
        sentence = f"{_cut(word)!r} is not possible: it is {allowed(kind)}"
        raise RiverboatError(sentence) from None


def _cut(value: object, longest: int = _LONGEST) -> str:
    """A value as it was typed, but not a page of it."""
    text = str(value)
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."


def allowed(kind: Any) -> str:
    """Return in words what a type allows.

    Examples
    --------
    >>> allowed(Literal["win", "loss"]), allowed(Annotated[int, msgspec.Meta(ge=1)] | None)
    ('win or loss', 'a whole number from 1 on, or none')
    """
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *metas = get_args(kind)
        return allowed(inner) + "".join(map(_bounds, metas))
    if origin is Literal:
        return _either([str(word) for word in get_args(kind)], " or ")
    if origin in (Union, UnionType):
        return _either([allowed(each) for each in get_args(kind)], ", or ")
    if origin is tuple and get_args(kind)[-1] is not ...:
        return f"({', '.join(map(allowed, get_args(kind)))})"
    if origin in (tuple, list, Sequence):
        return f"a list, each {allowed(get_args(kind)[0])}"
    return _PLAIN.get(kind) or "a table"


class _Context(NamedTuple):
    """Where values stand: what they belong to, the table within it, and how they are written."""

    where: str = ""
    path: str = ""
    show: Callable[[object], str] = shown

    def make(self, kind: type[_Kind], values: Mapping[str, Any]) -> _Kind:
        """Make settings, and the tables within them."""
        if not isinstance(values, Mapping):
            raise kind.error(f"{self.where}: {self.show(values)} is no table of settings")
        self._check_names(kind, values)
        known = {setting.name: setting for setting in settings_of(kind)}
        found = {}
        for name, value in values.items():
            table = table_of(known[name].type) if isinstance(value, Mapping) else None
            if table is None:
                found[name] = self.value(known[name], value, kind.error)
            else:
                found[name] = self._replace(path=f"{self.path}{name}.").make(table, value)
        try:
            return kind(**found)
        except RiverboatError as error:  # of several settings together
            raise kind.error(f"{self.where}: {error}") from error

    def _check_names(self, kind: type[Settings], values: Mapping[str, Any]) -> None:
        known = settings_of(kind)
        for name in values:
            if name not in [setting.name for setting in known]:
                owner = self.path[:-1] or "it"
                near = did_you_mean(name, [setting.name for setting in known])
                wrong = self._has(name, "has no") + near
                raise kind.error(f"{wrong}: {owner} has {_listed(kind)}")
        for setting in known:
            if setting.required and setting.name not in values:
                raise kind.error(f"{self._has(setting.name, 'lacks the')}: it is {setting.allowed}")

    def _has(self, name: str, verb: str) -> str:
        return f"{self.where} {verb} setting {shown(f'{self.path}{name}')}"

    def value(self, setting: Setting, value: Any, error: type[RiverboatError]) -> Any:
        """Return a value as its setting's type; refuse one that it may not have."""
        infinite = setting.infinite and isinstance(value, str) and value in {"inf", "-inf"}
        try:
            found = msgspec.convert(float(value) if infinite else _plain(value), setting.type)
        except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: half a letter
            found = math.nan
        except TypeError:  # a type that msgspec does not know
            return value
        if isinstance(found, float) and (
            math.isnan(found) if setting.infinite else not math.isfinite(found)
        ):
            place = f"{self.where}: {self.path}" if self.where else ""
            text = f"{place}{setting.name}={self.show(value)}"
            raise error(f"{text} is not possible: it is {setting.allowed}")
        return found


def _plain(value: Any) -> Any:
    """A value with plain numbers in place of NumPy's, in lists too."""
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    return value.item() if getattr(value, "shape", None) == () else value


def _default(field: Any) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def table_of(kind: Any) -> type[Settings] | None:
    """The settings that a type allows, if it does."""
    if get_origin(kind) is Annotated:
        return table_of(get_args(kind)[0])
    choices = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return next(
        (each for each in choices if isinstance(each, type) and issubclass(each, Settings)), None
    )


def _read(kind: Any, word: str) -> object:
    """The value that a word stands for; the word itself where it stands for none."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        return next((each for each in get_args(kind) if str(each) == word), word)
    if get_origin(kind) in (Union, UnionType):
        found = [_read(each, word) for each in get_args(kind) if each is not NoneType]
        return next((value for value in found if not isinstance(value, str)), word)
    if get_origin(kind) is tuple and "," in word:
        return [_read(get_args(kind)[0], part.strip()) for part in word.split(",")]
    try:
        if kind is int:
            return int(word.replace("_", ""))
        if kind is float:
            return float(word)
    except ValueError:
        return word
    return _TRUTHS.get(word.lower(), word) if kind is bool else word


def _positional(kind: type[Settings], part: str, where: str, values: Mapping[str, object]) -> str:
    for setting in settings_of(kind):
        if setting.positional and setting.name not in values:
            return setting.name
    raise kind.error(
        f"{shown(part)} is no setting of {where}, write name=value: it has {_listed(kind)}"
    )


def _listed(kind: type[Settings]) -> str:
    return ", ".join(f"{each.name} ({each.allowed})" for each in settings_of(kind)) or "none"


def _either(words: list[str], last: str) -> str:
    return ", ".join(words[:-1]) + last + words[-1] if len(words) > 1 else words[0]


def _bounds(meta: object) -> str:
    """The bounds of a number, in words."""
    if not isinstance(meta, msgspec.Meta):
        return ""
    if meta.ge is not None:
        below = "on" if meta.lt is None else f"to below {_figure(meta.lt)}"
        end = below if meta.le is None else f"to {_figure(meta.le)}"
        return f" from {_figure(meta.ge)} {end}"
    above = "" if meta.gt is None else f" above {_figure(meta.gt)}"
    comma = "," if above else ""
    return above if meta.le is None else f"{above}{comma} up to {_figure(meta.le)}"


def _figure(number: float) -> str:
    """A number with commas; large powers of two as such."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 1e15:
        number = int(number)  # 1,000,000,000 and not 1,000,000,000.0
    for less, text in ((0, ""), (1, " - 1")):
        power = math.frexp(number + less)[1] - 1
        if isinstance(number, int) and power > 50 and number + less == 2**power:
            return f"2^{power}{text}"
    return f"{number:,}"

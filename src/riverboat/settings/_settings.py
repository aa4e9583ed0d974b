"""Settings with typed, checked values; msgspec types, and one style of error messages.

A settings class defines the type, bounds, default and meaning of each setting. Values come from
Python, from a table (a recipe) or from text (a bot); a wrong value raises the same error message
in all three cases.

>>> from typing import Annotated
>>> class Taste(Settings, frozen=True):
...     high: Annotated[float, meaning("raises above this win rate", 0, 1)] = 0.6
>>> checked(Taste, {"high": 0.7}, "taste")
Taste(high=0.7)
>>> checked(Taste, {"hihg": 0.7}, "taste")
Traceback (most recent call last):
riverboat.errors.RiverboatError: taste has no setting 'hihg' (did you mean 'high'?); the settings \
of taste are high (a number from 0 to 1)
>>> Taste(high=2)
Traceback (most recent call last):
riverboat.errors.RiverboatError: high=2 is not allowed: it must be a number from 0 to 1
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
    """Return a value as an error message shows it: short, even if its `__repr__` fails.

    Examples
    --------
    >>> shown("min"), shown(12345678, longest=8), shown(123456789, longest=8)
    ("'min'", '12345678', '1234 ...')
    """
    try:
        text = repr(value)
    except Exception:  # a faulty __repr__, or an integer of more than 4,300 digits
        text = f"a value of type {type(value).__name__}"
    return _cut(text, longest)


def meaning(
    text: str, least: float | None = None, most: float | None = None, *, positional: bool = False
) -> msgspec.Meta:
    """Describe a setting, for `Annotated`: its meaning, and the bounds of a number.

    Parameters
    ----------
    text
        The meaning, in at most twelve words.
    least, most
        Bounds, both inclusive.
    positional
        Whether the name may be left out in text, as in `blueprint:FILE`.

    Examples
    --------
    >>> meaning("raises above this win rate", 0, 1)
    msgspec.Meta(ge=0, le=1, description='raises above this win rate')
    """
    extra = {"positional": True} if positional else None
    return msgspec.Meta(ge=least, le=most, description=text, extra=extra)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of all settings: refuses values that the types of its fields do not allow.

    Allowed values are converted to the type of their field: NumPy numbers to plain ones, lists to
    tuples. A subclass checks fields that msgspec cannot check itself, such as functions.
    """

    error: ClassVar[type[RiverboatError]] = RiverboatError
    """Class of the error that a wrong value raises."""

    def __post_init__(self) -> None:
        """Check all values and convert them to the types of their fields."""
        for setting in settings_of(type(self)):
            given = getattr(self, setting.name)
            if given is not setting.default:
                value = _Context().value(setting, given, type(self).error)
                msgspec.structs.force_setattr(self, setting.name, value)


_Kind = TypeVar("_Kind", bound=Settings)


class Setting(msgspec.Struct, frozen=True):
    """One setting: its name, default, type and meaning."""

    name: str
    default: Any
    type: Any
    text: str
    """The meaning, in at most twelve words."""
    positional: bool
    """Whether the name may be left out in text, as in `blueprint:FILE`."""
    infinite: bool
    """Whether the value may be infinite; tables write that as the text `inf` or `-inf`."""

    @classmethod
    def of(cls, name: str, default: Any, kind: Any) -> "Setting":
        """Read the annotations of a type, and of the members of a union."""
        parts = [kind, *get_args(kind)]
        metas = [m for part in parts for m in get_args(part)[1:] if isinstance(m, msgspec.Meta)]
        text = next((meta.description for meta in metas if meta.description), "")
        marks = {word for meta in metas for word, set_ in (meta.extra or {}).items() if set_}
        return cls(name, default, kind, text, "positional" in marks, "infinite" in marks)

    @property
    def required(self) -> bool:
        """Whether the setting has no default."""
        return self.default is msgspec.NODEFAULT

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        return allowed(self.type)


@lru_cache(maxsize=256)
def settings_of(kind: type[msgspec.Struct]) -> tuple[Setting, ...]:
    """Return the settings of a class, in order.

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
    """Create settings from a table of values, which may contain tables.

    Parameters
    ----------
    kind
        The settings class.
    values
        Values by name.
    where
        Owner of the settings, for error messages: `the recipe 'mine.toml'`.
    show
        Writes a value in error messages.

    Raises
    ------
    RiverboatError
        A `kind.error` that names the setting, the value and what is allowed.

    Examples
    --------
    >>> checked(Settings, {"high": 1}, "fish")
    Traceback (most recent call last):
    riverboat.errors.RiverboatError: fish has no setting 'high'; fish has no settings
    """
    return _Context(where, show=show).make(kind, values)


def read_settings(kind: type[_Kind], text: str, where: str) -> _Kind:
    """Create settings from text such as `low=0.1,high=0.6`.

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
    """Convert a word of text to a value of a type.

    Raises
    ------
    RiverboatError
        If the type does not allow the value; the message says what is allowed.

    Examples
    --------
    >>> read_value(Annotated[int, msgspec.Meta(ge=2, le=9)], "6")
    6
    """
    setting = Setting.of("", msgspec.NODEFAULT, kind)
    try:
        return _Context(show=_cut).value(setting, _read(kind, word), RiverboatError)
    except RiverboatError:
        sentence = f"{_cut(word)!r} is not allowed: it must be {allowed(kind)}"
        raise RiverboatError(sentence) from None


def _cut(value: object, longest: int = _LONGEST) -> str:
    """A value as the user typed it, cut to the given length."""
    text = str(value)
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."


def allowed(kind: Any) -> str:
    """Return the values that a type allows, in words.

    Examples
    --------
    >>> allowed(Literal["win", "loss"]), allowed(Annotated[int, msgspec.Meta(ge=1)] | None)
    ('win or loss', 'a whole number of at least 1, or none')
    """
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *metas = get_args(kind)
        return allowed(inner) + "".join(map(_bounds, metas))
    if origin is Literal:
        return _either([str(word) for word in get_args(kind)], " or ")
    if origin in (Union, UnionType):
        return _either([allowed(member) for member in get_args(kind)], ", or ")
    if origin is tuple and get_args(kind)[-1] is not ...:
        return f"({', '.join(map(allowed, get_args(kind)))})"
    if origin in (tuple, list, Sequence):
        return f"a list, each item {allowed(get_args(kind)[0])}"
    return _PLAIN.get(kind) or "a table"


class _Context(NamedTuple):
    """Context for error messages: the owner of the values, the table in it, how to show values."""

    where: str = ""
    path: str = ""
    show: Callable[[object], str] = shown

    def make(self, kind: type[_Kind], values: Mapping[str, Any]) -> _Kind:
        """Create settings, and the tables within them."""
        if not isinstance(values, Mapping):
            raise kind.error(f"{self.where}: {self.show(values)} is not a table of settings")
        self._check_names(kind, values)
        known = {setting.name: setting for setting in settings_of(kind)}
        converted = {}
        for name, value in values.items():
            table = table_of(known[name].type) if isinstance(value, Mapping) else None
            if table is None:
                converted[name] = self.value(known[name], value, kind.error)
            else:
                converted[name] = self._replace(path=f"{self.path}{name}.").make(table, value)
        try:
            return kind(**converted)
        except RiverboatError as error:  # settings that do not go together
            raise kind.error(f"{self.where}: {error}") from error

    def _check_names(self, kind: type[Settings], values: Mapping[str, Any]) -> None:
        known = settings_of(kind)
        for name in values:
            if name not in [setting.name for setting in known]:
                owner = self.path[:-1] or self.where
                near = did_you_mean(name, [setting.name for setting in known])
                wrong = self._has(name, "has no") + near
                raise kind.error(f"{wrong}; {_listed(kind, owner)}")
        for setting in known:
            if setting.required and setting.name not in values:
                missing = self._has(setting.name, "lacks the")
                raise kind.error(f"{missing}: it must be {setting.allowed}")

    def _has(self, name: str, verb: str) -> str:
        return f"{self.where} {verb} setting {shown(f'{self.path}{name}')}"

    def value(self, setting: Setting, value: Any, error: type[RiverboatError]) -> Any:
        """Convert a value to the type of its setting; raise an error for a wrong value."""
        infinite = setting.infinite and isinstance(value, str) and value in {"inf", "-inf"}
        try:
            converted = _convert(float(value) if infinite else _plain(value), setting.type)
        except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: a lone surrogate
            converted = math.nan
        except TypeError:  # a type that msgspec does not know
            return value
        if isinstance(converted, float) and (
            math.isnan(converted) if setting.infinite else not math.isfinite(converted)
        ):
            place = f"{self.where}: {self.path}" if self.where else ""
            text = f"{place}{setting.name}={self.show(value)}"
            raise error(f"{text} is not allowed: it must be {setting.allowed}")
        return converted


def _convert(value: Any, kind: Any) -> Any:
    """Convert a value by msgspec, which would look at every type that may stand in place of a text.

    For the dataclass of a game that takes longer than all else that is done with a game's name.
    """
    if isinstance(value, str) and _is_any_text(kind):
        value.encode()  # a lone surrogate is refused, as msgspec does
        return value
    return msgspec.convert(value, kind)


def _is_any_text(kind: Any) -> bool:
    """Whether a type allows every text."""
    if get_origin(kind) is Annotated:
        inner, *metas = get_args(kind)
        limits = [meta for meta in metas if isinstance(meta, msgspec.Meta)]
        limited = any(m.pattern or m.min_length or m.max_length is not None for m in limits)
        return not limited and _is_any_text(inner)
    if get_origin(kind) in (Union, UnionType):
        return any(map(_is_any_text, get_args(kind)))
    return kind is str


def _plain(value: Any) -> Any:
    """A value with NumPy numbers converted to plain ones, also in lists."""
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    return value.item() if getattr(value, "shape", None) == () else value


def _default(field: Any) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def table_of(kind: Any) -> type[Settings] | None:
    """The settings class that a type allows, or None."""
    if get_origin(kind) is Annotated:
        return table_of(get_args(kind)[0])
    choices = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return next(
        (kind for kind in choices if isinstance(kind, type) and issubclass(kind, Settings)), None
    )


def _read(kind: Any, word: str) -> object:
    """Convert a word to a type; return the word itself if that fails."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        return next((choice for choice in get_args(kind) if str(choice) == word), word)
    if get_origin(kind) in (Union, UnionType):
        values = [_read(member, word) for member in get_args(kind) if member is not NoneType]
        return next((value for value in values if not isinstance(value, str)), word)
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
    raise kind.error(f"{shown(part)} needs a name, as in name=value; {_listed(kind, where)}")


def _listed(kind: type[Settings], owner: str) -> str:
    """The names and allowed values of all settings, as a sentence."""
    settings = [f"{setting.name} ({setting.allowed})" for setting in settings_of(kind)]
    if not settings:
        return f"{owner} has no settings"
    return f"the settings of {owner} are {', '.join(settings)}"


def _either(words: list[str], last: str) -> str:
    return ", ".join(words[:-1]) + last + words[-1] if len(words) > 1 else words[0]


def _bounds(meta: object) -> str:
    """The bounds of a number, in words."""
    if not isinstance(meta, msgspec.Meta):
        return ""
    if meta.ge is not None and meta.le is not None:
        return f" from {_figure(meta.ge)} to {_figure(meta.le)}"
    limits = (("at least", meta.ge), ("above", meta.gt), ("at most", meta.le), ("below", meta.lt))
    words = " and ".join(f"{word} {_figure(limit)}" for word, limit in limits if limit is not None)
    return f" of {words}" if words.startswith("at") else f" {words}" if words else ""


def _figure(number: float) -> str:
    """A number with commas; a large power of two as a power."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 1e15:
        number = int(number)  # 1,000,000,000 and not 1,000,000,000.0
    for missing, text in ((0, ""), (1, " - 1")):
        power = math.frexp(number + missing)[1] - 1
        if isinstance(number, int) and power > 50 and number + missing == 2**power:
            return f"2^{power}{text}"
    return f"{number:,}"

"""Commands from functions: parameters, and the fields of settings classes, become options.

A command is a function from typed parameters or settings classes to a result. An option has the
type, default, bounds and meaning of its parameter or field. A command that returns a result gets
`--json`, and one function prints the results of all commands.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import click
import msgspec

from riverboat.cli import _completion
from riverboat.cli._help import draw_help, first_line
from riverboat.cli._output import present
from riverboat.errors import RiverboatError
from riverboat.settings import Setting, allowed, read_value, settings_of

#: Short names of options.
_SHORT: Final = {
    "--bot": "-b",
    "--game": "-g",
    "--menu": "-m",
    "--output": "-o",
    "--port": "-p",
    "--year": "-y",
}
_Complete = Callable[[str], list[str]]
_MANY: Final = 100_000  # a help page leaves out upper bounds above this
_JSON: Final = "Print one JSON object (docs/json.md)."


class Flags:
    """How a parameter is written on the command line, as far as its name and type do not say it.

    Examples
    --------
    >>> option("Seats.", "--seats", "-s", least=2).names
    ('--seats', '-s')
    """

    def __init__(
        self,
        text: str = "",
        *names: str,
        least: float | None = None,
        most: float | None = None,
        complete: _Complete | None = None,
        metavar: str | None = None,
        parse: Callable[[str], Any] | None = None,
        positional: bool = False,
    ) -> None:
        self.text, self.names, self.least, self.most = text, names, least, most
        self.complete, self.metavar, self.parse = complete, metavar, parse
        self.positional = positional


#: Declares an option; without names it has the name of its parameter.
option = Flags
#: Declares a positional argument.
argument = partial(Flags, positional=True)


class _Declared(NamedTuple):
    """One parameter of a command."""

    name: str
    type: Any
    default: Any  # NODEFAULT if it must be given
    flags: Flags

    @classmethod
    def of(cls, name: str, kind: Any, default: Any) -> "_Declared":
        metas: list[Any] = []
        if get_origin(kind) is Annotated:
            kind, *metas = get_args(kind)
        if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
            kind = Union[tuple(each for each in get_args(kind) if each is not NoneType)]  # noqa: UP007
        if get_origin(kind) is Annotated:
            kind, *inner = get_args(kind)
            metas += inner
        flags = next((meta for meta in metas if isinstance(meta, Flags)), Flags())
        bounds = [meta for meta in metas if isinstance(meta, msgspec.Meta)]
        if (flags.least, flags.most) != (None, None):
            bounds.append(msgspec.Meta(ge=flags.least, le=flags.most))
        if not flags.text:
            text = next((meta.description for meta in bounds if meta.description), "")
            positional = any((meta.extra or {}).get("positional") for meta in bounds)
            flags = Flags(f"{text[:1].upper()}{text[1:]}.", positional=positional)
        return cls(name, Annotated[kind, *bounds] if bounds else kind, default, flags)

    @property
    def plain(self) -> Any:
        return get_args(self.type)[0] if get_origin(self.type) is Annotated else self.type

    @property
    def many(self) -> bool:
        return get_origin(self.plain) in (list, tuple)

    def value(self, given: dict[str, Any]) -> Any:
        """Remove its value from the given values and return it."""
        value = given.pop(self.name)
        if not self.many:
            return value
        return [*value] or ([] if self.default is msgspec.NODEFAULT else self.default)

    def parameter(self, taken: set[str]) -> click.Parameter:
        """Build click's parameter."""
        required = self.default is msgspec.NODEFAULT
        complete = self.flags.complete or _completion.BY_NAME.get(self.name)
        shared: dict[str, Any] = {
            "type": _Value(get_args(self.plain)[0] if self.many else self.type, self.flags.parse),
            "required": required,
            "shell_complete": _completed(complete),
        }
        if not required:
            shared["default"] = None if self.many else self.default
        if self.flags.positional:
            metavar = self.flags.metavar or self.name
            nargs = -1 if self.many else 1
            return _Argument([self.name], self.flags.text, metavar, nargs=nargs, **shared)
        if self.plain is bool:
            shared |= {"type": click.BOOL, "is_flag": True}
        built = _Option(
            [self.name, *self._names(taken)],
            help=self.flags.text,
            multiple=self.many,
            show_default=self.default not in (None, "", False),
            **shared,
        )
        built.explicit = any("/" in name for name in self.flags.names)
        built.bounds = _bounds(self.type)
        return built

    def _names(self, taken: set[str]) -> Iterator[str]:
        named = [*self.flags.names] or [_option_name(self.name)]
        if not self.flags.names and self.plain is bool:
            named = [f"{named[0]}/--no-{named[0][2:]}"]
        long = named[0].partition("/")[0]
        short = _SHORT.get(long)
        if short and short not in taken:
            yield short
        yield from sorted(named, key=lambda name: name.startswith("--"))


def _completed(complete: _Complete | None) -> Callable[[Any, Any, str], list[Any]] | None:
    """Wrap a completion function in the signature that click calls."""
    return None if complete is None else lambda _ctx, _param, word: complete(word)


def _bounds(kind: Any) -> str:
    """The allowed words or the bounds of a number, for the help page; empty if there are none."""
    metas = [each for each in get_args(kind)[1:] if isinstance(each, msgspec.Meta)]
    plain = get_args(kind)[0] if metas else kind
    if get_origin(plain) is Literal:
        return f"  [{allowed(plain)}]"
    if all(each.le is None or each.le > _MANY for each in metas):
        return ""
    return f"  [{allowed(kind).removeprefix(allowed(plain)).strip()}]"


def _option_name(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Fields:
    """Options that are settings of a class; the parameter gets the given values by key."""

    kind: type[msgspec.Struct]
    keys: Mapping[str, str]
    changes: bool

    def part(self) -> "_Part":
        """Return the options; they have no default where they change existing settings."""
        declared = []
        for name, key in self.keys.items():
            setting = _setting(self.kind, key)
            bare = self.changes or setting.required
            declared.append(_Declared.of(name, setting.type, None if bare else setting.default))

        def build(given: dict[str, Any]) -> dict[str, Any]:
            values = {self.keys[option.name]: option.value(given) for option in declared}
            return {key: value for key, value in values.items() if value is not None}

        return _Part(declared, build)


def fields_of(
    kind: type[msgspec.Struct], *names: str, changes: bool = False, **renamed: str
) -> Fields:
    """Declare settings of a class as options, `renamed` ones by a key such as `every.report`.

    Examples
    --------
    >>> from riverboat.training import Recipe
    >>> fields_of(Recipe, "menu", report_every="every.report").keys
    {'menu': 'menu', 'report_every': 'every.report'}
    """
    return Fields(kind, {name: name for name in names} | renamed, changes)


def _setting(kind: type[msgspec.Struct], key: str) -> Setting:
    table, _, inner = key.partition(".")
    [setting] = [setting for setting in settings_of(kind) if setting.name == table]
    return _setting(setting.type, inner) if inner else setting


class _Value(click.ParamType[Any]):
    """A value of some type; the error for a wrong value says what is allowed."""

    def __init__(self, kind: Any, parse: Callable[[str], Any] | None) -> None:
        plain = kind
        while get_origin(plain) in (Annotated, Union, UnionType):
            plain = get_args(plain)[0]
        word = "word" if get_origin(plain) is Literal else "text"
        self.name = getattr(plain, "__name__", word).lower() if word == "text" else word
        self._kind, self._plain, self._parse = kind, plain, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if self._parse is not None:
            return self._parse(value)
        if self._plain is Path:
            return Path(value)
        try:
            return read_value(self._kind, value)
        except RiverboatError as error:
            self.fail(str(error), param, ctx)


class _Argument(click.Argument):
    """An argument with a line of help."""

    def __init__(self, decls: list[str], text: str, metavar: str, **rest: Any) -> None:
        super().__init__(decls, **rest)
        self.text, self.shown = text, metavar

    def make_metavar(self, ctx: click.Context) -> str:  # noqa: ARG002 - as click calls it
        many = "..." if self.nargs == -1 else ""
        plain = self.shown.strip("[]")
        return f"{plain}{many}" if self.required else f"[{plain}]{many}"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx).replace("[", "").replace("]", ""), self.text


class _Option(click.Option):
    """An option whose bounds and default are on the help page."""

    explicit = False  # whether a flag has two own names, such as --as-played/--as-trained
    bounds = ""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        names = ", ".join(self.opts)
        if self.secondary_opts and (self.default is not False or self.explicit):
            names += f" / {', '.join(self.secondary_opts)}"
        if not self.is_flag:
            names += f" <{self.type.name}>"
        text = f"{self.help}{self.bounds}"
        if self.required:
            return names, f"{text}  [required]"
        default = self.get_default(ctx) if self.show_default and not self.is_flag else None
        return names, text if default is None else f"{text}  [default: {default}]"


class _Command(click.Command):
    """A command with our help page; the error for an unknown option suggests similar ones."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            own = (each for each in self.params if isinstance(each, _Option))
            names = [name for each in own for name in each.opts]
            raise click.NoSuchOption(error.option_name, possibilities=names, ctx=ctx) from None

    def format_help(self, ctx: click.Context, formatter: object) -> None:  # noqa: ARG002
        draw_help(self, ctx)


class _Group(click.Group):
    """A group of commands with our help page."""

    def format_help(self, ctx: click.Context, formatter: object) -> None:  # noqa: ARG002
        rows = {name: first_line(each.help) for name, each in self.commands.items()}
        draw_help(self, ctx, {"Commands": rows})


def make_group(name: str, text: str, functions: Mapping[str, Callable[..., Any]]) -> click.Group:
    """Make a group of commands."""
    commands = {word: make_command(word, function) for word, function in functions.items()}
    return _Group(name, help=text, commands=commands, no_args_is_help=True)


def make_command(name: str, function: Callable[..., Any]) -> click.Command:
    """Make a command whose options are the parameters of a function.

    Examples
    --------
    >>> def double(number: Annotated[int, option("A number.", least=1)] = 1) -> None:
    ...     "Double a number."
    ...     print(2 * number)
    >>> make_command("double", double).main(["--number", "4"], standalone_mode=False)
    8
    """
    hints = inspect.get_annotations(function, eval_str=True)
    returns = hints.pop("return", None) not in (None, NoneType)
    empty = inspect.Parameter.empty
    parts = {
        word: _part(
            word, hints[word], msgspec.NODEFAULT if given.default is empty else given.default
        )
        for word, given in inspect.signature(function).parameters.items()
    }
    declared = [each for part in parts.values() for each in part.declared]
    if returns:
        declared.append(_Declared("as_json", bool, False, option(_JSON, "--json")))

    def run(**given: Any) -> None:
        as_json = given.pop("as_json") if returns else False
        result = function(**{word: part.build(given) for word, part in parts.items()})
        if returns:
            present(result, as_json)

    taken = {part for each in declared for name in _own_names(each) for part in name.split("/")}
    text = inspect.cleandoc(function.__doc__ or "")
    text = re.split(r"\n(?:Parameters|Examples|Returns)\n-", text)[0]
    parameters = [each.parameter(taken) for each in declared]
    return _Command(name, callback=run, params=parameters, help=text)


class _Part(NamedTuple):
    """The options that fill one parameter of a function."""

    declared: list[_Declared]
    build: Callable[[dict[str, Any]], Any]


def _part(name: str, kind: Any, default: Any) -> _Part:
    """Return the options of a parameter: one, or one for each field of a settings class."""
    if fields := next((meta for meta in get_args(kind)[1:] if isinstance(meta, Fields)), None):
        return fields.part()
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        declared = _Declared.of(name, kind, default)
        return _Part([declared], declared.value)
    parts = {each.name: _part(each.name, each.type, each.default) for each in settings_of(kind)}
    return _Part(
        [each for part in parts.values() for each in part.declared],
        lambda given: kind(**{name: part.build(given) for name, part in parts.items()}),
    )


def _own_names(each: _Declared) -> tuple[str, ...]:
    return () if each.flags.positional else each.flags.names or (_option_name(each.name),)

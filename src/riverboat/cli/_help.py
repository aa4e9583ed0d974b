"""Pages of help: what a command does, takes and looks like when it is typed.

Drawn here and not by typer: its page costs half a second of imports, calls a flag `<bool>`, and
knows neither examples nor names of old.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer.core

if TYPE_CHECKING:
    from rich.panel import Panel

__all__ = ["HelpedCommand", "HelpedGroup", "draw_help"]

#: Options that had other names in 0.1: these still work, and are not shown.
_OLD_NAMES: Final = {
    "--folder": "--output",
    "--hands": "--hole",
    "--history": "--histories",
    "--limit": "--time-limit",
    "--no-history": "--no-histories",
    "--out": "--output",
}
_Rows = Sequence[tuple[str, str]]


class HelpedCommand(typer.core.TyperCommand):
    """A command with such a page, whose errors name its options as the page does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            _forget_old_names(error, self)
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - drawn, not written
        """Draw the page."""
        draw_help(self, ctx)


class HelpedGroup(typer.core.TyperGroup):
    """A group with such a page."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - drawn, not written
        """Draw the page."""
        rows = [(name, _first(command.help)) for name, command in self.commands.items()]
        draw_help(self, ctx, {"Commands": rows})


def draw_help(command: Any, ctx: Any, commands: Mapping[str, _Rows] | None = None) -> None:
    """Draw the page of a command, with the commands below it by their headings."""
    from rich.console import Console  # noqa: PLC0415 - only help needs it
    from rich.padding import Padding  # noqa: PLC0415 - only help needs it
    from rich.text import Text  # noqa: PLC0415 - only help needs it

    console = Console(highlight=False, markup=False, emoji=False)
    usage = Text.assemble(("Usage: ", "yellow"), (f"{ctx.command_path} ", "bold"))
    usage.append(" ".join(command.collect_usage_pieces(ctx)), "bold")
    console.print(Padding(usage, 1))
    for paragraph in (command.help or "").split("\n\n"):
        console.print(Padding(" ".join(paragraph.split()), (0, 1, 1, 1)))
    for title, rows in (*_parameters(command, ctx).items(), *(commands or {}).items()):
        if rows:
            console.print(_panel(title, rows))
    _print_examples(console, ctx)


def _parameters(command: Any, ctx: Any) -> dict[str, _Rows]:
    found: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            found["Arguments"].append((record[0].partition(" ")[0], record[1]))
        else:
            names = re.sub(r"<(?:list\[)?(\w+)[^>]*>", lambda m: f"<{m[1].lower()}>", record[0])
            found["Options"].append((_new_names(names, parameter.opts), record[1]))
    return dict(found)


def _forget_old_names(error: Any, command: Any) -> None:
    """Let an error of typer's propose and name options only as they are called now."""
    renamed = {
        old: new
        for parameter in command.params
        for old, new in _OLD_NAMES.items()
        if {old, new} <= {*parameter.opts}
    }
    if getattr(error, "possibilities", None):
        error.possibilities = sorted({renamed.get(name, name) for name in error.possibilities})
    parameter = getattr(error, "param", None)
    if renamed and parameter is not None and parameter.param_type_name == "option":
        error.param_hint = [name for name in parameter.opts if name not in renamed]


def _new_names(names: str, options: Iterable[str]) -> str:
    """Leave out what an option was called in 0.1."""
    for old, new in _OLD_NAMES.items():
        if new in options:
            names = re.sub(rf"{old}(?![\w-]),? ?|, {old}(?![\w-])", "", names)
    return names


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


def _panel(title: str, rows: Iterable[tuple[str, str]]) -> "Panel":
    """Draw names and what they mean in a box."""
    from rich.panel import Panel  # noqa: PLC0415 - only help needs it
    from rich.table import Table  # noqa: PLC0415 - only help needs it
    from rich.text import Text  # noqa: PLC0415 - only help needs it

    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column(ratio=1)
    for name, line in rows:
        table.add_row(name, line)
    return Panel(table, title=Text(title), title_align="left", border_style="dim")


def _print_examples(console: Any, ctx: Any) -> None:
    """Print what can be typed: outside of a box, and never wrapped, so that it can be pasted."""
    from riverboat.cli._examples import EXAMPLES  # noqa: PLC0415 - only help needs it

    program = ctx.find_root().command_path
    words = ctx.command_path.removeprefix(program).strip()
    examples = EXAMPLES.get(words, ())
    if examples:
        console.print(" Examples:", style="yellow")
    for example in examples:
        console.print(f"   {program} {example}", soft_wrap=True)
    if not words:
        console.print(" Each command has its own page: riverboat match --help", style="dim")
    console.print()

"""Pages of help: what a command does, its arguments and options, and examples to paste.

click's own page has no boxes, no examples and no headings for groups of commands.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.panel import Panel

_Rows = Sequence[tuple[str, str]]


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
    rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(ctx):
        kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
        rows[kind] += filter(None, [parameter.get_help_record(ctx)])
    for title, lines in (*rows.items(), *(commands or {}).items()):
        if lines:
            console.print(_panel(title, lines))
    _print_examples(console, ctx)


def first_line(text: str | None) -> str:
    """Return the first paragraph of a help text as one line."""
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
    """Print examples without a box and never wrapped, so that they can be pasted."""
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

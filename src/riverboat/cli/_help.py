"""Help pages: what a command does, its arguments and options, and examples to paste.

click's own help page has no boxes, no examples and no headings for groups of commands.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.panel import Panel


def draw_help(
    command: Any, ctx: Any, commands: Mapping[str, Mapping[str, str]] | None = None
) -> None:
    """Draw the help page of a command, with the first lines of its subcommands by heading."""
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
    below = {title: [*lines.items()] for title, lines in (commands or {}).items()}
    for title, lines in (rows | below).items():
        if lines:
            console.print(_panel(title, lines))
    _print_examples(console, ctx)


def first_line(text: str | None) -> str:
    """Return the first paragraph of a help text as one line."""
    return " ".join((text or "").split("\n\n")[0].split())


def _panel(title: str, rows: Iterable[tuple[str, str]]) -> "Panel":
    """Draw names and their meanings in a box."""
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
    """Print examples without a box and unwrapped, so that they can be pasted."""
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


#: Two examples of each command, by the words after `riverboat`; a test checks their words.
EXAMPLES: Final = {
    "": ("play", "match blueprint shark --hands 4000"),
    "demo": ("demo --quick", "demo --output my-demo --seed 7"),
    "evaluate": ("evaluate KhKd4s4cQs7h2d", "evaluate AhKh7c7d6s --short-deck"),
    "equity": ('equity AhKh "QQ, JTs" --board Qh7c2d', "equity AhKh 22 random --json"),
    "range": ('range "22+, A2s+, KTo+, 76s-54s"', 'range "QQ+, AKs:0.5" --dead AhKh'),
    "play": ("play", "play --seats 6 --opponents fish,shark --hands 20"),
    "serve": ("serve --open", "serve strategies --port 9000"),
    "join": (
        "join acpc --port 16178 --bot blueprint",
        "join acpc --port 16178 --game limit --bot shark --log said.txt",
    ),
    "join acpc": (
        "join acpc --port 16178 --bot blueprint",
        "join acpc --port 16178 --game holdem.limit.2p.reverse_blinds.game --bot shark",
    ),
    "join mit": (
        "join mit --year 2023 --port 40000 --bot blueprint",
        "join mit --year husky --port 40000 --bot blueprint --rounds 4000",
    ),
    "join mit2017": (
        "join mit2017 --port 3000 --bot blueprint:pineapple.blueprint",
        "join mit2017 --port 3000 --bot backup --log said.txt",
    ),
    "join slumbot": (
        "join slumbot --bot blueprint:200bb.blueprint --hands 1000 --record slumbot.jsonl",
        "join slumbot --address http://127.0.0.1:8080/slumbot/api --bot shark --hands 20",
    ),
    "export": (
        "export mit --year 2023 --bot blueprint -o us",
        "export mit --year 2025 --bot search:seconds=0.05 -o us",
    ),
    "export mit": (
        "export mit --year 2023 --bot blueprint -o us",
        "export mit --year 2026 --bot blueprint:tossem.blueprint -o us --python python3.12",
    ),
    "deal": ("deal acpc - -", "deal acpc blueprint - --ports 5000 --hands 100"),
    "deal acpc": (
        "deal acpc - - --game limit --hands 3000 --log match.log",
        "deal acpc blueprint - --ports 5000 --hands 100",
    ),
    "deal mit2017": (
        "deal mit2017 - - --hands 1000",
        "deal mit2017 backup - --ports 3000 --time-bank 20",
    ),
    "deal slumbot": (
        "deal slumbot --bot blueprint --port 8080",
        "deal slumbot --bot fish --seed 1",
    ),
    "replay": ("replay hands.phhs", "replay hands.phhs --hand 3 --all"),
    "hands": ("hands add histories", "hands query 'SELECT count(*) FROM hands'"),
    "hands add": ("hands add histories", "hands add session.txt archive.zip --workers 2"),
    "hands query": (
        "hands query 'SELECT site, count(*) FROM hands GROUP BY site'",
        "hands query 'SELECT name, sum(net) FROM seats GROUP BY name' --json",
    ),
    "convert": ("convert hands.phhs hands.ohh", "convert match.log hands.phhs --game limit"),
    "analyse": (
        "analyse b25c/kk/b30 --board Ks7h2d3c --hand AhKd",
        "analyse b25c/kb25c/kk/ --board Ks7h2d3c8d --hand 7c7d --iterations 200 --json",
    ),
    "bots": ("bots", "bots shark"),
    "check-bot": ("check-bot mybot.py", "check-bot mybot.py --game leduc --time-limit 1"),
    "match": (
        "match blueprint shark --hands 4000",
        "match mybot.py fish --game leduc --histories hands.phhs",
    ),
    "tournament": (
        "tournament fish shark honest --hands 2000",
        "tournament mybot.py blueprint montecarlo --plot table.png",
    ),
    "sweep": (
        "sweep shark --param low=0.1:0.5:0.1 --against fish",
        "sweep shark --param low=0.1,0.2 --param high=0.6,0.8 --against honest --hands 2000",
    ),
    "lbr": (
        "lbr blueprint --hands 2000",
        "lbr blueprint:threshold=0 --set c-c-nine-nine --log lbr.jsonl --resume --seed 1",
    ),
    "audit": (
        "audit default --seed 1",
        "audit default --as-played --runouts 800 --rivers 200 --json",
    ),
    "compare": (
        "compare leduc --schemes cfr+,dcfr,external --seconds 10 --output leduc.png",
        "compare kuhn --schemes cfr,outcome --iterations 10000 --output kuhn.csv --json",
    ),
    "doctor": ("doctor", "doctor --json"),
    "ledger": ("ledger 12 --json", "ledger verify"),
    "pypokerengine": (
        "pypokerengine honest-pypokerengine fish --hands 500",
        "pypokerengine mybot.py random --stack 500 --small-blind 10",
    ),
    "tree": (
        "tree --game nolimit-100bb --menu laptop",
        'tree --game nolimit-200bb --menu "50%, a ; cap 3" --buckets 169,50,50,50',
    ),
    "buckets": (
        'buckets "percentile 169/200/200/200" --hole AhKh --board Qh7c2d',
        'buckets "percentile 169/50/50/50" --street flop --bucket 7',
    ),
    "reproduce": ("reproduce cardiff --quick", "reproduce all --resume"),
    "train": ("train laptop", "train leduc --iterations 20000 --output my.blueprint"),
    "show": (
        "show default b25c/k --board Qh7c2d --hole AhKh,QQ",
        "show mine.solution kb60c --cards 8d --hole AhKh,QQ",
    ),
    "cluster": ("cluster check --on ray", "cluster check --on ray://head:10001"),
    "cluster check": ("cluster check --on ray", "cluster check --on ray://head:10001 --json"),
    "charts": (
        "charts default -o charts.html -o ranges.txt",
        "charts push-fold-10bb --ante 0.1 --matrix",
    ),
    "review": (
        "review hands.phhs -o review.html",
        "review hands.phhs --player Ada --solve --street river --json",
    ),
    "drill": ("drill --street flop --close 5", "drill flops --count 10 --json"),
    "solve": (
        'solve --board Ks7h2d3c --pot 55 --stack 975 --oop "QQ-22, AJ" --ip "AA, AK, KQ" '
        '--menu "50%, a" -o mine.solution',
        'solve --file spot.toml --flops "Ks7h2d, Td9d6h" --lock "b60: KK = f 25 c 75" -o flops',
    ),
    "spot-report": (
        "spot-report mine.solution --line kk -o rivers.png -o rivers.csv",
        "spot-report flops --line k -o flops.png",
    ),
    "blueprint": ("blueprint info default", "blueprint compare default my.blueprint"),
    "blueprint info": ("blueprint info default", "blueprint info my.blueprint --json"),
    "blueprint verify": ("blueprint verify default", "blueprint verify my.blueprint --json"),
    "blueprint prune": (
        "blueprint prune my.blueprint --output small.blueprint",
        "blueprint prune my.blueprint --output small.blueprint --uniform",
    ),
    "blueprint quantise": (
        "blueprint quantise my.blueprint --output small.blueprint",
        "blueprint quantise my.blueprint --output small.blueprint --force",
    ),
    "blueprint combine": (
        "blueprint combine a.blueprint b.blueprint --output both.blueprint",
        "blueprint combine a.blueprint b.blueprint --output both.blueprint --method weighted",
    ),
    "blueprint compare": (
        "blueprint compare a.blueprint b.blueprint",
        "blueprint compare default my.blueprint --json",
    ),
    "blueprint export": (
        "blueprint export default --output default.parquet",
        "blueprint export cardiff.blueprint --output cardiff.csv",
    ),
    "blueprint import": (
        "blueprint import cardiff.csv --output cardiff.blueprint",
        "blueprint import cardiff.csv --output cardiff.blueprint --prune",
    ),
    "schema": ("schema recipe", "schema spot"),
    "cache": ("cache show", "cache build"),
    "cache show": ("cache show", "cache show --json"),
    "cache build": ("cache build", "cache build --folder tables"),
    "cache verify": ("cache verify", "cache verify --json"),
    "cache clear": ("cache clear", "cache clear --buckets --yes"),
}

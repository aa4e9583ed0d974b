"""Cleaning and the CSV file: what figures 19 and 20 show, and the way back into a bot."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from riverboat.blueprint import Blueprint, prune, read_csv, write_csv
from riverboat.report import (
    Compared,
    Comparison,
    Picture,
    Section,
    Table,
    Text,
    draw_bars,
    duration,
)
from riverboat.seeds._recipe import Published
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff.convergence import Convergence, training_recipe
from riverboat.seeds.cardiff.data import amounts, data
from riverboat.seeds.cardiff.processes import processes
from riverboat.training import sizes_of
from riverboat.tree import Tree
from riverboat.work import num_cores

__all__ = ["Cleaned", "clean", "cleaning_section"]

_SHOWN_ROWS = 6
_FIGURES = ("infosets_before", "infosets_after", "csv_mb")


class Cleaned(msgspec.Struct, frozen=True):
    """The strategy as rows of text, before and after cleaning."""

    infosets: int
    """Of the game."""
    before: int
    """Rows with an average strategy; the visited ones without are not in our files."""
    after: int
    """Rows that are not uniform."""
    bytes_before: int
    """Of the CSV files."""
    bytes_after: int
    blueprint_bytes: int
    """Of the cleaned strategy file, 8 bits a probability."""
    write_seconds: float
    """Of the cleaned CSV file."""
    read_seconds: float
    rows_read: int
    rows_before: tuple[str, ...]
    """The last ones, as in the figures."""
    rows_after: tuple[str, ...]
    cleaned: str
    """File names in the run's folder: the cleaned strategy, and the one read from its CSV."""
    from_csv: str


def clean(run: Reproduction, blueprint: str) -> Cleaned:
    """Drop uniform rows, write CSV files before and after, and read the cleaned one back."""
    original = Blueprint.open(run.path(blueprint))
    raw, small = run.path("cardiff.csv"), run.path("cardiff-clean.csv")
    cleaned, from_csv = run.path("cardiff-clean.blueprint"), run.path("cardiff-csv.blueprint")
    with ExitStack() as stack:
        before = _written_beside(run, stack, original.path, raw)
        run.tell(0.05, "drops uniform rows")
        report = prune(original, cleaned, uniform=True)
        run.tell(0.2, "writes CSV files")
        began = time.perf_counter()
        after = _write(cleaned, small)
        wrote = time.perf_counter()
        run.tell(0.4, "reads the CSV file")
        strategy = read_csv(small, menu=amounts(run).menu)
        read = time.perf_counter()
        run.tell(0.9, "makes a strategy file of it")
        strategy.save(from_csv, values="uint8", pruned=True)
        rows_before = before()
    return Cleaned(
        report.infosets,
        rows_before,
        after,
        raw.stat().st_size,
        small.stat().st_size,
        report.bytes_after,
        wrote - began,
        read - wrote,
        strategy.report.read,
        _last_rows(raw),
        _last_rows(small),
        cleaned.name,
        from_csv.name,
    )


def _written_beside(
    run: Reproduction, stack: ExitStack, blueprint: Path, path: Path
) -> Callable[[], int]:
    """Write a CSV file in a process of its own; return what waits for its number of rows."""
    if (run.workers or num_cores()) == 1:
        run.tell(0.01, "writes a CSV file")
        count = _write(blueprint, path)
        return lambda: count
    submit = stack.enter_context(processes(1))
    found: Callable[[], int] = submit(_write, blueprint, path).result
    return found


def _write(blueprint: Path, path: Path) -> int:
    return write_csv(Blueprint.open(blueprint), path)


def _last_rows(path: Path) -> tuple[str, ...]:
    """Return the last rows of the flop: those of the starting hand that comes last."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 20_000))
        lines = file.read().decode("ascii").splitlines()
    flop = [line for line in lines[1:] if line.split(",")[0].count(" ") == 2]
    return tuple((flop or lines)[-_SHOWN_ROWS:])


def cleaning_section(run: Reproduction, trained: Convergence, found: Cleaned) -> Section:
    """Show the rows before and after."""
    _draw(run, trained, found)
    longest = max(len(found.rows_before), len(found.rows_after))
    rows = zip(_filled(found.rows_before, longest), _filled(found.rows_after, longest), strict=True)
    return Section(
        "Information sets, before and after cleaning",
        (
            Text(_explained(run, trained, found)),
            Comparison("Information sets and files", _compared(trained, found)),
            Picture("infosets.png", "Information sets, as in figures 19 and 20."),
            Table(
                "The last rows of the flop in both files: hand, board, line; fold, call, raise",
                ("before (figure 19)", "after (figure 20)"),
                tuple(rows),
            ),
            Text(
                f"The cleaned file was written in {duration(found.write_seconds)} and "
                f"read back in {duration(found.read_seconds)}, all {found.rows_read:,} rows."
            ),
        ),
    )


def _explained(run: Reproduction, trained: Convergence, found: Cleaned) -> str:
    """Say what is counted, and how large the game is."""
    recipe = training_recipe(run)
    decisions = Tree(recipe.spec(), recipe.menu).num_decisions
    buckets = sizes_of(recipe).cards or ()
    before = data().published["infosets_before"]
    rows, theirs = found.before / 1e6, before.value
    size = "more" if rows > theirs else "fewer"
    return (
        "The author writes every information set that was visited to a CSV file and then drops "
        "those whose strategy is still uniform; there the bot simulates. The game of our menu "
        f"`{recipe.menu}` has {found.infosets:,} information sets: {_spread(buckets)} hands by "
        f"street at {_spread(decisions)} decisions. After {trained.last.iterations:,} iterations "
        f"{trained.last.visited:,} are visited. Of these {found.before:,} have an average strategy "
        f"and with it a row in our file before cleaning, {size} than the author's {theirs:g} "
        "million (the thesis does not list the lines that its file has); the others have regrets "
        "only and no row."
    )


def _spread(counts: tuple[int, ...]) -> str:
    return " and ".join(f"{count:,}" for count in counts)


def _compared(trained: Convergence, found: Cleaned) -> tuple[Compared, ...]:
    published = data().published
    before, after, csv = (published[name] for name in _FIGURES)
    kept = found.after / max(1, found.before)
    share = after.value / before.value
    return (
        _millions("rows before cleaning", before, found.before),
        _millions("rows after cleaning", after, found.after),
        Compared("share of the rows that is kept", share, kept, note="from the two lines above"),
        Compared("CSV before cleaning", csv.value, found.bytes_before / 1e6, "MB", note=csv.where),
        Compared("CSV after cleaning", None, found.bytes_after / 1e6, "MB"),
        Compared("our own file, 8 bits a probability", None, found.blueprint_bytes / 1e6, "MB"),
        _millions("information sets visited, with and without a row", None, trained.last.visited),
    )


def _millions(what: str, published: Published | None, ours: int) -> Compared:
    value, note = (published.value, published.where) if published else (None, "")
    return Compared(what, value, ours / 1e6, "M", note=note)


def _filled(rows: tuple[str, ...], count: int) -> list[str]:
    return [f"`{row}`" for row in rows] + [""] * (count - len(rows))


def _draw(run: Reproduction, trained: Convergence, found: Cleaned) -> None:
    published = data().published
    bars = {
        "published, before": published["infosets_before"].value,
        "published, after": published["infosets_after"].value,
        "ours: the whole game": found.infosets / 1e6,
        "ours, visited": trained.last.visited / 1e6,
        "ours, before: with an average": found.before / 1e6,
        "ours, after": found.after / 1e6,
    }
    draw_bars(
        run.path("infosets.png"),
        list(bars),
        list(bars.values()),
        title="Information sets before and after cleaning",
        x_label="millions",
    )

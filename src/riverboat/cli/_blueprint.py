"""`riverboat blueprint`: show, verify, change, compare, export and import strategy files."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from rich.table import Table
from rich.text import Text

from riverboat.blueprint import (
    ArrowFormat,
    Blueprint,
    CombineMethod,
    Finding,
    Precision,
    StrategyComparison,
    combine,
    compare,
    export_arrow,
    prune,
    quantise,
    read_csv,
    shown_as,
    verify,
    write_csv,
)
from riverboat.cli._command import argument, option
from riverboat.cli._opened import StrategyArgument, strategy_argument
from riverboat.cli._options import AsPlayedOption, ForceOption
from riverboat.cli._output import Answer, grid
from riverboat.cli._progress import bars, counted
from riverboat.errors import BlueprintError
from riverboat.report import percent, size

OutOption = Annotated[Path, option("The file to write.", "--output")]

_LEFT_OUT = {
    "other_letters": "with letters other than c and r",
    "off_tree": "off-tree",
    "empty": "with zeros only",
}
_COLOURS = {"good": "green", "note": "yellow", "warning": "yellow", "error": "red"}


def info(file: StrategyArgument) -> Answer:
    """Show the header of a strategy file: game, bet menu, cards, training."""
    blueprint = Blueprint.open(file)
    values = _facts(blueprint)
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(overflow="fold")  # show all of a long path
    for name, value in values.items():
        if value not in ({}, [], "", None):
            table.add_row(name, _plain(value), style=None)
    return Answer(values, table)


def _facts(blueprint: Blueprint) -> dict[str, Any]:
    """The header for people and programs, without long lists."""
    header = blueprint.header
    values = msgspec.to_builtins(header)
    cards = header.cards if isinstance(header.cards, str) else header.cards.get("name")
    return {
        "file": str(blueprint.path),
        "bytes": blueprint.path.stat().st_size,
        "format": header.format,
        "riverboat": header.riverboat,
        "date": header.date,
        "game": header.game_name,
        "menu": header.menu,
        "cards": cards,
        "buckets": list(header.num_buckets),
        "nodes": header.tree.nodes,
        "infosets": header.infosets,
        "entries": header.entries,
        "kept_infosets": blueprint.file.spec("weight").shape[0],
        "values": header.values,
        "weights": "uint8" if header.byte_weights else "float32",
        "pruned": header.pruned,
        "threshold": blueprint.threshold,
        **{key: values["training"][key] for key in ("scheme", "seed", "threads")},
        **{key: values["training"][key] for key in ("iterations", "seconds", "recipe")},
        "fallback": header.fallback,
        "notes": list(header.notes),
        "parents": list(values["parents"]),
    }


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return f"{len(value)} files"
        return ", ".join(map(str, value))
    return str(value)


def verify_command(file: StrategyArgument) -> Answer:
    """Verify a strategy file: all checksums and all rows."""
    blueprint = Blueprint.open(file)
    with bars() as show:
        findings = verify(blueprint, partial(show, "checksums"), partial(show, "rows"))
    return Answer(
        {"file": str(file), "findings": _findings(findings)},
        Text("every block matches its checksum", "green"),
        *_lines(findings),
        exit_code=int(any(finding.level == "error" for finding in findings)),
    )


def _findings(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [asdict(finding) for finding in findings]


def _lines(findings: tuple[Finding, ...]) -> list[Text]:
    return [
        Text(f"{finding.level}: {finding.text}", _COLOURS[finding.level]) for finding in findings
    ]


def prune_command(
    file: StrategyArgument,
    out: OutOption,
    uniform: Annotated[bool, option("Also leave out infosets with a uniform strategy.")] = False,
    force: ForceOption = False,
) -> Answer:
    """Write a smaller strategy file without untrained information sets."""
    _check_new(out, force)
    with counted("pruned") as progress:
        report = prune(Blueprint.open(file), out, uniform=uniform, progress=progress)
    return Answer(
        {"file": str(out), **asdict(report)},
        f"{report.infosets:,} infosets in the tree, {report.before:,} in the file; left out "
        f"{report.uniform:,} uniform ones; kept {report.after:,}",
        _bytes(report.bytes_before, report.bytes_after),
    )


def quantise_command(file: StrategyArgument, out: OutOption, force: ForceOption = False) -> Answer:
    """Write a strategy file with 8-bit probabilities and weights, a quarter of the size."""
    _check_new(out, force)
    with counted("quantised") as progress:
        report = quantise(Blueprint.open(file), out, progress)
    return Answer(
        {"file": str(out), **asdict(report)},
        f"rounding error of a row (total variation distance): mean {report.mean_shift:.5f}, "
        f"largest {report.largest_shift:.5f}, bound {report.bound:.5f}",
        _bytes(report.bytes_before, report.bytes_after),
    )


def combine_command(
    files: Annotated[list[Path], strategy_argument("Two strategy files or more")],
    out: OutOption,
    method: Annotated[
        CombineMethod,
        option("Equal weight for each file (sum), or its training weight (weighted)."),
    ] = "sum",
    force: ForceOption = False,
) -> Answer:
    """Average several strategies of the same game, menu and cards into one."""
    _check_new(out, force)
    with counted("combined") as progress:
        findings = combine([Blueprint.open(file) for file in files], out, method, progress)
    values = {"file": str(out), "files": [str(file) for file in files], "method": method}
    return Answer(
        {**values, "findings": _findings(findings)},
        *_lines(findings),
        f"Combined {len(files)} strategies into {out} ({method})",
    )


def compare_command(
    first: StrategyArgument,
    second: Annotated[Path, strategy_argument("Another file of the same game")],
) -> Answer:
    """Compare two strategies: their distance, street by street."""
    with counted("compared") as progress:
        whole, streets = compare(Blueprint.open(first), Blueprint.open(second), progress)
    values = {"first": str(first), "second": str(second), "whole": asdict(whole)}
    headings = ("street", "in both", "distance", "weighted", "largest", "other choice")
    table = grid(headings, left=0)
    for number, street in enumerate(streets):
        table.add_row(str(number), *_cells(street))
    table.add_section()
    table.add_row("all", *_cells(whole))
    return Answer(
        {**values, "streets": [asdict(street) for street in streets]},
        table,
        f"{whole.only_first:,} infosets are trained only in {first.name}, {whole.only_second:,} "
        f"only in {second.name}. Distances are total variation, 0 to 1.",
    )


def _cells(comparison: StrategyComparison) -> list[str]:
    return [
        f"{comparison.both:,}",
        f"{comparison.mean_distance:.4f}",
        f"{comparison.weighted_distance:.4f}",
        f"{comparison.largest_distance:.4f}",
        percent(comparison.other_favourite),
    ]


def export(
    file: StrategyArgument,
    out: OutOption,
    file_format: Annotated[
        ArrowFormat | None, option("File format, if the suffix does not say it.", "--format")
    ] = None,
    untrained: Annotated[bool, option("Also write untrained infosets.")] = False,
    digits: Annotated[int, option("Digits after the decimal point in CSV.")] = 2,
    as_played: AsPlayedOption = False,
    visits: Annotated[
        bool | None, option("Add a CSV column with training visits, if known.")
    ] = None,
    force: ForceOption = False,
) -> Answer:
    """Export a strategy as a Parquet, Arrow or CSV table.

    The suffix of the file names the format. Parquet and Arrow have a row for each action of each
    infoset. CSV has the layout of the Cardiff thesis, for suitless buckets.
    """
    _check_new(out, force)
    blueprint = Blueprint.open(file)
    threshold = blueprint.threshold if as_played else 0.0
    scale = blueprint.visit_scale
    with counted("written") as progress:
        if out.suffix.lower() == ".csv" and file_format is None:
            with_visits = scale is not None if visits is None else visits
            rows = write_csv(
                blueprint, out, digits, untrained, progress, threshold=threshold, visits=with_visits
            )
        else:
            rows = export_arrow(
                blueprint,
                out,
                file_format,
                untrained=untrained,
                progress=progress,
                threshold=threshold,
            )
    count = out.stat().st_size
    values = {
        "file": str(out),
        "rows": rows,
        "bytes": count,
        "shown": "as played" if threshold else "as trained",
        "threshold": threshold,
        "few_visits_below": None if scale is None else scale.few,
    }
    unknown = () if scale is not None else ("training visits are not known",)
    return Answer(values, f"{rows:,} rows in {out}, {size(count)}, {shown_as(threshold)}", *unknown)


def import_command(
    file: Annotated[Path, argument("A CSV file in the layout of the Cardiff thesis.")],
    out: OutOption,
    game: Annotated[str, option("The strategy's game.")] = "cardiff",
    menu: Annotated[str, option("The strategy's bet menu, with a single bet size.")] = "cardiff",
    pruned: Annotated[bool, option("Leave out infosets without a row.", "--prune")] = False,
    values: Annotated[Precision, option("Data type of probabilities.")] = "float32",
    force: ForceOption = False,
) -> Answer:
    """Import a strategy from a CSV file."""
    _check_new(out, force)
    with counted("bytes read") as progress:
        strategy = read_csv(file, game, menu, progress)
    with counted("written") as progress:
        findings = strategy.save(out, values, pruned, progress)
    report = strategy.report._asdict()
    left_out = ", ".join(f"{report[key]:,} {words}" for key, words in _LEFT_OUT.items())
    return Answer(
        {"file": str(out), **report, "findings": _findings(findings)},
        *_lines(findings),
        f"Read {report['read']:,} of {report['rows']:,} rows into {out}",
        f"left out: {left_out}; {report['repeated']:,} rows replaced earlier ones",
    )


def _check_new(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise BlueprintError(f"{path} exists already: name another file, or give --force")


def _bytes(before: int, after: int) -> str:
    return f"{before:,} bytes before, {after:,} bytes after"


blueprint_commands: Final = {
    "info": info,
    "verify": verify_command,
    "prune": prune_command,
    "quantise": quantise_command,
    "combine": combine_command,
    "compare": compare_command,
    "export": export,
    "import": import_command,
}

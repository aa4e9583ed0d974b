"""The command that converts hand histories."""

from pathlib import Path
from typing import Annotated, Any

import typer

from riverboat.cli._game_option import GameOption, game_of_option
from riverboat.cli._output import JsonOption, console, print_json
from riverboat.errors import HistoryError, RiverboatError
from riverboat.histories import (
    FORMATS,
    HandRecord,
    ReadResult,
    format_of_path,
    read,
    to_text,
    write,
)

__all__ = ["convert_command"]

_SHOWN = 20
_INCOMPLETE = 1  # the exit code if some hands, but not all, were written


def convert_command(
    source: Annotated[Path, typer.Argument(help="The file to read.", metavar="IN")],
    target: Annotated[Path, typer.Argument(help="The file to write.", metavar="OUT")],
    to: Annotated[
        str | None, typer.Option("--to", help=f"{', '.join(FORMATS)}; else OUT's extension tells.")
    ] = None,
    from_format: Annotated[
        str | None, typer.Option("--from", help="The format of IN, if it cannot be told.")
    ] = None,
    game: GameOption = None,
    as_json: JsonOption = False,
) -> None:
    """Convert hand histories: PHH, PokerStars text, Open Hand History, ACPC lines.

    Exit code: 0 if every hand was written, 1 if some were refused, 2 if nothing was written.
    """
    name = format_of_path(target, to)
    result = read(source, from_format, game=game_of_option(game))
    good, unwritable = _writable(result.hands, name)
    if good:
        write(good, target, name)
    if as_json:
        print_json(_as_values(result, name, len(good), unwritable))
    else:
        _print(result, target, len(good), unwritable)
    if not good:
        raise HistoryError(f"{str(source)!r} holds no hand for {str(target)!r}: nothing is written")
    if result.refused or unwritable:
        raise typer.Exit(_INCOMPLETE)


def _as_values(
    result: ReadResult, name: str, written: int, unwritable: list[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "from": result.format,
        "to": name,
        "read": len(result.hands),
        "written": written,
        "refused": [
            {"line": hand.line, "reason": hand.reason, "text": hand.text_head}
            for hand in result.refused
        ],
        "not_written": [{"hand": hand, "reason": why} for hand, why in unwritable],
    }


def _print(
    result: ReadResult, target: Path, written: int, unwritable: list[tuple[str, str]]
) -> None:
    lines = [f"line {hand.line}: {hand.reason}" for hand in result.refused]
    lines += [f"hand {hand}: {why}" for hand, why in unwritable]
    console.print(
        f"{len(result.hands):,} hands read, {written:,} written to {target}, "
        f"{len(lines):,} refused",
        markup=False,
    )
    for line in lines[:_SHOWN]:
        console.print(f"  {line}", markup=False)
    if len(lines) > _SHOWN:
        console.print(f"  and {len(lines) - _SHOWN:,} more; --json lists them all", markup=False)


def _writable(
    records: tuple[HandRecord, ...], name: str
) -> tuple[list[HandRecord], list[tuple[str, str]]]:
    """Part the hands into those that the format carries, and the others with the reason."""
    good, bad = list[HandRecord](), list[tuple[str, str]]()
    for number, record in enumerate(records, start=1):
        try:
            to_text(record, name)
        except RiverboatError as error:
            bad.append((record.hand_id or f"number {number}", str(error)))
        else:
            good.append(record)
    return good, bad

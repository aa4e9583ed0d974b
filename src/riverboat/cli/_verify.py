"""`riverboat verify-match`: whether the cards are those that were promised."""

import json
from pathlib import Path
from typing import Annotated

import typer

from riverboat.arena import Ledger, MatchCheck, check_result, verify_match
from riverboat.cli._ledger import number_of
from riverboat.cli._options import JsonOption
from riverboat.cli._output import console, print_json
from riverboat.errors import ArenaError

__all__ = ["verify_match_command"]

_LONGEST_RESULT = 64 << 20


def verify_match_command(
    match: Annotated[
        str,
        typer.Argument(help="A match's number in the ledger, or a file: a ledger, a JSON result."),
    ],
    number: Annotated[
        int | None, typer.Option("--match", help="Which match of a ledger's file; the last.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a match that was dealt from a secret: deal it again, and compare.

    Of a ledger's match all is checked: the commitment, every card, every sum. A JSON result
    holds no hands: there the commitment is checked, and that its parts add up.
    Exit code: 0 if all is as it should be, 1 if not, 2 if it cannot be checked.
    """
    found = _check(match, number)
    if as_json:
        print_json(found.as_values())
    else:
        _show(found)
    raise typer.Exit(0 if found.passed else 1)


def _check(match: str, number: int | None) -> MatchCheck:
    path = Path(match)
    if match.isdigit() or not path.is_file():
        return verify_match(Ledger(), number_of(match))
    if path.open("rb").read(6) != b"SQLite":
        return check_result(_result_in(path))
    ledger = Ledger(path)
    if number is None:
        number = next((e.id for e in reversed(ledger.entries()) if e.secrets and e.finished), None)
    if number is None:
        raise ArenaError(f"{match!r} has no finished match that was dealt from a secret")
    return verify_match(ledger, number)


def _result_in(path: Path) -> dict[str, object]:
    """Read a result, as `match --json` prints it."""
    try:
        if path.stat().st_size > _LONGEST_RESULT:
            raise ArenaError(f"{str(path)!r} is too long for the result of a match")
        values = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ArenaError):
            raise
        raise ArenaError(f"{str(path)!r} is neither a ledger nor a result: {error}") from error
    if not isinstance(values, dict):
        raise ArenaError(f"{str(path)!r} is not the result of a match")
    return values


def _show(found: MatchCheck) -> None:
    for check in found.checks:
        mark = "good" if check.passed else "wrong"
        console.print(f"{mark:5}  {check.check}: {check.text}", soft_wrap=True)
    if not found.passed:
        verdict = "This match is not as it was promised."
    elif found.hands:
        verdict = f"All is as it was promised: {found.hands:,} hands were dealt again."
    else:
        verdict = "The secret is as it was promised. The hands are in the ledger: not checked here."
    console.print(verdict, style="bold", soft_wrap=True)

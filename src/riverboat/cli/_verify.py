"""`riverboat verify-match`: whether the cards are those that were promised."""

from pathlib import Path
from typing import Annotated

from riverboat.arena import Ledger, MatchCheck, check_file, verify_match
from riverboat.cli._command import argument, option
from riverboat.cli._ledger import number_of
from riverboat.cli._options import JsonOption
from riverboat.cli._output import console, print_json
from riverboat.report import how_many

__all__ = ["verify_match_command"]


def verify_match_command(
    match: Annotated[
        str,
        argument("A match's number in the ledger, or a file: a ledger, a JSON result."),
    ],
    number: Annotated[
        int | None, option("Which match of a ledger's file; the last.", "--match")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a match, or hands that you played, from a secret: deal again, and compare.

    Of a ledger's match all is checked: the commitment, every card, every sum. A JSON result
    holds no hands: there the commitment is checked, and that its parts add up.
    Exit code: 0 if all is as it should be, 1 if not, 2 if it cannot be checked.
    """
    path = Path(match)
    if match.isdigit() or not path.is_file():
        found = verify_match(Ledger(), number_of(match))
    else:
        found = check_file(path, number)
    if as_json:
        print_json(found.as_values())
    else:
        _show(found)
    raise SystemExit(0 if found.passed else 1)


def _show(found: MatchCheck) -> None:
    for check in found.checks:
        mark = "good" if check.passed else "wrong"
        console.print(f"{mark:5}  {check.check}: {check.text}", soft_wrap=True)
    if not found.passed:
        verdict = "This match is not as it was promised."
    elif found.hands:
        dealt = "was" if found.hands == 1 else "were"
        verdict = f"All is as it was promised: {how_many(found.hands, 'hand')} {dealt} dealt again."
    else:
        verdict = "The secret is as it was promised. The hands are in the ledger: not checked here."
    console.print(verdict, style="bold", soft_wrap=True)

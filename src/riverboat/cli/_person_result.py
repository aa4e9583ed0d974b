"""What a person won in a session: shown at the end, and entered in the ledger."""

from typing import Any

from riverboat.arena import Ledger, MatchResult, unit_of
from riverboat.cli._match_report import plus_minus
from riverboat.cli._output import console
from riverboat.errors import ArenaError

__all__ = ["enter_result"]


def enter_result(result: MatchResult, settings: dict[str, Any]) -> None:
    """Show the result with its interval and enter it; a ledger that fails is told in a sentence.

    Parameters
    ----------
    result
        The person is its first bot.
    settings
        As `Ledger.add_result` takes them.
    """
    name = unit_of(result.settings.spec)[1]
    console.print(f"That is {plus_minus(result.mbb_per_hand())} m{name}/h (95 %).")
    if result.run_outs:
        value = plus_minus(result.mbb_per_hand(corrected=True))
        console.print(f"With all-in hands at their expectation: {value} m{name}/h.")
    try:
        Ledger().add_result("play", settings, result.summary(), result.seconds)
    except ArenaError as error:
        console.print(f"It is not entered: {error}", style="bold")
    else:
        console.print("It is in the ledger; `riverboat ledger` lists it.")

"""After a hand in the terminal: what the bot would have done, and what your choices cost."""

from collections.abc import Iterator

from riverboat.learn import OWN_CHOICE, Grade, decisions_of, seat_grader
from riverboat.report import percent
from riverboat.table import Session


def graded_lines(session: Session) -> Iterator[str]:
    """Say of each own decision what the first bot's strategy does there; nothing if it has none."""
    spec = session.spec
    name = session.names[1]
    grader = seat_grader(name, spec)
    if grader is None:
        return
    blind, cost = max(spec.big_blind, 1), 0.0
    graded = 0
    for view, did in decisions_of(session.hand, session.seat_of(0)):
        grade = grader.grade(view, did)
        graded += grade.graded
        cost += (grade.loss or 0.0) / blind
        if grade.graded and grade.frequency < OWN_CHOICE:
            yield f"{spec.street_names[view.street]}, you {did}: {_told(grade, blind)}"
    if graded:
        yield f"Beside the strategy this hand cost you {cost:.2f} bb."


def _told(grade: Grade, blind: int) -> str:
    played = ", ".join(
        f"{act} {percent(share, 0)}" for act, share in grade.actions.items() if share
    )
    if grade.loss is None:
        return f"it plays {played}"
    margin = f" ± {1.96 * grade.error / blind:.2f}" if grade.error else ""
    return f"it plays {played}; yours cost {grade.loss / blind:.2f}{margin} bb"

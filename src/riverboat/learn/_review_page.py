"""A review as one page of HTML that needs no other file, with filters; page.html.j2 speaks."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from riverboat.files import atomic_path
from riverboat.report import how_many, percent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from riverboat.learn._grade import Grade
    from riverboat.learn._review import GradedDecision, Review

_MOST_ROWS: Final = 2_000
_NAMES: Final = {
    "result": "as played",
    "all_in": "all-in hands at their expectation",
    "aivat": "by AIVAT",
}


def review_html(
    review: Review, title: str = "Review", study: Callable[[GradedDecision], str] = lambda _: ""
) -> str:
    """Return a review as a page.

    Parameters
    ----------
    review
        What was found.
    title
        Of the page.
    study
        Gives the address of a decision on the Study page; empty if there is none.

    Examples
    --------
    >>> from riverboat.learn import Review
    >>> "<h1>Mine</h1>" in review_html(Review("Ada", "default", (), ()), "Mine")
    True
    """
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to import

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"outcome": _outcome, "played": _played}
    page = (files("riverboat.learn") / "review.html.j2").read_text(encoding="utf-8")
    rows = review.costly[:_MOST_ROWS]
    told = [each for each in review.hands if not each.graded and each.decisions]
    return environment.from_string(page).render(
        review=review,
        title=title,
        study=study,
        rows=rows,
        left_out=len(review.costly) - len(rows),
        filters=_filters(review, rows),
        graded=len(review.graded_hands),
        multiway=sum(each.multiway for each in review.hands),
        told=told[:_MOST_ROWS],
        names=_NAMES,
        how_many=how_many,
    )


def write_review(path: Path, review: Review, title: str = "Review") -> None:
    """Write the page, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_text(review_html(review, title), encoding="utf-8", newline="")


def _filters(review: Review, rows: tuple[GradedDecision, ...]) -> dict[str, list[str]]:
    streets = {each.street for each in rows}
    return {
        "street": [street for street in review.streets if street in streets],
        "position": sorted({each.position for each in rows}),
        "pot": sorted({each.pot_type for each in rows}),
        "result": sorted({_outcome(each) for each in rows}),
    }


def _outcome(decision: GradedDecision) -> str:
    won = decision.result_bb
    return "not known" if won is None else "won" if won > 0 else "lost" if won < 0 else "even"


def _played(grade: Grade) -> str:
    """Say what the strategy does, and what each action is worth where that is known."""
    told = []
    for action, share in grade.actions.items():
        if share > 0:
            told.append(f"{action} {percent(share, 0)}")
    return ", ".join(told)

"""What the tools on whole files share: files that are made from others, and their headers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from riverboat import __version__
from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._header import Header
from riverboat.blueprint._sanity import Finding
from riverboat.blueprint._writer import OnProgress, Rows, told_rows, write_rows
from riverboat.errors import BlueprintError
from riverboat.tree import find_menu

_MOST_LETTERS: Final = 60

__all__ = ["check_same_game", "derived_header", "write_derived"]


def derived_header(header: Header, note: str, **changes: Any) -> Header:
    """Return the header of a file that is made from another, dated now."""
    return header.replace(
        riverboat=__version__,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=(*header.notes, note),
        **changes,
    )


def write_derived(
    path: Path | str, header: Header, source: Blueprint, rows: Rows, progress: OnProgress | None
) -> tuple[Finding, ...]:
    """Write other rows in the layout of a blueprint and with its cards; tell how far it is."""
    told = told_rows(rows, header, progress)
    return write_rows(path, header, source.layout, told, source.card_arrays())


def check_same_game(blueprints: Sequence[Blueprint]) -> None:
    """Refuse blueprints of different games, menus or cards; say what differs."""
    first = blueprints[0]
    for other in blueprints[1:]:
        for what, ours, theirs in (
            ("game", _rules(first.header), _rules(other.header)),
            ("menu", *(str(find_menu(each.header.menu)) for each in (first, other))),
            ("cards", _card_name(first.header), _card_name(other.header)),
            ("buckets", first.header.num_buckets, other.header.num_buckets),
        ):
            if ours != theirs:
                raise BlueprintError(
                    f"{first.path.name} and {other.path.name} do not go together: their {what} "
                    f"differ: {_difference(ours, theirs)}"
                )
        if not _same_cards(first, other):
            raise BlueprintError(
                f"{first.path.name} and {other.path.name} do not go together: their cards differ: "
                f"both are '{_card_name(first.header)}', but fitted otherwise"
            )


def _rules(header: Header) -> dict[str, Any]:
    """The game without its name, which decides nothing."""
    return {key: value for key, value in header.game.items() if key != "name"}


def _card_name(header: Header) -> str:
    return header.cards if isinstance(header.cards, str) else str(header.cards.get("name"))


def _difference(ours: Any, theirs: Any) -> str:
    """Name what differs, field by field if there are fields."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        fields = [key for key in ours if ours[key] != theirs.get(key)]
        return "; ".join(_field_difference(key, ours[key], theirs.get(key)) for key in fields)
    return f"'{ours}' and '{theirs}'"


def _field_difference(key: str, ours: Any, theirs: Any) -> str:
    """Both values where they are short; of long lists, as the streets', the name alone."""
    told = f"{key} {ours} and {theirs}"
    return told if len(told) <= _MOST_LETTERS else key


def _same_cards(first: Blueprint, other: Blueprint) -> bool:
    ours, theirs = first.card_arrays(), other.card_arrays()
    return (
        first.header.cards == other.header.cards
        and ours.keys() == theirs.keys()
        and all(np.array_equal(ours[name], theirs[name]) for name in ours)
    )

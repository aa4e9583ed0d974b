"""What stands in a source document, item by item, and what of it is here: its `document.toml`."""

from importlib.resources import files
from typing import Literal

import msgspec

from riverboat.report import Section, fill_template
from riverboat.reproductions._recipe import TomlTable, read_file


class Item(TomlTable, frozen=True):
    """An algorithm, bot, experiment, figure, table, aim or future work of a document."""

    where: str
    """Section, figure or heading."""
    what: str
    here: Literal["present", "differs", "not here"]
    how: str
    """Where it is, how it differs and why, or why it is not here."""


class _Document(TomlTable, frozen=True):
    item: tuple[Item, ...]


def read_document(name: str) -> tuple[Item, ...]:
    """Return the items of a source document, in its order; the demo has none.

    Examples
    --------
    >>> read_document("caltech")[1].where
    '2'
    >>> read_document("demo")
    ()
    """
    if not (files("riverboat.reproductions") / name / "document.toml").is_file():
        return ()
    return msgspec.toml.decode(read_file(name, "document.toml"), type=_Document).item


def document_sections(name: str) -> tuple[Section, ...]:
    """Return the section of a report that lists them; none without a source document."""
    items = read_document(name)
    return fill_template(read_file("", "document.md.j2"), items=items) if items else ()

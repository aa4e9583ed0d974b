"""XML of strangers: without entities, document types or references to other files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from riverboat.errors import HistoryError

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 12
_MOST_ELEMENTS = 5000


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, text and parts."""

    name: str
    values: dict[str, str]
    text: str = ""
    parts: list[Element] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """Yield all elements below this one, in the order of the text."""
        for part in self.parts:
            yield part
            yield from part.walk()

    def find(self, name: str) -> Element | None:
        """Return the first element of a name below this one."""
        return next((part for part in self.walk() if part.name == name), None)

    def text_of(self, name: str) -> str:
        """Return the text of the first element of a name, or nothing."""
        found = self.find(name)
        return found.text.strip() if found is not None else ""


def element_of(text: str) -> Element:
    """Return the elements of a text under one root.

    >>> element_of('<hand id="7"><cards>Ah Kd</cards></hand>').parts[0].parts[0].text
    'Ah Kd'
    """
    root = Element("root", {})
    open_elements, count = [root], 0

    def start(name: str, values: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS or len(open_elements) > _DEEPEST:
            raise HistoryError(
                f"a hand has at most {_MOST_ELEMENTS} elements, {_DEEPEST} inside each other"
            )
        element = Element(name, values)
        open_elements[-1].parts.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def data(words: str) -> None:
        open_elements[-1].text += words

    def refuse(*_: object) -> int:
        raise HistoryError("XML with document types or entities is not read")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(f"<root>{text}</root>", True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        raise HistoryError(f"the text is not XML: {error}") from error
    return root.parts[0] if root.parts else root

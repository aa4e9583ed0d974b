"""The pages of the documentation, cut into blocks.

A comment before a block says how it is treated: `slow` (run by the slow suite only),
`not run: why`, `needs: package` (run where that package is) or `save: name` (written to a file
of that name instead of being run).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "PYTHON", "ROOT", "SHELL", "Block", "blocks_of", "name_of", "prose_of"]

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
SHELL = ("", "sh", "bash", "console", "shell")
PYTHON = ("python", "pycon")
MARKS = ("", "slow", "not run", "needs", "save")

_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)")
_MARK = re.compile(r"^<!--\s*([a-z ]+?)(?::\s*(.*?))?\s*-->$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, where it stands, and what the comment before it says."""

    place: str
    language: str
    text: str
    mark: str
    detail: str

    def __post_init__(self) -> None:
        if self.mark not in MARKS:
            raise ValueError(f"{self.place}: <!-- {self.mark} --> is none of {', '.join(MARKS)}")
        if self.mark in ("not run", "needs", "save") and not self.detail:
            raise ValueError(f"{self.place}: <!-- {self.mark}: .. --> does not say what or why")


def name_of(page: Path) -> str:
    """A page's path within the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(text: str, name: str) -> Iterator[Block]:
    """Cut a page into its fenced blocks, in order."""
    mark: tuple[str, str] = ("", "")
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if fence := _FENCE.match(line):
            body = _body(lines, fence[1], fence[2])
            yield Block(f"{name}:{number}", fence[3].lower(), body, *mark)
            mark = ("", "")
        elif said := _MARK.match(line.strip()):
            mark = (said[1], said[2] or "")
        elif line.strip():
            mark = ("", "")


def _body(lines: Iterator[tuple[int, str]], indent: str, fence: str) -> str:
    """The lines up to the closing fence."""
    body: list[str] = []
    for _, line in lines:
        if line.strip() == fence:
            return "".join(f"{each}\n" for each in body)
        body.append(line.removeprefix(indent))
    raise ValueError(f"a block that begins with {fence} does not end")


def prose_of(text: str) -> str:
    """A page without its blocks and comments."""
    without = re.sub(
        r"^([ \t]*)(`{3,}|~{3,}).*?^\1\2[ \t]*$", "", text, flags=re.DOTALL | re.MULTILINE
    )
    return re.sub(r"<!--.*?-->", "", without, flags=re.DOTALL)

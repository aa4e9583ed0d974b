"""What a shell block tells to run."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from docs.pages import Block

__all__ = ["Command", "commands_of", "words_of"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its words, and the file that it reads as its input, if any."""

    words: tuple[str, ...]
    source: str | None = None

    @property
    def riverboat(self) -> tuple[str, ...] | None:
        """What follows `riverboat`, or None if it is another program."""
        words = self.words[2:] if self.words[:2] == ("uv", "run") else self.words
        return words[1:] if words[:1] == ("riverboat",) else None


def commands_of(block: Block) -> list[Command]:
    """The commands of a block: one a line, or several with `&&` between them.

    In a `console` block lines that begin with `$` are commands, and the others their output.
    """
    text = block.text.replace("\\\n", " ")
    lines = text.splitlines()
    if block.language == "console":
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [command for line in lines for command in _line(line)]


def words_of(line: str) -> list[str]:
    """The words of a line, without its comment."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&<>;")
    lexer.whitespace_split = True
    return list(lexer)


def _line(line: str) -> Iterator[Command]:
    words: list[str] = []
    for word in [*words_of(line), "&&"]:
        if word != "&&":
            words.append(word)
        elif words:
            yield _command(words)
            words = []


def _command(words: list[str]) -> Command:
    """Take the input file out of the words."""
    if "<" not in words:
        return Command(tuple(words))
    place = words.index("<")
    return Command((*words[:place], *words[place + 2 :]), words[place + 1])

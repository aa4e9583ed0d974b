"""Runs the blocks of a page, one after the other, in a folder of their own."""

import contextlib
import doctest
import io
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from docs.command_names import wrong_words
from docs.pages import PYTHON, SHELL, Block
from docs.prepared import PREPARED
from docs.shell import Command, commands_of
from riverboat.cli import main
from sizes import BUCKETS

__all__ = ["PageRun", "Suite", "is_run", "shortened", "with_few_buckets"]

Suite = Literal["default", "slow", "peer"]

#: The most hands and seconds of a page's commands where it is not followed to the letter.
FEW = {"--hands": 100, "--seconds": 0.1}

#: What a person types where a command asks: all streets, or before bots search.
TYPED = {"play": "c\nk\nk\nk\nq\n", "replay": "n\nn\ne\nq\n"}
TYPED_FEW = TYPED | {"play": "c\nq\n"}


def is_run(block: Block, suite: Suite = "default") -> bool:
    """Whether a block is run in a suite: all but the default one add those with their own mark."""
    if block.language not in (*SHELL, *PYTHON):
        return False
    return block.mark == "" or block.mark == {"slow": "slow", "peer": "needs"}.get(suite)


class PageRun:
    """A page that is being followed: its folder, and what its Python has defined so far.

    Unless it is followed `in_full`, its matches are short, and its recipes have few buckets.
    """

    def __init__(self, folder: Path, *, in_full: bool = False) -> None:
        self._folder = folder
        self._in_full = in_full
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, block: Block) -> None:
        """Do what a block says; anything that fails is named with the block's place."""
        if block.mark == "save":
            text = block.text if self._in_full else with_few_buckets(block.text)
            (self._folder / block.detail).write_text(text)
            return
        if block.language in SHELL:
            for command in commands_of(block):
                self._prepare(" ".join([*command.words, command.source or ""]))
                self._run_command(command, block.place)
            return
        self._prepare(block.text)
        if ">>>" in block.text:
            self._run_examples(block)
        else:
            exec(compile(block.text, block.place, "exec"), self._names)  # noqa: S102 - our own page

    def _prepare(self, text: str) -> None:
        """Make the files that a command or example takes as given and none before it made."""
        for name, make in PREPARED.items():
            if name in text and not (self._folder / name).exists():
                make(self._folder / name)

    def _run_command(self, command: Command, place: str) -> None:
        words = command.riverboat
        if words is None:
            pytest.fail(f"{place}: {' '.join(command.words)!r} is not a riverboat command")
        if wrong := wrong_words(words):
            pytest.fail(f"{place}: riverboat does not know {', '.join(wrong)}")
        typed = (self._folder / command.source).read_text() if command.source else ""
        known = TYPED if self._in_full else TYPED_FEW
        typed = typed or known.get(words[0] if words else "", "")
        shown = io.StringIO()
        with _terminal(typed, shown), contextlib.suppress(_GoodEndError):
            _call(words if self._in_full else shortened(words), shown, place)

    def _run_examples(self, block: Block) -> None:
        """Run a session of the interpreter and compare what it shows."""
        test = doctest.DocTestParser().get_doctest(
            block.text, self._names, block.place, block.place, 0
        )
        shown = io.StringIO()
        result = doctest.DocTestRunner(verbose=False).run(test, out=shown.write, clear_globs=False)
        self._names.update(test.globs)
        assert result.attempted > 0
        assert result.failed == 0, f"{block.place}\n{shown.getvalue()}"


def shortened(words: tuple[str, ...]) -> tuple[str, ...]:
    """The same command with few hands, in little time; a person's are not graded."""
    if words[:1] == ("play",):
        words = (*words, "--no-grade")
    return tuple(
        str(min(type(FEW[before])(word), FEW[before])) if before in FEW else word
        for before, word in pairwise(("", *words))
    )


def with_few_buckets(text: str) -> str:
    """A recipe of hold'em with cards whose tables are built."""
    return re.sub(r'^cards = ".*?"', f'cards = "{BUCKETS}"', text, flags=re.MULTILINE)


class _GoodEndError(Exception):
    """A command ended as it should."""


def _call(words: tuple[str, ...], shown: io.StringIO, place: str) -> None:
    before = sys.argv
    sys.argv = ["riverboat", *words]
    try:
        main()
    except SystemExit as end:
        if end.code:
            sentence = f"{place}: {' '.join(sys.argv)!r} ended with {end.code}"
            pytest.fail(f"{sentence}\n{shown.getvalue()[-2000:]}")
        raise _GoodEndError from end
    finally:
        sys.argv = before


@contextlib.contextmanager
def _terminal(typed: str, shown: io.StringIO) -> Iterator[None]:
    """Let a command read what was typed, and keep what it prints."""
    before, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            yield
    finally:
        sys.stdin = before

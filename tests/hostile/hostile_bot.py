"""Bots that mean harm, as source: each tries one thing.

A bot that gets what it must not get prints `BROKEN`. `{...}` in a source is filled in by the test:
`arena` (the process of the match), `ledger`, `victim` (a folder that is nobody's business),
`port` (of a server that listens), `folder` (the bot's own).
"""

from dataclasses import dataclass
from textwrap import dedent, indent

__all__ = ["KINDS", "Hostile", "tries"]

#: How a bot can fail; there are no others.
KINDS = frozenset(("raised", "illegal", "timeout", "exited", "garbled", "memory", "absent", "hook"))

_CALL = "return 'c' if view.to_call else 'k'"

_TOP = "import ctypes, gc, os, random, re, signal, socket, struct, subprocess, sys, threading, time"

_HELPERS = """
def wire():
    return socket.socket(fileno=os.dup(int(sys.argv[1])))

def say(data):
    end = wire()
    end.setblocking(True)
    end.sendall(data)

def framed(data):
    return len(data).to_bytes(4, "big") + data

def packed(*values):
    import msgspec
    return framed(msgspec.msgpack.encode(values))

def broken(*words):
    print("BROKEN", *words)
"""


@dataclass(frozen=True)
class Hostile:
    """One bot.

    Attributes
    ----------
    name
        What it tries.
    act
        Body of `act`, before an honest answer.
    fails
        Kinds of failures of which it must have one; none: it must have no failure.
    top, init, more
        Further code: at the top of the file, in `__init__`, further methods.
    needs
        Protections without which nothing can hold it.
    refused
        Whether the match is not even begun; None: it may be.
    """

    name: str
    act: str = ""
    fails: tuple[str, ...] = ()
    top: str = ""
    init: str = ""
    more: str = ""
    needs: tuple[str, ...] = ()
    refused: bool | None = False

    def source(self, **filled: object) -> str:
        """Return the file."""
        act = indent(f"{dedent(self.act).strip()}\n{_CALL}", " " * 8)
        init = indent(dedent(self.init).strip() or "pass", " " * 8)
        more = indent(dedent(self.more).strip(), " " * 4)
        text = (
            f"{_TOP}\n{_HELPERS}\n{dedent(self.top)}\n\nclass Mine:\n    hoard = []\n\n"
            f"    def __init__(self):\n{init}\n\n    def act(self, view):\n{act}\n\n{more}\n"
        )
        for name, value in filled.items():
            text = text.replace(f"{{{name}}}", repr(value))
        return text


def tries(attempt: str, what: str = "") -> str:
    """Write an attempt that is `BROKEN` if it gets through."""
    body = indent(dedent(attempt).strip(), "    ")
    return f"try:\n{body}\n    broken({what!r})\nexcept Exception:\n    pass"

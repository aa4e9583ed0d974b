"""The errors that Riverboat raises: sentences that name the bad value and what is allowed.

The classes::

    RiverboatError               base of all errors raised on purpose; a ValueError
    |-- CardError                cards, hands, boards
    |   `-- RangeError           ranges
    |-- GameError                games, hands in play, bots
    |   `-- IllegalActionError   a move that the rules do not allow
    |-- MenuError                bet menus and lines of play
    |-- AbstractionError         buckets
    |-- SolveError               solvers, schemes, measurements of strategies
    |-- SpotError                spots and solutions
    |-- BlueprintError           strategy files
    |-- RunError                 trainings, reproductions, jobs
    |-- ArenaError               matches and the ledger
    |-- HistoryError             hand histories
    |   `-- OtherGameError       a hand of a game that is not hold'em
    |-- ReviewError              reviews, the trainer
    |-- ProtocolError            messages of other programs and sites
    |-- DamagedFileError         a file with a wrong header, structure or checksum
    |   `-- OtherFileError       an intact file of another kind
    |-- SandboxError             processes for untrusted bots
    |-- GpuError                 a missing GPU, or too little GPU memory
    `-- ClusterError             Ray
        `-- NodeError            one machine of a cluster

Catch `RiverboatError` to show the message to a user. The subclasses are for programs that treat
some failures differently.
"""

import re
from collections.abc import Iterable

__all__ = [
    "AbstractionError",
    "ArenaError",
    "BlueprintError",
    "CardError",
    "ClusterError",
    "DamagedFileError",
    "GameError",
    "GpuError",
    "HistoryError",
    "IllegalActionError",
    "MenuError",
    "NodeError",
    "OtherFileError",
    "OtherGameError",
    "ProtocolError",
    "RangeError",
    "ReviewError",
    "RiverboatError",
    "RunError",
    "SandboxError",
    "SolveError",
    "SpotError",
    "did_you_mean",
    "harmless",
    "in_words",
    "one_line",
    "point_at",
]

_ALIKE = 0.7  # from here on a name is suggested
_LONGEST = 10_000  # characters of a message from other code
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class RiverboatError(ValueError):
    """Base of every error that Riverboat raises on purpose."""


class RunError(RiverboatError):
    """A training, reproduction or other run that cannot start, resume or be saved."""


class CardError(RiverboatError):
    """A card, hand, board or hole pair that does not exist."""


class RangeError(CardError):
    """Text or numbers that are not a range of hands."""


class DamagedFileError(RiverboatError):
    """A file whose header, structure or checksums are wrong."""


class OtherFileError(DamagedFileError):
    """An intact file of another kind than expected."""


class GpuError(RiverboatError):
    """A missing GPU, or too little GPU memory."""


class GameError(RiverboatError):
    """Rules that are not a game, or a request that a hand cannot fulfil."""


class IllegalActionError(GameError):
    """A move that the rules do not allow; the hand is unchanged."""


class MenuError(RiverboatError):
    """A bet menu that cannot be read, or a line of play that is not on it."""


class SolveError(RiverboatError):
    """A solver with settings that it cannot run."""


class SpotError(RiverboatError):
    """A spot that cannot be read or does not exist in its game."""


class AbstractionError(RiverboatError):
    """A card abstraction that cannot be built, or that does not fit the game."""


class BlueprintError(RiverboatError):
    """A blueprint that cannot be read, written or queried."""


class HistoryError(RiverboatError):
    """A hand history that cannot be read, or that a format cannot express."""


class OtherGameError(HistoryError):
    """A hand of a game that is not read, such as Omaha; `game` names it."""

    def __init__(self, game: str) -> None:
        super().__init__(f"this is a hand of {game}; only hold'em is read")
        self.game = game


class ArenaError(RiverboatError):
    """A match that cannot be played, or a ledger that cannot be read."""


class SandboxError(RiverboatError):
    """A process for an untrusted bot that cannot be started or limited."""


class ProtocolError(RiverboatError):
    """A message of another program that its protocol does not allow."""


class ReviewError(RiverboatError):
    """Hands that cannot be reviewed, or a drill without questions."""


class ClusterError(RiverboatError):
    """A cluster that cannot be reached, or whose machines do not match."""


class NodeError(ClusterError):
    """A cluster machine that failed; the job is tried on another machine."""

    node = ""
    """Ray's id of the machine."""


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return the known name most similar to a wrong word, for a message; '' if none is similar.

    Only letters and digits are compared, in lower case.

    Examples
    --------
    >>> "'shrak' is not a bot" + did_you_mean("shrak", ["fish", "shark"])
    "'shrak' is not a bot (did you mean 'shark'?)"
    >>> did_you_mean("dolphin", ["fish", "shark"])
    ''
    """
    plain = {_plain(name): name for name in known}
    typed = _plain(word[:80]) if isinstance(word, str) else ""
    near = max(((_likeness(name, typed), name) for name in plain), default=(0.0, ""))
    return f" (did you mean {plain[near[1]]!r}?)" if near[0] >= _ALIKE else ""


def _likeness(first: str, second: str) -> float:
    """Return the share of letters in common blocks, as `difflib.SequenceMatcher.ratio` does.

    Importing `difflib` takes twice the CPU time of all comparisons. Names that cannot be alike
    enough, by their letters without order, count as 0.
    """
    total = len(first) + len(second)
    common = sum(min(first.count(letter), second.count(letter)) for letter in set(first))
    return 2 * _matching(first, second) / total if 2 * common >= _ALIKE * total > 0 else 0.0


def _matching(first: str, second: str) -> int:
    """Return the number of letters in the longest common block, and in those beside it."""
    for size in range(min(len(first), len(second)), 0, -1):
        for i in range(len(first) - size + 1):
            j = second.find(first[i : i + size])
            if j >= 0:
                before = _matching(first[:i], second[:j])
                return before + size + _matching(first[i + size :], second[j + size :])
    return 0


def _plain(name: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def in_words(error: BaseException) -> str:
    """Return the message of an error; for an unexpected one its kind too.

    Examples
    --------
    >>> in_words(CardError("Xh is not a card")), in_words(ZeroDivisionError("division by zero"))
    ('Xh is not a card', 'zero division error: division by zero')
    """
    if isinstance(error, RiverboatError):
        return _text_of(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__[:80]).lower()
    text = _text_of(error)
    return f"{kind}: {text}" if text else kind


def _text_of(error: BaseException) -> str:
    """Return an error's message, cut to a limit, even if its `__str__` fails."""
    try:
        return str(error)[:_LONGEST]
    except Exception:  # __str__ may be untrusted code
        return "the error has no readable message"


def one_line(text: str, most: int = 300) -> str:
    r"""Return untrusted text for a message: short, on one line, printable.

    Examples
    --------
    >>> one_line("no\0 such\ncard \ud800"), len(one_line("x" * 10**6))
    ('no� such card �', 300)
    """
    short = text if len(text) <= most else text[: most - 4] + " ..."
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}"
        for letter in short
    )


def point_at(text: str, start: int, token: str, what: str, reason: str) -> str:
    """Return a message on a token that cannot be read, with carets below the token in its line.

    Parameters
    ----------
    text
        The whole text; of a long line the part around the token is shown.
    start, token
        The place of the token and the token; empty at the end of the text.
    what
        What the message calls the text: `the bet menu`.
    reason
        Why the token cannot be read.

    Examples
    --------
    >>> print(point_at("AA, QX", 4, "QX", "the range", "X is not a rank"))
    'QX' at character 5 of the range cannot be read: X is not a rank
        AA, QX
            ^^
    """
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    begin, end = max(line_start, start - 36), min(line_end, start + 36)
    before, after = "…" * (begin > line_start), "…" * (end < line_end)
    # One column per character, so that the carets are below the token.
    shown = "".join(char if char.isprintable() else " " for char in text[begin:end])
    line = f" of line {text.count(chr(10), 0, start) + 1}" if "\n" in text else ""
    place = f"{_clipped(token)} at character {start - line_start + 1}{line}" if token else "the end"
    indent = " " * (len(before) + start - begin)
    carets = "^" * max(1, min(len(token), end - start))
    lines = f"    {before}{shown}{after}\n    {indent}{carets}"
    return f"{place} of {what} cannot be read: {reason}\n{lines}"


def _clipped(text: str) -> str:
    """Quote a text, cut to 36 characters."""
    return repr(text if len(text) <= 36 else text[:35] + "…")


def harmless(text: str) -> str:
    r"""Replace control characters, except line ends and tabs.

    Examples
    --------
    >>> harmless("\x1b[2Jfish\n")
    '�[2Jfish\n'
    """
    return _COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text)

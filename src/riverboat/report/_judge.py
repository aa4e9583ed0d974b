"""The one rule for judgements: clear for, clear against, not decided."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riverboat.report._words import listed
from riverboat.statistics import Estimate


def judge(found: Estimate | int, yes: str, no: str, open: str) -> str:  # noqa: A002 - its word
    """Choose what is said by where an interval lies: above zero, below, or around it.

    Examples
    --------
    >>> judge(Estimate.with_margin(5.0, 2.0), yes="won", no="lost", open="not decided")
    'won'
    >>> [judge(sign, "won", "lost", "not decided") for sign in (1, -1, 0)]
    ['won', 'lost', 'not decided']
    """
    sign = found.sign if isinstance(found, Estimate) else found
    return {1: yes, -1: no, 0: open}[sign]


@dataclass(frozen=True, slots=True)
class Tally:
    """Names, or places, of what was won, lost and left open."""

    won: tuple[object, ...]
    lost: tuple[object, ...]
    open: tuple[object, ...]

    @property
    def all(self) -> int:
        """1 or -1 if all of them, at least one, were won or lost; else 0."""
        if self.open or bool(self.won) == bool(self.lost):
            return 0
        return 1 if self.won else -1


def tally(found: Mapping[str, Estimate] | Iterable[Estimate]) -> Tally:
    """Count on which side of zero estimates lie.

    Examples
    --------
    >>> tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    Tally(won=('fish',), lost=(), open=('shark',))
    """
    named = found.items() if isinstance(found, Mapping) else enumerate(found)
    signs = [(name, estimate.sign) for name, estimate in named]
    won, lost, undecided = (
        tuple(name for name, sign in signs if sign == wanted) for wanted in (1, -1, 0)
    )
    return Tally(won, lost, undecided)


def told(  # noqa: PLR0913 - three outcomes, and how their names are written
    found: Tally,
    won: str,
    lost: str,
    open: str,  # noqa: A002 - its word
    *,
    apart: str = "; ",
    quote: str = "",
) -> str:
    """Say after these words what was won, lost and left open; what is empty is not spoken of.

    Examples
    --------
    >>> found = tally({"fish": Estimate.with_margin(5, 2), "shark": Estimate.with_margin(1, 2)})
    >>> told(found, "beats", "loses to", "is not told apart from")
    'beats fish; is not told apart from shark'
    """
    pairs = ((won, found.won), (lost, found.lost), (open, found.open))
    texts = [(words, [f"{quote}{name}{quote}" for name in names]) for words, names in pairs]
    return apart.join(f"{words} {listed(names)}" for words, names in texts if names)

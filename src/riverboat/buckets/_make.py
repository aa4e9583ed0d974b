"""Make a card abstraction from its text."""

from math import prod

from riverboat.buckets._card_abstraction import CardAbstraction
from riverboat.buckets._fitting import FitTask, Opener, ProgressCall, no_progress
from riverboat.buckets._kinds import KINDS
from riverboat.buckets._text import parse_abstraction
from riverboat.cards import STREETS, HandStrength
from riverboat.errors import AbstractionError

__all__ = ["make_abstraction"]

_MOST_BUCKETS = 2**32


def make_abstraction(
    text: str,
    tables: HandStrength | None = None,
    seed: int = 0,
    progress: ProgressCall = no_progress,
) -> CardAbstraction:
    """Fit the card abstraction that a text names.

    Parameters
    ----------
    text
        Such as `percentile 169/200/200/200`, `suitless 2`, `equity-bins 3/4/3/4 recall` or
        `lossless | distribution 200 | distribution 200 | percentile 200`; see
        docs/buckets.md and `KINDS`.
    tables
        The hand-strength tables; the user's by default, opened (and built where they are
        missing) only if the kind needs them.
    seed
        For kinds that draw random numbers.
    progress
        Called with each `AbstractionProgress`.

    Returns
    -------
    CardAbstraction
        Its name is the canonical text.

    Raises
    ------
    AbstractionError
        If the text cannot be read, or has more buckets than 32 bits can count.

    Examples
    --------
    >>> cards = make_abstraction("lossless | suitless")
    >>> cards.num_buckets, cards.name
    ((169, 76895), 'lossless | suitless')
    """
    wanted = parse_abstraction(text)
    opened = Opener(tables, progress)
    rules = tuple(
        KINDS[said.kind].fit(FitTask(street, said.num_buckets, opened, seed, progress))
        for street, said in zip(STREETS, wanted.streets, strict=False)
    )
    counts = [rule.num_buckets for rule in rules]
    if wanted.recall and prod(counts) >= _MOST_BUCKETS:
        raise AbstractionError(
            f"{wanted} remembers {prod(counts):,} buckets: there can be {_MOST_BUCKETS - 1:,}"
        )
    return CardAbstraction(str(wanted), rules, wanted.recall)

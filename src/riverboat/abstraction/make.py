"""Make a card abstraction from its text."""

from math import prod

from riverboat.abstraction.card_abstraction import CardAbstraction
from riverboat.abstraction.fitting import AbstractionProgress, FitTask, ProgressCall, no_progress
from riverboat.abstraction.kinds import KINDS
from riverboat.abstraction.street_rule import StreetRule
from riverboat.abstraction.text import AbstractionText, parse_abstraction
from riverboat.cards import BuildProgress, HandStrength
from riverboat.cards.strength_tables import STREETS, Street
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
        docs/abstraction.md and `KINDS`.
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
    opened = _Opener(tables, progress)
    rules = tuple(
        _fit(wanted, street, FitTask(name, said.num_buckets, opened, seed, progress))
        for street, (name, said) in enumerate(zip(STREETS, wanted.streets, strict=False))
    )
    counts = [rule.num_buckets for rule in rules]
    if wanted.recall and prod(counts) >= _MOST_BUCKETS:
        raise AbstractionError(
            f"{wanted} remembers {prod(counts):,} buckets: there can be {_MOST_BUCKETS - 1:,}"
        )
    return CardAbstraction(str(wanted), rules, wanted.recall)


def _fit(wanted: AbstractionText, street: int, task: FitTask) -> StreetRule:
    return KINDS[wanted.streets[street].kind].fit(task)


class _Opener:
    """Opens the hand-strength tables when they are first asked for."""

    def __init__(self, tables: HandStrength | None, progress: ProgressCall) -> None:
        self._tables = tables
        self._progress = progress

    def __call__(self) -> HandStrength:
        if self._tables is None:
            self._tables = HandStrength(progress=self._report)
        return self._tables

    def _report(self, report: BuildProgress) -> None:
        street: Street = report.street
        self._progress(AbstractionProgress("hand strength", street, report.done, report.total))

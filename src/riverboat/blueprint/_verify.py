"""Reading a whole file again: every checksum, and the sanity of every row."""

from collections.abc import Callable

import numpy as np

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._checks import Checker, Finding
from riverboat.blueprint._packing import count_ranks
from riverboat.errors import DamagedFileError

__all__ = ["verify"]


def verify(
    blueprint: Blueprint,
    progress: Callable[[int, int], object] | None = None,
    row_progress: Callable[[int, int], object] | None = None,
) -> tuple[Finding, ...]:
    """Check a whole file.

    Parameters
    ----------
    blueprint
        The file.
    progress
        Called with (blocks read, blocks in all).
    row_progress
        After that called with (infosets checked, infosets in all).

    Returns
    -------
    tuple of Finding
        What is remarkable about the strategy.

    Raises
    ------
    DamagedFileError
        If a block does not match its checksum, or the bits of a pruned file do not fit.
    """
    for done, total in blueprint.file.verify():
        if progress is not None:
            progress(done, total)
    if blueprint.header.pruned:
        _check_bits(blueprint)
    checker = Checker(blueprint.layout, blueprint.cards)
    for chunk, _, strategy, weights in blueprint.chunks():
        checker.add(chunk, strategy, weights)
        if row_progress is not None:
            row_progress(chunk.infosets.stop, blueprint.header.infosets)
    return checker.findings()


def _check_bits(blueprint: Blueprint) -> None:
    """Refuse a pruned file whose bits, ranks and rows do not belong together."""
    header, file = blueprint.header, blueprint.file
    for name, things, kept in (
        ("entry", header.entries, "strategy"),
        ("infoset", header.infosets, "weight"),
    ):
        bits = np.asarray(file.array(f"{name}_bits"))
        ranks = count_ranks(bits, things)
        count = int(np.unpackbits(bits, count=things, bitorder="little").sum(dtype=np.int64))
        good = np.array_equal(ranks, file.array(f"{name}_ranks"))
        if not good or count != file.spec(kept).shape[0]:
            raise DamagedFileError(f"{file.path} is damaged: its {name} bits do not fit its rows")

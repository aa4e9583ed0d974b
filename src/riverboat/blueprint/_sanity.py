"""Sanity checks of a strategy, chunk by chunk: on writing, and by `riverboat blueprint verify`.

Rows that are not distributions are an error. The other findings hint at wrong or short training:
few infosets visited, or aces folded before the flop.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint._blueprint import Blueprint
from riverboat.blueprint._layout import Chunk, GroupRows, Layout
from riverboat.blueprint._store import count_ranks
from riverboat.blueprint._visits import VisitScale
from riverboat.buckets import CardAbstraction
from riverboat.cards import NUM_CLASSES
from riverboat.errors import BlueprintError, DamagedFileError

Level = Literal["good", "note", "warning", "error"]

#: Tolerance of the sum of a row of float32 probabilities.
TOLERANCE: Final = 1e-4
#: Fractions of visited infosets below which there is a note, or a warning.
SOME_VISITED, FEW_VISITED = 0.5, 0.1
#: Folding aces before the flop more often than this is a warning.
ACES_FOLDED: Final = 0.01

_FOLD = 0  # kind of action


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check."""

    level: Level
    check: Literal["distributions", "visited", "visits", "aces"]
    text: str
    value: float | None = None
    """Measured value: bad rows, fraction visited, of few visits, or of aces folded."""


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Raise BlueprintError if a finding is an error."""
    errors = [finding.text for finding in findings if finding.level == "error"]
    if errors:
        raise BlueprintError("; ".join(errors))


class Checker:
    """Checks a strategy chunk by chunk.

    Parameters
    ----------
    layout
        The strategy's layout.
    cards
        The card abstraction; None if deals are enumerated.
    visits
        Scale from weights to visits; None if unknown.

    Attributes
    ----------
    bad_rows
        Rows so far that are not distributions, or have an invalid weight.
    """

    def __init__(
        self, layout: Layout, cards: CardAbstraction | None, visits: VisitScale | None
    ) -> None:
        self._layout = layout
        self._visits = visits
        self._rows = 0
        self._trained = 0
        self._few = 0
        self.bad_rows = 0
        self._first_bad = ""
        self._aces = _aces_bucket(layout, cards)
        self._aces_weight = 0.0
        self._aces_folded = 0.0

    def add(self, chunk: Chunk, strategy: NDArray[Any], weights: NDArray[Any]) -> None:
        """Check a chunk: [buckets, entries] probabilities, [buckets, decisions] weights."""
        group = self._layout.groups[chunk.group]
        self._rows += weights.size
        self._trained += int(np.count_nonzero(weights))
        if self._visits is not None:
            few = (weights > 0) & (weights < self._visits.few * self._visits.weight)
            self._few += int(np.count_nonzero(few))
        sums = group.sums(strategy)
        # Comparisons with NaN are false, so NaN is bad, too.
        good = (np.abs(sums - 1) <= TOLERANCE) & (group.least(strategy) >= 0)
        good &= np.isfinite(weights) & (weights >= 0)
        if not good.all():
            self._note_bad(chunk, group, ~good)
        if self._aces is not None and self._layout.tree.group_street[chunk.group] == 0:
            self._add_aces(chunk, group, strategy, weights)

    def _note_bad(self, chunk: Chunk, group: GroupRows, bad: NDArray[np.bool_]) -> None:
        if not self.bad_rows:
            bucket, decision = np.argwhere(bad)[0]
            line = self._layout.tree.line(int(group.nodes[decision]))
            where = f"after '{line}'" if line else "at the root"
            self._first_bad = f"bucket {chunk.first_bucket + bucket} {where}"
        self.bad_rows += int(np.count_nonzero(bad))

    def _add_aces(
        self, chunk: Chunk, group: GroupRows, strategy: NDArray[Any], weights: NDArray[Any]
    ) -> None:
        row = (self._aces or 0) - chunk.first_bucket
        if not 0 <= row < chunk.num_buckets:
            return
        # If a decision has a fold, it is the first action. In a tree of many players it may be the
        # only one: a rule of the menu excludes the call.
        tree = self._layout.tree
        can_fold = tree.action_kind[tree.first_child[group.nodes]] == _FOLD
        can_fold &= tree.num_actions[group.nodes] > 1
        reached = np.where(can_fold, weights[row].astype(np.float64), 0)
        self._aces_weight += float(reached.sum())
        self._aces_folded += float((reached * strategy[row, group.starts]).sum())

    def findings(self) -> tuple[Finding, ...]:
        """Return the results of all checks."""
        findings = [self._distributions(), self._visited()]
        if self._visits is not None and self._trained:
            findings.append(self._few_visits(self._visits.few))
        if self._aces is not None and self._aces_weight > 0:
            findings.append(self._aces_finding())
        return tuple(findings)

    def _distributions(self) -> Finding:
        if self.bad_rows:
            return Finding(
                "error",
                "distributions",
                f"{self.bad_rows:,} of {self._rows:,} rows are not distributions or have an "
                f"invalid weight, the first one in {self._first_bad}",
                self.bad_rows,
            )
        text = f"all {self._rows:,} rows are distributions"
        return Finding("good", "distributions", text, 0)

    def _visited(self) -> Finding:
        share = self._trained / self._rows
        level: Level = (
            "good" if share >= SOME_VISITED else "note" if share >= FEW_VISITED else "warning"
        )
        text = f"{self._trained:,} of {self._rows:,} infosets are trained ({share:.1%})"
        return Finding(level, "visited", text, share)

    def _few_visits(self, few: int) -> Finding:
        share = self._few / self._trained
        rarely = "hardly visited" if few == 1 else f"visited fewer than {few:,} times"
        text = f"{self._few:,} of these were {rarely} ({share:.1%})"
        return Finding("good" if share <= SOME_VISITED else "note", "visits", text, share)

    def _aces_finding(self) -> Finding:
        share = self._aces_folded / self._aces_weight
        level: Level = "good" if share <= ACES_FOLDED else "warning"
        text = f"aces are folded before the flop {share:.2%} of the time"
        return Finding(level, "aces", text, share)


def _aces_bucket(layout: Layout, cards: CardAbstraction | None) -> int | None:
    """The bucket of two aces before the flop, if no other hand shares it."""
    if cards is None or cards.num_buckets[0] != NUM_CLASSES:
        return None
    if layout.tree.spec.streets[0].hole != 2 or layout.tree.spec.streets[0].board:
        return None
    return cards.street_bucket("AsAh")


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
        Called with (blocks read, all blocks).
    row_progress
        Then called with (infosets checked, all infosets).

    Returns
    -------
    tuple of Finding
        Results of the checks.

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
    checker = Checker(blueprint.layout, blueprint.cards, blueprint.visit_scale)
    for chunk, _, strategy, weights in blueprint.chunks():
        checker.add(chunk, strategy, weights)
        if row_progress is not None:
            row_progress(chunk.infosets.stop, blueprint.header.infosets)
    return checker.findings()


def _check_bits(blueprint: Blueprint) -> None:
    """Refuse a pruned file with inconsistent bits, ranks and rows."""
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

"""Checks for tests of trees."""

from __future__ import annotations

import numpy as np

from riverboat.tree import DECISION, Tree


def check_offsets(tree: Tree) -> None:
    """Check that the entries of a group's decisions are adjacent, without gaps or overlaps."""
    for group in range(len(tree.group_player)):
        mine = (tree.kind == DECISION) & (tree.group == group)
        ends = np.sort(tree.offset[mine] + tree.num_actions[mine])
        assert np.sort(tree.offset[mine]).tolist() == [0, *ends[:-1].tolist()]
        assert ends[-1] == tree.group_entries[group]
        assert mine.sum() == tree.group_decisions[group]

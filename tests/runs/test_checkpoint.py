"""Checkpoints of other versions."""

from pathlib import Path

import pytest

from riverboat.errors import RunError
from riverboat.runs import Checkpoint


def test_a_checkpoint_of_0_1_is_refused() -> None:
    """`data/v0_1_kuhn.checkpoint` was written by Riverboat 0.1.0."""
    old = Path(__file__).parent / "data" / "v0_1_kuhn.checkpoint"
    with pytest.raises(RunError, match=r"written by Riverboat 0\.1: it cannot be resumed"):
        Checkpoint.open(old, "riverboat-checkpoint")

"""Ledgers with bits flipped: thousands of them."""

from pathlib import Path

import pytest

from arena.broken_ledgers import flip_bits, write_ledger
from hostile.trial import tried

FLIPS = 2_000


@pytest.mark.hostile
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_damaged_ledgers(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "ledger.sqlite"
    write_ledger(path)
    with tried("damage", "ledger", seed) as trial:
        trial.attempts = FLIPS
        refused, in_part = flip_bits(path, FLIPS, seed)
    assert refused + in_part > FLIPS // 2

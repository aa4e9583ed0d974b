"""Strategy files of Riverboat 0.1 open and say the same.

The files in data/ were written by 0.1.0, and data/v0_1.json has rows as it read them: all rows
of float32, pruned rows of 8 bits, and hold'em with a kind of buckets for each street.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.blueprint import Blueprint, prune, quantise, verify
from riverboat.game import Hand

DATA = Path(__file__).parent / "data"
SAID: dict[str, Any] = json.loads((DATA / "v0_1.json").read_text())


@pytest.mark.parametrize("name", sorted(SAID))
def test_files_are_read(name: str) -> None:
    blueprint, said = Blueprint.open(DATA / name), SAID[name]
    header = blueprint.header
    assert header.riverboat == "0.1.0"
    assert (header.spec.name, header.menu) == (said["game"], said["menu"])
    assert list(header.num_buckets) == said["num_buckets"]
    assert (blueprint.cards.name if blueprint.cards else None) == said["cards"]
    for node, bucket, row in said["rows"]:
        found = blueprint.row(node, bucket)
        assert (None if found is None else found.tolist()) == row


@pytest.mark.parametrize("name", sorted(SAID))
def test_files_are_whole(name: str) -> None:
    assert "error" not in {finding.level for finding in verify(Blueprint.open(DATA / name))}


def test_a_seat_is_answered() -> None:
    blueprint = Blueprint.open(DATA / "v0_1_holdem.blueprint")
    hand = Hand.from_line(blueprint.header.spec, "ck/kk/k", hole=["AhKh", "??"], board="Qh7c2d9s")
    answer = blueprint.strategy(hand.view(0))
    assert answer.bucket is not None
    row = blueprint.row(answer.node, answer.bucket)
    assert row is not None
    assert [share for _, share in answer.actions] == row.tolist()


def test_tools_take_them(tmp_path: Path) -> None:
    source = Blueprint.open(DATA / "v0_1_holdem.blueprint")
    prune(source, tmp_path / "pruned")
    quantise(Blueprint.open(tmp_path / "pruned"), tmp_path / "small")
    small = Blueprint.open(tmp_path / "small")
    for node, bucket, row in SAID[source.path.name]["rows"]:
        found = small.row(node, bucket)
        assert (found is None) == (row is None)
        if found is not None:
            assert found.tolist() == pytest.approx(row, abs=1 / 255)


def test_files_of_8_bits_become_smaller(tmp_path: Path) -> None:
    source = Blueprint.open(DATA / "v0_1_leduc_pruned.blueprint")
    assert (source.header.values, source.header.byte_weights) == ("uint8", False)
    quantise(source, tmp_path / "small")
    small = Blueprint.open(tmp_path / "small")
    assert small.file.spec("weight").dtype == np.uint8
    assert np.array_equal(small.dense(), source.dense())
    assert np.allclose(small.weights(), source.weights(), rtol=0.045)

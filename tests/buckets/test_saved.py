"""A saved card abstraction means the same buckets in every version that reads its format.

The numbers in data/saved.json were written with the same format by an earlier version.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.buckets import (
    CardAbstraction,
    make_abstraction,
)
from riverboat.buckets._tables import TableFile
from riverboat.cards import BOARD_CARDS, STREETS, HandStrength, as_cards
from sizes import slowly

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "saved.json").read_text())
TEXTS = list(DATA["abstractions"])


def restored(text: str) -> CardAbstraction:
    saved = DATA["abstractions"][text]
    arrays = {name: np.array(rows, dtype) for name, (dtype, rows) in saved["arrays"].items()}
    return CardAbstraction.restore(saved["values"], arrays)


@pytest.mark.parametrize("text", TEXTS)
def test_saved_abstractions_are_read(text: str) -> None:
    cards, saved = restored(text), DATA["abstractions"][text]
    assert (cards.name, list(cards.num_buckets)) == (text, saved["num_buckets"])
    hands = [as_cards(hand) for hand in DATA["hands"]]
    buckets = [
        [cards.street_bucket(hand[:2], hand[2 : 2 + size]) for size in BOARD_CARDS]
        for hand in hands
    ]
    assert buckets == saved["buckets"]
    assert cards.save()[0] == saved["values"]


@pytest.mark.parametrize("text", TEXTS)
def test_cached_tables_keep_their_names(text: str) -> None:
    cards, saved = restored(text), DATA["abstractions"][text]
    files = [
        TableFile(rule, street, cards.name, Path())
        for rule, street in zip(cards.rules, STREETS, strict=True)
    ]
    assert [file.path.name for file in files] == saved["files"]


@pytest.mark.parametrize("text", ["equity-bins 3/4/3/4", *slowly("percentile 7/6/5/4 recall")])
def test_fits_are_the_same(text: str, tables: HandStrength) -> None:
    arrays = make_abstraction(text, tables, seed=3).save()[1]
    saved = DATA["abstractions"][text]["arrays"]
    assert {name: [array.dtype.str, array.tolist()] for name, array in arrays.items()} == saved

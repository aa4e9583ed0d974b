"""The promise: training (tables) and play (one hand, on the fly) see the same buckets."""

import json
from pathlib import Path

import numpy as np
import pytest

from buckets.hands import random_hands, table_buckets
from riverboat.buckets import (
    CardAbstraction,
    bucket_tables,
    make_abstraction,
)
from riverboat.cards import HandStrength


def check(text: str, tables: HandStrength, folder: Path, hands: tuple[int, ...]) -> None:
    """Compare as many random hands on each street; the rule has been through JSON and back."""
    made = make_abstraction(text, tables, seed=3)
    compiled = bucket_tables(made, tables, folder)
    values, arrays = made.save()
    travelled = CardAbstraction.restore(json.loads(json.dumps(values)), arrays)
    rng = np.random.default_rng(5)
    for board, count in zip((0, 3, 4, 5)[: len(made.rules)], hands, strict=False):
        for begin in range(0, count, 10_000):
            drawn = random_hands(rng, min(10_000, count - begin), board)
            expected = table_buckets(compiled, drawn).tolist()
            for cards, bucket in zip(drawn.tolist(), expected, strict=True):
                assert travelled.street_bucket(cards[:2], cards[2:]) == bucket, cards


QUICK = ["lossless 2", "suitless 3", "percentile 20/200 recall", "equity-bins 3/4/3/4"]
QUICK += ["percentile-squared 20/50", "semantic 2"]
# Ten seconds to fit and fill; test_distribution.py compares tables and single hands by the rule.
LONGER = ["lossless 3", "percentile 20/200/200/200 recall"]
LONGER += ["percentile-squared 20/50/50", "distribution 20/30"]


@pytest.mark.parametrize(
    "text", [*QUICK, *(pytest.param(text, marks=pytest.mark.slow) for text in LONGER)]
)
def test_tables_and_single_hands_agree(text: str, tables: HandStrength, cache: Path) -> None:
    check(text, tables, cache, (200, 100, 1000, 2000))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "lossless",
        "suitless",
        "equity-bins 3/4/3/4",
        "percentile 169/200/200/200",
        "percentile-squared 169/200/200/200",
        "distribution 169/200/200/200",
        "ochs 169/200/200/200",
        "semantic",
    ],
)
def test_a_million_hands_agree(text: str, tables: HandStrength, tmp_path: Path) -> None:
    check(text, tables, tmp_path, (10_000, 10_000, 100_000, 880_000))

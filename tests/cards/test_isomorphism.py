"""The hand index against published sizes and against its plain twin."""

import itertools
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cards import many_hands
from riverboat.cards import HandIndexer
from riverboat.errors import CardError
from twins import isomorphism as reference

Rounds = tuple[int, ...]

PERFECT_RECALL: Rounds = (2, 3, 1, 1)
NO_STREET_MEMORY: list[Rounds] = [(2,), (2, 3), (2, 4), (2, 5)]

# All shapes that matter: the usual two, Omaha, and the limits.
ROUNDS: list[Rounds] = [
    PERFECT_RECALL,
    *NO_STREET_MEMORY,
    (1,),
    (1, 1),
    (1, 1, 1, 1),
    (3,),
    (4, 3, 1, 1),
    (1, 2, 3, 4),
    (4, 3, 3, 3),
    (1, 12),
    (13,),
]
INDEXERS = {rounds: HandIndexer(rounds) for rounds in ROUNDS}


def random_hands(rounds: Sequence[int], count: int, seed: int) -> NDArray[np.uint8]:
    generator = np.random.default_rng(seed)
    deck = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(generator.permuted(deck, axis=1)[:, : sum(rounds)])


@st.composite
def hands(draw: st.DrawFn) -> tuple[Rounds, list[int]]:
    """Draw rounds and cards for them; few ranks, so that suits often look alike."""
    rounds = draw(st.sampled_from(ROUNDS))
    size = sum(rounds)
    smallest_deck = -(-size // 4) * 4
    deck = draw(st.integers(min_value=smallest_deck, max_value=52))
    cards = draw(st.permutations(range(deck)))
    return rounds, cards[:size]


def test_perfect_recall_sizes() -> None:
    # Waugh, "A Fast and Optimal Hand Isomorphism Algorithm" (2013).
    sizes = [INDEXERS[PERFECT_RECALL].size(round_index) for round_index in range(4)]
    assert sizes == [169, 1_286_792, 55_190_538, 2_428_287_420]


def test_sizes_without_street_memory() -> None:
    # Classes of (hole, board as one set), as the project's targets state them;
    # Burnside's lemma gives the same numbers in the next test.
    sizes = [INDEXERS[rounds].size(len(rounds) - 1) for rounds in NO_STREET_MEMORY]
    assert sizes == [169, 1_286_792, 13_960_050, 123_156_254]


@pytest.mark.parametrize("rounds", ROUNDS, ids=str)
def test_sizes_by_burnside(rounds: Rounds) -> None:
    for end in range(1, len(rounds) + 1):
        assert INDEXERS[rounds].size(end - 1) == reference.num_classes(rounds[:end])


@pytest.mark.parametrize("rounds", [(1,), (2,), (1, 1)], ids=str)
def test_every_small_hand_against_the_twin(rounds: Rounds) -> None:
    indexer = HandIndexer(rounds)
    index_of: dict[reference.Form, int] = {}
    for hand in many_hands.all_rounds(rounds):
        form = reference.canonical_form(hand, rounds)
        assert index_of.setdefault(form, indexer.index(hand)) == indexer.index(hand)
    assert sorted(index_of.values()) == list(range(indexer.size(len(rounds) - 1)))


@pytest.mark.parametrize("rounds", [(3,), (2, 1), (1, 2), (1, 1, 1)], ids=str)
def test_every_three_card_hand_against_the_twin(rounds: Rounds) -> None:
    every = np.array(list(many_hands.all_rounds(rounds)), dtype=np.uint8)
    codes = many_hands.canonical_codes(every, rounds)
    indices = HandIndexer(rounds).index_batch(every)
    pairs = np.unique(np.stack([codes, indices]), axis=1)
    size = HandIndexer(rounds).size(len(rounds) - 1)
    np.testing.assert_array_equal(np.unique(codes), pairs[0])
    np.testing.assert_array_equal(np.arange(size), np.sort(pairs[1]))


def flop_hands(holes: Sequence[tuple[int, int]]) -> NDArray[np.uint8]:
    """Every flop after each of the hole pairs: [len(holes) * 19600, 5]."""
    flops = np.array(list(itertools.combinations(range(50), 3)))
    batch = np.empty((len(holes), len(flops), 5), dtype=np.uint8)
    for rows, hole in zip(batch, holes, strict=True):
        rows[:, :2] = hole
        rows[:, 2:] = np.delete(np.arange(52), hole)[flops]
    return batch.reshape(-1, 5)


@pytest.mark.parametrize("stride", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_every_flop_class_against_the_twin(stride: int) -> None:
    indexer = HandIndexer((2, 3))
    indices = np.arange(0, indexer.size(1), stride, dtype=np.uint64)
    representatives = indexer.unindex_batch(1, indices)
    np.testing.assert_array_equal(indexer.index_batch(representatives), indices)
    codes = many_hands.canonical_codes(representatives, (2, 3))
    assert len(np.unique(codes)) == len(indices)


@pytest.mark.slow
def test_every_flop_hand_against_the_twin() -> None:
    indexer = HandIndexer((2, 3))
    size = indexer.size(1)
    counts = np.zeros(size, dtype=np.int64)
    every_hole = list(itertools.combinations(range(52), 2))
    for first in range(0, len(every_hole), 51):
        indices = indexer.index_batch(flop_hands(every_hole[first : first + 51]))
        counts += np.bincount(indices.astype(np.int64), minlength=size)
    assert counts.sum() == 25_989_600  # C(52, 2) * C(50, 3)
    representatives = indexer.unindex_batch(1, np.arange(size))
    np.testing.assert_array_equal(counts, many_hands.class_sizes(representatives, (2, 3)))


@pytest.mark.parametrize("rounds", ROUNDS, ids=str)
def test_index_of_unindex_is_the_same_index(rounds: Rounds) -> None:
    indexer = INDEXERS[rounds]
    generator = np.random.default_rng(1)
    for round_index in range(len(rounds)):
        size = indexer.size(round_index)
        indices = np.concatenate(
            [
                np.arange(min(size, 2_000), dtype=np.uint64),
                np.arange(max(size - 2_000, 0), size, dtype=np.uint64),
                generator.integers(0, size, 50_000, dtype=np.uint64),
            ]
        )
        cards = indexer.unindex_batch(round_index, indices)
        np.testing.assert_array_equal(indexer.index_batch(cards), indices)


@pytest.mark.parametrize("round_index", [0, 1])
def test_round_trip_of_every_index(round_index: int) -> None:
    indexer = INDEXERS[PERFECT_RECALL]
    indices = np.arange(indexer.size(round_index), dtype=np.uint64)
    cards = indexer.unindex_batch(round_index, indices)
    np.testing.assert_array_equal(indexer.index_batch(cards), indices)


@pytest.mark.parametrize("rounds", [PERFECT_RECALL, (2, 4), (2, 5), (4, 3, 1, 1)], ids=str)
def test_random_hands_have_isomorphic_representatives(rounds: Rounds) -> None:
    indexer = INDEXERS[rounds]
    batch = random_hands(rounds, 20_000, seed=2)
    representatives = indexer.unindex_batch(len(rounds) - 1, indexer.index_batch(batch))
    np.testing.assert_array_equal(
        many_hands.canonical_codes(representatives, rounds),
        many_hands.canonical_codes(batch, rounds),
    )


@pytest.mark.parametrize("rounds", [PERFECT_RECALL, (2, 5), (1, 2, 3, 4)], ids=str)
def test_close_hands_collide_exactly_when_isomorphic(rounds: Rounds) -> None:
    # Hands of 3 ranks and their neighbours: one card moved, or two exchanged,
    # often between rounds; then the suits permuted. Many are isomorphic, most not.
    generator = np.random.default_rng(3)
    size = sum(rounds)
    batch = []
    for _ in range(40):
        cards = generator.permutation(12)[:size].tolist()
        for place, other in itertools.product(range(size), repeat=2):
            near = list(cards)
            near[place], near[other] = near[other], near[place]
            batch.append(near)
        for place, card in itertools.product(range(size), range(12)):
            if card not in cards:
                batch.append([*cards[:place], card, *cards[place + 1 :]])
    batch = [reference.rename_suits(hand, generator.permutation(4).tolist()) for hand in batch]
    codes = many_hands.canonical_codes(np.array(batch, dtype=np.uint8), rounds)
    indices = INDEXERS[rounds].index_batch(batch)
    pairs = np.unique(np.stack([codes, indices]), axis=1)
    assert len(np.unique(codes)) == len(np.unique(indices)) == pairs.shape[1]
    assert 100 < pairs.shape[1] < 0.7 * len(batch)  # both cases occurred


@given(hands(), st.permutations(range(4)), st.randoms())
def test_names_of_suits_and_order_in_rounds_do_not_count(
    hand: tuple[Rounds, list[int]], suits: list[int], random: Random
) -> None:
    rounds, cards = hand
    shuffled = []
    for part in reference.split_rounds(reference.rename_suits(cards, suits), rounds):
        shuffled += random.sample(list(part), len(part))
    assert INDEXERS[rounds].index(shuffled) == INDEXERS[rounds].index(cards)


@given(hands())
def test_representative_is_isomorphic(hand: tuple[Rounds, list[int]]) -> None:
    rounds, cards = hand
    indexer = INDEXERS[rounds]
    found = indexer.unindex(len(rounds) - 1, indexer.index(cards))
    assert reference.canonical_form(found, rounds) == reference.canonical_form(cards, rounds)
    for part in reference.split_rounds(found, rounds):
        assert list(part) == sorted(part)


@given(hands(), st.data())
def test_same_index_if_and_only_if_isomorphic(
    hand: tuple[Rounds, list[int]], data: st.DataObject
) -> None:
    rounds, cards = hand
    other = data.draw(st.permutations(cards))
    same = reference.canonical_form(cards, rounds) == reference.canonical_form(other, rounds)
    assert (INDEXERS[rounds].index(cards) == INDEXERS[rounds].index(other)) == same


def test_twins_agree() -> None:
    for rounds in [(2, 3), (1, 2, 3, 4)]:
        batch = random_hands(rounds, 100, seed=4)
        for hand, code in zip(batch, many_hands.canonical_codes(batch, rounds), strict=True):
            form = reference.canonical_form(hand.tolist(), rounds)
            packed = 0
            for card in itertools.chain(*form):
                packed = packed * 64 + card
            assert packed == int(code)


def test_batches_agree_with_single_calls() -> None:
    indexer = INDEXERS[PERFECT_RECALL]
    for round_index, num_cards in enumerate([2, 5, 6, 7]):
        batch = random_hands((num_cards,), 200, seed=5)
        indices = indexer.index_batch(batch)
        assert indices.tolist() == [indexer.index(hand.tolist()) for hand in batch]
        cards = indexer.unindex_batch(round_index, indices)
        assert cards.tolist() == [indexer.unindex(round_index, int(i)) for i in indices]


def test_text_and_number_hands_are_the_same() -> None:
    indexer = HandIndexer()
    assert indexer.index("2c3d") == indexer.index([0, 5]) == indexer.index(["2c", "3d"])
    assert indexer.index("AhKh") == indexer.index(np.array([44, 48]).tolist())


def test_batches_of_other_types_and_layouts() -> None:
    indexer = INDEXERS[PERFECT_RECALL]
    batch = random_hands(PERFECT_RECALL, 50, seed=6)
    expected = indexer.index_batch(batch)
    for same in [batch.astype(np.int64), np.asfortranarray(batch), batch.tolist()]:
        np.testing.assert_array_equal(indexer.index_batch(same), expected)
    assert indexer.index_batch(np.empty((0, 5), dtype=np.uint8)).shape == (0,)
    assert indexer.unindex_batch(2, np.empty(0, dtype=np.uint64)).shape == (0, 6)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("AhKx", "'Kx' is not a card"),
        ("AhAh", "the card Ah appears twice in 'AhAh'"),
        ("", "has 2, 5, 6 or 7 cards, not 0"),
        ("AhKdQc", "has 2, 5, 6 or 7 cards, not 3"),
        ([0, 52], "52 is not a card"),
        ([0, -1], "-1 is not a card"),
        ([0, 2**70], "is not a card"),
        ([0, 1.5], "1.5 is not a card"),
        (7, "7 is not a hand"),
        ("\ud800", "is not valid Unicode text"),
        (list(range(52)), "not 52"),
    ],
)
def test_wrong_hands(cards: str, sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        HandIndexer().index(cards)


@pytest.mark.parametrize(
    ("batch", "sentence"),
    [
        ([[0, 1], [3, 3]], "row 1 of the batch is not a hand of 2 different cards 0 to 51"),
        (np.array([[0, 52]], dtype=np.uint8), "row 0 of the batch"),
        (np.array([[64, 128]], dtype=np.uint8), "row 0 of the batch"),
        ([[0, 256]], "256 is not a card"),
        ([[0, -1]], "-1 is not a card"),
        ([[0.0, 1.0]], r"shape \[1, 2\] and type float64"),
        ([0, 1], r"shape \[2\]"),
        ([[0, 1, 2]], "2, 5, 6 or 7 cards, not 3"),
        ([[0, 1], [3]], "must have equal length"),
    ],
)
def test_wrong_batches(batch: list[list[int]], sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        HandIndexer().index_batch(batch)


@pytest.mark.parametrize("index", [-1, 169, 2**64, 2**64 - 1, "3", None, 1.0])
def test_wrong_indices(index: int) -> None:
    with pytest.raises(CardError, match="is not an index of round 0: indices are 0 to 168"):
        HandIndexer().unindex(0, index)


@pytest.mark.parametrize(
    ("indices", "sentence"),
    [
        ([0, 169], "169 is not an index of round 0: indices are 0 to 168"),
        ([-1], "-1 is not an index"),
        ([0.5], "type float64"),
        ([[1]], r"shape \[1, 1\]"),
    ],
)
def test_wrong_index_batches(indices: list[int], sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        HandIndexer().unindex_batch(0, indices)


def test_batches_may_be_empty() -> None:
    assert HandIndexer().index_batch([]).shape == (0,)
    assert HandIndexer().unindex_batch(1, []).shape == (0, 5)


def test_rounds_are_whole_numbers() -> None:
    for round_index in ("a", 1.0, None):
        with pytest.raises(CardError, match="there is no round"):
            HandIndexer().size(round_index)  # type: ignore[arg-type]  # wrong on purpose
    assert HandIndexer().size(np.int64(1)) == 1_286_792  # type: ignore[arg-type]  # NumPy's numbers are numbers


@pytest.mark.parametrize("round_index", [-1, 4])
def test_wrong_rounds_of_an_indexer(round_index: int) -> None:
    indexer = HandIndexer()
    with pytest.raises(CardError, match=f"no round {round_index}: the rounds are 0 to 3"):
        indexer.size(round_index)
    with pytest.raises(CardError, match=f"no round {round_index}"):
        indexer.unindex(round_index, 0)
    with pytest.raises(CardError, match=f"no round {round_index}"):
        indexer.unindex_batch(round_index, [0])


@pytest.mark.parametrize(
    "rounds",
    [(), (0,), (2, 0), (2, -1), (14,), (7, 7), (1, 1, 1, 1, 1), (2.5,), (10**30,), 3, "23"],
)
def test_rounds_that_cannot_be_indexed(rounds: Rounds) -> None:
    with pytest.raises(CardError, match="not rounds of cards"):
        HandIndexer(rounds)


def test_indexers_are_values() -> None:
    indexer = HandIndexer((2, 3))
    copy = pickle.loads(pickle.dumps(indexer))
    assert copy == indexer
    assert hash(copy) == hash(indexer)
    assert copy.rounds == (2, 3)
    assert copy.size(1) == indexer.size(1)
    assert repr(indexer) == "HandIndexer((2, 3))"
    assert indexer != HandIndexer((2, 4))


CHECKSUM_SCRIPT = """
import numpy as np
from riverboat.cards import HandIndexer
deck = np.tile(np.arange(52, dtype=np.uint8), (20_000, 1))
cards = np.random.default_rng(7).permuted(deck, axis=1)[:, :7]
indices = HandIndexer().index_batch(cards)
found = HandIndexer().unindex_batch(3, indices)
print(hash(indices.tobytes()), hash(found.tobytes()))
"""


def test_builds_for_all_processors_agree() -> None:
    # The x86-64-v3 build has instructions for what the baseline does in loops.
    printed = set()
    for isa in ["", "baseline"]:
        environment = {**os.environ, "RIVERBOAT_ISA": isa, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", CHECKSUM_SCRIPT]
        printed.add(subprocess.check_output(command, env=environment, text=True))
    assert len(printed) == 1

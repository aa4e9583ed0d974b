"""Canonical boards against their definition and the published numbers of classes."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.suits import orbit_size, renamed, smallest_renaming
from riverboat import _core
from riverboat.cards import (
    NUM_BOARDS,
    SUIT_PERMUTATIONS,
    board_cards,
    board_multiplicities,
    canonical_board,
    canonical_boards,
    hole_cards,
    hole_index,
    hole_permutations,
)
from riverboat.errors import CardError
from sizes import few_or_many

boards = st.integers(3, 5).flatmap(
    lambda size: st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
)


@pytest.mark.parametrize("stride", few_or_many(5, 1))
def test_every_flop_has_the_class_that_the_twin_says(stride: int) -> None:
    flops = np.array(list(combinations(range(52), 3))[::stride], np.uint8)
    ids, moves = canonical_boards(flops)
    twins = [smallest_renaming(flop) for flop in flops.tolist()]
    # The same partition: as many classes as pairs of (id, twin), and as many as twins.
    classes = len(set(zip(ids.tolist(), twins, strict=True)))
    assert len(set(ids.tolist())) == len(set(twins)) == classes
    assert 0.8 * NUM_BOARDS[3] < classes <= NUM_BOARDS[3]
    assert (classes == NUM_BOARDS[3]) == (stride == 1)
    table = board_cards(3)
    for flop, board_id, move in zip(flops.tolist(), ids, moves, strict=True):
        assert renamed(flop, SUIT_PERMUTATIONS[move]) == tuple(table[board_id].tolist())


@given(boards, st.randoms(use_true_random=False))
def test_renaming_suits_and_shuffling_keeps_the_class(board: list[int], random: object) -> None:
    found = canonical_board(board)
    canonical = board_cards(len(board))[found.id].tolist()
    assert renamed(board, SUIT_PERMUTATIONS[found.permutation]) == tuple(canonical)
    for suits in SUIT_PERMUTATIONS:
        other = list(renamed(board, suits))
        random.shuffle(other)  # type: ignore[attr-defined]  # it is a Random
        assert canonical_board(other).id == found.id


@given(boards, boards)
def test_different_classes_have_different_ids(first: list[int], second: list[int]) -> None:
    if len(first) == len(second):
        same = smallest_renaming(first) == smallest_renaming(second)
        assert (canonical_board(first).id == canonical_board(second).id) == same


@pytest.mark.parametrize("size", [3, 4, 5])
def test_ids_and_canonical_boards_are_inverse(size: int) -> None:
    table = board_cards(size)
    ids, moves = canonical_boards(table)
    assert np.array_equal(ids, np.arange(NUM_BOARDS[size]))
    assert not moves.any()  # canonical boards stay as they are


@pytest.mark.parametrize("size", [3, 4, 5])
def test_classes_cover_all_boards(size: int) -> None:
    counts = board_multiplicities(size)
    assert int(counts.sum(dtype=np.int64)) == comb(52, size)
    for board_id in range(0, NUM_BOARDS[size], NUM_BOARDS[size] // 300):
        assert counts[board_id] == orbit_size(board_cards(size)[board_id].tolist())


# Numbers of (hole, board) classes without street memory: Gilpin, Sandholm &
# Sorensen 2007 for the flop; hand-isomorphism (Waugh 2013) for {2}{3}, {2}{4}, {2}{5}.
@pytest.mark.parametrize(("size", "classes"), [(3, 1_286_792), (4, 13_960_050), (5, 123_156_254)])
def test_number_of_hole_classes(size: int, classes: int) -> None:
    counts = np.empty(NUM_BOARDS[size], np.uint16)
    _core.hole_class_counts_into(size, counts)
    assert int(counts.sum(dtype=np.int64)) == classes


def test_there_are_169_classes_before_the_flop() -> None:
    smallest = hole_permutations().min(axis=0)
    assert len(set(smallest.tolist())) == 169


def test_hole_permutations_follow_the_suits() -> None:
    table = hole_permutations()
    for move, suits in enumerate(SUIT_PERMUTATIONS):
        for hole in range(0, 1326, 7):
            assert table[move, hole] == hole_index(*renamed(hole_cards(hole), suits))


@pytest.mark.parametrize("board", ["", "Ah", "AhKh", "AhKhQhJhTh9h"])
def test_boards_of_other_sizes_are_refused(board: str) -> None:
    with pytest.raises(CardError, match="3, 4 or 5 cards"):
        canonical_board(board)


def test_bad_rows_are_refused() -> None:
    with pytest.raises(CardError, match="row 1 is not a board of 3 different cards"):
        canonical_boards([[0, 1, 2], [0, 1, 1]])
    with pytest.raises(CardError, match="row 0 is not a board"):
        canonical_boards(np.array([[0, 1, 52]], np.uint8))
    for wrong in ([[0, 1, 52]], [[0, 1, 256]], [[0, 1, -1]]):
        with pytest.raises(CardError, match=f"^{wrong[0][2]} is not a card"):
            canonical_boards(wrong)
    with pytest.raises(CardError, match="type float64"):
        canonical_boards([[0.0, 1.5, 2.0]])
    assert [len(part) for part in canonical_boards([])] == [0, 0]
    for size in (3.0, "3", [3]):
        with pytest.raises(CardError, match="a board has 3, 4 or 5 cards, not"):
            board_cards(size)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(CardError, match="3, 4 or 5 cards, not 7"):
        board_cards(7)

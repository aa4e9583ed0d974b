"""Equities that others have published, each also counted again here by brute force."""

from itertools import combinations

import numpy as np
import pytest

from cards.many_hands import count_boards
from riverboat.cards import Range, as_cards, equity, evaluate_batch, hole_cards
from sizes import slowly
from twins.equity import Hole, Outcomes, count_deals

BOARDS = 1_712_304  # C(48, 5)


def hole(text: str) -> Hole:
    low, high = as_cards(text)
    return low, high


def holes_of(text: str) -> list[Hole]:
    """All hole pairs of a range."""
    return [hole_cards(int(index)) for index in np.flatnonzero(Range.parse(text).weights)]


def exact_deals(hand: str, other: str, board: str = "") -> Outcomes:
    """The kernel's exact numbers of deals won, tied and lost."""
    result = equity(hand, other, board=board, method="exact")
    assert result.method == "exact"
    assert result.seed is None
    first, second = result.players
    assert first.standard_error == second.standard_error == 0
    assert first.equity + second.equity == pytest.approx(1, abs=1e-12)
    assert first.equity == pytest.approx(first.win + first.tie / 2, abs=1e-12)
    assert (second.win, second.tie, second.lose) == pytest.approx(
        (first.lose, first.tie, first.win), abs=1e-12
    )
    parts = [share * result.deals for share in (first.win, first.tie, first.lose)]
    assert parts == pytest.approx([round(part) for part in parts], abs=1e-3)
    return Outcomes(*map(round, parts))


# Hand against hand before the flop: deals won and tied by the first, of 1,712,304.
HAND_V_HAND = {
    # "Texas Hold'em Trivia", brainwagon.org, 9 April 2005, by GNU poker-eval's hcmp2: aces
    # against kings of the other suits, and against hands that share a suit with them.
    ("AdAc", "KhKs"): (1_388_072, 6_538),
    ("AdAc", "Td9d"): (1_338_249, 6_912),
    ("AdAc", "QcJh"): (1_450_987, 6_554),
    # Both suits shared, and one. No published count at hand: the AA v KK test below adds
    # these three up to the published sum.
    ("AdAc", "KdKc"): (1_410_336, 9_308),
    ("AdAc", "KdKh"): (1_399_204, 7_923),
    # The most one-sided match-up: 94.92 % "from 1,612,287 wins and 26,192 ties out of
    # 1,712,304", the Preflop blog's puzzle of kings against king-deuce.
    ("KcKd", "Kh2c"): (1_612_287, 26_192),
    # Classic races; published rounded only: 46 % for ace-king suited against queens
    # (pokerfortress.com, "Ace King vs. Pocket Queens"), about even against deuces.
    ("AhKh", "QsQd"): (787_966, 6_732),
    ("AhKh", "2c2d"): (852_207, 10_775),
    ("AhKh", "2h2d"): (845_329, 11_454),
}


# The three whose counts are published, and one that shares no card.
@pytest.mark.parametrize(
    ("hands", "published"),
    [
        pytest.param(*item, marks=[] if place in (0, 1, 5, 6) else pytest.mark.slow)
        for place, item in enumerate(HAND_V_HAND.items())
    ],
    ids=map(" v ".join, HAND_V_HAND),
)
def test_hand_against_hand(hands: tuple[str, str], published: tuple[int, int]) -> None:
    win, tie = published
    expected = Outcomes(win, tie, BOARDS - win - tie)
    assert count_boards(hole(hands[0]), hole(hands[1]), evaluate_batch) == expected
    assert exact_deals(*hands) == expected
    assert exact_deals(hands[1], hands[0]) == expected[::-1]


# Class against class before the flop: deals won, tied and lost over all pairs of hands.
CLASS_V_CLASS = {
    # The test data of OMPEval (github.com/zekyll/OMPEval, test.cpp).
    ("AA", "KK"): (50_371_344, 285_228, 10_986_372),
    # cardfight.com, "Seven Two suited versus Ace King unsuited": the totals of both, and
    # the rest of 48 * C(48, 5).
    ("72s", "AKo"): (29_706_444, 405_252, 52_078_896),
    # No published count at hand (49.9 % is the usual rounded figure); counted here.
    ("AKs", "22"): (20_370_432, 266_748, 20_458_116),
}


@pytest.mark.parametrize(
    ("classes", "published"),
    [
        pytest.param(*item, marks=[] if "72s" in item[0] else pytest.mark.slow)
        for item in CLASS_V_CLASS.items()
    ],
    ids=map(" v ".join, CLASS_V_CLASS),
)
def test_class_against_class(classes: tuple[str, str], published: tuple[int, int, int]) -> None:
    # Up to the names of suits there are few match-ups; each is counted once.
    counted = Outcomes(0, 0, 0)
    seen: dict[tuple[tuple[int, ...], ...], Outcomes] = {}
    for first in holes_of(classes[0]):
        for second in holes_of(classes[1]):
            if set(first) & set(second):
                continue
            key = suit_pattern(first, second)
            if key not in seen:
                seen[key] = count_boards(first, second, evaluate_batch)
            counted = Outcomes(*(a + b for a, b in zip(counted, seen[key], strict=True)))
    assert counted == published
    assert exact_deals(*classes) == published


def suit_pattern(first: Hole, second: Hole) -> tuple[tuple[int, ...], ...]:
    """Return two hands with suits numbered in order of appearance."""
    names: dict[int, int] = {}
    cards = [*sorted(first, reverse=True), *sorted(second, reverse=True)]
    return tuple((card // 4, names.setdefault(card % 4, len(names))) for card in cards)


def test_aces_v_kings_by_shared_suits() -> None:
    # Of 36 pairs of hands 6 share both suits, 24 one and 6 none.
    shares = {"KdKc": 6, "KdKh": 24, "KhKs": 6}
    parts = [HAND_V_HAND["AdAc", kings] for kings in shares]
    wins = sum(n * win for n, (win, _) in zip(shares.values(), parts, strict=True))
    ties = sum(n * tie for n, (_, tie) in zip(shares.values(), parts, strict=True))
    assert (wins, ties) == CLASS_V_CLASS["AA", "KK"][:2]


def test_kings_v_king_deuce_is_the_best_of_its_neighbours() -> None:
    # The Preflop blog's runners-up, in its order, all with the kicker's suit blocked but the last.
    runners_up = {
        ("KcKd", "Kh2c"): 94.92,
        ("QcQd", "Qh2c"): 94.66,
        ("KcKd", "Kh3c"): 94.48,
        ("JcJd", "Jh2c"): 94.35,
        ("QcQd", "Qh3c"): 94.22,
        ("AcAd", "Ah9c"): 94.08,
        ("KcKd", "Kh4c"): 94.04,
        ("KcKd", "Kh2s"): 94.03,
    }
    found = {hands: 100 * equity(*hands).players[0].equity for hands in runners_up}
    assert found == pytest.approx(runners_up, abs=0.005)
    assert list(found.values()) == sorted(found.values(), reverse=True)


# Before the flop against a random hand, ties half: jazbo.com, "Heads-up hold'em", from the
# exact results of all 47,008 match-ups.
AGAINST_RANDOM = {"AdAc": 0.8520371, "KdKc": 0.8239568, "AhKh": 0.6704463, "7c7d": 0.6623602}


# Each takes seconds. Aces are also counted in test_hand_strength.py, a flop here below.
@pytest.mark.slow
@pytest.mark.parametrize(("hand", "published"), AGAINST_RANDOM.items())
def test_against_a_random_hand(hand: str, published: float) -> None:
    result = equity(hand, "random", method="exact")
    assert result.deals == 2_097_572_400  # C(50, 2) * C(48, 5)
    assert result.players[0].equity == pytest.approx(published, abs=5e-8)


@pytest.mark.parametrize(("hand", "published"), AGAINST_RANDOM.items())
def test_against_a_random_hand_by_samples(hand: str, published: float) -> None:
    player = equity(hand, "random", method="monte-carlo", samples=1_000_000, seed=11).players[0]
    assert abs(player.equity - published) < 4 * player.standard_error
    assert player.standard_error < 0.0005


def test_ace_king_suited_v_random_on_a_flop() -> None:
    # 615,678 wins and 10,976 ties of 1,070,190 = C(47, 2) * C(45, 2): counted here again.
    expected = Outcomes(615_678, 10_976, 443_536)
    board = as_cards("Qh7c2d")
    deck = [card for card in range(52) if card not in {*hole("AhKh"), *board}]
    parts = [
        count_boards(hole("AhKh"), other, evaluate_batch, board) for other in combinations(deck, 2)
    ]
    assert Outcomes(*map(sum, zip(*parts, strict=True))) == expected
    assert exact_deals("AhKh", "random", "Qh7c2d") == expected
    assert sum(expected) == 1_070_190


@pytest.mark.parametrize(
    ("hand", "other", "board"),
    [
        ("AhKh", "QsQd", "Qh7h2d3c"),  # a flush draw against a set
        ("AhKh", "AdKd", "Qs7c2d3c"),  # nothing but ties
        ("8h7h", "AsAd", "9h6h2c2d"),  # fifteen outs
        ("2c2d", "AhKs", "QhJdTc3s"),  # a made straight
        ("AhKh", "JJ+, AQs+", "Th7c2d4h"),
        *slowly(("6c5c", "22, 76s, AJo", "9h8s7c2s")),
    ],
)
def test_against_plain_python(hand: str, other: str, board: str) -> None:
    held = [pair for pair in holes_of(other) if not {*pair} & {*as_cards(hand), *as_cards(board)}]
    expected = count_deals(hole(hand), held, as_cards(board))
    assert exact_deals(hand, other, board) == expected


@pytest.mark.parametrize("board", ["Qh7h2d3cTs", *slowly("AsKsQsJsTs", "AdAs7c7d2h", "2h3h4h5h9d")])
def test_river_against_a_random_hand(board: str) -> None:
    dealt = as_cards(board)
    deck = [card for card in range(52) if card not in {*hole("AhKh"), *dealt}]
    expected = count_deals(hole("AhKh"), combinations(deck, 2), dealt)
    assert sum(expected) == 990
    assert exact_deals("AhKh", "random", board) == expected

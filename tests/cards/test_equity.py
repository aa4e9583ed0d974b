"""Equity: exact against a plain count, Monte-Carlo against exact."""

import math
import threading
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat import _core
from riverboat.cards import HOLES, Range, as_cards, cards_text, equity, evaluate
from riverboat.errors import CardError, RiverboatError
from riverboat.runs import Stop


def plain_equity(players: list[Range], board: list[int], dead: list[int]) -> list[list[float]]:
    """Count (win, tie, share) by definition: every joint holding, every runout."""
    sums = [[0.0, 0.0, 0.0] for _ in players]
    total = 0.0
    gone = {*board, *dead}

    def deal(held: list[tuple[int, int]], weight: float) -> None:
        nonlocal total
        taken = gone | {card for hole in held for card in hole}
        if len(held) < len(players):
            weights = players[len(held)].weights
            for index in np.flatnonzero(weights).tolist():
                hole = tuple(HOLES[index].tolist())
                if not taken & set(hole):
                    deal([*held, hole], weight * weights[index])
            return
        left = [card for card in range(52) if card not in taken]
        for run_out in combinations(left, 5 - len(board)):
            strengths = [evaluate([*hole, *board, *run_out]) for hole in held]
            winners = strengths.count(max(strengths))
            total += weight
            for place, strength in enumerate(strengths):
                if strength == max(strengths):
                    sums[place][0 if winners == 1 else 1] += weight
                    sums[place][2] += weight / winners

    deal([], 1.0)
    return [[value / total for value in row] for row in sums]


CASES = [
    (["AhKh", "QQ, 87s"], "Qh7c2d5s", ""),
    (["AA:0.5, KK", "AKs, QJo:0.25, 22"], "Ah7c2d5s", "Kd"),
    (["22+", "A2s+, KTo+"], "Th9h2c3d4s", ""),
    (["AhKh", "QsQd"], "Qh7c2d", "2c"),
    (["AhKh", "QsQd, JJ", "T9s"], "Qh7c2d5s", ""),
    (["AK", "QQ", "T9s", "5h4h"], "Qh7c2d5s", "Ah"),
    (["2h3h", "4d5d"], "TsJsQsKsAs", ""),
]


@pytest.mark.parametrize(("players", "board", "dead"), CASES)
def test_exact_equals_the_plain_count(players: list[str], board: str, dead: str) -> None:
    ranges = [Range.parse(text) for text in players]
    expected = plain_equity(ranges, as_cards(board), as_cards(dead))
    result = equity(*ranges, board=board, dead=dead, method="exact")
    for player, (win, tie, share) in zip(result.players, expected, strict=True):
        assert (player.win, player.tie, player.equity) == pytest.approx((win, tie, share))
        assert player.lose == pytest.approx(1 - win - tie)
        assert player.standard_error == 0


@pytest.mark.parametrize(("players", "board", "dead"), CASES)
def test_samples_agree_with_exact(players: list[str], board: str, dead: str) -> None:
    exact = equity(*players, board=board, dead=dead, method="exact")
    sampled = equity(
        *players, board=board, dead=dead, method="monte-carlo", samples=300_000, seed=5
    )
    for true, seen in zip(exact.players, sampled.players, strict=True):
        # 4.5 sigma; the seed is fixed.
        assert abs(true.equity - seen.equity) <= 4.5 * seen.standard_error + 1e-12
        for share in ("win", "tie", "lose"):
            p = getattr(true, share)
            sigma = math.sqrt(p * (1 - p) / 300_000)
            assert abs(getattr(seen, share) - p) <= 4.5 * sigma + 1e-12


holes = st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True)


@given(holes, st.sampled_from(list(permutations(range(4)))), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_renaming_suits_changes_nothing(
    cards: list[int], suits: tuple[int, ...], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    left = [card for card in range(52) if card not in cards]
    board = rng.choice(left, 3, replace=False).tolist()

    def renamed(group: list[int]) -> list[int]:
        return [4 * (card // 4) + suits[card % 4] for card in group]

    plain = equity(cards_text(cards[:2]), cards_text(cards[2:]), board=board)
    moved = equity(
        cards_text(renamed(cards[:2])), cards_text(renamed(cards[2:])), board=renamed(board)
    )
    assert plain == moved


def test_wide_ranges_use_symmetry_and_agree_with_narrow_ones() -> None:
    """The walk over all hands, the pair by pair count and the symmetries give one answer."""
    first, second = Range.parse("22+, A2s+"), Range.parse("KTo+, 76s-54s")
    wide = equity(first, second, board="Qh7c2d", method="exact")
    total = share = 0.0
    for index in np.flatnonzero(first.weights).tolist():
        hole = cards_text(HOLES[index].tolist())
        if set(as_cards(hole)) & set(as_cards("Qh7c2d")):
            continue
        one = equity(hole, second, board="Qh7c2d", method="exact")
        total += one.deals
        share += one.deals * one.players[0].equity
    assert wide.deals == pytest.approx(total)
    assert wide.players[0].equity == pytest.approx(share / total)


def test_suited_ranges_before_the_flop_are_symmetric() -> None:
    both = equity("AA, KK, QQ, JJ", "22, 33, 44, 55", method="exact")
    turned = equity("22, 33, 44, 55", "AA, KK, QQ, JJ", method="exact")
    assert both.players == turned.players[::-1]
    assert both.deals == 24 * 24 * math.comb(48, 5)


@pytest.mark.threads
def test_full_range_against_itself_is_even() -> None:
    result = equity("random", "random", board="Qh7c2d")
    assert result.method == "exact"
    assert result.players[0].equity == 0.5
    assert result.players[0].win == result.players[1].win


def test_auto_samples_where_counting_would_take_long() -> None:
    result = equity("AhKh", "random", "random", samples=10_000, seed=3)
    assert (result.method, result.seed, result.deals) == ("monte-carlo", 3, 10_000)
    assert sum(player.equity for player in result.players) == pytest.approx(1)


@pytest.mark.threads
def test_same_seed_same_result_other_seed_other_result() -> None:
    def run(seed: int) -> tuple[object, ...]:
        return equity(
            "AK", "QQ", "random", method="monte-carlo", samples=600_000, seed=seed
        ).players

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_ten_players() -> None:
    result = equity("AhAs", *["random"] * 9, samples=200_000)
    # 31.1 %: the usual published figure for aces at a table of ten, to 0.1 %. The bound is
    # 4.5 standard errors and that rounding.
    assert abs(result.players[0].equity - 0.311) < 4.5 * result.players[0].standard_error + 0.0005


def test_ties_can_be_counted_otherwise() -> None:
    player = equity("AhKh", "random", board="Qh7c2d").players[0]
    assert player.win_rate() == player.equity == pytest.approx(player.win + player.tie / 2)
    assert player.win_rate("win") == player.win + player.tie
    assert player.win_rate("loss") == player.win
    with pytest.raises(CardError, match="half, win or loss"):
        player.win_rate("never")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (["AhKh"], {}, "2 to 10 players, not 1"),
        (["AhKh"] * 11, {}, "2 to 10 players, not 11"),
        (["AA", "AA", "AA"], {"method": "exact"}, "no deal is possible"),
        (["AA", "AA", "AA"], {"method": "monte-carlo"}, "share too many cards"),
        (["AhKh", "QQ"], {"board": "Qh7c"}, "0, 3, 4 or 5 cards, not 2"),
        (["AhKh", "QQ"], {"board": "Qh7c2d", "dead": "2d"}, "2d appears twice"),
        (["AhKh", "QQ"], {"method": "guess"}, "auto, exact or monte-carlo"),
        (["AhKh", "QQ"], {"samples": 0}, "samples=0"),
        (["AhKh", "QQ"], {"seed": -1}, "seed=-1"),
        (["AhKh", "XX"], {}, "XX"),
    ],
)
def test_bad_input_gets_a_sentence(
    arguments: list[str], options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(RiverboatError, match=sentence):
        equity(*arguments, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_a_hand_may_come_in_any_form() -> None:
    expected = equity("AhKh", "QQ", board="Qh7c2d")
    for hand in ("Ah Kh", "Kh,Ah", ["Ah", "Kh"], [50, 46], np.array([50, 46])):
        assert equity(hand, "QQ", board="Qh7c2d") == expected


@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (["AhKh", ""], {}, "the range of player 2 is empty"),
        (["AhKh", "AhQd"], {}, "players 1 and 2 both hold the card Ah"),
        (["QQ", "AhKh"], {"board": "AhKhQh"}, "player 2 has no hand left"),
        (["AhKh", "QQ"], {"dead": range(44)}, "players and board need 9, and the deck has 8"),
        (["AhKh", None], {}, "None is not cards"),
        (["AhKh", [50]], {}, "a hand has 2 cards, not 1"),
    ],
)
def test_both_methods_say_why_no_deal_is_possible(
    players: list[Any], options: dict[str, Any], sentence: str, method: Any
) -> None:
    with pytest.raises(CardError, match=sentence):
        equity(*players, method=method, **options)


def test_tiny_weights_count_by_their_proportions() -> None:
    tiny = "AA:1e-200, KK:5e-201", "QQ:1e-300"
    plain = equity("AA, KK:0.5", "QQ", board="2c7d9h", method="exact")
    small = equity(*tiny, board="2c7d9h", method="exact")
    for one, other in zip(plain.players, small.players, strict=True):
        assert one.equity == pytest.approx(other.equity, rel=1e-12)


def test_the_number_of_deals_is_in_joint_weight() -> None:
    full, half = (equity(f"AA:{w}", "KK", board="2c7d9h", method="exact") for w in (1, 0.5))
    assert half.deals == pytest.approx(full.deals / 2)


def test_few_samples_do_not_look_exact() -> None:
    one = equity("AhAs", "KK", method="monte-carlo", samples=1).players[0]
    assert one.interval == (0.0, 1.0)
    same = equity("2h3h", "4d5d", board="TsJsQsKsAs", method="monte-carlo", samples=100)
    assert same.players[0].equity == 0.5
    assert same.players[0].standard_error == 1 / 100
    # Unbiased variance of n shares that are 0 or 1: p (1 - p) n / (n - 1).
    many = equity("AhAs", "KhKs", board="2c7d9h3s", method="monte-carlo", samples=500).players[0]
    assert many.tie == 0
    expected = math.sqrt(many.equity * (1 - many.equity) / 499)
    assert many.standard_error == pytest.approx(expected)


def test_no_probability_is_below_zero() -> None:
    rng = np.random.default_rng(11)
    for _ in range(400):
        weights = np.zeros((2, 1326))
        for row in weights:
            row[rng.choice(1326, 12, replace=False)] = rng.random(12)
        ranges = [Range.from_weights(row) for row in weights]
        board = rng.choice(52, 5, replace=False).tolist()
        for player in equity(*ranges, board=board, method="exact").players:
            assert min(player.win, player.tie, player.lose, player.equity) >= 0


def test_what_would_take_hours_is_refused() -> None:
    with pytest.raises(CardError, match=r"evaluations, [\d,]+ days or so: use method='monte"):
        equity("random", "random", "random", method="exact")


@pytest.mark.parametrize(
    "options", [{"seed": 1.5}, {"seed": "1"}, {"samples": 1e4}, {"method": []}, {"samples": None}]
)
def test_options_of_the_wrong_kind_get_a_sentence(options: dict[str, Any]) -> None:
    with pytest.raises(CardError, match=r"is not (allowed|known)"):
        equity("AhKh", "QQ", **options)


def test_a_stopped_table_returns_at_once() -> None:
    """Else the sampling below, 10^15 deals, would never end."""
    full = Range.full().weights
    table = _core.EquityTable(np.stack([full, full]), np.empty(0, np.uint8), np.empty(0, np.uint8))
    table.stop()
    table.sample_into(10**15, 1, 0, np.zeros((4, 2)))
    assert table.exact_into(0, 52, np.zeros((4, 2))) == 0


def test_another_thread_ends_it() -> None:
    """Ranges that share almost all cards: of 24^8 drawn holdings 3.3e6 are possible."""
    stop = Stop()
    asker = threading.Timer(0.05, stop.ask)
    asker.start()
    with pytest.raises(CardError, match="stopped"):
        equity(*["JJ+"] * 8, stop=stop)
    asker.join()
    with pytest.raises(CardError, match="stopped"):  # also one that was stopped before it began
        equity("AhKh", "QQ", stop=stop)

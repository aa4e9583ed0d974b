"""The all-in correction: the kernel against its twin, and no bias."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.table_bots import AllIn, Fish
from riverboat import _core
from riverboat.arena import play_match
from riverboat.bots import RandomBot
from riverboat.game import GameSpec, Hand, Rake, Street, catalogue
from twins.run_out import expected_payoffs

GAMES = [
    catalogue("nolimit-100bb"),
    catalogue("nolimit-100bb", players=4).replace(stacks=(700, 1000, 333, 90)),
    catalogue("short-deck").replace(rake=Rake(percent=5, cap=20)),
    catalogue("leduc").replace(stacks=(4, 3)),
    catalogue("nolimit-100bb", players=3).replace(antes=(3, 3, 1), stacks=(501, 77, 1000)),
]


def random_hand(spec: GameSpec, seed: int) -> Hand:
    hand = Hand(spec, seed=seed)
    generator = random.Random(seed)
    while hand.actor is not None:
        moves = [move for move in hand.legal() if move != "f" or generator.random() < 0.2]
        hand.do(generator.choice(moves))
    return hand


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: f"{spec.name}-{spec.players}")
def test_kernel_and_twin_agree(spec: GameSpec) -> None:
    compared = 0
    for seed in range(300):
        hand = random_hand(spec, seed)
        found = _core.expected_payoffs(hand, 2_000, 3, seed)
        if found is None:
            # Nothing was left to chance, or nobody to win it from.
            assert len(hand.live) < 2 or expected_payoffs(hand) is None
        elif found[0] != 3:  # else it was sampled before the flop
            boards, payoffs = expected_payoffs(hand) or (0, ())
            assert found[0] == boards
            assert found[1] == pytest.approx(payoffs)
            compared += 1
        if compared == 6:
            return
    assert compared >= 3


def test_samples_before_the_flop_agree_with_all_boards() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b1000c", hole=["7h5s", "QsQh"], seed=1)
    boards, exact = _core.expected_payoffs(hand, 2_000_000, 1, 0) or (0, ())
    assert boards == 1_712_304  # C(48, 5)
    samples = 100_000
    _, sampled = _core.expected_payoffs(hand, 1, samples, 5) or (0, ())
    # A payoff deviates by 1,000 chips at most.
    assert abs(sampled[0] - exact[0]) < 4 * 1_000 / samples**0.5
    assert sampled[0] == pytest.approx(-sampled[1])
    assert _core.expected_payoffs(hand, 1, samples, 5) == (samples, sampled)


def test_discard_games_are_not_corrected() -> None:
    hand = Hand(catalogue("discard-2017"), seed=1)
    while hand.actor is not None:
        hand.do("s" if hand.discarding else "b200" if hand.can("b200") else "c")
    assert len(hand.live) == 2
    assert _core.expected_payoffs(hand, 10**6, 10, 1) is None
    played = play_match([AllIn, Fish], "discard-2017", hands=20, seed=1, keep_going=True)
    assert played.run_outs == 0


def test_private_cards_that_come_late_are_not_corrected() -> None:
    spec = GameSpec(
        stacks=(9, 9), antes=(1, 1), streets=(Street(hole=1), Street(hole=1, board=5)), min_bet=1
    )
    hand = Hand.from_line(spec, "b8c", seed=1)
    assert _core.expected_payoffs(hand, 10**6, 10, 1) is None


def test_the_correction_is_not_biased_and_helps() -> None:
    result = play_match([RandomBot, RandomBot], hands=10_000, seed=5, duplicate=False)
    change = result.unit_corrected[:, 0] - result.unit_chips[:, 0]
    assert result.run_outs > 500
    assert abs(change.mean()) < 4 * change.std() / len(change) ** 0.5
    assert np.allclose(result.unit_corrected.sum(axis=1), 0)
    reduction = result.variance_reduction()
    assert reduction is not None
    assert reduction > 1.1

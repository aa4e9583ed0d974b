"""Killer and KillBot: what they learn, and from what."""

import pytest

from bots.duplicates import play_hand
from riverboat.bots import Killer, make_bot
from riverboat.bots._learning_bots import KillBot
from riverboat.game import Hand, catalogue

SPEC = catalogue("nolimit-100bb")


def killer(text: str = "killer", seed: int = 1) -> Killer:
    bot = make_bot(text, seed)
    assert isinstance(bot, Killer)
    return bot


def test_a_result_moves_the_weights() -> None:
    # Two hands: the mean of the results is half of the second, in stacks of 1,000.
    bot = killer()
    bot.hand_over(Hand.from_line(SPEC, "f", seed=1).view(0))  # -5: the mean is -0.005
    bot.weights[2] = [0.5, 0.5]
    bot._choices.append((2, 1))
    bot.hand_over(Hand.from_line(SPEC, "b1000f", seed=1).view(0))  # +10: the mean is 0.0025
    surprise = 0.1 * (0.010 - 0.0025)
    assert bot.weights[2] == pytest.approx(
        [0.5 / (1 + surprise), (0.5 + surprise) / (1 + surprise)]
    )


def test_weights_stay_probabilities() -> None:
    bot = killer("killer:learning_rate=10,chain=no")
    for seed in range(300):
        play_hand((bot, make_bot("random", seed)), Hand(SPEC, seed=seed))
    assert bot.weights
    for weights in bot.weights.values():
        assert min(weights) >= 0
        assert sum(weights) == pytest.approx(1)
    assert 0 <= bot.x <= 1


def test_the_size_follows_the_last_ten_results() -> None:
    bot = killer()
    for _ in range(10):
        bot.hand_over(Hand.from_line(SPEC, "b1000f", seed=1).view(0))  # +10 each
    assert bot.x == pytest.approx(0.5 + 0.1 * (10 * 0.010) / 10)


def test_five_bins_and_the_line() -> None:
    view = Hand.from_line(SPEC, "b30", seed=1).view(1)
    plain, lined = killer(), killer("killer:line=yes")
    rates = (0.0, 0.199, 0.2, 0.99, 1.0)
    assert [plain.key(view, rate) for rate in rates] == [0, 0, 1, 4, 4]
    assert lined.key(view, 0.5) == (2, "b")  # without sizes


def test_raises_are_sized_by_x() -> None:
    # From 20 (x = 0) to 1000 (x = 1); aggressive moves only.
    view = Hand(SPEC, seed=1).view(0)
    for x, move in ((0, "b20"), (0.5, "b510"), (1, "b1000")):
        bot = killer(f"killer:x={x},bins=1")
        bot.weights[0] = [0.0, 1.0]
        assert {bot.decide(view, 0.5) for _ in range(40)} == {"c", move}
        bot.weights[0] = [1.0, 0.0]
        assert bot.decide(view, 0.5) == "f"


def test_the_chain_is_left_stage_by_stage() -> None:
    bot = killer("killer:patience=20,trial=10")
    lost, won = Hand.from_line(SPEC, "f", seed=1).view(0), Hand.from_line(SPEC, "f", seed=1).view(1)
    stages = []
    for _ in range(60):
        bot.hand_over(lost)
        stages.append(bot.stage)
    assert stages == ["killer"] * 19 + ["allin"] * 10 + ["honest"] * 10 + ["shark"] * 21
    winner = killer("killer:patience=20,trial=10")
    for _ in range(60):
        winner.hand_over(won)
    assert winner.stage == "killer"
    late = killer("killer:patience=20,trial=10")
    for _ in range(20):
        late.hand_over(lost)
    assert late.act(Hand(SPEC, seed=1).view(0)) == "b1000"  # all-in now
    for _ in range(30):
        late.hand_over(won)
    assert late.stage == "allin"  # it wins: no reason to go on
    alone = killer("killer:chain=no,patience=20")
    for _ in range(60):
        alone.hand_over(lost)
    assert alone.stage == "killer"


@pytest.mark.parametrize("name", ["killer", "killer:line=yes"])
def test_killer_learns_to_beat_fish(name: str) -> None:
    # husky: it learns within 500 to 1,000 hands. Seeded: hands 1,001 to 2,000 earn more
    # than the first 1,000.
    bot, fish = killer(name, seed=4), make_bot("fish", 0)
    results = []
    for number in range(2000):
        if number % 2:
            results.append(play_hand((fish, bot), Hand(SPEC, seed=number))[1])
        else:
            results.append(play_hand((bot, fish), Hand(SPEC, seed=number))[0])
    assert sum(results[1000:]) > sum(results[:1000])
    assert sum(results[1000:]) > 0


def test_killbot_learns_utilities() -> None:
    bot = make_bot("killbot", 1)
    assert isinstance(bot, KillBot)
    view = Hand(SPEC, seed=1).view(0)
    bot.decide(view, 0.7)
    ((key, chosen),) = bot._choices
    assert key == (2, "", 0)  # the upper third, nobody has moved, before the flop
    bot.hand_over(Hand.from_line(SPEC, "b1000f", seed=1).view(0))  # first hand, +10 of 1,000
    assert bot.utilities[key][chosen] == pytest.approx(1 * 0.010)
    assert {bot.decide(view, 0.7) for _ in range(20)} == {
        ("f", "c", "b40", "b1000")[chosen]
    }  # only this move has paid


def test_killbot_knows_the_last_move() -> None:
    for line, seat, letter in (("c", 1, "c"), ("b30", 1, "b"), ("b1000", 1, "a"), ("ck", 1, "")):
        assert KillBot._last_move(Hand.from_line(SPEC, line, seed=1).view(seat)) == letter

"""Bots that do not look at their cards."""

from collections import Counter

import pytest

from riverboat.bots import Bot, RandomBot, make_bot
from riverboat.errors import GameError
from riverboat.game import Hand, catalogue, catalogue_names


@pytest.mark.parametrize("game", catalogue_names())
@pytest.mark.parametrize("name", ["checkcall", "random", "fish", "all-in", "fold"])
def test_plays_every_game(game: str, name: str) -> None:
    bots: list[Bot] = [make_bot(name, seed) for seed in range(3)]
    spec = catalogue(game)
    for seed in range(200):
        hand = Hand(spec, seed=seed)
        while hand.actor is not None:
            hand.do(bots[hand.actor].act(hand.view(hand.actor)))
        assert sum(hand.payoffs()) == 0


def test_check_call_never_folds_or_raises() -> None:
    hand = Hand(catalogue("nolimit-100bb"), seed=1)
    hand.bet_to(30)
    bot = make_bot("checkcall", 0)
    assert bot.act(hand.view(1)) == "c"
    hand.call()
    assert bot.act(hand.view(1)) == "k"


def test_random_is_uniform() -> None:
    # 6,000 choices of three: mean 2,000, standard deviation sqrt(6000 * 2/9) = 36.5;
    # five of them are 183.
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    bot = RandomBot(seed=4)
    moves = [bot.act(view) for _ in range(6000)]
    counts = Counter(move[0] for move in moves)
    assert set(counts) == {"f", "c", "b"}
    assert all(abs(count - 2000) < 183 for count in counts.values())
    # Sizes are uniform on 20..1000: mean 510, standard deviation of a mean of 2,000 is
    # 283.2 / sqrt(2000) = 6.3, five of them 32.
    sizes = [int(move[1:]) for move in moves if move[0] == "b"]
    assert min(sizes) >= 20
    assert max(sizes) <= 1000
    assert abs(sum(sizes) / len(sizes) - 510) < 32


def test_random_does_not_fold_for_free() -> None:
    hand = Hand(catalogue("nolimit-100bb"), seed=1)
    hand.call()
    bot = RandomBot(seed=5)
    assert {bot.act(hand.view(1))[0] for _ in range(200)} == {"k", "b"}


def test_random_swaps_half_the_time() -> None:
    hand = Hand(catalogue("discard-2017"), seed=1)
    hand.play("ck")
    bot = RandomBot(seed=6)
    counts = Counter(bot.act(hand.view(1)) for _ in range(1000))
    assert len(counts) == 3  # stand, and either card
    assert abs(counts["s"] - 500) < 80  # five standard deviations of 15.8


def test_random_repeats_itself() -> None:
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    first, second = RandomBot(seed=7), RandomBot(seed=7)
    assert [first.act(view) for _ in range(50)] == [second.act(view) for _ in range(50)]


def test_unknown_bot() -> None:
    with pytest.raises(GameError, match="'whale' is not a bot: there are checkcall, random, fish"):
        make_bot("whale", seed=0)


def test_all_in_raises_while_it_may_in_limit_games() -> None:
    hand = Hand(catalogue("limit"), seed=1)
    bot = make_bot("all-in", seed=0)
    while hand.actor is not None and hand.street == 0:
        hand.do(bot.act(hand.view(hand.actor)))
    assert hand.line == "b20b30b40c"  # the blinds count as the first of four bets


def test_fold_never_folds_for_free() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb"), "c", seed=1)
    bot = make_bot("fold", seed=0)
    assert bot.act(hand.view(1)) == "k"
    hand.play("b30")
    assert bot.act(hand.view(0)) == "f"


def test_stock_random_never_calls() -> None:
    # 3,000 choices: folds have mean 1,000 and standard deviation sqrt(3000 * 2/9) = 25.8;
    # five of them are 129.
    view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    bot = make_bot("random-pypokerengine", seed=4)
    counts = Counter(str(bot.act(view))[0] for _ in range(3000))
    assert set(counts) == {"f", "b"}
    assert abs(counts["f"] - 1000) < 129


def test_stock_random_gives_up_where_it_cannot_raise() -> None:
    hand = Hand.from_line(catalogue("nolimit-100bb"), "b1000", seed=1)
    bot = make_bot("random-pypokerengine", seed=4)
    assert {bot.act(hand.view(1)) for _ in range(50)} == {"f"}

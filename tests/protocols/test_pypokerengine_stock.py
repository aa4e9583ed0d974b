"""PyPokerEngine's stock random player."""

from riverboat.protocols.pypokerengine import StockRandom

FREE = {"action": "call", "amount": 0}
FOLD = {"action": "fold", "amount": 0}


def answers(least: int, most: int) -> list[tuple[str, int]]:
    bounds = {"action": "raise", "amount": {"min": least, "max": most}}
    player = StockRandom(seed=1)
    return [player.declare_action([FOLD, FREE, bounds], [], {}) for _ in range(3_000)]


def test_it_folds_where_a_check_is_free_and_never_calls() -> None:
    """One answer in three is a fold: 3,000 of them have a standard deviation of 26."""
    told = answers(10, 1000)
    assert {action for action, _ in told} == {"fold", "raise"}
    assert abs(sum(action == "fold" for action, _ in told) - 1_000) < 5 * 26
    sizes = [amount for action, amount in told if action == "raise"]
    assert (min(sizes) < 20, max(sizes) > 990) == (True, True)
    assert 10 <= min(sizes) <= max(sizes) <= 1000


def test_it_folds_where_no_raise_is_offered() -> None:
    assert set(answers(-1, -1)) == {("fold", 0)}

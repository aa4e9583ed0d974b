"""What it costs to judge a discard: from tables, by dealing all run-outs, and inside a deal.

Two questions are timed, each both ways: keep or swap by the authors' fixed rule, and which card
a swap gives away, as in training.
"""

import time
from collections.abc import Callable

from riverboat.blueprint import SwapRule
from riverboat.bots import GAIN, discard, hand_strength
from riverboat.buckets import swap_values
from riverboat.cards import card_text, run_out_points
from riverboat.game import Hand, View
from riverboat.reproductions.pineapple._results import BothWays, SwapTimes
from riverboat.reproductions.pineapple._workshop import Workshop
from riverboat.solve import sample_deals

_HALF_POINTS = 1_980  # of a run-out: 2 for a win, 1 for a tie, against 990 hands


def time_swaps(shop: Workshop) -> SwapTimes:
    """Time discards."""
    own, tables = shop.amounts, hand_strength()
    spots = [_views(shop, line) for line in ("ck/", "ck/sskk/")]
    ways = [
        ("keep or swap", discard, discard_by_run_outs),
        ("which card", SwapRule(tables).card, SwapRule().card),
    ]
    times = list[BothWays]()
    for part, (text, look_up, run_out) in shop.run.part(0.0, 0.8).parts(ways):
        part.tell(0.0, text)
        few = own.slow_views
        times += [BothWays(_mean(each, look_up), _mean(each[:few], run_out)) for each in spots]
    shop.run.tell(0.8, "deals")
    preparing = _seconds(lambda: [swap_values(tables, street) for street in ("flop", "turn")])
    deals = shop.setup(shop.recipe).deals
    dealing = _seconds(lambda: sample_deals(deals, own.deals, shop.run.seed))
    # In phase k a player has 2^k hands, by his earlier swaps.
    choices = 2 * ((1 << len(deals.tree.spec.swap_streets)) - 1)
    rule_flop, rule_turn, card_flop, card_turn = times
    deal = dealing / own.deals
    return SwapTimes(rule_flop, rule_turn, card_flop, card_turn, deal, choices, preparing)


def discard_by_run_outs(view: View) -> str:
    """Decide a discard as `riverboat.bots.discard` does, by dealing all run-outs.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("discard-2017"), hole=["2c7d", "AsAd"], board="AhAcKsQh3c", seed=1)
    >>> hand.play("ck/sskk/")
    >>> view = hand.view(hand.actor)
    >>> discard_by_run_outs(view) == discard(view)
    True
    """
    board, (first, second) = list(view.board), view.hole
    gone = {first, second, *board, *view.discarded}
    fresh = [card for card in range(52) if card not in gone]

    def equity(one: int, other: int) -> float:
        return float(run_out_points([one, other], board).mean()) / _HALF_POINTS

    stand = equity(first, second)
    values = [sum(equity(kept, card) for card in fresh) / len(fresh) for kept in (second, first)]
    best = max(range(2), key=lambda index: values[index])
    return "s" if values[best] - stand < GAIN else f"d{card_text(view.hole[best])}"


def _views(shop: Workshop, line: str) -> list[View]:
    """Views of swap decisions after a line of play."""
    views = []
    for number in range(shop.amounts.swap_views):
        hand = Hand(shop.recipe.spec, seed=shop.run.seed + number)
        hand.play(line)
        if hand.actor is not None:
            views.append(hand.view(hand.actor))
    return views


def _mean(views: list[View], judge: Callable[[View], object]) -> float:
    judge(views[0])  # maps what it reads
    return _seconds(lambda: [judge(view) for view in views]) / len(views)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

"""Statistics of a bot in play: trained decisions, all-ins, swaps, and bet translation.

A *reading* is a rule that translates bets to the menu. To compare readings, the same strategy plays
the same deals with each. The difference to the authors' reading is split into deals in which a bet
short of all-in was read as all-in, and all other deals.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Answer, Blueprint
from riverboat.bots import make_bot
from riverboat.game import Action, View
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import blueprint_bot, watch_hands
from riverboat.reproductions.pineapple._training import (
    DATA,
    Workshop,
    kept_points,
    read_tenths,
    shop_of,
)
from riverboat.statistics import Estimate, mean_estimate
from riverboat.translation import Place


def watch(run: ReproductionRun) -> Found:
    """Observe the strategies of a training in play."""
    shop, points = shop_of(run), kept_points(run.found.training)
    found = []
    for part, point in run.parts(points):
        last = point is points[-1]
        count = shop.amounts.watched_hands if last else shop.amounts.side_watched
        tenths = read_tenths(run) if last else None
        watcher = _Watcher(shop, point.strategy, tenths)
        for number, _ in enumerate(_hands(shop, watcher.act, count)):
            part.tell(number / count, f"after {point.iterations:,} samples")
        found.append(watcher.result(point.iterations, count))
    return Found(bots=found)


def read_bets(run: ReproductionRun) -> Found:
    """Observe the trained strategy with several readings of bets, the authors' first."""
    shop, final = shop_of(run), run.found.training.points[-1].strategy
    names = (DATA.translation, *DATA.translations)
    hands, found = shop.amounts.watched_hands, list[_Reader]()
    for part, name in run.parts(names):
        reader = _Reader(shop, final, name)
        for number, won in enumerate(_hands(shop, reader.act, hands)):
            reader.end_hand(won)
            part.tell(number / hands, name)
        found.append(reader)
    return Found(ways=[reader.result(found[0].won) for reader in found])


def _hands(shop: Workshop, act: Callable[[View], str], count: int) -> Iterator[float]:
    """Play hands against the backup bot, and yield the winnings of each, mbb."""
    spec, seed = shop.recipe.spec, shop.run.seed
    for chips in watch_hands(spec, act, make_bot(DATA.opponent, seed + 1), count, seed):
        yield 1000 * chips / spec.big_blind


#: Kinds of counted decisions. Where the tree is already all-in, the bot checks or calls. Swaps are
#: by the rule, and count separately.
_COUNTED = ("trained", "untrained", "all_in_in_tree", "off_tree", "swap_decisions", "swaps")


class _Watcher:
    """Counts the decisions of a bot by kind."""

    def __init__(self, shop: Workshop, name: str, tenths: NDArray[np.uint8] | None) -> None:
        self.bot, self.tenths = blueprint_bot(shop.bot(name), shop.run.seed), tenths
        self.layout = Blueprint.open(shop.run.blueprint(name)).layout
        self.counts: Counter[str] = Counter()
        self.offers: defaultdict[int, list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0])

    def act(self, view: View) -> str:
        """Count a decision."""
        answer = self.bot.query.strategy(view)
        action = str(self.bot.act(view))
        if view.legal.stand:
            self.counts["swap_decisions"] += 1
            self.counts["swaps"] += action != "s"
            return action
        status = "all_in_in_tree" if answer.committed else answer.status.replace("-", "_")
        self.counts[status] += 1
        if answer.node >= 0 and self.tenths is not None:
            self._offer(view, answer, action, self.tenths)
        return action

    def _offer(self, view: View, answer: Answer, action: str, tenths: NDArray[np.uint8]) -> None:
        """Count a decision where the tree offers all-in.

        Another bet of the menu can also be all-in at a real table, so probabilities and choices
        are those of real actions.
        """
        bets, bounds = self.bot.query.tracker.nodes[answer.node].bets, view.legal.raise_to
        if bounds is None or not bets or not bets[-1].all_in:
            return
        place = self.layout.span(answer.node)
        reached = int(tenths[place.infoset + answer.bucket * place.bucket_infosets])
        menu, all_in = self.bot.query.menu(view), f"b{bounds[1]}"
        line = self.offers[reached]
        line[0] += 1
        line[1] += dict(answer.actions or menu).get(all_in, 0.0)
        line[2] += dict(menu).get(all_in, 0.0)
        line[3] += action == all_in

    def result(self, iterations: int, hands: int) -> Found:
        """Return the counts; `offers` are the decisions with all-in on the menu.

        They are grouped by the number of tenths of the training that reached them; `chosen` is the
        number of all-ins.
        """
        offers = [
            Found(
                tenths=tenths,
                decisions=int(count),
                probability=total / count,
                uniform=uniform / count,
                chosen=int(chosen),
            )
            for tenths, (count, total, uniform, chosen) in sorted(self.offers.items())
        ]
        counts = {name: self.counts[name] for name in _COUNTED}
        return Found(iterations=iterations, hands=hands, **counts, offers=offers)


class _Reader:
    """Records how a bot reads the bets that it faces."""

    def __init__(self, shop: Workshop, strategy: str, name: str) -> None:
        self.name = name
        self.bot = blueprint_bot(shop.bot(strategy, translation=name), shop.run.seed)
        self.counts: Counter[str] = Counter()
        self.sizes: list[float] = []
        self.largest = 0.0
        self.won: list[float] = []
        """Winnings of each hand, mbb."""
        self.misread: list[bool] = []
        self._misread_before = 0

    def act(self, view: View) -> str:
        """Record a bet that the bot faces."""
        query, faced = self.bot.query, view.to_call and view.line and not view.legal.stand
        place = query.tracker.find(query.seen(view)) if faced else None
        action = str(self.bot.act(view))
        if place is not None:
            self._note(view, place, action)
        return action

    def _note(self, view: View, place: Place, action: str) -> None:
        """Count a bet that the bot faces, and its answer."""
        self.sizes.append(view.to_call / (view.pot - view.to_call))
        self.counts[{"fold": "folds", "call": "calls", "bet": "raises"}[Action(action).kind]] += 1
        if place.committed:
            self.counts["after_all_in"] += 1
        elif view.stacks[1 - view.seat] > 0:
            self.counts["short"] += 1
            self.counts["taken_for_none"] += place.as_none
            self.counts["taken_for_all_in"] += self._is_all_in(place.node)

    def _is_all_in(self, node: int) -> bool:
        """Whether the bet that leads to a node is the tree's all-in."""
        if node < 0:
            return False
        bets = self.bot.query.tracker.nodes[int(self.bot.query.tree.parent[node])].bets
        self.largest = max(self.largest, *(bet.share for bet in bets if not bet.all_in), 0.0)
        return any(bet.all_in for bet in bets if bet.child == node)

    def end_hand(self, won: float) -> None:
        """Record the winnings of a hand, and whether a smaller bet was read as all-in."""
        self.won.append(won)
        self.misread.append(self.counts["taken_for_all_in"] > self._misread_before)
        self._misread_before = self.counts["taken_for_all_in"]

    def result(self, authors: list[float]) -> Found:
        """Summarise, compared with the authors' reading in the same deals."""
        more, misread = np.subtract(self.won, authors), np.array(self.misread)
        counted = ("short", "taken_for_all_in", "taken_for_none", "after_all_in")
        return Found(
            name=self.name,
            sizes=np.percentile(self.sizes or [0.0], (25, 50, 75)).tolist(),
            largest=self.largest,
            bets=len(self.sizes),
            **{name: self.counts[name] for name in (*counted, "folds", "calls", "raises")},
            total=mean_estimate(more),
            misread=contribution(more, misread),
            others=contribution(more, ~misread),
        )


def contribution(more: NDArray[np.float64], counted: NDArray[np.bool_]) -> Estimate:
    """Return the mean over all hands of the gain in the counted hands.

    Examples
    --------
    >>> contribution(np.array([4.0, 8.0, -2.0, 6.0]), np.array([True, True, False, False])).mean
    3.0
    """
    return mean_estimate(np.where(counted, more, 0.0))

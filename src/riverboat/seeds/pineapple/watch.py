"""A bot at the table, watched: where it knows its strategy, when it goes all-in, what it swaps."""

from collections import Counter, defaultdict

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint import Answer, Blueprint
from riverboat.bots import BlueprintBot, discard, make_bot
from riverboat.game import Hand, View
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.marks import read_tenths
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.work import blueprint_path, bot_text, recipe_of

__all__ = ["Offer", "Watched", "Watching", "watch"]


class Offer(msgspec.Struct, frozen=True):
    """Decisions with all-in on the menu, by tenths of the training that reached them."""

    tenths: int
    decisions: int
    probability: float
    """Of all-in in the strategy, mean over decisions; uniform where nothing was trained."""
    uniform: float
    """What uniform play gives there."""
    chosen: int
    """How often the bot went all-in."""


class Watched(msgspec.Struct, frozen=True):
    """What a bot did in some hands against the backup bot."""

    iterations: int
    hands: int
    trained: int
    untrained: int
    all_in_in_tree: int
    """Decisions at a table that is all-in by the tree's reading: the bot checks or calls."""
    off_tree: int
    swap_decisions: int
    swaps: int
    as_the_rule: int
    """Swap decisions like those of the fixed rule."""
    trained_bets: int
    """Of the trained decisions, those that are no swaps; the authors' swaps were a fixed rule."""
    untrained_bets: int
    offers: tuple[Offer, ...] = ()

    @property
    def decisions(self) -> int:
        """All decisions of the bot."""
        return self.trained + self.untrained + self.all_in_in_tree + self.off_tree

    @property
    def untrained_share(self) -> float:
        """Share of untrained infosets among the decisions that are in the tree, swaps too."""
        return self.untrained / max(1, self.trained + self.untrained)

    @property
    def untrained_bets_share(self) -> float:
        """Share of untrained infosets among the betting decisions that are in the tree."""
        return self.untrained_bets / max(1, self.trained_bets + self.untrained_bets)


class Watching(msgspec.Struct, frozen=True):
    """The strategies on the way, and the final one."""

    bots: tuple[Watched, ...]

    @property
    def last(self) -> Watched:
        """The final bot."""
        return self.bots[-1]


def watch(run: Reproduction, training: Training) -> Watching:
    """Watch the strategies of a training at the table."""
    return run.step("watching", Watching, lambda: _watch(run, training))


def _watch(run: Reproduction, training: Training) -> Watching:
    own = amounts(run)
    kept = [point for point in training.points if point.strategy]
    hands = [own.side_watched] * (len(kept) - 1) + [own.watched_hands]
    total, done, found = sum(hands), 0, []
    for point, count in zip(kept, hands, strict=True):
        last = point is kept[-1]
        watcher = _Watcher(run, point.strategy, read_tenths(run) if last else None)
        for number in range(count):
            watcher.play(run.seed + number, number % 2)
            if number % 50 == 0:
                run.tell((done + number) / total, f"after {point.iterations:,} samples")
        done += count
        found.append(watcher.result(point.iterations, count))
    return Watching(tuple(found))


class _Watcher:
    """Plays hands and counts decisions of the first bot."""

    def __init__(self, run: Reproduction, name: str, tenths: NDArray[np.uint8] | None) -> None:
        bot = make_bot(bot_text(run, name), run.seed)
        if not isinstance(bot, BlueprintBot):
            raise TypeError(f"{bot!r} does not play from a file")
        self.bot, self.tenths = bot, tenths
        self.other = make_bot(data().opponent, run.seed + 1)
        self.spec = recipe_of(run).spec()
        self.blueprint = Blueprint.open(blueprint_path(run, name))
        self.counts: Counter[str] = Counter()
        self.offers: defaultdict[int, list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0])

    def play(self, seed: int, seat: int) -> None:
        """Play a hand with the watched bot on a seat."""
        hand = Hand(self.spec, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            hand.do(self._act(view) if hand.actor == seat else str(self.other.act(view)))

    def _act(self, view: View) -> str:
        answer = self.bot.query.strategy(view)
        action = str(self.bot.act(view))
        status = "all-in in tree" if answer.committed else answer.status
        self.counts[status] += 1
        if view.legal.stand:
            self.counts["swap decisions"] += 1
            self.counts["swaps"] += action != "s"
            self.counts["as the rule"] += (action == "s") == (discard(view) == "s")
            return action
        self.counts[f"{status} bets"] += 1
        if answer.node >= 0 and self.tenths is not None:
            self._offer(view, answer, action)
        return action

    def _offer(self, view: View, answer: Answer, action: str) -> None:
        """Count a decision where the tree offers all-in.

        Another bet of the menu can come to all-in at a real table too: probabilities are those
        of real actions, as choices are.
        """
        decision = self.bot.query.tracker.nodes[answer.node]
        bounds = view.legal.raise_to
        if (
            bounds is None
            or not decision.bets
            or not decision.bets[-1].all_in
            or self.tenths is None
        ):
            return
        place = self.blueprint.layout.span(answer.node)
        reached = int(self.tenths[place.infoset + answer.bucket * place.bucket_infosets])
        menu, all_in = self.bot.query.menu(view), f"b{bounds[1]}"
        line = self.offers[reached]
        line[0] += 1
        line[1] += dict(answer.actions or menu).get(all_in, 0.0)
        line[2] += dict(menu).get(all_in, 0.0)
        line[3] += action == all_in

    def result(self, iterations: int, hands: int) -> Watched:
        """Sum up."""
        offers = tuple(
            Offer(tenths, int(count), total / count, uniform / count, int(chosen))
            for tenths, (count, total, uniform, chosen) in sorted(self.offers.items())
        )
        counts = self.counts
        return Watched(
            iterations,
            hands,
            counts["trained"],
            counts["untrained"],
            counts["all-in in tree"],
            counts["off-tree"],
            counts["swap decisions"],
            counts["swaps"],
            counts["as the rule"],
            counts["trained bets"],
            counts["untrained bets"],
            offers,
        )

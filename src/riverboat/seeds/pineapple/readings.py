"""Why the way to read bets matters: each bet of the backup bot, as each reading takes it.

The same strategy plays the same deals with each reading. What a reading wins more or less than
the authors' is split by deal: where it took a bet for all-in that was none, and all others.
"""

from collections import Counter

import msgspec
import numpy as np

from riverboat.arena import Estimate
from riverboat.bots import BlueprintBot, make_bot
from riverboat.game import Hand, View
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.work import bot_text, recipe_of
from riverboat.translation import Place

__all__ = ["Reading", "Readings", "contribution", "read_bets"]


class Reading(msgspec.Struct, frozen=True):
    """How a reading took the backup bot's bets in some hands, and what the bot answered."""

    name: str
    hands: int
    bets: int
    """Decisions of the bot that face a bet."""
    sizes: tuple[float, float, float]
    """Quartiles of those bets, in pots after calling."""
    largest: float
    """The largest bet of the menu short of all-in at these decisions, in pots."""
    short: int
    """Bets that are not all-in, at a table that is not all-in in the tree."""
    taken_for_all_in: int
    """Of these, read as all-in."""
    taken_for_none: int
    """Of these, read as no bet."""
    after_all_in: int
    """Bets met where the tree is all-in already: the bot calls."""
    folds: int
    calls: int
    raises: int
    total: Won
    """What it wins more than the authors' reading in the same deals, mbb/h."""
    misread: Won
    """The part of `total` from deals in which it took a bet for all-in that was none."""
    others: Won
    """The part from all other deals."""


class Readings(msgspec.Struct, frozen=True):
    """The authors' reading first, then others."""

    rows: tuple[Reading, ...]


def read_bets(run: Reproduction, training: Training) -> Readings:
    """Watch the trained strategy read bets in several ways."""
    return run.step("readings", Readings, lambda: _read(run, training))


def _read(run: Reproduction, training: Training) -> Readings:
    names = (data().translation, *data().translations)
    hands, found = amounts(run).watched_hands, []
    for index, name in enumerate(names):
        reader = _Reader(run, training.last.strategy, name)
        for number in range(hands):
            reader.play(run.seed + number, number % 2)
            if number % 50 == 0:
                run.tell((index + number / hands) / len(names), name)
        found.append(reader)
    return Readings(tuple(reader.result(found[0].won) for reader in found))


def contribution(more: list[float], counted: list[bool]) -> Won:
    """Return the mean over all hands of what the counted ones won more, with its 95 % interval.

    Examples
    --------
    >>> contribution([4.0, 8.0, -2.0, 6.0], [True, True, False, False]).mean
    3.0
    """
    values = np.where(counted, more, 0.0)
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    return Won.of(Estimate(float(values.mean()), error, len(values)), len(values))


class _Reader:
    """Plays hands and notes how bets are read that the first bot faces."""

    def __init__(self, run: Reproduction, strategy: str, name: str) -> None:
        bot = make_bot(bot_text(run, strategy, translation=name), run.seed)
        if not isinstance(bot, BlueprintBot):
            raise TypeError(f"{bot!r} does not play from a file")
        self.name, self.bot = name, bot
        self.other = make_bot(data().opponent, run.seed + 1)
        self.spec = recipe_of(run).spec()
        self.counts: Counter[str] = Counter()
        self.sizes: list[float] = []
        self.largest = 0.0
        self.won: list[float] = []
        """mbb of each hand."""
        self.misread: list[bool] = []

    def play(self, seed: int, seat: int) -> None:
        """Play a hand with the watched bot on a seat."""
        hand = Hand(self.spec, seed=seed)
        before = self.counts["taken for all-in"]
        while hand.actor is not None:
            view = hand.view(hand.actor)
            hand.do(self._act(view) if hand.actor == seat else str(self.other.act(view)))
        self.won.append(1000 * hand.payoffs()[seat] / max(self.spec.blinds))
        self.misread.append(self.counts["taken for all-in"] > before)

    def _act(self, view: View) -> str:
        place = self.bot.query.tracker.find(view)
        action = str(self.bot.act(view))
        if view.to_call and view.line and not view.legal.stand:
            self._note(view, place, action)
        return action

    def _note(self, view: View, place: Place, action: str) -> None:
        """Count a bet that the bot faces, and its answer."""
        self.sizes.append(view.to_call / (view.pot - view.to_call))
        self.counts[action[0]] += 1
        if place.committed:
            self.counts["after all-in"] += 1
        elif view.stacks[1 - view.seat] > 0:
            self.counts["short"] += 1
            self.counts["taken for none"] += place.as_none
            self.counts["taken for all-in"] += self._is_all_in(place.node)

    def _is_all_in(self, node: int) -> bool:
        """Whether the bet that leads to a node is the tree's all-in."""
        if node < 0:
            return False
        bets = self.bot.query.tracker.nodes[int(self.bot.query.tree.parent[node])].bets
        self.largest = max(self.largest, *(bet.share for bet in bets if not bet.all_in), 0.0)
        return any(bet.all_in for bet in bets if bet.child == node)

    def result(self, authors: list[float]) -> Reading:
        """Sum up, beside what the authors' reading won in the same deals."""
        more = [own - theirs for own, theirs in zip(self.won, authors, strict=True)]
        counts, quartiles = self.counts, np.percentile(self.sizes or [0.0], (25, 50, 75))
        return Reading(
            self.name,
            len(self.won),
            len(self.sizes),
            (float(quartiles[0]), float(quartiles[1]), float(quartiles[2])),
            self.largest,
            counts["short"],
            counts["taken for all-in"],
            counts["taken for none"],
            counts["after all-in"],
            counts["f"],
            counts["c"],
            counts["b"],
            contribution(more, [True] * len(more)),
            contribution(more, self.misread),
            contribution(more, [not each for each in self.misread]),
        )

"""Discounted CFR on a spot, hand by hand: every hand of both ranges, every card that can come.

Brown & Sandholm, "Solving imperfect-information games via discounted regret minimization", AAAI
2019, with alternating updates. Regrets are discounted before new ones are added. No renamed suits,
no sorted hands: each pair of hands is compared at each end.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Literal

from riverboat.cards import NUM_HOLES, evaluate, hole_cards
from riverboat.tree import CHANCE, DECISION, FOLD, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twins.gadget import PlainGadget

__all__ = ["PlainSpot"]

Hand = tuple[int, int]
Vector = dict[Hand, float]
Infoset = tuple[tuple[int, ...], int, Hand]


class PlainSpot:
    """A spot that is being solved.

    Parameters
    ----------
    tree
        Of two players, with chance nodes.
    board
        Cards dealt at its root.
    ranges
        1,326 weights of each player. Of a game with one hole card a hand is a card of the deck and
        one from outside, its own.
    own_reach
        Whether the average weighs strategies by the player's own reach: then it is collected while
        the other's values are found.
    gadget
        What the opponent may choose before the root. Then best responses and values are those of
        the game with that choice.

    Examples
    --------
    >>> from riverboat.cards import Range, parse_cards
    >>> from riverboat.game import GameSpec, Street
    >>> spec = GameSpec(
    ...     stacks=(20, 20), antes=(10, 10), min_bet=1, streets=(Street(hole=2, board=5),)
    ... )
    >>> ranges = Range.parse("AsAh, QsQh").weights, Range.parse("KsKh").weights
    >>> spot = PlainSpot(Tree(spec, "a", chance=True), parse_cards("2s3h4d6c7c"), ranges)
    >>> for t in range(300):
    ...     spot.run((t / (t + 1), t / (t + 1), t / (t + 1)))
    >>> round(spot.best_response(0), 1), round(spot.best_response(1), 1)
    (13.3, 6.7)
    """

    def __init__(
        self,
        tree: Tree,
        board: Sequence[int],
        ranges: tuple[Sequence[float], Sequence[float]],
        own_reach: bool = True,
        gadget: PlainGadget | None = None,
    ) -> None:
        self.tree = tree
        self.gadget = gadget
        self.own_reach = own_reach
        self.board = tuple(int(card) for card in board)
        self.deck = tree.spec.deck
        self.held = sum(street.hole for street in tree.spec.streets)
        dead, deck = set(self.board), set(self.deck)
        hands = {
            hole: cards
            for hole, cards in ((hole, hole_cards(hole)) for hole in range(NUM_HOLES))
            if not dead & set(cards) and len(deck & set(cards)) == self.held
        }
        self.ranges: list[Vector] = [
            {
                (cards[0], cards[1]): float(weights[hole])
                for hole, cards in hands.items()
                if weights[hole] > 0
            }
            for weights in ranges
        ]
        if gadget is not None:
            gadget.start(self.ranges, float(tree.contributions[0].sum()))
        self.regrets: defaultdict[Infoset, list[float]] = defaultdict(list)
        self.averages: defaultdict[Infoset, list[float]] = defaultdict(list)
        self._factors = (1.0, 1.0, 1.0)
        self._strength = cache(self._evaluated)
        self._paid = cache(self._settled)
        self._facts = list(zip(tree.kind.tolist(), tree.player.tolist(), strict=True))

    def run(self, factors: tuple[float, float, float]) -> None:
        """Run one iteration; the factors discount positive and negative regrets and the average."""
        self._factors = factors
        for player in (0, 1):
            reach = self.ranges[1 - player]
            if self.gadget is not None and self.gadget.player != player:
                reach = self.gadget.play(factors)
            values = self._walk("train", player, 0, self.board, reach)
            if self.gadget is not None and self.gadget.player == player:
                self.gadget.learn(values, factors)

    def best_response(self, player: int) -> float:
        """Return what the best response to the other's average wins, chips, with his share."""
        return self._root("best", player)

    def value(self, player: int) -> float:
        """Return what a player wins where both play their averages."""
        return self._root("average", player)

    def _root(self, how: Literal["best", "average"], player: int) -> float:
        mine, other = self.ranges[player], self.ranges[1 - player]
        if self.gadget is not None:
            return self._with_choice(self.gadget, how, player)
        values = self._walk(how, player, 0, self.board, other)
        met = {hand: sum(w for o, w in other.items() if not set(o) & set(hand)) for hand in mine}
        deals = sum(weight * met[hand] for hand, weight in mine.items())
        return sum(weight * values[hand] for hand, weight in mine.items()) / deals

    def _with_choice(self, gadget: PlainGadget, how: str, player: int) -> float:
        if player == gadget.player:
            entered = self._walk(how, player, 0, self.board, self.ranges[1 - player])
            return gadget.value(entered, how == "best")
        values = self._walk(how, player, 0, self.board, gadget.mean_reach())
        return gadget.other_value(sum(w * values[h] for h, w in self.ranges[player].items()))

    def _walk(
        self, how: str, player: int, node: int, board: tuple[int, ...], reach: Vector
    ) -> Vector:
        """Return the values of the player's hands, times the reach of the other's."""
        kind, actor = self._facts[node]
        if kind == CHANCE:
            return self._deal(how, player, node, board, reach)
        if kind != DECISION:
            return self._end(player, node, board, reach)
        if actor == player:
            return self._own(how, player, node, board, reach)
        return self._other(how, player, node, board, reach)

    def _own(
        self, how: str, player: int, node: int, board: tuple[int, ...], reach: Vector
    ) -> Vector:
        children = self.tree.children(node)
        by_action = [self._walk(how, player, child, board, reach) for child in children]
        result: Vector = {}
        for hand in by_action[0]:
            values = [vector[hand] for vector in by_action]
            if how == "best":
                result[hand] = max(values)
                continue
            key = (board, node, hand)
            strategy = _matched((self.regrets if how == "train" else self.averages)[key], values)
            result[hand] = sum(p * v for p, v in zip(strategy, values, strict=True))
            if how == "train":
                self._learn(key, [v - result[hand] for v in values])
                if not self.own_reach:
                    self._collect(key, strategy)
        return result

    def _other(
        self, how: str, player: int, node: int, board: tuple[int, ...], reach: Vector
    ) -> Vector:
        children = self.tree.children(node)
        split: list[Vector] = [{} for _ in children]
        for hand, weight in reach.items():
            key = (board, node, hand)
            table = self.regrets if how == "train" else self.averages
            parts = [weight * p for p in _matched(table[key], children)]
            if how == "train" and self.own_reach:
                self._collect(key, parts)
            for vector, part in zip(split, parts, strict=True):
                vector[hand] = part
        values = [
            self._walk(how, player, child, board, vector)
            for child, vector in zip(children, split, strict=True)
        ]
        return {hand: sum(vector[hand] for vector in values) for hand in values[0]}

    def _deal(
        self, how: str, player: int, node: int, board: tuple[int, ...], reach: Vector
    ) -> Vector:
        child = int(self.tree.first_child[node])
        result = {hand: 0.0 for hand in self.ranges[player] if not set(hand) & set(board)}
        chance = 1 / (len(self.deck) - len(board) - 2 * self.held)
        for card in self.deck:
            if card in board:
                continue
            left = {hand: weight for hand, weight in reach.items() if card not in hand}
            values = self._walk(how, player, child, (*board, card), left)
            for hand, value in values.items():
                result[hand] += chance * value
        return result

    def _end(self, player: int, node: int, board: tuple[int, ...], reach: Vector) -> Vector:
        share = int(self.tree.contributions[0, player])
        result = {}
        for hand in self.ranges[player]:
            if set(hand) & set(board):
                continue
            result[hand] = sum(
                weight * (self._payoff(player, node, board, hand, other) + share)
                for other, weight in reach.items()
                if not set(hand) & set(other)
            )
        return result

    def _payoff(
        self, player: int, node: int, board: tuple[int, ...], hand: Hand, other: Hand
    ) -> float:
        if self._facts[node][0] == FOLD:
            return self._paid(node, 0)[player]
        mine, others = self._strength(hand, board), self._strength(other, board)
        better = (mine > others) - (mine < others)
        return self._paid(node, better if player == 0 else -better)[player]

    def _settled(self, node: int, better: int) -> list[float]:
        """Return what a terminal pays if seat 0 is better (1), equal or worse (-1)."""
        return [float(chips) for chips in self.tree.settle(node, [1 + better, 1])]

    def _evaluated(self, hand: Hand, board: tuple[int, ...]) -> int:
        if self.held == 2:
            return evaluate([*hand, *board], self.tree.spec.showdown == "short-deck")
        (rank,) = (card // 4 for card in hand if card in self.deck)
        pair = self.tree.spec.showdown == "leduc" and rank == board[0] // 4
        return rank + 13 * pair

    def _learn(self, key: Infoset, regrets: list[float]) -> None:
        positive, negative, _ = self._factors
        old = self.regrets[key] or [0.0] * len(regrets)
        self.regrets[key] = [
            r * (positive if r > 0 else negative) + new for r, new in zip(old, regrets, strict=True)
        ]

    def _collect(self, key: Infoset, strategy: list[float]) -> None:
        old = self.averages[key] or [0.0] * len(strategy)
        keep = self._factors[2]
        self.averages[key] = [s * keep + new for s, new in zip(old, strategy, strict=True)]


def _matched(weights: list[float], actions: Sequence[object]) -> list[float]:
    """Return probabilities in proportion to what is positive; even ones where nothing is."""
    positive = [max(weight, 0.0) for weight in weights]
    total = sum(positive)
    if total <= 0:
        return [1 / len(actions)] * len(actions)
    return [weight / total for weight in positive]

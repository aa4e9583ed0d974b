"""One hand of a local best response (LBR): its decisions and its variance-reduced result.

Lisy and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots" (2017). The
responder knows the bot's strategy, not its cards. It tracks the exact probability of every hand
that the bot may hold, and chooses the action with the highest EV if both players only check and
call from then on:

* fold: 0;
* call: wp x pot - (1 - wp) x chips to call, with wp the equity against the bot's range;
* bet: fp x pot + (1 - fp) (wp' x pot after - (1 - wp') x chips put in), with fp the probability
  that the bot folds, and wp' the equity against its hands that do not fold.

The responder is a real opponent, so its winnings are a lower bound on exploitability.

The variance reduction is that of AIVAT (Burch et al. 2018), with the bot as the known player. For
the responder's cards, for board cards and for actions of the bot, the change of the responder's EV
(if both players only check and call from there) minus its expectation counts as luck. The mean of
luck is 0 whatever the bot does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from riverboat.bots import all_strategies
from riverboat.cards import NUM_HOLES, equity_against_each, hole_index, live_holes
from riverboat.errors import GameError
from riverboat.game import Action, Hand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.bots import HandStrategies
    from riverboat.game import GameSpec, Hand


class StreetSet(NamedTuple):
    """Allowed actions on one street, besides check and call."""

    folds: bool = False
    shares: tuple[float, ...] = ()
    """Bet sizes, as shares of the pot after calling."""
    least: bool = False
    all_in: bool = False
    own: bool = False
    """The bets of the bot's own menu."""


#: By name; 56 is that of Lisy and Bowling (2017).
LBR_STREET_SETS: Final = {
    "c": StreetSet(),
    "fc": StreetSet(folds=True),
    "fcpa": StreetSet(folds=True, shares=(1.0,), all_in=True),
    "nine": StreetSet(
        folds=True, shares=(0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0), least=True, all_in=True
    ),
    # Sizes that bet menus usually do not have.
    "odd": StreetSet(folds=True, shares=(0.15, 0.35, 0.65, 0.85, 1.25, 1.75, 2.75, 4.5, 8.0)),
    "56": StreetSet(folds=True, shares=tuple(0.05 * 1.15**k for k in range(55)), all_in=True),
    "own": StreetSet(folds=True, own=True),
}

#: Short names of whole settings.
LBR_PRESETS: Final = {
    "fc": "fc-fc-fc-fc",
    "fcpa": "c-c-fcpa-fcpa",
    "nine": "c-c-nine-nine",
    "flop": "fc-nine-nine-nine",
    "odd": "c-c-odd-odd",
    "56": "c-c-56-56",
    "own": "c-c-own-own",
}

_NUM_STREETS: Final = 4
_PERCENT: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)%")


def parse_lbr_set(text: str) -> tuple[StreetSet, ...]:
    """Parse a setting: the name of a preset, or the sets of the four streets with `-` between.

    A set is one of `LBR_STREET_SETS`, or a comma-separated list of bets: per cent of the pot, `min`
    for the minimum bet, `a` for all-in.

    Examples
    --------
    >>> parse_lbr_set("nine") == parse_lbr_set("c-c-nine-nine")
    True
    >>> parse_lbr_set("fc-fcpa-fcpa-fcpa")[1].shares
    (1.0,)
    >>> parse_lbr_set("c-c-c-40%,130%,a")[3]
    StreetSet(folds=True, shares=(0.4, 1.3), least=False, all_in=True, own=False)
    """
    streets = [_street_set(name) for name in LBR_PRESETS.get(text, text).split("-")]
    known = tuple(street for street in streets if street is not None)
    if len(known) != _NUM_STREETS or len(streets) != _NUM_STREETS:
        raise GameError(
            f"{text!r} is not a setting of a local best response: give {', '.join(LBR_PRESETS)}, "
            f"or four of {', '.join(LBR_STREET_SETS)} with - between, such as c-c-nine-nine; bets "
            "can replace a set, as in c-c-c-40%,130%,a"
        )
    return known


def _street_set(text: str) -> StreetSet | None:
    """Parse the set of one street; return None if the text is wrong."""
    if text in LBR_STREET_SETS:
        return LBR_STREET_SETS[text]
    bets = [bet.strip() for bet in text.split(",")]
    sizes = [_PERCENT.fullmatch(bet) for bet in bets if bet not in {"min", "a"}]
    shares = tuple(float(size[1]) / 100 for size in sizes if size is not None)
    if len(shares) < len(sizes) or not all(shares):
        return None
    return StreetSet(folds=True, shares=shares, least="min" in bets, all_in="a" in bets)


def bet_amounts(allowed: StreetSet, hand: Hand) -> list[int]:
    """Return the legal bets of a set except `own`: ascending, in chips put in on this street.

    Sizes below the minimum raise or of at least all chips are left out.

    Examples
    --------
    >>> from riverboat.game import catalogue
    >>> hand = Hand(catalogue("nolimit-100bb"))
    >>> bet_amounts(LBR_STREET_SETS["fcpa"], hand), bet_amounts(LBR_STREET_SETS["nine"], hand)
    ([30, 1000], [20, 25, 30, 40, 50, 70, 1000])
    """
    bounds = hand.legal().raise_to
    if bounds is None:
        return []
    least, most = bounds
    pot = hand.pot + hand.to_call
    sizes = {hand.price + int(share * pot + 0.5) for share in allowed.shares}
    amounts = {size for size in sizes if least <= size < most}
    if allowed.least:
        amounts.add(least)
    if allowed.all_in:
        amounts.add(most)
    return sorted(amounts)


_MOST_ERROR: Final = 1e-3  # allowed error of a sum of probabilities


def check_lbr_game(spec: GameSpec) -> None:
    """Refuse games in which the formulas are not valid."""
    plain = spec.is_holdem and spec.players == 2 and not spec.has_swaps and spec.big_blind
    if not plain or spec.rake.percent or len(set(spec.stacks)) > 1:
        raise GameError(
            "a local best response needs hold'em for two players with 52 cards, equal stacks, a "
            f"big blind and no rake: '{spec.name}' is not such a game"
        )


class LbrHand(NamedTuple):
    """Winnings of the responder in a hand."""

    chips: float
    """Chips won; at a showdown or all-in, the mean over the bot's range and over all runouts."""
    luck: float
    """Part of `chips` that is luck, with mean 0."""


class LocalResponder:
    """Plays hands against a bot.

    Parameters
    ----------
    bot
        The opponent, whose strategies are known.
    sets
        Allowed actions by street.

    Examples
    --------
    >>> from riverboat.bots import make_bot
    >>> from riverboat.evaluate import parse_lbr_set
    >>> from riverboat.game import Hand, catalogue
    >>> responder = LocalResponder(make_bot("fold", seed=0), parse_lbr_set("fcpa"))
    >>> hand = Hand(catalogue("nolimit-100bb"), seed=1)
    >>> responder.play(hand, seat=0, draws=np.random.default_rng(1)).chips  # it bets on the turn
    10.0
    """

    def __init__(self, bot: object, sets: tuple[StreetSet, ...]) -> None:
        self._bot, self._sets = bot, sets
        self._own: tuple[int, ...] = ()
        self._range = np.zeros(NUM_HOLES)
        self._equity: tuple[tuple[int, ...] | None, NDArray[np.float64]] = (None, self._range)
        self._luck = 0.0

    def play(self, hand: Hand, seat: int, draws: np.random.Generator) -> LbrHand:
        """Play a dealt hand to its end.

        Parameters
        ----------
        hand
            The hand before its first action, with all cards known.
        seat
            Seat of the responder.
        draws
            Random numbers for the bot's actions.
        """
        self._own = hand.hole_cards(seat)
        held = hole_index(*hand.hole_cards(1 - seat))
        self._range, self._equity = live_holes(self._own).astype(np.float64), (None, self._range)
        self._luck = (2 * self._share(()) - 1) * hand.spec.big_blind
        board: tuple[int, ...] = ()
        while hand.actor is not None:
            if len(hand.board) > len(board):
                self._see(hand, board)
                board = hand.board
            if hand.actor == seat:
                hand.do(self.choose(hand))
            elif hand.stacks[seat]:
                self._bot_acts(hand, held, draws)
            else:
                return LbrHand(self._all_in(hand, seat), self._luck)
        return LbrHand(self._worth(hand, seat, board), self._luck)

    def choose(self, hand: Hand) -> str:
        """Return the best action of the responder, by the formulas above."""
        seat, asked, pot = hand.actor, hand.to_call, hand.pot
        passive = "c" if asked else "k"
        allowed = self._sets[hand.street]
        if seat is None or not allowed.folds:
            return passive
        hands = self._range
        winning = hands * self._equities(hand.board)
        total, wins = float(hands.sum()), float(winning.sum())
        best, action = (wins * pot - (total - wins) * asked) / total, passive
        if asked and best < 0:
            best, action = 0.0, "f"
        for amount in self._amounts(allowed, hand):
            folds = self._after(hand, f"b{amount}").column("f")
            folded, lost = float(folds @ hands), float(folds @ winning)
            stay, won = total - folded, wins - lost
            added = amount - hand.bets[seat]
            called = won * (pot + added - asked) - (stay - won) * added
            value = (folded * pot + called) / total
            if value > best:
                best, action = value, f"b{amount}"
        return action

    def _amounts(self, allowed: StreetSet, hand: Hand) -> list[int]:
        if not allowed.own:
            return bet_amounts(allowed, hand)
        menu = getattr(self._bot, "menu", None)
        if menu is None:
            raise GameError(f"{type(self._bot).__name__} has no bet menu: use another set than own")
        actions = menu(hand.view(hand.actor or 0))
        return [move.amount for move in map(Action, actions) if move.kind == "bet"]

    def _after(self, hand: Hand, action: str) -> HandStrategies:
        """The bot's strategies of all hands after an action."""
        following = hand.clone()
        following.do(action)
        return all_strategies(self._bot, following.view(1 - (hand.actor or 0)))

    def _told(self, hand: Hand, seat: int) -> HandStrategies:
        """The bot's strategies of all hands at its decision; probabilities must sum to 1."""
        told = all_strategies(self._bot, hand.view(seat))
        sums = told.rows.sum(axis=1)[self._range > 0]
        if abs(sums - 1).max() > _MOST_ERROR:
            wrong = float(sums[abs(sums - 1).argmax()])
            raise GameError(
                f"{type(self._bot).__name__} plays a hand at '{hand.line}' with probabilities that "
                f"sum to {wrong:.4g}: they must sum to 1"
            )
        return told

    def _see(self, hand: Hand, board: tuple[int, ...]) -> None:
        """Update range and luck for new board cards; the expected share is the one before."""
        share = self._share(board)
        self._range = self._range * live_holes(hand.board)
        self._luck += (self._share(hand.board) - share) * hand.pot

    def _bot_acts(self, hand: Hand, held: int, draws: np.random.Generator) -> None:
        """Let the bot act with its hand; update range and luck."""
        told = self._told(hand, hand.actor or 0)
        chances = np.cumsum(told.rows[held])
        index = int(np.searchsorted(chances, draws.random() * chances[-1], "right"))
        self._luck += self._luck_of(hand, told, index)
        self._range = self._range * told.rows[:, index]
        hand.do(told.actions[index])

    def _luck_of(self, hand: Hand, told: HandStrategies, taken: int) -> float:
        """The responder's EV after an action of the bot, minus the mean over its strategy."""
        reach = self._range @ told.rows
        wins = (self._range * self._equities(hand.board)) @ told.rows
        shares = np.divide(wins, reach, out=np.zeros_like(wins), where=reach > 0)
        worths = np.array(
            [
                self._worth_after(hand, action, share)
                for action, share in zip(told.actions, shares.tolist(), strict=True)
            ]
        )
        return float(worths[taken] - reach @ worths / reach.sum())

    def _worth_after(self, hand: Hand, action: str, share: float) -> float:
        """The responder's EV if it calls, or folds where that is allowed and better."""
        bot = hand.actor or 0
        own, stake = hand.contributions[1 - bot], hand.contributions[bot]
        if action == "f":
            return stake
        move = Action(action)
        stake = own if move.kind != "bet" else stake - hand.bets[bot] + move.amount
        called = (2 * share - 1) * stake
        return max(called, -own) if self._sets[hand.street].folds else called

    def _all_in(self, hand: Hand, seat: int) -> float:
        """EV of an all-in bet: the mean over the bot's range, which folds or calls."""
        folds = self._told(hand, 1 - seat).column("f")
        staying = self._range * (1 - folds)
        pot = sum(hand.contributions) + hand.to_call
        called = (
            staying @ self._equities(hand.board) * pot - staying.sum() * hand.contributions[seat]
        )
        folded = self._range @ folds * hand.contributions[1 - seat]
        return float((called + folded) / self._range.sum())

    def _equities(self, board: tuple[int, ...]) -> NDArray[np.float64]:
        known, equities = self._equity
        if known != board:
            equities = equity_against_each(self._own, board)
            self._equity = (board, equities)
        return equities

    def _share(self, board: tuple[int, ...]) -> float:
        """The responder's share of a pot that is checked down."""
        return float(self._range @ self._equities(board) / self._range.sum())

    def _worth(self, hand: Hand, seat: int, board: tuple[int, ...]) -> float:
        if len(hand.live) < 2:
            return float(hand.payoffs()[seat])
        return self._share(board) * sum(hand.contributions) - hand.contributions[seat]

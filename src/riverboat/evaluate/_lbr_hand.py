"""One hand of a local best response: how it decides, and what the hand is worth to it.

Lisy and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots" (2017). The
responder knows the bot's strategy, not its cards. It keeps the exact probability of every hand
that the bot may hold, and takes the action that is worth most if both only check and call from
then on:

* fold: 0;
* call: wp x pot - (1 - wp) x asked, with wp its equity against those hands, checked down;
* bet: fp x pot + (1 - fp) (wp' x pot after - (1 - wp') x chips put in), with fp how often the bot
  folds, and wp' its equity against those hands that do not.

It is a real opponent, so what it wins is a lower bound on what the bot can lose.

Luck is taken out as AIVAT does (Burch et al. 2018) with the bot as the known player: own cards,
cards on the table and actions of the bot each count as what they changed in the responder's worth
if both only check and call from there, less what was to be expected. Its mean is 0 whatever the
bot does.
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
    """What may be done on one street, beside checking and calling."""

    folds: bool = False
    shares: tuple[float, ...] = ()
    """Bets, as shares of the pot after calling."""
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
    # Between and beyond what menus of strategies usually hold.
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
    """Read a setting: a preset's name, or the sets of the four streets with `-` between.

    A set is one of `LBR_STREET_SETS`, or bets with commas between: parts of the pot in per cent,
    `min` for the least and `a` for all chips.

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
    found = tuple(street for street in streets if street is not None)
    if len(found) != _NUM_STREETS or len(streets) != _NUM_STREETS:
        raise GameError(
            f"{text!r} is no setting of a local best response: take {', '.join(LBR_PRESETS)}, or "
            f"four of {', '.join(LBR_STREET_SETS)} with - between, such as c-c-nine-nine; or bets "
            "in their place, such as c-c-c-40%,130%,a"
        )
    return found


def _street_set(text: str) -> StreetSet | None:
    """One street; None where nothing is meant."""
    if text in LBR_STREET_SETS:
        return LBR_STREET_SETS[text]
    bets = [bet.strip() for bet in text.split(",")]
    sizes = [_PERCENT.fullmatch(bet) for bet in bets if bet not in {"min", "a"}]
    shares = tuple(float(size[1]) / 100 for size in sizes if size is not None)
    if len(shares) < len(sizes) or not all(shares):
        return None
    return StreetSet(folds=True, shares=shares, least="min" in bets, all_in="a" in bets)


def bet_amounts(allowed: StreetSet, hand: Hand) -> list[int]:
    """Return the legal bets of a set, as chips in on this street, rising; not those of `own`.

    A size below the least raise, or of all chips and more, is no bet of that size: it is left
    out.

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


_MOST_ERROR: Final = 1e-3  # of chances that add up to 1


def check_lbr_game(spec: GameSpec) -> None:
    """Refuse games in which the formulas do not hold."""
    plain = spec.is_holdem and spec.players == 2 and not spec.has_swaps and spec.big_blind
    if not plain or spec.rake.percent or len(set(spec.stacks)) > 1:
        raise GameError(
            "a local best response is for hold'em of two players with 52 cards, equal stacks, a "
            f"big blind and no rake: '{spec.name}' is not such a game"
        )


class LbrHand(NamedTuple):
    """What the responder won with a hand."""

    chips: float
    """At a showdown, and once the responder is all-in, the mean over all hands that the bot may
    hold, and over the boards that may come."""
    luck: float
    """How many of them were luck: of mean 0."""


class LocalResponder:
    """Plays hands against a bot.

    Parameters
    ----------
    bot
        The opponent: one that tells its strategy.
    sets
        What may be done on each street.

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
            Before its first action, with all cards known.
        seat
            The responder's.
        draws
            Decide which of its actions the bot takes.
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
        """Return the best action for the seat that is to act, by the formulas above."""
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
            raise GameError(
                f"{type(self._bot).__name__} has no menu of its own: take another set than own"
            )
        actions = menu(hand.view(hand.actor or 0))
        return [move.amount for move in map(Action, actions) if move.kind == "bet"]

    def _after(self, hand: Hand, action: str) -> HandStrategies:
        """What the bot does with every hand after an action."""
        following = hand.clone()
        following.do(action)
        return all_strategies(self._bot, following.view(1 - (hand.actor or 0)))

    def _told(self, hand: Hand, seat: int) -> HandStrategies:
        """What the bot does with every hand where it acts: chances that add up to 1."""
        told = all_strategies(self._bot, hand.view(seat))
        sums = told.rows.sum(axis=1)[self._range > 0]
        if abs(sums - 1).max() > _MOST_ERROR:
            wrong = float(sums[abs(sums - 1).argmax()])
            raise GameError(
                f"{type(self._bot).__name__} plays a hand at '{hand.line}' with chances that add "
                f"up to {wrong:.4g}: they must add up to 1"
            )
        return told

    def _see(self, hand: Hand, board: tuple[int, ...]) -> None:
        """Take in new cards on the table; the mean over all that may come is the share before."""
        share = self._share(board)
        self._range = self._range * live_holes(hand.board)
        self._luck += (self._share(hand.board) - share) * hand.pot

    def _bot_acts(self, hand: Hand, held: int, draws: np.random.Generator) -> None:
        """Let the bot act with the hand it holds, and learn from what it did."""
        told = self._told(hand, hand.actor or 0)
        chances = np.cumsum(told.rows[held])
        index = int(np.searchsorted(chances, draws.random() * chances[-1], "right"))
        self._luck += self._luck_of(hand, told, index)
        self._range = self._range * told.rows[:, index]
        hand.do(told.actions[index])

    def _luck_of(self, hand: Hand, told: HandStrategies, taken: int) -> float:
        """What an action of the bot is worth to the responder, less the mean of all it may take."""
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
        """What the responder then wins if it calls, or folds where that is allowed and better."""
        bot = hand.actor or 0
        own, stake = hand.contributions[1 - bot], hand.contributions[bot]
        if action == "f":
            return stake
        move = Action(action)
        stake = own if move.kind != "bet" else stake - hand.bets[bot] + move.amount
        called = (2 * share - 1) * stake
        return max(called, -own) if self._sets[hand.street].folds else called

    def _all_in(self, hand: Hand, seat: int) -> float:
        """What an all-in bet is worth: the bot folds or calls, each with what it may hold."""
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
        """What it wins of a pot that is checked down."""
        return float(self._range @ self._equities(board) / self._range.sum())

    def _worth(self, hand: Hand, seat: int, board: tuple[int, ...]) -> float:
        if len(hand.live) < 2:
            return float(hand.payoffs()[seat])
        return self._share(board) * sum(hand.contributions) - hand.contributions[seat]

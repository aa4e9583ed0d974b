"""Open Hand History 1.4.7 (handhistory.org), JSON: `.ohh`.

One object `{"ohh": {...}}` on one line for each hand, followed by a blank line.
Amounts: every `amount` is the chips that this action *adds*, also of a raise. Seats
are chairs from 1, players have ids (ours are the seats, from 0), `dealer_seat` is the
button's chair; with two players the button is the small blind. Pots hold their rake;
`player_wins` is without it. A currency with decimals is written as decimals (100
chips to the unit), play money as whole numbers with the currency XPM. The big bet of
fixed limit is twice the small one, which is the big blind.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from riverboat.histories._carry import check_exact, limit_bets, refuse_uncarried, refuse_unfinished
from riverboat.histories._ohh_reader import PLAY_MONEY, from_text
from riverboat.histories._replay import Deal, Move, all_shows, posts, pots_won, steps, write_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from riverboat.histories._record import HandRecord

NAME = "OHH"
VERSION = "1.4.7"
_STREETS = ("Preflop", "Flop", "Turn", "River")
_POSTS = {"ante": "Post Ante", "small blind": "Post SB", "big blind": "Post BB"}
_TYPES = {"no-limit": "NL", "pot-limit": "PL", "fixed-limit": "FL"}


def to_text(record: HandRecord) -> str:
    """Write one hand: a line of JSON and a blank line.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> from riverboat.histories import record_of
    >>> hand = Hand(catalogue("nolimit-100bb"), hole=["AhKd", "QsQc"])
    >>> hand.play("b25f")
    >>> json.loads(to_text(record_of(hand)))["ohh"]["rounds"][0]["actions"][-2]["amount"]
    20
    """
    _refuse(record)
    value = {"ohh": _Writer(record).hand_object()}
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n\n"
    return check_exact(record, text, from_text, NAME)


def file_parts(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write hands, each followed by its blank line."""
    return map(to_text, records)


def _refuse(record: HandRecord) -> None:
    """Raise `HistoryError` if the format cannot represent the hand."""
    spec = record.spec
    small, big = limit_bets(spec)
    limit = spec.betting == "fixed-limit"
    refuse_uncarried(
        spec,
        NAME,
        {
            "short deck; PHH can": spec.showdown == "short-deck",
            "blinds other than a small and a big one; PHH can": not 0
            < spec.blinds[0]
            <= spec.blinds[1]
            or any(spec.blinds[2:]),
            "a minimum bet other than the big blind; PHH can": spec.compiled.min_bet
            != spec.big_blind
            and not limit,
            "bets other than one and two big blinds; PokerStars text and PHH can": limit
            and (small, big) != (spec.big_blind, 2 * spec.big_blind),
            f"a unit of {record.unit} chips": record.unit not in (1, 100),
        },
    )
    refuse_unfinished(record.hand(), NAME)


class _Writer:
    """The object of one hand."""

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.hand = record.hand()
        self.number = 0
        self.won = pots_won(record, self.hand, NAME)

    def money(self, chips: int) -> int | float:
        """Return a whole number, or one with decimals if the unit has them."""
        return chips if self.record.unit == 1 else chips / self.record.unit

    def hand_object(self) -> dict[str, Any]:
        """Return all fields in the order of the standard."""
        record, spec = self.record, self.record.spec
        date = (
            {} if record.date is None else {"start_date_utc": f"{record.date:%Y-%m-%dT%H:%M:%SZ}"}
        )
        hero = {} if record.hero is None else {"hero_player_id": record.hero}
        return {
            "spec_version": VERSION,
            "site_name": record.site or "Riverboat",
            "network_name": record.site or "Riverboat",
            "internal_version": "1",
            "tournament": False,
            "game_number": record.hand_id,
            **date,
            "table_name": record.table,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": _TYPES[spec.betting], "bet_cap": 0},
            "table_size": record.chair_count,
            "currency": record.currency or PLAY_MONEY,
            "dealer_seat": record.chairs[spec.button],
            "small_blind_amount": self.money(spec.blinds[0]),
            "big_blind_amount": self.money(spec.blinds[1]),
            # The big blind may have a different ante; the first seat has that of the other seats.
            "ante_amount": self.money(spec.antes[0] or max(spec.antes)),
            **hero,
            "players": [self.player(seat) for seat in range(record.players)],
            "rounds": self.rounds(),
            "pots": self.pots(),
        }

    def player(self, seat: int) -> dict[str, Any]:
        return {
            "id": seat,
            "seat": self.record.chairs[seat],
            "name": self.record.names[seat],
            "starting_stack": self.money(self.record.stacks[seat]),
        }

    def action(
        self, seat: int, name: str, chips: int = 0, all_in: bool = False, cards: Sequence[int] = ()
    ) -> dict[str, Any]:
        """Return one action with the next number."""
        self.number += 1
        known = {"cards": _cards(cards)} if cards and min(cards) >= 0 else {}
        return {
            "action_number": self.number,
            "player_id": seat,
            "action": name,
            "amount": self.money(chips),
            "is_allin": all_in,
            **known,
        }

    def rounds(self) -> list[dict[str, Any]]:
        """Return the streets that were played or dealt, and the showdown."""
        blinds = [
            self.action(post.seat, _POSTS[post.kind], post.paid, post.all_in)
            for post in posts(self.record)
        ]
        opening = [*blinds, *self.dealt()]
        rounds = [{"id": 0, "street": _STREETS[0], "cards": [], "actions": opening}]
        for step in steps(self.record):
            if isinstance(step, Deal):
                cards = _cards(step.cards)
                name = _STREETS[step.street]
                rounds.append({"id": step.street, "street": name, "cards": cards, "actions": []})
            elif isinstance(step, Move):
                moves = rounds[-1]["actions"]
                assert isinstance(moves, list)  # noqa: S101 - for the type checker
                moves.append(self.action(step.seat, _verb(step), step.added, step.all_in))
        shows = list(self.shows())
        if shows:
            rounds.append({"id": len(rounds), "street": "Showdown", "cards": [], "actions": shows})
        return rounds

    def dealt(self) -> Iterator[dict[str, Any]]:
        """The hero's cards, or all that are known."""
        for seat in range(self.record.players):
            cards = self.record.deal[2 * seat : 2 * seat + 2]
            if self.record.hero in (None, seat) and min(cards) >= 0:
                yield self.action(seat, "Dealt Cards", cards=cards)

    def shows(self) -> Iterator[dict[str, Any]]:
        """Shown cards, and mucked cards if they are known."""
        for seat, shown in all_shows(self.record, self.hand):
            cards = self.record.deal[2 * seat : 2 * seat + 2]
            yield self.action(seat, "Shows Cards" if shown else "Mucks Cards", cards=cards)

    def pots(self) -> list[dict[str, Any]]:
        """Return main pot and side pots."""
        result = []
        for number, (pot, won) in enumerate(zip(self.hand.pots(), self.won, strict=True)):
            wins = [
                {"player_id": seat, "win_amount": self.money(chips)}
                for seat, chips in enumerate(won)
                if chips
            ]
            result.append(
                {
                    "number": number,
                    "amount": self.money(pot.amount),
                    "rake": self.money(pot.amount - sum(won)),
                    "player_wins": wins,
                }
            )
        return result


def _verb(move: Move) -> str:
    """Return the standard's word for an action; before the flop a first bet is a raise."""
    if move.kind == "bet":
        return "Bet" if move.price == 0 and move.street > 0 else "Raise"
    return move.kind.capitalize()


def _cards(cards: Sequence[int]) -> list[str]:
    return [write_cards([card]) for card in cards]


def split(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Split a file into hands: (line number from 1, text) for each.

    A blank line ends a hand, and so does a line that begins the next one.
    """
    parts: list[tuple[int, list[str]]] = []
    fresh = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            fresh = True
            continue
        if fresh or line.startswith('{"ohh"'):
            parts.append((number, []))
            fresh = False
        parts[-1][1].append(line)
    return [(number, "\n".join(part)) for number, part in parts]

"""A hand as self-contained HTML, for notebooks.

Suits have four colours; actions have the same colours as everywhere. Imported when a hand is first
shown.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from riverboat.cards import RANKS
from riverboat.game._view import position_text
from riverboat.report import action_colour, hex_colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverboat._core import Hand
    from riverboat.game._view import Event

_SUITS = (("♣", "#1b7f3b"), ("♦", "#1f5fbf"), ("♥", "#c62828"), ("♠", "#222222"))

_BOX = (
    "display:inline-block;background:#fff;color:#222;border:1px solid #ccc;border-radius:8px;"
    "padding:10px 14px;font:14px/1.5 system-ui,sans-serif"
)
_CARD = (
    "display:inline-block;min-width:1.5em;text-align:center;border:1px solid #bbb;"
    "border-radius:4px;margin:0 2px;padding:0 3px;font-weight:600;background:#fff"
)
_MOVE = "display:inline-block;border-radius:4px;margin:0 2px;padding:0 5px;color:#fff;background:"
_CELL = "padding:2px 12px 2px 0;text-align:left;background:#fff;color:#222;border:0"


def _card(card: int) -> str:
    """Draw one card, or the back of an unknown one."""
    if card < 0:
        return f'<span style="{_CARD};color:#999">?</span>'
    suit, colour = _SUITS[card % 4]
    return f'<span style="{_CARD};color:{colour}">{RANKS[card // 4]}{suit}</span>'


def _cards(cards: tuple[int, ...]) -> str:
    return "".join(map(_card, cards)) or "-"


def _move(event: Event, pot: int, price: int) -> str:
    """Draw one action; a bet is coloured by its size relative to the pot."""
    share = (event.action.amount - price) / max(pot, 1) if event.action.kind == "bet" else 0.0
    colour = hex_colour(action_colour(event.action.kind, share))
    text = escape(str(event.action))
    return f'<span title="seat {event.seat}" style="{_MOVE}{colour}">{text}</span>'


def _moves(hand: Hand, events: Sequence[Event]) -> str:
    """Draw the line of play, with a slash between streets."""
    replay = type(hand)(hand.spec, cards=hand.deal, stacks=hand.starting_stacks)
    parts, street = [], 0
    for event in events:
        if event.street > street:
            parts.append('<span style="color:#999"> / </span>' * (event.street - street))
            street = event.street
        parts.append(_move(event, replay.pot, replay.price))
        replay.do(event.action)
    return "".join(parts) or "-"


def _row(hand: Hand, seat: int) -> str:
    """Draw one seat: name, cards, stack, bet, state."""
    if hand.settled:
        state = f"{hand.payoffs()[seat]:+d}"
    elif seat not in hand.live:
        state = "folded"
    else:
        state = "to act" if hand.actor == seat else ("all-in" if hand.stacks[seat] == 0 else "")
    fade = "" if seat in hand.live else ";opacity:.45"
    cells = (
        f"seat {seat} <small>{position_text(hand.spec, seat, hand.button)}</small>",
        _cards(hand.hole_cards(seat)),
        f"{hand.stacks[seat]:,}",
        f"{hand.bets[seat]:,}" if hand.bets[seat] else "",
        f"<b>{state}</b>",
    )
    return "<tr>" + "".join(f'<td style="{_CELL}{fade}">{cell}</td>' for cell in cells) + "</tr>"


def hand_html(hand: Hand, events: Sequence[Event]) -> str:
    """Return the hand as HTML: board, pot, seats, line of play."""
    heads = ("", "cards", "stack", "bet", "")
    head = "".join(f'<th style="{_CELL};color:#777;font-weight:400">{h}</th>' for h in heads)
    rows = "".join(_row(hand, seat) for seat in range(hand.players))
    name = escape(hand.spec.name or "hand")
    return (
        f'<div style="{_BOX}"><div><b>{name}</b> &nbsp; board {_cards(hand.board)} &nbsp; '
        f"pot <b>{hand.pot:,}</b></div>"
        f'<table style="border-collapse:collapse;margin:6px 0"><tr>{head}</tr>{rows}</table>'
        f"<div>{_moves(hand, events)}</div></div>"
    )

"""Where a hand stands as a spot: pot, stacks and positions at the beginning of a street."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from riverboat.cards import STREETS, cards_text
from riverboat.errors import SpotError
from riverboat.game import Hand
from riverboat.tree import BetMenu, find_menu

if TYPE_CHECKING:
    from riverboat.cards import StreetName
    from riverboat.game import Event, GameSpec

__all__ = ["Beginning", "beginning", "menu_from", "played_line", "positions"]


class Beginning(NamedTuple):
    """A hand at the beginning of a street, for two players."""

    street: int
    """Of the hand's game."""
    seats: tuple[int, int]
    """Out of position and in position."""
    fields: dict[str, Any]
    """Of the spot: all but ranges and menu."""
    played: tuple[Event, ...]
    """What was done from there on."""


def beginning(hand: Hand, street: StreetName | None = None) -> Beginning:
    """Return how a hand stood when a street began, by default the last one with a decision."""
    spec = hand.spec
    index = _street_index(hand, street)
    before = Hand(spec, stacks=hand.starting_stacks)
    for event in hand.events:
        if event.street < index:
            before.do(str(event.action))
    first = before.actor
    if before.street != index or first is None or len(before.live) != 2:
        left = len(before.live)
        why = "nobody can bet there" if left == 2 else f"{left} players are left there"
        raise SpotError(f"the {_name(spec, index)} of this hand is no spot: {why}")
    other = next(seat for seat in before.live if seat != first)
    board = tuple(hand.board[: spec.board_sizes[index]])
    if len(board) < spec.board_sizes[index] or min(board) < 0:
        raise SpotError(f"the board of the {_name(spec, index)} is not known")
    fields = {
        "board": cards_text(board),
        "pot": before.pot,
        "stack": (before.stacks[first], before.stacks[other]),
        **_rules(spec, index),
    }
    played = tuple(event for event in hand.events if event.street >= index)
    return Beginning(index, (first, other), fields, played)


def positions(hand: Hand, street: StreetName | None = None) -> tuple[int, int]:
    """Return which seats of a hand are out of position and in position when a street begins.

    Parameters
    ----------
    hand
        A hand of hold'em; two players are left on that street.
    street
        By default the street where the hand is or ended.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> positions(Hand.from_line(catalogue("nolimit-100bb"), "b25c", seed=1))
    (1, 0)
    """
    return beginning(hand, street).seats


def _street_index(hand: Hand, street: StreetName | None) -> int:
    """The street of the hand's game, which must deal hold'em's cards."""
    spec = hand.spec
    if not spec.deals_as_holdem or spec.has_discards or spec.showdown not in ("high", "short-deck"):
        raise SpotError(f"spots are of hold'em, not of {spec.name or 'this game'}")
    if street is not None:
        if street not in STREETS[1:]:
            raise SpotError(f"a spot begins on flop, turn or river, not on {street!r}")
        return STREETS.index(street)
    events = hand.events
    index = events[-1].street if hand.finished and events else hand.street
    if index == 0:
        raise SpotError("a spot begins on flop, turn or river, and this hand is before the flop")
    return index


def _name(spec: GameSpec, index: int) -> str:
    return spec.street_names[index]


def _rules(spec: GameSpec, index: int) -> dict[str, Any]:
    """What a game says of its spots."""
    limit = spec.betting == "fixed-limit"
    return {
        "betting": spec.betting,
        "deck": "short" if spec.showdown == "short-deck" else "full",
        "big_blind": spec.big_blind,
        "rake_percent": spec.rake.percent,
        "rake_cap": spec.rake.cap,
        "bet_sizes": tuple(s.bet_size for s in spec.streets[index:]) if limit else (),
    }


def menu_from(menu: BetMenu | str, spec: GameSpec, street: int) -> str:
    """Return a spot's menu with the raise caps of its game."""
    found = find_menu(menu)
    later = spec.streets[street:]
    if all(each.max_raises is None for each in later):
        return str(found)
    own = [found.streets[min(i, len(found.streets) - 1)] for i in range(len(later))]
    streets = tuple(
        replace(each, cap=min(cap for cap in (each.cap, rule.max_raises) if cap is not None))
        if rule.max_raises is not None
        else each
        for each, rule in zip(own, later, strict=True)
    )
    return str(replace(found, streets=streets))


def played_line(spec: GameSpec, played: tuple[Event, ...]) -> str:
    """Return what was done as a line of a spot; bets above the smaller stack are all-in."""
    hand = Hand(spec)
    for event in played:
        if hand.actor is None:
            break
        amount = min(event.action.amount, hand.max_raise_to or 0)
        hand.do(f"b{amount}" if event.action.kind == "bet" else str(event.action))
    return hand.line

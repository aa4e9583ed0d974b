"""What a format can carry: sentences for what it cannot, and rakes that fit a record.

A writer's last check is `check_exact`: what was written reads back as the same hand, or is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from riverboat.cards import RANKS, SUITS
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import GameSpec, Hand, Rake, Street
from riverboat.histories._replay import stated_winnings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riverboat.histories._record import HandRecord
    from riverboat.histories._replay import Rebuild

SHORT_RANKS = RANKS[4:]


def holdem_streets(small_bet: int = 0, big_bet: int = 0) -> tuple[Street, ...]:
    """Hold'em's four streets, with the sizes of fixed limit if given."""
    sizes = (small_bet, small_bet, big_bet, big_bet)
    board = (0, 3, 1, 1)
    return tuple(
        Street(hole=2 if i == 0 else 0, board=board[i], bet_size=sizes[i]) for i in range(4)
    )


def limit_bets(spec: GameSpec) -> tuple[int, int]:
    """Return small and big bet of a fixed-limit game."""
    return spec.streets[0].bet_size, spec.streets[-1].bet_size


def _has_usual_sizes(spec: GameSpec) -> bool:
    """Whether the four sizes of fixed limit are two small and two big bets."""
    small, big = limit_bets(spec)
    return [s.bet_size for s in spec.streets] == [small, small, big, big]


def refuse_uncarried(spec: GameSpec, name: str, also: dict[str, bool]) -> None:
    """Raise a sentence if a hold'em format cannot carry the game.

    `also` are reasons of the format itself; those that are True apply.
    """
    toy = spec.showdown in ("one-card", "leduc")
    reasons = {
        "discards; .jsonl lines do": spec.has_discards,
        "games with one hole card; ACPC and .jsonl lines do": toy,
        "any game but hold'em of four streets; ACPC lines do": not toy and not spec.deals_as_holdem,
        "streets that another than the usual seat opens": not _usual_order(spec),
        "four different bet sizes; ACPC lines do": spec.betting == "fixed-limit"
        and not _has_usual_sizes(spec),
        "a deck that is neither hold'em's nor short deck's": sorted(spec.suits) != sorted(SUITS)
        or set(spec.ranks) != set(SHORT_RANKS if spec.showdown == "short-deck" else RANKS),
        **also,
    }
    for reason, applies in reasons.items():
        if applies:
            raise HistoryError(f"{name} cannot carry {reason}")


def _usual_order(spec: GameSpec) -> bool:
    """Whether every street is opened by its usual seat."""
    if all(street.first is None for street in spec.streets):
        return True
    plain = GameSpec(spec.stacks, spec.blinds, spec.antes, streets=holdem_streets(), min_bet=1)
    return spec.compiled.first == plain.compiled.first


def refuse_unfinished(hand: Hand, name: str) -> None:
    """Raise a sentence unless the hand is over and its board known."""
    if not hand.finished:
        raise HistoryError(f"{name} cannot carry a hand that is not finished; PHH does")
    if any(card < 0 for card in hand.board):
        raise HistoryError(f"{name} cannot carry unknown board cards; PHH does")


def settle(
    rebuild: Rebuild, stated: Sequence[Sequence[int]], rake: int
) -> tuple[Hand, tuple[tuple[int, ...], ...] | None]:
    """Return the hand with a rake that explains the source, and the stated winnings if need be.

    A record says how much the house took, not by which rule. The first usual
    rule is taken that gives every seat what the source says; if none does, the
    stated chips are kept.
    """
    hand = rebuild.hand
    best: tuple[Hand, tuple[tuple[int, ...], ...] | None] | None = None
    for rule in _rakes(hand, rake):
        candidate = hand
        if rule != hand.spec.rake:
            spec = hand.spec.replace(rake=rule)
            candidate = Hand.from_line(spec, hand.full_line.lstrip("/"), cards=hand.deal)
        won = stated_winnings(candidate, stated, rake)
        if best is None or won is None:
            best = (candidate, won)
        if won is None:
            break
    if best is None:
        raise HistoryError(f"the house took {rake}, more than the pot of {hand.pot}")
    return best


def _rakes(hand: Hand, rake: int) -> Iterator[Rake]:
    """Rules that take `rake` from this hand's pot, simple ones first."""
    if rake == 0:
        yield Rake()
        return
    pot = hand.pot
    if not 0 < rake <= pot:
        return
    least, most = -(-rake * 10000 // pot), -(-(rake + 1) * 10000 // pot)
    for step in (100, 50, 25, 10):  # whole per cents first
        for points in range(-(-least // step) * step, min(most, 10001), step):
            yield Rake(points / 100, 0, False)
    for points in (500, 450, 400, 350, 300, 250, 200, 1000):
        if points > least:
            yield Rake(points / 100, rake, False)
    yield Rake(100.0, rake, False)


def check_exact(record: HandRecord, text: str, read: Callable[[str], HandRecord], name: str) -> str:
    """Return the text if it reads back as the same hand.

    Formats that leave some rules to the reader (the size of an ante that nobody
    could post in full, for instance) are refused the rare hand that they would
    tell wrongly.
    """
    try:
        back = read(text)
    except RiverboatError as error:
        raise HistoryError(
            f"{name} cannot carry this hand: it would be refused, {error}"
        ) from error
    before, after = record.hand(), back.hand()
    pots = [[(pot.amount, pot.eligible) for pot in hand.pots()] for hand in (before, after)]
    same = {
        "line of play": back.line.rstrip("/") == record.line.rstrip("/"),
        "stacks": back.stacks == record.stacks,
        "names": back.names == record.names,
        "board": after.board == before.board,
        "pots": pots[0] == pots[1],
        "payoffs": back.payoffs() == record.payoffs(),
        "chairs": back.chairs == record.chairs,
        "unit": back.unit == record.unit,
    }
    for what, equal in same.items():
        if not equal:
            raise HistoryError(f"{name} cannot carry this hand exactly: the {what} would change")
    return text

"""Checks whether a format can represent a hand, and rakes that fit a record.

A writer's last check is `check_exact`: a text that does not read back as the same hand is refused.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from riverboat.cards import RANKS, SUITS
from riverboat.errors import HistoryError, RiverboatError
from riverboat.game import GameSpec, Hand, Rake, Street
from riverboat.histories._replay import share_out, stated_winnings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from riverboat.histories._record import HandRecord
    from riverboat.histories._replay import Rebuild

SHORT_RANKS = RANKS[4:]


@lru_cache(maxsize=100)
def holdem_streets(small_bet: int = 0, big_bet: int = 0) -> tuple[Street, ...]:
    """Return the four streets of hold'em, optionally with fixed-limit bet sizes."""
    sizes = (small_bet, small_bet, big_bet, big_bet)
    board = (0, 3, 1, 1)
    return tuple(
        Street(hole=2 if i == 0 else 0, board=board[i], bet_size=sizes[i]) for i in range(4)
    )


def limit_bets(spec: GameSpec) -> tuple[int, int]:
    """Return small and big bet of a fixed-limit game."""
    return spec.streets[0].bet_size, spec.streets[-1].bet_size


def _has_usual_sizes(spec: GameSpec) -> bool:
    """Whether fixed-limit bet sizes are two small and two big bets."""
    small, big = limit_bets(spec)
    return [s.bet_size for s in spec.streets] == [small, small, big, big]


def refuse_uncarried(spec: GameSpec, name: str, also: dict[str, bool]) -> None:
    """Raise `HistoryError` if a hold'em format cannot represent the game.

    `also` has further reasons of the format, with whether each applies.
    """
    toy = spec.showdown in ("one-card", "leduc")
    reasons = {
        "discards; .jsonl lines can": spec.has_discards,
        "games with one hole card; ACPC and .jsonl lines can": toy,
        "games other than hold'em with four streets; ACPC lines can": not toy
        and not spec.deals_as_holdem,
        "streets with a non-standard first seat": not _usual_order(spec),
        "four different bet sizes; ACPC lines can": spec.betting == "fixed-limit"
        and not _has_usual_sizes(spec),
        "decks other than those of hold'em and short deck": sorted(spec.suits) != sorted(SUITS)
        or set(spec.ranks) != set(SHORT_RANKS if spec.showdown == "short-deck" else RANKS),
        **also,
    }
    for reason, applies in reasons.items():
        if applies:
            raise HistoryError(f"{name} cannot represent {reason}")


def _usual_order(spec: GameSpec) -> bool:
    """Whether the standard seat acts first on every street."""
    if all(street.first is None for street in spec.streets):
        return True
    plain = GameSpec(spec.stacks, spec.blinds, spec.antes, streets=holdem_streets(), min_bet=1)
    return spec.compiled.first == plain.compiled.first


def refuse_unfinished(hand: Hand, name: str) -> None:
    """Raise `HistoryError` unless the hand is over and its board known."""
    if not hand.finished:
        raise HistoryError(f"{name} cannot represent unfinished hands; PHH can")
    if any(card < 0 for card in hand.board):
        raise HistoryError(f"{name} cannot represent unknown board cards; PHH can")


def settle(
    rebuild: Rebuild, stated: Sequence[Sequence[int]], rake: int
) -> tuple[Hand, tuple[tuple[int, ...], ...] | None]:
    """Return the hand with a rake rule that fits the source, and its winnings if no rule fits.

    A source gives the amount of the rake, not the rule. The first common rule that gives every seat
    the stated winnings is used; if there is none, the stated winnings are kept.
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
        raise HistoryError(f"the rake of {rake} must be from 0 to the pot of {hand.pot}")
    return best


def settle_runs(
    hand: Hand, stated: Sequence[Sequence[int]], rake: int, boards: Sequence[Sequence[int]]
) -> tuple[Hand, tuple[tuple[int, ...], ...]]:
    """Return the hand and its winnings over several boards: each decides an equal share.

    `boards` are the boards after the first one. The winnings are compared with the rules if all
    cards are known; each pot may differ by odd chips and by its share of the rake.
    """
    total = [sum(row[seat] for row in stated) for seat in range(hand.players)]
    if sum(total) + rake != hand.pot:
        raise HistoryError(
            f"the players won {sum(total)} and the rake is {rake}, but the pot is {hand.pot}"
        )
    holes = [list(hand.hole_cards(seat)) for seat in range(hand.players)]
    runs = [hand]
    for board in boards:
        runs.append(Hand(hand.spec, hole=holes, board=list(board)))
        runs[-1].play(hand.full_line.lstrip("/"))
    if all(run.settled for run in runs):
        room = rake + len(runs) * len(hand.pots()) * hand.players
        for seat in range(hand.players):
            ruled = sum(pot.won[seat] for run in runs for pot in run.pots()) / len(runs)
            if abs(total[seat] - ruled) > room:
                raise HistoryError(
                    f"seat {seat} wins {total[seat]} chips; by the rules it wins {ruled:g}"
                )
    return hand, share_out(hand, total)


def _rakes(hand: Hand, rake: int) -> Iterator[Rake]:
    """Yield rules that take `rake` chips from this hand's pot, simple ones first."""
    if rake == 0:
        yield Rake()
        return
    pot = hand.pot
    if not 0 < rake <= pot:
        return
    least, most = -(-rake * 10000 // pot), -(-(rake + 1) * 10000 // pot)
    for step in (100, 50, 25, 10):  # whole percentages first
        for points in range(-(-least // step) * step, min(most, 10001), step):
            yield Rake(points / 100, 0, False)
    for points in (500, 450, 400, 350, 300, 250, 200, 1000):
        if points > least:
            yield Rake(points / 100, rake, False)
    yield Rake(100.0, rake, False)


def check_exact(record: HandRecord, text: str, read: Callable[[str], HandRecord], name: str) -> str:
    """Return the text if it reads back as the same hand; raise `HistoryError` otherwise.

    Some formats do not contain all rules, for example the size of an ante that no player could post
    in full. They refuse the rare hands that would change.
    """
    try:
        back = read(text)
    except RiverboatError as error:
        raise HistoryError(
            f"{name} cannot represent this hand: the reader would refuse it, {error}"
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
        "further boards": back.run_outs == record.run_outs,
    }
    for what, equal in same.items():
        if not equal:
            raise HistoryError(f"{name} cannot represent this hand: the {what} would change")
    return text

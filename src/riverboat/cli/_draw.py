"""The table as text: seats, board, pot, odds, moves in their colours, and the winners.

Everything can be read without colours, too. Seats are drawn from a `View`, which contains only what
that seat may know; a spectator passes the hole cards of all seats.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rich.table import Table
from rich.text import Text

from riverboat.cli._output import card_painted, cards_painted, hole_painted, in_lines
from riverboat.game import Pot, View
from riverboat.report import action_colour, hex_colour, percent
from riverboat.table import YOU, Acted, hand_in_words, pot_share_to, said_of, words_of


def move_style(kind: str, share: float = 0.0) -> str:
    """Return the style of a move; `share` is the size of a bet relative to the pot.

    Examples
    --------
    >>> move_style("fold"), move_style("raise", 0.5), move_style("swap")
    ('#3a86e0', '#f08c28', '')
    """
    if kind in ("stand", "swap", "toss"):
        return ""
    return hex_colour(action_colour("bet" if kind == "raise" else kind, share))


def act_painted(act: Acted, name: str) -> Text:
    """Draw an action with the player's name.

    Examples
    --------
    >>> act_painted(Acted(0, 1, "call", 20), "Ann").plain
    'Ann calls 20'
    """
    text = Text(said_of(name, words_of(act)))
    text.stylize(move_style(act.kind, act.share), len(name) + 1)
    return text if act.card < 0 else Text.assemble(text, " ", card_painted(act.card))


def _position(view: View, seat: int) -> str:
    """Position of a seat: BTN, SB, BB, or nothing."""
    names = ["BTN"] if seat == view.button else []
    blind = view.spec.blinds[seat]
    if blind:
        names.append("BB" if blind == view.spec.big_blind else "SB")
    return "/".join(names)


def _state(view: View, seat: int, hole: Sequence[int]) -> Text:
    """Draw the state of a seat: folded, all-in, or its hand at the showdown."""
    if seat not in view.live:
        return Text("folded", move_style("fold"))
    if view.finished:
        return Text(hand_in_words(view, hole) if len(view.live) > 1 else "")
    if view.stacks[seat] == 0:
        return Text("all-in", "bold")
    return Text()


def signed(chips: int) -> str:
    """Write chips with their sign, as in +1,000."""
    return f"{chips:+,}" if chips else "0"


def _chips(view: View, seat: int) -> Text:
    """Draw the bet of a seat, or its result after the hand."""
    if not view.finished:
        return Text(f"{view.bets[seat]:,}" if view.bets[seat] else "")
    net = view.payoffs[seat] if view.payoffs else 0
    return Text(signed(net) if view.payoffs else "", "bold green3" if net > 0 else "")


def seat_table(
    view: View, names: Sequence[str], holes: Sequence[Sequence[int]], order: Iterable[int]
) -> Table:
    """Draw one row for each seat.

    Parameters
    ----------
    view
        The state of the table.
    names, holes
        By seat; empty hole cards are not drawn.
    order
        Seats from top to bottom.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head, right in (
        *(("", False), ("", False), ("", False), ("stack", True)),
        *(("net" if view.finished else "bet", True), ("cards", False), ("", False)),
    ):
        table.add_column(head, justify="right" if right else "left", no_wrap=bool(head))
    for seat in order:
        hidden = not holes[seat] and seat in view.live and not view.finished
        table.add_row(
            ">" if view.actor == seat else " ",
            Text(names[seat], "bold" if names[seat] == YOU else ""),
            Text(_position(view, seat), "dim"),
            f"{view.stacks[seat]:,}",
            _chips(view, seat),
            Text("??", "dim") if hidden else hole_painted(holes[seat]),
            _state(view, seat, holes[seat]),
            style="" if seat in view.live else "dim",
        )
    return table


def board_line(view: View) -> Text:
    """Draw board and pot."""
    parts = [Text(f"Pot {view.pot:,}", "bold")]
    if view.spec.board_sizes[-1] or view.spec.has_tosses:
        board = cards_painted(view.board) if view.board else Text("-", "dim")
        parts.insert(0, Text.assemble("Board ", board))
    return Text("    ").join(parts)


def _winnable(view: View) -> int:
    """Chips in the pot that the seat can win by a call."""
    most = view.starting_stacks[view.seat] - view.stacks[view.seat] + view.to_call
    put_in = [a - b for a, b in zip(view.starting_stacks, view.stacks, strict=True)]
    return sum(min(chips, most) for chips in put_in)


def odds_line(view: View) -> Text:
    """Draw the price of a call, its pot odds and the equity it needs, the stack and the SPR."""
    call = ""
    if view.to_call:
        pot = _winnable(view)
        needed = view.to_call / (pot + view.to_call)
        odds = pot / view.to_call
        call = (
            f"To call {view.to_call:,}: pot odds {odds:.1f} to 1, needs {percent(needed)} equity."
        )
    own = view.stacks[view.seat]
    behind = [view.stacks[seat] for seat in view.live if seat != view.seat]
    depth = min(own, max(behind, default=0)) / max(view.pot, 1)
    stack = f"Stack {own:,}, SPR {depth:.1f}"
    return in_lines([Text(part) for part in (call, stack) if part], " ")


def moves_line(view: View) -> Text:
    """List the legal moves with their exact bounds."""
    legal, parts = view.legal, list[Text]()
    if legal.fold:
        parts.append(Text("f fold", move_style("fold")))
    if legal.check:
        parts.append(Text("k check", move_style("check")))
    if legal.call is not None:
        parts.append(Text(f"c call {legal.call:,}", move_style("call")))
    if legal.stand:
        parts.append(Text("s stand pat"))
    if legal.discards:
        parts.append(Text.assemble("d discard one of ", hole_painted(legal.discards)))
    parts.extend(_bets(view))
    return in_lines([*parts, Text("? help", "dim")], "   ")


def _bets(view: View) -> list[Text]:
    """Draw the minimum and maximum bet, and the half-pot and pot bets between them."""
    if view.legal.raise_to is None:
        return []
    least, most = view.legal.raise_to
    pot = pot_share_to(view, Fraction(1))
    called = view.bets[view.seat] + view.to_call
    word = "raise to" if max(view.bets) else "bet"

    def style(amount: int) -> str:
        return move_style("bet", (amount - called) / max(pot - called, 1))

    span = Text(f"b{least} {word} {least:,}", style(least))
    if most > least:
        span.append(" .. ").append(f"{most:,}", style(most))
    named = {"half": pot_share_to(view, Fraction(1, 2)), "pot": pot}
    shown = [
        Text(f"{name} {amount:,}", style(amount))
        for name, amount in named.items()
        if least <= amount <= most and most > least
    ]
    return [span, *shown]


def acts_lines(acts: Iterable[Acted], names: Sequence[str], streets: Sequence[str]) -> list[Text]:
    """Draw the actions, one line for each street."""
    lines: dict[int, list[Text]] = {}
    for act in acts:
        lines.setdefault(act.street, []).append(act_painted(act, names[act.seat]))
    return [
        Text.assemble((f"{streets[street]}: ", "dim"), Text(", ").join(said))
        for street, said in lines.items()
    ]


def pots_line(pots: Sequence[Pot], names: Sequence[str]) -> Text:
    """Draw the winners of each pot."""
    sentences = []
    for index, pot in enumerate(pots):
        title = "Pot" if len(pots) == 1 else ("Main pot" if index == 0 else f"side pot {index}")
        won = [said_of(names[seat], f"wins {pot.won[seat]:,}") for seat in sorted(pot.winners)]
        rake = f", rake {pot.rake:,}" if pot.rake else ""
        sentences.append(f"{title} of {pot.amount:,}: {', '.join(won) or 'not known'}{rake}")
    return Text("; ".join(sentences) + ".")

"""`riverboat evaluate`, `equity` and `range`: questions about cards."""

from dataclasses import asdict
from typing import Annotated

from rich.table import Table
from rich.text import Text

from riverboat.cards import (
    NUM_HOLES,
    Equity,
    EquityMethod,
    Range,
    as_cards,
    cactus_kev,
    describe_strength,
    equity,
    evaluate,
    hand_rank,
    range_notes,
)
from riverboat.cli._command import argument, option
from riverboat.cli._output import Answer, cards_painted, grid
from riverboat.errors import RangeError


def evaluate_command(
    hand: Annotated[str, argument("5, 6 or 7 cards, such as 'AhKh7c7d2s'.")],
    short_deck: Annotated[
        bool, option("Rank hands by the rules of short deck (36 cards).")
    ] = False,
) -> Answer:
    """Evaluate 5, 6 or 7 cards: the best five-card hand."""
    cards = as_cards(hand)
    strength = evaluate(hand, short_deck)
    sentence = describe_strength(strength, short_deck=short_deck)
    rank = hand_rank(hand, short_deck=short_deck)
    values = {
        "strength": strength,
        "category": rank.category,
        "ranks": rank.ranks,
        "kickers": rank.kickers,
        "description": sentence,
        "cactus_kev": None if short_deck else cactus_kev(strength),
    }
    scale = "of 1,403" if short_deck else f"of 7,461 (Cactus-Kev {cactus_kev(strength)})"
    drawn = Text.assemble(cards_painted(cards), ": ", (sentence, "bold"))
    return Answer(values, drawn, f"strength {strength:,} {scale}")


def equity_command(
    players: Annotated[list[str], argument("2 to 10 hands or ranges, each quoted.")],
    board: Annotated[str, option("Board: 0, 3, 4 or 5 cards.", "--board", "-b")] = "",
    dead: Annotated[str, option("Dead cards: neither held nor dealt.")] = "",
    method: Annotated[str, option("Method: auto, exact or monte-carlo.")] = "auto",
    samples: Annotated[int, option("Number of Monte Carlo samples.")] = 1_000_000,
    seed: Annotated[int, option("Random seed of the samples.")] = 0,
) -> Answer:
    """Compute the equity of hands and ranges: wins, ties, losses."""
    chosen: EquityMethod = method  # type: ignore[assignment]  # checked by equity, with a sentence
    result = equity(*players, board=board, dead=dead, method=chosen, samples=samples, seed=seed)
    values = {
        "method": result.method,
        "deals": result.deals,
        "seed": result.seed,
        "players": [
            {"range": text, **asdict(player), "interval_95": player.interval}
            for text, player in zip(players, result.players, strict=True)
        ],
    }
    return Answer(values, _equity_table(players, result), *_notes(*players))


def _equity_table(names: list[str], result: Equity) -> Table:
    """Lay an equity result out as a table for the terminal."""
    exact = result.method == "exact"
    how = "exact" if exact else f"Monte-Carlo, seed {result.seed}"
    table = grid(["player", "equity", "win", "tie", "lose", *([] if exact else ["95 % interval"])])
    table.caption_justify = "left"
    table.caption = f"{how}, {result.deals:,.0f} {'deals' if exact else 'samples'}; ties are shared"
    for name, player in zip(names, result.players, strict=True):
        shares = (player.equity, player.win, player.tie, player.lose)
        cells = [f"{share:.3%}" for share in shares]
        if not exact:
            low, high = player.interval
            cells.append(f"{low:.3%} to {high:.3%}")
        table.add_row(name, *cells)
    return table


def range_command(
    text: Annotated[str, argument("A range, such as '22+, A2s+, KTo+, 76s-54s, QQ:0.25'.")],
    dead: Annotated[str, option("Dead cards: hands with them are left out.")] = "",
) -> Answer:
    """Draw a range as a 13x13 matrix."""
    if not text.strip():
        raise RangeError("a range of no hands cannot be drawn: name hands, such as '22+, AJs+'")
    chosen = Range.parse(text).without(as_cards(dead))
    values = {
        "text": chosen.to_text(),
        "combos": chosen.num_combos,
        "share": chosen.num_combos / NUM_HOLES,
        "matrix": chosen.matrix().tolist(),
        "notes": range_notes(text),
    }
    return Answer(values, chosen, *_notes(text))


def _notes(*ranges: str) -> list[Text]:
    """Notes on range texts that mean fewer hands than it seems."""
    notes = dict.fromkeys(note for text in ranges for note in range_notes(text))
    return [Text(note, "dim") for note in notes]

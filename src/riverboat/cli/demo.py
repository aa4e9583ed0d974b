"""`riverboat demo`: what Riverboat can do, shown in under a minute."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from riverboat import _core
from riverboat.cards import Range, as_cards, card_symbol, describe, strength_counts
from riverboat.cards.equity import equity
from riverboat.cards.strength import CATEGORIES, category
from riverboat.cli.cards import equity_table
from riverboat.cli.output import console
from riverboat.cli.progress import open_hand_strength
from riverboat.evaluate import exploitability
from riverboat.game import Hand, catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.tree import Tree

__all__ = ["demo"]

_OPENING = "22+, A2s+, K9s+, QTs+, JTs, T9s, 98s, 87s, 76s, A9o+, KTo+, QJo:0.5"


def demo(
    folder: Annotated[
        Path | None, typer.Option(help="Cache folder for the tables, instead of the user's.")
    ] = None,
) -> None:
    """Show what Riverboat can do: cards, equities, ranges, tables, rules, a game solved."""
    _show_hand()
    _show_count()
    _show_equity()
    _show_range()
    _show_tables(folder)
    _show_rules()
    _show_solving()


def _heading(text: str) -> None:
    console.print(f"\n{text}", style="bold cyan")


def _pretty(cards: str) -> str:
    return " ".join(card_symbol(card) for card in as_cards(cards))


def _show_hand() -> None:
    _heading("A hand")
    hand = "KhKd 4s4cQs 7h 2d"
    console.print(f"{_pretty(hand)}  is ", Text(describe(hand), "bold"))


def _show_count() -> None:
    _heading("All 133,784,560 hands of seven cards, evaluated now")
    started = time.monotonic()
    counts = strength_counts(7)
    seconds = time.monotonic() - started
    by_category = dict.fromkeys(CATEGORIES, 0)
    for strength, count in enumerate(counts.tolist()):
        by_category[category(strength)] += count
    for name, count in by_category.items():
        console.print(f"  {name:<16}{count:>12,}  {count / counts.sum():8.4%}")
    console.print(
        f"{counts.sum() / seconds / 1e6:,.0f} million hands a second ({_core.ISA} kernels)"
    )


def _show_equity() -> None:
    _heading(f"Equity on {_pretty('Qh7c2d')}")
    players = ["AhKh", "QQ, JTs, 77:0.5", "random"]
    console.print(equity_table(players[::2], equity(*players[::2], board="Qh7c2d")))
    sampled = equity(*players, board="Qh7c2d", method="monte-carlo", seed=1)
    console.print(equity_table(players, sampled))


def _show_range() -> None:
    _heading("A range")
    console.print(Range.parse(_OPENING))


def _show_tables(folder: Path | None) -> None:
    _heading("Exact strength of every hand on every board")
    tables = open_hand_strength(folder)
    for board in ("", "Qh7c2d", "Qh7c2d5h", "Qh7c2d5h3h"):
        strength = tables.strength("AhKh", board)
        console.print(
            f"  {_pretty('AhKh')} on {_pretty(board) or 'no board':<15}"
            f" wins {strength.win:.4f}, ties {strength.tie:.4f}"
        )
    console.print("against one random hand; every hand on every board is one look-up away.")


def _show_rules() -> None:
    _heading("A hand of three, played by the rules")
    hand = Hand(catalogue("nolimit-100bb", players=3), seed=7)
    hand.play("b30cc/kkb60cf/kk/kk")
    for seat in range(3):
        cards = " ".join(card_symbol(card) for card in hand.hole_cards(seat))
        console.print(f"  seat {seat}  {cards}  {hand.payoffs()[seat]:+d} chips")
    board = " ".join(card_symbol(card) for card in hand.board)
    console.print(f"  board {board}, line {hand.line}", markup=False)
    console.print("`riverboat play` seats you at the table.")


def _show_solving() -> None:
    _heading("Leduc hold'em, solved now by CFR+ (chips a hand)")
    deals = enumerate_deals(Tree(catalogue("leduc"), "min"))
    solver = Solver(deals, Scheme("full", "cfr+", "linear"))
    for iterations in (10, 90, 900, 9000):
        solver.run_all(iterations=iterations)
        exact = exploitability(deals, solver.strategy())
        console.print(
            f"  {solver.iterations:>6,} iterations, {solver.seconds:.2f} s: first seat "
            f"{exact.values[0]:+.5f}, exploitability {exact.exploitability:.6f}"
        )

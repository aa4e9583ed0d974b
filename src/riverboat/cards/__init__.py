"""Cards, hand strength, ranges, boards and equity.

Modules of the hand-strength tables are imported on first use, which keeps `import riverboat.cards`
fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from riverboat._core import evaluate, evaluate_few
from riverboat.cards._boards import (
    BOARD_CARDS,
    NUM_BOARDS,
    STREETS,
    SUIT_PERMUTATIONS,
    StreetName,
    board_cards,
    board_multiplicities,
    board_size,
    canonical_board,
    canonical_boards,
    hole_permutations,
)
from riverboat.cards._card import (
    NUM_CARDS,
    RANKS,
    SUITS,
    CardsLike,
    as_cards,
    card_symbol,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
)
from riverboat.cards._checks import hole_and_board
from riverboat.cards._equity import Equity, EquityMethod, Ties, equity
from riverboat.cards._holes import (
    CLASS_COMBOS,
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    best_holes,
    class_text,
    hole_cards,
    hole_index,
    hole_text,
    live_holes,
    parse_class,
    parse_hole,
)
from riverboat.cards._isomorphism import HandIndexer
from riverboat.cards._one_hand import SampledShowdowns, equity_against_each, run_out_points
from riverboat.cards._range_sums import hands_met
from riverboat.cards._range_text import range_notes
from riverboat.cards._ranges import Range
from riverboat.cards._strength import (
    CATEGORIES,
    HandRank,
    cactus_kev,
    category,
    describe,
    describe_strength,
    evaluate_batch,
    evaluate_few_batch,
    hand_rank,
    kernels,
    num_strengths,
)

if TYPE_CHECKING:
    from riverboat.cards._hand_strength import HandStrength, built_strength
    from riverboat.cards._strength_tables import (
        TABLE_BYTES,
        BuildProgress,
        build_tables,
        open_table,
        table_path,
    )

__all__ = [
    "BOARD_CARDS",
    "CATEGORIES",
    "CLASS_COMBOS",
    "CLASS_HOLES",
    "HOLES",
    "HOLE_CLASS",
    "NUM_BOARDS",
    "NUM_CARDS",
    "NUM_CLASSES",
    "NUM_HOLES",
    "RANKS",
    "STREETS",
    "SUITS",
    "SUIT_PERMUTATIONS",
    "TABLE_BYTES",
    "BuildProgress",
    "CardsLike",
    "Equity",
    "EquityMethod",
    "HandIndexer",
    "HandRank",
    "HandStrength",
    "Range",
    "SampledShowdowns",
    "StreetName",
    "Ties",
    "as_cards",
    "best_holes",
    "board_cards",
    "board_multiplicities",
    "board_size",
    "build_tables",
    "built_strength",
    "cactus_kev",
    "canonical_board",
    "canonical_boards",
    "card_symbol",
    "card_text",
    "cards_text",
    "category",
    "class_text",
    "describe",
    "describe_strength",
    "equity",
    "equity_against_each",
    "evaluate",
    "evaluate_batch",
    "evaluate_few",
    "evaluate_few_batch",
    "hand_rank",
    "hands_met",
    "hole_and_board",
    "hole_cards",
    "hole_index",
    "hole_permutations",
    "hole_text",
    "kernels",
    "live_holes",
    "num_strengths",
    "open_table",
    "parse_card",
    "parse_cards",
    "parse_class",
    "parse_hole",
    "range_notes",
    "run_out_points",
    "table_path",
]

_LATE = {
    **dict.fromkeys(["HandStrength", "built_strength"], "_hand_strength"),
    **dict.fromkeys(
        ["TABLE_BYTES", "BuildProgress", "build_tables", "open_table", "table_path"],
        "_strength_tables",
    ),
}


if not TYPE_CHECKING:  # a type checker knows all names

    def __getattr__(name: str) -> object:
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_LATE})

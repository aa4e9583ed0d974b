"""Cards, hand strength, ranges, boards and equity.

The tables of hand strength, which need files, are imported when first asked for: a question of
cards should not wait for them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from riverboat._core import evaluate
from riverboat.cards._boards import (
    NUM_BOARDS,
    SUIT_PERMUTATIONS,
    board_cards,
    board_multiplicities,
    canonical_board,
    canonical_boards,
    hole_class_counts,
    hole_permutations,
)
from riverboat.cards._card import (
    DECK,
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
    rank_of,
    suit_of,
)
from riverboat.cards._each_hand import equity_against_each
from riverboat.cards._equity import Equity, EquityMethod, PlayerEquity, Ties, equity
from riverboat.cards._few import evaluate_few, evaluate_few_batch
from riverboat.cards._holes import (
    CLASS_COMBOS,
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    class_index,
    class_position,
    class_text,
    hole_cards,
    hole_index,
    hole_text,
    live_holes,
    parse_class,
    parse_hole,
)
from riverboat.cards._isomorphism import NO_STREET_MEMORY, PERFECT_RECALL, HandIndexer
from riverboat.cards._kernels import kernels
from riverboat.cards._one_hand import run_out_points
from riverboat.cards._range_sums import RangeSums, hands_met
from riverboat.cards._range_text import range_notes
from riverboat.cards._ranges import Range
from riverboat.cards._showdowns import SampledShowdowns
from riverboat.cards._streets import BOARD_CARDS, STREETS, StreetName, board_size
from riverboat.cards._strength import (
    CATEGORIES,
    cactus_kev,
    category,
    describe,
    describe_strength,
    evaluate_batch,
    from_cactus_kev,
    num_strengths,
    strength_counts,
)

if TYPE_CHECKING:
    from riverboat.cards._hand_strength import (
        HandStrength,
        Strength,
        built_strength,
    )
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
    "DECK",
    "HOLES",
    "HOLE_CLASS",
    "NO_STREET_MEMORY",
    "NUM_BOARDS",
    "NUM_CARDS",
    "NUM_CLASSES",
    "NUM_HOLES",
    "PERFECT_RECALL",
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
    "HandStrength",
    "PlayerEquity",
    "Range",
    "RangeSums",
    "SampledShowdowns",
    "StreetName",
    "Strength",
    "Ties",
    "as_cards",
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
    "class_index",
    "class_position",
    "class_text",
    "describe",
    "describe_strength",
    "equity",
    "equity_against_each",
    "evaluate",
    "evaluate_batch",
    "evaluate_few",
    "evaluate_few_batch",
    "from_cactus_kev",
    "hands_met",
    "hole_cards",
    "hole_class_counts",
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
    "rank_of",
    "run_out_points",
    "strength_counts",
    "suit_of",
    "table_path",
]

_LATE = {
    **dict.fromkeys(["HandStrength", "Strength", "built_strength"], "_hand_strength"),
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

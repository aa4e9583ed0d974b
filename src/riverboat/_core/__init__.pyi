# Stub of the bindings in core/bindings/. Arrays are C-contiguous; `*_into`
# functions write their results into array arguments.
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any, Literal, Self, SupportsIndex, final

import numpy as np
from numpy.typing import NDArray

ISA: str

def evaluate(hand: str | Iterable[SupportsIndex | str], short_deck: bool = False) -> int:
    """Return the strength of the best five of 5, 6 or 7 cards; bigger is better."""

def evaluate_batch_into(
    cards: NDArray[np.uint8], out: NDArray[np.uint16], short_deck: bool
) -> None: ...
def evaluate_few(hand: str | Iterable[SupportsIndex | str]) -> int:
    """Return the strength of 1 to 4 cards among hands with that number of cards."""

def evaluate_few_batch_into(cards: NDArray[np.uint8], out: NDArray[np.uint16]) -> None: ...
def count_strengths_into(
    counts: NDArray[np.int64], count: int, first_begin: int, first_end: int, short_deck: bool
) -> None: ...
def hand_classes_into(
    categories: NDArray[np.uint8], ranks: NDArray[np.uint8], short_deck: bool
) -> None: ...
def num_strengths(short_deck: bool) -> int: ...

# Canonical boards.
def find_boards_into(
    cards: NDArray[np.uint8], ids: NDArray[np.uint32], permutations: NDArray[np.uint8]
) -> None: ...
def board_cards_into(cards: NDArray[np.uint8]) -> None: ...
def board_multiplicities_into(num_cards: int, out: NDArray[np.uint8]) -> None: ...
def hole_class_counts_into(num_cards: int, out: NDArray[np.uint16]) -> None: ...
def hole_permutations_into(out: NDArray[np.uint16]) -> None: ...

# Hand-strength tables.
def river_strengths_into(begin: int, cells: NDArray[np.uint16]) -> None: ...
def turn_strengths_into(
    begin: int, river: NDArray[np.uint16], cells: NDArray[np.uint16], square: NDArray[np.uint32]
) -> None: ...
def flop_strengths_into(
    begin: int,
    turn: NDArray[np.uint16],
    turn_square: NDArray[np.uint32],
    cells: NDArray[np.uint32],
    square: NDArray[np.uint32],
) -> None: ...
def preflop_strengths_into(
    flop: NDArray[np.uint32],
    flop_square: NDArray[np.uint32],
    cells: NDArray[np.uint32],
    square: NDArray[np.uint64],
) -> None: ...
def run_out_histograms_into(
    num_cards: int,
    boards: NDArray[np.uint32],
    river: NDArray[np.uint16],
    bin_of: NDArray[np.uint16],
    histograms: NDArray[np.uint16],
) -> None: ...
def run_out_points(hole: tuple[int, int], board: Sequence[int]) -> NDArray[np.uint16]: ...
def points_against_each_into(
    hole: tuple[int, int], board: Sequence[int], points: NDArray[np.uint16]
) -> None: ...

# Distributions of hands and their clusters. Points are [n, 8, 48 or 96] int16.
NUM_BINS: int

def cell_features_into(
    board_cards: int,
    boards: NDArray[np.uint32],
    holes: NDArray[np.uint16],
    river: NDArray[np.uint16],
    turn: NDArray[np.uint16],
    units: tuple[int, int],
    features: NDArray[np.int16],
) -> None: ...
def hand_features_into(
    hole: tuple[int, int], board: Sequence[int], units: tuple[int, int], out: NDArray[np.int16]
) -> None: ...
def distribution_buckets_into(
    board_cards: int,
    begin: int,
    river: NDArray[np.uint16],
    turn: NDArray[np.uint16],
    units: tuple[int, int],
    centroids: NDArray[np.int16],
    out: NDArray[np.uint16],
) -> None: ...
def distribution_bucket(
    hole: tuple[int, int],
    board: Sequence[int],
    units: tuple[int, int],
    centroids: NDArray[np.int16],
) -> int: ...

NUM_OPPONENT_CLUSTERS: int
EQUITY_UNIT: int

def opponent_features_into(
    boards: NDArray[np.uint32],
    holes: NDArray[np.uint16],
    clusters: NDArray[np.uint8],
    features: NDArray[np.int16],
) -> None: ...
def opponent_buckets_into(
    begin: int,
    clusters: NDArray[np.uint8],
    centroids: NDArray[np.int16],
    out: NDArray[np.uint16],
) -> None: ...
def opponent_bucket(
    hole: tuple[int, int],
    board: Sequence[int],
    clusters: NDArray[np.uint8],
    centroids: NDArray[np.int16],
) -> int: ...
def assign_points_into(
    points: NDArray[np.int16],
    weights: NDArray[np.uint32],
    centroids: NDArray[np.int16],
    labels: NDArray[np.uint16],
    distances: NDArray[np.int32],
) -> int: ...
def add_members_into(
    points: NDArray[np.int16],
    weights: NDArray[np.uint32],
    labels: NDArray[np.uint16],
    sums: NDArray[np.int64],
    masses: NDArray[np.int64],
) -> int: ...
def cost_with(
    points: NDArray[np.int16],
    weights: NDArray[np.uint32],
    centroid: NDArray[np.int16],
    distances: NDArray[np.int32],
) -> int: ...
def lower_distances(
    points: NDArray[np.int16],
    weights: NDArray[np.uint32],
    centroid: NDArray[np.int16],
    distances: NDArray[np.int32],
) -> int: ...
def line_clusters(
    mass: NDArray[np.float64],
    sum: NDArray[np.float64],  # noqa: A002 - the kernel's name
    square: NDArray[np.float64],
    num_clusters: int,
) -> list[int]: ...
def count_river_points_into(
    river: NDArray[np.uint16],
    weights: NDArray[np.uint32],
    groups: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None: ...
def point_at(weights: NDArray[np.uint32], distances: NDArray[np.int32], target: int) -> int: ...

# Semantic buckets.
SEMANTIC_SIZES: tuple[int, int, int, int, int, int, int]

def semantic_features(hole: tuple[int, int], board: Sequence[int]) -> list[int]: ...
def semantic_codes_seen(num_cards: int, begin: int, end: int, seen: NDArray[np.uint8]) -> None: ...
def semantic_buckets_into(
    num_cards: int, begin: int, numbers: NDArray[np.uint16], out: NDArray[np.uint16]
) -> None: ...

# Equity. `sums` is [4, players]: win, tie, share, share squared; the total is returned.
class EquityTable:
    def __init__(
        self, players: NDArray[np.float64], board: NDArray[np.uint8], dead: NDArray[np.uint8]
    ) -> None: ...
    def stop(self) -> None: ...
    def exact_work(self) -> float: ...
    def exact_into(self, begin: int, end: int, sums: NDArray[np.float64]) -> float: ...
    def sample_into(
        self, samples: int, seed: int, stream: int, sums: NDArray[np.float64]
    ) -> float: ...

class HandIndexer:
    def __init__(self, cards_per_round: Sequence[int]) -> None: ...
    def size(self, round_index: int) -> int: ...
    def index(self, hand: str | Sequence[int] | Sequence[str]) -> int: ...
    def unindex(self, round_index: int, index: int) -> list[int]: ...
    def index_batch_into(self, cards: NDArray[np.uint8], out: NDArray[np.uint64]) -> None: ...
    def unindex_batch_into(
        self, round_index: int, indices: NDArray[np.uint64], out: NDArray[np.uint8]
    ) -> None: ...

# ---- Game (core/bindings/game.cpp, core/bindings/hand.cpp) -------------------

class CompiledGame:
    """A checked and compiled game specification."""

    def __init__(
        self,
        betting: int,
        showdown: int,
        stacks: Sequence[int],
        blinds: Sequence[int],
        antes: Sequence[int],
        min_bet: int,
        streets: Sequence[tuple[int, int, int, int, int, int, int]],
        deck: Sequence[int],
        rake: tuple[int, int, bool],
        open_folds: bool = False,
    ) -> None: ...
    @property
    def first(self) -> tuple[int, ...]: ...
    @property
    def min_bet(self) -> int: ...
    @property
    def hole_cards(self) -> int: ...
    @property
    def board_cards(self) -> int: ...
    @property
    def slots(self) -> int: ...

@final
class Action:
    """One move, from text such as `b25`, `c`, `k`, `f`, `s` or `dAh`. Immutable."""

    def __init__(self, text: str) -> None: ...
    @property
    def kind(self) -> Literal["fold", "check", "call", "bet", "stand", "discard"]: ...
    @property
    def amount(self) -> int:
        """Chips in on this street after a bet or raise; 0 for other moves."""
    @property
    def card(self) -> int:
        """The discarded card; -1 if unknown, and for other moves."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

_Cards = str | Sequence[int] | Sequence[str] | Sequence[int | str | None]

class Hand:
    """The state machine; use `riverboat.game.Hand`."""

    def __init__(
        self,
        spec: Any,
        *,
        seed: int | None = None,
        cards: _Cards | None = None,
        hole: Sequence[_Cards | None] | None = None,
        board: _Cards | None = None,
        stacks: Sequence[int] | None = None,
    ) -> None: ...
    def fold(self) -> None:
        """Fold; allowed only if there is a bet to call."""
    def check(self) -> None:
        """Check."""
    def call(self) -> None:
        """Call the price, or put in all remaining chips."""
    def check_or_call(self) -> None:
        """Check if there is nothing to call, else call."""
    def bet_to(self, amount: int) -> None:
        """Bet or raise so that `amount` chips are in on this street."""
    def stand(self) -> None:
        """Keep all cards in a discard phase."""
    def discard(self, card: int | str | None) -> None:
        """Swap or toss a card."""
    def do(self, action: str | Action) -> None:
        """Make a move, or raise IllegalActionError and change nothing."""
    def can(self, action: str | Action) -> bool:
        """Whether a move is allowed now."""
    def verify(self, action: str | Action) -> None:
        """Raise IllegalActionError with the reason unless the move is allowed now."""
    def play(self, line: str) -> None:
        """Play a whole line such as `b25c/kk` from here on, or raise an error and play nothing."""
    def undo(self) -> None:
        """Undo the last action."""
    def clone(self) -> Self:
        """Return an independent copy."""
    def give_hole(self, seat: int, cards: _Cards | None) -> None:
        """Make a seat's unknown hole cards known."""
    def give_board(self, cards: _Cards | None) -> None:
        """Make unknown board cards known, from the first on."""
    def give_swap(self, seat: int, street: int, card: int | str | None) -> None:
        """Make the new card of a swap by `seat` on `street` known."""
    @property
    def stacks(self) -> tuple[int, ...]:
        """Remaining chips by seat; with the winnings once the hand is settled."""
    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """Chips by seat before antes and blinds."""
    @property
    def bets(self) -> tuple[int, ...]:
        """Chips in on this street by seat, blinds included."""
    @property
    def contributions(self) -> tuple[int, ...]:
        """Chips in the pot by seat over the whole hand, antes included."""
    @property
    def posted_antes(self) -> tuple[int, ...]:
        """Posted antes by seat."""
    @property
    def posted_blinds(self) -> tuple[int, ...]:
        """Posted blinds by seat."""
    @property
    def pot(self) -> int:
        """All chips in, including this street's."""
    @property
    def price(self) -> int:
        """Chips on this street that a seat must match."""
    @property
    def to_call(self) -> int:
        """Chips that a call adds; 0 if there is nothing to call."""
    @property
    def can_raise(self) -> bool:
        """Whether the seat to act may bet or raise."""
    @property
    def min_raise_to(self) -> int | None:
        """Minimum bet or raise, chips on this street; None if not allowed."""
    @property
    def max_raise_to(self) -> int | None:
        """Maximum bet or raise, chips on this street; None if not allowed."""
    @property
    def refund(self) -> tuple[int, int] | None:
        """Seat and chips of the returned uncalled bet; None without one."""
    @property
    def rake(self) -> int:
        """Chips that the house took; the hand must be settled."""
    def payoffs(self) -> tuple[int, ...]:
        """Chips won or lost by seat; they sum to minus the rake."""
    def _pots(
        self,
    ) -> tuple[tuple[int, int, tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]: ...
    def _legal(
        self,
    ) -> tuple[bool, bool, int | None, tuple[int, int] | None, bool, tuple[int, ...]]: ...
    @property
    def spec(self) -> Any: ...
    @property
    def players(self) -> int:
        """Number of seats."""
    @property
    def button(self) -> int:
        """Seat of the button."""
    @property
    def street(self) -> int:
        """The street, from 0; the last one once all cards are out."""
    @property
    def finished(self) -> bool:
        """Whether no seat is left to act."""
    @property
    def settled(self) -> bool:
        """Whether the hand is finished and the winners have the pot."""
    @property
    def discarding(self) -> bool:
        """Whether the seat to act must discard or stand pat."""
    @property
    def actor(self) -> int | None:
        """Seat to act, or None once the hand is finished."""
    @property
    def live(self) -> tuple[int, ...]:
        """Seats that have not folded."""
    @property
    def board(self) -> tuple[int, ...]:
        """Public cards; -1 where unknown."""
    @property
    def deal(self) -> tuple[int, ...]:
        """All cards as dealt: holes by seat, board, swap replacements; -1 where unknown."""
    def hole_cards(self, seat: int) -> tuple[int, ...]:
        """Return a seat's private cards now; -1 where unknown."""
    @property
    def line(self) -> str:
        """The public line of play."""
    @property
    def full_line(self) -> str:
        """The line of play with the swapped cards."""
    def _view(self, seat: int) -> tuple[Any, ...]: ...
    @property
    def _events(self) -> tuple[tuple[int, int, Action], ...]: ...
    @property
    def num_actions(self) -> int:
        """Number of actions so far."""

def simulate_hands(
    game: CompiledGame, hands: int, seed: int
) -> tuple[int, int, int, tuple[int, ...], int, int]: ...

# ---- Runouts (core/bindings/run_out.cpp) --------------------------------------

def expected_payoffs(
    hand: Hand, most_exact: int, samples: int, seed: int
) -> tuple[int, tuple[float, ...]] | None: ...

# ---- Tree (core/bindings/tree.cpp) -------------------------------------------

MAX_TREE_NODES: int

class CompiledTree:
    """The public betting tree; use `riverboat.tree.Tree`. Arrays are read-only views."""

    def __init__(
        self,
        game: CompiledGame,
        streets: Sequence[
            tuple[
                Sequence[Sequence[tuple[int, float]]],
                Sequence[Sequence[tuple[int, float]]],
                Sequence[tuple[int, float]] | None,
                Sequence[tuple[int, float]] | None,
                int,
                int,
                int,
                int,
            ]
        ],
        rules: tuple[float, float, float, float, bool],
        max_nodes: int,
        start: Hand | None,
        chance: bool,
        edits: Sequence[tuple[Sequence[tuple[int, int]], bool]],
        fractions: bool,
    ) -> None: ...
    @property
    def whole(self) -> bool: ...
    @property
    def idle_edits(self) -> list[int]: ...
    @property
    def kind(self) -> NDArray[np.uint8]: ...
    @property
    def player(self) -> NDArray[np.uint8]: ...
    @property
    def group(self) -> NDArray[np.uint8]: ...
    @property
    def num_actions(self) -> NDArray[np.uint8]: ...
    @property
    def first_child(self) -> NDArray[np.int32]: ...
    @property
    def offset(self) -> NDArray[np.uint32]: ...
    @property
    def payoff_index(self) -> NDArray[np.int32]: ...
    @property
    def street(self) -> NDArray[np.uint8]: ...
    @property
    def parent(self) -> NDArray[np.int32]: ...
    @property
    def contributions(self) -> NDArray[np.int64]: ...
    @property
    def action_kind(self) -> NDArray[np.uint8]: ...
    @property
    def action_amount(self) -> NDArray[np.int64]: ...
    @property
    def payoffs(self) -> NDArray[np.float32]: ...
    @property
    def swap_lines(self) -> NDArray[np.uint8]: ...
    @property
    def group_player(self) -> NDArray[np.uint8]: ...
    @property
    def group_street(self) -> NDArray[np.uint8]: ...
    @property
    def group_swaps(self) -> NDArray[np.uint16]: ...
    @property
    def group_entries(self) -> NDArray[np.uint32]: ...
    @property
    def group_decisions(self) -> NDArray[np.uint32]: ...
    def settle_into(
        self, node: int, strengths: NDArray[np.uint32], payoffs: NDArray[np.float32]
    ) -> None: ...

# Solving. Tables are flat, in the order of a dealer's layout.
@final
class CompiledDealer:
    @property
    def num_buckets(self) -> list[int]: ...
    @property
    def num_entries(self) -> int: ...
    def base(self, group: int) -> int: ...
    def draw(self, seed: int, stream: int) -> tuple[list[int], list[list[int]]]: ...

def enumerated_dealer(
    tree: CompiledTree,
    buckets: NDArray[np.uint32],
    strengths: NDArray[np.uint32],
    weights: NDArray[np.float64],
) -> CompiledDealer: ...
def table_bases(tree: CompiledTree, num_buckets: Sequence[int]) -> list[int]: ...
def showdown_strengths(hand: Hand) -> list[int]: ...

class WalkOptions:
    seed: int
    floor: float
    floor_in_average: bool
    average_weight: float
    epsilon: float
    tau: float
    beta: float
    average_every: int
    prune_below: float
    prune_probability: float
    explore: float
    explore_weight: float
    plus: bool
    def __init__(self) -> None: ...

class Crew:
    def __init__(self, threads: int) -> None: ...
    @property
    def threads(self) -> int: ...

class RuleSettings:
    def __init__(
        self, rule: int, alpha: float, beta: float, average_power: float, average_delay: float
    ) -> None: ...
    def average_weight(self, t: float) -> float: ...
    def factors(self, t: float) -> tuple[float, float]: ...

_Table = NDArray[np.float32] | NDArray[np.float64] | NDArray[np.int32] | NDArray[np.uint32]

def normalise_into(deals: CompiledDealer, average: _Table, strategy: _Table) -> None: ...
def table_statistics(
    deals: CompiledDealer, regrets: _Table, average: _Table
) -> tuple[int, int, int, float]: ...
def discount(regrets: _Table, positive: float, negative: float, crew: Crew) -> None: ...
def collecting_interval(tree: CompiledTree) -> int: ...
def run_sampled(
    sampling: str,
    deals: CompiledDealer,
    options: WalkOptions,
    first: int,
    end: int,
    crew: Crew,
    regrets: _Table,
    average: _Table,
) -> int: ...
def run_forked(
    deals: CompiledDealer,
    options: WalkOptions,
    more_than: int,
    last_street: int,
    threads: int,
    first: int,
    end: int,
    regrets: _Table,
    average: _Table,
) -> tuple[int, int, int]: ...
def run_pure(
    deals: CompiledDealer,
    options: WalkOptions,
    first: int,
    end: int,
    crew: Crew,
    regrets: _Table,
    average: _Table,
) -> int: ...

class FullWidth:
    def __init__(self, deals: CompiledDealer) -> None: ...
    def run(
        self,
        settings: RuleSettings,
        first: int,
        end: int,
        regrets: NDArray[np.float64],
        average: NDArray[np.float64],
        predictions: NDArray[np.float64],
    ) -> int: ...

class ExactValues:
    def __init__(self, deals: CompiledDealer) -> None: ...
    def value(self, player: int, strategy: NDArray[np.float64], respond: bool) -> float: ...
    def deal_values_into(
        self, player: int, node: int, strategy: NDArray[np.float64], out: NDArray[np.float64]
    ) -> None: ...

# Hold'em deals from bucket tables, and trained responses.
def holdem_dealer(
    tree: CompiledTree,
    tables: Sequence[NDArray[Any]],
    num_buckets: Sequence[int],
    swap_values: Sequence[NDArray[np.uint32]],
    recall: bool = False,
    fixed: Sequence[tuple[int, NDArray[np.int32], NDArray[np.uint32], float]] = (),
) -> CompiledDealer: ...
def holdem_cards_into(
    deals: CompiledDealer, seed: int, first: int, cards: NDArray[np.uint8]
) -> None: ...
def deals_into(
    deals: CompiledDealer,
    seed: int,
    first: int,
    buckets: NDArray[np.uint32],
    strengths: NDArray[np.uint32],
) -> None: ...
def train_response(
    deals: CompiledDealer,
    player: int,
    seed: int,
    weight: float,
    first: int,
    end: int,
    crew: Crew,
    frozen: NDArray[np.float32],
    regrets: NDArray[np.float32],
    average: NDArray[np.float64],
) -> int: ...
def score_deals_into(
    deals: CompiledDealer,
    player: int,
    own: NDArray[np.float32],
    others: NDArray[np.float32],
    seed: int,
    first: int,
    values: NDArray[np.float64],
) -> None: ...
def greedy_into(
    deals: CompiledDealer, weights: NDArray[np.float64], strategy: NDArray[np.float32]
) -> None: ...

# ---- Public-chance sampling (core/bindings/public_chance.cpp) -------------------

@final
class DrawnPublic:
    """One sampled public outcome; vectors have one number for each of its hands."""

    @property
    def outcome(self) -> list[int]: ...
    @property
    def hands(self) -> list[int]: ...
    def buckets(self, group: int) -> list[int]: ...
    def chances(self, player: int) -> list[float]: ...
    def compatible_into(
        self, player: int, reach: NDArray[np.float32], payoff: float, out: NDArray[np.float32]
    ) -> None: ...
    def showdown_into(
        self,
        player: int,
        reach: NDArray[np.float32],
        win: float,
        tie: float,
        lose: float,
        out: NDArray[np.float32],
    ) -> None: ...

@final
class CompiledPublic:
    def draw(self, seed: int, stream: int) -> DrawnPublic: ...

def enumerated_public(
    deals: CompiledDealer,
    weights: NDArray[np.float64],
    strengths: NDArray[np.uint32],
    buckets: NDArray[np.uint32],
) -> CompiledPublic: ...
def holdem_public(deals: CompiledDealer) -> CompiledPublic: ...

@final
class PublicChance:
    def __init__(self, game: CompiledPublic, threads: int) -> None: ...
    def run(
        self,
        settings: RuleSettings,
        seed: int,
        average_weight: float,
        first: int,
        end: int,
        crew: Crew,
        regrets: NDArray[np.float32],
        average: NDArray[np.float64],
        predictions: NDArray[np.float32],
    ) -> int: ...

@final
class PublicValues:
    def __init__(self, game: CompiledPublic) -> None: ...
    def run(
        self,
        seed: int,
        first: int,
        end: int,
        stride: int,
        strategy: NDArray[np.float32],
        entered: NDArray[np.int64],
        begun: NDArray[np.int64],
        worth: NDArray[np.float64],
        weight: NDArray[np.float64],
    ) -> None: ...

# Values of all hands of a strategy, below a node (core/bindings/hand_values.cpp).
def hands_met_into(reach: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...

class HandWalk:
    def __init__(
        self,
        tree: CompiledTree,
        tables: Callable[[int], NDArray[np.float64]],
        player: int,
        best: bool,
    ) -> None: ...
    def draw_lines(
        self, floor: float, seed: int, equities: Callable[[], NDArray[np.float64]]
    ) -> None: ...
    def deal(
        self,
        first_street: int,
        streets: Sequence[tuple[NDArray[np.int64], NDArray[np.int64], float]],
    ) -> None: ...
    @property
    def rows(self) -> int: ...
    def values_into(
        self, node: int, reach: NDArray[np.float64], out: NDArray[np.float64]
    ) -> None: ...
    def action_values_into(
        self, node: int, reach: NDArray[np.float64], out: NDArray[np.float64]
    ) -> None: ...

# The engine of the spot solver. Cards are numbers; arrays by hole pair are [rows, 1326].
def checked_down_into(
    tree: CompiledTree,
    board: Sequence[int],
    reach: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...

CHECK_ERROR: float
FLAT_BOUNDS: tuple[str, ...]

def flat_arrays() -> dict[str, list[tuple[str, str, int]]]: ...

class GadgetMode(Enum):
    resolve = ...
    maxmargin = ...
    combined = ...

class WalkMode(Enum):
    """What the player plays whose values are computed; `adopt` keeps the best response."""

    average = ...
    best = ...
    adopt = ...

class TablePart(Enum):
    regrets = ...
    average = ...
    extra = ...

def flat_spot(
    engine: SpotEngine, limits: Sequence[int]
) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]: ...
def flat_locks(
    engine: SpotEngine, player: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...
def root_reach(engine: SpotEngine, player: int) -> NDArray[np.float64]: ...
def root_chips(
    engine: SpotEngine, player: int, own: WalkMode, values: NDArray[np.float64]
) -> float: ...
def gadget_play(engine: SpotEngine, factors: NDArray[np.float32]) -> NDArray[np.float32]: ...
def gadget_learn(
    engine: SpotEngine, factors: NDArray[np.float32], entered: NDArray[np.float32]
) -> None: ...
def next_check(target: float, before: tuple[int, float] | None, now: tuple[int, float]) -> int: ...
def forecast_spot(
    tree: CompiledTree,
    board: Sequence[int],
    ranges: NDArray[np.float32],
    threads: int,
    isomorphism: bool,
    bits: int,
    predictive: bool,
) -> tuple[int, int, int, int, int]: ...

@final
class SpotSchedule:
    """Discounts of the spot solver; use `riverboat.spots.Schedule`."""

    def __init__(
        self,
        first: Sequence[float],
        last: Sequence[float],
        over: int,
        lag: int,
        restart: int,
        running_mean: bool,
    ) -> None: ...
    def factors_into(self, begin: int, out: NDArray[np.float32]) -> None: ...

class SpotGadget:
    """A re-solving gadget: the opponent's alternative to a spot; use `riverboat.spots.Gadget`."""

    def __init__(
        self,
        player: int,
        mode: GadgetMode,
        values: NDArray[np.float64],
        cap: float,
        even: float,
    ) -> None: ...

class SpotLayout:
    """Boards and offsets of a solution file; use `riverboat.spots.Solution`."""

    def __init__(
        self,
        tree: CompiledTree,
        board: Sequence[int],
        ranges: NDArray[np.float32],
        isomorphism: bool,
    ) -> None: ...
    def boards(self) -> list[tuple[int, ...]]: ...
    def hands(self, player: int) -> list[int]: ...
    def renamings(self) -> list[int]: ...
    def find(self, cards: Sequence[int]) -> tuple[int, int]: ...
    def value_rows(self) -> list[int]: ...
    def strategy_begins(self, player: int) -> list[int]: ...
    def value_begins(self, player: int) -> list[int]: ...

class FlopTable(Enum):
    """Tables of the sampled solver."""

    regrets = ...
    average = ...

def forecast_sampled(
    tree: CompiledTree,
    board: Sequence[int],
    ranges: NDArray[np.float32],
    threads: int,
    turns: int,
    rivers: int,
    turn_bins: int,
    river_bins: int,
) -> tuple[int, int, int, int, int, int]: ...

class SampledSolver:
    """The sampled solver of flops; use `riverboat.spots.SampledSolver`."""

    def __init__(
        self,
        tree: CompiledTree,
        board: Sequence[int],
        ranges: NDArray[np.float32],
        seed: int,
        threads: int,
        turns: int,
        rivers: int,
        turn_bins: int,
        river_bins: int,
    ) -> None: ...
    def run(self, iterations: int) -> None: ...
    def evaluate(self, iterations: int) -> None: ...
    @property
    def iterations(self) -> int: ...
    @property
    def num_bytes(self) -> int: ...
    @property
    def state_size(self) -> int: ...
    def save_state(self, out: NDArray[np.uint8]) -> None: ...
    def load_state(self, state: NDArray[np.uint8]) -> None: ...
    def lock(self, node: int, strategy: NDArray[np.float32]) -> None: ...
    def rows_into(self, table: FlopTable, node: int, out: NDArray[np.float32]) -> None: ...
    def sums_into(self, player: int, node: int, out: NDArray[np.float32]) -> None: ...
    def bins_into(self, player: int, cards: Sequence[int], out: NDArray[np.uint8]) -> None: ...

class SpotEngine:
    """A solver of one spot; use `riverboat.spots.Engine`."""

    def __init__(
        self,
        tree: CompiledTree,
        board: Sequence[int],
        ranges: NDArray[np.float32],
        threads: int,
        isomorphism: bool,
        own_reach: bool,
        bits: int,
        predictive: bool,
        gadget: SpotGadget | None,
        prefault: bool,
    ) -> None: ...
    def hands(self, player: int) -> list[int]: ...
    def table(self, part: TablePart, player: int) -> NDArray[Any]: ...
    def gadget_table(self, part: TablePart) -> NDArray[np.float32]: ...
    def run(self, schedule: SpotSchedule, begin: int, iterations: int) -> None: ...
    def run_checked(
        self,
        schedule: SpotSchedule,
        begin: int,
        iterations: int,
        target: float,
        following: int,
        before: tuple[int, float, float, float, bool] | None,
    ) -> tuple[list[tuple[int, float, float, float, bool]], int]: ...
    def best_response(self, player: int, adopt: bool) -> float: ...
    def value(self, player: int) -> float: ...
    @property
    def constant_sum(self) -> float | None: ...
    @property
    def largest_payoff(self) -> float: ...
    def deals(self, player: int) -> float: ...
    def start_reach(self, player: int) -> list[float]: ...
    def values_into(
        self, player: int, node: int, cards: Sequence[int], out: NDArray[np.float64]
    ) -> None: ...
    def best_values_into(
        self, player: int, node: int, cards: Sequence[int], out: NDArray[np.float64]
    ) -> None: ...
    def equity_into(
        self, player: int, node: int, cards: Sequence[int], out: NDArray[np.float64]
    ) -> None: ...
    def reach_into(
        self, player: int, node: int, cards: Sequence[int], out: NDArray[np.float64]
    ) -> None: ...
    def margins_into(self, out: NDArray[np.float64]) -> None: ...
    def board_strategies_into(
        self, player: int, cards: Sequence[int], out: NDArray[np.float32]
    ) -> None: ...
    def recorded_size(self, player: int) -> int: ...
    def record_values_into(self, player: int, out: NDArray[np.float64]) -> None: ...
    def action_values_into(
        self, node: int, cards: Sequence[int], out: NDArray[np.float64]
    ) -> None: ...
    def strategy_into(self, node: int, cards: Sequence[int], out: NDArray[np.float32]) -> None: ...
    def lock(
        self, node: int, cards: Sequence[int] | None, strategy: NDArray[np.float32]
    ) -> None: ...
    def unlock(self, node: int, cards: Sequence[int] | None) -> None: ...

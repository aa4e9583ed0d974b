"""`riverboat buckets`: how a card abstraction puts hands into buckets."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import numpy as np
from rich.console import RenderableType
from rich.table import Table

from riverboat.buckets import (
    KINDS,
    BucketSizes,
    BucketTables,
    CardAbstraction,
    ProgressCall,
    bucket_examples,
    bucket_sizes,
    bucket_tables,
    fitted_abstraction,
    kind_faults,
    parse_abstraction,
    street_named,
)
from riverboat.cards import STREETS, HandStrength, as_cards, board_size, card_symbol, cards_text
from riverboat.cli._command import argument, option
from riverboat.cli._output import Answer, console, status
from riverboat.cli._progress import abstraction_bar, open_hand_strength
from riverboat.errors import AbstractionError
from riverboat.report import size

_MOST_ROWS = 10_000
_WIDEST = 1_000  # columns of a terminal, more than any table needs


class Question(msgspec.Struct, frozen=True):
    """What to show of an abstraction; each field is an option."""

    hole: Annotated[str, option("Show the buckets of these two hole cards.")] = ""
    board: Annotated[str, option("Board of --hole: 0, 3, 4 or 5 cards.", "--board", "-b")] = ""
    street: Annotated[str, option("Show every bucket of this street.")] = ""
    bucket: Annotated[int | None, option("Show hands of this bucket of --street.")] = None
    examples: Annotated[int, option("Number of hands that --bucket shows.", least=1, most=1000)] = 8
    seed: Annotated[int, option("Random seed of fitting and of the examples.", least=0)] = 0

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.bucket is not None and not self.street:
            raise AbstractionError(
                f"--bucket {self.bucket} needs a street as well, such as --street flop"
            )
        if self.board and not self.hole:
            raise AbstractionError(f"--board {self.board} needs --hole")
        if self.hole and (self.street or self.bucket is not None):
            raise AbstractionError(
                f"--hole {self.hole} and --street {self.street} cannot be combined: give one of "
                "them"
            )


def buckets_command(
    abstraction: Annotated[
        str, argument("Abstraction, such as 'percentile 169/200/200/200'; 'kinds' lists all.")
    ],
    question: Question,
) -> Answer:
    """Show a card abstraction: bucket sizes, a hand's bucket, a bucket's hands."""
    if abstraction == "kinds":
        return _kinds()
    question.check()
    text = parse_abstraction(abstraction)
    tables = open_hand_strength()
    with abstraction_bar() as progress:
        cards = fitted_abstraction(text, tables, question.seed, progress)
        values = _answer(question, cards, tables, progress)
    values = {"abstraction": cards.name, "seed": question.seed, **values}
    return Answer(values, *_parts(values))


def _answer(
    question: Question, cards: CardAbstraction, tables: HandStrength, progress: ProgressCall
) -> dict[str, Any]:
    if question.hole:
        return _hand(cards, tables, question.hole, question.board)
    compiled = bucket_tables(cards, tables, progress=progress)
    if not question.street:
        return _all_streets(cards, compiled, tables)
    if question.bucket is None:
        return _street(compiled, tables, question.street)
    place = question.street, question.bucket
    return _bucket(cards, compiled, tables, place, (question.examples, question.seed))


def _kinds() -> Answer:
    kinds = [
        {"kind": kind.name, "example": kind.example, "sentence": kind.sentence}
        for kind in KINDS.values()
    ]
    for sentence in kind_faults():
        status.print(sentence)
    return Answer(
        {"kinds": kinds},
        _table(kinds, ["example", "sentence"]),
        "Streets may differ: lossless | percentile 50 | percentile 50 | equity-bins 20. Add the "
        "word recall at the end for perfect recall: later buckets remember the earlier ones.",
    )


def _all_streets(
    cards: CardAbstraction, compiled: BucketTables, tables: HandStrength
) -> dict[str, Any]:
    """Number and sizes of buckets by street."""
    rows = []
    for index, street in enumerate(STREETS[: len(compiled.tables)]):
        sizes = bucket_sizes(compiled, tables, street)
        shares = sizes.shares[sizes.deals > 0]
        rows.append(
            {
                "street": street,
                "kind": cards.rules[index].name,
                "buckets": len(sizes.deals),
                "remembered": cards.num_buckets[index],
                "used": len(shares),
                "least_share": float(shares.min()),
                "median_share": float(np.median(shares)),
                "greatest_share": float(shares.max()),
                "table_bytes": compiled.tables[index].nbytes,
            }
        )
    return {"streets": rows}


def _street(compiled: BucketTables, tables: HandStrength, name: str) -> dict[str, Any]:
    """All buckets of a street that contain a hand."""
    sizes = bucket_sizes(compiled, tables, street_named(name))
    used = np.flatnonzero(sizes.deals)
    if len(used) > _MOST_ROWS:
        raise AbstractionError(
            f"the {name} has {len(used):,} buckets, and a table shows at most {_MOST_ROWS:,}: name "
            "one with --bucket"
        )
    rows = [_size(sizes, int(bucket)) for bucket in used]
    return {"street": name, "buckets": rows}


def _size(sizes: BucketSizes, bucket: int) -> dict[str, Any]:
    deals = int(sizes.deals[bucket])
    return {
        "bucket": bucket,
        "deals": deals,
        "share": float(sizes.shares[bucket]),
        "strength": float(sizes.strength[bucket]) if deals else None,
    }


def _bucket(
    cards: CardAbstraction,
    compiled: BucketTables,
    tables: HandStrength,
    place: tuple[str, int],
    drawing: tuple[int, int],
) -> dict[str, Any]:
    """Size and sampled hands of a bucket."""
    street, bucket = street_named(place[0]), place[1]
    drawn = bucket_examples(compiled, street, bucket, *drawing)
    facts = _size(bucket_sizes(compiled, tables, street), bucket)
    explain = getattr(cards.rules[STREETS.index(street)], "explain", None)
    rows = [
        {
            "hole": cards_text(sorted(example.hole, reverse=True)),
            "board": cards_text(sorted(example.board, reverse=True)),
            "strength": tables.strength(list(example.hole), list(example.board)).mean,
        }
        for example in drawn
    ]
    words = explain(bucket) if explain else None
    return {"street": street, **facts, "meaning": words, "examples": rows}


def _hand(cards: CardAbstraction, tables: HandStrength, hole: str, board: str) -> dict[str, Any]:
    """Buckets of a hand on this street and all earlier ones."""
    dealt = as_cards(board)
    own: list[int] = []
    rows = []
    cards.street_bucket(hole, dealt)  # refuses cards that are not a hand of this abstraction
    for street in STREETS[: len(cards.rules)]:
        seen = dealt[: board_size(street)]
        if len(seen) < board_size(street):
            break
        own.append(cards.street_bucket(hole, seen))
        strength = tables.strength(hole, seen)
        rows.append(
            {
                "street": street,
                "board": cards_text(seen),
                "bucket": own[-1],
                "remembered": cards.combine(own),
                "strength": strength.mean,
                "mean_square": strength.mean_square,
                "win": strength.win,
                "tie": strength.tie,
            }
        )
    return {"hole": cards_text(as_cards(hole)), "streets": rows}


_FORMATS = {
    "share": "{:.4%}",
    "least_share": "{:.4%}",
    "median_share": "{:.4%}",
    "greatest_share": "{:.4%}",
    "strength": "{:.4f}",
    "mean_square": "{:.4f}",
    "win": "{:.4f}",
    "tie": "{:.4f}",
}


def _parts(values: dict[str, Any]) -> Iterator[RenderableType]:
    """Lay a result out for the terminal: facts first, then the rows."""
    rows: list[dict[str, Any]] = next(v for v in values.values() if isinstance(v, list))
    facts = {
        name: value
        for name, value in values.items()
        if value is not None and not isinstance(value, list) and name not in ("seed", "abstraction")
    }
    yield values["abstraction"]
    for name, value in facts.items():
        yield f"{_words(name)}: {_cell(name, value)}"
    table = _table(rows, [name for name in (rows[0] if rows else {}) if _wanted(name, rows)])
    # A terminal that is too narrow wraps lines; numbers are never shortened.
    unbounded = console.options.update(max_width=_WIDEST)
    needed = console.measure(table, options=unbounded).minimum
    if needed > console.width:
        table.width = needed
    yield table
    if "streets" in values and "hole" not in values:
        yield f"Bucket tables: {size(sum(row['table_bytes'] for row in rows))}"


def _wanted(name: str, rows: list[dict[str, Any]]) -> bool:
    """Whether to show a column; remembered buckets only if they differ from those of the street."""
    if name == "table_bytes":
        return False
    if name == "remembered":
        own = "buckets" if "buckets" in rows[0] else "bucket"
        return any(row[name] != row[own] for row in rows)
    return True


def _table(rows: list[dict[str, Any]], columns: list[str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        number = all(not isinstance(row[name], str) for row in rows)
        heading = _words(name).replace(" ", "\n")
        whole = number or name in {"street", "kind"}
        table.add_column(heading, justify="right" if number else "left", no_wrap=whole)
    for row in rows:
        table.add_row(*(_cell(name, row[name]) for name in columns))
    return table


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(name: str, value: Any) -> str:
    if name in ("hole", "board"):
        return " ".join(map(card_symbol, as_cards(value)))
    if isinstance(value, str):
        return value
    return _FORMATS.get(name, "{:,}").format(value)

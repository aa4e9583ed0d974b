"""Read and write the text of a range.

Tokens are separated by commas, spaces or line ends:

==========  ==========================================================================
`QQ`        the six combos of a pair
`QQ+`       that pair and every higher one
`JJ-77`     the pairs from JJ down to 77
`AK`        suited and offsuit
`AKs`       suited only; `AKo` offsuit only
`A2s+`      the kicker rises to just below the high card: A2s, A3s, .., AKs
`A5s-A2s`   one high card, the kickers from one end to the other
`76s-54s`   one gap, both ranks move: 76s, 65s, 54s
`AhKh`      one combo
`random`    all 1,326 combos
`15%`       the best hands against a random hand, in whole classes until 15 % are reached
==========  ==========================================================================

A ten may be written 10, and the suits of a combo as symbols, `A♥10♥`. Each token may end in a
weight from 0 to 1, `QQ:0.25`. A later token overrides an earlier one for combos that are in both,
so `random, 72o:0` is every hand except seven-deuce offsuit. Upper and lower case are the same, and
the ends of a dash may be in either order. A plus that has nothing to add (`AKs+`, `AA+`, and
`76s+`, whose kicker is the highest already) means the hand alone; `range_notes` says so.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards._card import RANKS, letters_for_signs
from riverboat.cards._holes import (
    CLASS_HOLES,
    NUM_CLASSES,
    NUM_HOLES,
    best_holes,
    hole_text,
    hole_texts,
    parse_hole,
)
from riverboat.errors import CardError, RangeError, point_at
from riverboat.files import bounded

_LONGEST = 100_000  # characters: enough for every combo with a weight of all digits
_ALLOWED = (
    "allowed are QQ, QQ+, JJ-77, AK, AKs, AKo, A2s+, KTo+, A5s-A2s, 76s-54s, AhKh, 15% and random, "
    "each with or without a weight from 0 to 1 such as :0.25"
)

# Patterns are compiled when a range is first read, not at import.
_FLAGS = re.IGNORECASE | re.ASCII
# A token and the separators before it. It always matches, so that reading takes linear time. Spaces
# around a dash (or the en dash of web pages) or a colon, and before a percent sign, belong to the
# token.
_NEXT = r"[\s,]*+((?:[^\s,:\-\u2013]++|\s*+[:\-\u2013]\s*+|\s*+%)*+)"
_SIDE = rf"([{RANKS}])([{RANKS}])([so]?)"
_HANDS = rf"{_SIDE}(?:(\+)|-{_SIDE})?"
_COMBO = rf"(?:[{RANKS}][cdhs]){{2}}"
# Possessive: no backtracking over digits.
_WEIGHT = r"(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:e[+-]?[0-9]++)?"
_PERCENT = rf"{_WEIGHT}%"


class _Hands(NamedTuple):
    """Two ranks 0..12, the higher first, and the kind: `s`, `o` or empty."""

    high: int
    low: int
    kind: str


class _BadTokenError(Exception):
    """Why a token cannot be read; `parse_weights` adds its position."""


def parse_weights(text: str) -> NDArray[np.float64]:
    """Read the text of a range.

    Parameters
    ----------
    text
        Tokens as listed above; empty text is the empty range.

    Returns
    -------
    ndarray
        `[1326] float64`, the weight of each hole pair, 0 to 1.

    Raises
    ------
    RangeError
        If a token cannot be read; the message points at it.

    Examples
    --------
    >>> float(parse_weights("22+, AKs, QQ:0.25").sum())
    77.5
    """
    if not isinstance(text, str):
        raise RangeError(f"{text!r} is not text: write a range like 'QQ+, AKs'")
    bounded(text, "a range", RangeError, _LONGEST)
    weights = np.zeros(NUM_HOLES)
    for start, token in _tokens(text):
        try:
            holes, weight = _read_token(token)
        except _BadTokenError as problem:
            sentence = point_at(text, start, token.rstrip(), "the range", str(problem))
            raise RangeError(f"{sentence}\n{_ALLOWED}") from None
        weights[holes] = weight
    return weights


def range_notes(text: str) -> list[str]:
    """Return a sentence for each token whose plus adds nothing.

    Tokens that cannot be read are skipped.

    Examples
    --------
    >>> range_notes("22+, ATs+")
    []
    >>> range_notes("76s+")
    ['76s+ is 76s alone: no kicker is higher below the 7; AKs-76s has all such hands above it']
    """
    notes = dict.fromkeys(_note(_split(token)[0]) for _, token in _tokens(text))
    return [note for note in notes if note]


def weights_text(weights: NDArray[np.float64]) -> str:
    """Return weights as the text of a range, always the same text for the same weights.

    Parameters
    ----------
    weights
        `[1326] float64`, the weight of each hole pair, 0 to 1.

    Returns
    -------
    str
        Pairs, suited hands, offsuit hands, then single combos of the classes whose combos differ in
        weight. `parse_weights` of the text returns exactly the same weights.

    Examples
    --------
    >>> weights_text(parse_weights("KK, AA, 54s, 76s, 65s, AKs, AKo:0.5"))
    'KK+, AKs, 76s-54s, AKo:0.5'
    """
    everywhere = float(weights[0])
    if everywhere > 0 and (weights == everywhere).all():
        return "random" + _weight_text(everywhere)
    class_weights, uneven = _split_classes(weights)
    tokens = [*_pair_tokens(class_weights), *_unpaired_tokens(class_weights)]
    for index in uneven:
        holes = CLASS_HOLES[index][::-1].tolist()
        values = weights[holes].tolist()
        tokens += [
            hole_text(hole) + _weight_text(value)
            for hole, value in zip(holes, values, strict=True)
            if value > 0
        ]
    return ", ".join(tokens)


# Reading.


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the start of each token, and the token."""
    for match in re.finditer(_NEXT, text):
        if not match[1]:
            return
        yield match.start(1), match[1]


def _split(token: str) -> tuple[str, str, str]:
    """Split a token into hands, colon and weight, in the form of the patterns."""
    body, colon, weight = "".join(token.split()).replace("\u2013", "-").partition(":")
    return body if "%" in body else body.replace("10", "T"), colon, weight


def _read_token(token: str) -> tuple[NDArray[np.intp], float]:
    """Return the hole pairs and the weight of a token."""
    body, colon, weight = _split(token)
    return _read_hands(body), _read_weight(weight) if colon else 1.0


def _read_weight(text: str) -> float:
    if re.fullmatch(_WEIGHT, text, _FLAGS):
        weight = float(text)
        if weight <= 1:
            return weight
    raise _BadTokenError(f"the weight {text!r:.40} is not a number from 0 to 1")


def _read_hands(body: str) -> NDArray[np.intp]:
    """Return the hole pairs of a token without its weight."""
    if (hole := _combos().get(body)) is not None:
        return np.array([hole])
    if match := re.fullmatch(_HANDS, body, _FLAGS):
        first = _hands(match[1], match[2], match[3])
        if match[4]:
            run = _rise(first)
        elif match[5]:
            run = _span(first, _hands(match[5], match[6], match[7]))
        else:
            run = [first]
        return np.concatenate([CLASS_HOLES[index] for hands in run for index in _classes(hands)])
    if re.fullmatch(_COMBO, letters_for_signs(body), _FLAGS):
        try:
            return np.array([parse_hole(body)])
        except CardError as error:
            raise _BadTokenError(str(error)) from error
    if body.lower() == "random":
        return np.arange(NUM_HOLES)
    if re.fullmatch(_PERCENT, body, _FLAGS) and (percent := float(body[:-1])) <= 100:
        return best_holes(percent)
    raise _BadTokenError(_guess(body))


@lru_cache(maxsize=1)
def _combos() -> dict[str, int]:
    """Combos as `hole_text` writes them: a fast path, other spellings are parsed."""
    return {text: hole for hole, text in enumerate(hole_texts())}


def _hands(one: str, other: str, kind: str) -> _Hands:
    ranks = RANKS.index(one.upper()), RANKS.index(other.upper())
    if ranks[0] == ranks[1] and kind:
        raise _BadTokenError("a pair is neither suited nor offsuit")
    return _Hands(max(ranks), min(ranks), kind.lower())


def _rise(hands: _Hands) -> list[_Hands]:
    """Expand a plus: higher pairs, or higher kickers under the same high card."""
    high, low, kind = hands
    if high == low:
        return [_Hands(rank, rank, "") for rank in range(high, 13)]
    return [_Hands(high, kicker, kind) for kicker in range(low, high)]


def _span(first: _Hands, last: _Hands) -> list[_Hands]:
    """Expand a dash; its ends may be in either order."""
    bottom, top = sorted((first, last))
    if bottom.kind != top.kind:
        raise _BadTokenError(
            "both ends must be suited (s), both offsuit (o), or both without a letter"
        )
    gap = top.high - top.low
    if bottom.high - bottom.low == gap:
        return [_Hands(low + gap, low, top.kind) for low in range(bottom.low, top.low + 1)]
    if bottom.high == top.high and gap and bottom.high != bottom.low:
        return [_Hands(top.high, low, top.kind) for low in range(bottom.low, top.low + 1)]
    raise _BadTokenError(
        "the ends must be two pairs (JJ-77), or have the same high card (A5s-A2s) "
        "or the same gap (76s-54s)"
    )


def _classes(hands: _Hands) -> list[int]:
    """Return the starting classes of two ranks: two of them without s or o."""
    row, column = 12 - hands.high, 12 - hands.low
    suited, offsuit = 13 * row + column, 13 * column + row
    if row == column or hands.kind == "s":
        return [suited]
    return [offsuit] if hands.kind == "o" else [suited, offsuit]


def _note(body: str) -> str:
    """Return a sentence if a token's plus adds nothing, else an empty text."""
    match = re.fullmatch(rf"{_SIDE}\+", body, _FLAGS)
    if not match:
        return ""
    low, high = sorted(RANKS.index(rank.upper()) for rank in match.group(1, 2))
    kind = match[3].lower()
    name = RANKS[high] + RANKS[low] + kind
    if name == "AA":
        return "AA+ is AA alone: no pair is higher"
    if high - low != 1:
        return ""
    note = f"{name}+ is {name} alone: no kicker is higher below the {RANKS[high]}"
    return note if high == 12 else f"{note}; AK{kind}-{name} has all such hands above it"


def _guess(body: str) -> str:
    """Return what is probably wrong with a token that cannot be read."""
    if "%" in body:
        return "a percentage of the best hands is a number from 0 to 100 and %, such as 15%"
    letters = letters_for_signs(body)
    if re.match(_COMBO, letters, _FLAGS):
        return "one combo takes no + and no -"
    if letters != body:
        return "write the suit symbol after each rank, such as A♥K♥"
    return f"ranks are {RANKS}, then s (suited), o (offsuit) or nothing"


# Writing.


class _Run(NamedTuple):
    """Kickers `first`..`last` (grid columns) of one high card, with the same weight."""

    first: int
    last: int
    weight: float


def _weight_text(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}"


def _split_classes(weights: NDArray[np.float64]) -> tuple[list[float], list[int]]:
    """Return the weight of each class (0 if its combos differ), and the classes that differ."""
    by_class = weights[_BY_CLASS]
    low = np.minimum.reduceat(by_class, _CLASS_STARTS)
    high = np.maximum.reduceat(by_class, _CLASS_STARTS)
    uneven = np.flatnonzero(low != high)
    low[uneven] = 0
    return low.tolist(), sorted(uneven.tolist(), key=_reading_order)


def _reading_order(index: int) -> tuple[int, int, int]:
    """Sort key: pairs, then suited, then offsuit hands, from the ace down."""
    row, column = divmod(index, 13)
    group = 0 if row == column else 1 if row < column else 2
    return group, min(row, column), max(row, column)


def _runs(values: Sequence[float], offset: int) -> list[_Run]:
    """Return maximal runs of equal weights above 0; places count from `offset`."""
    runs: list[_Run] = []
    for place, weight in enumerate(values, start=offset):
        if weight > 0 and runs and runs[-1].last == place - 1 and runs[-1].weight == weight:
            runs[-1] = runs[-1]._replace(last=place)
        elif weight > 0:
            runs.append(_Run(place, place, weight))
    return runs


def _pair_tokens(class_weights: Sequence[float]) -> Iterator[str]:
    for first, last, weight in _runs(class_weights[::14], offset=0):
        top, bottom = _name(first, first), _name(last, last)
        run = bottom if first == last else bottom + "+" if first == 0 else f"{top}-{bottom}"
        yield run + _weight_text(weight)


def _unpaired_tokens(class_weights: Sequence[float]) -> list[str]:
    """Return the tokens of suited, offsuit and both, from the highest card down."""
    rows: dict[str, dict[int, list[_Run]]] = {"": {}, "s": {}, "o": {}}
    for high in range(12):
        suited = _runs(class_weights[13 * high + high + 1 : 13 * high + 13], offset=high + 1)
        offsuit = _runs(class_weights[13 * (high + 1) + high :: 13], offset=high + 1)
        both = [run for run in suited if run in offsuit]
        rows[""][high] = both
        rows["s"][high] = [run for run in suited if run not in both]
        rows["o"][high] = [run for run in offsuit if run not in both]
    tokens = [token for kind, runs in rows.items() for token in _tokens_of_kind(kind, runs)]
    tokens.sort(key=lambda token: token[0])
    return [text for _, text in tokens]


_Place = tuple[bool, int, int]


def _tokens_of_kind(kind: str, rows: dict[int, list[_Run]]) -> Iterator[tuple[_Place, str]]:
    """Yield the tokens of one kind with their places in reading order: both, suited, offsuit."""
    single: dict[tuple[int, float], list[int]] = defaultdict(list)
    for high, runs in rows.items():
        for first, last, weight in runs:
            if first == last:
                single[first - high, weight].append(high)
                continue
            bottom = _name(high, last, kind)
            run = bottom + "+" if first == high + 1 else f"{_name(high, first, kind)}-{bottom}"
            yield (kind == "o", high, first), run + _weight_text(weight)
    for (gap, weight), highs in single.items():
        for high, run in _diagonals(highs, gap, kind):
            yield (kind == "o", high, high + gap), run + _weight_text(weight)


def _diagonals(highs: list[int], gap: int, kind: str) -> Iterator[tuple[int, str]]:
    """Yield hands of one gap; three or more in a row become one token, such as 76s-54s."""
    present = [1.0 if high in highs else 0.0 for high in range(12)]
    for first, last, _ in _runs(present, offset=0):
        if last - first < 2:
            yield from ((high, _name(high, high + gap, kind)) for high in range(first, last + 1))
        else:
            yield first, f"{_name(first, first + gap, kind)}-{_name(last, last + gap, kind)}"


def _name(high: int, low: int, kind: str = "") -> str:
    return RANKS[12 - high] + RANKS[12 - low] + kind


_BY_CLASS = np.concatenate(CLASS_HOLES)
_CLASS_STARTS = np.cumsum([0, *(len(CLASS_HOLES[index]) for index in range(NUM_CLASSES - 1))])

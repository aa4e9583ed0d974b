"""The grammar of ranges: every token against its definition, both ways, and its errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cards import range_meanings as reference
from riverboat.cards import (
    CLASS_HOLES,
    HOLE_CLASS,
    HOLES,
    HandStrength,
    Range,
    card_text,
    class_text,
    range_notes,
)
from riverboat.errors import RangeError
from sizes import few_or_many

BODIES = reference.all_bodies()
PAIR_OF_HOLE = [frozenset((card_text(a), card_text(b))) for a, b in HOLES]
ISSUE_EXAMPLE = "22+, A2s+, KTo+, 76s-54s, AhKh, QQ:0.25"


def reference_weights(tokens: list[str]) -> NDArray[np.float64]:
    expanded = reference.expand(tokens)
    return np.array([expanded[pair] for pair in PAIR_OF_HOLE])


def weights_of(text: str) -> NDArray[np.float64]:
    return Range.parse(text).weights


def canonical(text: str) -> str:
    return Range.parse(text).to_text()


def refusal(text: str) -> list[str]:
    """Lines of the error that a text gives."""
    with pytest.raises(RangeError) as caught:
        weights_of(text)
    return str(caught.value).split("\n")


def is_combo(body: str) -> bool:
    return len(body) == 4 and body[1] in "cdhs" and body[3] in "cdhs"


@pytest.mark.parametrize("stride", few_or_many(17, 1))
def test_every_token_means_what_its_definition_says(stride: int) -> None:
    # Combos are left to the next test: each is one pair of cards.
    bodies = [body for body in BODIES if not is_combo(body)]
    # 13 pairs with and without a plus, 13 * 13 spans of them, random; for each of three kinds
    # 78 hands with and without a plus, and spans of one high card (1 + 4 + .. + 12 * 12 = 650,
    # twice: of one gap there are as many) less the 78 from a hand to itself, counted twice.
    assert len(bodies) == 13 * 2 + 13 * 13 + 1 + 3 * (78 * 2 + 2 * 650 - 78)
    for body in bodies[::stride]:  # seventeen is no factor of the numbers above: all kinds come
        assert (weights_of(body) == reference_weights([body])).all(), body


def test_every_combo_token_is_one_hole_pair() -> None:
    combos = [body for body in BODIES if is_combo(body)]
    assert len(combos) == 52 * 51
    for body in combos:
        (hole,) = np.flatnonzero(weights_of(body))
        assert PAIR_OF_HOLE[hole] == {body[:2], body[2:]}


tokens_with_weights = st.lists(
    st.tuples(
        st.sampled_from(BODIES),
        st.sampled_from(
            ["", ":0", ":0.25", ":.5", ":1", ":1.", ":1e-05", ":3E-1", ":0.3333333333"]
        ),
    ).map("".join),
    max_size=6,
)


@given(tokens_with_weights)
def test_later_tokens_override_earlier_ones(tokens: list[str]) -> None:
    assert (weights_of(", ".join(tokens)) == reference_weights(tokens)).all()


def test_combos_of_the_usual_tokens() -> None:
    # Counted by hand: a pair has 6 combos, a suited hand 4, an offsuit hand 12.
    expected = {
        "QQ": 6,
        "QQ+": 18,
        "JJ-77": 30,
        "AK": 16,
        "AKs": 4,
        "AKo": 12,
        "A2s+": 48,
        "KTo+": 36,
        "A5s-A2s": 16,
        "76s-54s": 12,
        "AhKh": 1,
        "random": 1326,
        "QQ:0.25": 1.5,
        ISSUE_EXAMPLE: 13 * 6 - 4.5 + 48 + 36 + 12,  # 22+ less 0.75 of QQ; AhKh is in A2s+
    }
    assert {text: float(weights_of(text).sum()) for text in expected} == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("aks, TT+, ahkh", "AKs TT+ AhKh"),
        ("AKS,QQ", "AKs,QQ"),
        ("RANDOM:0.5", "random:.5"),
        ("77-JJ, A2s-A5s, 54s-76s", "JJ-77, A5s-A2s, 76s-54s"),
        ("JJ - 77, QQ : 0.25, A5s -A2s", "JJ-77, QQ:0.25, A5s-A2s"),
        ("JJ\u201377", "JJ-77"),  # the en dash of web pages
        ("KAs, TAo+, 2As-5As", "AKs, ATo+, A5s-A2s"),
        (",, AA ,\n\tKK\u00a0QQ,", "AA KK QQ"),
        ("KhAh", "AhKh"),
        ("AA:1, KK:1.0", "AA, KK"),
        ("", " ,\n"),
        ("AA-AA, AKs-AKs, AA+, 32s+", "AA, AKs, 32s"),
        ("AK-AT", "AKs-ATs, AKo-ATo"),
        ("A2+", "A2s+ A2o+"),
        ("A10s, 1010+, 109s-87s, K10", "ATs, TT+, T9s-87s, KT"),
        ("A♠10♠, K♥️Q♥️, J♢10♧", "AsTs, KhQh, JdTc"),
        ("ATs+ 22+", "ATs+, 22+"),
        ("15 %, 72o", "15%, 72o"),
        ("1.5e1%:0.5", "15%:0.5"),
        ("100%, 10%:0", "random, 10%:0"),
    ],
)
def test_spellings(text: str, same: str) -> None:
    assert (weights_of(text) == weights_of(same)).all()


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (ISSUE_EXAMPLE, "KK+, QQ:0.25, JJ-22, A2s+, 76s-54s, KTo+"),
        ("", ""),
        ("random", "random"),
        ("random:0.5", "random:0.5"),
        ("AKs, AKo", "AK"),
        ("AQs+, AKo", "AQs+, AKo"),
        ("ATs+, ATo+", "AT+"),
        ("AKs, AKo:0.5", "AKs, AKo:0.5"),
        ("22, 33, 55, AA", "AA, 55, 33-22"),
        ("A5s, A4s, A3s, A2s, 76s, 65s, 54s", "A5s-A2s, 76s-54s"),
        ("76s, 65s", "76s, 65s"),
        ("K9s, Q8s, J7s, T6s:0.5", "K9s-J7s, T6s:0.5"),
        ("AhKh, AsKs", "AsKs, AhKh"),
        ("AK, AhKh:0.25", "AKo, AsKs, AhKh:0.25, AdKd, AcKc"),
        ("AA:0.1, KK:0.30000000000000004", "AA:0.1, KK:0.30000000000000004"),
        ("QQ:0.00001, JJ:5e-324, AKs:0", "QQ:1e-05, JJ:5e-324"),
        ("KQo, 22, AKs", "22, AKs, KQo"),
    ],
)
def test_short_text(text: str, short: str) -> None:
    assert canonical(text) == short


@settings(deadline=None)
@given(tokens_with_weights)
def test_short_text_is_exact_and_a_fixed_point(tokens: list[str]) -> None:
    weights = weights_of(" ".join(tokens))
    text = Range(weights).to_text()
    assert (weights_of(text) == weights).all()
    assert canonical(text) == text


@settings(deadline=None, max_examples=50)
@given(tokens_with_weights, st.randoms(use_true_random=False))
def test_tokens_of_short_text_never_overlap(tokens: list[str], random: object) -> None:
    text = canonical(" ".join(tokens))
    parts = text.split(", ")
    random.shuffle(parts)  # type: ignore[attr-defined]  # it is a Random
    assert canonical(" ".join(parts)) == text


def test_error_names_the_token_points_at_it_and_says_what_is_allowed() -> None:
    sentence, line, carets, allowed = refusal("AA, QX+, KK")
    assert sentence.startswith(
        "'QX+' at character 5 of the range cannot be read: ranks are 23456789TJQKA"
    )
    assert line == "    AA, QX+, KK"
    assert carets == "        ^^^"
    assert allowed.startswith("allowed are QQ, QQ+, JJ-77, AK,")


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("A110s", "ranks are"),
        ("AK♠", "write the suit symbol after each rank"),
        ("A♠K♠+", "one combo takes no [+] and no -"),
        ("A♠A♠", "the card As appears twice"),
        ("101%", "a percentage of the best hands is a number from 0 to 100"),
        ("15%+", "a percentage of the best hands"),
        ("5%-15%", "a percentage of the best hands"),
        ("nan%", "a percentage of the best hands"),
        ("\u0661%", "a percentage of the best hands"),
        ("AhAh", "the card Ah appears twice"),
        ("AhKh+", "one combo takes no [+] and no -"),
        ("QQs", "a pair is neither suited nor offsuit"),
        ("QQ:25%", "the weight '25%' is not a number from 0 to 1"),
        ("QQ:1.01", "the weight '1.01' is not"),
        ("QQ:-0.1", "the weight '-0.1' is not"),
        ("QQ:nan", "the weight 'nan' is not"),
        ("QQ:", "the weight '' is not"),
        ("QQ:0.5:0.5", "the weight '0.5:0.5' is not"),
        ("QQ:\u0661", "the weight '\u0661' is not"),  # an Arabic 1, which float() would take
        ("AKs-AQo", "both ends must be suited"),
        ("AKs-AQ", "both ends must be suited"),
        ("A5s-K3s", "the same high card .* or the same gap"),
        ("AK-QQ", "the ends must be two pairs"),
        ("KK-KQ", "the ends must be two pairs"),
        ("\u212aK", "ranks are"),  # the Kelvin sign is no king
        ("AK\u017f", "ranks are"),  # nor the long s a suit
        ("-", "ranks are"),
        ("+", "ranks are"),
        (":0.5", "ranks are"),
        ("AKs++", "ranks are"),
        ("22-", "ranks are"),
        ("AKs-ATs-A9s", "ranks are"),
    ],
)
def test_reasons(token: str, reason: str) -> None:
    sentence, line, carets, _ = refusal(f"KK {token}" if token[0] not in "-:" else f"KK, {token}")
    assert sentence.startswith(repr(token))
    with pytest.raises(RangeError, match=reason):
        weights_of(token)
    assert line[carets.index("^") :] == token
    assert carets.count("^") == len(token)


def test_error_in_a_later_line_shows_that_line() -> None:
    sentence, line, carets, _ = refusal("AA\nKK,\tQX\r\nJJ")
    assert sentence.startswith("'QX' at character 5 of line 2")
    assert (line.rstrip(), carets) == ("    KK, QX", "        ^^")


def test_error_in_a_long_text_shows_the_part_around_it() -> None:
    sentence, line, carets, _ = refusal("22+ " * 100 + "XX " + "AA " * 100)
    assert "at character 401" in sentence
    assert len(line) < 80
    assert line[4] == line[-1] == "…"
    assert line[carets.index("^") : carets.index("^") + 2] == "XX"


def test_error_is_short_however_long_the_token() -> None:
    assert max(map(len, refusal("A" * 10_000))) < 200
    assert max(map(len, refusal("AA:" + "9" * 10_000))) < 200


def test_reading_is_linear() -> None:
    # Quadratic reading of these would take minutes.
    for text in (" " * 99_000, "AA" + " " * 99_000 + "KK", "," * 99_000, "AA " * 30_000):
        weights_of(text)
    weights_of("10" + " " * 99_000 + "%")
    weights_of("15%" + " " * 99_000 + "A♠K♠")
    refusal("-" * 99_000)
    refusal("10" * 49_000)
    refusal("A♠" * 49_000)
    refusal("%" * 99_000)
    refusal("9" * 99_000 + "%")
    refusal("AA " + " -" * 49_000)
    refusal("AA:" + "9" * 99_000)
    refusal("AA:" + "9" * 49_000 + "e" + "9" * 49_000)


def test_a_text_that_is_no_range_by_its_length_is_refused() -> None:
    assert "at most 100,000 are allowed" in refusal("AA " * 40_000)[0]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("22+ ATs+ KK+ AQo+ AK AA", []),
        ("AA+", ["AA+ is AA alone: no pair is higher"]),
        ("AKs+", ["AKs+ is AKs alone: no kicker is higher below the A"]),
        (
            "109o+:0.5, 9to+",
            [
                "T9o+ is T9o alone: no kicker is higher below the T; "
                "AKo-T9o has all such hands above it",
            ],
        ),
        ("QQs+, A♠K♠+, Ah Kh, 15%+", []),  # refused elsewhere
    ],
)
def test_notes_on_a_plus_that_adds_nothing(text: str, notes: list[str]) -> None:
    assert range_notes(text) == notes


def test_what_the_notes_advise_is_what_they_say() -> None:
    assert canonical("AKo-T9o") == canonical("T9o, JTo, QJo, KQo, AKo")
    assert canonical("T9o+") == "T9o"


def test_order_of_the_best_hands_is_that_of_their_exact_equity(tables: HandStrength) -> None:
    equities = tables.board_strength("").mean[[holes[0] for holes in CLASS_HOLES]]
    assert len(set(equities.tolist())) == 169
    order = sorted(range(169), key=lambda index: -equities[index])
    before = 0
    for count, index in enumerate(order, start=1):
        before += len(CLASS_HOLES[index])
        best = weights_of(f"{100 * (before - 1) / 1326}%")
        assert set(HOLE_CLASS[best > 0].tolist()) == set(order[:count]), class_text(index)


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("0%", ""),
        ("1e-9%", "AA"),
        ("0.45%", "AA"),  # 6 of 1,326 combos are 0.4525 %
        ("0.4526%", "KK+"),
        ("5%", "77+, AJs+, AKo"),  # without AKo it were 60 of 1,326, 4.5 %
        ("100%", "random"),
    ],
)
def test_percentages_end_with_the_class_that_reaches_them(text: str, best: str) -> None:
    assert canonical(text) == best


def test_percentages_are_nested_and_reach_what_they_say() -> None:
    before = weights_of("0%")
    for percent in range(1, 101):
        weights = weights_of(f"{percent}%")
        assert (weights >= before).all()
        # At most one class, of up to 12 combos, more than said.
        assert 0 <= weights.sum() - 13.26 * percent < 12
        before = weights

"""Every parser of the card layer against a heap of bad text: only Riverboat's errors may escape."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from riverboat.cards import Range, evaluate, parse_card, parse_cards, parse_class, parse_hole
from riverboat.errors import RiverboatError
from sizes import few_or_many

# What the grammars are made of, and what looks like it but is not.
PIECES = [
    *"23456789TJQKAtjqkacdhsCDHSoO+-:,. \n\t01%eE()_",
    *"\u2013\u2014\u2212\u00a0\u2028\u212a\u017f\u0661\u00bd\uff21\u0130\u00df\u0301\u200b\x00\r",
    *("AA", "QQ+", "AK", "AKs", "ATo", "76s-54s", "JJ-77", "A5s", "Ah", "Kd", "7c", "2s", "random"),
    *(
        ":0.25",
        ":1e-05",
        ":1",
        "1e999",
        "nan",
        "inf",
        "10",
        "♥",
        "♤",
        "\ufe0f",
        "15%",
        "🂡",
        "\ud800",
        "\udfff",
    ),
]
VALID = [
    *("Ah", "2c", "Td", "AhKd", "Ah Kd", "Ah,Kd,2c", "As Ks Qs Js Ts", "AKs", "72o", "77", "KAo"),
    *("22+, A2s+, KTo+, 76s-54s, AhKh, QQ:0.25", "random", "random, 72o:0", "JJ - 77 : 0.5"),
    *("10s", "A♠", "A♥10♥", "10♢9♧", "A10s", "1010", "15%", "ATs+ 22+ 7.5%:0.5"),
    *("A5s-A2s:1e-05 QQ:.5", "AK\nAQ\nAJ", "T9-65, 2s2h:0.125", "66-22,A8o+,K9s+:0.75"),
]


def from_pieces(random: Random) -> str:
    return "".join(random.choices(PIECES, k=random.randrange(7)))


def from_anything(random: Random) -> str:
    limit = random.choice((0x80, 0x250, 0x3000, 0x110000))
    return "".join([chr(int(random.random() * limit)) for _ in range(random.randrange(6))])


def from_valid(random: Random) -> str:
    """Spoil a good text in up to three places."""
    text = random.choice(VALID)
    for _ in range(random.randrange(4)):
        at = random.randrange(len(text) + 1)
        put = random.choice(PIECES) if random.random() < 0.7 else text[at : at + 3]
        text = text[:at] + put + text[at + random.randrange(3) :]
    return text


def texts(count: int, seed: int) -> Iterator[str]:
    """Yield the given number of texts, the same ones for the same seed."""
    random = Random(seed)
    makers = (from_pieces, from_pieces, from_valid, from_anything)
    for number in range(count):
        yield makers[number & 3](random)


def fuzz(parser: Callable[[str], object], count: int) -> None:
    """Feed a parser; it must take some texts and refuse others, with a printable sentence."""
    refused = 0
    for text in texts(count, seed=20240229):
        try:
            parser(text)
        except RiverboatError as error:
            refused += 1
            if not str(error).encode():  # raises where a message cannot be written out
                pytest.fail(f"no message for {text!r}")
        except Exception as error:  # the text is what one needs to repeat it
            pytest.fail(f"{text!r} raised {error!r}")
    assert 0 < refused < count


def checked_card(text: str) -> None:
    assert 0 <= parse_card(text) < 52


def checked_cards(text: str) -> None:
    cards = parse_cards(text)
    assert len(set(cards)) == len(cards) <= 52


def checked_hole(text: str) -> None:
    assert 0 <= parse_hole(text) < 1326


def checked_class(text: str) -> None:
    assert 0 <= parse_class(text) < 169


def checked_evaluate(text: str) -> None:
    """Read by the core; where it finds 5 to 7 cards, the Python reader must find the same."""
    try:
        strength = evaluate(text)
    except RiverboatError as error:
        if "is not a card" not in str(error) and "in Unicode" not in str(error):
            return  # cards, but too few, too many or one twice: no error of reading
        raise
    assert strength == evaluate(parse_cards(text))


PARSERS = [
    *(checked_card, checked_cards, checked_hole, checked_class, checked_evaluate),
    Range.parse,
]


@pytest.mark.parametrize("count", few_or_many(6_000, 1_000_000))
@pytest.mark.parametrize("parser", PARSERS)
def test_many_texts(parser: Callable[[str], object], count: int) -> None:
    fuzz(parser, count)


@pytest.mark.parametrize("count", few_or_many(5_000, 20_000))
def test_accepted_ranges_come_back_from_their_own_text(count: int) -> None:
    accepted = 0
    for text in texts(count, seed=7):
        try:
            shown = Range.parse(text)
        except RiverboatError:
            continue
        accepted += 1
        assert Range.parse(shown.to_text()) == shown
    assert accepted > count / 20

"""Arguments of a wrong type are refused with a sentence; a question about them is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from riverboat import _core
from riverboat.errors import GameError, IllegalActionError
from riverboat.game import Action, GameSpec, Hand, Street, catalogue, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

SPEC = catalogue("nolimit")
LONE_SURROGATE = "\ud800"


class Unprintable:
    """An object whose repr UTF-8 cannot encode."""

    def __repr__(self) -> str:
        return LONE_SURROGATE


class Unshowable:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


def compiled(**changes: Any) -> _core.CompiledGame:
    """Make a game by the core's own numbers."""
    street = (2, 5, changes.pop("discard", 0), 0, 250, 250, -1)
    values: dict[str, Any] = {
        "betting": 0,
        "showdown": 0,
        "stacks": (100, 100),
        "blinds": (5, 10),
        "antes": (0, 0),
        "min_bet": 0,
        "streets": [street],
        "deck": tuple(range(52)),
        "rake": (0, 0, True),
    }
    return _core.CompiledGame(*(values | changes).values())


WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda hand: hand.view("x"), "there is no seat 'x': seats are 0 to 1"),
    (lambda hand: hand.view(None), "there is no seat None"),
    (lambda hand: hand.view(1.0), "there is no seat 1.0"),
    (lambda hand: hand.view(2**40), "there is no seat 1099511627776"),
    (lambda hand: hand.view(2**80), "there is no seat 1208925819614629174706176"),
    (lambda hand: hand.view(-1), "there is no seat -1"),
    (lambda hand: hand.hole_cards("x"), "there is no seat 'x'"),
    (lambda hand: hand.give_hole("a", "AhKd"), "there is no seat 'a'"),
    (lambda hand: hand.give_swap("a", 1, "Ah"), "there is no seat 'a'"),
    (lambda hand: hand.give_swap(0, "a", "Ah"), "street 'a' has no swaps"),
    (lambda hand: hand.spec.first_seat(9), "the street must be between 0 and 3, not 9"),
    (lambda hand: hand.spec.first_seat("0"), "the street must be a whole number, not '0'"),
    (lambda _: simulate("x", 5, 1), "'x' is not a GameSpec"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: simulate(SPEC, -1, 1), "a whole number from 0 on, not -1"),
    (lambda _: simulate(SPEC, "5", 1), "from 0 on, not '5'"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: simulate(SPEC, 5, "1"), "a seed is a whole number"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: GameSpec((9, 9), streets=Street()), "a list of Street"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: Hand(SPEC, stacks=Unprintable()), r"not as \\ud800"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: Hand(SPEC, stacks=Unshowable()), "an object of type Unshowable"),  # type: ignore[arg-type]  # wrong on purpose
    (lambda _: compiled(betting=3), "the betting must be a number from 0 to 2, not 3"),
    (lambda _: compiled(showdown=-1), "the showdown must be a number from 0 to 4, not -1"),
    (lambda _: compiled(discard=7), "a discard must be a number from 0 to 2, not 7"),
    (lambda _: compiled(deck=(0, 52)), "a card of the deck must be a number from 0 to 51, not 52"),
]


@pytest.mark.parametrize(("call", "sentence"), WRONG)
def test_wrong_types_are_refused_with_a_sentence(
    call: Callable[[Any], object], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        call(Hand(SPEC, seed=1))


def test_the_cores_own_numbers_make_a_game() -> None:
    assert compiled().slots == 9


@pytest.mark.parametrize("action", [LONE_SURROGATE, "b\ud800", 5, None, b"k", Unprintable()])
def test_what_is_no_action_is_not_legal(action: Any) -> None:
    hand = Hand(SPEC, seed=1)
    assert not hand.can(action)
    assert action not in hand.legal()
    for attempt in (hand.do, hand.verify, hand.play, Action):
        with pytest.raises(IllegalActionError):
            attempt(action)

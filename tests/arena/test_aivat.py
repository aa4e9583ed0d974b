"""AIVAT in matches: beside the chips, through the ledger, and who cannot be scored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from arena.table_bots import Fish
from riverboat.arena import (
    Ledger,
    Match,
    MatchSettings,
    play_match,
    play_matches,
)
from riverboat.bots import all_strategies, make_bot
from riverboat.errors import ArenaError, GameError
from riverboat.evaluate import is_known

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.arena import BotMaker
    from riverboat.bots import HandStrategies
    from riverboat.game import View

_LIMIT: dict[str, Any] = {"game": "limit", "hands": 8, "seed": 3, "session": 2, "aivat": True}


def _settings(*bots: BotMaker) -> MatchSettings:
    return MatchSettings(bots, **_LIMIT)


def test_both_results_are_told() -> None:
    result = play_match(["fish", "random"], **_LIMIT)
    assert result.unit_aivat is not None
    assert result.unit_aivat.sum(axis=1) == pytest.approx(0)  # what one wins the other loses
    told, plain, scored = (
        result.summary()["aivat"],
        result.chips_per_hand(),
        result.aivat_per_hand(),
    )
    assert told["value"] == "checking down, version 1"
    assert told["known"] == ["fish", "random"]
    assert told["left_out"] == 0
    assert scored is not None
    assert plain.error is not None
    assert scored.error is not None
    assert told["variance_reduction"] == pytest.approx((plain.error / scored.error) ** 2)
    assert result.best_estimate() == scored
    verdict = result.verdict()
    assert verdict is not None
    assert verdict.won.mean == pytest.approx(abs(told["mbb_per_hand"]["mean"]))


def test_without_it_nothing_is_said() -> None:
    result = play_match(["fish", "random"], "limit", hands=8, seed=3)
    assert result.unit_aivat is None
    assert "aivat" not in result.summary()
    assert "aivat" not in result.settings.as_values()  # matches of 0.1 have the keys that they had


def test_a_stopped_match_goes_on(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    whole = play_match(["fish", Fish], **_LIMIT)
    stopped = Match(_settings("fish", Fish), ledger=ledger)
    playing = play_matches([stopped], 1)
    next(playing)
    playing.close()
    again = Match(_settings("fish", Fish), ledger=ledger, resume=True)
    assert again.done == 2
    assert len(list(play_matches([again], 1))) == 1
    result = again.finish()
    assert result.unit_aivat is not None
    assert (result.unit_aivat == whole.unit_aivat).all()
    sums = result.sessions[0].aivat
    assert sums is not None
    assert sums.known == (True, False)
    assert ledger.entries()[0].settings["aivat"] == "checking down, version 1"


def test_sessions_without_scores_are_not_taken(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    plain = Match(MatchSettings(("fish", "random"), **(_LIMIT | {"aivat": False})), ledger=ledger)
    session = next(play_matches([plain], 1)).match.sessions[0]
    scored = Match(_settings("fish", "random"), ledger=ledger)
    scored.enter()
    assert scored.number is not None
    ledger.add_sessions(scored.number, [session])
    again = Match(_settings("fish", "random"), ledger=ledger, resume=True)
    assert again.damaged == (0,)


class Stubborn(Fish):
    """Says that it always calls, and folds."""

    repeats = True

    def act(self, view: View) -> str:
        """Fold, whatever comes."""
        return "f" if view.legal.fold else "k"

    def strategies(self, view: View) -> HandStrategies:
        """Say otherwise."""
        return all_strategies(make_bot("checkcall", 0), view)


def _stubborn(seed: int) -> Stubborn:
    return Stubborn(seed)


def test_who_answers_otherwise_when_asked_again_is_not_known() -> None:
    bot = Stubborn()
    assert is_known(bot)
    bot.repeats = False
    assert not is_known(bot)


def test_hands_that_cannot_be_scored_count_as_played() -> None:
    result = play_match([_stubborn, "fish"], **(_LIMIT | {"hands": 4}), keep_going=True)
    assert result.aivat_left_out > 0
    assert result.summary()["aivat"]["left_out"] == result.aivat_left_out


@pytest.mark.parametrize(
    ("bots", "changed", "sentence"),
    [
        (("fish", "fish"), {"game": "leduc"}, "AIVAT needs hold'em for two players"),
        (("fish",) * 3, {}, "AIVAT needs hold'em for two players"),
        (("fish", "fish"), {"hands": 0, "games": 4}, "use --hands, not --games"),
        ((Fish, Fish), {}, "AIVAT knows the strategy of none of Fish, Fish"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    bots: tuple[BotMaker, ...], changed: dict[str, Any], sentence: str
) -> None:
    with pytest.raises((ArenaError, GameError), match=sentence):
        play_match(bots, **(_LIMIT | changed))

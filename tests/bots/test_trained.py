"""Bots by name that play from strategy files: blueprint with its styles, cfrv1, cfrv2."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.arena import MatchSettings, missing_tables, play_match
from riverboat.arena import _tables as arena_tables
from riverboat.bots import BlueprintBot, make_bot
from riverboat.bots._monte_carlo import MonteCarlo
from riverboat.bots._styles import STYLES
from riverboat.errors import BlueprintError, GameError
from riverboat.game import Hand, View, catalogue
from riverboat.translation import _bets as bets

NOLIMIT = catalogue("nolimit-100bb")


def made(text: str, seed: int = 1) -> BlueprintBot:
    bot = make_bot(text, seed)
    assert isinstance(bot, BlueprintBot)
    return bot


@pytest.mark.parametrize("rule", bets.TRANSLATIONS)
def test_every_translation_can_be_named(rule: str, strategy_files: dict[str, Path]) -> None:
    bot = made(f"blueprint:{strategy_files['blueprint']},translation={rule}")
    assert bot.query.tracker.translation == rule


def test_defaults_come_from_the_file(strategy_files: dict[str, Path]) -> None:
    file = strategy_files["blueprint"]
    plain = made(f"blueprint:{file}")
    assert (plain.style, plain.num_streets) == (None, 4)
    # `check-fold` in the header of the file.
    assert type(plain.fallback).__name__ == "Fold"
    assert type(made(f"blueprint:{file},fallback=shark").fallback).__name__ == "Shark"
    with pytest.raises(GameError, match="'whale' is not a bot"):
        made(f"blueprint:{file},fallback=whale")


def test_uniform_play_where_untrained_has_the_sizes_of_the_menu(
    strategy_files: dict[str, Path],
) -> None:
    bot = made(f"blueprint:{strategy_files['blueprint']},fallback=uniform")
    sizes = set()
    for seed in range(60):
        hand = Hand(NOLIMIT, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            answer = bot.query.strategy(view)
            if answer.status == "untrained":
                menu = bot.query.tracker.nodes[answer.node].actions
                assert bot.strategy(view) == pytest.approx(dict.fromkeys(menu, 1 / len(menu)))
                drawn = {str(bot.act(view)) for _ in range(40)}
                assert drawn == set(menu)  # of four, one fails with 4 * 0.75**40 = 4e-5
                sizes |= {len(menu)}
            # Only actions of the menu are played here: tables are those of the tree.
            hand.do(bot.act(view))
    assert len(sizes) > 1


@pytest.mark.parametrize("style", STYLES)
def test_the_six_styles(style: str, strategy_files: dict[str, Path]) -> None:
    file = strategy_files["blueprint"]
    plain, bent = made(f"blueprint:{file}"), made(f"blueprint:{file},style={style}")
    assert bent.style is not None
    assert bent.style.name == style
    decisions = different = 0
    for seed in range(30):
        hand = Hand(NOLIMIT, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            ours, theirs = plain.strategy(view), bent.strategy(view)
            assert list(ours) == list(theirs)
            assert sum(theirs.values()) == pytest.approx(1)
            decisions, different = decisions + 1, different + (ours != theirs)
            hand.do(bent.act(view))
    # Untrained rows, a fifth, are the fallback's; as many are uniform, which some styles keep.
    assert different > decisions / 3


@pytest.mark.parametrize(("name", "samples"), [("cfrv1", 50), ("cfrv2", 10_000)])
def test_cardiff_plays_two_streets_from_the_file(
    name: str, samples: int, strategy_files: dict[str, Path]
) -> None:
    bot = made(f"{name}:{strategy_files[name]}")
    assert isinstance(bot.fallback, MonteCarlo)
    assert bot.fallback.settings.samples == samples
    for seed in range(30):
        hand = Hand(NOLIMIT, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            move = bot.act(view)
            if move == "f":  # go on to the river
                move = "c"
            hand.do(move)
    assert bot.counts["later"] > 30
    assert bot.counts["trained"] > 60


def test_two_bots_of_one_file_in_the_discard_game(strategy_files: dict[str, Path]) -> None:
    """They share what was opened; each remembers the cards that it swapped."""
    text = f"blueprint:{strategy_files['swaps']}"
    together = [made(text, seed=1), made(text, seed=2)]
    assert together[0].query.buckets is together[1].query.buckets
    for seed in range(200):
        hand = Hand(catalogue("discard-2017"), seed=seed)
        while hand.actor is not None:
            hand.do(together[hand.actor].act(hand.view(hand.actor)))
    counts = together[0].counts + together[1].counts
    # A fifth of the rows is untrained. Off the tree is only who faces a bet of the fallback.
    assert counts["off-tree"] == 0
    assert 0.7 < counts["trained"] / sum(counts.values()) < 0.9


def test_a_file_that_changed_is_opened_again(
    strategy_files: dict[str, Path], tmp_path: Path
) -> None:
    file = tmp_path / "mine.blueprint"
    file.write_bytes(strategy_files["blueprint"].read_bytes())
    first = made(f"blueprint:{file}")
    assert made(f"blueprint:{file}", seed=2).query.source is first.query.source
    fresh = tmp_path / "fresh"
    fresh.write_bytes(strategy_files["cfrv1"].read_bytes())
    os.utime(fresh, ns=(1, 1))
    fresh.replace(file)
    assert made(f"blueprint:{file}").query.tree.num_streets == 2
    file.write_text("no strategy at all")
    with pytest.raises(BlueprintError, match=r"mine\.blueprint is a text file"):
        made(f"blueprint:{file}")


def test_a_match_is_another_one_when_its_file_changes(
    strategy_files: dict[str, Path], tmp_path: Path
) -> None:
    file = tmp_path / "mine.blueprint"
    keys = []
    for name in ("blueprint", "cfrv1"):
        file.unlink(missing_ok=True)
        file.write_bytes(strategy_files[name].read_bytes())
        result = play_match([f"blueprint:{file}", "fish"], hands=20, seed=1)
        assert result.errors(0) == {}
        keys.append(result.settings.key)
    assert keys[0] != keys[1]


def test_a_threshold_leaves_rare_actions_out(strategy_files: dict[str, Path]) -> None:
    file = strategy_files["blueprint"]
    whole, cut = made(f"blueprint:{file}"), made(f"blueprint:{file},threshold=0.4")
    pure = made(f"blueprint:{file},threshold=1")
    assert (whole.threshold, cut.threshold) == (0, 0.4)  # its header has no recipe
    seen = 0
    for view in views_of(whole, hands=30):
        if whole.query.strategy(view).status != "trained":
            continue
        chances, left = whole.strategy(view), cut.strategy(view)
        least = min(0.4, max(chances.values()))
        passive = "k" if "k" in chances else "c"
        kept = {a: p for a, p in chances.items() if p >= least or a == passive}
        kept[passive] += 1 - sum(kept.values())
        assert left == pytest.approx({a: kept.get(a, 0) for a in chances}, abs=1e-6)
        assert left.get("f", 0) <= chances.get("f", 0)
        assert {a for a, p in pure.strategy(view).items() if p and a != passive} == {
            a for a, p in chances.items() if p == max(chances.values()) and a != passive
        }
        seen += len(kept) < len(chances)
    assert seen > 10


def views_of(bot: BlueprintBot, hands: int) -> Iterator[View]:
    """What the bot sees when it plays itself."""
    for seed in range(hands):
        hand = Hand(NOLIMIT, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            yield view
            hand.do(bot.act(view))


def test_long_matches_want_tables(
    strategy_files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = strategy_files["blueprint"]
    bots = (f"blueprint:{file}", "fish")
    short, longer = (MatchSettings(bots, hands=hands) for hands in (10_000, 20_000))
    monkeypatch.setenv("RIVERBOAT_CACHE", str(tmp_path))
    assert missing_tables([short]) == {}
    assert list(missing_tables([longer])) == list(missing_tables([short, short])) == [file]


def test_tables_are_built_before_a_long_match(
    strategy_files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[object] = []
    monkeypatch.setattr(arena_tables, "LEAST_HANDS", 2)
    monkeypatch.setattr(arena_tables, "_lacks_tables", lambda _: True)
    monkeypatch.setattr(arena_tables, "bucket_tables", lambda cards, **_: built.append(cards))
    bot = f"blueprint:{strategy_files['blueprint']}"
    play_match([bot, "fish"], hands=2)
    assert len(built) == 1

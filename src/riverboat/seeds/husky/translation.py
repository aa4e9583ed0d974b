"""What the translation costs: the same opponent with bets on the menu and off it."""

import math

import msgspec

from riverboat.arena import Match, MatchSettings
from riverboat.bots import BlueprintBot, make_bot
from riverboat.errors import RecipeError
from riverboat.game import Hand, catalogue
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Won, play_all
from riverboat.seeds.husky.bettor import MakeBettor
from riverboat.seeds.husky.data import Size, husky
from riverboat.seeds.husky.training import Both, blueprint_text

__all__ = ["Translated", "Watched", "difference", "play_translation"]

_GAME = "nolimit-100bb"


class Watched(msgspec.Struct, frozen=True):
    """Where the CFR bot's decisions came from, shares of all of them."""

    translated: float
    """In the tree, but some bet on the way there was read as another one."""
    untrained: float
    off_tree: float


class Translated(msgspec.Struct, frozen=True):
    """Against one size of raises, chips a hand."""

    size: str
    rules: dict[str, Won]
    """Husky's CFR bot, by the rule of translation."""
    wide: Won
    """Wide CFR, with half the pot, the pot and all-in on its menu."""
    watched: Watched


def play_translation(run: Reproduction, both: Both) -> list[Translated]:
    """Play both bots against every size."""
    return run.step("translation", list[Translated], lambda: _play(run, both))


def _play(run: Reproduction, both: Both) -> list[Translated]:
    plan = husky().translation
    bots = {rule: blueprint_text(run, both.narrow, rule) for rule in plan.rules}
    bots["wide"] = blueprint_text(run, both.wide)
    hands = plan.hands.of(run)
    settings = [
        MatchSettings((bot, _maker(size)), _GAME, hands=hands, seed=run.seed)
        for size in plan.sizes
        for bot in bots.values()
    ]
    matches = iter(play_all(run, settings, (0.0, 0.95)))
    found = []
    for size in plan.sizes:
        won = {name: _won(next(matches)) for name in bots}
        wide = won.pop("wide")
        run.tell(0.95, f"watches {size.words}")
        watched = _watch(bots[plan.rules[0]], size, plan.watched.of(run), run.seed)
        found.append(Translated(size.name, won, wide, watched))
    return found


def _maker(size: Size) -> MakeBettor:
    plan = husky().translation
    return MakeBettor(size, plan.low, plan.high)


def _won(match: Match) -> Won:
    result = match.result()
    return Won.of(result.best_estimate(0), result.hands)


def _watch(text: str, size: Size, hands: int, seed: int) -> Watched:
    """Play some hands and ask the strategy what it made of each decision."""
    bot, rival = make_bot(text, seed), _maker(size)(seed)
    if not isinstance(bot, BlueprintBot):
        raise RecipeError(f"{text} does not play from a strategy: only such a bot can be watched")
    counts = {"exact": 0, "translated": 0, "untrained": 0, "off-tree": 0}
    spec = catalogue(_GAME)
    for number in range(hands):
        hand, seat = Hand(spec, seed=seed + number), number % 2
        while hand.actor is not None:
            view = hand.view(hand.actor)
            if hand.actor != seat:
                hand.do(rival.act(view))
                continue
            answer = bot.query.strategy(view)
            trained = "exact" if answer.exact else "translated"
            counts[trained if answer.status == "trained" else answer.status] += 1
            hand.do(bot.act(view))
    total = max(1, sum(counts.values()))
    return Watched(
        counts["translated"] / total, counts["untrained"] / total, counts["off-tree"] / total
    )


def difference(first: Won, second: Won) -> Won:
    """Return first minus second, as if the two were independent.

    Matches with the same seed share their deals: what one bot gains by luck the other gains too,
    so the true interval is rather narrower.

    Examples
    --------
    >>> difference(Won(5.0, 3.0, 100), Won(1.0, 4.0, 100)).text(1)
    '+4.0 ± 5.0'
    """
    known = min(first.margin, second.margin) >= 0
    margin = math.hypot(first.margin, second.margin) if known else -1.0
    return Won(first.mean - second.mean, margin, first.hands + second.hands)

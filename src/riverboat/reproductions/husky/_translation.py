"""What the translation costs: the same opponent with bets on the menu and off it.

Husky's CFR bot knows two sizes and two raises a street. Its opponent raises at most twice a street
too, so that with a size of the menu nothing that it does has to be translated.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from riverboat.bots import (
    EquityBot,
    SharkSettings,
    give_up,
    go_along,
    raise_pot_share,
    raise_to,
)
from riverboat.game import View, catalogue, parse_line
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import (
    Trained,
    blueprint_bot,
    play_named,
    train_recipe,
    watch_hands,
)
from riverboat.reproductions.husky._recipe import DATA, Size
from riverboat.reproductions.husky._results import CFR, WIDE, Translated
from riverboat.training import load_recipe

GAME = "nolimit-100bb"
_MOST_RAISES = 2


def train_both(run: ReproductionRun) -> dict[str, Trained]:
    """Train CFR and wide CFR, which differ in nothing but the sizes of raises."""
    amounts = DATA.amounts(run)
    recipe = load_recipe(DATA.training).changed({"seed": run.seed, **amounts.narrow})
    wide = recipe.changed({"name": "husky-wide", **amounts.wide})
    return {
        CFR: train_recipe(run.part(0.0, 0.5), recipe, "husky"),
        WIDE: train_recipe(run.part(0.5, 1.0), wide, "husky-wide"),
    }


def strategy_bots(run: ReproductionRun, trained: Mapping[str, Trained]) -> dict[str, str]:
    """Return the texts of the bots that play from the files of trainings."""
    return {name: f"blueprint:{run.path(each.blueprint)}" for name, each in trained.items()}


def play_translation(run: ReproductionRun, trained: Mapping[str, Trained]) -> dict[str, Translated]:
    """Play the CFR bot, by each rule of translation, and wide CFR against every size."""
    plan, amounts = DATA.translation, DATA.amounts(run).translation
    texts = strategy_bots(run, trained)
    bots = {rule: f"{texts[CFR]},translation={rule}" for rule in plan.rules} | {WIDE: texts[WIDE]}
    pairs = {
        (size.name, name): (bot, _maker(size)) for size in plan.sizes for name, bot in bots.items()
    }
    played = play_named(run.part(0.0, 0.95), pairs, game=GAME, hands=amounts.hands)
    found = {}
    for size in plan.sizes:
        won = {name: played[size.name, name].best_estimate(0) for name in bots}
        run.tell(0.95, f"watches {size.label}")
        watched = _watch(bots[plan.rules[0]], size, amounts.watched, run.seed)
        found[size.name] = Translated(won, played[size.name, WIDE].hands, *watched)
    return found


def _watch(text: str, size: Size, hands: int, seed: int) -> list[float]:
    """Play some hands: shares of decisions after a translated bet, untrained, off the tree."""
    bot, counts = blueprint_bot(text, seed), Counter[str]()

    def act(view: View) -> str:
        answer = bot.query.strategy(view)
        trained = "exact" if answer.exact else "translated"
        counts[trained if answer.status == "trained" else answer.status] += 1
        return str(bot.act(view))

    list(watch_hands(catalogue(GAME), act, _maker(size)(seed), hands, seed))
    total = max(1, counts.total())
    return [counts[name] / total for name in ("translated", "untrained", "off-tree")]


class Bettor(EquityBot[SharkSettings]):
    """Folds and raises as Shark does, by a chosen size and at most twice a street.

    Examples
    --------
    >>> from riverboat.game import Hand, catalogue
    >>> view = Hand(catalogue("nolimit-100bb"), seed=1).view(0)
    >>> half = Size("half", "half the pot", share=0.5)
    >>> Bettor(1, SharkSettings(), half).decide(view, 0.9)
    'b20'
    """

    def __init__(self, seed: int, settings: SharkSettings, size: Size) -> None:
        super().__init__(seed, settings)
        self._size = size

    def decide(self, view: View, rate: float) -> str:
        """Choose at this win rate."""
        if rate > self.settings.high:
            return self._raise(view)
        return go_along(view) if rate > self.settings.low else give_up(view)

    def _raise(self, view: View) -> str:
        done = parse_line(view.line)[view.street :]  # empty before the street's first action
        raises = sum(action.kind == "bet" for street in done for action in street)
        if raises >= _MOST_RAISES:
            return go_along(view)
        size = self._size
        blinds = size.after if view.street else size.before
        if blinds is None:
            return raise_pot_share(view, size.share)
        return raise_to(view, blinds[raises] * view.spec.big_blind)


@dataclass(frozen=True)
class MakeBettor:
    """Makes the opponent; can be sent to other processes."""

    size: Size
    low: float
    high: float

    @property
    def __name__(self) -> str:
        """Tell the sizes apart in results and ledgers."""
        return f"bettor {self.size.name} {self.low:g} {self.high:g}"

    def __call__(self, seed: int) -> Bettor:
        """Make one."""
        return Bettor(seed, SharkSettings(low=self.low, high=self.high), self.size)


def _maker(size: Size) -> MakeBettor:
    plan = DATA.translation
    return MakeBettor(size, plan.low, plan.high)

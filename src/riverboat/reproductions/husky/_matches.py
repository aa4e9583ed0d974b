"""The CFR bot and its translation, Killer's learning curves, all bots together, larger tables."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import MatchResult, MatchSettings, TournamentResult, pairings
from riverboat.bots import (
    EquityBot,
    Killer,
    SharkSettings,
    give_up,
    go_along,
    make_bot,
    raise_pot_share,
    raise_to,
)
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, Hand, View, catalogue, parse_line
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions._work import (
    blueprint_bot,
    do_jobs,
    play_all,
    play_named,
    train_recipe,
    watch_hands,
)
from riverboat.reproductions.husky._recipe import CFR, DATA, DEFAULT, WIDE, Seeds, Size
from riverboat.statistics import Estimate, mean_estimate
from riverboat.training import load_recipe

GAME = "nolimit-100bb"
_Name = TypeVar("_Name")
_MOST_RAISES = 2
_POINTS = 60  # points of a curve
_STAGES = ("killer", "allin", "honest", "shark")  # stages of `Killer` in order


def train_both(run: ReproductionRun) -> Found:
    """Train CFR and wide CFR, which differ only in their raise sizes."""
    amounts = DATA.amounts(run)
    recipe = load_recipe(DATA.training).changed({"seed": run.seed, **amounts.narrow})
    wide = recipe.changed({"name": "husky-wide", **amounts.wide})
    return Found(
        {
            CFR: train_recipe(run.part(0.0, 0.5), recipe, "husky"),
            WIDE: train_recipe(run.part(0.5, 1.0), wide, "husky-wide"),
        }
    )


def strategy_bots(run: ReproductionRun) -> dict[str, str]:
    """Return the names of the bots that play the two trained strategies."""
    trained = run.found.training.items()
    return {name: f"blueprint:{run.path(each.blueprint)}" for name, each in trained}


def play_translation(run: ReproductionRun) -> Found:
    """Play the CFR bot, with each translation rule, and wide CFR against every raise size.

    The same opponent bets sizes on the menu and off the menu. Husky's CFR bot has two bet sizes and
    two raises per street. Its opponent also raises at most twice per street, so bets with a size on
    the menu need no translation.
    """
    plan, amounts = DATA.translation, DATA.amounts(run).translation
    texts = strategy_bots(run)
    bots = {rule: f"{texts[CFR]},translation={rule}" for rule in plan.rules} | {WIDE: texts[WIDE]}
    pairs = {
        (size.name, name): (bot, _maker(size)) for size in plan.sizes for name, bot in bots.items()
    }
    played = play_named(run.part(0.0, 0.95), pairs, game=GAME, hands=amounts.hands)
    found = Found()
    for size in plan.sizes:
        won = {name: played[size.name, name].best_estimate(0) for name in bots}
        run.tell(0.95, f"counts decisions against {size.label}")
        watched = _watch(bots[plan.rules[0]], size, amounts.watched, run.seed)
        found[size.name] = Found(won=won, hands=played[size.name, WIDE].hands, **watched)
    return found


def _watch(text: str, size: Size, hands: int, seed: int) -> dict[str, float]:
    """Return shares of decisions after a translated bet, untrained, and off the tree."""
    bot, counts = blueprint_bot(text, seed), Counter[str]()

    def act(view: View) -> str:
        answer = bot.query.strategy(view)
        trained = "exact" if answer.exact else "translated"
        counts[trained if answer.status == "trained" else answer.status] += 1
        return str(bot.act(view))

    list(watch_hands(catalogue(GAME), act, _maker(size)(seed), hands, seed))
    total = max(1, counts.total())
    names = {"after_translation": "translated", "untrained": "untrained", "off_tree": "off-tree"}
    return {name: counts[status] / total for name, status in names.items()}


class Bettor(EquityBot[SharkSettings]):
    """Folds and raises as Shark does, with a given size and at most twice per street.

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
        """Return the action for a win rate."""
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
    """Creates the opponent in a worker process."""

    size: Size
    low: float
    high: float

    @property
    def __name__(self) -> str:
        """Name in results and ledgers, with the size."""
        return f"bettor {self.size.name} {self.low:g} {self.high:g}"

    def __call__(self, seed: int) -> Bettor:
        """Return a new bot."""
        return Bettor(seed, SharkSettings(low=self.low, high=self.high), self.size)


def _maker(size: Size) -> MakeBettor:
    plan = DATA.translation
    return MakeBettor(size, plan.low, plan.high)


def killer_game() -> GameSpec:
    """Return the game of Killer's curves."""
    plan = DATA.killer
    return GameSpec(name="husky-1000", stacks=(plan.stack,) * 2, blinds=plan.blinds)


def play_killer(run: ReproductionRun) -> Found:
    """Play fresh Killers against each opponent, each with its own random seed."""
    amounts, bot = DATA.amounts(run).killer, DATA.killer.bot
    pairs = {name: (bot, opponent) for name, opponent in DATA.killer.opponents.items()}
    played = _play_lives(run, pairs, amounts)
    return Found(
        {name: learning_curve(*_chips(each), amounts.block) for name, each in played.items()}
    )


def _play_lives(
    run: ReproductionRun, pairs: Mapping[_Name, tuple[str, str]], amounts: Seeds
) -> dict[_Name, MatchResult]:
    """Play fresh bots; pairs with the same opponent get the same cards."""
    hands, session = amounts.hands * amounts.seeds, amounts.hands
    how = {"game": killer_game(), "duplicate": False, "hands": hands, "session": session}
    return play_named(run, pairs, **how)


def play_history(run: ReproductionRun) -> Found:
    """Play Killer with and without its betting line against the same opponents and cards.

    Results are chips per hand in the last third, `whole` over all hands. Each life of one Killer
    is compared with the life of the other on the same cards.
    """
    plan, amounts = DATA.killer, DATA.amounts(run).history
    files = {CFR: strategy_bots(run)[CFR]}
    rivals = plan.opponents | {name: text.format(**files) for name, text in plan.better.items()}
    pairs = {
        (name, bot): (bot, rival)
        for name, rival in rivals.items()
        for bot in (plan.bot, plan.history)
    }
    played = _play_lives(run, pairs, amounts)
    lives = {names: _chips(result)[1] for names, result in played.items()}
    last = slice(amounts.hands - max(1, amounts.hands // 3), None)
    return Found(
        {
            name: Found(
                plain=mean_estimate(lives[name, plan.bot][:, last].mean(axis=1)),
                line=mean_estimate(lives[name, plan.history][:, last].mean(axis=1)),
                gain=_gain(lives[name, plan.bot], lives[name, plan.history], last),
                whole=_gain(lives[name, plan.bot], lives[name, plan.history], slice(None)),
            )
            for name in rivals
        }
    )


def _gain(plain: NDArray[np.float64], line: NDArray[np.float64], hands: slice) -> Estimate:
    """Return the difference in chips per hand over lives on the same cards, [lives, hands]."""
    return mean_estimate((line[:, hands] - plain[:, hands]).mean(axis=1))


def play_chain(run: ReproductionRun) -> Found:
    """Play lives in which other bots may replace Killer, and record which bot plays.

    `stages` are the shares of lives in which each bot played the last hand of a block.
    """
    amounts, found = DATA.amounts(run).chain, Found()
    for part, (name, rival) in run.parts(list(DATA.killer.met.items())):
        jobs = [(rival, run.seed + life) for life in range(amounts.seeds)]
        lives = do_jobs(part, partial(_live, amounts), jobs, f"Killer's lives against {name}")
        chips = np.array([won for won, _ in lives])
        stages = np.array([stages for _, stages in lives])
        shares = {stage: (stages == stage).mean(axis=0).tolist() for stage in _STAGES}
        curve = learning_curve(chips, chips, amounts.block)
        found[name] = Found(curve=curve, stages=shares)
    return found


def _live(amounts: Seeds, job: tuple[str, int]) -> tuple[list[float], list[str]]:
    """Play one life: chips won in each hand, and the bot in the last hand of each block."""
    rival, seed = job
    killer, other = make_bot(DATA.killer.chain, seed), make_bot(rival, seed + 1)
    if not isinstance(killer, Killer):
        raise ArenaError(f"{DATA.killer.chain} is not a Killer bot")
    spec, won, stages = killer_game(), list[float](), list[str]()
    for number in range(amounts.hands):
        hand, seat = Hand(spec, seed=seed * amounts.hands + number), number % 2
        killer.hand_started(hand.view(seat))
        while hand.actor is not None:
            view = hand.view(hand.actor)
            hand.do((killer if hand.actor == seat else other).act(view))
        if number % amounts.block == amounts.block - 1:
            stages.append(killer.stage)
        killer.hand_over(hand.view(seat))
        won.append(hand.payoffs()[seat])
    return won, stages


def _chips(match: MatchResult) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Killer's chips, [seeds, hands]: as played, and with all-in EV."""
    return (
        np.stack([session.chips[:, 0] for session in match.sessions]),
        np.stack([session.corrected[:, 0] for session in match.sessions]),
    )


def learning_curve(chips: NDArray[np.float64], corrected: NDArray[np.float64], block: int) -> Found:
    """Summarise the winnings of every seed by hand.

    The result has `total`, the mean total winnings after numbers of `hands`, with a band
    that contains 95 of 100 seeds; chips per hand in `blocks` and in the last third, `final`,
    whose units are the seeds; and `ahead`, the share of the seeds that are ahead at the end.

    Parameters
    ----------
    chips
        [seeds, hands] chips won in each hand.
    corrected
        [seeds, hands] the same with all-in EV: the same mean with a smaller variance.
    block
        Hands of a block.

    Examples
    --------
    >>> chips = np.repeat([[-5.0, 0.0, 10.0, 10.0, 10.0, 10.0]], 3, axis=0)
    >>> curve = learning_curve(chips, chips, 1)
    >>> curve.total[-1], curve.final.won.mean, curve.ahead
    (35.0, 10.0, 1.0)
    """
    seeds, hands = chips.shape
    totals = np.cumsum(chips, axis=1)
    kept = np.unique(np.linspace(0, hands - 1, min(hands, _POINTS)).astype(int))
    low, high = np.quantile(totals[:, kept], [0.025, 0.975], axis=0)
    means = totals[:, kept].mean(axis=0)
    blocks = [_block(corrected, at, min(at + block, hands)) for at in range(0, hands, block)]
    last_third = _block(corrected, hands - max(1, hands // 3), hands)
    return Found(
        seeds=seeds,
        hands=(kept + 1).tolist(),
        total=means.tolist(),
        total_low=low.tolist(),
        total_high=high.tolist(),
        blocks=blocks,
        final=last_third,
        ahead=float((totals[:, -1] > 0).mean()),
    )


def _block(corrected: NDArray[np.float64], begin: int, end: int) -> Found:
    """Estimate chips per hand for hands `begin` (from 0) to `end - 1`."""
    won = mean_estimate(corrected[:, begin:end].mean(axis=1))
    return Found(first=begin + 1, last=end, won=won)


def play_bots(run: ReproductionRun) -> Found:
    """Play every bot against every other; bots that learn play lives of limited length."""
    listed, amounts = DATA.bots, DATA.amounts(run).pairs
    bots = {bot.name: bot.bot for bot in listed} | strategy_bots(run)
    bots[DEFAULT] = "blueprint"  # the default strategy
    texts, learning = list(bots.values()), {bot.bot for bot in listed if bot.learns}
    pair, deals = (texts[0], texts[1]), amounts.life * amounts.lives
    once = MatchSettings(pair, GAME, hands=amounts.hands, seed=run.seed)
    lives = MatchSettings(pair, GAME, hands=2 * deals, session=amounts.life, seed=run.seed)
    settings = [
        kept if learning & set(kept.bots) else plain
        for plain, kept in zip(pairings(texts, once), pairings(texts, lives), strict=True)
    ]
    return _ranking(TournamentResult.of(list(bots), play_all(run, settings)))


def _ranking(result: TournamentResult) -> Found:
    """Return leaderboard and cross table in chips per hand."""
    blind = next(iter(result.results.values())).settings.spec.big_blind
    ranked = Found()
    for standing in result.leaderboard():
        row = result.names.index(standing.bot)
        cells = {name: result.cell(row, column) for column, name in enumerate(result.names)}
        against = {name: cell for name, cell in cells.items() if cell is not None}
        hands = min(match.hands for pair, match in result.results.items() if row in pair)
        mean = standing.mbb_per_hand.scaled(blind / 1000)
        ranked[standing.bot] = Found(mean=mean, against=against, fewest_hands=hands)
    return ranked


def play_seats(run: ReproductionRun) -> Found:
    """Play the document's bots together at tables of several seats."""
    amounts, tables = DATA.amounts(run).tables, DATA.amounts(run).seated
    texts = {bot.name: bot.bot for bot in DATA.bots}
    found, deals = [], amounts.life * amounts.lives
    for part, names in run.parts(tables):
        table = {names: tuple(texts[name] for name in names)}
        how = {"hands": len(names) * deals, "session": amounts.life}
        result = play_named(part, table, game=GAME, **how)[names]
        won = {name: result.best_estimate(chair) for chair, name in enumerate(names)}
        found.append(Found(seats=len(names), won=won, hands=result.hands))
    return Found(tables=found)

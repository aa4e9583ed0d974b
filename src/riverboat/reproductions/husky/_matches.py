"""Killer's learning curves, all bots of the document against each other, and larger tables."""

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena import MatchResult, MatchSettings, TournamentResult, pairings
from riverboat.bots import Killer, make_bot
from riverboat.errors import ArenaError
from riverboat.game import GameSpec, Hand
from riverboat.reproductions._run import ReproductionRun
from riverboat.reproductions._work import Trained, do_jobs, play_all, play_named
from riverboat.reproductions.husky._recipe import DATA, Seeds
from riverboat.reproductions.husky._results import DEFAULT, Block, Chained, Learnt, Ranked, Seated
from riverboat.reproductions.husky._translation import GAME, strategy_bots
from riverboat.statistics import mean_estimate

_POINTS = 60  # of a curve
_STAGES = ("killer", "allin", "honest", "shark")  # of `Killer`, in its order


def killer_game() -> GameSpec:
    """Return the game of Killer's curves."""
    plan = DATA.killer
    return GameSpec(name="husky-1000", stacks=(plan.stack,) * 2, blinds=plan.blinds)


def play_killer(run: ReproductionRun, bot: str) -> dict[str, Learnt]:
    """Play fresh Killers against each opponent, a seed each."""
    amounts, spec = DATA.amounts(run).killer, killer_game()
    pairs = {name: (bot, opponent) for name, opponent in DATA.killer.opponents.items()}
    hands, session = amounts.hands * amounts.seeds, amounts.hands
    played = play_named(run, pairs, game=spec, duplicate=False, hands=hands, session=session)
    return {name: learning_curve(*_chips(each), amounts.block) for name, each in played.items()}


def play_chain(run: ReproductionRun) -> dict[str, Chained]:
    """Play lives longer than Killer's patience, and note who plays in its place."""
    amounts, found = DATA.amounts(run).chain, {}
    for part, (name, rival) in run.parts(list(DATA.killer.met.items())):
        jobs = [(rival, run.seed + life) for life in range(amounts.seeds)]
        lives = do_jobs(part, partial(_live, amounts), jobs, f"Killer's lives against {name}")
        chips = np.array([won for won, _ in lives])
        stages = np.array([stages for _, stages in lives])
        shares = {stage: tuple((stages == stage).mean(axis=0).tolist()) for stage in _STAGES}
        found[name] = Chained(learning_curve(chips, chips, amounts.block), shares)
    return found


def _live(amounts: Seeds, job: tuple[str, int]) -> tuple[list[float], list[str]]:
    """Play one life: chips won in each hand, and who played in the last hand of each block."""
    rival, seed = job
    killer, other = make_bot(DATA.killer.chain, seed), make_bot(rival, seed + 1)
    if not isinstance(killer, Killer):
        raise ArenaError(f"{DATA.killer.chain} is no Killer")
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
    """Killer's chips, [seeds, hands]: as played, and all-in hands at their expectation."""
    return (
        np.stack([session.chips[:, 0] for session in match.sessions]),
        np.stack([session.corrected[:, 0] for session in match.sessions]),
    )


def learning_curve(
    chips: NDArray[np.float64], corrected: NDArray[np.float64], block: int
) -> Learnt:
    """Sum up what every seed won, hand by hand.

    Parameters
    ----------
    chips
        [seeds, hands] chips won in each hand.
    corrected
        [seeds, hands] the same with all-in hands at their expectation: less luck, equal means.
    block
        Hands of a block.

    Examples
    --------
    >>> chips = np.repeat([[-5.0, 0.0, 10.0, 10.0, 10.0, 10.0]], 3, axis=0)
    >>> curve = learning_curve(chips, chips, 1)
    >>> curve.mean[-1], curve.final.won.mean, curve.learnt_at, curve.ahead
    (35.0, 10.0, 3, 1.0)
    """
    seeds, hands = chips.shape
    totals = np.cumsum(chips, axis=1)
    kept = np.unique(np.linspace(0, hands - 1, min(hands, _POINTS)).astype(int))
    low, high = np.quantile(totals[:, kept], [0.025, 0.975], axis=0)
    means = totals[:, kept].mean(axis=0)
    blocks = [_block(corrected, at, min(at + block, hands)) for at in range(0, hands, block)]
    last_third = _block(corrected, hands - max(1, hands // 3), hands)
    at, mean, least, most = (tuple(line.tolist()) for line in (kept + 1, means, low, high))
    rest = (last_third, float((totals[:, -1] > 0).mean()), DATA.killer.learnt)
    return Learnt(seeds, at, mean, least, most, tuple(blocks), *rest)


def _block(corrected: NDArray[np.float64], begin: int, end: int) -> Block:
    """Estimate chips a hand of the hands from begin (from 0) to before end."""
    return Block(begin + 1, end, mean_estimate(corrected[:, begin:end].mean(axis=1)))


def play_bots(run: ReproductionRun, trained: Mapping[str, Trained]) -> dict[str, Ranked]:
    """Play every bot against every other; those that learn, by lives of some length."""
    listed, amounts = DATA.bots, DATA.amounts(run).pairs
    bots = {bot.name: bot.bot for bot in listed} | strategy_bots(run, trained)
    bots[DEFAULT] = "blueprint"  # plays from the strategy that ships with Riverboat
    texts, learning = list(bots.values()), {bot.bot for bot in listed if bot.learns}
    pair, deals = (texts[0], texts[1]), amounts.life * amounts.lives
    once = MatchSettings(pair, GAME, hands=amounts.hands, seed=run.seed)
    lives = MatchSettings(pair, GAME, hands=2 * deals, session=amounts.life, seed=run.seed)
    settings = [
        kept if learning & set(kept.bots) else plain
        for plain, kept in zip(pairings(texts, once), pairings(texts, lives), strict=True)
    ]
    return _ranking(TournamentResult.of(list(bots), play_all(run, settings)))


def _ranking(result: TournamentResult) -> dict[str, Ranked]:
    """Take the leaderboard and the cross table, in chips a hand."""
    blind = next(iter(result.results.values())).settings.spec.big_blind
    ranked = {}
    for standing in result.leaderboard():
        row = result.names.index(standing.bot)
        cells = {name: result.cell(row, column) for column, name in enumerate(result.names)}
        against = {name: cell for name, cell in cells.items() if cell is not None}
        hands = min(match.hands for pair, match in result.results.items() if row in pair)
        mean = standing.mbb_per_hand.scaled(blind / 1000)
        ranked[standing.bot] = Ranked(mean, against, hands)
    return ranked


def play_seats(run: ReproductionRun) -> tuple[Seated, ...]:
    """Play tables of several seats: who wins when bots of the document sit together."""
    amounts, tables = DATA.amounts(run).tables, DATA.amounts(run).seated
    texts = {bot.name: bot.bot for bot in DATA.bots}
    found, deals = [], amounts.life * amounts.lives
    for part, names in run.parts(tables):
        table = {names: tuple(texts[name] for name in names)}
        how = {"hands": len(names) * deals, "session": amounts.life}
        result = play_named(part, table, game=GAME, **how)[names]
        won = {name: result.best_estimate(chair) for chair, name in enumerate(names)}
        found.append(Seated(len(names), won, result.hands))
    return tuple(found)

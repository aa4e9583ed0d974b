"""The built-in bots of the registry."""

from riverboat.bots._backup import Backup, BackupSettings
from riverboat.bots._equity_bots import (
    AngryFish,
    AngryFishSettings,
    Honest,
    HonestPyPokerEngine,
    HonestPyPokerEngineSettings,
    HonestSettings,
    Matt,
    MattSettings,
    Mike,
    MikeSettings,
    Shark,
    SharkSettings,
)
from riverboat.bots._learning_bots import KillBot, KillBotSettings, Killer, KillerSettings
from riverboat.bots._monte_carlo import (
    MonteCarlo,
    MonteCarloPlus,
    MonteCarloPlusSettings,
    MonteCarloSettings,
)
from riverboat.bots._registry import BotKind, add_built_in
from riverboat.bots._rule_based import RuleBased, RuleBasedSettings
from riverboat.bots._simple_bots import AllIn, CheckCall, Fish, Fold, RandomBot, RandomPyPokerEngine
from riverboat.bots._strategy_bots import (
    BlueprintSettings,
    FirstStreetsSettings,
    first_streets_bot,
    make_blueprint_bot,
    shipped,
)

_BUILT_IN = (
    BotKind(
        "checkcall", "always checks or calls", "riverboat", lambda _seed, _settings: CheckCall()
    ),
    BotKind(
        "random",
        "folds, calls or raises with equal probability",
        "cardiff",
        lambda seed, _settings: RandomBot(seed),
    ),
    BotKind("fish", "always checks or calls", "husky", Fish),
    BotKind(
        "angry-fish",
        "raises good hands, calls with the rest",
        "husky",
        AngryFish,
        AngryFishSettings,
    ),
    BotKind("all-in", "goes all-in at every decision", "husky", AllIn),
    BotKind("honest", "calls with good hands, folds the rest", "husky", Honest, HonestSettings),
    BotKind("shark", "folds bad hands, raises good ones", "husky", Shark, SharkSettings),
    BotKind(
        "matt", "folds, calls, raises or goes all-in by its win rate", "husky", Matt, MattSettings
    ),
    BotKind(
        "mike",
        "compares its win rate with an estimate of the opponent's strength",
        "husky",
        Mike,
        MikeSettings,
    ),
    BotKind(
        "killer",
        "learns how aggressive to be at each win rate",
        "husky",
        Killer,
        KillerSettings,
        learns=True,
    ),
    BotKind(
        "killbot",
        "learns the utility of each move in each situation",
        "husky",
        KillBot,
        KillBotSettings,
        learns=True,
    ),
    BotKind("fold", "folds to any bet", "pypokerengine", Fold),
    BotKind(
        "honest-pypokerengine",
        "calls with a win rate of at least 1/players",
        "pypokerengine",
        HonestPyPokerEngine,
        HonestPyPokerEngineSettings,
    ),
    BotKind(
        "random-pypokerengine",
        "folds a third of the time, else raises to a random size; never calls",
        "pypokerengine",
        RandomPyPokerEngine,
    ),
    BotKind(
        "rule-based",
        "plays strong starting hands and bets made hands",
        "cardiff",
        RuleBased,
        RuleBasedSettings,
    ),
    BotKind(
        "montecarlo",
        "compares its sampled win rate with thresholds of the street",
        "cardiff",
        MonteCarlo,
        MonteCarloSettings,
    ),
    BotKind(
        "montecarlo-plus",
        "bets by EV against an estimated range, and learns how the opponent plays",
        "cardiff",
        MonteCarloPlus,
        MonteCarloPlusSettings,
        learns=True,
    ),
    BotKind(
        "backup",
        "builds a pot in proportion to the score of its hand; swaps cards",
        "pineapple",
        Backup,
        BackupSettings,
    ),
    BotKind(
        "blueprint",
        "plays from strategy files, by default those that ship with Riverboat",
        "riverboat",
        make_blueprint_bot,
        BlueprintSettings,
        default_files=shipped,
    ),
    BotKind(
        "cfrv1",
        "plays preflop and flop from a file, then by 50 simulations",
        "cardiff",
        first_streets_bot("cfrv1", 50),
        FirstStreetsSettings,
    ),
    BotKind(
        "cfrv2",
        "plays preflop and flop from a file, then by 10,000 simulations",
        "cardiff",
        first_streets_bot("cfrv2", 10_000),
        FirstStreetsSettings,
    ),
)


def register_built_in() -> None:
    """Add the built-in bots to the registry."""
    for kind in _BUILT_IN:
        add_built_in(kind)

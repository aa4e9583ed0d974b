"""Made-up results of husky's steps."""

from riverboat.seeds._work import Won
from riverboat.seeds.husky.points import Scored
from riverboat.seeds.husky.translation import Translated, Watched


def won_points(*means: float, margin: float = 0.02) -> list[Scored]:
    return [Scored({"high": index / 10}, mean, margin) for index, mean in enumerate(means)]


def translated(size: str, cfr: float, wide: float) -> Translated:
    won = Won(cfr, 1.0, 1_000)
    rules = {"pseudo-harmonic": won, "nearest-ratio": won, "nearest-amount": won}
    return Translated(size, rules, Won(wide, 1.0, 1_000), Watched(0.5, 0.01, 0.1))

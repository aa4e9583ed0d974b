"""All that a run finds, step by step; a stopped run goes on with the step that it was at."""

from dataclasses import dataclass
from functools import partial

from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.ensemble import BOT, Combined, combine_members
from riverboat.seeds.caltech.fitting import Fitted, Workshop, fit_strategy
from riverboat.seeds.caltech.matches import Duels, Variants, play_duels, play_variants
from riverboat.seeds.caltech.threads import OneThread, Speed, fit_one_thread, measure_speed

__all__ = ["STEPS", "Found", "find"]

_FITS = tuple(fit.name for fit in data().fit)
STEPS = ("speed", *_FITS, "one-thread", "ensemble", "variants", "duels")


@dataclass(frozen=True)
class Found:
    """All that a run found."""

    speeds: tuple[Speed, ...]
    fits: dict[str, Fitted]
    """By name; members first."""
    bot: Combined
    variants: Variants
    duels: Duels

    @property
    def members(self) -> list[Fitted]:
        """The members of the ensemble."""
        return [fit for name, fit in self.fits.items() if name.startswith("member")]


def find(shop: Workshop) -> Found:
    """Do all steps: first what must be trained, then the matches."""
    run = shop.run
    speeds = run.step("speed", tuple[Speed, ...], lambda: measure_speed(shop))
    fits: dict[str, Fitted] = {}
    for fit in data().fit:
        fits[fit.name] = run.step(fit.name, Fitted, partial(fit_strategy, shop, fit))
    first = fits["member-1"]
    one = run.step("one-thread", OneThread, lambda: fit_one_thread(shop, first))
    fits |= {each.name: each for each in (one.same_time, one.same_iterations)}
    members = [fits[fit.name] for fit in data().fits("member")]
    bot = run.step("ensemble", Combined, lambda: combine_members(shop, members))
    shop.close()
    bots = [BOT, *(member.name for member in members), "linear"]
    variants = run.step("variants", Variants, lambda: play_variants(shop, bots))
    duels = run.step("duels", Duels, lambda: play_duels(shop))
    return Found(speeds, fits, bot, variants, duels)

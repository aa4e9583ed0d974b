"""The strategies of a run in words and tables: what their training took, how good they are."""

from riverboat.report import Table, duration, percent
from riverboat.seeds.caltech.ensemble import BOT
from riverboat.seeds.caltech.fitting import Bounded
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import difference

__all__ = ["LABELS", "against_members", "luck_words", "strategies_table"]

#: Names of strategies as people read them.
LABELS = {
    BOT: "the bot: four members added up",
    "member-1": "member 1",
    "member-2": "member 2",
    "member-3": "member 3",
    "member-4": "member 4",
    "no-floor": "member 1 without the floor",
    "no-start": "member 1 without starting weights",
    "one-thread-same-time": "member 1 on one thread, same time",
    "one-thread": "member 1 on one thread, same iterations",
    "linear": "one training with linear weights",
}
_HEAD = (
    "",
    "threads",
    "iterations",
    "training",
    "infosets reached",
    "exploitable by at least, mbb/h",
    "against member 1, mbb/h",
)


def strategies_table(found: Found, names: tuple[str, ...]) -> Table:
    """Tell of each strategy how it was trained, and how good it is."""
    hands = found.duels.matches[0].won.hands
    return Table(
        f"Strategies, their training, and how good they are (matches of {hands:,} hands)",
        _HEAD,
        tuple(_row(found, name) for name in names),
    )


def _row(found: Found, name: str) -> tuple[str, ...]:
    won = found.duels.by_opponent(name).get("member-1")
    against = "" if won is None else won.text(0)
    if name == BOT:
        bot = found.bot
        work = f"{bot.iterations:,}"
        return (LABELS[name], "", work, duration(bot.seconds), "", _bound(bot.bound), against)
    fit = found.fits[name]
    return (
        LABELS[name],
        str(fit.threads),
        f"{fit.iterations:,}",
        duration(fit.seconds),
        percent(fit.trained / fit.infosets),
        _bound(fit.bound),
        against,
    )


def _bound(bound: Bounded) -> str:
    return f"{bound.mean:,.0f} ± {bound.margin:,.0f}"


def against_members(found: Found, caption: str, bounds: dict[str, Bounded]) -> Table:
    """Put strategies beside every member: the matches, and the estimates of exploitability.

    Parameters
    ----------
    found
        What the run found.
    caption
        Of the table.
    bounds
        Exploitability of each strategy by its name, at least.
    """
    rows = []
    for name, bound in bounds.items():
        label, wins = LABELS[name].partition(":")[0], found.duels.by_opponent(name)
        for member in found.members:
            won = wins[member.name].text(0) if member.name in wins else "-"
            more = difference(bound, member.bound).text(0)
            rows.append((f"{label} against {LABELS[member.name]}", won, more))
    head = ("", "won, mbb/h", "how much more exploitable than the member, mbb/h")
    return Table(caption, head, tuple(rows))


def luck_words(found: Found) -> str:
    """Say how far trainings lie apart that differ in nothing but the seed."""
    bounds = sorted((member.bound for member in found.members), key=lambda bound: bound.mean)
    return (
        f"One training each says little: the {len(bounds)} members differ in nothing but the seed, "
        f"and their estimated exploitability goes from {_bound(bounds[0])} to "
        f"{_bound(bounds[-1])} mbb/h."
    )

"""The ensemble against its members, and against one training of the same work."""

from riverboat.report import Picture, Section, Text
from riverboat.seeds.caltech.ensemble import BOT
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import by_sign, difference
from riverboat.seeds.caltech.pictures import draw_measured
from riverboat.seeds.caltech.strategies import LABELS, against_members, strategies_table

__all__ = ["ensemble_section", "linear_words"]

_PICTURE = "exploitability.png"


def ensemble_section(shop: Workshop, found: Found) -> Section:
    """What adding up four members gives, and what better choices give."""
    _draw(shop, found)
    return Section(
        "The ensemble against its members",
        (
            Text(_members_words(found)),
            against_members(found, "The combination against its members", {BOT: found.bot.bound}),
            strategies_table(found, (BOT, *(member.name for member in found.members), "linear")),
            Picture(
                _PICTURE,
                "Lower bounds on exploitability, mbb/h, with 95 % intervals: further left is "
                "better.",
            ),
            Text(linear_words(found)),
        ),
    )


def _members_words(found: Found) -> str:
    wins = [found.duels.of(BOT, member.name) for member in found.members]
    better, worse = (sum(won.sign == sign for won in wins) for sign in (1, -1))
    bounds = [difference(found.bot.bound, member.bound) for member in found.members]
    return (
        f"The bot beats {better} of its {len(wins)} members and loses to {worse}; by the "
        f"estimate it is less exploitable than {sum(each.sign < 0 for each in bounds)} of "
        f"them and more than {sum(each.sign > 0 for each in bounds)}."
    )


def linear_words(found: Found) -> str:
    """Say how one training of the same work does against the bot."""
    linear = found.duels.of("linear", BOT)
    judged = by_sign(linear.sign, "beats", "loses to", "cannot be told from")
    return (
        "What other choices give: one training that does the work of all "
        f"{len(found.members)}, with linear weights, which let early iterations fade, instead of "
        f"floor and ensemble. This one training {judged} the bot ({linear.text(0)} mbb/h over "
        f"{linear.hands:,} hands); how others with other seeds would do was not measured."
    )


def _draw(shop: Workshop, found: Found) -> None:
    bounds = {BOT: found.bot.bound, **{name: fit.bound for name, fit in found.fits.items()}}
    draw_measured(
        shop.run.path(_PICTURE),
        [LABELS[name] for name in bounds],
        [bound.mean for bound in bounds.values()],
        [bound.margin for bound in bounds.values()],
        title="Exploitability, estimated from below",
        x_label="mbb/h",
    )

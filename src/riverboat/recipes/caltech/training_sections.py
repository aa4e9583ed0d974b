"""What threads, the floor, the starting weights and the ensemble are worth."""

from riverboat.recipes.caltech.data import data
from riverboat.recipes.caltech.ensemble import BOT
from riverboat.recipes.caltech.fitting import Bounded, Fitted, Workshop
from riverboat.recipes.caltech.found import Found
from riverboat.recipes.caltech.judged import by_sign, difference
from riverboat.recipes.caltech.pictures import draw_measured
from riverboat.recipes.report import Picture, Section, Table, Text
from riverboat.recipes.words import duration

__all__ = ["LABELS", "choices_section", "ensemble_section", "threads_section"]

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


def threads_section(shop: Workshop, found: Found) -> Section:
    """How much faster threads are, and what one thread is worth."""
    one, many, threads = found.speeds[0], found.speeds[-1], shop.threads
    speed_up = one.seconds / many.seconds
    claimed = data().published["speed_up"].value
    rows = tuple(
        (
            str(speed.threads),
            duration(speed.an_iteration),
            f"{1 / speed.an_iteration:,.0f}",
            f"{speed.nodes / speed.seconds / 1e6:,.1f} M",
            f"{one.seconds / speed.seconds:.2f}x",
        )
        for speed in found.speeds
    )
    same_time = found.duels.of("one-thread-same-time", "member-1")
    same_work = found.duels.of("one-thread", "member-1")
    return Section(
        "Speed against threads",
        (
            Text(
                f"The same {one.iterations:,} iterations, the first of a member's training, are "
                f"{speed_up:.2f} times as fast on {threads} threads as on one. The author reports "
                f"{claimed:.0f} times on an M1 Max, which has ten cores: threads alone do not "
                "explain so much."
            ),
            Table(
                "An iteration is one deal and a walk for each player",
                ("threads", "an iteration", "iterations/s", "decisions/s", "faster"),
                rows,
            ),
            _table(found, ("member-1", "one-thread-same-time", "one-thread")),
            Text(
                _same_time_words(found)
                + by_sign(
                    same_time.sign,
                    "In the same time one thread trained the better strategy",
                    "In the same time one thread trained the worse strategy",
                    "In the same time one thread trained a strategy that this match cannot tell "
                    "from member 1",
                )
                + f" ({same_time.text(0)} mbb/h). "
                + by_sign(
                    same_work.sign,
                    "With as many iterations it is better: threads that share tables without "
                    "locks cost quality",
                    "With as many iterations it is worse all the same",
                    "With as many iterations no difference can be seen: sharing tables without "
                    "locks costs no quality that this match could find",
                )
                + f" ({same_work.text(0)} mbb/h)."
            ),
        ),
    )


def _same_time_words(found: Found) -> str:
    """Say so where one thread was no slower: then both rows are one strategy."""
    one, all_ = found.fits["one-thread-same-time"], found.fits["member-1"]
    if one.iterations < all_.iterations:
        return ""
    return (
        f"One thread did all iterations in {duration(one.seconds)} here, no longer than "
        f"{all_.threads} threads ({duration(all_.seconds)}): the machine was busy, or the run too "
        "short, and both rows of one thread are the same strategy. "
    )


def choices_section(shop: Workshop, found: Found) -> Section:
    """The exploration floor and the starting weights, on and off."""
    return Section(
        "Exploration decay and starting weights, on and off",
        (
            Text(
                "Member 1 was trained again with the same seed and iterations, once without the "
                "exploration floor and once from uniform play instead of starting weights. "
                + _bound_words(shop)
            ),
            _table(found, ("member-1", "no-floor", "no-start")),
            Text(_choice(found, "no-floor", "the exploration floor", "The floor")),
            Text(_choice(found, "no-start", "starting weights", "Starting weights")),
            Text(
                "Read the estimate with care here. It is a lower bound, which grows as responses "
                "are trained for longer, and it counts every infoset that a response leads to. "
                "Where training never came, one strategy plays starting weights and the other "
                "uniformly; matches meet such infosets only as often as play does. How many visits "
                "the weights are worth is our choice: the journal does not say."
            ),
        ),
    )


def _choice(found: Found, name: str, what: str, subject: str) -> str:
    """Say what leaving something out did, by the match and by the bounds."""
    won = found.duels.of(name, "member-1")
    bounds = difference(found.fits[name].bound, found.fits["member-1"].bound)
    match = by_sign(
        won.sign,
        f"{subject} made the strategy worse: without, it wins",
        f"{subject} made the strategy better: without, it loses",
        f"The match does not decide about {what}: without, the result is",
    )
    bound = by_sign(
        bounds.sign,
        "it is also more exploitable by the estimate",
        "it is less exploitable by the estimate",
        "the estimates of exploitability do not tell them apart",
    )
    return (
        f"{match} {won.text(0)} mbb/h against member 1; {bound} (difference {bounds.text(0)} "
        "mbb/h)."
    )


def ensemble_section(shop: Workshop, found: Found) -> Section:
    """The ensemble against its members, and against one training of the same work."""
    wins = [found.duels.of(BOT, member.name) for member in found.members]
    better, worse = (sum(won.sign == sign for won in wins) for sign in (1, -1))
    bounds = [difference(found.bot.bound, member.bound) for member in found.members]
    linear = found.duels.of("linear", BOT)
    picture = "exploitability.png"
    _draw(shop, found, picture)
    rows = tuple(
        (f"the bot against {LABELS[member.name]}", won.text(0), difference_.text(0))
        for member, won, difference_ in zip(found.members, wins, bounds, strict=True)
    )
    return Section(
        "The ensemble against its members",
        (
            Text(
                f"The bot beats {better} of its {len(wins)} members and loses to {worse}; by the "
                f"estimate it is less exploitable than {sum(each.sign < 0 for each in bounds)} of "
                f"them and more than {sum(each.sign > 0 for each in bounds)}."
            ),
            Table(
                "The combination against its members",
                ("", "won, mbb/h", "exploitability, bot minus member, mbb/h"),
                rows,
            ),
            _table(found, (BOT, *(member.name for member in found.members), "linear")),
            Picture(
                picture,
                "Lower bounds on exploitability, mbb/h, with 95 % intervals: further left is "
                "better.",
            ),
            Text(
                "What better choices give: one training that does the work of all four, with "
                "linear weights, which let early iterations fade, instead of floor and ensemble. "
                + by_sign(
                    linear.sign,
                    "It beats the bot",
                    "It loses to the bot",
                    "It is level with the bot",
                )
                + f" ({linear.text(0)} mbb/h over {linear.hands:,} hands)."
            ),
        ),
    )


def _bound_words(shop: Workshop) -> str:
    bound = shop.amounts.bound
    return (
        "Exploitability is estimated from below: a response to each seat is trained for "
        f"{bound.iterations:,} iterations and scored on {bound.deals:,} fresh deals, the same for "
        "all strategies, within the same buckets and bets."
    )


def _table(found: Found, names: tuple[str, ...]) -> Table:
    hands = found.duels.matches[0].won.hands
    return Table(
        f"Strategies, their training, and how good they are (matches of {hands:,} hands)",
        _HEAD,
        tuple(_row(found, name) for name in names),
    )


def _row(found: Found, name: str) -> tuple[str, ...]:
    against = _against_first(found, name)
    if name == BOT:
        bot = found.bot
        threads, work, reached = "", f"{bot.iterations:,}", ""
        return (
            LABELS[name],
            threads,
            work,
            duration(bot.seconds),
            reached,
            _bound(bot.bound),
            against,
        )
    fit: Fitted = found.fits[name]
    return (
        LABELS[name],
        str(fit.threads),
        f"{fit.iterations:,}",
        duration(fit.seconds),
        f"{fit.trained / fit.infosets:.1%}",
        _bound(fit.bound),
        against,
    )


def _bound(bound: Bounded) -> str:
    return f"{bound.mean:,.0f} ± {bound.margin:,.0f}"


def _against_first(found: Found, name: str) -> str:
    matches = {(match.bot, match.opponent): match.won for match in found.duels.matches}
    won = matches.get((name, "member-1"))
    return "" if won is None else won.text(0)


def _draw(shop: Workshop, found: Found, picture: str) -> None:
    bounds = {BOT: found.bot.bound, **{name: fit.bound for name, fit in found.fits.items()}}
    draw_measured(
        shop.run.path(picture),
        [LABELS[name] for name in bounds],
        [bound.mean for bound in bounds.values()],
        [bound.margin for bound in bounds.values()],
        title="Exploitability, estimated from below",
        x_label="mbb/h",
    )

"""What threads are worth: in time, and in what comes out."""

from riverboat.report import Section, Table, Text, duration
from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import by_sign
from riverboat.seeds.caltech.strategies import luck_words, strategies_table

__all__ = ["threads_section"]


def threads_section(shop: Workshop, found: Found) -> Section:
    """How much faster threads are, and what one thread is worth."""
    one, many = found.speeds[0], found.speeds[-1]
    claimed = data().published["speed_up"].value
    return Section(
        "Speed against threads",
        (
            Text(
                f"The same {one.iterations:,} iterations, the first of a member's training, are "
                f"{one.seconds / many.seconds:.2f} times as fast on {shop.threads} threads as on "
                f"one. The author reports {claimed:.0f} times on an M1 Max, which has ten cores: "
                "threads alone do not explain so much."
            ),
            _speeds_table(found),
            strategies_table(found, ("member-1", "one-thread-same-time", "one-thread")),
            Text(_same_time_words(found)),
            Text(f"{_same_work_words(found)} {luck_words(found)}"),
        ),
    )


def _speeds_table(found: Found) -> Table:
    one = found.speeds[0]
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
    return Table(
        "An iteration is one deal and a walk for each player",
        ("threads", "an iteration", "iterations/s", "decisions/s", "faster"),
        rows,
    )


def _same_time_words(found: Found) -> str:
    won = found.duels.of("one-thread-same-time", "member-1")
    judged = by_sign(
        won.sign,
        "Of these two trainings of the same time the one on one thread is the better",
        "Of these two trainings of the same time the one on one thread is the worse",
        "The match does not tell these two trainings of the same time apart",
    )
    return f"{_slow_threads(found)}{judged} ({won.text(0)} mbb/h)."


def _slow_threads(found: Found) -> str:
    """Say so where one thread was no slower: then both rows are one strategy."""
    one, all_ = found.fits["one-thread-same-time"], found.fits["member-1"]
    if one.iterations < all_.iterations:
        return ""
    return (
        f"One thread did all iterations in {duration(one.seconds)} here, no longer than "
        f"{all_.threads} threads ({duration(all_.seconds)}): the machine was busy, or the run too "
        "short, and both rows of one thread are the same strategy. "
    )


def _same_work_words(found: Found) -> str:
    won = found.duels.of("one-thread", "member-1")
    judged = by_sign(
        won.sign,
        "Of these two trainings of as many iterations the one on one thread is the better; whether "
        "that comes from sharing tables without locks, two trainings do not tell",
        "Of these two trainings of as many iterations the one on one thread is the worse: no sign "
        "that sharing tables without locks costs quality",
        "The match does not tell these two trainings of as many iterations apart: no sign that "
        "sharing tables without locks costs quality",
    )
    return f"{judged} ({won.text(0)} mbb/h)."

"""The setting, and the author's figures beside ours."""

from riverboat.buckets import parse_abstraction
from riverboat.report import Compared, Comparison, Section, Table, Text, duration, listed
from riverboat.seeds._reproduce import machine
from riverboat.seeds.caltech.bets import first_and_later, most_words
from riverboat.seeds.caltech.data import amounts, data
from riverboat.seeds.caltech.ensemble import BOT
from riverboat.seeds.caltech.fitting import Workshop, seeds
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import by_sign

__all__ = ["setting_section", "summary_section", "tight_sentence"]


def setting_section(shop: Workshop) -> Section:
    """What the author ran, and what we run."""
    fields = _fields(shop)
    rows = tuple((row.what, row.theirs, row.ours.format(**fields)) for row in data().setting)
    return Section(
        "The setting",
        (
            Text(
                "Lin's journal describes a bot for heads-up no-limit hold'em, trained on a laptop "
                "by multithreaded Monte-Carlo CFR with an exploration floor that decays, starting "
                "weights from win rates and an ensemble of four, and tested against six variants "
                "of itself. Its code is not public."
            ),
            Table("What its author ran, and what we run", ("", "the author", "ours"), rows),
        ),
    )


def _fields(shop: Workshop) -> dict[str, str]:
    recipe, cards = shop.recipe, shop.recipe.cards
    first, later = first_and_later(recipe.menu)
    start = recipe.start.iterations if recipe.start else 0
    return {
        "preflop": "to " + listed([str(size) for size in first.by_depth[0]]),
        "postflop": listed([str(size) for size in later.by_depth[0]]) + " of the pot",
        "most_first": most_words(first),
        "most_later": most_words(later),
        "buckets": "/".join(str(count) for count in parse_abstraction(cards).num_buckets),
        "threads": str(shop.threads),
        "start": f"{start:,.0f}",
        "iterations": f"{shop.amounts.iterations:,}",
        "seeds": seeds(shop.run, data().fits("member")),
        "hands": f"{shop.amounts.hands:,}",
        "machine": machine(),
    }


def summary_section(shop: Workshop, found: Found) -> Section:
    """Put the author's figures beside ours, and say whether ours loses to Tight."""
    return Section(
        "Published and ours",
        (
            Text(tight_sentence(found)),
            Comparison("The journal's figures beside this run's", _rows(shop, found)),
            _iterations_table(found),
            Text(
                "No ratio is given for the time of an iteration. The author's tree and buckets "
                "are other ones, and section 6.1 does not spell out what one iteration covers; "
                "ours is one deal and a walk for each player."
            ),
        ),
    )


def _iterations_table(found: Found) -> Table:
    known, one, many = data().published, found.speeds[0], found.speeds[-1]
    threads = f"threads (ours: {many.threads})"
    rows = tuple(
        (what, duration(known[key].value), duration(speed.an_iteration), known[key].where)
        for what, key, speed in (("one thread", "one_thread", one), (threads, "threaded", many))
    )
    return Table("What each calls an iteration", ("", "published", "ours", ""), rows)


def tight_sentence(found: Found) -> str:
    """Say how the bot fares against Tight, and against all six."""
    against = {style: match.won for style, match in found.variants.of(BOT).items()}
    tight = against["tight"]
    told = by_sign(
        tight.sign,
        "The author's bot lost to its Tight variant; ours beats it",
        "The author's bot lost to its Tight variant, and so does ours",
        "The author's bot lost to its Tight variant; of ours it cannot be told",
    )
    beaten = [style for style, won in against.items() if won.sign > 0]
    lost = [style for style, won in against.items() if won.sign < 0]
    still_open = [style for style, won in against.items() if won.sign == 0]
    return (
        f"{told}: {tight.text(0)} thousandths of a big blind a hand (mbb/h) over "
        f"{tight.hands:,} hands. Of the six variants it beats {listed(beaten)}, loses to "
        f"{listed(lost)}; not decided: {listed(still_open)}."
    )


def _rows(shop: Workshop, found: Found) -> tuple[Compared, ...]:
    known = data().published
    one, many = found.speeds[0], found.speeds[-1]
    against = found.variants.of(BOT)
    tight = against["tight"].won
    beaten = sum(match.won.sign > 0 for match in against.values())
    megabytes = max(member.file_bytes for member in found.members) / 1e6
    return (
        Compared(
            "times faster by threads",
            known["speed_up"].value,
            one.seconds / many.seconds,
            note=f"{known['speed_up'].where}, on ten cores; ours: {many.threads} threads",
        ),
        Compared(
            "data of a strategy",
            known["megabytes"].value,
            megabytes,
            "MB",
            note=f"{known['megabytes'].where}; ours: a member's file, of another tree",
        ),
        Compared(
            "hands against a variant",
            known["hands"].value,
            amounts(shop.run).hands,
            note=known["hands"].where,
        ),
        Compared(
            "variants beaten, of six",
            known["beaten"].value,
            beaten,
            better="higher",
            note=known["beaten"].where,
        ),
        Compared(
            "won against Tight",
            None,
            tight.mean,
            "mbb/h",
            margin=tight.margin,
            better="higher",
            note="section 8: lost, no number given",
        ),
    )

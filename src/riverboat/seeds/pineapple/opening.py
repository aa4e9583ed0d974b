"""The report's beginning: the setting, and published figures beside ours."""

from riverboat.report import Compared, Comparison, Section, Table, Text, duration
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.data import amounts, data
from riverboat.seeds.pineapple.matches import Matches
from riverboat.seeds.pineapple.swaps import SwapTimes
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.watch import Watching
from riverboat.seeds.pineapple.words import percent, verdict

__all__ = ["setting", "summary"]

_BIG_BLIND = 2  # chips


_MENUS = (
    "A menu of bets lists sizes in per cent of the pot, `a` for all-in, with the first bet of a "
    "street before the bar and raises after it; `cap` is the most bets and raises on a street, and "
    "`merge` turns a bet into all-in that would leave less than so much of the pot behind. "
    "`equity-bins` are groups of equal width by win rate, so many a street; `recall` remembers "
    "those of earlier streets."
)


def setting(run: Reproduction) -> Section:
    """What the authors ran, and what is run here."""
    own = amounts(run)
    amount = {"iterations": f"{own.iterations:,}", "hands": f"{own.hands:,}"}
    rows = tuple(
        (row.what, row.theirs, row.ours.format(**amount) if "{" in row.ours else row.ours)
        for row in data().setting
    )
    text = (
        "A bot for MIT Pokerbots 2017, trained by counterfactual regret minimization for hold'em "
        "with discards. Its authors ran out of time: the trained bot lost to their own heuristic "
        "backup bot, which they entered instead."
    )
    parts = (Text(text), Table("The setting", ("", "the authors", "here"), rows), Text(_MENUS))
    return Section("The setting", parts)


def summary(training: Training, matches: Matches, watching: Watching, swaps: SwapTimes) -> Section:
    """Published figures beside ours."""
    rows = (*_training_rows(training), *_play_rows(matches, watching), *_swap_rows(swaps))
    parts = (Comparison("Published and ours", rows), verdict(matches.main, *_NAMES))
    return Section("Published and ours", parts)


_NAMES = ("The CFR bot", "the backup bot")


def _published(name: str) -> float:
    return data().published[name].value


def _training_rows(training: Training) -> tuple[Compared, ...]:
    last, samples = training.last, _published("samples")
    seconds = _published("hours") * 3600
    reached, all_of_them = _published("reached"), _published("histories")
    whole = last.iterations >= samples
    return (
        Compared("samples of the training", samples, last.iterations),
        Compared(
            "time of the training", seconds, last.seconds if whole else None, "s",
            better="lower", note="" if whole else "this run takes fewer samples",
        ),
        Compared(
            "time of one sample", seconds / samples, last.seconds / last.iterations, "s",
            better="lower",
        ),
        Compared(
            "infosets in the abstract game", all_of_them, training.infosets,
            note=f"ours sees the opponent's swaps; {training.own_swaps:,} without them",
        ),
        Compared(
            "infosets reached", reached, last.visited,
            note=f"no ratio: ours are of {training.infosets:,}, theirs of {all_of_them:,.0f}",
        ),
        Compared(
            "share of infosets reached", 100 * reached / all_of_them,
            100 * last.visited / training.infosets, "%", better="higher",
        ),
    )  # fmt: skip


def _play_rows(matches: Matches, watching: Watching) -> tuple[Compared, ...]:
    chips = _published("log_chips") / _published("log_hands")
    main = matches.main
    return (
        Compared(
            "untrained infosets in play", _published("untrained"),
            100 * watching.last.untrained_bets_share, "%", better="lower",
            note="of the betting decisions in the tree; with those on swaps, which were no "
            f"decisions of theirs, {percent(watching.last.untrained_share)}",
        ),
        Compared(
            "CFR bot against the backup bot", 1000 * chips / _BIG_BLIND, main.mean, "mbb/h",
            margin=main.margin if main.margin >= 0 else None,
            note=f"theirs: the log of {_published('log_hands'):.0f} hands in their code; "
            f"ours: {main.hands:,} hands",
        ),
    )  # fmt: skip


def _swap_rows(swaps: SwapTimes) -> tuple[Compared, ...]:
    return (
        Compared(
            "keep or swap by the fixed rule on a flop, from tables", None, swaps.rule_flop.tables,
            "s", note='theirs: "slow", looking ahead to the river; the same decision by dealing '
            f"all run-outs takes {duration(swaps.rule_flop.run_outs)} here",
        ),
    )  # fmt: skip

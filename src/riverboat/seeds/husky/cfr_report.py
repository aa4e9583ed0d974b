"""The sections on the CFR bot and on what its translation costs."""

from collections.abc import Callable, Sequence
from textwrap import fill

from riverboat.report import (
    COLOURS,
    Picture,
    Section,
    Table,
    Text,
    duration,
    new_figure,
    percent,
    save_figure,
    short,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.training import CFR, WIDE, Both
from riverboat.seeds.husky.translation import Translated, difference
from riverboat.seeds.husky.words import won_text

__all__ = ["cfr_section", "cost_text", "translation_section"]

_ONE_EACH = (
    "Each was trained once, with one seed. All intervals of their matches are of the deals only: "
    "what is said of the two holds for these two trainings, and others may differ by more."
)


def cfr_section(both: Both) -> Section:
    """Say how both CFR bots were trained."""
    return Section(
        "The CFR bot",
        (
            Text(
                "The authors trained chance-sampled CFR in Python on a small model game: one "
                "number for a hand, its strength in bins, and raises of one or two units. They "
                "give neither the number of bins nor iterations, and no result: their model "
                "game did not fit the real one well enough, so they turned to Killer. Here the bot "
                "is trained as described, on the real game with 1,000 chips; tables call it "
                f"{CFR}. Beside it a second one, {WIDE}, has the same cards, algorithm and time, "
                "but raises by half the pot, the pot or all-in: its menu is wide. "
                f"{_ONE_EACH}"
            ),
            Table(
                "Training",
                ("", CFR, WIDE),
                (
                    _row("time", both, lambda t: duration(t.seconds)),
                    _row("iterations", both, lambda t: short(t.iterations)),
                    _row("iterations a second", both, lambda t: short(t.iterations_per_second)),
                    _row("infosets", both, lambda t: short(t.infosets)),
                    _row("visited", both, lambda t: percent(t.visited / t.infosets)),
                    _row("memory of the process", both, lambda t: _mega(t.resident_bytes)),
                    _row("strategy file", both, lambda t: _mega(t.blueprint_bytes)),
                    _row("exploitability in its own game, chips a hand", both, _bound),
                ),
            ),
            Text(
                "Exploitability is a lower bound with its 95 % interval: what a response trained "
                "for a short time wins, inside the model game with the bot's own bins and raises. "
                "It says nothing of bets that the model game does not have."
            ),
        ),
    )


def _row(name: str, both: Both, write: Callable[[Trained], str]) -> tuple[str, str, str]:
    return name, write(both.narrow), write(both.wide)


def _mega(size: int) -> str:
    return f"{short(size / 1e6)} MB"


def _bound(trained: Trained) -> str:
    """Write the last measured bound."""
    if not trained.curve:
        return "not measured"
    last = trained.curve[-1]
    return f"{last['exploitability']:.2f} ({last['low']:.2f} to {last['high']:.2f})"


def translation_section(run: Reproduction, found: list[Translated]) -> Section:
    """Show what the same opponent wins with bets that are on the menu, and with others."""
    plan = husky().translation
    labels = [size.words for size in plan.sizes]
    _draw(run, found, labels)
    return Section(
        "What the translation costs",
        (
            Text(
                "A bot that knows raises of one and two big blinds must read every other bet as "
                "one of those. To see what that costs the opponent stays the same player, a Shark "
                f"that folds up to a win rate of {plan.low:g}, raises above {plan.high:g} and "
                "raises at most twice a street; only the size of its raises changes, from the "
                "sizes of the CFR bot's menu to all-in. Sizes in big blinds (bb) are what the "
                f"first and the second raise of a street go to. The bot {WIDE} meets the same "
                "opponents, so that what is due to the opponent alone can be taken off. "
                f"{_ONE_EACH}"
            ),
            _table(found, labels),
            Picture(
                "translation.png",
                "Chips a hand of the CFR bot, by the size of its opponent's raises and by how it "
                f"reads them, and of {WIDE}; bars are 95 % intervals.",
            ),
            Text(cost_text(found)),
            Text(_rules_text(found, plan.rules)),
            Table(
                "Where the CFR bot's decisions come from, by the size of its opponent's raises",
                ("opponent's raises", "after a translated bet", "untrained", "off its tree"),
                tuple(
                    (
                        label,
                        percent(each.watched.translated),
                        percent(each.watched.untrained),
                        percent(each.watched.off_tree),
                    )
                    for label, each in zip(labels, found, strict=True)
                ),
            ),
        ),
    )


def _table(found: list[Translated], labels: Sequence[str]) -> Table:
    rules = list(found[0].rules)
    rows = tuple(
        (
            label,
            *(won_text(each.rules[rule]) for rule in rules),
            won_text(each.wide),
            won_text(difference(each.rules[rules[0]], each.wide)),
        )
        for label, each in zip(labels, found, strict=True)
    )
    return Table(
        f"Chips a hand against the same opponent, {found[0].wide.hands:,} hands each",
        (
            "opponent's raises",
            *(f"{CFR}, {rule}" for rule in rules),
            WIDE,
            f"{CFR} ({rules[0]}) minus {WIDE}",
        ),
        rows,
    )


def cost_text(found: list[Translated]) -> str:
    """Say what one size, named by the plan, costs against the mean of the menu's own sizes.

    Examples
    --------
    >>> from riverboat.seeds.husky.translation import Watched
    >>> won, watched = Won(1.0, 2.0, 100), Watched(0.5, 0.0, 0.0)
    >>> rules = dict.fromkeys(husky().translation.rules, won)
    >>> sizes = [size.name for size in husky().translation.sizes]
    >>> text = cost_text([Translated(size, rules, won, watched) for size in sizes])
    >>> text.rpartition(": ")[2]
    'with these hands a cost of translation cannot be told from nothing.'
    """
    plan = husky().translation
    rule = plan.rules[0]
    label = next(size.words for size in plan.sizes if size.name == plan.judged)
    off = next(each for each in found if each.size == plan.judged)
    menu = [each for each in found if _on_menu(each.size)]
    own = difference(off.rules[rule], _mean([each.rules[rule] for each in menu]))
    wide = difference(off.wide, _mean([each.wide for each in menu]))
    cost = difference(own, wide)
    text = (
        f"From raises on its menu (the mean of its {len(menu)} sizes) to {label} the CFR bot's "
        f"result changes by {won_text(own)} chips a hand, that of {WIDE} by {won_text(wide)}. This "
        "pair was fixed by the plan, not picked by its result. Between these two trainings the "
        f"difference is {won_text(cost)}"
    )
    if cost.sign < 0:
        return f"{text}: the translation of that size costs surely more than nothing."
    if cost.sign > 0:
        return f"{text}: the translation of that size is even a gain."
    return f"{text}: with these hands a cost of translation cannot be told from nothing."


def _on_menu(name: str) -> bool:
    return any(size.name == name and size.menu for size in husky().translation.sizes)


def _rules_text(found: list[Translated], rules: Sequence[str]) -> str:
    """Say which rule of translation does best over the sizes that are not on the menu."""
    others = [each for each in found if not _on_menu(each.size)]
    means = {rule: _mean([each.rules[rule] for each in others]) for rule in rules}
    first, second = sorted(rules, key=lambda rule: -means[rule].mean)[:2]
    apart = difference(means[first], means[second])
    listed = ", ".join(f"{rule} {won_text(means[rule])}" for rule in rules)
    sure = f"{first} is the best" if apart.sign > 0 else "the best two cannot be told apart"
    return (
        f"Over the sizes that are not on the menu the rules of translation come to {listed} "
        f"chips a hand: {sure}. All of them read a bet above the menu's largest size as "
        "that size, however large it is, so the bot answers an all-in as if it were a small raise."
    )


def _mean(results: Sequence[Won]) -> Won:
    """Mean of results over the same deals.

    They may rise and fall together, so their margins are averaged: a mean is never less sure.
    """
    count = len(results)
    known = all(each.margin >= 0 for each in results)
    margin = sum(each.margin for each in results) / count if known else -1.0
    hands = sum(each.hands for each in results)
    return Won(sum(each.mean for each in results) / count, margin, hands)


def _draw(run: Reproduction, found: list[Translated], labels: Sequence[str]) -> None:
    figure, axes = new_figure(8.5, 4.4)
    series = [(f"{CFR}, {rule}", [each.rules[rule] for each in found]) for rule in found[0].rules]
    series.append((WIDE, [each.wide for each in found]))
    width = 0.8 / len(series)
    for index, (name, results) in enumerate(series):
        places = [place + (index - (len(series) - 1) / 2) * width for place in range(len(found))]
        axes.bar(
            places,
            [each.mean for each in results],
            width,
            yerr=[max(0.0, each.margin) for each in results],
            capsize=2,
            color=COLOURS[index],
            label=name,
        )
    axes.axhline(0, color="black", lw=0.8)
    axes.set_xticks(range(len(labels)), [fill(label, 15) for label in labels], fontsize="small")
    axes.set_xlabel("raises of the opponent")
    axes.set_ylabel("chips a hand (blinds 5 and 10)")
    axes.legend(fontsize="small")
    save_figure(figure, run.path("translation.png"))

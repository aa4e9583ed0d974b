"""The section on several opponents and the power law."""

import math

from riverboat.report import Picture, Section, Table, Text, plus_minus
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import husky
from riverboat.seeds.husky.opponents import Law, Many, fit_law
from riverboat.seeds.husky.plots import draw_opponents
from riverboat.seeds.husky.points import Scored, best, nearest
from riverboat.seeds.husky.sweep_report import chips_text, score_text

__all__ = ["laws_of", "opponents_section", "published_law"]


def published_law() -> Law:
    """Return the authors' law; they give no interval."""
    published = husky().published
    exponent = published["opponents_exponent"].value
    return Law(published["opponents_factor"].value, exponent, exponent, exponent)


def laws_of(many: list[Many]) -> tuple[Law | None, Law | None]:
    """Fit the law to the best thresholds by games, and by chips a hand."""
    return (
        fit_law([(each.opponents, each.games) for each in many]),
        fit_law([(each.opponents, each.chips) for each in many]),
    )


def opponents_section(run: Reproduction, many: list[Many]) -> Section:
    """Show how the best threshold depends on the number of opponents."""
    plan = husky().opponents
    law = published_law()
    by_games, by_chips = laws_of(many)
    draw_opponents(
        run.path("opponents.png"),
        many,
        [
            (f"published {law.factor:g} N^{law.exponent:g}", law, ""),
            ("ours by games", by_games, "games"),
            ("ours by chips", by_chips, "chips"),
        ],
    )
    return Section(
        f"Several opponents: Angry Fish against up to {max(each.opponents for each in many)} Fish",
        (
            Text(
                "The authors swept the threshold of Angry Fish against one, two, three and more "
                f"Fish and saw it fall about as N^{law.exponent:g}. They say that for three "
                "opponents they took the second best point to make the trend clearer; here the "
                f"best one counts. {_law_text('By games won', by_games, law)} "
                f"{_law_text('By chips a hand', by_chips, law)}"
            ),
            Picture(
                "opponents.png",
                f"Left: share of games won over the threshold, {plan.games.of(run):,} games a "
                "point. Right: best threshold over the number N of opponents, and fitted laws.",
            ),
            _table(many, law),
            Text(_rule_text(many, law)),
        ),
    )


def _law_text(how: str, ours: Law | None, law: Law) -> str:
    """Say what was fitted, and whether the authors' exponent lies in its interval."""
    if ours is None:
        return f"{how} no law can be fitted."
    text = f"{how} the best thresholds follow {ours.factor:.2f} N^{ours.exponent:.2f}"
    if not math.isfinite(ours.high):
        return f"{text}; two numbers of opponents give no interval."
    inside = ours.low <= law.exponent <= ours.high
    said = "and theirs lies in it" if inside else "and theirs lies outside"
    return f"{text}, with an exponent from {ours.low:.2f} to {ours.high:.2f} (95 %), {said}."


def _table(many: list[Many], law: Law) -> Table:
    rows = []
    for each in many:
        games, chips = best(each.games), best(each.chips)
        rule, fixed = _at(each, law.at(each.opponents)), _at(each, law.factor)
        rows.append(
            (
                str(each.opponents),
                f"{1 / (each.opponents + 1):.3f}",
                f"{law.at(each.opponents):.3f}",
                f"{games.parameters['high']:g}",
                score_text(games),
                f"{chips.parameters['high']:g}",
                chips_text(chips),
                chips_text(rule),
                chips_text(fixed),
            )
        )
    return Table(
        "Best thresholds by number of opponents; the last two columns are chips a hand at the "
        "grid's point nearest to the published rule, and nearest to its threshold for one opponent",
        (
            "opponents",
            "fair share",
            "published rule",
            "best by games",
            "games won",
            "best by chips",
            "chips a hand",
            "at the rule",
            f"at {law.factor:g}",
        ),
        tuple(rows),
    )


def _at(each: Many, high: float) -> Scored:
    return nearest(each.chips, {"high": high})


def _rule_text(many: list[Many], law: Law) -> str:
    """Say whether scaling the threshold pays, at the table with most opponents."""
    last = max(many, key=lambda each: each.opponents)
    rule, fixed = _at(last, law.at(last.opponents)), _at(last, law.factor)
    words = f"Against {last.opponents} opponents the published rule earns"
    if rule.parameters == fixed.parameters or min(rule.margin, fixed.margin) < 0:
        return f"{words} {chips_text(rule)} chips a hand."
    gain, margin = rule.mean - fixed.mean, math.hypot(rule.margin, fixed.margin)
    told = f"{plus_minus(gain, margin, '+')} chips a hand compared with an unscaled threshold"
    if gain > margin:
        return f"{words} {told}: it pays."
    if gain < -margin:
        return f"{words} {told}: it costs."
    return f"{words} {told}: no difference can be told."

"""The sections on the threshold sweeps."""

from riverboat.report import Part, Picture, Section, Table, Text, number, percent, plus_minus
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.husky.data import SweepPlan, husky
from riverboat.seeds.husky.plots import draw_sweep
from riverboat.seeds.husky.points import (
    Scored,
    as_good,
    best,
    parameters_text,
    spread_of_optimum,
    told_apart,
)
from riverboat.seeds.husky.sweeps import Pair, Swept

__all__ = ["chips_text", "claim_section", "score_text", "sweep_section", "verdict", "wins_text"]


def score_text(point: Scored) -> str:
    """Write a share of games with its interval.

    Examples
    --------
    >>> score_text(Scored({}, 0.6123, 0.021))
    '0.612 ± 0.021'
    """
    margin = "?" if point.margin < 0 else f"{point.margin:.3f}"
    return f"{point.mean:.3f} ± {margin}"


def chips_text(point: Scored) -> str:
    """Write chips a hand with their interval.

    Examples
    --------
    >>> chips_text(Scored({}, 13.502, 2.02))
    '13.5 ± 2.0'
    """
    return plus_minus(point.mean, point.margin)


def verdict(theirs: Scored, ours: Scored) -> int:
    """Return 1 if ours is surely better, -1 if theirs is, 0 if it cannot be told.

    Examples
    --------
    >>> verdict(Scored({}, 0.5, 0.03), Scored({}, 0.6, 0.04))
    1
    >>> verdict(Scored({}, 0.5, 0.03), Scored({}, 0.53, 0.04))
    0
    """
    if not told_apart(theirs, ours):
        return 0
    return 1 if ours.mean > theirs.mean else -1


def sweep_section(run: Reproduction, plan: SweepPlan, swept: Swept) -> Section:
    """Show one sweep under the authors' protocol and by chips a hand."""
    file = f"sweep-{plan.key}.png"
    draw_sweep(run.path(file), swept.games, swept.chips, plan.optimum, plan.title)
    return Section(
        f"Sweep: {plan.title}",
        (
            Text(_found(plan, swept)),
            Picture(
                file,
                f"Left: share of games won, {swept.games_a_point:,} games a point "
                f"(100 chips, at most 10 rounds). Right: chips a hand, {swept.hands_a_point:,} "
                "hands a point (100 chips, blinds 5 and 10, stacks reset). Bars are 95 % "
                "intervals.",
            ),
            _fresh_table(swept),
            Text(_judgement(plan, swept)),
            *_noise(run, plan, swept),
            *_right_end(swept),
            *_equals(plan, swept),
        ),
    )


def _found(plan: SweepPlan, swept: Swept) -> str:
    games, chips = best(swept.games), best(swept.chips)
    return (
        f"The authors' best: {parameters_text(plan.optimum)} ({plan.where}). Ours by their "
        f"protocol: {parameters_text(games.parameters)}, which won {percent(games.mean)} of its "
        f"games; {_others(swept.games)}. Ours by chips a hand: "
        f"{parameters_text(chips.parameters)}, with {chips.mean:+.2f} chips; "
        f"{_others(swept.chips)}."
    )


def _others(points: list[Scored]) -> str:
    """Say how many other points may be the optimum."""
    others = len(as_good(points)) - 1
    if not others:
        return "no other point may be as good (95 %)"
    return f"{others} of the {len(points) - 1} other points may be as good (95 %)"


def _fresh_table(swept: Swept) -> Table:
    names = ("authors' best", "our best by games", "our best by chips")
    rows = tuple(
        (name, parameters_text(games.parameters), score_text(games), chips_text(chips))
        for name, games, chips in zip(names, swept.fresh_games, swept.fresh_chips, strict=True)
    )
    return Table(
        "The best points again, with another seed: a point that was chosen for its score had luck",
        ("point", "thresholds", "share of games won", "chips a hand"),
        rows,
    )


def _judgement(plan: SweepPlan, swept: Swept) -> str:
    """Say whether the authors' optimum holds, by the fresh matches."""
    by_games = verdict(swept.fresh_games[0], swept.fresh_games[1])
    by_chips = verdict(swept.fresh_chips[0], swept.fresh_chips[2])
    same_games = swept.fresh_games[0].parameters == swept.fresh_games[1].parameters
    first = {
        0: "By games their point and ours cannot be told apart",
        1: "By games our point is better than theirs",
        -1: "By games their point is better than ours",
    }[by_games]
    if same_games:
        first = "By games their point is also ours"
    second = {
        0: "by chips neither can be told from the other",
        1: "by chips a hand our point earns more than theirs",
        -1: "by chips a hand their point earns more than ours",
    }[by_chips]
    if swept.fresh_chips[0].parameters == swept.fresh_chips[2].parameters:
        second = "by chips it is the best one too" if same_games else "by chips theirs is ours"
    return f"{first}; {second}. {wins_text(plan, swept.fresh_games[0])}"


def wins_text(plan: SweepPlan, theirs: Scored) -> str:
    """Say whether the bot at the authors' optimum wins more than half its games.

    Examples
    --------
    >>> wins_text(husky().sweeps[0], Scored({"high": 0.65}, 0.79, 0.02))
    "At the authors' point Angry Fish wins more games than Fish, as they say."
    """
    bot, _, rival = plan.title.partition(" against ")
    if not told_apart(theirs, Scored({}, 0.5, 0.0)):
        said, agrees = (
            f"neither {bot} nor {rival} surely wins more games",
            f"but they say {bot} does",
        )
    elif theirs.mean > 0.5:
        said, agrees = f"{bot} wins more games than {rival}", "as they say"
    else:
        said, agrees = f"{bot} wins fewer games than {rival}", "against what they say"
    if not plan.says_it_wins:
        agrees = "of which they say nothing: they give thresholds only"
    return f"At the authors' point {said}, {agrees}."


def _noise(run: Reproduction, plan: SweepPlan, swept: Swept) -> tuple[Part, ...]:
    """Say how far an optimum under the protocol is luck; for sweeps of one threshold."""
    if len(plan.optimum) > 1:
        return ()
    (name,) = plan.optimum
    games = int(husky().published["games_a_point"].value)
    low, high = spread_of_optimum(swept.games, name, games, run.seed)
    inside = low <= plan.optimum[name] <= high
    said = "lies in that range" if inside else "lies outside of it"
    return (
        Text(
            f"How much of this is luck: if the sweep were repeated with the authors' {games} games "
            "a point and the chances measured here, its best threshold would fall between "
            f"{number(low)} and {number(high)} in 95 of 100 repetitions. Their "
            f"{plan.optimum[name]:g} {said}."
        ),
    )


def _right_end(swept: Swept) -> tuple[Part, ...]:
    """Say what the last point of Angry Fish's curve is: theirs dipped below one half."""
    last = swept.games[-1]
    if last.parameters != {"high": 1.0} or last.margin < 0:
        return ()
    below = last.mean + last.margin < 0.5
    said = "which is below one half here too" if below else "so the dip was luck or a fault"
    return (
        Text(
            "The authors were surprised that the right-most point of their curve lies well below "
            "one half. With a threshold of 1 Angry Fish never raises and is a Fish; ours wins "
            f"{score_text(last)} of its games there, {said}."
        ),
    )


def _equals(plan: SweepPlan, swept: Swept) -> tuple[Part, ...]:
    """Say how many points have exactly the best score, and what the rules say of that."""
    if not plan.why:
        return ()
    top = best(swept.games).mean
    equal = sum(point.mean == top for point in swept.games)
    points = "one point has" if equal == 1 else f"{equal} points have"
    return (Text(f"By games {points} exactly the best score. {plan.why}"),)


def claim_section(claim: Pair) -> Section:
    """Test the sentence on Fish and Honest with a threshold of one half."""
    (won,), (chips,) = claim.games, claim.chips
    if won.margin >= 0 and won.mean - won.margin > 0.5:
        said = "The sentence holds"
    elif won.margin >= 0 and won.mean + won.margin < 0.5:
        said = "The sentence does not hold: Honest wins more"
    else:
        said = "It cannot be told from these games who wins more"
    return Section(
        "Fish against Honest with a threshold of 0.5",
        (
            Text(
                "The document says that Fish wins against such an Honest (Parameter "
                f"Optimization). {said}: Fish won {score_text(won)} of the games and "
                f"{chips_text(chips)} chips a hand."
            ),
        ),
    )

"""The exploration floor and the starting weights, on and off."""

from riverboat.report import Section, Text
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import difference
from riverboat.seeds.caltech.strategies import against_members, strategies_table

__all__ = ["choice_words", "choices_section"]

_WITHOUT = {"no-floor": "the exploration floor", "no-start": "starting weights"}


def choices_section(shop: Workshop, found: Found) -> Section:
    """Judge both choices by the four members, which were trained with them."""
    return Section(
        "Exploration decay and starting weights, on and off",
        (
            Text(
                "Member 1 was trained again with the same seed and iterations, once without the "
                "exploration floor and once from uniform play instead of starting weights. "
                + _bound_words(shop)
            ),
            strategies_table(found, ("member-1", *_WITHOUT)),
            against_members(
                found,
                "The two trainings against members, which have floor and starting weights",
                {name: found.fits[name].bound for name in _WITHOUT},
            ),
            *(Text(choice_words(found, name, what)) for name, what in _WITHOUT.items()),
            Text(
                "Read the estimate with care here. It is a lower bound, which grows as responses "
                "are trained for longer, and it counts every infoset that a response leads to. "
                "Where training never came, one strategy plays starting weights and the other "
                "uniformly; matches meet such infosets only as often as play does. How many visits "
                "the weights are worth is our choice: the journal does not say."
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


def choice_words(found: Found, name: str, what: str) -> str:
    """Say how the training without something did against those with it."""
    wins = list(found.duels.by_opponent(name).values())
    won, lost = (sum(each.sign == sign for each in wins) for sign in (1, -1))
    bounds = [difference(found.fits[name].bound, member.bound) for member in found.members]
    more, less = (sum(each.sign == sign for each in bounds) for sign in (1, -1))
    return (
        f"Without {what}: of {len(wins)} matches against members {won} are won, {lost} lost and "
        f"{len(wins) - won - lost} not decided; by the estimate this training is more exploitable "
        f"than {more} of the {len(bounds)} members and less than {less}. "
        + _rank_words(won, lost, len(wins), what)
    )


def _rank_words(won: int, lost: int, members: int, what: str) -> str:
    """Judge one training by the matches against members.

    If something changed nothing, each of the trainings would be as likely to come out first: a
    training that beats all others is no rarer than one in their number.
    """
    if members not in (won, lost):
        return f"So the matches do not decide whether {what} helped."
    rank, meaning = ("best", "against") if won else ("worst", "for")
    return (
        f"So it is the {rank} of these {members + 1} trainings by matches: a hint {meaning} {what} "
        f"and no proof, as luck alone makes that so up to one time in {members + 1}."
    )

"""What differs from the journal, and why."""

from riverboat.report import Section, Text, percent
from riverboat.seeds.caltech.bets import caps_words, fewer_words
from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import Found
from riverboat.training import load_recipe, sizes_of

__all__ = ["differs_section"]


def differs_section(shop: Workshop, found: Found) -> Section:
    """Say what differs, in plain words."""
    first = found.members[0]
    matches = len(found.variants.matches) + len(found.duels.matches)
    recipe, uncapped = shop.recipe, data().uncapped
    floor_ends = max((until for until, _ in recipe.solver_scheme().floor), default=0)
    return Section(
        "What differs and why",
        (
            Text(
                "The tree. Without a cap on raises the author's sizes make a tree of "
                f"{uncapped.decisions:,} decisions as we build it; he gives no count of his own. "
                f"Raises are capped here, {caps_words(recipe.menu)}, which leaves "
                f"{first.infosets:,} infosets and {first.table_bytes / 1e6:,.0f} MB of tables; two "
                f"on every street would need {_two_raises():,.0f} GB. "
                f"{fewer_words(recipe.menu)}Of the earlier streets the author keeps on how many "
                "each player raised; our tree keeps the line of bets itself. His "
                "classes of made hands and textures are in a picture only, so ours follow the "
                "words of his text. He mentions going all-in, which his list of raises does not "
                "have; here a raise to more than the stack is all-in."
            ),
            Text(
                "The training. He starts a thread for each large subtree and locks each infoset; "
                "here every thread walks deals of its own and tables are shared without locks. His "
                "starting probabilities by ranges of win rates are not published; ours stay in as "
                "often as the bucket wins. He does not say for how many iterations he trained. "
                f"With {first.iterations:,} iterations a member reached "
                f"{percent(first.trained / first.infosets)} of all infosets; elsewhere the "
                "starting weights are played, from which the journal starts unseen infosets. The "
                "floor enters the average, as in his text: what was forced in the first "
                f"{min(floor_ends, first.iterations):,} iterations stays in the strategy and fades "
                "only as others are added."
            ),
            Text(
                "The test. The journal contradicts itself: the caption of figure 1 and section 9 "
                "say that the bot cannot be exploited, section 8 that it loses to Tight; six "
                "variants at 100,000 games are 600,000 games, not 500,000; figure 1 averages the "
                "members instead of showing the combination; figure 6 still waits for its "
                "training, and the example in it adds figure 5's strategies to other sums. "
                "It gives no intervals. Here all matches are duplicate (the same cards with seats "
                "swapped), and a win counts only where its 95 % interval is above zero. Of "
                f"{matches} matches about {matches / 20:.0f} will lie outside their intervals by "
                "chance, so that one narrow result says little."
            ),
        ),
    )


def _two_raises() -> float:
    """Return the gigabytes of tables with the author's sizes and two raises on every street."""
    recipe = load_recipe(data().training).changed({"menu": data().two_raises})
    return sizes_of(recipe).table_bytes / 1e9

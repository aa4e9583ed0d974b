"""The bot and its members against their six variants: the author's figures 1 and 7."""

from collections.abc import Sequence

from riverboat.bots import Style
from riverboat.report import Picture, Section, Table, Text, listed, percent
from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.ensemble import BOT
from riverboat.seeds.caltech.fitting import Workshop
from riverboat.seeds.caltech.found import Found
from riverboat.seeds.caltech.judged import by_sign, verdict
from riverboat.seeds.caltech.matches import Played, mean_of
from riverboat.seeds.caltech.pictures import draw_panels
from riverboat.seeds.caltech.strategies import LABELS

__all__ = ["bot_section", "members_section", "probe_section"]


def bot_section(shop: Workshop, found: Found) -> Section:
    """The bot against its six variants, and the mean of the members, as in figure 1."""
    single = {style: [match] for style, match in found.variants.of(BOT).items()}
    means, linear = _by_style(found), found.variants.of("linear")
    picture = "figure-1.png"
    panels = {"the bot": single, "mean of the four members": means}
    draw_panels(shop.run.path(picture), panels, 2)
    rows = tuple(
        (style, data().verdicts[style], *(f"{won.text(0)} {verdict(won)}" for won in results))
        for style, match in found.variants.of(BOT).items()
        for results in [(match.won, mean_of(means[style]), linear[style].won)]
    )
    return Section(
        "The bot against its six variants (figure 1)",
        (
            Picture(
                picture,
                "Big blinds won against each variant, with the 95 % band of the total. The "
                "author's figure 1 is the mean over his four members, which stands on the right; "
                "the combined bot, on the left.",
            ),
            Table(
                f"Won against each variant over {shop.amounts.hands:,} hands, mbb/h",
                ("variant", "published", "the bot", "mean of members", "linear weights"),
                rows,
            ),
            Text(_linear_words(found)),
            Text(_styles_words()),
            *(Text(sentence) for sentence in _reasons(found)),
        ),
    )


def _linear_words(found: Found) -> str:
    matches = found.variants.of("linear").values()
    won, lost = ([m.opponent for m in matches if m.won.sign == sign] for sign in (1, -1))
    return (
        "The last column: one training with linear weights and the work of all four members, "
        f"against the variants of itself. It beats {listed(won)} and loses to "
        f"{listed(lost)}."
    )


def _styles_words() -> str:
    factor, threshold = Style("aggressive").factor, Style("tight-aggressive").threshold
    return (
        f"A variant bends the strategy of its own bot: `aggressive` makes folds {factor:g} times "
        f"rarer, relative to the rest, and its largest bet {factor:g} times likelier; `tight` does "
        "the reverse; `random` takes all actions alike; `calling-machine` checks or calls half of "
        "the time and else plays the strategy; `tight-aggressive` is tight below a win rate of "
        f"{percent(threshold, 0)} and aggressive from there on; `deterministic` always "
        "takes the likeliest action. The journal gives words for them and no numbers: "
        "the numbers are ours."
    )


def _reasons(found: Found) -> list[str]:
    """Guess why a variant wins from the bot that it is made of, where one does."""
    why = {
        "deterministic": "it drops the small probabilities that the floor and early iterations "
        "left in the average.",
        "tight-aggressive": "it bets big with good hands only, and a bot that was trained for "
        "short still pays such bets off.",
        "tight": "the bot puts in too much with weak hands, as the author thought of his.",
        "aggressive": "the bot gives up too often against large bets.",
    }
    lost = [style for style, match in found.variants.of(BOT).items() if match.won.sign < 0]
    return [
        f"The bot loses to {style}. Our guess at the reason, which is not tested here: {why[style]}"
        for style in lost
        if style in why
    ]


def _by_style(found: Found) -> dict[str, list[Played]]:
    return {
        style: [found.variants.of(member.name)[style] for member in found.members]
        for style in data().styles
    }


def members_section(shop: Workshop, found: Found) -> Section:
    """Each member against the six variants of itself, as in figure 7."""
    picture = "figure-7.png"
    panels = {
        LABELS[member.name]: {
            style: [match] for style, match in found.variants.of(member.name).items()
        }
        for member in found.members
    }
    draw_panels(shop.run.path(picture), panels, 2)
    rows = tuple(
        (style, *(f"{match.won.text(0)} {verdict(match.won)}" for match in matches))
        for style, matches in _by_style(found).items()
    )
    return Section(
        "The four members against their variants (figure 7)",
        (
            Text(_count_sentence([m for ms in _by_style(found).values() for m in ms])),
            Picture(
                picture,
                "Big blinds won by each member against each variant of itself, with the 95 % "
                "band of the total.",
            ),
            Table(
                f"Won over {shop.amounts.hands:,} hands, mbb/h",
                ("variant", *(LABELS[member.name] for member in found.members)),
                rows,
            ),
        ),
    )


def _count_sentence(matches: Sequence[Played]) -> str:
    won, lost = (sum(match.won.sign == sign for match in matches) for sign in (1, -1))
    struggles = sorted({match.opponent for match in matches if match.won.sign < 0})
    return (
        "By the journal's text the members win nearly everywhere and now and then have trouble "
        f"with tight-aggressive. Ours: of {len(matches)} matches {won} are won, {lost} lost and "
        f"{len(matches) - won - lost} not decided; losses are to {listed(struggles, 'nobody')}."
    )


def probe_section(shop: Workshop, found: Found) -> Section:
    """Whether six variants say how exploitable a bot is."""
    worst = min(found.variants.of(BOT).values(), key=lambda match: match.won.mean)
    bound = found.bot.bound
    response = by_sign(
        1 if bound.mean > bound.margin else 0,
        "A response that was trained against the same bot wins at least "
        f"{bound.mean:,.0f} ± {bound.margin:,.0f} mbb/h from it",
        "",
        "A response that was trained against the same bot found nothing sure to win: "
        f"{bound.mean:,.0f} ± {bound.margin:,.0f} mbb/h",
    )
    # What each wins from the bot: intervals that do not meet.
    variant = -worst.won.mean
    margins = bound.margin + worst.won.margin
    sign = 0 if abs(bound.mean - variant) <= margins else 1 if bound.mean > variant else -1
    verdict_words = by_sign(
        sign,
        ", more than any variant: being ahead of six variants says little about exploitability.",
        f", less than that variant: {shop.amounts.bound.iterations:,} iterations are too few for "
        "a response, and this bound is weak.",
        ". The two cannot be told apart, so this run does not tell which probe is the sharper; a "
        f"response that is trained for longer than {shop.amounts.bound.iterations:,} iterations "
        "wins more, the six variants never do.",
    )
    return Section(
        "Are six variants a measure of exploitability?",
        (
            Text(
                "The author takes a profit against all six as a sign that his bot cannot be "
                f"exploited. The strongest of the six here is {worst.opponent}: the bot's "
                f"result against it is {worst.won.text(0)} mbb/h. {response}{verdict_words}"
            ),
        ),
    )

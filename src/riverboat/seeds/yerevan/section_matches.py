"""The trained bot's matches, as a section."""

from riverboat.report import Picture, Section, Table, Text, draw_bars, listed
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.yerevan.matches import Played, Rivals

__all__ = ["matches_section"]


def matches_section(run: Reproduction, played: Played, rivals: Rivals) -> Section:
    """Show what the trained bot wins."""
    won = dict(sorted(played.won.items(), key=lambda pair: -pair[1].mean))
    draw_bars(
        run.path("matches.png"),
        list(won),
        [each.mean for each in won.values()],
        [max(each.margin, 0.0) for each in won.values()],
        title="What the Pure CFR bot wins at the limit table",
        x_label="mbb a hand, with 95 % intervals",
    )
    by_sign = {
        sign: [name for name, each in won.items() if each.sign == sign] for sign in (1, 0, -1)
    }
    words = []
    if by_sign[1]:
        words.append(f"The bot beats {listed(by_sign[1])}.")
    if by_sign[0]:
        words.append(f"Not settled is its match against {listed(by_sign[0])}.")
    if by_sign[-1]:
        words.append(f"It loses to {listed(by_sign[-1])}.")
    times = [
        f"{name} ({trained.iterations:,} iterations)" for name, trained in rivals.trained.items()
    ]
    return Section(
        "Against limit versions of the other bots",
        (
            Text(
                f"{played.hands:,} hands each at the limit table, every deal in both seats. The "
                "other seeds' rules play as they are, with every raise of the fixed size. "
                "Bots that learn are judged by whole sessions, so their intervals are wide. "
                + (f"Their CFR bots were trained anew for limit, with their own cards and "
                   f"algorithm: {listed(times)}. " if times else "")
                + "Of our bot, and of each CFR bot, there is one training. "
                f"Answers of our bot that were refused: {played.failures}."
            ),
            Picture("matches.png", "Winnings by opponent; a big blind is 1,000 mbb."),
            Table(
                "The same in numbers",
                ("opponent", "mbb a hand", "hands"),
                tuple((name, each.text(0), f"{each.hands:,}") for name, each in won.items()),
            ),
            Text(" ".join(words)),
        ),
    )  # fmt: skip

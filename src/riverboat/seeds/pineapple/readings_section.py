"""The report on how bets are read."""

from riverboat.report import Table, Text, number
from riverboat.seeds.pineapple.readings import Reading, Readings
from riverboat.seeds.pineapple.words import apart, interval, mbb, percent, spans

__all__ = ["readings_parts", "readings_verdict"]

_COLUMNS = (
    "reading", "bets faced", "short of all-in", "of these read as all-in", "as no bet",
    "met after the tree's all-in", "folded", "called", "raised",
)  # fmt: skip


def readings_parts(found: Readings) -> tuple[Table | Text, ...]:
    """How each reading took the backup bot's bets."""
    first = found.rows[0]
    caption = f"How the backup bot's bets are read, {first.hands:,} hands each"
    return (
        Table(caption, _COLUMNS, tuple(_line(row) for row in found.rows)),
        Text(_sizes(first)),
        *(Text(readings_verdict(first, row)) for row in found.rows[1:]),
    )


def _line(row: Reading) -> tuple[str, ...]:
    answers = (row.folds, row.calls, row.raises)
    return (
        row.name,
        f"{row.bets:,}",
        f"{row.short:,}",
        percent(row.taken_for_all_in / max(1, row.short)),
        percent(row.taken_for_none / max(1, row.short)),
        f"{row.after_all_in:,}",
        *(percent(each / max(1, row.bets)) for each in answers),
    )


def _sizes(row: Reading) -> str:
    low, middle, high = (number(round(each, 2)) for each in row.sizes)
    return (
        f"The backup bot's bets have {middle} pots in the median, quartiles {low} and {high}. The "
        f"largest bet of the menu short of all-in is {percent(row.largest)} of the pot there, so "
        "a bet between that and all-in is read as one of the two. After a bet that was read as "
        "all-in and called, all chips are in by the tree's reading, and the bot calls whatever "
        "follows."
    )


def readings_verdict(authors: Reading, row: Reading) -> str:
    """Say what is seen of a reading beside the authors', by intervals."""
    mine, theirs = (interval(each.taken_for_all_in, each.short) for each in (row, authors))
    often = {1: "more often than", -1: "less often than", 0: "not surely more or less often than"}
    text = (
        f"Read by {row.name}, bets short of all-in are taken for all-in "
        f"{often[apart(mine, theirs)]} by the authors' reading: {_share(row)} against "
        f"{_share(authors)}. In the same deals "
        f"this reading changes the result by {mbb(row.total)} mbb/h: {mbb(row.misread)} from deals "
        f"in which it took a bet for all-in that was none, {mbb(row.others)} from all others. "
    )
    if not row.total.sign:
        return text + "The whole is not told apart from zero."
    if apart(spans(row.misread), spans(row.others)) == row.total.sign:
        return text + "So what changes lies mostly in the deals with such readings."
    return text + "Which of the two has more of the change is not told apart."


def _share(row: Reading) -> str:
    low, high = interval(row.taken_for_all_in, row.short)
    share = row.taken_for_all_in / max(1, row.short)
    return f"{percent(share)} ({percent(low)} to {percent(high)}) of {row.short:,}"

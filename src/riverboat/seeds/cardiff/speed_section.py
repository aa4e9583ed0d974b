"""Response times and memory: aims 3 and 4 of the thesis."""

from riverboat.report import Section, Table, Text, duration, number
from riverboat.seeds.cardiff.convergence import Convergence
from riverboat.seeds.cardiff.data import data
from riverboat.seeds.cardiff.table import SevenTable

__all__ = ["speed_section"]


def speed_section(trained: Convergence, table: SevenTable) -> Section:
    """Compare decision times with the aim of 35 s, and memory with 8 GB."""
    aim = data().published["decision_seconds"].value
    longest = max(times.longest for times in table.times)
    kept = "is met" if longest < aim else "is missed"
    rows = tuple(
        (
            times.bot,
            f"{times.decisions:,}",
            duration(times.mean),
            duration(times.percentile_99),
            duration(times.longest),
        )
        for times in table.times
    )
    memory = (
        ("tables of regrets and averages", f"{trained.table_bytes / 1e6:,.0f} MB"),
        ("the process while it trains", f"{trained.resident_bytes / 1e6:,.0f} MB"),
        ("strategy file", f"{trained.blueprint_bytes / 1e6:,.0f} MB"),
    )
    return Section(
        "Response times and memory",
        (
            Text(
                f"The aim was a decision within {number(aim)} s: it {kept}, the longest of all "
                f"took {duration(longest)}. A bot that looks at 10,000 run-outs need not play "
                "them here: the number of wins is drawn from exact tables, which has the same "
                "distribution."
            ),
            Table(
                "Time of a decision in the table of seven",
                ("bot", "decisions", "mean", "99 % within", "longest"),
                rows,
            ),
            Table("Memory; the author's machine had 8 GB", ("", "size"), memory),
        ),
    )

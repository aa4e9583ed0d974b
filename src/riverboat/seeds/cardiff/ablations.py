"""The thesis's list of future work, tried: each idea trained for the same time."""

import msgspec

from riverboat.arena import MatchSettings
from riverboat.report import Part, Picture, Section, Table, Text, draw_bars, duration, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won, play_all, train_recipe
from riverboat.seeds.cardiff.data import Variant, amounts, data
from riverboat.seeds.cardiff.table import small_blinds
from riverboat.training import Recipe, sizes_of

__all__ = ["Ablation", "Ablations", "ablations_section", "try_variants"]

_OPPONENTS = {"Rule-based": "rule-based", "Monte-Carlo": "montecarlo"}
_TRAINING_SHARE = 0.6  # of the step; the rest is matches


class Ablation(msgspec.Struct, frozen=True):
    """One idea: its training and its matches, small blinds a hand."""

    name: str
    title: str
    menu: str
    cards: str
    """Their text."""
    scheme: str
    buckets: tuple[int, ...]
    """By street."""
    trained: Trained
    table_bytes: int
    """Regrets and averages in training."""
    against_base: Won | None
    """None of the published one itself."""
    against: tuple[Won, ...]
    """In the order of the opponents."""


class Ablations(msgspec.Struct, frozen=True):
    """All of them."""

    seconds: float
    """Of training, each."""
    hands: int
    """Of each match."""
    rows: tuple[Ablation, ...]
    lossless_bytes: int
    """Tables that all suits on the flop would need."""


def try_variants(run: Reproduction) -> Ablations:
    """Train every variant for the same time, and play them."""
    wanted = amounts(run)
    variants = [each for each in data().variants if each.name in wanted.variants]
    trained = [_train(run, each, (index, len(variants))) for index, each in enumerate(variants)]
    settings = _matches(run, trained)
    results = [match.result() for match in play_all(run, settings, (_TRAINING_SHARE, 1.0))]
    won = [small_blinds(result) for result in results]
    rows = []
    for index, (variant, found) in enumerate(zip(variants, trained, strict=True)):
        base = won.pop(0) if index else None
        against = tuple(won.pop(0) for _ in _OPPONENTS)
        recipe = _recipe(run, variant)
        sizes = sizes_of(recipe)
        rows.append(
            Ablation(
                name=variant.name,
                title=variant.title,
                menu=recipe.menu,
                cards=recipe.cards,
                scheme=variant.scheme,
                buckets=sizes.cards or (),
                trained=found,
                table_bytes=sizes.table_bytes,
                against_base=base,
                against=against,
            )
        )
    lossless = variants[0].recipe(wanted.menu).changed({"cards": "lossless 2"})
    return Ablations(
        wanted.variant_seconds,
        results[0].hands,
        tuple(rows),
        sizes_of(lossless).table_bytes,
    )


def _recipe(run: Reproduction, variant: Variant) -> Recipe:
    wanted = amounts(run)
    return variant.recipe(wanted.menu).changed(
        {
            "budget": {"seconds": wanted.variant_seconds},
            "cards": wanted.variant_cards or variant.cards,
            "seed": run.seed,
        }
    )


def _train(run: Reproduction, variant: Variant, place: tuple[int, int]) -> Trained:
    index, count = place
    share = (_TRAINING_SHARE * index / count, _TRAINING_SHARE * (index + 1) / count)
    return train_recipe(run, _recipe(run, variant), f"variant-{variant.name}", share)


def _matches(run: Reproduction, trained: list[Trained]) -> list[MatchSettings]:
    """All matches in order: of each variant against the first, then against the opponents."""
    bots = [f"blueprint:{run.path(each.blueprint)}" for each in trained]
    pairs = []
    for index, bot in enumerate(bots):
        pairs += [(bot, bots[0])] if index else []
        pairs += [(bot, opponent) for opponent in _OPPONENTS.values()]
    hands = amounts(run).variant_hands
    return [MatchSettings(pair, hands=hands, seed=run.seed) for pair in pairs]


def ablations_section(run: Reproduction, found: Ablations) -> Section:
    """Show speed, size and matches of each."""
    _draw(run, found)
    parts: list[Part] = [
        Text(
            "Each idea of the thesis's last chapters was trained once, for "
            f"{number(found.seconds)} s on the same cores, and plays Monte-Carlo where its "
            "strategy ends or is untrained. Iterations/s are over that time, the first touch of "
            "new memory included. "
            "Not all of them change one thing only; the first table says what each one is. "
            f"{_about_suits(found)}"
        ),
        Table("What was trained", _CONTENT_COLUMNS, tuple(_content_row(row) for row in found.rows)),
        Table("Training", _TRAINING_COLUMNS, tuple(_training_row(row) for row in found.rows)),
        Table(
            f"Matches, small blinds a hand, {found.hands:,} hands each, 95 % intervals",
            ("", "v as published", *(f"v {name}" for name in _OPPONENTS)),
            tuple(_match_row(row) for row in found.rows),
        ),
        Picture(
            "future-work.png",
            "What each idea won from the published system, trained for the same time; 95 % "
            "intervals.",
        ),
        *(Text(sentence) for sentence in _judged(found)),
    ]
    return Section("The list of future work, tried", tuple(parts))


def _about_suits(found: Ablations) -> str:
    """Say what restoring suits costs, and what the variant that does so knows of ranks."""
    base, suits = found.rows[0], next((row for row in found.rows if row.name == "suits"), None)
    whole = f"Every suit on the flop would take {found.lossless_bytes / 1e9:.1f} GB of tables."
    if suits is None:
        return whole
    return (
        f'{whole} So "{suits.title}" keeps the starting class and what it made of the flop, made '
        "flushes and flush draws included, but knows the board's ranks only as kicker and "
        f"texture: {suits.buckets[-1]:,} buckets on the flop ({suits.trained.infosets:,} "
        f"infosets) against {base.buckets[-1]:,} ({base.trained.infosets:,}) of the published "
        "cards. Its result tests suits and coarser ranks at once."
    )


_CONTENT_COLUMNS = ("", "menu", "cards", "buckets by street", "sampling")


def _content_row(row: Ablation) -> tuple[str, ...]:
    buckets = " / ".join(f"{count:,}" for count in row.buckets)
    return (row.title, f"`{row.menu}`", f"`{row.cards}`", buckets, row.scheme)


_TRAINING_COLUMNS = (
    "",
    "iterations",
    "time",
    "iterations/s",
    "infosets",
    "visited",
    "tables",
    "file",
)


def _training_row(row: Ablation) -> tuple[str, ...]:
    trained = row.trained
    return (
        row.title,
        f"{trained.iterations:,}",
        duration(trained.seconds),
        number(trained.iterations_per_second),
        f"{trained.infosets:,}",
        f"{100 * trained.visited / max(1, trained.infosets):.0f} %",
        f"{row.table_bytes / 1e6:,.0f} MB",
        f"{trained.blueprint_bytes / 1e6:,.1f} MB",
    )


def _match_row(row: Ablation) -> tuple[str, ...]:
    base = row.against_base.text() if row.against_base else ""
    return (row.title, base, *(won.text() for won in row.against))


def _draw(run: Reproduction, found: Ablations) -> None:
    compared = [(row.title, row.against_base) for row in found.rows if row.against_base]
    draw_bars(
        run.path("future-work.png"),
        [title for title, _ in compared],
        [won.mean for _, won in compared],
        [max(0.0, won.margin) for _, won in compared],
        title="Future work against the published system",
        x_label="small blinds a hand",
    )


def _judged(found: Ablations) -> list[str]:
    """Say which ideas help, by the intervals of their matches with the published system."""
    groups: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for row in found.rows:
        if row.against_base:
            groups[row.against_base.sign].append(f'"{row.title}"')
    said = {1: "better: {}", 0: "not told apart on these hands: {}", -1: "worse: {}"}
    groups_said = [said[sign].format(", ".join(names)) for sign, names in groups.items() if names]
    if not groups_said:
        return []
    begin = "Against the published system, one training each of the same time,"
    return [f"{begin} {'; '.join(groups_said)}.", *_why_suits(found)]


def _why_suits(found: Ablations) -> list[str]:
    """Give a reason only as far as the interval of the variant with suits goes."""
    suits = next((row for row in found.rows if row.name == "suits"), None)
    sign = suits.against_base.sign if suits is not None and suits.against_base else 1
    reason = "in a game that ends on the flop a flush draw never gets there"
    if sign < 0:
        return [
            f"A possible reason why suits do not help here: {reason}. The coarser ranks may cost, "
            "too."
        ]
    return [f"If suits help little here, a reason may be that {reason}."] if sign == 0 else []

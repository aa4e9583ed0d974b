"""A decision of a small game: a row for each bucket."""

from typing import Any, Final, NamedTuple

import numpy as np

from riverboat.blueprint import Blueprint, BucketValues, without_rare
from riverboat.cli._output import console, grid
from riverboat.cli._show_hands import chips, share, visits_text
from riverboat.decision import ActionKey

_MOST_ROWS: Final = 200


class BucketRow(NamedTuple):
    """One bucket: what its player has seen, and does; None where untrained."""

    bucket: int
    cards: str
    strategy: list[float] | None
    visits: float | None
    few_visits: bool | None


class BucketNode(NamedTuple):
    """All buckets at a decision."""

    keys: tuple[ActionKey, ...]
    rows: list[BucketRow]
    few: int | None
    values: BucketValues | None

    @classmethod
    def of(
        cls,
        blueprint: Blueprint,
        node: int,
        keys: tuple[ActionKey, ...],
        threshold: float,
        with_values: bool,
    ) -> "BucketNode":
        """Read a decision; bets and folds below the threshold are left out."""
        group, scale = int(blueprint.tree.group[node]), blueprint.visit_scale
        texts = blueprint.bucket_texts[group]
        rows = [
            _row(blueprint, node, bucket, "" if texts is None else texts[bucket], threshold)
            for bucket in range(blueprint.num_buckets[group])
        ]
        values = None
        if with_values:
            values = blueprint.query(threshold=threshold).bucket_values.actions(node)
        return cls(keys, rows, None if scale is None else scale.few, values)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        actions = [
            {
                "action": key.action,
                "words": key.words,
                "pot_share": key.share,
                "frequency": None,
            }
            for key in self.keys
        ]
        return {
            "actions": actions,
            "buckets": [row._asdict() | self._evs(row) for row in self.rows],
        }

    def _evs(self, row: BucketRow) -> dict[str, Any]:
        if self.values is None:
            return {}
        evs = [self.values.values[row.bucket], *self.values.action_values[row.bucket]]
        own, *actions = [None if np.isnan(ev) else float(ev) for ev in evs]
        return {"ev": own, "action_evs": actions}

    def show(self) -> None:
        """Print the rows; of very many the first ones."""
        nan = float("nan")
        table = grid(["cards", "bucket", "visits", *(key.words for key in self.keys)], left=0)
        for row in self.rows[::-1][:_MOST_ROWS]:  # aces first, as in the matrix
            shares = [share(each) for each in row.strategy or [nan] * len(self.keys)]
            visits = visits_text(nan if row.visits is None else row.visits, bool(row.few_visits))
            table.add_row(row.cards, str(row.bucket), visits, *shares)
        console.print(table)
        few = any(row.few_visits for row in self.rows)
        marked = f"; ~: fewer than {self.few}, so the row is not reliable" if few else ""
        console.print(f"Per cent, and visits in training (?: not known{marked}); - is untrained.")
        if len(self.rows) > _MOST_ROWS:
            console.print(f"{len(self.rows) - _MOST_ROWS:,} more buckets: --json has them all.")
        if self.values is not None:
            self._show_values()

    def _show_values(self) -> None:
        console.print("EV in chips from here on, the share of the pot included (exact):")
        heads = ["cards", "bucket", "EV", *(f"EV {key.action}" for key in self.keys)]
        table = grid(heads, left=0)
        for row in self.rows[::-1]:
            told = self._evs(row)
            evs = (told["ev"], *told["action_evs"])
            cells = (chips(float("nan") if ev is None else ev) for ev in evs)
            table.add_row(row.cards, str(row.bucket), *cells)
        console.print(table)


def _row(blueprint: Blueprint, node: int, bucket: int, text: str, threshold: float) -> BucketRow:
    row, visits = blueprint.row(node, bucket), blueprint.visits(node, bucket)
    shares = None if row is None else row.tolist()
    if shares is not None and threshold:
        named = dict(zip(blueprint.tree.actions(node), shares, strict=True))
        shares = list(without_rare(named, threshold).values())
    scale = blueprint.visit_scale
    few = None if visits is None or scale is None else visits < scale.few
    return BucketRow(bucket, text, shares, visits, few)

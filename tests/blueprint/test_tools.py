"""Pruning, quantising, combining, comparing: by their definitions, and on Leduc."""

from pathlib import Path

import numpy as np
import pytest

from blueprint.strategies import leduc_solver, random_table, save
from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    combine,
    compare,
    prune,
    quantise,
    verify,
    write_blueprint,
)
from riverboat.blueprint._store import decode, encode, largest_shift
from riverboat.errors import BlueprintError, DamagedFileError
from riverboat.evaluate import exploitability
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.game import catalogue
from riverboat.solve import Scheme
from riverboat.tree import DECISION, Tree

TREE = Tree(catalogue("leduc"), "min")
BUCKETS = (5, 4, 31, 17)


def random_blueprint(path: Path, seed: int, buckets: tuple[int, ...] = BUCKETS) -> Blueprint:
    table = random_table(Layout(TREE, buckets), seed)
    write_blueprint(path, Header.of(TREE, buckets), TREE, table)
    return Blueprint.open(path)


def infosets(blueprint: Blueprint) -> list[tuple[int, int]]:
    tree = blueprint.tree
    return [
        (node, bucket)
        for node in range(tree.num_nodes)
        if tree.kind[node] == DECISION
        for bucket in range(blueprint.num_buckets[tree.group[node]])
    ]


# ---- Pruning


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("quantised", [False, True])
def test_pruning_drops_what_it_says_and_nothing_else(
    tmp_path: Path, uniform: bool, quantised: bool
) -> None:
    before = random_blueprint(tmp_path / "a", seed=2)
    if quantised:
        quantise(before, tmp_path / "q")
        before = Blueprint.open(tmp_path / "q")
    report = prune(before, tmp_path / "b", uniform=uniform)
    after = Blueprint.open(tmp_path / "b")
    kept = dropped = 0
    for node, bucket in infosets(before):
        old, new = before.row(node, bucket), after.row(node, bucket)
        if old is None:
            assert new is None
        elif uniform and np.ptp(old) <= (1.01 / 255 if quantised else 0):
            assert new is None
            assert after.weight(node, bucket) == 0
            dropped += 1
        else:
            assert new is not None
            assert np.array_equal(new, old)
            assert after.weight(node, bucket) == before.weight(node, bucket)
            kept += 1
    assert report.uniform == dropped
    assert dropped > 50 or not uniform
    assert (report.infosets, report.before, report.after) == (
        before.header.infosets,
        kept + dropped,
        kept,
    )
    assert report.bytes_after == (tmp_path / "b").stat().st_size
    assert [finding.level for finding in verify(after)] == ["good", "good"]
    if not uniform:
        assert np.array_equal(after.dense(), before.dense())
        assert np.array_equal(after.weights(), before.weights())


def test_pruning_leduc_keeps_its_exploitability(tmp_path: Path) -> None:
    # 30 sampled iterations leave much of Leduc unseen.
    before = Blueprint.open(save(leduc_solver(30, Scheme("external")), tmp_path / "a"))
    report = prune(before, tmp_path / "b")
    assert 0 < report.after < report.infosets
    after = Blueprint.open(tmp_path / "b")
    assert exploitability(after.deals(), after.dense()) == exploitability(
        before.deals(), before.dense()
    )


def test_bits_that_do_not_fit_are_noticed(tmp_path: Path) -> None:
    """Good checksums of wrong numbers: only `verify` can tell."""
    prune(random_blueprint(tmp_path / "a", seed=2), tmp_path / "b")
    file = ArrayFile(tmp_path / "b")
    arrays = {name: np.array(file.array(name)) for name in file.names}
    arrays["entry_ranks"][1] += 1
    specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
    with ArrayFileWriter(tmp_path / "b", specs, file.metadata) as writer:
        for name, array in arrays.items():
            writer.write(name, array)
    with pytest.raises(DamagedFileError, match="its entry bits do not fit"):
        verify(Blueprint.open(tmp_path / "b"))


# ---- Quantising


def reference_shares(row: list[float]) -> list[int]:
    """Largest remainders, as elections have them: the first wins a tie."""
    wanted = [255 * share / sum(row) for share in row]
    seats = [int(share) for share in wanted]
    by_remainder = sorted(range(len(row)), key=lambda i: seats[i] - wanted[i])
    for place in by_remainder[: 255 - sum(seats)]:
        seats[place] += 1
    return seats


def test_255ths_are_largest_remainders() -> None:
    layout = Layout(Tree(catalogue("nolimit-100bb"), "laptop"), (2,) * 8)
    rng = np.random.default_rng(5)
    for rows in layout.groups[:2]:
        block = rng.random((2, len(rows.owners))) ** 4
        block[rng.random(block.shape) < 0.2] = 0
        sums = rows.sums(block)
        block[:, rows.starts] += sums == 0
        block /= rows.spread(rows.sums(block))
        numbers = encode(block, rows)
        for bucket in range(2):
            for start, count in zip(rows.starts.tolist(), rows.counts.tolist(), strict=True):
                row = block[bucket, start : start + count]
                found = numbers[bucket, start : start + count]
                assert found.tolist() == reference_shares(row.tolist())
                decoded = found / 255
                assert np.abs(decoded - row).max() < 1 / 255
                assert np.abs(decoded - row).sum() / 2 <= largest_shift(count) + 1e-12
                assert not found[row == 0].any()
        assert (rows.sums(numbers) == 255).all()
        assert np.array_equal(encode(decode(numbers), rows), numbers)


def test_the_stated_bound_is_reached() -> None:
    """Remainders of 1/2 move an even row as far as the bound says."""
    layout = Layout(TREE, (1, 1, 1, 1))
    rows = layout.groups[0]
    block = np.tile(rows.uniform.astype(np.float64), (1, 1))
    start = int(rows.starts[rows.counts == 2][0])
    block[0, start : start + 2] = (100.5 / 255, 154.5 / 255)
    moved = np.abs(decode(encode(block, rows)) - block)[0, start : start + 2].sum() / 2
    assert moved == pytest.approx(largest_shift(2), rel=1e-4)


def test_quantised_leduc_is_as_good_within_the_bound(tmp_path: Path) -> None:
    before = Blueprint.open(save(leduc_solver(300), tmp_path / "a"))
    report = quantise(before, tmp_path / "b")
    after = Blueprint.open(tmp_path / "b")
    assert report.largest_shift <= report.bound == largest_shift(3)
    assert report.bytes_after < report.bytes_before
    whole, _ = compare(before, after)
    assert whole.largest_distance == pytest.approx(report.largest_shift, abs=1e-6)
    assert whole.mean_distance == pytest.approx(report.mean_shift, abs=1e-6)
    # A player decides at most four times a hand. Each time another action comes with the
    # probability of the row's shift, and changes what the opponent wins by 26 chips at most.
    most = 4 * report.largest_shift * 26
    old = exploitability(before.deals(), before.dense()).exploitability
    new = exploitability(after.deals(), after.dense()).exploitability
    assert abs(new - old) <= most
    assert abs(new - old) < 0.01  # measured: 0.0035
    with pytest.raises(BlueprintError, match="is already quantised"):
        quantise(after, tmp_path / "c")


def weights_of(tmp_path: Path, *, pruned: bool = False) -> tuple[Blueprint, Blueprint]:
    """A strategy with weights over many powers of ten, and the same in 8 bits."""
    layout = Layout(TREE, BUCKETS)
    table = random_table(layout, seed=5)
    table *= 10.0 ** np.random.default_rng(6).uniform(-3, 5, len(table))
    header = Header.of(TREE, layout.num_buckets, pruned=pruned)
    write_blueprint(tmp_path / "wide", header, TREE, table)
    write_blueprint(tmp_path / "small", header.replace(values="uint8"), TREE, table)
    return Blueprint.open(tmp_path / "wide"), Blueprint.open(tmp_path / "small")


@pytest.mark.parametrize("pruned", [False, True])
def test_weights_of_a_byte_are_near(tmp_path: Path, pruned: bool) -> None:
    wide, small = weights_of(tmp_path, pruned=pruned)
    assert small.file.spec("weight").dtype == np.uint8
    assert (wide.header.format, small.header.format) == (1, 2)
    before, after = wide.weights(), small.weights()
    assert np.array_equal(before == 0, after == 0)
    assert np.count_nonzero(before == 0) > 50
    trained = before > 0
    assert before.max() > 1e6 * before[trained].min()
    # Half a step of 2^(1/8).
    assert np.abs(np.log2(after[trained] / before[trained])).max() <= 1 / 16 + 1e-6
    assert after.max() == before.max()
    for node, bucket in infosets(small):
        span = small.layout.span(node)
        weight = after[span.infoset + bucket * span.bucket_infosets]
        assert small.weight(node, bucket) == weight
        assert (small.row(node, bucket) is None) == (weight == 0)
    assert "error" not in {finding.level for finding in verify(small)}


def test_tools_keep_weights_of_a_byte(tmp_path: Path) -> None:
    _, small = weights_of(tmp_path)
    prune(small, tmp_path / "pruned")
    pruned = Blueprint.open(tmp_path / "pruned")
    assert np.array_equal(pruned.weights(), small.weights())
    assert pruned.header.greatest_weight == small.header.greatest_weight
    combine([small, pruned], tmp_path / "both")
    both = Blueprint.open(tmp_path / "both")
    assert (both.header.format, both.header.byte_weights) == (1, False)
    assert np.array_equal(both.weights(), 2 * small.weights())
    quantise(both, tmp_path / "again")
    assert np.array_equal(Blueprint.open(tmp_path / "again").weights(), 2 * small.weights())


def test_a_file_without_weights_above_0_has_none(tmp_path: Path) -> None:
    header = Header.of(TREE, (3, 3, 9, 9), values="uint8")
    write_blueprint(tmp_path / "a", header, TREE, np.zeros(header.entries))
    assert not Blueprint.open(tmp_path / "a").weights().any()
    table = np.full(header.entries, 1e-38)
    write_blueprint(tmp_path / "b", header, TREE, table)
    assert (Blueprint.open(tmp_path / "b").weights() > 0).all()  # little, but trained


# ---- Combining


@pytest.mark.parametrize("method", ["sum", "weighted"])
def test_combining_is_what_it_says(tmp_path: Path, method: str) -> None:
    parts = [random_blueprint(tmp_path / str(seed), seed) for seed in range(3)]
    prune(parts[1], tmp_path / "p")
    parts[1] = Blueprint.open(tmp_path / "p")
    combine(parts, tmp_path / "c", method)  # type: ignore[arg-type]  # a method's name
    combined = Blueprint.open(tmp_path / "c")
    untrained = 0
    for node, bucket in infosets(combined):
        rows = [part.row(node, bucket) for part in parts]
        weights = [part.weight(node, bucket) for part in parts]
        trained = [
            row * (weight if method == "weighted" else 1)
            for row, weight in zip(rows, weights, strict=True)
            if row is not None
        ]
        found = combined.row(node, bucket)
        if not trained:
            assert found is None
            untrained += 1
            continue
        total = np.sum(trained, axis=0, dtype=np.float64)
        assert found is not None
        assert np.allclose(found, total / total.sum(), atol=1e-6)
        assert combined.weight(node, bucket) == pytest.approx(sum(weights))
    assert untrained > 0
    assert len(combined.header.parents) == 3
    assert combined.header.notes == (f"combined from 3 strategies: {method}",)


def test_weighted_runs_add_up_to_one_run(tmp_path: Path) -> None:
    """Two averages combined by weight are the average of all iterations."""
    solvers = [leduc_solver(500, Scheme("external"), seed) for seed in (1, 2)]
    parts = [Blueprint.open(save(s, tmp_path / f"{s.seed}")) for s in solvers]
    combine(parts, tmp_path / "c", "weighted")
    combined = Blueprint.open(tmp_path / "c")
    solvers[0].average += solvers[1].average
    save(solvers[0], tmp_path / "d")
    together = Blueprint.open(tmp_path / "d")
    assert np.allclose(combined.dense(), together.dense(), atol=1e-5)
    assert np.allclose(combined.weights(), together.weights(), rtol=1e-5)
    assert combined.header.training.iterations == 1000


def test_what_does_not_go_together_is_named(tmp_path: Path) -> None:
    first = random_blueprint(tmp_path / "a", 1)
    second = random_blueprint(tmp_path / "b", 1, (5, 4, 31, 18))
    with pytest.raises(BlueprintError, match=r"a and b do not fit together: their buckets differ"):
        combine([first, second], tmp_path / "c")
    other = Tree(catalogue("leduc").replace(stacks=(100, 90)), "min")
    table = random_table(Layout(other, BUCKETS), 1)
    write_blueprint(tmp_path / "d", Header.of(other, BUCKETS), other, table)
    with pytest.raises(BlueprintError, match=r"game differ: stacks \[100, 100\] and \[100, 90\]"):
        compare(first, Blueprint.open(tmp_path / "d"))
    with pytest.raises(BlueprintError, match="not 'mean'"):
        combine([first, first], tmp_path / "c", "mean")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(BlueprintError, match="at least two strategies"):
        combine([first], tmp_path / "c")


# ---- Comparing


def test_comparing_is_what_it_says(tmp_path: Path) -> None:
    first, second = (random_blueprint(tmp_path / str(seed), seed) for seed in (1, 2))
    whole, streets = compare(first, second)
    for street in range(2):
        here = [each for each in infosets(first) if first.tree.street[each[0]] == street]
        rows = [(first.row(*each), second.row(*each), each) for each in here]
        both = [(a, b, each) for a, b, each in rows if a is not None and b is not None]
        distances = np.array([np.abs(a - b).sum() / 2 for a, b, _ in both])
        others = np.array([np.argmax(a) != np.argmax(b) for a, b, _ in both])
        weights = [np.array([part.weight(*e) for _, _, e in both]) for part in (first, second)]
        found = streets[street]
        assert found.infosets == len(here)
        assert found.both == len(both)
        assert found.only_first == sum(a is not None and b is None for a, b, _ in rows)
        assert found.only_second == sum(a is None and b is not None for a, b, _ in rows)
        assert found.mean_distance == pytest.approx(distances.mean(), rel=1e-5)
        assert found.largest_distance == pytest.approx(distances.max(), rel=1e-5)
        assert found.other_favourite == pytest.approx(others.mean())
        means = [np.average(distances, weights=w) for w in weights]
        assert found.weighted_distance == pytest.approx(np.mean(means), rel=1e-5)
        means = [np.average(others, weights=w) for w in weights]
        assert found.weighted_other_favourite == pytest.approx(np.mean(means), rel=1e-5)
    assert whole.both == sum(street.both for street in streets)
    assert compare(first, first)[0].largest_distance == 0

"""Strategy files: what is written is read, exactly, and damage or another version is noticed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blueprint.strategies import leduc_solver, random_table, save
from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    Training,
    write_blueprint,
)
from riverboat.buckets import make_abstraction
from riverboat.errors import BlueprintError, DamagedFileError
from riverboat.evaluate import exploitability
from riverboat.files import ArrayFile, ArrayFileWriter, ArraySpec
from riverboat.game import catalogue
from riverboat.tree import DECISION, Tree
from sizes import few_or_many


def reference_rows(
    tree: Tree, num_buckets: tuple[int, ...], table: NDArray[Any]
) -> dict[tuple[int, int], NDArray[Any]]:
    """By the definition: [actions] of the table for each (node, bucket)."""
    found, base = {}, 0
    for group, buckets in enumerate(num_buckets):
        for node in range(tree.num_nodes):
            if tree.kind[node] == DECISION and tree.group[node] == group:
                for bucket in range(buckets):
                    begin = base + bucket * int(tree.group_entries[group]) + int(tree.offset[node])
                    found[node, bucket] = table[begin : begin + int(tree.num_actions[node])]
        base += buckets * int(tree.group_entries[group])
    return found


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint32])
def test_rows_are_the_normalised_rows_of_the_table(
    tmp_path: Path, dtype: type[Any], pruned: bool
) -> None:
    tree = Tree(catalogue("leduc"), "min")
    buckets = (5, 4, 31, 17)
    table = random_table(Layout(tree, buckets), seed=3).astype(dtype)
    header = Header.of(tree, buckets, pruned=pruned)
    write_blueprint(tmp_path / "a", header, tree, table)
    blueprint = Blueprint.open(tmp_path / "a")
    untrained = 0
    for (node, bucket), row in reference_rows(tree, buckets, table).items():
        total = row.astype(np.float64).sum()
        found = blueprint.row(node, bucket)
        assert blueprint.weight(node, bucket) == np.float32(total)
        if total == 0:
            assert found is None
            untrained += 1
        else:
            assert found is not None
            assert found.dtype == np.float32
            assert np.allclose(found, row / total, rtol=1e-6, atol=0)
        strategy, trained = blueprint.node_rows(node)
        assert trained[bucket] == (total > 0)
        assert found is None or np.array_equal(strategy[bucket], found)
    assert untrained > 50
    dense = reference_rows(tree, buckets, blueprint.dense(np.float64))
    for (node, bucket), row in dense.items():
        found = blueprint.row(node, bucket)
        assert np.array_equal(row, np.full(len(row), np.float32(1 / len(row)))) or (
            found is not None and np.array_equal(row, found)
        )


def test_leduc_keeps_its_exact_exploitability(tmp_path: Path) -> None:
    solver = leduc_solver(iterations=300)
    path = save(solver, tmp_path / "leduc")
    blueprint = Blueprint.open(path)
    rounded = solver.strategy().astype(np.float32)
    assert np.array_equal(blueprint.dense(), rounded)
    before = exploitability(solver.deals, rounded)
    after = exploitability(blueprint.deals(), blueprint.dense())
    assert after == before
    # float32 rounds each probability by less than 2^-24; pots are at most 26 chips.
    in_full = exploitability(solver.deals, solver.strategy(np.float64))
    assert after.exploitability == pytest.approx(in_full.exploitability, abs=1e-5)


def test_the_header_says_how_to_do_it_again(tmp_path: Path) -> None:
    solver = leduc_solver(iterations=10)
    training = Training(
        scheme={"sampling": "full"}, seed=2**64 - 1, iterations=10, recipe={"a": [1, "b"]}
    )
    deals = solver.deals
    header = Header.of(deals.tree, deals.num_buckets, training, fallback="checkcall", notes=("x",))
    write_blueprint(tmp_path / "a", header, deals.tree, solver.average)
    read = Blueprint.open(tmp_path / "a").header
    assert read == header
    assert read.spec == catalogue("leduc")
    assert read.date.endswith("+00:00")


def test_wrong_questions_are_answered_by_sentences(tmp_path: Path) -> None:
    blueprint = Blueprint.open(save(leduc_solver(10), tmp_path / "a"))
    terminal = blueprint.tree.node("b2f")
    with pytest.raises(BlueprintError, match=f"node {terminal} is not a decision"):
        blueprint.row(terminal, 0)
    with pytest.raises(BlueprintError, match="bucket must be 0 to 2 at node 0, not 3"):
        blueprint.row(0, 3)
    with pytest.raises(BlueprintError, match="not -1"):
        blueprint.weight(0, -1)
    with pytest.raises(BlueprintError, match="there is no strategy file"):
        Blueprint.open(tmp_path / "missing")


def strategy_rows(strategy: NDArray[Any], weights: NDArray[Any]) -> Any:
    """Rows of a strategy: [entries] probabilities and [infosets] weights, 0 = untrained."""
    return lambda chunk, _: (
        strategy[chunk.entries].astype(np.float32).reshape(chunk.num_buckets, -1),
        weights[chunk.infosets].astype(np.float32).reshape(chunk.num_buckets, -1),
    )


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_tables_that_are_no_averages_are_refused(tmp_path: Path, bad: float) -> None:
    solver = leduc_solver(10)
    path = save(solver, tmp_path / "a")
    before = path.read_bytes()
    deals = solver.deals
    header = Header.of(deals.tree, deals.num_buckets)
    solver.average[-1] = bad
    with pytest.raises(BlueprintError, match=r"bucket 8 after 'b2b4c/b4' has"):
        write_blueprint(path, header, deals.tree, solver.average)
    with pytest.raises(BlueprintError, match="672,"):
        write_blueprint(path, header, deals.tree, solver.average[1:])
    solver.average[-3:] = 0
    rows = strategy_rows(solver.average, np.ones(288))
    for values in ("float32", "uint8"):
        with pytest.raises(BlueprintError, match="are not distributions"):
            write_blueprint(path, header.replace(values=values), deals.tree, rows)
    good = strategy_rows(solver.strategy(), np.full(288, bad))
    with pytest.raises(BlueprintError, match=r"9 of 9 rows are .* at the root"):
        write_blueprint(path, header, deals.tree, good)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_header_of_another_tree_is_refused(tmp_path: Path) -> None:
    solver = leduc_solver(10)
    other = Tree(catalogue("kuhn"), "min")
    with pytest.raises(BlueprintError, match="the header does not belong to"):
        write_blueprint(tmp_path / "a", Header.of(other, (3, 3)), solver.deals.tree, solver.average)


# ---- Damage


@pytest.mark.parametrize("pruned", [False, True])
def test_a_flipped_bit_anywhere_is_noticed(tmp_path: Path, pruned: bool) -> None:
    path = save(leduc_solver(10), tmp_path / "a", pruned=pruned)
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    places = {*range(9), *rng.integers(0, len(content), 300).tolist(), len(content) - 1}
    for place in sorted(places):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        with pytest.raises((DamagedFileError, BlueprintError)):
            for _ in Blueprint.open(path).file.verify():
                pass


@pytest.mark.parametrize("seed", range(20))
def test_a_truncated_file_is_refused(tmp_path: Path, seed: int) -> None:
    path = save(leduc_solver(10), tmp_path / "a")
    os.truncate(path, int(np.random.default_rng(seed).integers(0, path.stat().st_size)))
    with pytest.raises(DamagedFileError):
        Blueprint.open(path)


def rewrite(path: Path, metadata: dict[str, str]) -> None:
    """Write the same arrays with other metadata, and good checksums."""
    file = ArrayFile(path)
    arrays = {name: np.array(file.array(name)) for name in file.names}
    specs = {name: ArraySpec(array.dtype, array.shape) for name, array in arrays.items()}
    with ArrayFileWriter(path, specs, {**file.metadata, **metadata}) as writer:
        for name, array in arrays.items():
            writer.write(name, array)


def test_other_formats_are_refused(tmp_path: Path) -> None:
    path = save(leduc_solver(10), tmp_path / "a")
    rewrite(path, {"format": "3"})
    with pytest.raises(BlueprintError, match=r"format 3, but Riverboat .* reads formats 1 and 2"):
        Blueprint.open(path)
    rewrite(path, {"format": "2"})
    with pytest.raises(DamagedFileError, match="it has format 1, its file format 2"):
        Blueprint.open(path)
    rewrite(path, {"kind": "hand-strength"})
    with pytest.raises(BlueprintError, match="not a strategy file"):
        Blueprint.open(path)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('"menu":"min"', '"menu":7', "cannot be used: Expected `str`"),
        ('"menu":"min"', '"menu":"min","more":1', "unknown field `more`"),
        ('"values":"float32"', '"values":"float16"', "float16"),
        ('"values":"float32"', '"values":"uint8"', "8-bit weights need"),
        ('"pruned":', '"greatest_weight":1e-40,"pruned":', "greatest_weight"),
        ('"pruned":', '"greatest_weight":1e999,"pruned":', "greatest_weight|out of range"),
        ('"pruned":', '"greatest_weight":7.0,"pruned":', "8-bit weights have format 2"),
        ('"num_buckets":[3,3,9,9]', '"num_buckets":[3,3,9]', "one per group"),
        ('"num_buckets":[3,3,9,9]', '"num_buckets":[3,3,9,8]', "do not match its header"),
    ],
)
def test_strange_headers_are_refused(tmp_path: Path, old: str, new: str, match: str) -> None:
    path = save(leduc_solver(10), tmp_path / "a")
    text = ArrayFile(path).metadata["header"]
    assert old in text
    rewrite(path, {"header": text.replace(old, new)})
    with pytest.raises((BlueprintError, DamagedFileError), match=match):
        Blueprint.open(path)


def test_cards_that_do_not_cover_the_streets_are_refused(tmp_path: Path) -> None:
    tree, cards = Tree(catalogue("cardiff"), "min ; cap 1"), make_abstraction("suitless 2")
    path, header = tmp_path / "a", Header.of(tree, cards)
    write_blueprint(path, header, tree, np.ones(header.entries, np.float32), cards)
    values = json.loads(ArrayFile(path).metadata["header"])
    values["cards"]["streets"] = values["cards"]["streets"][:1]
    rewrite(path, {"header": json.dumps(values)})
    with pytest.raises(BlueprintError, match=r"a: .*are for 1 streets, but its game has 2"):
        Blueprint.open(path)
    values["cards"]["streets"] = [{"kind": "odd"}] * 2
    rewrite(path, {"header": json.dumps(values)})
    with pytest.raises(BlueprintError, match="a: 'odd' is not a kind of buckets"):
        _ = Blueprint.open(path).cards


def test_a_file_of_something_else_may_be_no_strategy_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(DamagedFileError, match="or it is not a strategy file"):
        Blueprint.open(path)


def test_a_tree_that_comes_out_otherwise_is_noticed(tmp_path: Path) -> None:
    path = save(leduc_solver(10), tmp_path / "a")
    text = ArrayFile(path).metadata["header"]
    rewrite(path, {"header": text.replace('"bet_size":4', '"bet_size":6')})
    blueprint = Blueprint.open(path)
    with pytest.raises(BlueprintError, match="builds another betting tree"):
        blueprint.row(0, 0)


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from blueprint.strategies import leduc_solver, save
solver = leduc_solver(5)
print("ready", flush=True)
while True:
    save(solver, Path(sys.argv[1]))
"""


@pytest.mark.parametrize("kills", few_or_many(1, 10))
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path, kills: int) -> None:
    path = tmp_path / "a"
    rng = np.random.default_rng(1)
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOR_EVER, str(path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        while not path.exists():
            time.sleep(0.001)
        time.sleep(float(rng.uniform(0, 0.05)))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        blueprint = Blueprint.open(path)
        assert list(blueprint.file.verify())
        assert blueprint.dense().shape == (672,)


def test_a_file_of_0_1_is_refused() -> None:
    """`data/v0_1_kuhn.blueprint` was written by Riverboat 0.1.0."""
    with pytest.raises(BlueprintError, match=r"written by Riverboat 0\.1, whose files"):
        Blueprint.open(Path(__file__).parent / "data" / "v0_1_kuhn.blueprint")

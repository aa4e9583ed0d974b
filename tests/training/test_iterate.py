"""Training by hand: stops by iterations and times, what counts, what is refused."""

from itertools import count

import pytest

from riverboat.errors import RunError
from riverboat.game import catalogue
from riverboat.solve import Scheme, Solver, enumerate_deals
from riverboat.training import Until, iterate
from riverboat.tree import Tree


@pytest.fixture
def solver() -> Solver:
    return Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), Scheme("external"), seed=3)


def test_iterations_are_met_exactly_and_stops_are_named(solver: Solver) -> None:
    found = list(iterate(solver, [Until(iterations=n) for n in (10, 500, 2_000)]))
    stops = [(each.stop, each.iterations) for each in found if each.stop is not None]
    assert stops == [(0, 10), (1, 500), (2, 2_000)]
    assert found[-1].share == 1.0
    assert [each.share for each in found] == sorted(each.share for each in found)
    assert solver.iterations == 2_000


def test_it_is_the_run_that_was_never_stopped(solver: Solver) -> None:
    whole = Solver(solver.deals, solver.scheme, seed=3)
    whole.run_all(iterations=700)
    for _ in iterate(solver, [Until(iterations=n) for n in (1, 350, 700)]):
        pass
    assert (solver.regrets == whole.regrets).all()


def test_a_solver_that_is_there_already_does_nothing(solver: Solver) -> None:
    solver.run_all(iterations=100)
    assert not list(iterate(solver, [Until(iterations=50), Until(iterations=100)]))
    (*_, last) = iterate(solver, [Until(iterations=50), Until(iterations=150)])
    assert (last.stop, last.iterations) == (1, 150)


def test_whichever_is_reached_first_ends_it(solver: Solver) -> None:
    (*_, last) = iterate(solver, Until(iterations=300, seconds=1e6, processor_seconds=1e6))
    assert last.iterations == 300
    (*_, last) = iterate(solver, Until(iterations=10**12, seconds=1e-9))
    assert 300 < last.iterations < 10**12
    assert last.seconds >= 1e-9


def test_times_are_of_the_slices_alone(solver: Solver) -> None:
    """A clock that ticks once a look: two looks a slice, and those in between do not count."""
    ticks = count()
    stops = [Until(processor_seconds=1), Until(processor_seconds=4)]
    found = []
    for now in iterate(solver, stops, clock=lambda: float(next(ticks))):
        next(ticks)  # the caller measures
        found.append((now.processor_seconds, now.stop))
    assert found == [(1.0, 0), (2.0, None), (3.0, None), (4.0, 1)]


def test_stops_that_one_slice_passes_are_told_once(solver: Solver) -> None:
    ticks = count(step=10)
    stops = [Until(processor_seconds=1), Until(processor_seconds=5), Until(processor_seconds=15)]
    found = [now.stop for now in iterate(solver, stops, clock=lambda: float(next(ticks)))]
    assert found == [1, 2]


@pytest.mark.parametrize("stops", [(), Until(), [Until(iterations=1), Until()]])
def test_an_end_must_be_named(solver: Solver, stops: Until | list[Until]) -> None:
    with pytest.raises(RunError, match="each stop needs a limit"):
        iterate(solver, stops)

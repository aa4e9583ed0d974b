"""Which schemes are sound, and sentences for those that are not."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest

from riverboat.errors import SolveError
from riverboat.solve import Prune, RegretRule, Sampling, Scheme, Solver
from solve.games import classic

# "Sound combinations" of the project's definitions, written out.
SOUND = {
    "full": {"cfr", "cfr+", "linear", "dcfr", "predictive+"},
    "public-chance": {"cfr", "cfr+", "linear", "dcfr", "predictive+"},
    "chance": {"cfr", "linear", "dcfr"},
    "external": {"cfr", "linear"},
    "outcome": {"cfr", "linear"},
    "average-strategy": {"cfr", "linear"},
    "pure": {"cfr"},
}
EXPERIMENTAL = {("external", "cfr+"), ("external", "dcfr")}


@pytest.mark.parametrize("sampling", get_args(Sampling))
@pytest.mark.parametrize("rule", get_args(RegretRule))
def test_sound_combinations(sampling: Sampling, rule: RegretRule) -> None:
    if rule in SOUND[sampling]:
        assert Scheme(sampling, rule).rule == rule
        return
    with pytest.raises(SolveError) as refused:
        Scheme(sampling, rule)
    sentence = str(refused.value)
    assert sentence.startswith(f"{sampling} sampling with {rule} is not sound: ")
    assert all(sound in sentence.split("sound with")[1] for sound in SOUND[sampling])
    assert ("experimental=True" in sentence) == ((sampling, rule) in EXPERIMENTAL)


@pytest.mark.parametrize(("sampling", "rule"), sorted(EXPERIMENTAL))
def test_experimental_combinations_run(sampling: Sampling, rule: RegretRule) -> None:
    scheme = Scheme(sampling, rule, experimental=True)
    assert Solver(classic("kuhn"), scheme).run_all(iterations=100).iterations == 100


def test_experimental_does_not_allow_everything() -> None:
    with pytest.raises(SolveError, match="outcome sampling with cfr\\+ is not sound"):
        Scheme("outcome", "cfr+", experimental=True)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"sampling": "extrenal"}, "'extrenal' is no sampling: there are full, chance"),
        ({"rule": "rm+"}, "'rm\\+' is no regret rule: there are cfr, cfr\\+"),
        ({"averaging": "cubic"}, "'cubic' is no averaging: there are uniform"),
        ({"sampling": "pure", "averaging": "linear"}, "its average is uniform"),
        ({"delay": -1}, "delay=-1"),
        ({"step": 0}, "step=0"),
        ({"sampling": "full", "step": 10}, "full sampling has steps of 1 iteration, not 10"),
        ({"epsilon": 0.0}, "epsilon=0.0 is not a probability above 0"),
        ({"epsilon": math.nan}, "epsilon=nan"),
        ({"tau": -1.0}, "tau and beta_offset"),
        ({"tau": math.nan}, "tau is not a number"),
        ({"alpha": math.nan}, "alpha is not a number"),
        ({"floor": ((10, 0.5),)}, "floor below 0.5"),
        ({"floor": ((0, 0.1),)}, "until iteration"),
        ({"floor": ((10, math.nan),)}, "floor below 0.5"),
        ({"floor": ((10, 0.1), (5, 0.1))}, "iterations ascend"),
        ({"sampling": "pure", "floor": ((10, 0.1),)}, "pure sampling has no exploration floor"),
        ({"sampling": "full", "floor": ((10, 0.1),)}, "full sampling has no exploration floor"),
        ({"prune": Prune(0.0)}, "takes a negative regret"),
        ({"prune": Prune(math.nan)}, "takes a negative regret"),
        ({"prune": Prune(-1.0, 1.0)}, "probability is 0 to below 1"),
        ({"prune": Prune(-1.0, after=-1)}, "after an iteration of 0 or more"),
        ({"sampling": "outcome", "prune": Prune(-1.0)}, "pruning is for external sampling"),
    ],
)
def test_bad_choices_get_sentences(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        Scheme(**changes)


def test_floor_schedule() -> None:
    """Caltech's: 5 % to iteration 100,000, 1 % to 150,000, then none."""
    scheme = Scheme(floor=((100_000, 0.05), (150_000, 0.01)))
    assert scheme.floor_at(0) == (0.05, 100_000)
    assert scheme.floor_at(99_999) == (0.05, 100_000)
    assert scheme.floor_at(100_000) == (0.01, 150_000)
    assert scheme.floor_at(150_000) == (0.0, None)


def test_defaults() -> None:
    """Epsilon 0.6 (Lanctot et al. 2009) and 0.05 (Gibson et al. 2012)."""
    assert Scheme("outcome").exploration == 0.6
    assert Scheme("average-strategy").exploration == 0.05
    assert (Scheme().tau, Scheme().beta_offset) == (1000.0, 1e6)
    assert (Scheme("full").step_iterations, Scheme("external").step_iterations) == (1, 10_000)

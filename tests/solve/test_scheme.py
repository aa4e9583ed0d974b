"""Which schemes are sound, and sentences for those that are not."""

from __future__ import annotations

import json
import math
from typing import Any, get_args

import numpy as np
import pytest

from riverboat.errors import SolveError
from riverboat.game import catalogue
from riverboat.solve import (
    SCHEMES,
    Explore,
    Prune,
    RegretRule,
    Sampling,
    Scheme,
    Solver,
    enumerate_public,
)
from riverboat.tree import Tree
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
        ({"sampling": "extrenal"}, "sampling='extrenal' is not allowed: it must be full, chance"),
        ({"rule": "rm+"}, "rule='rm\\+' is not allowed: it must be cfr, cfr\\+"),
        (
            {"averaging": "cubic"},
            "averaging='cubic' .* uniform, linear or quadratic, or none",
        ),
        ({"sampling": "pure", "averaging": "linear"}, "its average must be uniform"),
        ({"sampling": None}, "sampling=None is not allowed"),
        ({"rule": ["cfr"]}, "rule=\\['cfr'\\] is not allowed: it must be cfr"),
        ({"averaging": 2}, "averaging=2 is not allowed"),
        ({"delay": -1}, "delay=-1"),
        ({"delay": 10**400}, "delay=1000.* it must be a whole number from 0 to 2\\^62"),
        ({"delay": 1.0}, "delay=1.0 is not allowed: it must be a whole number"),
        ({"step": 0}, "step=0"),
        ({"step": "10"}, "step='10' is not allowed: it must be a whole number"),
        ({"sampling": "full", "step": 10}, "full sampling needs steps of 1 iteration, not 10"),
        (
            {"sampling": "outcome", "epsilon": 0.0},
            "epsilon=0.0 .* number from 1e-06 to 1",
        ),
        (
            {"sampling": "outcome", "epsilon": 1e-30},
            "epsilon=1e-30 is not allowed",
        ),
        ({"sampling": "outcome", "epsilon": math.nan}, "epsilon=nan"),
        (
            {"sampling": "outcome", "epsilon": "0.5"},
            "epsilon='0.5' is not allowed",
        ),
        ({"sampling": "average-strategy", "tau": -1.0}, "tau=-1.0"),
        (
            {"sampling": "average-strategy", "tau": math.inf},
            "tau=inf .* number from 0",
        ),
        (
            {"sampling": "average-strategy", "tau": None},
            "tau=None is not allowed: it must be a number",
        ),
        ({"sampling": "average-strategy", "beta_offset": math.inf}, "beta_offset=inf"),
        ({"sampling": "average-strategy", "beta_offset": 10**400}, "beta_offset=1000"),
        ({"alpha": math.nan}, "alpha=nan is not allowed: it must be a number"),
        (
            {"sampling": "full", "rule": "dcfr", "gamma": -1},
            "gamma=-1 .* number from 0 to 10",
        ),
        ({"sampling": "full", "rule": "dcfr", "gamma": math.inf}, "gamma=inf"),
        ({"average_every": 0}, "average_every=0 is not allowed: it must be a whole number from 1"),
        ({"floor": ((10, 0.5),)}, "and below 0.5"),
        ({"floor": ((0, 0.1),)}, "each item \\(a whole number from 1 to"),
        ({"floor": ((10, math.nan),)}, "and below 0.5"),
        ({"floor": ((10, 0.1), (5, 0.1))}, "iterations must ascend"),
        ({"floor": 0.1}, "floor=0.1 is not allowed: it must be a list, each item"),
        ({"floor": ((10, 0.1, 3),)}, "floor=.*3.* is not allowed"),
        ({"floor": "no"}, "floor='no' is not allowed"),
        ({"floor": ((10.5, 0.1),)}, "floor=.*10.5.* each item \\(a whole number"),
        ({"floor": ((10, "0.1"),)}, "floor=.*'0.1'.* is not allowed"),
        ({"floor_in_average": 1, "floor": ((10, 0.1),)}, "average=1 .* yes or no"),
        ({"experimental": "yes"}, "experimental='yes' .* yes or no"),
        ({"prune": -300.0}, "prune=-300.0 is not allowed: it must be a table, or none"),
    ],
)
def test_bad_choices_get_sentences(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        Scheme(**changes)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((0.0,), "below=0.0 is not allowed: it must be a number of at least .* and below 0"),
        ((math.nan,), "below=nan is not allowed"),
        ((-math.inf,), "below=-inf is not allowed"),
        (("-1",), "below='-1' is not allowed"),
        ((-1.0, 1.0), "probability=1.0 .* number from 0 to 0.999"),
        ((-1.0, -0.1), "probability=-0.1"),
        ((-1.0, 0.5, -1), "after=-1"),
        ((-1.0, 0.5, 1.5), "after=1.5"),
    ],
)
def test_bad_pruning_gets_sentences(values: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        Prune(*values)


# Options that the scheme would ignore: each says where it belongs.
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"alpha": 2.0}, "alpha=2.0 is for the rule dcfr, not for cfr"),
        ({"rule": "linear", "beta": 1.0}, "beta=1.0 is for the rule dcfr, not for linear"),
        ({"gamma": 2.0}, "gamma=2.0 is for the rule dcfr, not for cfr"),
        ({"epsilon": 0.5}, "epsilon=0.5 is for outcome or average-strategy sampling"),
        ({"tau": 1.0}, "tau=1.0 is for average-strategy sampling, not for external"),
        ({"sampling": "outcome", "beta_offset": 1.0}, "beta_offset=1.0 is for average-strategy"),
        ({"sampling": "pure", "floor": ((10, 0.1),)}, "is for chance or external or"),
        ({"sampling": "full", "floor": ((10, 0.1),)}, "not for full"),
        ({"floor_in_average": False}, "needs a floor"),
        ({"sampling": "outcome", "prune": Prune(-1.0)}, "is for external sampling, not for out"),
        ({"sampling": "pure", "explore": Explore()}, "is for external sampling, not for pure"),
        ({"prune": Prune(-1.0), "explore": Explore()}, "prune and explore exclude each other"),
        ({"sampling": "outcome", "average_every": 3}, "average_every=3 is for external or pure"),
    ],
)
def test_ignored_options_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        Scheme(**changes)


def test_gamma_is_the_averaging_of_dcfr() -> None:
    """The paper's DCFR(1.5, 0, 2) is the default; the usual averagings are gamma 0, 1 and 2."""
    assert Scheme("full", "dcfr").average_power == 2
    assert Scheme("full", "dcfr").name == "full dcfr, quadratic average"
    assert Scheme("full", "dcfr", gamma=1.5).name == "full dcfr, t^1.5 average"
    assert Scheme("full", "dcfr", "linear").average_power == 1
    assert Scheme("full", "dcfr", "linear", gamma=1).gamma == 1
    assert Scheme("full").average_power == Scheme("external", "linear").average_power == 0
    sentence = "averaging='linear' weights step t by t\\^1, gamma=2 by t\\^2: give only one"
    with pytest.raises(SolveError, match=sentence):
        Scheme("full", "dcfr", "linear", gamma=2.0)


def test_numbers_become_plain_ones() -> None:
    scheme = Scheme(
        "external",
        delay=np.int64(3),  # type: ignore[arg-type]  # NumPy's numbers are numbers
        floor=[[np.int32(10), np.float32(0.25)]],  # type: ignore[arg-type]  # NumPy's numbers are numbers
    )
    assert type(scheme.delay) is int
    assert scheme.floor == ((10, 0.25),)
    assert json.loads(json.dumps(scheme.as_dict())) == {"delay": 3, "floor": [[10, 0.25]]}


@pytest.mark.parametrize(
    "scheme",
    [
        Scheme(),
        Scheme("full", "dcfr", alpha=math.inf, beta=-math.inf, gamma=3),
        Scheme("outcome", "linear", "linear", epsilon=0.3, delay=2, step=50),
        Scheme("external", "cfr+", experimental=True, average_every=4),
        Scheme("external", prune=Prune(-5.0, after=7), floor=((3, 0.1), (9, 0.0))),
        Scheme("chance", floor=((3, 0.1),), floor_in_average=False),
        *SCHEMES.values(),
    ],
    ids=str,
)
def test_schemes_as_dicts(scheme: Scheme) -> None:
    text = json.dumps(scheme.as_dict(), allow_nan=False)
    assert Scheme.from_dict(json.loads(text)) == scheme
    # With every default filled in, the same steps, weights and exploration.
    values = json.loads(json.dumps(scheme.as_whole_dict(), allow_nan=False))
    assert values.keys() == set(Scheme.__struct_fields__)
    whole = Scheme.from_dict(values)
    assert whole.as_whole_dict() == values
    for name in ("name", "step_iterations", "exploration", "average_power", "prune", "floor"):
        assert getattr(whole, name) == getattr(scheme, name)


def test_dicts_leave_defaults_out() -> None:
    assert Scheme().as_dict() == {}
    assert Scheme("full", "dcfr", beta=-math.inf).as_dict() == {
        "sampling": "full",
        "rule": "dcfr",
        "beta": "-inf",
    }


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"samplign": "full"},
            "no setting 'samplign' .did you mean 'sampling'.*; the settings of .*, rule",
        ),
        ({3: 4}, "has no setting '3'"),
        ([("sampling", "full")], "is not a table of settings"),
        (
            {"prune": {"belwo": -3}},
            "no setting 'prune.belwo' .did you mean 'below'..; the settings of prune",
        ),
        ({"prune": {"after": 3}}, "a scheme lacks the setting 'prune.below': it must be a number"),
        ({"prune": 3}, "prune=3 is not allowed"),
        ({"sampling": "full", "rule": "dcfr", "alpha": "nan"}, "alpha='nan' is not allowed"),
    ],
)
def test_bad_dicts_get_sentences(values: Any, sentence: str) -> None:
    with pytest.raises(SolveError, match=sentence):
        Scheme.from_dict(values)


def test_named_schemes() -> None:
    """Settings of the seeds (Pineapple: epsilon 0.1, beta 10) and of Gibson et al. 2012."""
    pineapple, paper = SCHEMES["pineapple"], SCHEMES["average-strategy"]
    assert (pineapple.exploration, pineapple.tau, pineapple.beta_offset) == (0.1, 1.0, 10.0)
    assert (paper.exploration, paper.tau, paper.beta_offset) == (0.05, 1000.0, 1e6)
    assert SCHEMES["cardiff"].sampling == SCHEMES["husky"].sampling == "chance"
    assert SCHEMES["yerevan"].sampling == "pure"
    assert SCHEMES["caltech"].floor == ((100_000, 0.05), (150_000, 0.01))
    assert SCHEMES["dcfr"].average_power == 2
    with pytest.raises(TypeError):
        SCHEMES["mine"] = Scheme()  # type: ignore[index]  # read-only on purpose


@pytest.mark.parametrize("name", SCHEMES)
def test_named_schemes_run(name: str) -> None:
    deals = enumerate_public(Tree(catalogue("kuhn"), "min"))
    assert Solver(deals, SCHEMES[name], seed=1).run_all(iterations=50).iterations == 50


def test_floor_schedule() -> None:
    """Caltech's: 5 % to iteration 100,000, 1 % to 150,000, then none."""
    scheme = SCHEMES["caltech"]
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

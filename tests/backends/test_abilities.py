"""What solvers can do is read off from their adapters."""

import pytest

from backends.abilities import abilities_of, probes
from backends.adapters import ADAPTERS
from backends.spacer import SPACER
from backends.support import EVERYTHING
from chc.fragment import Theory


@pytest.mark.parametrize("theory", Theory)
def test_each_probe_is_of_its_theory(theory: Theory) -> None:
    """Otherwise a solver would refuse something else."""
    assert theory in probes()[theory].fragment.theories


def test_spacer_can_do_everything() -> None:
    """And its options are known for a release that is known."""
    can = abilities_of(SPACER, "5.4.0")
    assert EVERYTHING == set(can.theories)
    assert (True,) * 5 == (can.nonlinear_clauses, can.models, can.refutations, can.warm, can.trace)
    assert can.fair_options > 40 > abilities_of(SPACER, "path:/z3").fair_options


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_solver_can_do_something(name: str) -> None:
    """Nothing is listed that nobody can ask."""
    assert abilities_of(ADAPTERS[name], "1").theories

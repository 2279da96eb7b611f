"""Updates have the sort asked for and, where their guards hold, a value."""

from random import Random

import pytest

from chc.evaluate import evaluate
from chc.terms import variable
from transformations.generated_facets import Facets
from transformations.generated_settings import THEORIES, draw_setting, ground_term
from transformations.generated_updates import Updates


@pytest.mark.parametrize("theory", THEORIES)
def test_updates_are_well_sorted_and_defined(theory: str) -> None:
    """The guards are true at the values in scope, and the term has a value there; most change something."""
    changes = 0
    for seed in range(60):
        rng = Random(seed)
        setting = draw_setting(theory, rng)
        variables = [variable(f"x{number}", sort) for number, sort in enumerate(setting.sorts)]
        scope = {var: evaluate(ground_term(var.sort, setting, rng), {}) for var in variables}
        update = Updates(setting, Facets(setting, rng), rng).draw(setting.sorts[0], variables[0], scope)
        assert setting.sorts[0] is update.term.sort
        assert all(evaluate(guard, scope) is True for guard in update.guards)
        changes += evaluate(update.term, scope) != scope[variables[0]]
    assert 20 <= changes

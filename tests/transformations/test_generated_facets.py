"""Facets are true of the values they are drawn from."""

from random import Random

import pytest

from chc.evaluate import evaluate
from chc.terms import free_variables, variable
from transformations.generated_facets import Facets
from transformations.generated_settings import THEORIES, draw_setting, ground_term


@pytest.mark.parametrize("theory", THEORIES)
def test_facets_are_true_statements_in_scope(theory: str) -> None:
    """A facet speaks of its subject, mentions nothing out of scope, and is true."""
    for seed in range(60):
        rng = Random(seed)
        setting = draw_setting(theory, rng)
        variables = [variable(f"x{number}", sort) for number, sort in enumerate(setting.sorts * 2)]
        scope = {var: evaluate(ground_term(var.sort, setting, rng), {}) for var in variables}
        facet = Facets(setting, rng).draw(variables[:1], scope)
        assert True is evaluate(facet, scope)
        assert variables[0] in free_variables([facet])
        assert set(free_variables([facet])) <= set(variables)

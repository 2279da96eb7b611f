"""Settings: sorts and ground terms of every theory."""

from random import Random

import pytest

from chc.evaluate import value_of_ground
from chc.terms import free_variables
from transformations.generated_settings import THEORIES, draw_setting, ground_term


@pytest.mark.parametrize("theory", THEORIES)
def test_ground_terms_are_ground_and_have_values(theory: str) -> None:
    """A ground term has the sort that was asked for, and a value."""
    for seed in range(30):
        rng = Random(seed)
        setting = draw_setting(theory, rng)
        for sort in setting.sorts:
            term = ground_term(sort, setting, rng)
            assert sort is term.sort
            assert [] == free_variables([term])
            value_of_ground(term)


def test_a_mixture_has_several_sorts() -> None:
    """A mixture is one."""
    assert all(len(set(draw_setting("mixed", Random(seed)).sorts)) > 1 for seed in range(20))


def test_an_unknown_theory_is_refused() -> None:
    """The message says which theories there are."""
    with pytest.raises(ValueError, match="there are: int, real, bool, bv, array, datatype, mixed"):
        draw_setting("strings", Random(0))

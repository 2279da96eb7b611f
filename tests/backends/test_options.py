"""Options are drawn from what is fair, now and then from known trouble, and never from what is forbidden."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backends.adapters import ADAPTERS
from backends.options import Fairness, Option, draw, trouble_of

VERSIONS = ("4.8.14", "4.13.4", "5.4.0", "0.9.1", "2.2.1", "1.4.2")
SPACE = (
    Option("a", ("true", "false"), "true"),
    Option("b", ("1", "2"), "0"),
    Option("b", ("3",), "0", Fairness.known, "it is broken"),
    Option("c", ("x",), "y", Fairness.forbidden, "it is unsound"),
)


def entries() -> st.SearchStrategy[Option]:
    values = st.lists(st.sampled_from(["0", "1", "2"]), min_size=1, max_size=3).map(tuple)
    return st.builds(Option, st.sampled_from("abcd"), values, st.just("0"), st.sampled_from(Fairness))


@given(st.lists(entries(), max_size=8), st.frozensets(st.sampled_from("abcd")), st.integers())
def test_what_is_drawn_is_permitted(space: list[Option], taken: frozenset[str], seed: int) -> None:
    """Fair or known, never the default nor what is set already, and few at a time."""
    permitted = {
        (each.name, value) for each in space if each.fairness is not Fairness.forbidden for value in each.values
    }
    drawn = draw(space, taken, "seed", Random(seed))
    settings = {(name, value) for name, value in drawn if name != "seed"}
    assert settings <= permitted
    assert len(settings) <= 4
    assert not {name for name, _ in settings} & taken
    assert "0" not in {value for _, value in settings}


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_forbidden_is_drawn_for_any_solver(name: str, version: str) -> None:
    """Over many draws from its real space, in which everything that is fair gets its turn."""
    adapter, rng = ADAPTERS[name], Random(1)
    space = adapter.option_space(version)
    forbidden = {(e.name, value) for e in space if e.fairness is Fairness.forbidden for value in e.values}
    drawn = {setting for _ in range(2000) for setting in draw(space, (), adapter.seed_option, rng)}
    assert set() == drawn & forbidden
    assert {e.name for e in space if e.fairness is Fairness.fair and set(e.values) - {e.default}} <= dict(drawn).keys()


def test_known_trouble_has_a_small_share() -> None:
    """And is known for what it is."""
    rng = Random(1)
    troubled = [trouble_of(SPACE, draw(SPACE, (), None, rng)) for _ in range(2000)]
    assert 20 < sum(reason is not None for reason in troubled) < 120
    assert {None, "b=3: it is broken"} == set(troubled)


def test_a_random_seed_is_drawn_where_there_is_one() -> None:
    """Every other time, unless it is set already."""
    rng = Random(1)
    seeds = ["seed" in dict(draw(SPACE, (), "seed", rng)) for _ in range(400)]
    assert 150 < sum(seeds) < 250
    assert not any("seed" in dict(draw(SPACE, ("seed",), "seed", rng)) for _ in range(100))


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_not_fair_has_its_reason(name: str, version: str) -> None:
    """For whoever wonders."""
    for each in ADAPTERS[name].option_space(version):
        assert (each.fairness is Fairness.fair) != bool(each.reason), each

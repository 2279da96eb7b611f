"""Seeds drawn at random: the same for the same generator, the same after reading, and as asked for."""

from random import Random

import pytest

from chc.script import read_instance
from chc.witness import Truth, witness_from_json, witness_to_json
from transformations.generated import random_seed, random_shape
from transformations.generated_settings import THEORIES
from transformations.known import Known

SEEDS = range(12)


@pytest.mark.parametrize("theory", THEORIES)
def test_the_same_seed_gives_the_same_bytes(theory: str) -> None:
    """Everything drawn comes from the generator that was passed in."""
    for seed in SEEDS:
        one, other = (random_seed(Random(seed), theory) for _ in range(2))
        assert one.instance.text == other.instance.text
        assert one.witness is not None
        assert other.witness is not None
        assert witness_to_json(one.witness) == witness_to_json(other.witness)


@pytest.mark.parametrize("truth", Truth)
@pytest.mark.parametrize("theory", THEORIES)
def test_seeds_survive_printing_and_reading(theory: str, truth: Truth) -> None:
    """An instance that is read back is the same, and so is its witness."""
    for seed in SEEDS:
        known = random_seed(Random(seed), theory, truth)
        assert known == read_back(known, truth)


def read_back(known: Known, truth: Truth) -> Known:
    assert known.witness is not None
    instance = read_instance(known.instance.text)
    return Known(instance, witness_from_json(witness_to_json(known.witness), truth, instance))


@pytest.mark.parametrize("truth", Truth)
def test_what_is_asked_for_is_given(truth: Truth) -> None:
    """Truth and size are those asked for, whatever else is drawn."""
    for seed in SEEDS:
        known = random_seed(Random(seed), truth=truth, size=11)
        assert (truth, 11) == (known.truth, len(known.instance.clauses))


def test_everything_is_drawn_sooner_or_later() -> None:
    """Without wishes all theories, both truths and both shapes turn up."""
    shapes = [random_shape(Random(seed)) for seed in range(200)]
    assert set(THEORIES) == {shape.theory for shape in shapes}
    assert {False, True} == {shape.nonlinear for shape in shapes}
    assert set(Truth) == {random_seed(Random(seed), "int").truth for seed in range(20)}

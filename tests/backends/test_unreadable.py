"""Whatever stands in the place of a witness, nothing but `Unreadable` is raised for it."""

from random import Random

import pytest

from chc.lexer import tokenize
from tests.backends.golden.record import Sample, answer_of, instances, reading, recordings

INSTANCES = instances()
SAMPLES = [sample for recording in recordings()[-2:] for sample in recording.samples]
WORDS = [
    *("(", ")", "let", "forall", "0", "-1", "1.5", "#b1", "#x", "|", "||", "as", "_", "!", "x!0", "a!1", "true"),
    *("Int", "query!0", "asserted", "hyper-res", "mp", '"s"', ":weight", "9" * 5000, "match", "is", "const", "store"),
]


def garbled(sample: Sample, rng: Random) -> str:
    """The output with a few tokens of its witness deleted, repeated, replaced or cut off."""
    verdict = sample.verdict
    witness = (
        sample.stdout.partition(f"\n{verdict}\n")[0] if verdict == "unsat" else sample.stdout.partition("sat\n")[2]
    )
    tokens = tokenize(witness)
    for _ in range(rng.randint(1, 4)):
        here, there = sorted(rng.randrange(len(tokens) + 1) for _ in range(2))
        replacement = rng.choice([[], [rng.choice(WORDS)], tokens[here : here + 9], tokens[there : there + 3]])
        tokens[here : rng.choice([here, here + 1, there])] = replacement
    text = " ".join(tokens)
    return f"{text}\nunsat\n" if verdict == "unsat" else f"sat\n{text}\n"


@pytest.mark.parametrize("seed", range(10))
def test_garbled_witnesses(seed: int) -> None:
    """A thousand of them are read, or refused with a reason."""
    rng = Random(seed)
    refused = 0
    for _ in range(100):
        sample = rng.choice(SAMPLES)
        answer = answer_of(garbled(sample, rng), for_witness=True)
        found = reading(answer, INSTANCES[sample.instance])
        refused += isinstance(found, dict) and not found.keys().isdisjoint(("Malformed", "Unreadable"))
    assert 50 < refused <= 100

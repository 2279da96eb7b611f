"""Seeds of known truth: every witness is checked, by evaluation or by z3's Python interface."""

from random import Random

import pytest
import z3

from chc.build import apply, conjunction, equation, negation
from chc.evaluate import value_of_ground
from chc.instance import Atom, Clause, Instance
from chc.model import Model
from chc.printer import show_sorts_and_datatypes, show_term
from chc.refutation import Refutation, Step
from chc.script import read_instance
from chc.sorts import quote_symbol, show_sort
from chc.terms import Term, free_variables, integer, substitute
from chc.witness import Truth, witness_from_json, witness_to_json
from transformations.generated import random_seed, random_shape
from transformations.generated_model import planted_model
from transformations.generated_refutation import planted_refutation
from transformations.generated_settings import THEORIES, draw_setting
from transformations.generated_shapes import Shape
from transformations.known import Known

SHAPES = [Shape(theory, 3, 9, nonlinear) for theory in THEORIES for nonlinear in (False, True)]
SEEDS = range(12)


def name(shape: Shape) -> str:
    return f"{shape.theory}-{'nonlinear' if shape.nonlinear else 'linear'}"


def failing_step(instance: Instance, refutation: Refutation) -> int | None:
    """The number of the first step that does not follow; None where all do and the last derives false."""
    for number, step in enumerate(refutation.steps):
        if any(value_of_ground(demand) is not True for demand in demands(instance, refutation, step)):
            return number
    return None if refutation.steps[-1].fact is None else len(refutation.steps)


def demands(instance: Instance, refutation: Refutation, step: Step) -> list[Term]:
    """Ground formulas that have to be true for the step to be right."""
    clause = instance.clauses[step.clause]
    pairs = [*zip(clause.body, (refutation.steps[p].fact for p in step.premises), strict=True)]
    wanted = list(clause.constraint)
    for atom, fact in [*pairs, *([(clause.head, step.fact)] if clause.head is not None else [])]:
        assert atom is not None
        assert fact is not None
        assert atom.predicate == fact.predicate
        wanted.extend(equation(left, right) for left, right in zip(atom.args, fact.args, strict=True))
    return substitute(wanted, dict(zip(clause.variables, step.values, strict=True)))


def violated_clause(instance: Instance, model: Model) -> int | None:
    """The number of the first clause of which z3 cannot show that the model satisfies it."""
    for number, clause in enumerate(instance.clauses):
        solver = z3.Solver()
        solver.set("timeout", 20000)
        solver.add(z3.parse_smt2_string(violation(instance, model, clause)))
        if solver.check() != z3.unsat:
            return number
    return None


def violation(instance: Instance, model: Model, clause: Clause) -> str:
    """A script that is satisfiable iff the clause is violated."""
    formulas = [*clause.constraint, *(model.holds(atom) for atom in clause.body)]
    if clause.head is not None:
        formulas.append(negation(model.holds(clause.head)))
    lines = list(show_sorts_and_datatypes(instance))
    for var in free_variables(formulas):
        lines.append(f"(declare-fun {quote_symbol(var.name)} () {show_sort(var.sort)})")
    return "\n".join([*lines, f"(assert {show_term(conjunction(formulas))})"])


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_refutations_follow_step_by_step(shape: Shape) -> None:
    """Each step of a planted refutation is an application of its clause, and the last derives false."""
    for seed in range(40):
        known = planted_refutation(shape, Random(seed))
        assert None is failing_step(known.instance, known.refutation), seed


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_models_satisfy_every_clause(shape: Shape) -> None:
    """No clause can be violated under the planted model."""
    for seed in SEEDS:
        known = planted_model(shape, Random(seed))
        assert None is violated_clause(known.instance, known.model), seed


def test_a_wrong_refutation_is_noticed() -> None:
    """The check of refutations fails where a fact is another than the one that follows."""
    known = planted_refutation(Shape("int"), Random(1))
    first, *rest = known.refutation.steps
    assert first.fact is not None
    moved = tuple(apply("+", (arg, integer(1))) for arg in first.fact.args)
    wrong = Step(Atom(first.fact.predicate, moved), first.clause, first.values, first.premises)
    assert 0 == failing_step(known.instance, Refutation((wrong, *rest)))


def test_a_wrong_model_is_noticed() -> None:
    """The check of models fails where the interpretations are exchanged for their opposites."""
    known = planted_model(Shape("int"), Random(1))
    opposite = {
        name: type(interpretation)(interpretation.params, negation(interpretation.body))
        for name, interpretation in known.model.interpretations.items()
    }
    assert None is not violated_clause(known.instance, Model(opposite))


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_the_shape_is_obeyed(shape: Shape) -> None:
    """As many predicates and clauses as were asked for; several atoms in a body only where they were."""
    for plant in (planted_model, planted_refutation):
        known = [plant(shape, Random(seed)) for seed in SEEDS]
        assert {shape.predicates} == {len(k.instance.predicates) for k in known}
        assert {shape.clauses} == {len(k.instance.clauses) for k in known}
        longest = max(len(clause.body) for k in known for clause in k.instance.clauses)
        assert (2 if shape.nonlinear else 1) == longest


def test_large_seeds_are_large() -> None:
    """Size is a parameter: dozens of predicates and clauses come out as well."""
    for plant in (planted_model, planted_refutation):
        known = plant(Shape("mixed", 25, 80, nonlinear=True), Random(5))
        assert (25, 80) == (len(known.instance.predicates), len(known.instance.clauses))
        used = {atom.predicate for clause in known.instance.clauses for atom in clause.atoms}
        assert 25 == len(used)


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


def test_an_unknown_theory_is_refused() -> None:
    """The message says which theories there are."""
    with pytest.raises(ValueError, match="there are: int, real, bool, bv, array, datatype, mixed"):
        draw_setting("strings", Random(0))

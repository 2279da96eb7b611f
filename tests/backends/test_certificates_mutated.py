"""Mutations of right certificates are rejected, unless others than the checkers find them harmless."""

from collections.abc import AsyncIterator, Iterator, Sequence
from random import Random

import msgspec
import pytest
import z3

from backends.certificates import Outcome, check_model, check_refutation, check_witness, violation
from backends.checker_programs import Effort
from backends.smt_checker import CHECKERS, SmtChecker
from chc.build import conjunction, negation
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance
from chc.model import Interpretation, Model
from chc.printer import show_sorts_and_datatypes, show_term
from chc.refutation import Refutation, Step
from chc.sorts import quote_symbol, show_sort
from chc.terms import TRUE, Kind, Term, free_variables, literal, literal_value, map_terms, substitute
from chc.undetermined import Undetermined
from chc.witness import Truth
from transformations.corpus import Embedded, corpus
from transformations.random_terms import random_term

pytestmark = pytest.mark.anyio

CORPUS = corpus()
MODELS = [each for each in CORPUS if each.truth is Truth.sat and "deep" not in each.name]
REFUTATIONS = [each for each in CORPUS if each.truth is Truth.unsat and "deep" not in each.name]


@pytest.fixture(scope="module", params=CHECKERS)
async def checker(request: pytest.FixtureRequest) -> AsyncIterator[SmtChecker]:
    async with SmtChecker(request.param, 1, Effort(question_seconds=2.0)) as each:
        yield each


async def test_right_witnesses(checker: SmtChecker) -> None:
    """Those of the corpus, in every theory."""
    for each in CORPUS[::8]:
        found = await check_witness(each.instance, each.witness, checker)
        assert Outcome.invalid is not found.outcome, (each.name, found.reason)
        assert Outcome.valid is found.outcome or "cannot decide" in found.reason, each.name


def mutated_model(original: Model, rng: Random) -> Model:
    """With one interpretation changed: a constant, a conjunct dropped or negated, or everything."""
    name = rng.choice(sorted(original.interpretations))
    old = original.interpretations[name]
    body = rng.choice((_other_constant, _without_part, _with_negated_part, _negated))(old.body, rng)
    return Model({**original.interpretations, name: Interpretation(old.params, body)})


def _other_constant(body: Term, rng: Random) -> Term:
    shift = rng.choice((-1, 1, 7))

    def change(term: Term) -> Term:
        if term.kind is not Kind.LITERAL or rng.random() < 0.5:
            return term
        if term.sort.width:
            return literal((int(literal_value(term)) + shift) % (1 << term.sort.width), term.sort)
        return negation(term) if term.sort.name == "Bool" else literal(literal_value(term) + shift, term.sort)

    return map_terms([body], change)[0]


def _without_part(body: Term, rng: Random) -> Term:
    if body.kind is not Kind.BUILTIN or body.name not in ("and", "or"):
        return TRUE
    place = rng.randrange(len(body.args))
    return conjunction(body.args[:place] + body.args[place + 1 :])


def _with_negated_part(body: Term, rng: Random) -> Term:
    if body.kind is not Kind.BUILTIN or body.name not in ("and", "or"):
        return negation(body)
    place = rng.randrange(len(body.args))
    return conjunction((*body.args[:place], negation(body.args[place]), *body.args[place + 1 :]))


def _negated(body: Term, rng: Random) -> Term:
    return negation(body)


def is_model_by_library(instance: Instance, found: Model) -> bool | None:
    """The same question to z3 in this process, as one formula: another way in than that of the checkers."""
    questions = [conjunction(violation(clause, found)) for clause in instance.clauses]
    lines = list(show_sorts_and_datatypes(instance))
    answers = []
    for question in questions:
        declared = [f"(declare-const {quote_symbol(v.name)} {show_sort(v.sort)})" for v in free_variables([question])]
        solver = z3.Solver()
        solver.set("timeout", 2000)
        solver.from_string("\n".join([*lines, *declared, f"(assert {show_term(question)})"]))
        answers.append(solver.check())
    if z3.sat in answers:
        return False
    return None if z3.unknown in answers else True


@pytest.mark.parametrize("seed", range(30))
async def test_mutated_models(checker: SmtChecker, seed: int) -> None:
    """A mutation is rejected, with a counterexample, unless it is harmless; then it is not."""
    rng = Random(seed)
    parent = rng.choice(MODELS)
    assert isinstance(parent.witness, Model)
    mutant = mutated_model(parent.witness, rng)
    found = await check_model(parent.instance, mutant, checker)
    truth = is_model_by_library(parent.instance, mutant)
    assert (found.outcome, truth) not in ((Outcome.valid, False), (Outcome.invalid, True)), (parent.name, found.reason)
    if found.outcome is Outcome.valid:
        assert_survives(parent.instance, mutant, rng)


def test_mutations_are_not_all_harmless() -> None:
    """Otherwise the test above would test nothing."""
    verdicts = []
    for seed in range(20):
        rng = Random(seed)
        parent = rng.choice(MODELS)
        assert isinstance(parent.witness, Model)
        verdicts.append(is_model_by_library(parent.instance, mutated_model(parent.witness, rng)))
    assert {True, False} <= set(verdicts)


def assert_survives(instance: Instance, found: Model, rng: Random) -> None:
    """No clause is violated at random points; of uninterpreted sorts there are none to try."""
    if instance.sorts:
        return
    for clause in instance.clauses:
        question = violation(clause, found)
        for _ in range(20):
            point = dict(random_point(instance, clause, rng))
            try:
                violated = all(evaluate(formula, {}) is True for formula in substitute(question, point))
            except Undetermined:
                continue
            assert not violated, (clause, point)


def random_point(instance: Instance, clause: Clause, rng: Random) -> Iterator[tuple[Term, Term]]:
    for var in clause.variables:
        value = random_term(var.sort, (), instance.datatypes, rng)
        assert value is not None
        yield var, value


@pytest.mark.parametrize("embedded", MODELS[::6], ids=lambda each: each.name)
async def test_valid_models_survive_evaluation(checker: SmtChecker, embedded: Embedded) -> None:
    """What a checker certifies is not violated wherever we look."""
    assert isinstance(embedded.witness, Model)
    if (await check_model(embedded.instance, embedded.witness, checker)).outcome is Outcome.valid:
        assert_survives(embedded.instance, embedded.witness, Random(embedded.name))


def mutated_refutation(original: Refutation, instance: Instance, rng: Random) -> Refutation:
    """With one step changed, dropped, or moved."""
    steps = list(original.steps)
    number = rng.randrange(len(steps))
    step = steps[number]
    kind = rng.randrange(6)
    if kind == 0 and step.values:
        steps[number] = msgspec.structs.replace(step, values=_with_other(step.values, instance, rng))
    elif kind == 1 and step.fact is not None and step.fact.args:
        fact = Atom(step.fact.predicate, _with_other(step.fact.args, instance, rng))
        steps[number] = msgspec.structs.replace(step, fact=fact)
    elif kind == 2 and len(step.premises) > 1:
        steps[number] = msgspec.structs.replace(step, premises=step.premises[::-1])
    elif kind == 3:
        steps[number] = msgspec.structs.replace(step, clause=rng.randrange(-1, len(instance.clauses) + 1))
    elif kind == 4 and number:
        premises = tuple(rng.randrange(-1, number + 1) for _ in step.premises)
        steps[number] = msgspec.structs.replace(step, premises=premises)
    else:
        del steps[number]
    return Refutation(tuple(steps))


def _with_other(values: tuple[Term, ...], instance: Instance, rng: Random) -> tuple[Term, ...]:
    place = rng.randrange(len(values))
    other = random_term(values[place].sort, (), instance.datatypes, rng)
    assert other is not None
    return (*values[:place], other, *values[place + 1 :])


def is_refutation_by_evaluation(instance: Instance, refutation: Refutation) -> bool | None:
    """The definition, read aloud: everything is ground, so that evaluation alone decides."""
    if not refutation.steps or refutation.steps[-1].fact is not None:
        return False
    try:
        return all(_follows(instance, refutation.steps, number) for number in range(len(refutation.steps)))
    except Undetermined:
        return None


def _follows(instance: Instance, steps: Sequence[Step], number: int) -> bool:
    step = steps[number]
    if not 0 <= step.clause < len(instance.clauses):
        return False
    clause = instance.clauses[step.clause]
    if len(clause.variables) != len(step.values) or len(clause.body) != len(step.premises):
        return False
    if any(not 0 <= premise < number for premise in step.premises):
        return False
    sorts = [(var.sort, value.sort) for var, value in zip(clause.variables, step.values, strict=True)]
    if any(wanted is not given for wanted, given in sorts):
        return False
    binding = dict(zip(clause.variables, step.values, strict=True))
    pairs = [(clause.head, step.fact)]
    pairs.extend((atom, steps[premise].fact) for atom, premise in zip(clause.body, step.premises, strict=True))
    if not all(_says_the_same(atom, fact, binding) for atom, fact in pairs):
        return False
    return all(evaluate(formula, {}) is True for formula in substitute(clause.constraint, binding))


def _says_the_same(atom: Atom | None, fact: Atom | None, binding: dict[Term, Term]) -> bool:
    if atom is None or fact is None:
        return atom is fact
    if atom.predicate != fact.predicate:
        return False
    values = [
        (evaluate(arg, {}), evaluate(known, {}))
        for arg, known in zip(substitute(atom.args, binding), fact.args, strict=True)
    ]
    return all(left == right for left, right in values)


@pytest.mark.parametrize("seed", range(50))
async def test_mutated_refutations(checker: SmtChecker, seed: int) -> None:
    """A mutation is rejected exactly if evaluation finds a step that does not follow."""
    rng = Random(seed)
    parent = rng.choice(REFUTATIONS)
    assert isinstance(parent.witness, Refutation)
    mutant = mutated_refutation(parent.witness, parent.instance, rng)
    truth = is_refutation_by_evaluation(parent.instance, mutant)
    found = await check_refutation(parent.instance, mutant, checker)
    expected = {True: Outcome.valid, False: Outcome.invalid, None: found.outcome}[truth]
    assert expected is found.outcome, (parent.name, found.reason)
    if found.outcome is Outcome.invalid:
        assert found.reason


@pytest.mark.parametrize("seed", range(30))
async def test_refutations_of_mutated_instances(checker: SmtChecker, seed: int) -> None:
    """With one conjunct of a clause negated, a step by that clause does not follow, and all others do."""
    rng = Random(seed)
    parent = rng.choice([each for each in REFUTATIONS if any(clause.constraint for clause in each.instance.clauses)])
    assert isinstance(parent.witness, Refutation)
    instance = with_negated_conjunct(parent.instance, rng)
    truth = is_refutation_by_evaluation(instance, parent.witness)
    found = await check_refutation(instance, parent.witness, checker)
    expected = {True: Outcome.valid, False: Outcome.invalid, None: found.outcome}[truth]
    assert expected is found.outcome, (parent.name, found.reason)


def with_negated_conjunct(instance: Instance, rng: Random) -> Instance:
    clauses = list(instance.clauses)
    number = rng.choice([number for number, clause in enumerate(clauses) if clause.constraint])
    clause = clauses[number]
    place = rng.randrange(len(clause.constraint))
    constraint = (*clause.constraint[:place], negation(clause.constraint[place]), *clause.constraint[place + 1 :])
    clauses[number] = msgspec.structs.replace(clause, constraint=constraint)
    return instance.replace(clauses=clauses)


def test_judge_of_mutations_accepts_the_originals() -> None:
    """And some mutations, but few."""
    for each in REFUTATIONS:
        assert isinstance(each.witness, Refutation)
        assert is_refutation_by_evaluation(each.instance, each.witness) is not False, each.name
    verdicts = []
    for seed in range(100):
        rng = Random(seed)
        parent = rng.choice(REFUTATIONS)
        assert isinstance(parent.witness, Refutation)
        mutant = mutated_refutation(parent.witness, parent.instance, rng)
        verdicts.append(is_refutation_by_evaluation(parent.instance, mutant))
    assert verdicts.count(False) > 60
    assert True in verdicts

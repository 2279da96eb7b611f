"""The embedded corpus: complete, readable, of every kind, and with witnesses that hold."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from chc.instance import Instance
from chc.lexer import ReadError
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, Sort, is_array, is_bitvec, sorts_within
from chc.terms import Kind, subterms
from chc.witness import Truth
from tests.transformations.witness_checks import failing_step, violated_clause
from transformations.corpus import Embedded, corpus

CORPUS = corpus()


def embedded_name(embedded: Embedded) -> str:
    return embedded.name


def sorts_of(instance: Instance) -> Iterator[Sort]:
    for predicate in instance.predicates:
        for sort in predicate.sorts:
            yield from sorts_within(sort)


def kinds_of(instance: Instance) -> Iterator[str]:
    """Theories and shapes, in words."""
    datatypes = {datatype.name for group in instance.datatypes for datatype in group.datatypes}
    uninterpreted = {name for name, _ in instance.sorts}
    for sort in sorts_of(instance):
        simple = {INT: "Int", REAL: "Real", BOOL: "Bool"}.get(sort)
        yield simple or ("bit-vector" if is_bitvec(sort) else "array" if is_array(sort) else "datatype")
        if sort.name in uninterpreted:
            yield "uninterpreted"
    if datatypes and "array" in (sort.name.lower() for sort in sorts_of(instance)):
        yield "array of or beside datatypes"
    yield from shapes_of(instance)


def shapes_of(instance: Instance) -> Iterator[str]:
    yield "linear" if all(len(clause.body) <= 1 for clause in instance.clauses) else "nonlinear"
    queries = sum(clause.is_query for clause in instance.clauses)
    yield {0: "no query", 1: "one query"}.get(queries, "several queries")
    if any(not predicate.sorts for predicate in instance.predicates):
        yield "nullary predicate"
    if any(datatype.parameters for group in instance.datatypes for datatype in group.datatypes):
        yield "parametric datatype"
    if any(len(group.datatypes) > 1 for group in instance.datatypes):
        yield "mutually recursive datatypes"
    used = {atom.predicate for clause in instance.clauses for atom in clause.atoms}
    if len(used) < len(instance.predicates):
        yield "unused predicate"


def test_there_are_enough() -> None:
    """At least sixty instances, each under a name of its own, and many of either truth."""
    names = [embedded.name for embedded in CORPUS]
    assert 60 <= len(names)
    assert len(names) == len(set(names))
    for truth in Truth:
        assert 25 <= sum(embedded.truth is truth for embedded in CORPUS)


def test_no_instance_is_there_twice() -> None:
    """Different names stand for different instances."""
    assert len(CORPUS) == len({embedded.instance.address for embedded in CORPUS})


def test_every_theory_and_shape_is_there() -> None:
    """A solver is asked about everything it may support, in either truth for each theory but one."""
    found = {(kind, embedded.truth) for embedded in CORPUS for kind in kinds_of(embedded.instance)}
    for kind in ("Int", "Real", "Bool", "bit-vector", "array", "datatype", "array of or beside datatypes"):
        assert {(kind, truth) for truth in Truth} <= found, kind
    for kind in ("linear", "nonlinear", "one query", "several queries", "nullary predicate", "parametric datatype"):
        assert {(kind, truth) for truth in Truth} <= found, kind
    assert {"uninterpreted", "no query", "unused predicate", "mutually recursive datatypes"} <= {k for k, _ in found}


def test_many_operations_are_there() -> None:
    """Operations that solvers are known to treat specially occur somewhere."""
    used = {
        node.name
        for embedded in CORPUS
        for clause in embedded.instance.clauses
        for node in subterms(clause.terms)
        if node.kind is Kind.BUILTIN
    }
    wanted = "ite distinct mod div to_int to_real select store const extract concat bvshl bvlshr bvmul bvudiv bvurem"
    assert set() == {*wanted.split(), "bvslt", "bvult", "sign_extend", "xor", "or", "not"} - used


@pytest.mark.parametrize("embedded", CORPUS, ids=embedded_name)
def test_an_instance_says_what_it_is_and_reads_back(embedded: Embedded) -> None:
    """The first line is a sentence about it; what is printed reads back the same."""
    first = embedded.text.splitlines()[0]
    assert first.startswith("; ")
    assert first.endswith(".")
    instance = embedded.instance
    assert instance == read_instance(instance.text)
    assert instance.text == read_instance(instance.text).text


@pytest.mark.parametrize("embedded", [e for e in CORPUS if e.truth is Truth.unsat], ids=embedded_name)
def test_refutations_hold(embedded: Embedded) -> None:
    """Every step follows by its clause, by evaluation alone, and the last derives false."""
    assert None is failing_step(embedded.instance, embedded.known.refutation)


@pytest.mark.parametrize("embedded", [e for e in CORPUS if e.truth is Truth.sat], ids=embedded_name)
def test_models_hold(embedded: Embedded) -> None:
    """No clause can be violated under the stored model."""
    assert None is violated_clause(embedded.instance, embedded.known.model)


def test_a_witness_against_the_name_is_refused(tmp_path: Path) -> None:
    """A certificate for the other truth than the name's is an error of the corpus."""
    (tmp_path / "p-sat.smt2").write_text("(set-logic HORN)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n")
    (tmp_path / "p-sat.json").write_text(json.dumps({"truth": "unsat", "witness": {"steps": []}}))
    with pytest.raises(ReadError, match="against the name"):
        _ = Embedded("p-sat", tmp_path).witness

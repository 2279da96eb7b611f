"""Models over infinite sorts, checked with z3's own interface: for instances that brute force cannot reach."""

from __future__ import annotations

import z3

from chc.build import negation
from chc.instance import Clause, Instance
from chc.model import Interpretation, Model
from chc.printer import show_sorts_and_datatypes, show_term
from chc.script import read_instance
from chc.sorts import quote_symbol, show_sort
from chc.terms import variable
from chc.vocabulary import read_term, symbols_without_predicates
from transformations.known import Known


def known_sat(text: str, **meanings: str) -> Known:
    """The instance of the text with a model: for each predicate a formula over its arguments x0, x1, …."""
    instance = read_instance(text)
    symbols = symbols_without_predicates(instance)
    interpretations = {}
    for predicate in instance.predicates:
        params = tuple(variable(f"x{n}", sort) for n, sort in enumerate(predicate.sorts))
        interpretations[predicate.name] = Interpretation(params, read_term(meanings[predicate.name], symbols, params))
    return Known(instance, Model(interpretations))


def z3_accepts(known: Known) -> bool:
    """Whether every clause is valid under the model."""
    return all(_is_valid(known.instance, clause, known.model) for clause in known.instance.clauses)


def _is_valid(instance: Instance, clause: Clause, model: Model) -> bool:
    violation = [*clause.constraint, *(model.holds(atom) for atom in clause.body)]
    if clause.head is not None:
        violation.append(negation(model.holds(clause.head)))
    lines = show_sorts_and_datatypes(instance)
    lines += [f"(declare-const {quote_symbol(var.name)} {show_sort(var.sort)})" for var in clause.variables]
    lines += [f"(assert {show_term(formula)})" for formula in violation]
    solver = z3.Solver()
    solver.from_string("\n".join(lines))
    return bool(solver.check() == z3.unsat)


COUNTER = known_sat(
    """(set-logic HORN) (declare-fun inv (Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (inv x))))
    (assert (forall ((x Int) (y Int)) (=> (and (inv x) (< x 10) (= y (+ x 1))) (inv y))))
    (assert (forall ((x Int)) (=> (and (inv (- x)) (< 10 (- x))) false)))""",
    inv="(and (<= 0 x0) (<= (- x0) 0) (<= x0 10))",
)
ARRAY = known_sat(
    """(set-logic HORN) (declare-fun filled ((Array Int Int) Int) Bool)
    (assert (forall ((a (Array Int Int))) (filled a 0)))
    (assert (forall ((a (Array Int Int)) (n Int)) (=> (filled a n) (filled (store a n 7) (+ n 1)))))
    (assert (forall ((a (Array Int Int)) (n Int) (k Int))
      (=> (and (filled a n) (<= 0 k) (< k n) (not (= (select a k) 7))) false)))""",
    filled="(and (>= x1 0) (forall ((k Int)) (=> (and (<= 0 k) (< k x1)) (= (select x0 k) 7))))",
)
LIST = known_sat(
    """(set-logic HORN) (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun len (List Int) Bool)
    (assert (len nil 0))
    (assert (forall ((l List) (n Int) (h Int)) (=> (len l n) (len (cons h l) (+ n 1)))))
    (assert (forall ((l List) (n Int)) (=> (and (len l n) ((_ is nil) l) (> n 0)) false)))""",
    len="(exists ((h List)) (and (= h x0) (>= x1 0) (= ((_ is nil) h) (= x1 0))))",
)
EXAMPLES = (COUNTER, ARRAY, LIST)

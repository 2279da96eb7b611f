"""Random ground terms of every theory have the value that z3 says."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import z3
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from chc.build import apply, constant_array
from chc.evaluate import value_of_ground
from chc.instance import Instance
from chc.printer import show_declarations, show_term
from chc.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Datatype,
    DatatypeGroup,
    Selector,
    Sort,
    array,
    bitvec,
    is_array,
    is_bitvec,
    make_sort,
)
from chc.terms import (
    Term,
    bits,
    constructor_term,
    integer,
    literal,
    quantifier,
    real,
    selector_term,
    variable,
)
from chc.terms import (
    tester_term as made_with,
)
from chc.undetermined import Undetermined
from chc.value_terms import term_of_value
from chc.values import Value

LIST = make_sort("Ints")
HEAD, TAIL = Selector("head", INT), Selector("tail", LIST)
LISTS = DatatypeGroup((Datatype("Ints", (), (Constructor("nil", ()), Constructor("cons", (HEAD, TAIL)))),))
DECLARATIONS = "\n".join(show_declarations(Instance((), (LISTS,), (), ())))
NARROW, WIDE = bitvec(2), bitvec(4)
SORTS: Final = (
    *(BOOL, INT, REAL, NARROW, WIDE, LIST),
    *(
        array(INT, INT),
        array(BOOL, REAL),
        array(NARROW, BOOL),
        array(LIST, WIDE),
        array(BOOL, array(INT, LIST)),
    ),
)
BOUND = variable("bound", NARROW)


class Maker:
    """Draws terms of a sort: a random operation over random arguments, literals at the bottom."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def number(self, low: int, high: int) -> int:
        return self._data.draw(st.integers(low, high))

    def name(self, *names: str) -> str:
        return self._data.draw(st.sampled_from(names))

    def sort(self) -> Sort:
        return self._data.draw(st.sampled_from(SORTS))

    def term(self, sort: Sort, depth: int) -> Term:
        if depth == 0:
            return self.leaf(sort)
        if self.number(0, 9) == 0:
            args = (self.term(BOOL, depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1))
            return apply("ite", args)
        if self.number(0, 9) == 0:
            index = self.name("Int", "Ints")
            source = array(INT if index == "Int" else LIST, sort)
            return apply("select", (self.term(source, depth - 1), self.term(source.args[0], depth - 1)))
        if sort is LIST:
            return self.list_term(depth - 1)
        if is_array(sort):
            return self.array_term(sort, depth - 1)
        if is_bitvec(sort):
            return self.vector_term(sort, depth - 1)
        return {BOOL: self.formula, INT: self.integer_term, REAL: self.real_term}[sort](depth - 1)

    def leaf(self, sort: Sort) -> Term:
        if sort is BOOL:
            return literal(self.number(0, 1) == 1, BOOL)
        if sort is INT:
            return integer(self.number(-9, 9))
        if sort is REAL:
            return real(Fraction(self.number(-9, 9), self.number(1, 4)))
        if is_bitvec(sort):
            return bits(self.number(0, (1 << sort.width) - 1), sort.width)
        return constructor_term("nil", (), LIST) if sort is LIST else constant_array(sort, self.leaf(sort.args[1]))

    def many(self, sort: Sort, low: int, high: int, depth: int) -> tuple[Term, ...]:
        return tuple(self.term(sort, depth) for _ in range(self.number(low, high)))

    def formula(self, depth: int) -> Term:
        match self.number(0, 8):
            case 0:
                return apply(self.name("and", "or", "xor", "=>"), self.many(BOOL, 2, 3, depth))
            case 1:
                return apply("not", (self.term(BOOL, depth),))
            case 2:
                return apply(self.name("=", "distinct"), self.many(self.sort(), 2, 3, depth))
            case 3:
                sort = INT if self.number(0, 1) else REAL
                return apply(self.name("<", "<=", ">", ">="), self.many(sort, 2, 3, depth))
            case 4:
                return apply("divisible", (self.term(INT, depth),), (self.number(1, 4),))
            case 5:
                return apply("is_int", (self.term(REAL, depth),))
            case 6:
                return made_with(self.name("nil", "cons"), self.term(LIST, depth))
            case 7:
                body = apply(self.name("bvult", "bvsle"), (BOUND, self.term(NARROW, depth)))
                return quantifier(self.name("forall", "exists"), (BOUND,), body)
        name = self.name("bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge")
        return apply(name, self.many(WIDE, 2, 2, depth))

    def integer_term(self, depth: int) -> Term:
        match self.number(0, 6):
            case 0:
                return apply(self.name("div", "mod"), self.many(INT, 2, 2, depth))
            case 1:
                return apply("div", self.many(INT, 3, 3, depth))
            case 2:
                return apply(self.name("abs", "-"), (self.term(INT, depth),))
            case 3:
                return apply("to_int", (self.term(REAL, depth),))
            case 4:
                return apply(self.name("ubv_to_int", "sbv_to_int"), (self.term(WIDE, depth),))
            case 5:
                return selector_term(HEAD, "cons", 0, self.term(LIST, depth))
        return apply(self.name("+", "-", "*"), self.many(INT, 2, 3, depth))

    def real_term(self, depth: int) -> Term:
        match self.number(0, 2):
            case 0:
                return apply("/", self.many(REAL, 2, 3, depth))
            case 1:
                return apply("to_real", (self.term(INT, depth),))
        return apply(self.name("+", "-", "*"), self.many(REAL, 2, 3, depth))

    def vector_term(self, sort: Sort, depth: int) -> Term:
        match self.number(0, 4):
            case 0:
                return apply(self.name("bvnot", "bvneg"), (self.term(sort, depth),))
            case 1:
                return apply(self.name("bvand", "bvor", "bvxor", "bvadd", "bvmul"), self.many(sort, 2, 3, depth))
            case 2:
                return self.reshaped(sort, depth)
            case 3:
                return apply("int_to_bv", (self.term(INT, depth),), (sort.width,))
        name = self.name(
            *("bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr"),
            *("bvnand", "bvnor", "bvxnor"),
        )
        return apply(name, self.many(sort, 2, 2, depth))

    def reshaped(self, sort: Sort, depth: int) -> Term:
        """A vector of this width from vectors of others, narrow from wide and conversely."""
        if self.number(0, 2) == 0:
            return apply(self.name("rotate_left", "rotate_right"), (self.term(sort, depth),), (self.number(0, 9),))
        if sort is NARROW:
            low = self.number(0, 2)
            return apply("extract", (self.term(WIDE, depth),), (low + 1, low))
        match self.number(0, 2):
            case 0:
                return apply("concat", self.many(NARROW, 2, 2, depth))
            case 1:
                comparison = apply("bvcomp", self.many(WIDE, 2, 2, depth))
                return apply(self.name("zero_extend", "sign_extend"), (comparison,), (3,))
        return apply(self.name("repeat", "zero_extend", "sign_extend"), (self.term(NARROW, depth),), (2,))

    def array_term(self, sort: Sort, depth: int) -> Term:
        if self.number(0, 3) == 0:
            return constant_array(sort, self.term(sort.args[1], depth))
        args = (self.term(sort, depth), *(self.term(part, depth) for part in sort.args))
        return apply("store", args)

    def list_term(self, depth: int) -> Term:
        if self.number(0, 3) == 0:
            return selector_term(TAIL, "cons", 1, self.term(LIST, depth))
        return constructor_term("cons", (self.term(INT, depth), self.term(LIST, depth)), LIST)


def verdict_of_z3(term: Term, value: Value) -> str:
    """What z3 says about the term's having another value: `unsat` iff it has this one."""
    claim = apply("=", (term, term_of_value(value, term.sort, (LISTS,))))
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    solver.add(z3.parse_smt2_string(f"{DECLARATIONS}\n(assert (not {show_term(claim)}))"))
    return str(solver.check())


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_z3_agrees(data: st.DataObject) -> None:
    """Where evaluation gives a value, no model gives another."""
    maker = Maker(data)
    term = maker.term(maker.sort(), maker.number(1, 4))
    try:
        value = value_of_ground(term)
    except Undetermined as undetermined:
        event(undetermined.reason.split("`")[0])
        return
    event("has a value")
    assert "unsat" == verdict_of_z3(term, value), show_term(term)


def test_a_planted_mistake_is_caught() -> None:
    """Truncating division instead of Euclidean, and a constant array instead of the one stored to."""
    assert "unsat" == verdict_of_z3(apply("div", (integer(-7), integer(2))), -4)
    assert "sat" == verdict_of_z3(apply("div", (integer(-7), integer(2))), -3)
    empty = constant_array(array(INT, INT), integer(0))
    stored = apply("store", (empty, integer(1), integer(1)))
    assert "sat" == verdict_of_z3(stored, value_of_ground(empty))


def test_division_by_zero_is_open_in_z3_too() -> None:
    """No value that evaluation could give would be the only one."""
    term = apply("div", (integer(1), integer(0)))
    assert ["sat", "sat"] == [verdict_of_z3(term, value) for value in (0, 1)]

"""Random well-sorted terms, clauses, instances, models and refutations over every theory, for Hypothesis.

Import it as `tests.chc.generators`. Variables are named from a small pool, bound ones too, so that names clash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from hypothesis import strategies as st

from chc.build import apply, constant_array
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
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
from chc.terms import tester_term as made_with

T, A, B = make_sort("T"), make_sort("A"), make_sort("B")
INTS, TREE, FOREST = make_sort("Ints"), make_sort("Tree"), make_sort("Forest")
NARROW, WIDE = bitvec(2), bitvec(8)


def list_of(sort: Sort) -> Sort:
    return make_sort("List", (sort,))


def pair_of(first: Sort, second: Sort) -> Sort:
    return make_sort("a pair", (first, second))


DATATYPES: Final = (
    DatatypeGroup(
        (
            Datatype(
                "Ints",
                (),
                (Constructor("none", ()), Constructor("more", (Selector("head", INT), Selector("tail", INTS)))),
            ),
        )
    ),
    DatatypeGroup(
        (
            Datatype("Tree", (), (Constructor("node", (Selector("label", INT), Selector("children", FOREST))),)),
            Datatype(
                "Forest",
                (),
                (
                    Constructor("leafless", ()),
                    Constructor("grow", (Selector("first tree", TREE), Selector("rest", FOREST))),
                ),
            ),
        )
    ),
    DatatypeGroup(
        (
            Datatype(
                "List",
                (T,),
                (Constructor("nil", ()), Constructor("cons", (Selector("car", T), Selector("cdr", list_of(T))))),
            ),
            Datatype("a pair", (A, B), (Constructor("pair", (Selector("one", A), Selector("two", B))),)),
        )
    ),
)
UNINTERPRETED: Final = (("Colour", 0), ("Bag", 1))
COLOUR, BAG = make_sort("Colour"), make_sort("Bag", (INT,))

PLAIN: Final = (BOOL, INT, REAL)
VECTORS: Final = (NARROW, WIDE)
ARRAYS: Final = (array(INT, INT), array(BOOL, array(INT, REAL)), array(NARROW, BOOL))
DATA: Final = (INTS, TREE, FOREST, list_of(INT), list_of(BOOL), pair_of(INT, list_of(REAL)))
OPAQUE: Final = (COLOUR, BAG, array(COLOUR, INT))
GROUND: Final = (*PLAIN, *VECTORS, *ARRAYS, *DATA)
"""Sorts that have ground terms."""
SORTS: Final = (*GROUND, *OPAQUE)
CONSTRUCTORS: Final = {datatype.name: datatype for group in DATATYPES for datatype in group.datatypes}
NAMES: Final = ("x", "y", "a!1", "x!1", "two words")


def standing(sort: Sort) -> Term:
    """A variable of the sort whose name no other sort has."""
    return variable(f"v{SORTS.index(sort)}", sort)


class Terms:
    """Draws terms. `scope` are the variables at hand; where it is open, `standing` ones may come in as well."""

    def __init__(self, draw: st.DrawFn, scope: Mapping[str, Term], sorts: Sequence[Sort], is_open: bool = True) -> None:
        self._draw = draw
        self._scope = scope
        self._sorts = sorts
        self._open = is_open

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def one(self, *names: str) -> str:
        return self._draw(st.sampled_from(names))

    def sort(self) -> Sort:
        """Some sort of which there are terms here."""
        known = [sort for sort in self._sorts if self._open or sort in GROUND]
        return self._draw(st.sampled_from(known))

    def of(self, sort: Sort, depth: int) -> Term:
        variables = [var for var in self._scope.values() if var.sort is sort]
        if variables and self.number(0, 2) == 0:
            return self._draw(st.sampled_from(variables))
        if sort in OPAQUE or (self._open and self.number(0, 5) == 0 and sort in SORTS):
            return standing(sort) if not variables else variables[0]
        if depth <= 0:
            return self.leaf(sort)
        if self.number(0, 7) == 0:
            return apply("ite", (self.of(BOOL, depth - 1), self.of(sort, depth - 1), self.of(sort, depth - 1)))
        if sort in PLAIN:
            return {BOOL: self.formula, INT: self.integer, REAL: self.real}[sort](depth - 1)
        if is_bitvec(sort):
            return self.vector(sort, depth - 1)
        return self.array(sort, depth - 1) if is_array(sort) else self.data(sort, depth - 1)

    def leaf(self, sort: Sort) -> Term:
        if sort is BOOL:
            return literal(self.number(0, 1) == 1, BOOL)
        if sort is INT:
            return integer(self.number(-9, 9))
        if sort is REAL:
            return real(Fraction(self.number(-9, 9), self.number(1, 4)))
        if is_bitvec(sort):
            return bits(self.number(0, 255), sort.width)
        if is_array(sort):
            return constant_array(sort, self.of(sort.args[1], 0))
        return self.construct(sort, 0)

    def many(self, sort: Sort, depth: int, low: int = 2, high: int = 3) -> tuple[Term, ...]:
        return tuple(self.of(sort, depth) for _ in range(self.number(low, high)))

    def formula(self, depth: int) -> Term:
        match self.number(0, 7):
            case 0 | 1:
                return apply(self.one("and", "or", "xor", "=>"), self.many(BOOL, depth))
            case 2:
                return apply("not", (self.of(BOOL, depth),))
            case 3:
                return apply(self.one("=", "distinct"), self.many(self.sort(), depth))
            case 4:
                return self.quantified(depth)
            case 5:
                name = self.one("bvult", "bvule", "bvslt", "bvsge")
                return (
                    apply(name, self.many(WIDE, depth, 2, 2))
                    if WIDE in self._sorts
                    else apply("is_int", self.many(REAL, depth, 1, 1))
                )
            case 6 if INTS in self._sorts:
                return made_with(self.one("none", "more"), self.of(INTS, depth))
        return apply(self.one("<", "<=", ">", ">="), self.many(REAL if self.number(0, 2) == 0 else INT, depth))

    def quantified(self, depth: int) -> Term:
        """A quantifier over variables whose names may be those of others."""
        names = self._draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
        bound = {name: variable(name, self.sort()) for name in names}
        inner = Terms(self._draw, {**self._scope, **bound}, self._sorts, self._open)
        return quantifier(self.one("forall", "exists"), tuple(bound.values()), inner.of(BOOL, depth))

    def integer(self, depth: int) -> Term:
        match self.number(0, 6):
            case 0:
                return apply(self.one("div", "mod"), self.many(INT, depth, 2, 2))
            case 1:
                return apply(self.one("abs", "-"), (self.of(INT, depth),))
            case 2:
                return apply("to_int", (self.of(REAL, depth),))
            case 3 if WIDE in self._sorts:
                return apply(self.one("ubv_to_int", "sbv_to_int"), (self.of(WIDE, depth),))
            case 4 if INTS in self._sorts:
                return selector_term(Selector("head", INT), "more", 0, self.of(INTS, depth))
            case 5 if ARRAYS[0] in self._sorts:
                return apply("select", (self.of(ARRAYS[0], depth), self.of(INT, depth)))
        return apply(self.one("+", "-", "*"), self.many(INT, depth))

    def real(self, depth: int) -> Term:
        match self.number(0, 2):
            case 0:
                return apply("/", self.many(REAL, depth))
            case 1:
                return apply("to_real", (self.of(INT, depth),))
        return apply(self.one("+", "-", "*"), self.many(REAL, depth))

    def vector(self, sort: Sort, depth: int) -> Term:
        match self.number(0, 4):
            case 0:
                return apply(self.one("bvnot", "bvneg"), (self.of(sort, depth),))
            case 1:
                return apply(self.one("bvand", "bvxor", "bvadd", "bvmul"), self.many(sort, depth))
            case 2 if sort is NARROW:
                low = self.number(0, 6)
                return apply("extract", (self.of(WIDE, depth),), (low + 1, low))
            case 2:
                return apply(self.one("zero_extend", "sign_extend"), (self.of(NARROW, depth),), (6,))
            case 3:
                return apply("int_to_bv", (self.of(INT, depth),), (sort.width,))
        return apply(self.one("bvsub", "bvudiv", "bvsmod", "bvshl", "bvashr"), self.many(sort, depth, 2, 2))

    def array(self, sort: Sort, depth: int) -> Term:
        if self.number(0, 2) == 0:
            return constant_array(sort, self.of(sort.args[1], depth))
        return apply("store", (self.of(sort, depth), self.of(sort.args[0], depth), self.of(sort.args[1], depth)))

    def data(self, sort: Sort, depth: int) -> Term:
        if sort is INTS and self.number(0, 2) == 0:
            return selector_term(Selector("tail", INTS), "more", 1, self.of(INTS, depth))
        if sort in (list_of(INT), list_of(BOOL)) and self.number(0, 2) == 0:
            return selector_term(Selector("cdr", sort), "cons", 1, self.of(sort, depth))
        return self.construct(sort, depth)

    def construct(self, sort: Sort, depth: int) -> Term:
        choices = CONSTRUCTORS[sort.name].instantiate(sort)
        chosen = choices[self.number(0, len(choices) - 1) if depth > 0 else 0]
        fields = tuple(self.of(selector.sort, depth - 1) for selector in chosen.selectors)
        return constructor_term(chosen.name, fields, sort)


@st.composite
def formulas(draw: st.DrawFn, variables: Sequence[Term] = (), sorts: Sequence[Sort] = SORTS, depth: int = 4) -> Term:
    """A formula; over these variables alone where some are given."""
    maker = Terms(draw, {var.name: var for var in variables}, sorts, is_open=not variables)
    return maker.of(BOOL, draw(st.integers(1, depth)))


@st.composite
def terms(draw: st.DrawFn, sorts: Sequence[Sort] = SORTS, depth: int = 4) -> Term:
    """A term of any of the sorts."""
    maker = Terms(draw, {}, sorts)
    return maker.of(maker.sort(), draw(st.integers(0, depth)))


@st.composite
def ground_terms(draw: st.DrawFn, sort: Sort, depth: int = 2) -> Term:
    return Terms(draw, {}, GROUND, is_open=False).of(sort, draw(st.integers(0, depth)))


def _predicates(draw: st.DrawFn, sorts: Sequence[Sort]) -> tuple[Predicate, ...]:
    shapes = draw(st.lists(st.lists(st.sampled_from(sorts), max_size=3), min_size=1, max_size=3))
    return tuple(Predicate(f"P {n}" if n == 2 else f"P{n}", tuple(shape)) for n, shape in enumerate(shapes))


def _atom(maker: Terms, predicate: Predicate) -> Atom:
    return Atom(predicate.name, tuple(maker.of(sort, 1) for sort in predicate.sorts))


def _clause(draw: st.DrawFn, predicates: Sequence[Predicate], sorts: Sequence[Sort]) -> Clause:
    names = draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
    maker = Terms(draw, {name: variable(name, draw(st.sampled_from(sorts))) for name in names}, sorts)
    body = [_atom(maker, chosen) for chosen in draw(st.lists(st.sampled_from(predicates), max_size=2))]
    constraint = [maker.of(BOOL, 3) for _ in range(maker.number(0, 3))]
    head = _atom(maker, draw(st.sampled_from(predicates))) if maker.number(0, 2) else None
    return make_clause(constraint, body, head)


@st.composite
def instances(draw: st.DrawFn, sorts: Sequence[Sort] = SORTS) -> Instance:
    """An instance over these sorts; everything else is declared too, as in texts that come from verifiers."""
    predicates = _predicates(draw, sorts)
    clauses = tuple(_clause(draw, predicates, sorts) for _ in range(draw(st.integers(0, 3))))
    return Instance(UNINTERPRETED, DATATYPES, predicates, clauses)


@st.composite
def models(draw: st.DrawFn, instance: Instance) -> Model:
    """Some interpretation for each predicate; nothing says that the clauses hold."""
    found = {}
    for predicate in instance.predicates:
        params = tuple(variable(f"p{n}", sort) for n, sort in enumerate(predicate.sorts))
        maker = Terms(draw, {param.name: param for param in params}, GROUND, is_open=False)
        found[predicate.name] = Interpretation(params, maker.of(BOOL, 3))
    return Model(found)


@st.composite
def refutations(draw: st.DrawFn, instance: Instance) -> Refutation:
    """Steps that fit the clauses of an instance over `GROUND`; nothing says that they are right."""
    usable = [n for n, clause in enumerate(instance.clauses) if not clause.body]
    steps: list[Step] = []
    for number in range(draw(st.integers(1, 3)) if usable else 0):
        chosen = draw(st.sampled_from(usable if number == 0 else range(len(instance.clauses))))
        clause = instance.clauses[chosen]
        values = tuple(draw(ground_terms(var.sort)) for var in clause.variables)
        premises = tuple(draw(st.integers(0, number - 1)) for _ in clause.body)
        steps.append(Step(_ground_fact(draw, instance.predicates), chosen, values, premises))
    if steps:
        steps[-1] = Step(None, steps[-1].clause, steps[-1].values, steps[-1].premises)
    return Refutation(tuple(steps))


def _ground_fact(draw: st.DrawFn, predicates: Iterable[Predicate]) -> Atom:
    chosen = draw(st.sampled_from(list(predicates)))
    return Atom(chosen.name, tuple(draw(ground_terms(sort)) for sort in chosen.sorts))

"""Small formulas that nothing satisfies, of each theory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from chc.build import apply, negation
from chc.sorts import BOOL, INT, REAL, Datatype, DatatypeGroup, Sort, is_array, is_bitvec
from chc.terms import FALSE, Term, bits, builtin, constructor_term, integer, real, selector_term, tester_term, variable

Formula = list[Term]
"""The conjuncts of a formula."""

ORDERED: Final = frozenset((INT, REAL))


def is_ordered(sort: Sort) -> bool:
    """Whether the sort has a strict order."""
    return sort in ORDERED or is_bitvec(sort)


def above(left: Term, right: Term) -> Term:
    """`left > right` in the order of their sort."""
    return apply("bvugt" if is_bitvec(left.sort) else ">", (left, right))


def contradictions(sort: Sort, datatypes: Iterable[DatatypeGroup]) -> list[Formula]:
    """Unsatisfiable formulas about variables of the sort; those of every sort come first."""
    x, y = variable("x", sort), variable("y", sort)
    found = [[apply("distinct", (x, x))], [apply("=", (x, y)), negation(apply("=", (x, y)))]]
    found.append([apply("=", (x, y)), apply("distinct", (y, x))])
    if is_ordered(sort):
        found += [[above(x, x)], [above(x, y), above(y, x)], [above(x, y), apply("=", (y, x))]]
    declared = {datatype.name: datatype for group in datatypes for datatype in group.datatypes}
    if sort.name in declared:
        found += _of_datatype(sort, declared[sort.name])
    for fits, make in _THEORIES:
        if fits(sort):
            found += make(sort)
    return found


def _of_bool(sort: Sort) -> list[Formula]:
    a, b = variable("a", BOOL), variable("b", BOOL)
    return [
        [FALSE],
        [a, builtin("not", (a,), BOOL)],
        [apply("xor", (a, a))],
        [apply("or", (a, b)), negation(a), negation(b)],
        [a, apply("=>", (a, b)), negation(b)],
        [apply("distinct", (a, b)), apply("=", (a, b))],
    ]


def _of_int(sort: Sort) -> list[Formula]:
    x, y = variable("x", INT), variable("y", INT)
    zero, one, two = integer(0), integer(1), integer(2)
    return [
        [apply("<", (x, y)), apply("<", (y, apply("+", (x, one))))],
        [apply("=", (apply("*", (two, x)), apply("+", (apply("*", (two, y)), one))))],
        [apply("=", (apply("mod", (x, two)), two))],
        [apply("<", (apply("+", (x, y)), zero)), apply(">", (x, zero)), apply(">", (y, zero))],
        [apply(">", (apply("ite", (apply("<=", (x, y)), x, y)), x))],
    ]


def _of_real(sort: Sort) -> list[Formula]:
    x, y = variable("x", REAL), variable("y", REAL)
    return [
        [apply("<", (apply("+", (x, y)), x)), apply(">", (y, real(0)))],
        [apply("<", (x, y)), apply("<=", (apply("*", (real(2), y)), apply("+", (x, y))))],
        [apply("=", (apply("/", (x, real(3))), y)), apply("distinct", (x, apply("*", (real(3), y))))],
    ]


def _of_bits(sort: Sort) -> list[Formula]:
    x, zero = variable("x", sort), bits(0, sort.width)
    return [
        [apply("bvult", (x, zero))],
        [apply("bvugt", (x, bits(-1, sort.width)))],
        [apply("=", (x, apply("bvnot", (x,))))],
        [apply("distinct", (apply("bvxor", (x, x)), zero))],
        [apply("distinct", (apply("bvneg", (apply("bvneg", (x,)),)), x))],
        [apply("bvslt", (x, zero)), apply("=", (apply("bvlshr", (x, bits(sort.width - 1, sort.width))), zero))],
    ]


def _of_array(sort: Sort) -> list[Formula]:
    index, element = sort.args
    a, i, j, e = variable("a", sort), variable("i", index), variable("j", index), variable("e", element)
    stored = apply("store", (a, i, e))
    return [
        [apply("distinct", (apply("select", (stored, i)), e))],
        [apply("=", (i, j)), apply("distinct", (apply("select", (a, i)), apply("select", (a, j))))],
        [apply("distinct", (i, j)), apply("distinct", (apply("select", (stored, j)), apply("select", (a, j))))],
        [apply("distinct", (a, apply("store", (a, i, apply("select", (a, i))))))],
    ]


def _of_datatype(sort: Sort, datatype: Datatype) -> list[Formula]:
    x = variable("x", sort)
    constructors = datatype.instantiate(sort)
    found = [[negation(tester_term(constructor.name, x)) for constructor in constructors]]
    if len(constructors) > 1:
        found.append([tester_term(constructors[0].name, x), tester_term(constructors[1].name, x)])
    for constructor in constructors:
        fields = [variable(f"f{number}", s.sort) for number, s in enumerate(constructor.selectors)]
        built = constructor_term(constructor.name, tuple(fields), sort)
        found.append([negation(tester_term(constructor.name, built))])
        for position, selector in enumerate(constructor.selectors):
            read = selector_term(selector, constructor.name, position, built)
            found.append([apply("distinct", (read, fields[position]))])
            if selector.sort is sort:
                found.append([apply("=", (built, fields[position]))])
    return found


Maker = Callable[[Sort], list[Formula]]
_THEORIES: Final[tuple[tuple[Callable[[Sort], bool], Maker], ...]] = (
    (lambda sort: sort is BOOL, _of_bool),
    (lambda sort: sort is INT, _of_int),
    (lambda sort: sort is REAL, _of_real),
    (is_bitvec, _of_bits),
    (is_array, _of_array),
)

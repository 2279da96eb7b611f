"""What obviously follows: whether a facet still holds after a step, as far as a look at its form tells.

A step that keeps a facet by itself (a bound from below, and a number that grows) needs no guard; that is what
makes a generated program look like one. Saying no where yes would be right costs a guard and no more.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from chc.build import conjunction, disjunction, negation
from chc.evaluate import value_of_ground
from chc.sorts import INT, REAL
from chc.terms import FALSE, TRUE, Kind, Term, free_variables, literal_value, map_terms, rebuild
from chc.undetermined import Undetermined


def tidy(term: Term) -> Term:
    """An equal term without fields of known constructors, tests of them, and reads of cells just written."""
    return map_terms([term], _tidy_node)[0]


def _tidy_node(term: Term) -> Term:
    inner = term.args[0] if term.args else term
    if term.kind is Kind.SELECTOR and inner.kind is Kind.CONSTRUCTOR and term.params[0] == inner.name:
        position = term.params[1]
        assert isinstance(position, int)
        return inner.args[position]
    if term.kind is Kind.TESTER and inner.kind is Kind.CONSTRUCTOR:
        return TRUE if inner.name == term.name else FALSE
    if _is(term, "select"):
        return _read_after_write(term)
    return _decided(term) if TRUE in term.args or FALSE in term.args else term


def _decided(term: Term) -> Term:
    """A connective without the parts that are `true` or `false`: a test may have shut out a field that is not there."""
    if _is(term, "not"):
        return negation(term.args[0])
    if not _is(term, "and") and not _is(term, "or"):
        return term
    decisive, join = (FALSE, conjunction) if term.name == "and" else (TRUE, disjunction)
    if decisive in term.args:
        return decisive
    return join([arg for arg in term.args if arg is not TRUE and arg is not FALSE])


def _read_after_write(read: Term) -> Term:
    """What was written at the very index, or a read of what was there before a write elsewhere."""
    target, index = read.args
    while _is(target, "store"):
        if target.args[1] is index:
            return target.args[2]
        if target.args[1].kind is not Kind.LITERAL or index.kind is not Kind.LITERAL:
            break
        target = target.args[0]
    return rebuild(read, (target, index))


def obvious(goal: Term, known: Collection[Term]) -> bool:
    """Whether the tidy goal follows from what is known, by one of the few rules here."""
    if goal is TRUE or goal in known:
        return True
    if not free_variables([goal]):
        return _holds(goal)
    return any(_implies(fact, goal) for fact in known)


def _holds(ground: Term) -> bool:
    try:
        return value_of_ground(ground) is True
    except Undetermined:
        return False


def _is(term: Term, name: str) -> bool:
    return term.kind is Kind.BUILTIN and term.name == name


def _implies(fact: Term, goal: Term) -> bool:
    """Both say the same kind of thing, `left operator literal`, and the goal about something shifted."""
    if fact.kind is not Kind.BUILTIN or fact.name != goal.name or len(fact.args) != 2 or len(goal.args) != 2:
        return False
    (left, have), (right, want) = fact.args, goal.args
    if have.kind is not Kind.LITERAL or want.kind is not Kind.LITERAL or have.sort is not want.sort:
        return False
    if have.sort is INT or have.sort is REAL:
        return _implies_number(goal.name, left, right, literal_value(have), literal_value(want))
    return goal.name == "=" and _implies_mask(left, right, literal_value(have), literal_value(want))


def _implies_number(operator: str, left: Term, right: Term, have: Fraction | int, want: Fraction | int) -> bool:
    if _is(left, "mod") and _is(right, "mod"):
        modulus = literal_value(right.args[1])
        gap = _gap(left.args[0], right.args[0])
        same = left.args[1] is right.args[1] and operator == "="
        return same and gap is not None and (have + gap) % modulus == want
    gap = _gap(left, right)
    if gap is None:
        return False
    match operator:
        case ">=":
            return have + gap >= want
        case "<=":
            return have + gap <= want
    return operator == "=" and have + gap == want


class _Offset(NamedTuple):
    """A sum, as what it is measured from and the literal distance from there."""

    origin: tuple[Term, ...]
    distance: Fraction | int


def _gap(left: Term, right: Term) -> Fraction | int | None:
    """By how much the right term surpasses the left one, where both are measured from the same."""
    one, other = _difference_offset(left), _difference_offset(right)
    return other.distance - one.distance if one.origin == other.origin else None


def _difference_offset(term: Term) -> _Offset:
    """A difference of two things that have moved is the old difference, moved."""
    if _is(term, "-") and len(term.args) == 2 and term.args[1].kind is not Kind.LITERAL:
        plus, minus = (_offset(arg) for arg in term.args)
        return _Offset((plus.origin[0], minus.origin[0]), plus.distance - minus.distance)
    return _offset(term)


def _offset(term: Term) -> _Offset:
    distance: Fraction | int = 0
    while term.kind is Kind.BUILTIN and term.name in ("+", "-") and len(term.args) == 2:
        if term.args[1].kind is not Kind.LITERAL:
            break
        amount = literal_value(term.args[1])
        distance += amount if term.name == "+" else -amount
        term = term.args[0]
    return _Offset((term,), distance)


def _implies_mask(left: Term, right: Term, have: Fraction | int, want: Fraction | int) -> bool:
    """Bits under a mask, where other bits, or these in a known way, were flipped."""
    if not (_is(left, "bvand") and _is(right, "bvand")) or left.args[1] is not right.args[1]:
        return False
    flipped = right.args[0]
    if not _is(flipped, "bvxor") or flipped.args[0] is not left.args[0]:
        return False
    if flipped.args[1].kind is not Kind.LITERAL or right.args[1].kind is not Kind.LITERAL:
        return False
    change, mask = literal_value(flipped.args[1]), literal_value(right.args[1])
    assert isinstance(change, int)
    assert isinstance(mask, int)
    assert isinstance(have, int)
    return have ^ (change & mask) == want

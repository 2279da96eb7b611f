"""Updates: what a step of a generated program makes of its variables, such as `x + 1` or `store a i v`."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import msgspec

from chc.build import apply, negation
from chc.sorts import BOOL, INT, REAL, Sort, is_array, is_bitvec
from chc.terms import Kind, Term, bits, constructor_term, literal, selector_term, tester_term
from chc.values import DataValue
from transformations.generated_facets import Facets, Scope
from transformations.generated_settings import Setting, ground_term


class Update(msgspec.Struct, frozen=True):
    """A term with what has to be asked before it makes sense: a field is read after its constructor is tested."""

    term: Term
    guards: tuple[Term, ...] = ()


class Updates:
    """The dice that compute new values from the variables in scope."""

    def __init__(self, setting: Setting, facets: Facets, rng: Random) -> None:
        self._setting = setting
        self._facets = facets
        self._rng = rng

    def draw(self, sort: Sort, wish: Term | None, scope: Scope) -> Update:
        """The next value of `wish`, or where there is none, of any part of the scope that has the sort."""
        source = self._source(sort, wish, scope)
        if source is None:
            return Update(ground_term(sort, self._setting, self._rng))
        if self._rng.random() < 0.25:
            return source
        return Update(self._changed(source.term, scope), source.guards)

    def _source(self, sort: Sort, wish: Term | None, scope: Scope) -> Update | None:
        if wish is not None and wish.sort is sort and self._rng.random() < 0.8:
            return Update(wish)
        sources = [*self._variables(sort, scope), *self._elements(sort, scope), *self._fields(sort, scope)]
        return self._rng.choice(sources) if sources else None

    def _variables(self, sort: Sort, scope: Scope) -> list[Update]:
        return [Update(var) for var in scope if var.sort is sort]

    def _elements(self, sort: Sort, scope: Scope) -> list[Update]:
        return [
            Update(apply("select", (var, self._of_sort(var.sort.args[0], scope))))
            for var in scope
            if is_array(var.sort) and var.sort.args[1] is sort
        ]

    def _fields(self, sort: Sort, scope: Scope) -> list[Update]:
        found = []
        for var, value in scope.items():
            for constructor in self._setting.constructors(var.sort):
                for position, selector in enumerate(constructor.selectors):
                    if isinstance(value, DataValue) and value.constructor == constructor.name and selector.sort is sort:
                        field = selector_term(selector, constructor.name, position, var)
                        found.append(Update(field, (tester_term(constructor.name, var),)))
        return found

    def _of_sort(self, sort: Sort, scope: Scope) -> Term:
        """A variable or a ground term."""
        variables = [var for var in scope if var.sort is sort]
        if variables and self._rng.random() < 0.6:
            return self._rng.choice(variables)
        return ground_term(sort, self._setting, self._rng)

    def _changed(self, term: Term, scope: Scope) -> Term:
        sort = term.sort
        if sort is BOOL:
            return self._flipped(term, scope)
        if sort is INT or sort is REAL:
            return self._moved(term, scope)
        if is_bitvec(sort):
            return self._mangled(term, scope)
        if is_array(sort):
            return self._stored(term, scope)
        return self._built(term, scope)

    def _flipped(self, term: Term, scope: Scope) -> Term:
        others = [var for var in scope if var is not term]
        if not others or self._rng.random() < 0.4:
            return negation(term)
        other = self._rng.choice(others)
        statement = other if other.sort is BOOL else self._facets.draw([other], scope)
        return apply(self._rng.choice(("xor", "and", "or", "=")), (term, statement))

    def _moved(self, term: Term, scope: Scope) -> Term:
        distance = self._rng.choice((1, 1, 1, 2, 3, 4))
        amount = literal(distance if term.sort is INT else Fraction(distance, self._rng.choice((1, 2, 4))), term.sort)
        others = [var for var in scope if var.sort is term.sort and var is not term]
        match self._rng.randrange(8):
            case 0 | 1 | 2 | 3:
                return apply("+", (term, amount))
            case 4 | 5:
                return apply("-", (term, amount))
            case 6 if others:
                return apply(self._rng.choice(("+", "-")), (term, self._rng.choice(others)))
            case 7:
                return apply("*", (literal(2 if term.sort is INT else Fraction(2), term.sort), term))
        return apply("+", (term, amount))

    def _mangled(self, term: Term, scope: Scope) -> Term:
        width = term.sort.width
        match self._rng.randrange(6):
            case 0 | 1:
                return apply("bvadd", (term, bits(self._rng.choice((1, 2, 4)), width)))
            case 2:
                return apply("bvxor", (term, bits(1 << self._rng.randrange(width), width)))
            case 3:
                return apply(self._rng.choice(("bvand", "bvor", "bvsub")), (term, self._of_sort(term.sort, scope)))
            case 4:
                low = self._rng.randrange(1, width)
                return apply("concat", _cut(term, low))
            case _:
                return apply(self._rng.choice(("bvshl", "bvlshr", "bvashr")), (term, bits(1, width)))

    def _stored(self, term: Term, scope: Scope) -> Term:
        index_sort, element_sort = term.sort.args
        index = self._of_sort(index_sort, scope)
        old = apply("select", (term, index))
        new = self._changed(old, scope) if self._rng.random() < 0.6 else self._of_sort(element_sort, scope)
        return apply("store", (term, index, new))

    def _built(self, term: Term, scope: Scope) -> Term:
        """A constructor around the term where it takes one, and around other things in scope."""
        constructor = self._rng.choice(self._setting.constructors(term.sort))
        fields = []
        for selector in constructor.selectors:
            field = term if selector.sort is term.sort else self._of_sort(selector.sort, scope)
            fields.append(self._moved(field, scope) if selector.sort is INT and field.kind is Kind.VARIABLE else field)
        return constructor_term(constructor.name, tuple(fields), term.sort)


def _cut(term: Term, low: int) -> tuple[Term, Term]:
    """The low bits and the high bits, to be joined the other way round."""
    return apply("extract", (term,), (low - 1, 0)), apply("extract", (term,), (term.sort.width - 1, low))

"""Terms: immutable, sorted, interned, and therefore compared and hashed by identity.

An interned term lives as long as somebody holds it: the table is weak, so a daemon that reads millions of
instances does not keep them. No function here recurses over a term; terms nest a hundred thousand deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from fractions import Fraction
from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

from chc.sorts import BOOL, INT, REAL, Selector, Sort, bitvec


class Kind(IntEnum):
    """What sort of node a term is."""

    __hash__ = int.__hash__
    """The hash of `Enum` is a function in Python, and every look-up of a term would call it."""

    VARIABLE = 0
    LITERAL = 1
    BUILTIN = 2
    """An operation of a theory, such as `+` or `(_ extract 3 0)`; its indices are the parameters."""
    PREDICATE = 3
    """An uninterpreted predicate of the instance; clauses hold these as atoms, constraints never."""
    CONSTRUCTOR = 4
    SELECTOR = 5
    """Its parameters are the constructor's name and the position of the field."""
    TESTER = 6
    """Its name is the constructor's."""
    QUANTIFIER = 7
    """`forall` or `exists`; its parameters are the bound variables, its one argument the body."""


class Term:
    """A node of a term graph. Made by the functions of this module and of `chc.build`, never directly."""

    __slots__ = ("__weakref__", "args", "has_quantifier", "kind", "name", "params", "sort")

    kind: Kind
    name: str
    params: tuple[object, ...]
    args: tuple[Term, ...]
    sort: Sort
    has_quantifier: bool
    """Whether it is a quantifier or has one below it."""

    def __repr__(self) -> str:
        from chc.printer import show_term

        return f"<term {show_term(self, limit=200)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (_records(self),)


_Key = tuple[Kind, str, tuple[object, ...], tuple[Term, ...], Sort]
_terms: WeakValueDictionary[_Key, Term] = WeakValueDictionary()
_lock = Lock()


def make_term(kind: Kind, name: str, params: tuple[object, ...], args: tuple[Term, ...], sort: Sort) -> Term:
    """The one term with these parts. The caller answers for its being well-sorted (see `chc.build`)."""
    key = (kind, name, params, args, sort)
    term = _terms.get(key)
    if term is None:
        with _lock:
            term = _terms.get(key)
            if term is None:
                term = Term()
                term.kind, term.name, term.params, term.args, term.sort = key
                term.has_quantifier = kind is Kind.QUANTIFIER or True in [arg.has_quantifier for arg in args]
                _terms[key] = term
    return term


_Record = tuple[int, str, tuple[object, ...], tuple[int, ...], Sort]


def _records(root: Term) -> list[_Record]:
    """The nodes below a term, each after its arguments, which it names by number: pickle would recurse."""
    number: dict[Term, int] = {}
    records: list[_Record] = []
    for node in subterms([root]):
        number[node] = len(records)
        records.append((node.kind, node.name, node.params, tuple(number[arg] for arg in node.args), node.sort))
    return records


def _restore(records: list[_Record]) -> Term:
    made: list[Term] = []
    for kind, name, params, args, sort in records:
        made.append(make_term(Kind(kind), name, params, tuple(made[arg] for arg in args), sort))
    return made[-1]


def variable(name: str, sort: Sort) -> Term:
    return make_term(Kind.VARIABLE, name, (), (), sort)


def literal(value: bool | int | Fraction, sort: Sort) -> Term:
    """The literal; its value is of the type that the sort calls for, because 1, True and 1/1 are equal keys."""
    proper: bool | int | Fraction
    if sort is REAL:
        proper = Fraction(value)
    else:
        proper = bool(value) if sort is BOOL else int(value)
    return make_term(Kind.LITERAL, "", (proper,), (), sort)


TRUE: Final = literal(True, BOOL)
FALSE: Final = literal(False, BOOL)


def integer(value: int) -> Term:
    return literal(value, INT)


def real(value: Fraction | int) -> Term:
    return literal(Fraction(value), REAL)


def bits(value: int, width: int) -> Term:
    return literal(value % (1 << width), bitvec(width))


def literal_value(term: Term) -> bool | int | Fraction:
    """The value of a literal; a bit-vector's is the unsigned number."""
    value = term.params[0]
    assert isinstance(value, bool | int | Fraction)
    return value


def builtin(name: str, args: tuple[Term, ...], sort: Sort, params: tuple[object, ...] = ()) -> Term:
    """An operation of a theory; a literal where SMT-LIB writes this very literal as an operation."""
    if args and args[0].kind is Kind.LITERAL and name in _WRITES_LITERALS:
        value = _written_literal(name, args)
        if value is not None:
            return literal(value, sort)
    return make_term(Kind.BUILTIN, name, params, args, sort)


_WRITES_LITERALS: Final = frozenset(("-", "/", "to_real"))
LONGEST_LITERAL: Final = 4000
"""So many digits may stand in the text of a number; what would have more is left as a division."""
_LARGEST: Final = 10**LONGEST_LITERAL


def _written_literal(name: str, args: tuple[Term, ...]) -> int | Fraction | None:
    """`(- 5)` is how minus five is written, `(/ 1.0 3.0)` one third: they must not be terms of their own."""
    if any(arg.kind is not Kind.LITERAL for arg in args):
        return None
    first, *others = (literal_value(arg) for arg in args)
    if name == "/":
        return _quotient(Fraction(first), others)
    if others:
        return None
    return -first if name == "-" else first


def _quotient(value: Fraction, divisors: list[bool | int | Fraction]) -> Fraction | None:
    for divisor in divisors:
        if divisor == 0:
            return None
        value /= divisor
        if max(abs(value.numerator), value.denominator) >= _LARGEST:
            return None
    return value


def predicate_term(name: str, args: tuple[Term, ...]) -> Term:
    return make_term(Kind.PREDICATE, name, (), args, BOOL)


def constructor_term(name: str, args: tuple[Term, ...], sort: Sort) -> Term:
    return make_term(Kind.CONSTRUCTOR, name, (), args, sort)


def selector_term(selector: Selector, constructor: str, position: int, arg: Term) -> Term:
    return make_term(Kind.SELECTOR, selector.name, (constructor, position), (arg,), selector.sort)


def tester_term(constructor: str, arg: Term) -> Term:
    return make_term(Kind.TESTER, constructor, (), (arg,), BOOL)


def quantifier(name: str, bound: tuple[Term, ...], body: Term) -> Term:
    """`(forall bound body)` or `(exists bound body)`; the body itself where nothing is bound."""
    return make_term(Kind.QUANTIFIER, name, bound, (body,), BOOL) if bound else body


def bound_variables(term: Term) -> tuple[Term, ...]:
    """The variables that a quantifier binds."""
    return tuple(v for v in term.params if isinstance(v, Term))


def subterms(roots: Iterable[Term], within: Callable[[Term], bool] | None = None) -> Iterator[Term]:
    """Every distinct subterm once, arguments before the terms they occur in.

    Where `within` is given, terms for which it is false are passed over, with everything below them.
    """
    seen: set[Term] = set()
    stack: list[Term | None] = [*roots]
    stack.reverse()
    path: list[Term] = []
    while stack:
        term = stack.pop()
        if term is None:
            yield path.pop()
        elif term not in seen:
            seen.add(term)
            if within is not None and not within(term):
                continue
            if term.args:
                path.append(term)
                stack.append(None)
                stack.extend(reversed(term.args))
            else:
                yield term


_NOTHING: Final[frozenset[Term]] = frozenset()


class FreeVariables:
    """Free variables of terms, remembered for every subterm that was looked at."""

    def __init__(self) -> None:
        self._known: dict[Term, frozenset[Term]] = {}

    def __call__(self, term: Term) -> frozenset[Term]:
        known = self._known
        if term not in known:
            for node in subterms([term]):
                if node not in known:
                    known[node] = self._of_node(node)
        return known[term]

    def _of_node(self, node: Term) -> frozenset[Term]:
        if node.kind is Kind.VARIABLE:
            return frozenset((node,))
        if not node.args:
            return _NOTHING
        if node.kind is Kind.QUANTIFIER:
            return self._known[node.args[0]].difference(bound_variables(node))
        parts = {self._known[arg] for arg in node.args}
        largest = max(parts, key=len)
        return largest if all(part <= largest for part in parts) else _NOTHING.union(*parts)


def free_variables(roots: Iterable[Term]) -> list[Term]:
    """The free variables, each once, in order of first occurrence from left to right."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    free = FreeVariables()
    stack = list(roots)
    stack.reverse()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.kind is Kind.VARIABLE:
            found[term] = None
        elif term.kind is Kind.QUANTIFIER:
            inner = free(term)
            found.update(dict.fromkeys(v for v in _variables_in_order(term.args[0]) if v in inner))
        else:
            stack.extend(reversed(term.args))
    return list(found)


def _variables_in_order(term: Term) -> Iterator[Term]:
    """The variables below a term from left to right, bound ones too."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.kind is Kind.VARIABLE:
            yield node
        stack.extend(reversed(node.args))


def fresh_name(wish: str, taken: Callable[[str], bool]) -> str:
    """`wish`, or the first of `wish!1`, `wish!2`, … that is not taken."""
    if not taken(wish):
        return wish
    stem = wish.split("!", 1)[0] or "v"
    number = 1
    while taken(f"{stem}!{number}"):
        number += 1
    return f"{stem}!{number}"


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same node over other arguments of the same sorts."""
    if args == term.args:
        return term
    if term.kind is Kind.BUILTIN:
        return builtin(term.name, args, term.sort, term.params)
    return make_term(term.kind, term.name, term.params, args, term.sort)


def map_terms(roots: Iterable[Term], change: Callable[[Term], Term]) -> list[Term]:
    """Each root with `change` applied to every subterm, leaves first, its arguments changed already."""
    done: dict[Term, Term] = {}
    roots = list(roots)
    for node in subterms(roots):
        changed = rebuild(node, tuple(done[arg] for arg in node.args)) if node.args else node
        done[node] = change(changed)
    return [done[root] for root in roots]


def substitute(roots: Iterable[Term], binding: Mapping[Term, Term]) -> list[Term]:
    """Each root with free variables replaced, simultaneously, and no variable captured."""
    roots = list(roots)
    if not binding:
        return roots
    return Substitution(binding).apply(roots)


class Substitution:
    """A simultaneous replacement of free variables that remembers what it has already rewritten."""

    def __init__(self, binding: Mapping[Term, Term], outer: Substitution | None = None) -> None:
        self._binding = binding
        self._done: dict[Term, Term] = dict(binding)
        self._free: FreeVariables = outer._free if outer else FreeVariables()
        self._below: dict[frozenset[tuple[Term, Term]], Substitution] = outer._below if outer else {}
        """What is applied below quantifiers, by its binding: the same for quantifiers over the same variables."""

    def apply(self, roots: Iterable[Term]) -> list[Term]:
        return [self._one(root) for root in roots]

    def _one(self, root: Term) -> Term:
        done = self._done
        stack = [root]
        while stack:
            term = stack[-1]
            if term in done:
                stack.pop()
            elif term.kind is Kind.QUANTIFIER:
                done[term] = self._under(term)
            elif not term.args:
                done[term] = term
            else:
                missing = [arg for arg in term.args if arg not in done]
                if missing:
                    stack.extend(missing)
                else:
                    done[term] = rebuild(term, tuple(done[arg] for arg in term.args))
        return done[root]

    def _under(self, term: Term) -> Term:
        """A quantifier: the bound variables stay, renamed where something that arrives would be captured."""
        bound = bound_variables(term)
        free_here = self._free(term)
        inner = {v: self._binding[v] for v in free_here if v in self._binding}
        if not inner:
            return term
        arriving = {v.name for v in free_here if v not in inner}
        for replacement in inner.values():
            arriving.update(v.name for v in self._free(replacement))
        renamed = []
        for var in bound:
            name = fresh_name(var.name, arriving.__contains__)
            arriving.add(name)
            fresh = variable(name, var.sort)
            renamed.append(fresh)
            if fresh is not var:
                inner[var] = fresh
        key = frozenset(inner.items())
        if key not in self._below:
            self._below[key] = Substitution(inner, self)
        body = self._below[key].apply(term.args)[0]
        return make_term(Kind.QUANTIFIER, term.name, tuple(renamed), (body,), BOOL)


SIZE_BEYOND_COUNTING: Final = 1 << 62


def tree_size(term: Term) -> int:
    """How many nodes the term would have, were it printed without sharing; large numbers are cut off."""
    size: dict[Term, int] = {}
    for node in subterms([term]):
        size[node] = min(1 + sum(size[arg] for arg in node.args), SIZE_BEYOND_COUNTING)
    return size[term]

"""Special forms of terms: `let`, quantifiers, annotations and `match`.

Each is an object on the stack of the reader: it takes the values of its subterms one by one, opens and closes the
scopes of its names, and gives its own value at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from chc.build import SortError, apply
from chc.sorts import BOOL, show_sort
from chc.terms import TRUE, Term, fresh_name, quantifier, selector_term, tester_term, variable

if TYPE_CHECKING:
    from chc.term_reader import TermReader


class Binder(Protocol):
    """A special form on the stack: takes the values of its subterms one by one."""

    def deliver(self, reader: TermReader, value: Term) -> None: ...

    def finish(self, reader: TermReader) -> Term: ...


class Let:
    """`(let ((x t) …) body)`: the values are read in the outer scope, all at once visible in the body."""

    def __init__(self, reader: TermReader) -> None:
        self._bindings: list[tuple[str, Term]] = []
        self._before: list[tuple[str, Term | None]] | None = None
        self._body: Term | None = None
        reader.expect("(", "before the bindings of `let`")
        self._open_binding(reader)

    def _open_binding(self, reader: TermReader) -> None:
        reader.expect("(", "before a binding of `let`")
        self._name = reader.symbol("the name that `let` binds")

    def deliver(self, reader: TermReader, value: Term) -> None:
        if self._before is not None:
            if self._body is not None:
                raise reader.error("`let` has more than one body")
            self._body = value
            return
        self._bindings.append((self._name, value))
        reader.expect(")", "after a binding of `let`")
        if reader.peek() == "(":
            self._open_binding(reader)
        else:
            reader.expect(")", "after the bindings of `let`")
            if len({name for name, _ in self._bindings}) < len(self._bindings):
                raise reader.error("`let` binds a name twice")
            self._before = reader.bind(self._bindings)

    def finish(self, reader: TermReader) -> Term:
        if self._before is None or self._body is None:
            raise reader.error("`let` has no body")
        reader.restore(self._before)
        return self._body


class Quantifier:
    """`(forall ((x S) …) body)` or `exists`."""

    def __init__(self, reader: TermReader, name: str) -> None:
        self._name = name
        self._body: Term | None = None
        bindings = []
        self._fresh = set()
        reader.open_quantifier()
        for wish, sort in reader.sorted_variables():
            actual = fresh_name(wish, reader.is_taken)
            reader.bound_names.add(actual)
            self._fresh.add(actual)
            bindings.append((wish, variable(actual, sort)))
        self._bound = tuple(var for _, var in bindings)
        self._before = reader.bind(bindings)

    def deliver(self, reader: TermReader, value: Term) -> None:
        if self._body is not None or value.sort is not BOOL:
            raise reader.error(f"`{self._name}` expects one formula as its body")
        self._body = value

    def finish(self, reader: TermReader) -> Term:
        if self._body is None:
            raise reader.error(f"`{self._name}` has no body")
        reader.restore(self._before)
        reader.bound_names -= self._fresh
        reader.close_quantifier()
        term = quantifier(self._name, self._bound, self._body)
        if self._body in reader.with_predicate:
            reader.with_predicate.add(term)
        return term


class Annotated:
    """`(! term :attribute value …)`: the term alone."""

    def __init__(self) -> None:
        self._value: Term | None = None

    def deliver(self, reader: TermReader, value: Term) -> None:
        self._value = value
        while reader.peek() not in ("", ")"):
            if reader.next("an attribute")[0] != ":":
                raise reader.error("expected an attribute such as `:named`")
            if reader.peek()[:1] not in ("", ":", ")"):
                reader.skip_expression()

    def finish(self, reader: TermReader) -> Term:
        if self._value is None:
            raise reader.error("`!` has no term")
        return self._value


class Match:
    """`(match t ((pattern term) …))`, turned into `ite` over testers, from the first case to the last."""

    def __init__(self) -> None:
        self._scrutinee: Term | None = None
        self._before: list[tuple[str, Term | None]] = []
        self._test: Term = TRUE
        self._cases: list[tuple[Term, Term]] = []

    def deliver(self, reader: TermReader, value: Term) -> None:
        if self._scrutinee is None:
            if value.sort.name not in reader.symbols.datatypes:
                raise reader.error(f"`match` expects a datatype, found {show_sort(value.sort)}")
            self._scrutinee = value
            reader.expect("(", "before the cases of `match`")
        else:
            reader.restore(self._before)
            self._cases.append((self._test, value))
            reader.expect(")", "after a case of `match`")
        if reader.peek() == "(":
            reader.next("a case")
            self._open_case(reader, self._scrutinee)
        else:
            reader.expect(")", "after the cases of `match`")

    def _open_case(self, reader: TermReader, scrutinee: Term) -> None:
        constructor, names = self._pattern(reader)
        if not names and constructor not in reader.symbols.constructors:
            self._test = TRUE
            self._before = reader.bind([(constructor, scrutinee)])
            return
        datatype = reader.symbols.datatypes[scrutinee.sort.name]
        fields = next((c for c in datatype.instantiate(scrutinee.sort) if c.name == constructor), None)
        if fields is None or len(fields.selectors) != len(names):
            raise reader.error(f"`{constructor}` with {len(names)} fields is no pattern of {datatype.name}")
        self._test = reader.symbols.test(constructor, (scrutinee,))
        bindings = [
            (name, selector_term(selector, constructor, position, scrutinee))
            for position, (name, selector) in enumerate(zip(names, fields.selectors, strict=True))
            if name != "_"
        ]
        if len({name for name, _ in bindings}) < len(bindings):
            raise reader.error("a pattern binds a name twice")
        self._before = reader.bind(bindings)

    def _pattern(self, reader: TermReader) -> tuple[str, list[str]]:
        """A constructor with the names for its fields, or a variable alone."""
        if reader.peek() != "(":
            return reader.wildcard("a constructor or a variable"), []
        reader.next("a pattern")
        constructor = reader.symbol("a constructor")
        names: list[str] = []
        while reader.peek() != ")":
            names.append(reader.wildcard("a variable of a pattern"))
        reader.next("`)`")
        return constructor, names

    def finish(self, reader: TermReader) -> Term:
        if self._scrutinee is None or not self._cases:
            raise reader.error("`match` has no case")
        tests = {test for test, _ in self._cases}
        constructors = reader.symbols.datatypes[self._scrutinee.sort.name].constructors
        missing = [c.name for c in constructors if tester_term(c.name, self._scrutinee) not in tests]
        if missing and TRUE not in tests:
            raise reader.error(f"`match` has no case for {', '.join(missing)}")
        result = self._cases[-1][1]
        try:
            for test, value in reversed(self._cases[:-1]):
                result = apply("ite", (test, value, result))
        except SortError as problem:
            raise reader.error(str(problem)) from None
        if self._scrutinee in reader.with_predicate or any(value in reader.with_predicate for _, value in self._cases):
            raise reader.error("`match` over predicates is not supported; write one clause for each case")
        return result

"""From tokens to sorted terms, with an explicit stack instead of recursion.

`let` is expanded by sharing, `match` becomes `ite` over testers and selectors, annotations are dropped, and a
variable bound inside the scope of another of the same name is renamed, so that sharing never captures.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, Protocol

from chc.build import INDEXED_NAMES, MAXIMAL_WIDTH, SortError, apply, constant_array
from chc.lexer import Limits, ReadError, position_of
from chc.sorts import BOOL, INT, REAL, RESERVED_WORDS, Sort, bitvec, show_sort
from chc.symbols import Symbols
from chc.terms import (
    FALSE,
    TRUE,
    Kind,
    Term,
    bits,
    fresh_name,
    integer,
    quantifier,
    real,
    selector_term,
    subterms,
    tester_term,
    variable,
)


class _Binder(Protocol):
    """A special form on the stack: takes the values of its subterms one by one."""

    def deliver(self, reader: TermReader, value: Term) -> None: ...

    def finish(self, reader: TermReader) -> Term: ...


_DIGITS: Final = {16: re.compile("[0-9a-fA-F]+"), 2: re.compile("[01]+")}
_BITS: Final = re.compile("bv[0-9]+")
_DECIMAL: Final = re.compile(r"[0-9]+(\.[0-9]+)?")
_PLAIN_SORTS: Final = {"Int": INT, "Bool": BOOL, "Real": REAL}
_SPECIAL: Final = frozenset(("let", "forall", "exists", "!", "match", "_", "as", "(", ")"))
_Operator = str | tuple[object, ...]
_Frame = list[_Operator | Term]


class TermReader:
    """Reads terms from a list of tokens; `at` is the number of the next token."""

    def __init__(self, text: str, tokens: list[str], symbols: Symbols, limits: Limits) -> None:
        self.text = text
        self.tokens = tokens
        self.symbols = symbols
        self.limits = limits
        self.at = 0
        self.scope: dict[str, Term] = {}
        self.bound_names: set[str] = set()
        self.with_predicate: set[Term] = set()
        self._applied: dict[tuple[_Operator | Term, ...], Term] = {}
        self._constants: dict[str, Term] = {"true": TRUE, "false": FALSE}
        self._symbols_seen: dict[str, str] = {}
        self._quantifiers_open = 0

    # Tokens ----------------------------------------------------------------------------------------------

    def error(self, message: str, at: int | None = None) -> ReadError:
        return ReadError(message, position_of(self.text, self.at - 1 if at is None else at))

    def next(self, expected: str) -> str:
        if self.at >= len(self.tokens):
            raise ReadError(f"the text ends where {expected} was expected", position_of(self.text, self.at))
        token = self.tokens[self.at]
        self.at += 1
        return token

    def peek(self) -> str:
        """The next token, or nothing at the end of the text."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def expect(self, token: str, where: str) -> None:
        found = self.next(f"`{token}` {where}")
        if found != token:
            raise self.error(f"expected `{token}` {where}, found `{_short(found)}`")

    def symbol(self, what: str) -> str:
        token = self.next(what)
        known = self._symbols_seen.get(token)
        if known is None:
            known = self._symbols_seen[token] = self._checked_symbol(token, what)
        return known

    def _checked_symbol(self, token: str, what: str) -> str:
        if token in "()" or token[0] in '":#' or token[0].isdigit() or token == "|":
            raise self.error(f"expected {what}, found `{_short(token)}`")
        if token in RESERVED_WORDS:
            raise self.error(f"expected {what}, found the reserved word `{token}`")
        return _plain(token)

    def wildcard(self, what: str) -> str:
        """A symbol, or `_` in a pattern."""
        if self.peek() != "_":
            return self.symbol(what)
        return self.next(what)

    def numeral(self, what: str) -> int:
        token = self.next(what)
        if not (token.isascii() and token.isdigit() and len(token) <= 9):
            raise self.error(f"expected {what}, a numeral below 10^9, found `{_short(token)}`")
        return int(token)

    def skip_expression(self) -> None:
        """Passes over one balanced expression."""
        depth = 0
        while True:
            token = self.next("an expression")
            depth += 1 if token == "(" else -1 if token == ")" else 0
            if depth < 0:
                raise self.error("expected an expression, found `)`")
            if depth == 0:
                return

    # Sorts -----------------------------------------------------------------------------------------------

    def sort(self) -> Sort:
        """A sort; sorts nest only a few deep, so this one recurses, within a limit."""
        return self._sort(0)

    def _sort(self, depth: int) -> Sort:
        if depth > 100:
            raise self.error("sorts nest more than 100 deep")
        start = self.at
        args: list[Sort] = []
        token = self.next("a sort")
        if token in _PLAIN_SORTS:
            return _PLAIN_SORTS[token]
        if token != "(":
            self.at -= 1
            name = self.symbol("a sort")
        elif self.tokens[self.at : self.at + 2] == ["_", "BitVec"]:
            self.at += 2
            width = self.numeral("the width of a bit-vector")
            if not 0 < width <= MAXIMAL_WIDTH:
                raise self.error(f"a bit-vector of width {width} (from 1 to {MAXIMAL_WIDTH} are accepted)")
            self.expect(")", "after the width")
            return bitvec(width)
        else:
            name = self.symbol("the name of a sort")
            while self.peek() not in ("", ")"):
                args.append(self._sort(depth + 1))
            self.expect(")", f"after the arguments of the sort `{name}`")
        try:
            sort = self.symbols.sort_of(name, tuple(args))
        except SortError as problem:
            raise self.error(str(problem), start) from None
        if sort.size > self.limits.sort_size:
            raise self.error(f"a sort written with more than {self.limits.sort_size} others", start)
        return sort

    def sorted_variables(self) -> list[tuple[str, Sort]]:
        """`((x Int) (y Bool))`."""
        self.expect("(", "before the variables")
        found: list[tuple[str, Sort]] = []
        while (token := self.next("a variable or `)`")) == "(":
            name = self.symbol("the name of a variable")
            found.append((name, self.sort()))
            self.expect(")", f"after the sort of `{name}`")
        if token != ")":
            raise self.error(f"expected `(` or `)` in a list of variables, found `{_short(token)}`")
        if len({name for name, _ in found}) < len(found):
            raise self.error("a variable is bound twice in one list")
        return found

    # Terms -----------------------------------------------------------------------------------------------

    def formula(self) -> Term:
        start = self.at
        term = self.term()
        if term.sort is not BOOL:
            raise self.error(f"expected a formula, found a term of sort {show_sort(term.sort)}", start)
        return term

    def term(self) -> Term:
        """The next term. This loop is what reading costs: it is written to be fast."""
        tokens, scope, applied, constants = self.tokens, self.scope, self._applied, self._constants
        stack: list[_Frame | _Binder] = []
        deepest = self.limits.nesting
        at = self.at
        end = len(tokens)
        while at < end:
            token = tokens[at]
            at += 1
            if token == "(":
                if at >= end:
                    break
                head = tokens[at]
                at += 1
                if len(stack) >= deepest:
                    raise self.error(f"terms nest more than {deepest} deep", at - 1)
                if head not in _SPECIAL:
                    stack.append([head if head[0] != "|" else _plain(head)])
                    continue
                self.at = at
                opened = self._special(head, stack)
                at = self.at
                if opened is None:
                    continue
                value = opened
            elif token == ")":
                if not stack:
                    raise self.error("expected a term, found `)`", at - 1)
                frame = stack.pop()
                self.at = at
                if type(frame) is list:
                    key = tuple(frame)
                    known = applied.get(key)
                    if known is None:
                        known = applied[key] = self._apply(key)
                    value = known
                else:
                    value = frame.finish(self)  # type: ignore[union-attr]  # narrowing by `type()` is half
                    at = self.at
            else:
                found = scope.get(token) or constants.get(token)
                if found is None:
                    self.at = at
                    found = self._constant(token)
                value = found
            if not stack:
                self.at = at
                return value
            frame = stack[-1]
            if type(frame) is list:
                frame.append(value)
            else:
                self.at = at
                frame.deliver(self, value)  # type: ignore[union-attr]  # see above
                at = self.at
        raise ReadError("the text ends inside a term; a `)` is missing", position_of(self.text, end))

    def _special(self, head: str, stack: list[_Frame | _Binder]) -> Term | None:
        """Opens a special form; gives its value at once where it has no subterms."""
        if head == "let":
            stack.append(_Let(self))
        elif head in ("forall", "exists"):
            stack.append(_Quantifier(self, head))
        elif head == "!":
            stack.append(_Annotated())
        elif head == "match":
            stack.append(_Match())
        elif head == "(":
            stack.append([self._operator()])
        elif head == ")":
            raise self.error("expected a term, found `()`")
        else:
            self.at -= 1
            return self._identifier_value()
        return None

    def _operator(self) -> tuple[object, ...]:
        """What stands behind `((`: `_ name index…` or `as name sort`."""
        kind = self.next("`_` or `as`")
        if kind == "_":
            name = self.symbol("an indexed symbol")
            params: list[object] = []
            while (token := self.next("an index or `)`")) != ")":
                params.append(int(token) if token.isascii() and token.isdigit() and len(token) < 10 else _plain(token))
            return (name, tuple(params))
        if kind == "as":
            name = self.symbol("a symbol")
            sort = self.sort()
            self.expect(")", "after the sort")
            return (name, sort)
        raise self.error(f"expected `_` or `as` behind `((`, found `{_short(kind)}`")

    def _identifier_value(self) -> Term:
        """`(_ bv5 8)` or `(as nil (List Int))`, used as a term."""
        start = self.at
        operator = self._operator()
        name, param = operator
        if isinstance(param, tuple) and isinstance(name, str):
            if _BITS.fullmatch(name) and len(param) == 1 and isinstance(param[0], int):
                value, width = self._digits(name[2:], 10, self.limits.numeral_digits), param[0]
                if not 0 < width <= MAXIMAL_WIDTH or value >> width:
                    raise self.error(f"`{name}` does not fit {width} bits", start)
                return bits(value, width)
            raise self.error(f"`(_ {name} …)` is not a term by itself", start)
        return self._apply((operator,), start)

    def _apply(self, key: tuple[_Operator | Term, ...], start: int | None = None) -> Term:
        operator, args = key[0], key[1:]
        try:
            term = self._apply_operator(operator, args)  # type: ignore[arg-type]  # all but the first are terms
        except SortError as problem:
            raise self.error(str(problem), self._opening() if start is None else start) from None
        if self.symbols.expanded_nodes > self.limits.definition_growth:
            raise self.error("defined functions expand to more than the limit allows")
        if term.kind is Kind.PREDICATE or (self.with_predicate and not self.with_predicate.isdisjoint(term.args)):
            self.with_predicate.add(term)
        elif operator in self.symbols.definitions and not self.with_predicate.isdisjoint(args):
            self._find_predicates(term)
        return term

    def _find_predicates(self, expanded: Term) -> None:
        """A definition puts its arguments anywhere in its body."""
        for node in subterms([expanded]):
            if not self.with_predicate.isdisjoint(node.args):
                self.with_predicate.add(node)

    def _apply_operator(self, operator: _Operator | Term, args: tuple[Term, ...]) -> Term:
        if isinstance(operator, str):
            if operator in INDEXED_NAMES:
                raise SortError(f"`{operator}` needs indices, as in ((_ {operator} 1) x)")
            return self.symbols.apply(operator, args)
        assert isinstance(operator, tuple)
        name, param = operator
        assert isinstance(name, str)
        if isinstance(param, tuple):
            return self.symbols.apply(name, args, param)
        assert isinstance(param, Sort)
        if name == "const":
            if len(args) != 1:
                raise SortError("`const` expects one argument")
            return constant_array(param, args[0])
        if name in self.symbols.constructors:
            return self.symbols.construct(name, args, param)
        term = self.symbols.apply(name, args)
        if term.sort is not param:
            raise SortError(f"`{name}` is of sort {show_sort(term.sort)}, not {show_sort(param)}")
        return term

    def _opening(self) -> int:
        """The number of the token that opened the term which ends just before the next token."""
        depth = 0
        for number in range(self.at - 1, -1, -1):
            token = self.tokens[number]
            depth += 1 if token == ")" else -1 if token == "(" else 0
            if depth <= 0:
                return number
        return 0

    def _constant(self, token: str) -> Term:
        """A token that stands for a term by itself: a literal, a quoted variable or a nullary symbol."""
        value = self._literal(token)
        if value is None:
            name = _plain(token)
            local = self.scope.get(name)
            if local is not None:
                return local
            if token[0] in ':"' or token in ("|", '"'):
                raise self.error(f"expected a term, found `{_short(token)}`")
            value = self._apply((name,), self.at - 1)
        self._constants[token] = value
        return value

    def _literal(self, token: str) -> Term | None:
        if token[0].isdigit():
            if not _DECIMAL.fullmatch(token):
                raise self.error(f"`{_short(token)}` is not a number")
            whole, dot, part = token.partition(".")
            number = self._digits(whole + part, 10, self.limits.numeral_digits)
            return real(Fraction(number, 10 ** len(part))) if dot else integer(number)
        if token[0] == "#":
            base, each = (16, 4) if token[1:2] == "x" else (2, 1)
            if token[1:2] not in ("x", "b") or not _DIGITS[base].fullmatch(token[2:]):
                raise self.error(f"`{_short(token)}` is not a number")
            return bits(self._digits(token[2:], base, MAXIMAL_WIDTH // each), each * (len(token) - 2))
        return None

    def _digits(self, digits: str, base: int, most: int) -> int:
        if len(digits) > most:
            raise self.error(f"a number with more than {most} digits")
        return int(digits, base)

    # Scopes ----------------------------------------------------------------------------------------------

    def bind(self, names: list[tuple[str, Term]]) -> list[tuple[str, Term | None]]:
        """Puts names in scope and gives what has to be restored afterwards."""
        before = [(name, self.scope.get(name)) for name, _ in names]
        for name, term in names:
            self.scope[name] = term
            self._constants.pop(f"|{name}|", None)
        return before

    def restore(self, before: list[tuple[str, Term | None]]) -> None:
        for name, term in reversed(before):
            if term is None:
                del self.scope[name]
            else:
                self.scope[name] = term

    def is_taken(self, name: str) -> bool:
        """Whether a bound variable of this name could be mistaken for something else."""
        return name in self.bound_names or self.symbols.hides(name)

    def open_quantifier(self) -> None:
        self._quantifiers_open += 1
        if self._quantifiers_open > self.limits.quantifier_nesting:
            raise self.error(f"quantifiers nest more than {self.limits.quantifier_nesting} deep")

    def close_quantifier(self) -> None:
        self._quantifiers_open -= 1


class _Let:
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


class _Quantifier:
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


class _Annotated:
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


class _Match:
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


def _plain(token: str) -> str:
    """The symbol without its bars."""
    return token[1:-1] if token[0] == "|" and len(token) > 1 else token


def _short(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:37]}…"

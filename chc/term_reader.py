"""From tokens to sorted terms, with an explicit stack instead of recursion.

`let` is expanded by sharing, `match` becomes `ite` over testers and selectors, annotations are dropped, and a
variable bound inside the scope of another of the same name is renamed, so that sharing never captures.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from chc.build import INDEXED_NAMES, MAXIMAL_WIDTH, SortError, constant_array
from chc.lexer import Limits, ReadError, position_of
from chc.sorts import BOOL, INT, REAL, RESERVED_WORDS, Sort, bitvec, quote_symbol, show_sort
from chc.special_forms import Annotated, Binder, Let, Match, Quantifier
from chc.symbols import Symbols
from chc.terms import (
    FALSE,
    TRUE,
    Kind,
    Term,
    bits,
    integer,
    real,
    subterms,
)

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
        """By the token of a name as it has to be written: a variable `|5|` is not the literal `5`."""
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
        stack: list[_Frame | Binder] = []
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

    def _special(self, head: str, stack: list[_Frame | Binder]) -> Term | None:
        """Opens a special form; gives its value at once where it has no subterms."""
        if head == "let":
            stack.append(Let(self))
        elif head in ("forall", "exists"):
            stack.append(Quantifier(self, head))
        elif head == "!":
            stack.append(Annotated())
        elif head == "match":
            stack.append(Match())
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
            local = self.scope.get(quote_symbol(name))
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
        written = [(quote_symbol(name), name, term) for name, term in names]
        before = [(token, self.scope.get(token)) for token, _, _ in written]
        for token, name, term in written:
            self.scope[token] = term
            self._constants.pop(f"|{name}|", None)
        return before

    def restore(self, before: list[tuple[str, Term | None]]) -> None:
        for token, term in reversed(before):
            if term is None:
                del self.scope[token]
            else:
                self.scope[token] = term

    def is_taken(self, name: str) -> bool:
        """Whether a bound variable of this name could be mistaken for something else."""
        return name in self.bound_names or self.symbols.hides(name)

    def open_quantifier(self) -> None:
        self._quantifiers_open += 1
        if self._quantifiers_open > self.limits.quantifier_nesting:
            raise self.error(f"quantifiers nest more than {self.limits.quantifier_nesting} deep")

    def close_quantifier(self) -> None:
        self._quantifiers_open -= 1


def _plain(token: str) -> str:
    """The symbol without its bars."""
    return token[1:-1] if token[0] == "|" and len(token) > 1 else token


def _short(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:37]}…"

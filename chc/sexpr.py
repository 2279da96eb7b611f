"""S-expressions as graphs: what `let` names is shared, and nothing is sorted or understood yet.

For texts such as proofs, of which only a few parts are terms over the symbols of an instance.
"""

from __future__ import annotations

from chc.lexer import Limits, ReadError, position_of, tokenize


class Node:
    """An expression in parentheses; compared by identity, so that shared ones are met once."""

    __slots__ = ("items",)

    def __init__(self, items: list[Expression]) -> None:
        self.items = items

    @property
    def head(self) -> Expression | None:
        return self.items[0] if self.items else None


Expression = str | Node
"""A token as it was written, or an expression in parentheses."""


def plain_symbol(token: str) -> str:
    """The symbol without its bars."""
    return token[1:-1] if len(token) > 1 and token[0] == "|" == token[-1] else token


def flatten(expression: Expression) -> list[str]:
    """The tokens of the expression."""
    tokens: list[str] = []
    stack = [expression]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            tokens.append(item)
        else:
            tokens.append("(")
            stack.append(")")
            stack.extend(reversed(item.items))
    return tokens


def read_expressions(text: str, limits: Limits | None = None) -> list[Expression]:
    """The expressions of the text, one after the other, `let` expanded by sharing."""
    return _Reader(text, limits or Limits()).read()


class _Reader:
    """One pass over the tokens; remembers for each open `let` what its names meant outside."""

    def __init__(self, text: str, limits: Limits) -> None:
        self._text = text
        self._limits = limits
        self._scope: dict[str, Expression] = {}
        self._stack: list[list[Expression]] = []
        self._outside: list[list[tuple[str, Expression | None]]] = []

    def read(self) -> list[Expression]:
        done: list[Expression] = []
        for number, token in enumerate(tokenize(self._text)):
            if token == "(":
                if len(self._stack) >= self._limits.nesting:
                    raise self._error(f"expressions nest more than {self._limits.nesting} deep", number)
                self._stack.append([])
                continue
            value: Expression
            if token == ")":
                if not self._stack:
                    raise self._error("a `)` that closes nothing", number)
                value = self._close(number)
            elif token in ("|", '"'):
                raise self._error(f"a `{token}` without its other half", number)
            else:
                value = self._scope.get(token, token) if self._is_use() else token
            (self._stack[-1] if self._stack else done).append(value)
            self._open_body(number)
        if self._stack:
            raise ReadError(f"the text ends with {len(self._stack)} expressions still open")
        return done

    def _error(self, message: str, number: int) -> ReadError:
        return ReadError(message, position_of(self._text, number))

    def _is_use(self) -> bool:
        """Whether a symbol here stands for what it names, rather than being the name that a `let` binds."""
        stack = self._stack
        return not (len(stack) > 2 and not stack[-1] and stack[-3] == ["let"])

    def _open_body(self, number: int) -> None:
        """Behind the bindings of a `let`: puts them in scope."""
        if not self._stack:
            return
        frame = self._stack[-1]
        if len(frame) != 2 or frame[0] != "let":
            return
        bindings = [self._binding(item, number) for item in self._items(frame[1], number)]
        self._outside.append([(name, self._scope.get(name)) for name, _ in bindings])
        self._scope.update(bindings)

    def _items(self, bindings: Expression, number: int) -> list[Expression]:
        if isinstance(bindings, str):
            raise self._error("`let` without bindings", number)
        return bindings.items

    def _binding(self, item: Expression, number: int) -> tuple[str, Expression]:
        if isinstance(item, Node) and len(item.items) == 2 and isinstance(item.items[0], str):
            return item.items[0], item.items[1]
        raise self._error("a binding of `let` that is no pair of a name and a value", number)

    def _close(self, number: int) -> Expression:
        items = self._stack.pop()
        if not items or items[0] != "let":
            return Node(items)
        if len(items) != 3:
            raise self._error("`let` expects bindings and one body", number)
        for name, value in reversed(self._outside.pop()):
            if value is None:
                self._scope.pop(name, None)
            else:
                self._scope[name] = value
        return items[2]

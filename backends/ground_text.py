"""Ground facts as z3 prints them, written out so that they can be read again.

z3 leaves out which sort a constructor of a parametric datatype belongs to, as in `(P nil)`. The predicate knows the
sorts of its arguments, so the sorts are put back from the outside to the inside: `(P (as nil (List Int)))`.
"""

from __future__ import annotations

from typing import Final

from backends.unreadable import Unreadable
from chc.sexpr import Expression, Node, plain_symbol
from chc.sorts import Sort, is_array, show_sort
from chc.symbols import Symbols

LONGEST_FACT: Final = 200_000
"""So many tokens may a fact have; what shares its parts can be far larger than the text that it came from."""
_Typed = tuple[Expression, Sort | None]


def text_of_fact(fact: Expression, symbols: Symbols) -> str:
    """The text of a fact; `Unreadable` where it would be too long."""
    tokens: list[str] = []
    stack: list[str | _Typed] = [*reversed(_arguments(fact, symbols))]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            tokens.append(item)
        elif isinstance(item[0], str):
            tokens.append(_qualified(item[0], item[1], symbols))
        else:
            tokens.append("(")
            stack.append(")")
            stack.extend(reversed(_parts(item[0], item[1], symbols)))
        if len(tokens) > LONGEST_FACT:
            raise Unreadable(f"the fact `{' '.join(tokens[:20])} …` is too large")
    return " ".join(tokens)


def beginning(expression: Expression) -> str:
    """The first tokens of an expression, for people."""
    tokens: list[str] = []
    stack = [expression]
    while stack and len(tokens) < 30:
        item = stack.pop()
        if isinstance(item, str):
            tokens.append(item)
        else:
            tokens.append("(")
            stack.append(")")
            stack.extend(reversed(item.items))
    return " ".join(tokens)[:200]


def _arguments(fact: Expression, symbols: Symbols) -> list[str | _Typed]:
    """The predicate, and its arguments with their sorts."""
    if isinstance(fact, str):
        return [fact]
    head = fact.head
    sorts = symbols.predicates.get(plain_symbol(head), ()) if isinstance(head, str) else ()
    return ["(", *_typed(fact, [None, *sorts]), ")"]


def _parts(node: Node, sort: Sort | None, symbols: Symbols) -> list[_Typed]:
    """The items of an expression of this sort, with the sorts that follow for them."""
    head = node.head
    if sort is None:
        return _typed(node, [])
    if isinstance(head, str):
        found = symbols.constructors.get(plain_symbol(head))
        if found is not None and found[0].name == sort.name:
            fields = next(each.selectors for each in found[0].instantiate(sort) if each.name == found[1].name)
            return _typed(node, [sort, *(field.sort for field in fields)])
        return _typed(node, [None, sort, *sort.args] if head == "store" and is_array(sort) else [])
    return _typed(node, [None, sort.args[1]] if is_array(sort) else [])


def _typed(node: Node, sorts: list[Sort | None]) -> list[_Typed]:
    rest = [None] * (len(node.items) - len(sorts))
    return list(zip(node.items, [*sorts, *rest], strict=False))


def _qualified(token: str, sort: Sort | None, symbols: Symbols) -> str:
    found = symbols.constructors.get(plain_symbol(token))
    if sort is None or found is None or not found[0].parameters or found[0].name != sort.name:
        return token
    return f"(as {token} {show_sort(sort)})"

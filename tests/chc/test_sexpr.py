"""S-expressions with `let` expanded by sharing."""

from __future__ import annotations

import pytest

from chc.lexer import Limits, ReadError
from chc.sexpr import Expression, Node, flatten, plain_symbol, read_expressions


def shown(text: str) -> list[str]:
    return [" ".join(flatten(expression)) for expression in read_expressions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a (b c) ()", ["a", "( b c )", "( )"]),
        ("(let ((x (f a))) (g x x))", ["( g ( f a ) ( f a ) )"]),
        ("(let ((x a) (y b)) (let ((x y) (y x)) (g x y)))", ["( g b a )"]),
        ("(f (let ((x a)) x) x)", ["( f a x )"]),
        ("(let ((x a)) (let ((x (f x))) x))", ["( f a )"]),
        ("(let ((|x y| a)) |x y|)", ["a"]),
    ],
)
def test_reading(text: str, expected: list[str]) -> None:
    """Bindings are parallel, and end with their body."""
    assert expected == shown(text)


def test_what_let_names_is_shared() -> None:
    """Sixty doublings are sixty nodes, each with the same argument twice."""
    text = "a"
    for n in range(60):
        text = f"(let ((x{n} {text})) (f x{n} x{n}))"
    node: Expression = read_expressions(text)[0]
    depth = 0
    while isinstance(node, Node):
        assert node.items[1] is node.items[2]
        node = node.items[1]
        depth += 1
    assert (60, "a") == (depth, node)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a)", "1:2: a `)` that closes nothing"),
        ("(a (b)", "the text ends with 1 expressions still open"),
        ("(a |b", "1:4: a `|` without its other half"),
        ("(let x y)", "1:6: `let` without bindings"),
        ("(let ((x)) y)", "1:10: a binding of `let` that is no pair of a name and a value"),
        ("(let ((x a)))", "1:13: `let` expects bindings and one body"),
        ("(let ((x a)) x x)", "1:17: `let` expects bindings and one body"),
        ("((((a))))", "1:4: expressions nest more than 3 deep"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    """Each with its place."""
    with pytest.raises(ReadError) as caught:
        read_expressions(text, Limits(nesting=3))
    assert message == str(caught.value)


def test_deep_nesting() -> None:
    """A hundred thousand parentheses, read and written."""
    text = "(f " * 100_000 + "x" + ")" * 100_000
    assert 300_001 == len(flatten(read_expressions(text)[0]))


def test_heads_and_plain_symbols() -> None:
    """The first item of a node, and symbols without their bars."""
    head, empty = read_expressions("(f x) ()")
    assert isinstance(head, Node)
    assert isinstance(empty, Node)
    assert ("f", None) == (head.head, empty.head)
    assert ["x y", "x", "|", ""] == [plain_symbol(token) for token in ("|x y|", "x", "|", "||")]

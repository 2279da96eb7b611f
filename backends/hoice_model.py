"""HoIce's models, whose definitions come in any order and may call one another.

They are put in an order in which each calls only those before it, and the calls are expanded. Recursive helpers say
something that no formula of the language says; a model that rests on one cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from backends.model_reader import read_model
from backends.unreadable import Malformed, Unreadable, check_length
from chc.instance import Instance
from chc.lexer import tokenize
from chc.model import Model

_RECURSIVE: Final = "define-fun-rec"
_DEFINERS: Final = ("define-fun", _RECURSIVE)


class _Definition(msgspec.Struct):
    tokens: list[str]

    @property
    def name(self) -> str:
        return self.tokens[2].strip("|")

    def calls(self, others: dict[str, _Definition]) -> list[str]:
        """Whom it mentions; a parameter that is called like somebody else counts as well, and does no harm."""
        return [name for token in self.tokens[3:] if (name := token.strip("|")) in others]


def model_in(text: str, asked: Instance) -> Model:
    """The model in the text. Raises `Malformed` or `Unreadable`, which say why there is none."""
    check_length(text)
    tokens = tokenize(text)
    if tokens[:2] != ["(", "model"] or tokens.count("(") > tokens.count(")"):
        raise Malformed("there is no whole model")
    definitions = {definition.name: definition for definition in _definitions(tokens[2:-1])}
    ordered = [definitions[name] for name in _ordered(definitions, asked)]
    return read_model(f"({' '.join(token for each in ordered for token in each.tokens)})", asked, may_call=True)


def _definitions(tokens: list[str]) -> Iterator[_Definition]:
    depth, start = 0, 0
    for at, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            found = tokens[start : at + 1]
            if len(found) < 6 or found[1] not in _DEFINERS:
                raise Malformed(f"`{' '.join(found[:8])}` is no definition")
            yield _Definition(found)
            start = at + 1


def _ordered(definitions: dict[str, _Definition], asked: Instance) -> list[str]:
    """Those called before those that call them; helpers that no predicate needs are left out."""
    done: list[str] = []
    open_: list[str] = []
    stack = [predicate.name for predicate in reversed(asked.predicates) if predicate.name in definitions]
    while stack:
        name = stack[-1]
        called = [other for other in definitions[name].calls(definitions) if other not in done]
        if definitions[name].tokens[1] == _RECURSIVE:
            raise Unreadable(f"the model rests on the recursive function `{name}`")
        if name in done or not called:
            stack.pop()
            if name not in done:
                done.append(name)
            if name in open_:
                open_.remove(name)
        elif any(other in open_ or other == name for other in called):
            raise Unreadable(f"the definition of `{name}` leads back to itself")
        else:
            open_.append(name)
            stack.extend(called)
    return done

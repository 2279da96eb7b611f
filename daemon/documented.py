"""What the lines below the fields of a struct say, so that pages and files can be made from them."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from enum import Enum

import msgspec


@functools.cache
def words_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """For each field, in their order, the docstring below it in one line; empty where there is none."""
    found: dict[str, str] = dict.fromkeys(kind.__struct_fields__, "")
    for base in reversed(kind.__mro__):
        if base is not msgspec.Struct and issubclass(base, msgspec.Struct):
            found.update(_read(base))
    return {name: found[name] for name in kind.__struct_fields__}


def summary_of(kind: type) -> str:
    """The docstring of a class in one line."""
    return " ".join((kind.__doc__ or "").split())


def member_words_of(kind: type[Enum]) -> dict[str, str]:
    """For each member of an enumeration, by its name, the docstring below it in one line."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found = dict.fromkeys(kind.__members__, "")
    for member, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(member, ast.Assign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            (name,) = member.targets
            assert isinstance(name, ast.Name)
            found[name.id] = " ".join(str(below.value.value).split())
    return found


def _read(kind: type) -> dict[str, str]:
    """A string that follows a field belongs to it."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
                found[field.target.id] = " ".join(below.value.value.split())
    return found

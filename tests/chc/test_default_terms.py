"""Some ground term of each sort that has one."""

from __future__ import annotations

import pytest

from chc.default_terms import DefaultTerms
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, Sort, array, bitvec, make_sort

INSTANCE = read_instance("""
(declare-sort Colour 0)
(declare-datatypes ((Ints 0)) (((more (head Int) (tail Ints)) (none))))
(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (children Forest))) ((bare) (grow (tree Tree)))))
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (car T) (cdr (List T)))))))
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (one A) (two B))))))
(declare-datatypes ((Shade 0)) (((shade (colour Colour)))))
(declare-datatypes ((Mood 0)) (((blue (why Colour)) (fine (how Int) (much Int)))))
""")


@pytest.mark.parametrize(
    ("sort", "text"),
    [
        (BOOL, "false"),
        (INT, "0"),
        (REAL, "0.0"),
        (bitvec(8), "#x00"),
        (
            array(INT, array(BOOL, REAL)),
            "((as const (Array Int (Array Bool Real))) ((as const (Array Bool Real)) 0.0))",
        ),
        (make_sort("Ints"), "none"),
        (make_sort("Tree"), "(node 0 bare)"),
        (make_sort("List", (BOOL,)), "(as nil (List Bool))"),
        (make_sort("Pair", (INT, make_sort("Ints"))), "((as pair (Pair Int Ints)) 0 none)"),
        (make_sort("Mood"), "(fine 0 0)"),
    ],
)
def test_default_terms(sort: Sort, text: str) -> None:
    """The smallest constructor comes first, one without a ground term never."""
    found = DefaultTerms(INSTANCE.datatypes).of(sort)
    assert found is not None
    assert text == show_term(found)
    assert sort is found.sort


@pytest.mark.parametrize(
    "sort", [make_sort("Colour"), make_sort("Shade"), array(INT, make_sort("Colour")), make_sort("Unheard")]
)
def test_sorts_without_ground_terms(sort: Sort) -> None:
    """An uninterpreted sort has none, nor has what needs an element of it; asking again does not help."""
    terms = DefaultTerms(INSTANCE.datatypes)
    assert [None, None] == [terms.of(sort), terms.of(sort)]

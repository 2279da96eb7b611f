"""Two instances beside one another have no name in common, and what they say is unchanged."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from chc.instance import Instance
from chc.script import read_instance
from transformations.disjoint import disjoint
from transformations.names import symbol_names

ONE = read_instance(
    """(set-logic HORN) (declare-sort S 0)
    (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-datatypes ((Tree 0)) (((leaf) (node (label S) (left Tree)))))
    (declare-fun p (List S) Bool) (declare-fun p_1 () Bool)
    (assert (forall ((l List) (s S) (q Tree))
      (=> (and (p l s) ((_ is cons) l) (= (label q) s) (forall ((t Tree)) (= t q))) (p (tail l) s))))"""
)


def text_of(pair_of: Instance, other: Instance) -> str:
    pair = disjoint(pair_of, other)
    return pair.declared.replace(clauses=(*pair.first, *pair.second)).text


def test_an_instance_beside_itself() -> None:
    """The lists are the same; the trees are not, since they are over the sort of each instance."""
    pair = disjoint(ONE, ONE)
    assert (("S", 0), ("S_1", 0)) == pair.declared.sorts
    assert ["List", "Tree", "Tree_1"] == [d.name for group in pair.declared.datatypes for d in group.datatypes]
    assert ["p", "p_1", "p_2", "p_1_1"] == [predicate.name for predicate in pair.declared.predicates]
    assert ["p_2", "p_1_1"] == [predicate.name for predicate in pair.predicates_of_second]


def test_what_is_declared_has_one_meaning() -> None:
    """No symbol twice, and the two markers are nobody's."""
    pair = disjoint(ONE, ONE)
    child = pair.declared.replace(clauses=(*pair.first, *pair.second))
    assert [] == [name for name, count in Counter(symbol_names(child)).items() if count > 1]
    assert ("fresh_1", "fresh_2") == pair.markers
    assert child == read_instance(child.text)


def test_the_names_of_the_second_are_changed_everywhere() -> None:
    """In sorts, testers, selectors, bound variables and atoms; and changed back they are what they were."""
    text = text_of(ONE, ONE).split("\n")
    clause = next(line for line in text if "(p_2 " in line)
    assert "(l List) (s S_1) (q Tree_1)" in clause
    assert "(= (label_1 q) s)" in clause
    assert "(forall ((t Tree_1))" in clause


@pytest.mark.shared
def test_seeds_in_pairs_read_back(shared_dir: Path) -> None:
    """Real instances beside their neighbours in the collection."""
    paths = sorted(path for path in shared_dir.glob("seeds/*/*.smt2") if path.stat().st_size < 20_000)[::8]
    instances = [read_instance(path.read_text()) for path in paths]
    assert len(instances) > 5
    for one, other in pairwise(instances):
        pair = disjoint(one, other)
        child = pair.declared.replace(clauses=(*pair.first, *pair.second))
        assert child == read_instance(child.text)

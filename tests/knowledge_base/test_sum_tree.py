"""Weighted sampling against the plain way of doing it."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from knowledge_base.sum_tree import SumTree

WEIGHTS = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=20)


@given(WEIGHTS, st.data())
def test_a_point_leads_to_where_the_running_sum_passes_it(weights: list[float], data: st.DataObject) -> None:
    """With small whole numbers everything is exact, so the two ways must agree."""
    tree = SumTree()
    for weight in weights:
        tree.append(weight)
    assert sum(weights) == tree.total
    if tree.total:
        point = data.draw(st.integers(0, int(tree.total) - 1)) + 0.5
        expected = next(place for place, passed in enumerate(accumulate(weights)) if passed > point)
        assert expected == tree.find(point)


@given(WEIGHTS, st.lists(st.tuples(st.integers(0, 19), st.integers(0, 5))))
def test_changes_and_removals_leave_the_tree_as_if_built_anew(
    weights: list[float], changes: list[tuple[int, int]]
) -> None:
    """A change beyond the end removes the last weight instead."""
    tree = SumTree()
    for weight in weights:
        tree.append(weight)
    plain = list(weights)
    for place, weight in changes:
        if place < len(plain):
            plain[place] = tree[place] = float(weight)
        elif plain:
            assert plain.pop() == tree.pop()
    assert plain == [tree[place] for place in range(len(tree))]
    assert sum(plain) == tree.total


def test_rounding_does_not_lead_to_an_empty_place() -> None:
    """A point at the very end belongs to the last place that weighs anything."""
    tree = SumTree()
    for weight in (0.1, 0.2, 0.0, 0.0, 0.0):
        tree.append(weight)
    assert 1 == tree.find(tree.total)


def test_sums_do_not_drift() -> None:
    """After huge weights have come and gone, the small ones are still exact."""
    tree = SumTree()
    for weight in (1.0, 1e-9):
        tree.append(weight)
    for _ in range(1000):
        tree[0] = 1e12
        tree[0] = 0.0
    assert 1e-9 == tree.total

"""Pages and commands say and draw what is recorded of them."""

from collections.abc import Iterator
from functools import cache

import pytest

from tests.goldens import store
from tests.goldens.comparing import difference
from tests.goldens.numbers import are_equal, mix
from tests.goldens.store import Seen
from tests.goldens.visiting import one_search_for_components, seen_at

# Of these not even one state is quick.
_LONG = (
    "command-forecast-study",
    "planner",
    "protected_forecasts",
    "train",
    "paper_figures",
    "subsequences",
    "one_bag",
)
_BY_GROUP = {group: store.read(group) for group in store.groups()}
RECORDED = {f"{group}: {one.visit.name}": one for group, all_ in _BY_GROUP.items() for one in all_}
QUICK = [
    f"{group}: {several[0].visit.name}"
    for group, several in _BY_GROUP.items()
    if group not in _LONG
]
# What Streamlit sends, and late digits, are those of the packages that were there.
as_recorded = pytest.mark.skipif(
    store.versions() != store.recorded_versions(),
    reason=f"recorded with {store.recorded_versions()}, and here are {store.versions()}",
)


@pytest.fixture(scope="module", autouse=True)
def _search_once() -> Iterator[None]:
    with one_search_for_components():
        yield


@cache
def difference_of(name: str) -> str:
    """Return how a state differs from what is recorded; it is visited once for all tests."""
    before = RECORDED[name]
    return difference(before, seen_at(before.visit))


def hold_to_record(name: str) -> None:
    found = difference_of(name)
    if found:
        again = f"python -m tests.goldens.record --show {name.partition(':')[0]}"
        pytest.fail(f"{name} says something else than recorded ({again}):\n{found}", pytrace=False)


@as_recorded
@pytest.mark.parametrize("name", QUICK)
def test_a_sample_says_what_is_recorded(name):
    hold_to_record(name)


@as_recorded
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RECORDED if name not in QUICK])
def test_every_state_says_what_is_recorded(name):
    hold_to_record(name)


def test_every_page_is_recorded():
    pages = {path.stem for path in (store.FOLDER.parents[2] / "pages").glob("*.py")}
    assert pages <= set(store.groups())


def with_entries(*entries: str) -> Seen:
    return Seen(visit=next(iter(RECORDED.values())).visit, entries=entries)


@pytest.mark.parametrize(
    ("before", "now", "is_equal"),
    [
        ("ε ≤ 19.03 at δ", "ε ≤ 19.04 at δ", False),
        ("at most 19.03", "at least 19.03", False),
        ("x: [9.99219879, 1]", "x: [9.992198791, 1]", True),
        ("x: [9.99219879, 1]", "x: [9.99221879, 1]", False),
        ("x: [0.5, 1]", "x: [0.5000000001, 1]", True),
        ("320 series", "321 series", False),
        ("seed 123456789", "seed 123456788", False),
        ("2 rows, mix=12.34567890", "2 rows, mix=12.34567990", True),
        ("2 rows, mix=12.34567890", "2 rows, mix=12.34578990", False),
    ],
)
def test_late_digits_of_long_numbers_are_all_that_may_change(before, now, is_equal):
    assert are_equal(before, now) == is_equal
    assert (difference(with_entries(before), with_entries(now)) == "") == is_equal


def test_any_number_of_a_long_list_is_seen_to_change():
    values = [10.0 ** (-at / 7) for at in range(200)]
    for at in (0, 77, 199):
        changed = [*values]
        changed[at] *= 1.00001
        assert not are_equal(f"mix={mix(values):.8f}", f"mix={mix(changed):.8f}")
        changed[at] = values[at] * (1 + 1e-12)
        assert are_equal(f"mix={mix(values):.8f}", f"mix={mix(changed):.8f}")
    assert not are_equal(f"mix={mix(values):.8f}", f"mix={mix(values[::-1]):.8f}")


def test_what_is_lacking_or_new_is_told():
    before, now = with_entries("one", "two\nlines"), with_entries("one", "three")
    assert difference(before, now) == "- two\n- lines\n+ three"

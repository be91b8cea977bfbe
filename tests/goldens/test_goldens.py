"""Pages and commands say and draw what is recorded of them."""

from datetime import date, timedelta

import pytest

from tests.goldens import store
from tests.goldens.comparing import (
    are_equal,
    difference,
    mix,
    numbers_in_short,
    texts_in_short,
    tolerance_of,
)
from tests.goldens.masks import without_days
from tests.goldens.store import Seen
from tests.goldens.visiting import seen_at

# Of these the first state takes long.
_LONG = (
    "start",
    "command-forecast-study",
    "planner",
    "protected_forecasts",
    "train",
    "paper_figures",
    "subsequences",
    "one_bag",
    "release",
    "sample_or_walk",
)
_BY_GROUP = {group: store.read(group) for group in store.groups()}
RECORDED = {f"{group}: {one.visit.name}": one for group, all_ in _BY_GROUP.items() for one in all_}
# Of each group the first, and charts and schemes that no quick test of a page has.
QUICK = [
    *(f"{group}: {all_[0].visit.name}" for group, all_ in _BY_GROUP.items() if group not in _LONG),
    "privacy_curve: flat with-replacement",
    "privacy_curve: poisson poisson",
    "privacy_curve: walk over training",
    "label_noise: labels",
    "sample_or_walk: view 1",
    "one_bag: view 1",
    "one_bag: walk",
    "protection: user",
    "release: filter-subsample-exact",
    "release: lane",
    "planner: view 4",
    "epsilon_meaning: view 3",
    "batch_drawing: bag",
]


# What Streamlit sends, and late digits, are those of the packages that were there.
@pytest.mark.skipif(
    store.versions() != store.recorded_versions(),
    reason=f"recorded with {store.recorded_versions()}, and here are {store.versions()}",
)
@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in RECORDED],
)
def test_state_says_what_is_recorded(name):
    before = RECORDED[name]
    found = difference(before, seen_at(before.visit), tolerance_of(name))
    if found:
        again = f"python -m tests.goldens.record --show {name.partition(':')[0]}"
        pytest.fail(f"{name} says something else than recorded ({again}):\n{found}", pytrace=False)


def test_every_page_is_recorded():
    assert RECORDED.keys() >= set(QUICK)
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
        ("x: [9.99219879, 1]", "x: [9.99239879, 1]", False),
        ("grid 0.00019591", "grid 0.000195909", True),
        ("x: [0.5, 1]", "x: [0.5000000001, 1]", True),
        ("320 series", "321 series", False),
        ("seed 123456789", "seed 123456788", False),
        ("2 rows, mix=12.34567890", "2 rows, mix=12.34567790", True),
        ("2 rows, mix=12.34567890", "2 rows, mix=12.34578990", False),
    ],
)
def test_late_digits_of_long_numbers_are_all_that_may_change(before, now, is_equal):
    assert are_equal(before, now) == is_equal
    assert (difference(with_entries(before), with_entries(now)) == "") == is_equal


def test_what_is_fitted_may_differ_a_little_but_no_count_and_no_word():
    assert are_equal("median 685.5 of 24", "median 685.6 of 24", within=5e-3)
    assert not are_equal("median 685.5 of 24", "median 690.5 of 24", within=5e-3)
    assert not are_equal("median 685.5 of 2400", "median 685.5 of 2401", within=5e-3)
    assert not are_equal("at most 685.5", "at least 685.5", within=5e-3)


def test_any_number_of_a_long_list_is_seen_to_change():
    values = [10.0 ** (-at / 50) for at in range(200)]
    for at in (0, 77, 199):
        for factor, is_equal in ((1.001, False), (1 + 1e-10, True)):
            changed = [*values]
            changed[at] *= factor
            told = numbers_in_short(values), numbers_in_short(changed)
            assert are_equal(*told) == is_equal
    assert not are_equal(f"mix={mix(values):.8f}", f"mix={mix(values[::-1]):.8f}")


@pytest.mark.parametrize(
    ("text", "is_equal"),
    [("at most 0.0317", True), ("at most 0.0516", False), ("at least 0.0316", False)],
)
def test_in_texts_a_number_may_be_rounded_otherwise_but_all_words_stay(text, is_equal):
    texts = ["at most 0.0316"] * 150
    changed = [*texts[:40], text, *texts[41:]]
    assert are_equal(texts_in_short(texts), texts_in_short(changed)) == is_equal


def test_a_run_that_passes_midnight_masks_both_days():
    today = date.today()
    yesterday = today - timedelta(days=1)
    written = f"made on {yesterday.isoformat()}, compared on {today.isoformat()}"
    assert without_days(written, begun=yesterday) == "made on (today), compared on (today)"
    assert (
        without_days(written, begun=today)
        == f"made on {yesterday.isoformat()}, compared on (today)"
    )

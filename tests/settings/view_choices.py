"""Every choice of what the pages show: views at random, other values, and bad ones."""

from datetime import date
from functools import reduce

from hypothesis import strategies as st

from dpviz.scenario import PRESETS
from dpviz.scenario.ledger import MOST_RUNS, NamedRun, ledger_to_query
from dpviz.settings import VIEW_SETTINGS, View
from dpviz.settings.curves import FIRST_DATES
from dpviz.settings.lessons import CHOICES, CODE_LETTERS, LESSONS, with_answer, with_lesson
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS, checked_forecasters

RUNS = [  # a ledger that is full
    NamedRun(name=f"run {place}", scenario=PRESETS["toy"].scenario)
    for place in range(1, MOST_RUNS + 1)
]
TEXTS = {
    "first_date": st.dates(*FIRST_DATES).map(date.isoformat),
    "game_answers": st.just("") | st.from_regex("[0-9a-f]{8}-[yn]{1,50}", fullmatch=True),
    "answers": st.dictionaries(st.sampled_from(LESSONS), st.sampled_from(CHOICES)).map(
        lambda chosen: reduce(lambda text, pair: with_answer(text, *pair), chosen.items(), "")
    ),
    "revealed": st.sets(st.sampled_from(LESSONS)).map(lambda shown: reduce(with_lesson, shown, "")),
    "class_code": st.just("") | st.from_regex(f"[{CODE_LETTERS}]{{5}}", fullmatch=True),
    "class_key": st.just("") | st.from_regex("[0-9a-f]{32}", fullmatch=True),
    "staged_levels": st.lists(
        st.integers(1, 50).flatmap(lambda size: st.integers(1, size).map(f"{{}}:{size}".format)),
        min_size=2,
        max_size=5,
    ).map(",".join),
    "live_forecasters": st.permutations(LIVE_FORECASTERS).map(
        lambda names: checked_forecasters("live_forecasters", ",".join(names[:2]))
    ),
}


def values_of(setting):
    """Return a strategy of what a setting may be."""
    if setting.name in TEXTS:
        return TEXTS[setting.name]
    if setting.choices:
        return st.sampled_from(list(setting.choices))
    if setting.check is not None:
        return st.just(setting.default)
    low, high = setting.limits
    return st.integers(low, high) if isinstance(low, int) else st.floats(low, high)


VIEWS = st.builds(View, **{name: values_of(one) for name, one in VIEW_SETTINGS.items()})
OTHER_TEXTS = {
    "first_date": "2021-02-28",
    "game_answers": "0123abcd-ynn",
    "answers": "leak-c.bag-a",
    "revealed": "leak.epsilon",
    "class_code": "BCDFG",
    "class_key": "0123456789abcdef" * 2,
    "staged_levels": "2:3,4:5,1:9",
    "live_forecasters": "ses,auto-ets",
} | ledger_to_query(RUNS)
BAD_TEXTS = {
    "first_date": ["", "2024", "2024-13-01", "2023-02-29", "1799-12-31", "9999-12-31", "1.1.2024"],
    "game_answers": [
        *("-", "ynn", "0123abcd", "0123abcd-", "0123abcd-x", "0123ABCD-y"),
        *("0123abcd-" + "y" * 51, "0123abcd-y\n", "y" * 10**6),
    ],
    "answers": [
        *("-", "leak", "leak-e", "leak-A", "leak-", "leak-a.leak-b", "leak-a.", "."),
        *("leak-a,rates-b", "all-a", "leak-a" + ".leak-a" * 10**6),
    ],
    "revealed": [".", "all", "leak.leak", "leak.", "leak,rates", "leak-a"],
    "class_code": ["BCDF", "BCDFGH", "ABCDF", "BCDF1", "BCDFG\n", "B" * 10**6],
    "class_key": ["0", "g" * 32, "0" * 31, "0" * 33, "A" * 32, "0" * 10**6],
    "staged_levels": ["", "1:2", "1:2,3", "3:2,1:2", "0:2,1:2", "1:2," * 10**5, "1:2,1:2x"],
    "live_forecasters": ["", ",", "ses,", "SES", "ses,lasso-var", "ses," * 10**5],
} | {name: ["name=&schema=1"] for name in ledger_to_query(RUNS)}


def other_value(setting):
    """Return what a setting may be, too, than it is at first."""
    if setting.name in OTHER_TEXTS:
        return OTHER_TEXTS[setting.name]
    if setting.choices:
        return next(one for one in reversed(setting.choices) if one != setting.default)
    low, high = setting.limits
    if isinstance(low, int):
        return setting.default + 1 if setting.default < high else low
    return (low + setting.default) / 2 if setting.default > low else high


def bad_texts(setting):
    """Return what no link may say of a setting."""
    if setting.name in BAD_TEXTS:
        return BAD_TEXTS[setting.name]
    if setting.choices:
        first = next(iter(setting.choices))
        bad = ["", "pie", f"{first} ", f"x{first}", "a\nb\x1b[2J", "\u202eabc"]
        return [*bad, "x" * 10**6] if len(setting.choices) < 6 else bad
    low, high = setting.limits
    if isinstance(low, int):
        return ["", "many", "nan", "inf", "1e400", "1,5", f"{low}.5", str(low - 1), str(high + 1)]
    outside = (low - max(abs(low), 0.01) * 0.01, high * 1.01)
    return ["", "x", "nan", "inf", "1e400", "1,5", "50 %", "0x10", "1" * 10**6, *map(repr, outside)]


OTHERS = {name: other_value(one) for name, one in VIEW_SETTINGS.items()}
BAD = {name: bad_texts(one) for name, one in VIEW_SETTINGS.items()}

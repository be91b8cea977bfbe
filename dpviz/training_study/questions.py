"""The questions of the study, and what was to be counted as their answers before any was known."""

from dpviz.training_study.common import WITHOUT_PRIVACY
from dpviz.training_study.question import (
    PREVIOUS,
    SEASONAL_NAIVE,
    UNTRAINED,
    Claim,
    Kind,
    Question,
)

_BUDGET = Question(
    name="budget",
    title="How much accuracy does a budget buy?",
    setting="epsilon",
    values=(0.5, 1.0, 2.0, 4.0, 8.0, WITHOUT_PRIVACY),
    paper_tables=(2, 3, 4),
    claims=(
        Claim(
            name="falls",
            text="The error is smaller at ε = 8 than at ε = 0.5.",
            kind=Kind.LOWER,
            values=(8.0,),
            against=0.5,
        ),
        Claim(
            name="never-rises",
            text="From no ε to the next larger one does the error rise by more than the margin.",
            kind=Kind.NOT_WORSE,
            values=(1.0, 2.0, 4.0, 8.0),
            against=PREVIOUS,
        ),
        Claim(
            name="beats-naive",
            text="At every ε from 1 on the error is smaller than the seasonal naive forecast's.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=SEASONAL_NAIVE,
        ),
        Claim(
            name="beats-untrained",
            text="At every ε from 1 on the error is smaller than that of the same model before "
            "its first step.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=UNTRAINED,
        ),
        Claim(
            name="costs",
            text="Without privacy the error is smaller than at ε = 8.",
            kind=Kind.LOWER,
            values=(WITHOUT_PRIVACY,),
            against=8.0,
        ),
    ),
)

_WINDOWS = Question(
    name="windows",
    title="Does it matter how many windows are drawn of each series?",
    setting="num_subsequences",
    values=(1.0, 2.0, 4.0, 8.0, 16.0),
    epsilons=(8.0, WITHOUT_PRIVACY),
    paper_figure=12,
    claims=(
        Claim(
            name="not-without-privacy",
            text="Without privacy the error with λ = 2, 4, 8 and 16 differs from that with λ = 1 "
            "by no more than the margin.",
            kind=Kind.WITHIN,
            values=(2.0, 4.0, 8.0, 16.0),
            against=1.0,
            epsilon=WITHOUT_PRIVACY,
        ),
        Claim(
            name="at-fixed-budget",
            text="At ε = 8 the error with some larger λ exceeds that with λ = 1 by more than the "
            "margin.",
            kind=Kind.WORSE_SOMEWHERE,
            values=(2.0, 4.0, 8.0, 16.0),
            against=1.0,
            epsilon=8.0,
        ),
    ),
)

_LABELS = Question(
    name="labels",
    title="Does noise on labels help where values change little?",
    setting="forecast_noise",
    values=(0.0, 0.5, 1.0, 2.0, 5.0),
    epsilons=(0.5,),
    paper_tables=(8, 9, 10),
    claims=(
        Claim(
            name="harmless",
            text="At ε = 0.5 no noise on labels, up to σ_F = 5, raises the error by more than the "
            "margin.",
            kind=Kind.NOT_WORSE,
            values=(0.5, 1.0, 2.0, 5.0),
            against=0.0,
            epsilon=0.5,
        ),
        Claim(
            name="helps",
            text="At ε = 0.5 the error with some noise on labels is smaller than without it.",
            kind=Kind.LOWER_SOMEWHERE,
            values=(0.5, 1.0, 2.0, 5.0),
            against=0.0,
            epsilon=0.5,
        ),
    ),
)

_WIDTH = Question(
    name="width",
    title="What does it cost to protect several values of a person?",
    setting="relation_width",
    values=(1.0, 2.0, 4.0, 8.0),
    epsilons=(4.0,),
    relation="user",
    paper_tables=(5, 6, 7),
    claims=(
        Claim(
            name="costs",
            text="At ε = 4 the error is smaller where w = 1 value is protected than where w = 8 "
            "are.",
            kind=Kind.LOWER,
            values=(1.0,),
            against=8.0,
            epsilon=4.0,
        ),
        Claim(
            name="beats-naive",
            text="At ε = 4 the error is smaller than the seasonal naive forecast's for every w.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=SEASONAL_NAIVE,
            epsilon=4.0,
        ),
        Claim(
            name="beats-untrained",
            text="At ε = 4 the error is smaller than that of the same model before its first "
            "step, for every w.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=UNTRAINED,
            epsilon=4.0,
        ),
    ),
)

QUESTIONS: dict[str, Question] = {
    question.name: question for question in (_BUDGET, _WINDOWS, _LABELS, _WIDTH)
}

"""Which figure or table of a paper, or of the study of accuracy, is shown."""

from dataclasses import dataclass

from dpviz.settings.setting import ViewPart, choice, number, themselves

MOST_PANELS = 32
MOST_REPORTED_COLUMNS = 16


@dataclass(frozen=True, kw_only=True)
class PaperFiguresView(ViewPart):
    """A figure of Schuchardt et al.; beyond the last panel, the last one is meant."""

    figure: str = choice(
        "2",
        themselves("2", "3", "4", "5", "6", "7", "8", "9", "10", "13"),
        "Figure",
        is_looked_at=True,
    )
    panel: int = number(
        0, (0, MOST_PANELS), "Panel", help="Each has settings of its own.", is_looked_at=True
    )


@dataclass(frozen=True, kw_only=True)
class PaperTablesView(ViewPart):
    """A table of Schuchardt et al.; beyond the last column, the last one is meant."""

    reported_table: str = choice(
        "2",
        themselves(*map(str, range(1, 14)), "figure-11", "figure-12"),
        "Table",
        is_looked_at=True,
    )
    reported_column: int = number(1, (0, MOST_REPORTED_COLUMNS), "Column", is_looked_at=True)
    reported_windows: str = choice(
        "stated",
        {"stated": "as stated", "lags": "with DeepAR's lags"},
        "Windows in dpviz's accounting",
        help="Past values that a window reads: as the paper states, or with DeepAR's lags besides.",
        term="context-length",
        is_looked_at=True,
    )


@dataclass(frozen=True, kw_only=True)
class TrainingStudyView(ViewPart):
    """Which results of the study of accuracy are shown."""

    study_question: str = choice(
        "budget",
        themselves("budget", "windows", "labels", "width"),
        "Question",
        help="What a budget buys; windows per series; noise on labels; several protected values.",
        is_looked_at=True,
    )
    study_data: str = choice(
        "generated",
        {"generated": "made-up series", "m3": "M3 series"},
        "Series",
        help="1,000 made-up series of 240 months, or the 474 shorter M3 series.",
        is_looked_at=True,
    )
    study_model: str = choice(
        "linear",
        {
            "linear": "linear",
            "feedforward": "feed-forward",
            "attention": "attention",
            "recurrent": "recurrent",
        },
        "Model of the study",
        help="Linear: a weighted sum of the context. Feed-forward: two layers of 32. Attention and "
        "recurrent: in the manner of iTransformer and DeepAR, much smaller, for the first question "
        "on made-up series. All begin at the seasonal naive forecast.",
        is_looked_at=True,
    )

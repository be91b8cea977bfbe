"""The choices of the page that shows what privacy costs in accuracy."""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.scenario.view_part import ViewPart

STUDY_QUESTIONS = ("budget", "windows", "labels", "width")
STUDY_DATA = ("generated", "m3")
STUDY_MODELS = ("linear", "feedforward")


@dataclass(frozen=True, kw_only=True)
class TrainingStudyView(ViewPart):
    """Which results of the study are shown.

    Args:
        study_question: what is asked.
        study_data: the series that were trained on.
        study_model: name of the forecaster.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "study_question": STUDY_QUESTIONS,
        "study_data": STUDY_DATA,
        "study_model": STUDY_MODELS,
    }

    study_question: str = "budget"
    study_data: str = "generated"
    study_model: str = "linear"

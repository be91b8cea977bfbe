"""Choices of the page of the training study: others than at first, and wrong ones."""

OTHERS = {
    "study_question": "width",
    "study_data": "m3",
    "study_model": "feedforward",
}
BAD = {
    "study_question": ["", "Budget", "inference"],
    "study_data": ["", "file", "M3"],
    "study_model": ["", "dlinear", "deepar"],
}

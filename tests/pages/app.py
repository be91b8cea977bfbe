"""What the page tests read off a running page."""

from streamlit.testing.v1 import AppTest

from dpviz.scenario import Scenario, to_query


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def exact(app: AppTest, name: str):
    return next(box for box in app.text_input if box.key.startswith(f"{name}_exact"))


def box(app: AppTest, name: str):
    return next(box for box in app.text_input if box.key.startswith(f"box_{name}_"))


def headline(app: AppTest) -> str:
    return next(text.value for text in app.markdown if "at δ" in text.value)


def scenario_of(app: AppTest) -> Scenario:
    return app.session_state["dpviz_state"].scenario


def link_of(scenario: Scenario) -> dict[str, str]:
    return dict(pair.split("=") for pair in to_query(scenario).replace("+", " ").split("&"))


def warnings(app: AppTest) -> str:
    return " ".join(warning.value for warning in app.warning).replace("\\", "")


def notes(app: AppTest) -> str:
    return " ".join(note.value for note in app.info).replace("\\", "")

"""What the tests of the page about how a batch is drawn share."""

from tests.pages.app import TOY, link_of

KEY, OUTPUTS, PARTITION = "batch_drawing", "step_outputs", "epoch_partition"
LINK = link_of(TOY) | {"context_length": "4", "forecast_length": "2"}


def keys(app) -> set[str]:
    return {element.key for element in app.get("bidi_component")}

"""What the tests of the page about how a batch is drawn share."""

from tests.pages.app import TOY, link_of

KEY, OUTPUTS, PARTITION = "batch_drawing", "step_outputs", "epoch_partition"
LINK = link_of(TOY) | {"context_length": "4", "forecast_length": "2"}


def keys(app) -> set[str]:
    """Return the keys of all that Streamlit does not draw itself, but controls."""
    return {
        element.key
        for element in app.get("bidi_component")
        if element.proto.component_name not in ("dpviz_control", "dpviz_acts")
    }

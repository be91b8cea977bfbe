"""A page of nothing but the comparison."""

from dpviz.ui.comparison import draw_comparison
from dpviz.ui.filling import go_on
from dpviz.ui.page import mark_as_routed, show_messages
from dpviz.ui.state import current, show_link

mark_as_routed("comparison")
state = current()
show_link(state)
show_messages(state)
go_on(draw_comparison(state, state.scenario))

"""The picture of a coupling: one draw from two neighbouring data sets, window beside window."""

from collections.abc import Sequence

from dpviz.figures import parts
from dpviz.figures.batch_rows import named_rows
from dpviz.figures.parts import CONTEXT, SECRET, STYLES, Part, Spec
from dpviz.planning.drawn_batches import ShownBatch
from dpviz.planning.placement import Placement
from dpviz.wording.batch_rows import coupled_title, pair_words, pairs_of

_ABOVE, _BELOW = 1.0, 0.0
_LINK = ((0.82, 0.64), (0.36, 0.18))  # leaves room for the sign between two windows
_SIZE, _SIGN = 18, {"size": 17}


def coupled_batches_chart(placed: Placement, batch: ShownBatch) -> Spec:
    """Return the chart: a batch of x above, the same draw from x′ below, and what differs."""
    pairs = pairs_of(batch)
    differing = [at for at, (_, window) in enumerate(pairs) if window.is_hit]
    alike = [at for at, (_, window) in enumerate(pairs) if not window.is_hit]
    words = [pair_words(placed, one, window) for one, window in pairs]

    def windows(uid: str, name: str, at: Sequence[int], rows: Sequence[float], look: Part) -> Part:
        return parts.points(
            uid,
            name,
            [place for _ in rows for place in at],
            [row for row in rows for _ in at],
            look | {"size": _SIZE},
            (words[place] for _ in rows for place in at),
        )

    square = parts.marker(CONTEXT, _SIZE) | {"symbol": "square"}
    other = parts.marker(STYLES[1], _SIZE)
    return parts.figure(
        [
            _links("equal", alike, {"color": parts.color("target"), "width": 1}),
            _links("unequal", differing, {**parts.stroke(SECRET, 2), "dash": "dot"}),
            windows("alike", "the same window in both", alike, (_ABOVE, _BELOW), square),
            windows(
                "of-x",
                "holds a protected value of x",
                differing,
                (_ABOVE,),
                parts.marker(SECRET, _SIZE),
            ),
            windows("of-other", "holds that of x′ instead", differing, (_BELOW,), other),
        ],
        coupled_title(batch),
        "coupled batches",
        parts.axis(
            "series that the window is from",
            range=[-0.7, len(pairs) - 0.3],
            **parts.ticks(f"{one.series + 1:,}" for one, _ in pairs),
            tickangle=0,
            showgrid=False,
            zeroline=False,
            fixedrange=True,
        ),
        named_rows([-0.45, 1.45], [_BELOW, _ABOVE], ["from x′", "from x"]),
        annotations=[
            parts.note("≠" if window.is_hit else "=", at, 0.5, ("center", "middle"), font=_SIGN)
            for at, (_, window) in enumerate(pairs)
        ],
    )


def _links(uid: str, places: Sequence[int], line: Part) -> Part:
    x, y = parts.gapped([(at, high), (at, low)] for at in places for high, low in _LINK)
    return parts.scatter(uid, "lines", x, y, line=line, hoverinfo="skip", showlegend=False)

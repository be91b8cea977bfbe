"""The figures of the main paper that report training by their pictures alone."""

from dataclasses import dataclass

from dpviz.scenario import PRESETS, Scenario


@dataclass(frozen=True, kw_only=True)
class UnreadFigure:
    """A figure whose numbers are in its picture, and nowhere in the paper's text.

    Args:
        number: in the paper.
        varied: the field of a scenario that it varies.
        values: of that field.
        section: of the paper.
    """

    number: int
    varied: str
    values: tuple[int, ...]
    section: str

    @property
    def name(self) -> str:
        """What links call it."""
        return f"figure-{self.number}"

    @property
    def scenario(self) -> Scenario:
        """The data set and the sampling that it starts from."""
        return PRESETS["traffic"].scenario


FIGURES_WITHOUT_NUMBERS: dict[str, UnreadFigure] = {
    figure.name: figure
    for figure in (
        UnreadFigure(
            number=11, varied="batch_size", values=(16, 32, 64, 128), section="Appendix C.2.4"
        ),
        UnreadFigure(
            number=12,
            varied="num_subsequences",
            values=(1, 2, 4, 8, 16),
            section="Appendix C.2.4",
        ),
    )
}

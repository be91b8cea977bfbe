"""The one error of a training loop that is not what was accounted for."""


class LoaderError(RuntimeError):
    """Training is another mechanism than the scenario's: its numbers would not hold.

    Attributes:
        found: what is otherwise, in words.
        fix: what to write instead.
    """

    def __init__(self, found: str, fix: str) -> None:
        self.found, self.fix = found, fix
        super().__init__(f"{found}: {fix}.")

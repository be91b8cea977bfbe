"""The one unit of state: everything that decides a privacy guarantee."""

from dataclasses import dataclass, field, replace

from dpviz.scenario.data import LARGEST_COUNT, DataShape, Rates, most_steps_of_a_pass
from dpviz.scenario.errors import ScenarioError, keep_real
from dpviz.scenario.mechanism import COINS, MOST_STEPS, ONE_BAG, Noise, Sampling, Training
from dpviz.scenario.relation import Relation, Units

DELTA_RANGE = (1e-15, 0.999)
_TO_COME_TO = f"to come to at most {MOST_STEPS:,} steps"
# Where delta may be asked for, and what may be asked of training.
EPSILON_RANGE, TARGET_EPSILON_RANGE = (0.0, 1e9), (1e-9, 1e9)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A training set-up whose privacy is asked for.

    The page's controls, a link, a JSON file, the command line and the cache key are all forms
    of it. Two scenarios are equal exactly when their canonical JSON is.

    Args:
        units: the data's own units, to state the relation in.
        delta: the failure probability at which epsilon is quoted.
    """

    data: DataShape | Rates
    sampling: Sampling
    noise: Noise
    training: Training
    relation: Relation = field(default_factory=Relation)
    units: Units = field(default_factory=Units)
    delta: float = 1e-7

    def __post_init__(self) -> None:
        keep_real(self, "delta", *DELTA_RANGE)
        if isinstance(self.data, DataShape):
            # A larger batch draws more series than there are, or leaves an epoch without a step.
            largest = self.sampling.largest_batch(self.data)
            if self.sampling.batch_size > largest:
                many = " times num_subsequences" if self.sampling.num_subsequences > 1 else ""
                many = " times the windows of each" if self.sampling.is_bag else many
                raise ScenarioError(
                    "batch_size",
                    self.sampling.batch_size,
                    f"it must be at most {largest:,}, the number of series{many}",
                )
            per_person = self.relation.series_per_person
            if per_person > self.data.num_series:
                allowed = f"it must be at most {self.data.num_series:,}, the number of series"
                raise ScenarioError("series_per_person", per_person, allowed)
        else:
            self._check_that_rates_suffice(self.data)
        if self.num_steps > MOST_STEPS:
            allowed = f"one epoch alone has more than {MOST_STEPS:,} steps"
            if self.steps_per_epoch <= MOST_STEPS:
                most = MOST_STEPS // self.steps_per_epoch
                allowed = f"it must be at most {most:,}, {_TO_COME_TO}"
            raise ScenarioError(self.training.unit, self.training.count, allowed)

    def _check_that_rates_suffice(self, rates: Rates) -> None:
        width, many = self.relation.width, self.relation.series_per_person
        is_wide = rates.last_shape is None and width > 1
        for name, value, is_beyond, what in (
            ("bottom_level", COINS, self.sampling.takes_windows_by_coins, "it"),
            ("top_level", ONE_BAG, self.sampling.is_bag, "it"),
            ("relation_width", width, is_wide, "a relation wider than 1"),
            ("series_per_person", many, many > 1, "it"),
        ):
            if is_beyond:
                allowed = f"rates alone do not determine {what}; give the data's shape"
                raise ScenarioError(name, value, allowed)

    @property
    def shape(self) -> DataShape | None:
        """The data shape in use, or ``None`` when rates are given directly."""
        return self.data if isinstance(self.data, DataShape) else None

    @property
    def given_shape(self) -> DataShape:
        """The data shape in use, of a scenario that has one, or raise :class:`ScenarioError`."""
        if isinstance(self.data, Rates):
            raise ScenarioError("num_series", None, "rates draw no batches; give the data's shape")
        return self.data

    @property
    def known_shape(self) -> DataShape | None:
        """The data shape in use, or the one that rates came from; ``None`` without either."""
        return self.data if isinstance(self.data, DataShape) else self.data.last_shape

    @property
    def touched_windows(self) -> int | None:
        """K, the most windows of one series that one individual can touch."""
        if isinstance(self.data, Rates):
            return self.data.touched_windows
        return self.relation.touched_windows(self.data)

    @property
    def windows_of_a_person(self) -> int | None:
        """The most windows of all series that one individual can touch: m k."""
        touched = self.touched_windows
        return None if touched is None else touched * self.relation.series_per_person

    @property
    def bottom_rate(self) -> float:
        """R = k / T, the probability that one drawn window touches what is protected."""
        if isinstance(self.data, Rates):
            return self.data.bottom_rate
        return self.relation.touched_windows(self.data) / self.data.start_positions

    @property
    def top_rate(self) -> float:
        """Rho, the probability that a series is in a batch, or of one bag a window.

        It is N' / N, and 1 / K where each series picks one of the K batches of an epoch.
        """
        return 1.0 / self.steps_per_epoch if self.sampling.has_bins else self.set_top_rate

    @property
    def set_top_rate(self) -> float:
        """Rho as it was set, which is that of bins only if their batches come to it."""
        if isinstance(self.data, Rates):
            return self.data.top_rate
        if self.sampling.is_bag:
            return self.sampling.batch_size / self.sampling.largest_batch(self.data)
        return self.sampling.series_per_batch / self.data.num_series

    @property
    def mean_batch_size(self) -> float:
        """Lambda, or of bins N lambda / K: these have a K-th of all series, whatever Lambda is."""
        if not self.sampling.has_bins:
            return float(self.sampling.batch_size)
        shape, sampling = self.shape, self.sampling
        series = (
            sampling.series_per_batch / self.set_top_rate if shape is None else shape.num_series
        )
        return series * sampling.num_subsequences / self.steps_per_epoch

    @property
    def has_coins_for_series(self) -> bool:
        """Whether each series is in a batch by a coin: at rho = 1 all are, and none falls."""
        return self.sampling.takes_series_by_coins and self.top_rate < 1.0

    @property
    def has_several_bins(self) -> bool:
        """Whether each series picks one of several batches of an epoch: one has all, as a walk."""
        return self.sampling.has_bins and self.steps_per_epoch > 1

    @property
    def steps_per_epoch(self) -> int:
        """floor(N lambda / Lambda), the steps of one pass over all series.

        A pass that uses no series twice has at most 1 / rho steps: rates given directly may ask
        for more, in vain.
        """
        if isinstance(self.data, Rates):
            return min(self.data.steps_per_epoch, most_steps_of_a_pass(self.data.top_rate))
        return self.sampling.largest_batch(self.data) // self.sampling.batch_size

    @property
    def num_steps(self) -> int:
        """Training steps in all."""
        if self.training.unit == "steps":
            return self.training.count
        return self.training.count * self.steps_per_epoch

    @property
    def num_epochs(self) -> int:
        """Epochs that have begun when training ends: a part of an epoch counts whole."""
        if self.training.unit == "epochs":
            return self.training.count
        return -(-self.training.count // self.steps_per_epoch)

    def with_rates(
        self, *, bottom_rate: float | None = None, top_rate: float | None = None
    ) -> "Scenario":
        """Return this scenario with rates given directly, keeping all else that is known.

        The steps of an epoch follow another ``top_rate``: floor(1 / rho), as many as use no series
        twice, or those of the shape that the rates came from where it has that very rate. Fewer
        than these were set by somebody, and stay.

        Raises:
            ScenarioError: a rate is out of range, or so small that the epochs of training would
                be too many steps. It names the rate.
        """
        if isinstance(self.data, Rates):
            rates = self.data
        else:
            rates = Rates(
                bottom_rate=self.bottom_rate,
                top_rate=self.set_top_rate,
                steps_per_epoch=self.steps_per_epoch,
                forecast_share=self.data.forecast_share,
                touched_windows=self.touched_windows,
                start_positions=self.data.start_positions,
                last_shape=self.data,
            )
        if bottom_rate is not None:
            rates = replace(rates, bottom_rate=bottom_rate)
        if top_rate is None or top_rate == rates.top_rate:
            return replace(self, data=rates)
        # What somebody has set is theirs: fewer steps than a pass has are epochs of their own.
        follows = rates.steps_per_epoch >= self._steps_of_a_pass(rates)
        rates = replace(rates, top_rate=top_rate)
        if follows:
            rates = replace(rates, steps_per_epoch=self._steps_of_a_pass(rates))
        try:
            return replace(self, data=rates)
        except ScenarioError as problem:
            if problem.field != "epochs":
                raise
            allowed = _smallest_top_rate(self.training.count)
            raise ScenarioError("top_rate", top_rate, allowed) from None

    def _steps_of_a_pass(self, rates: Rates) -> int:
        """Return the steps of one pass at other rates than the scenario's own."""
        shape = rates.last_shape
        if shape is not None and not self.sampling.is_bag:
            # Where lambda does not divide the batch, one pass may leave series over.
            own_rate = self.sampling.series_per_batch / shape.num_series
            if rates.top_rate == own_rate:
                return max(1, self.sampling.largest_batch(shape) // self.sampling.batch_size)
        return min(LARGEST_COUNT, most_steps_of_a_pass(rates.top_rate))

    def with_last_shape(self) -> "Scenario":
        """Return this scenario with the data shape that the rates came from.

        Raises:
            ScenarioError: the rates were given without a shape.
        """
        if self.known_shape is None:
            raise ScenarioError("num_series", None, "no data shape was given with these rates")
        return replace(self, data=self.known_shape)

    def with_shape_value(self, field: str, value: int) -> tuple["Scenario", list[str]]:
        """Return this scenario with one number of its data shape replaced, and what else changed.

        Where there are fewer series (of one bag: windows) than a batch draws, it is lowered, and a
        sentence says so. A series length takes the place of all lengths.

        Args:
            field: num_series, series_length, context_length, forecast_length or batch_size.

        Raises:
            ScenarioError: the value is not allowed beside the others, or rates are given
                directly. It always names ``field``.
        """
        data, sampling, notes = self.data, self.sampling, []
        if isinstance(data, Rates):
            raise ScenarioError(field, value, "it is fixed while rates are given directly")
        try:
            if field == "batch_size":
                sampling = replace(sampling, batch_size=value)
            else:
                data = data.with_value(field, value)
            largest = sampling.largest_batch(data)
            if field != "batch_size" and sampling.batch_size > largest:
                sampling = replace(sampling, batch_size=largest)
                notes.append(batch_lowered_note(sampling))
            return replace(self, data=data, sampling=sampling), notes
        except ScenarioError as problem:
            if problem.field == field:
                raise
            allowed = _allowed_beside(self, field, problem)
            raise ScenarioError(field, value, allowed) from None


def batch_lowered_note(sampling: Sampling) -> str:
    """Return what to say where a batch was lowered to the largest that there can be."""
    what = "windows" if sampling.is_bag else "series"
    return (
        f"Batch size lowered to {sampling.batch_size:,}: a batch cannot draw more {what} than "
        "there are."
    )


def _smallest_top_rate(epochs: int) -> str:
    """Return from which rho on so many epochs are no more steps than training may have."""
    least = 1.0 / (MOST_STEPS // epochs)
    # Six digits say it, if not rounded to a smaller rate.
    told = f"{least:.6g}" if float(f"{least:.6g}") >= least else repr(least)
    return f"it must be at least {told}, {_for_epochs(epochs)}"


def _allowed_beside(scenario: Scenario, field: str, problem: ScenarioError) -> str:
    """Return what the others allow for a field of the data shape, given the problem of another."""
    shape, sampling = scenario.given_shape, scenario.sampling
    if problem.field == "series_per_person":
        many = scenario.relation.series_per_person
        return f"it must be at least {many:,}, the series of one person"
    if problem.field == "series_length":
        shortest = "" if shape.is_of_one_length else "shortest "
        return f"it must be at most {shape.series_lengths[0]:,}, the {shortest}series length"
    # floor(N lambda / Lambda) is at most s exactly where N lambda < (s + 1) Lambda; of one bag the
    # same with T for lambda.
    epochs, largest = scenario.training.count, sampling.largest_batch(shape)
    too_many = MOST_STEPS // epochs + 1
    windows = too_many * sampling.batch_size - 1
    if field == "batch_size":
        bound = f"at least {largest // too_many + 1:,}"
    elif field == "num_series":
        bound = f"at most {windows // (largest // shape.num_series):,}"
    elif field == "series_length":
        bound = f"at most {windows // shape.num_series + shape.forecast_length - 1:,}"
    else:
        bound = f"at least {shape.series_lengths[0] + 1 - windows // shape.num_series:,}"
    return f"it must be {bound}, {_for_epochs(epochs)}"


def _for_epochs(epochs: int) -> str:
    return f"for {epochs:,} epoch{'s' if epochs > 1 else ''} {_TO_COME_TO}"

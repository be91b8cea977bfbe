"""Where sliders stop."""


def one_two_five(first: int, last: int) -> tuple[float, ...]:
    """Return 1, 2 and 5 times the powers of ten from 10^first up to 10^last.

    >>> one_two_five(-2, 0)
    (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    """
    numbers = [float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)]
    return (*numbers, float(f"1e{last}"))


NOISE_MULTIPLIERS = (
    0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0,
    70.0, 100.0,
)  # fmt: skip
BOTTOM_RATES = one_two_five(-5, 0)
TOP_RATES = one_two_five(-3, 0)
AUGMENTATIONS = (0.0, *one_two_five(-2, 2))
WINDOWS = (1, 2, 4, 8, 16, 32, 64)
COUNTS = tuple(int(number) for number in one_two_five(0, 6))
DELTAS = tuple(float(f"1e-{power}") for power in range(12, 2, -1))
BUDGETS = one_two_five(-2, 2)
FIXED_EPSILONS = one_two_five(-3, 2)
SUCCESSES = (0.501, 0.505, 0.51, 0.52, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95, 0.99)
FALSE_POSITIVE_RATES = one_two_five(-5, -1)
PRIORS = (*one_two_five(-4, -1), 0.2, 0.3, 0.5, 0.7, 0.9, 0.99)
TRUE_POSITIVE_RATES = (*one_two_five(-4, -1), 0.2, 0.3, 0.5, 0.7, 0.9)

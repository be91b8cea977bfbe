"""What is known of a release, as plain data for scripts."""

from typing import Any

from dpviz.release import Calibration
from dpviz.wording.release import assumptions, kind_of, simulated_kind_of, theorem_of, unit_of

# Times as many steps as were planned for, of somebody who is told what still holds for them: an
# upper bound on epsilon, at the same delta and by the best accounting that there is.
MORE_OFTEN = (1, 2, 4)


def release_answer(calibration: Calibration, *, has_seed: bool = False) -> dict[str, Any]:
    """Return the noise of a release, with all that it means.

    Args:
        calibration: mechanism and noise.
        has_seed: whether the noise is drawn from a seed.

    >>> from dpviz.release import ReleaseSettings, calibrated
    >>> settings = ReleaseSettings(length=1800, participation=180)
    >>> answer = release_answer(calibrated(settings, "subsample", "exact"))
    >>> round(answer["noise"], 2), answer["is_tight"]
    (26.09, True)
    >>> answer["steps_if_more_often"]
    {'1': 180, '2': 360, '4': 720}
    """
    settings = calibration.settings
    uses = {
        "subsample": ("rate",),
        "filter-subsample": ("rate", "filter_width"),
        "dft": ("coefficients",),
    }.get(calibration.mechanism, ())
    # Nobody is in more steps than there are: who would be is in every one of them.
    steps = {
        str(times): min(times * settings.participation, settings.length) for times in MORE_OFTEN
    }
    epsilons = {times: calibration.epsilon_at(most) for times, most in steps.items()}
    return {
        "noise": calibration.noise,
        "noise_unit": "standard deviation in counts, added to each released value",
        "mechanism": calibration.mechanism,
        "accounting": calibration.accounting,
        "length": settings.length,
        "participation": settings.participation,
        **{field: getattr(settings, field) for field in uses},
        "epsilon": settings.epsilon,
        "delta": settings.delta,
        "protects": unit_of(calibration),
        "unit": f"one individual in at most {settings.participation} time steps",
        "relation": "with or without the individual",
        "theorem": theorem_of(calibration),
        "bound": simulated_kind_of(calibration) if has_seed else kind_of(calibration),
        # Who knows the seed takes the noise off.
        "is_guarantee": not has_seed,
        "is_tight": calibration.is_tight,
        "is_extension": calibration.is_extension,
        "known_delta": calibration.delta_at(settings.epsilon),
        "epsilon_if_more_often": {
            times: epsilon if epsilon < float("inf") else None
            for times, epsilon in epsilons.items()
        },
        "steps_if_more_often": steps,
        "assumptions": assumptions(calibration, has_seed=has_seed),
    }

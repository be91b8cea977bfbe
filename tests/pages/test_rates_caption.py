"""The line under data and windows: the rates that follow, as quotients that are true."""

from dataclasses import replace

from dpviz.scenario import DataShape, Noise, Sampling, Training
from tests.pages.app import TOY, link_of

SHORT = replace(TOY, training=Training(unit="steps", count=5))
SEVERAL = DataShape(
    num_series=40, series_lengths=(20, 25, 40), context_length=12, forecast_length=4
)


def captions(open_page, scenario) -> str:
    app = open_page(link_of(scenario), parts=("open_data",))
    return " ".join(caption.value for caption in app.caption)


def test_one_bag_draws_a_share_of_all_windows(open_page):
    bag = replace(SHORT, sampling=Sampling(batch_size=32, top_level="flat"))
    assert "Λ / N_total = 32 / 6,400 = 0.005; 200 steps per epoch" in captions(open_page, bag)
    assert "ρ = 32 / 320 = 0.1; 10 steps per epoch" in captions(open_page, SHORT)


def test_shortest_series_decides_only_where_that_is_known(open_page):
    plain = replace(SHORT, data=SEVERAL, sampling=Sampling(batch_size=8))
    assert "20, 25, 40. The shortest decides." in captions(open_page, plain)
    noisy = replace(plain, noise=Noise(noise_multiplier=1.0, forecast_noise=2.0))
    assert "20, 25, 40. The worst of them decides." in captions(open_page, noisy)

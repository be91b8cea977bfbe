"""What is low or high in a formula of a document stands so, and names stay names."""

import pytest

from dpviz.export.formulas import typeset


@pytest.mark.parametrize(
    ("written", "set_as"),
    [
        ("N_total w_i", "N<sub>total</sub> w<sub>i</sub>"),
        ("d_i²/2", "d<sub>i</sub>²/2"),
        ("g'_t y_t's own", "g'<sub>t</sub> y<sub>t</sub>'s own"),
        ("h_w' of w'", "h<sub>w'</sub> of w'"),
        ("δ_Gauss'(m)", "δ<sub>Gauss</sub>'(m)"),
        ("B_(λ,s)(i), Σ_{i≤m} a_i", "B<sub>λ,s</sub>(i), Σ<sub>i≤m</sub> a<sub>i</sub>"),
        ("max_x (Φ(x))", "max<sub>x</sub> (Φ(x))"),
        ("e^(ε(p (1 − e^(−t))) + t)", "e<sup>ε(p (1 − e<sup>−t</sup>)) + t</sup>"),
        ("(1 − r)^L_C", "(1 − r)<sup>L<sub>C</sub></sup>"),
        ("e^−γ, e^20.33.", "e<sup>−γ</sup>, e<sup>20.33</sup>."),
        ("solar_10_minutes, public_series", "solar_10_minutes, public_series"),
    ],
)
def test_formula(written, set_as):
    assert typeset(written) == set_as

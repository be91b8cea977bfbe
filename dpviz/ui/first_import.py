"""All that pages import, imported by the first thread that comes, before any page goes on.

Every visitor's page runs in a thread of its own. Where many open a server at the moment it starts,
their threads would import the same packages from different ends: each waits for what another has
begun, until Python gives one of them a module that is half there. So app.py and every page import
this module before anything else of dpviz. Whoever comes while that lasts waits here, holding
nothing that the first one needs.
"""

# ruff: noqa: F401  all of them are for others

import os
from contextlib import suppress

import streamlit.emojis
import streamlit.material_icon_names

import dpviz.export.attack_rates_csv
import dpviz.export.region_csv
import dpviz.export.sweep_rows_csv
import dpviz.figures.sampling_picture
import dpviz.ui.texts
import dpviz.wording.advice
import dpviz.wording.choices
from dpviz.ui import (
    accessible_style,
    attack_answer,
    batch_answer,
    batch_controls,
    change_controls,
    chart,
    choice,
    comparison,
    compute,
    controls,
    copy_link,
    curve_answer,
    data_controls,
    drawing,
    drawn_settings,
    filling,
    frame,
    game,
    glossary_search,
    label_noise_answer,
    label_noise_controls,
    ledger_answer,
    ledger_controls,
    lesson_line,
    lesson_links,
    lesson_page,
    lesson_print,
    long_runs,
    memory,
    noise_map_answer,
    number_control,
    number_table,
    one_bag_answer,
    one_bag_controls,
    one_bag_lengths,
    opened_link,
    order_answer,
    order_controls,
    own_address,
    page,
    page_actions,
    page_style,
    paper_figure_answer,
    paper_figure_controls,
    paper_tables_answer,
    paper_tables_controls,
    pins,
    planner_answer,
    planner_controls,
    presenter,
    private_inference_answer,
    private_inference_controls,
    protected_forecasts_answer,
    protected_forecasts_controls,
    protected_forecasts_file,
    protected_widths,
    protection_answer,
    protection_controls,
    public_address,
    qr_code,
    reading,
    region_answer,
    region_controls,
    release_answer,
    release_controls,
    release_file,
    second_opinion,
    shared,
    shown_batch,
    staged_answer,
    staged_controls,
    state,
    static_files,
    subsequence_answer,
    subsequence_controls,
    sweep_answer,
    sweep_file,
    symbols_key,
    take_away,
    text_box,
    theory_answer,
    theory_controls,
    train_answer,
    train_baselines,
    train_compare,
    train_controls,
    train_data,
    train_run,
    training_study_answer,
    training_study_controls,
    turns,
    typed_number,
    undone_told,
    upload,
    warm_up,
    ways_back,
    workers,
)

# What is imported inside functions that run in visitors' threads; who needs one that is missing
# says so.
with suppress(ImportError):
    import markdown_it
with suppress(ImportError):
    import pyarrow.pandas_compat
    import pyarrow.parquet
with suppress(ImportError):
    import segno
if os.environ.get(workers.VARIABLE) == "0":  # then forecasts are fitted in those threads, too
    with suppress(ImportError):
        import statsmodels.tsa.exponential_smoothing.ets
        import statsmodels.tsa.holtwinters
        import statsmodels.tsa.seasonal

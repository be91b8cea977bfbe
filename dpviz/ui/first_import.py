"""All that pages import, imported by whoever comes first, before any page goes on.

The server comes first, before its port opens. Where pages are run without it, each
visitor's page runs in a thread of its own. Where many open a server at the moment it starts,
their threads would import the same packages from different ends: each waits for what another has
begun, until Python gives one of them a module that is half there. So app.py, which runs around
every page, imports this module before anything else of dpviz. Whoever comes while that lasts waits
here, holding nothing that the first one needs.
"""

# ruff: noqa: F401  all of them are for others

import os
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import streamlit.emojis
import streamlit.material_icon_names

import dpviz.figures.sampling_picture
import dpviz.ui
import dpviz.wording.how_to_choose
from dpviz.ui import frame, workers

for _module in walk_packages(dpviz.ui.__path__, "dpviz.ui."):
    if _module.name != __name__:
        import_module(_module.name)

# What is imported inside functions that run in visitors' threads; who needs one that is missing
# says so.
with suppress(ImportError):
    import markdown_it
with suppress(ImportError):
    import pyarrow.compute
    import pyarrow.csv
    import pyarrow.pandas_compat
    import pyarrow.parquet
with suppress(ImportError):
    import segno
if os.environ.get(workers.VARIABLE) == "0":  # then forecasts are fitted in those threads, too
    with suppress(ImportError):
        import statsmodels.tsa.exponential_smoothing.ets
        import statsmodels.tsa.holtwinters
        import statsmodels.tsa.seasonal

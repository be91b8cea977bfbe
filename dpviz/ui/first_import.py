"""All that pages import, imported by whoever comes first, before any page goes on.

The server comes first, before its port opens. Where pages are run without it, the threads of
visitors who come together would import the same packages from different ends, until Python gives
one of them a module that is half there: app.py, which runs around every page, imports this module
before anything else of dpviz, and who comes meanwhile waits here.
"""

import os
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import streamlit.emojis
import streamlit.material_icon_names  # noqa: F401  for others, as all here

import dpviz.figures.sampling_picture
import dpviz.ui
import dpviz.wording.how_to_choose
from dpviz.ui import workers

for _module in walk_packages(dpviz.ui.__path__, "dpviz.ui."):
    if _module.name != __name__:
        import_module(_module.name)

# What is imported inside functions that run in visitors' threads; who needs one that is missing
# says so.
_READERS = ("compute", "csv", "pandas_compat", "parquet")
_inside = ["markdown_it", "segno", *(f"pyarrow.{name}" for name in _READERS)]
if os.environ.get(workers.VARIABLE) == "0":  # then forecasts are fitted in those threads, too
    _FORECASTERS = ("exponential_smoothing.ets", "holtwinters", "seasonal")
    _inside += [f"statsmodels.tsa.{name}" for name in _FORECASTERS]
for _name in _inside:
    with suppress(ImportError):
        import_module(_name)

"""What visitors set, declared once: names, limits, slider stops, words, help, options, links."""

from dpviz.settings.setting import Setting
from dpviz.settings.view import SETTINGS, VIEW_SETTINGS, View, option_of

__all__ = ["SETTINGS", "VIEW_SETTINGS", "Setting", "View", "option_of"]

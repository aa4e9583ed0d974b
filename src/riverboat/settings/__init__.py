"""Typed settings with checked values, and plug-ins from the entry points of installed packages."""

from riverboat.settings._plugins import PlugIns, plain_name
from riverboat.settings._schema import schema_of, settings_table
from riverboat.settings._settings import (
    Setting,
    Settings,
    allowed,
    checked,
    meaning,
    read_settings,
    read_value,
    settings_of,
    shown,
)

__all__ = [
    "PlugIns",
    "Setting",
    "Settings",
    "allowed",
    "checked",
    "meaning",
    "plain_name",
    "read_settings",
    "read_value",
    "schema_of",
    "settings_of",
    "settings_table",
    "shown",
]

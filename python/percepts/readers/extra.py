"""Libraries of the extra `readers`, imported when a file needs them."""

from __future__ import annotations

import importlib
from typing import Any


def import_library(module: str, formats: str) -> Any:
    """Import an optional library, or say which extra has it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f'reading {formats} files needs {module}: pip install "percepts[readers]"') from error

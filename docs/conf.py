"""Sphinx's settings. Build: ``sphinx-build -W docs build/docs``, with percepts installed."""

from __future__ import annotations

import percepts

project = "percepts"
author = "The percepts developers"
copyright = author  # noqa: A001
release = version = percepts.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
root_doc = "index"

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say what is taken, in words
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "code"

html_theme = "furo"
html_title = f"percepts {release}"

"""How Sphinx builds the documentation. It needs no network, and a warning is an error."""

import stickslip

project = "stickslip"
author = "the stickslip authors"
release = stickslip.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"stickslip {release}"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
}

"""The definition: every modality, the text and its parser in plain Python and NumPy, cell by cell.

The functions have the names and arguments of the package's own; every backend is tested against them. They are
written to be read, not to be fast. The checks of options and the intake of arrays are shared with the package, so a
comparison says nothing about them.
"""

from percepts.reference import kernels
from percepts.reference.albedo import albedo
from percepts.reference.correspondence import correspondence
from percepts.reference.depth import depth
from percepts.reference.detection import detection
from percepts.reference.flow import flow
from percepts.reference.jigsaw import jigsaw
from percepts.reference.parse import find_programs, parse
from percepts.reference.points import points
from percepts.reference.program import Program
from percepts.reference.segmentation import segmentation
from percepts.reference.semantic import semantic, semantic_scores
from percepts.reference.similarity import similarity

__all__ = [
    "Program",
    "albedo",
    "correspondence",
    "depth",
    "detection",
    "find_programs",
    "flow",
    "jigsaw",
    "kernels",
    "parse",
    "points",
    "segmentation",
    "semantic",
    "semantic_scores",
    "similarity",
]

"""The definition: every modality, the text and its parser in plain Python and NumPy, cell by cell.

The functions have the names and arguments of the package's own; every backend is tested against them. They are
written to be read, not to be fast.
"""

from percepts.reference import kernels
from percepts.reference.depth import depth
from percepts.reference.flow import flow
from percepts.reference.parse import find_programs, parse
from percepts.reference.program import Program
from percepts.reference.semantic import semantic, semantic_scores

__all__ = ["Program", "depth", "find_programs", "flow", "kernels", "parse", "semantic", "semantic_scores"]

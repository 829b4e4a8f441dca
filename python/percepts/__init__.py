"""Perception programs: dense vision outputs as short symbolic text for language models.

After the paper "Don't Show Pixels, Show Cues" (arXiv 2604.12896): a depth map or a flow field becomes a text block
that says, per cell of a grid, what was read there and where, and how neighbours relate.

Examples
--------
>>> import numpy as np
>>> import percepts as pc
>>> depth = np.random.default_rng(0).random((480, 640), dtype=np.float32)
>>> print(str(pc.depth(depth))[:37])
<perceptionprogram>
modality: depth
"""

from typing import TYPE_CHECKING, Any

from percepts import kernels, oracle, plan
from percepts._backends import backends
from percepts._core import __version__
from percepts._threads import set_num_threads
from percepts.albedo import albedo
from percepts.batch import ProgramBatch
from percepts.correspondence import correspondence
from percepts.depth import depth
from percepts.detection import detection
from percepts.fit import Fitted, fit
from percepts.flow import flow
from percepts.items import UNKNOWN, Item, Relation
from percepts.jigsaw import jigsaw
from percepts.oracle.choice import Choice
from percepts.points import points
from percepts.program import Program, find_programs, parse
from percepts.readers import read_depth, read_detections, read_flow, read_labels
from percepts.readers.matches import read_matches
from percepts.segmentation import segmentation
from percepts.semantic import semantic, semantic_scores
from percepts.similarity import similarity

if TYPE_CHECKING:
    from percepts import reference

__all__ = [
    "UNKNOWN",
    "Choice",
    "Fitted",
    "Item",
    "Program",
    "ProgramBatch",
    "Relation",
    "__version__",
    "albedo",
    "backends",
    "correspondence",
    "depth",
    "detection",
    "find_programs",
    "fit",
    "flow",
    "jigsaw",
    "kernels",
    "oracle",
    "parse",
    "plan",
    "points",
    "read_depth",
    "read_detections",
    "read_flow",
    "read_labels",
    "read_matches",
    "reference",
    "segmentation",
    "semantic",
    "semantic_scores",
    "set_num_threads",
    "similarity",
]


def __getattr__(name: str) -> Any:
    # Nobody pays at import for the definition that tests and researchers compare with.
    if name == "reference":
        import importlib

        return importlib.import_module("percepts.reference")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Perception programs: dense vision outputs as short symbolic text for language models.

After the paper "Don't Show Pixels, Show Cues" (arXiv 2604.12896): what a vision tool has measured becomes a text block
that says what was read, where, and how neighbours relate.

- Make: `depth`, `flow`, `correspondence`, `points`, `detection`, `segmentation`, `albedo`, `similarity`, `jigsaw`,
  `semantic`, `semantic_scores`, and `Program` for a modality of your own.
- Read: `parse` and `find_programs`, and `Program` for what a text holds.
- Answer without a language model: `oracle`. Keep to a budget of tokens: `fit`.
- From files: `read_depth`, `read_flow`, `read_labels`, `read_detections`, `read_matches`.
- Arrays on CUDA devices: as those in host memory; `DeviceError`, and `testing` for tests without a device.
- Numbers without text: `kernels`. The definition of it all in plain Python: `reference`.

Examples
--------
>>> import percepts as pc
>>> program = pc.depth([[0.25, 0.75]], grid=(1, 2), note=None)
>>> program.items
(Item(p=1, c=[0, 0], r=[0.25, 0.25]), Item(p=2, c=[500, 0], r=[0.75, 0.75]))
>>> program.relations
(Relation(a=2, predicate='in_front_of', b=1),)
>>> pc.parse(str(program)) == program
True
"""

from typing import TYPE_CHECKING, Any

from percepts import kernels, oracle, plan
from percepts._backends import backends
from percepts._core import __version__
from percepts._device_error import DeviceError
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
    from percepts import reference, testing

__all__ = [
    "UNKNOWN",
    "Choice",
    "DeviceError",
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
    "testing",
]


def __getattr__(name: str) -> Any:
    # Nobody pays at import for the definition that tests and researchers compare with, and for what only tests need.
    if name in ("reference", "testing"):
        import importlib

        return importlib.import_module(f"percepts.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Deterministic answers from programs, without a language model.

They read the items as a model would, with the values that are printed, and so make a tool's own accuracy measurable.
Naive and Oracle are the paper's (9.1), the others are ours, in its spirit.
"""

from percepts.oracle.best_box import best_box
from percepts.oracle.camera_motion import camera_motion
from percepts.oracle.choice import Choice
from percepts.oracle.closest_point import closest_point
from percepts.oracle.jigsaw import jigsaw
from percepts.oracle.match import match, naive_match
from percepts.oracle.semantic import semantic

__all__ = ["Choice", "best_box", "camera_motion", "closest_point", "jigsaw", "match", "naive_match", "semantic"]

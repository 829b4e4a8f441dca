"""Deterministic answers from programs, without a language model.

They read the items as a model would, with the values that are printed, and so make a tool's own accuracy measurable.
Naive and Oracle are the paper's (9.1), the others are ours, in its spirit.
"""

from percepts.oracle.choice import Choice
from percepts.oracle.semantic import semantic

__all__ = ["Choice", "semantic"]

"""Matches between two images to programs (paper, 3.2.3)."""

from __future__ import annotations

from percepts import _core
from percepts._matches import Matches, as_matches
from percepts._options import NoteLike, as_count, as_note, as_word
from percepts.program import Program


def correspondence(
    points0: object,
    points1: object = None,
    *,
    size0: object = None,
    size1: object = None,
    confidence: object = None,
    max_items: int | None = None,
    keep: str = "confidence",
    rounding: str = "floor",
    outside: str = "error",
    note: NoteLike = ...,
) -> Program:
    """Make the program of the matches between two images: where a point is in each of them.

    Source: paper, 3.2.3.

    Parameters
    ----------
    points0, points1
        N×2 arrays, or lists, of (x, y) in pixels of image 1 and of image 2; 1×N×2 is N×2. Or `points0` alone is one
        result:

        - a mapping with ``keypoints0`` and ``keypoints1`` (kornia's LoFTR, transformers), ``mkpts0_f`` and ``mkpts1_f``
          (LoFTR) or ``points0`` and ``points1``; with ``matches`` (K×2 indices) or ``matches0`` (for each keypoint of
          image 1 its match, -1 for none), as in SuperGlue's and LightGlue's results, the matched ones are taken;
        - ``(keypoints0, keypoints1, matches)``: OpenCV's ``KeyPoint`` and ``DMatch`` lists, also the lists of lists
          that ``knnMatch`` gives, of which the first match counts; LightGlue's ``(features0, features1, matches01)``;
          or arrays of points and K×2 indices;
        - what `percepts.read_matches` returns.
    size0, size1
        (width, height) of the images in pixels. They may be left out where the result states them, and must
        then be the same.
    confidence
        (N,): larger is surer. Left out, the result's own, if it has any; of OpenCV's matches that is the negative
        distance.
    max_items
        The most matches to keep, in their order.
    keep
        Which ones. ``"confidence"``: the most confident, of several the first; all are as confident where there are no
        confidences. ``"spread"``: from the most confident on, again and again the one that is farthest in image 1, in
        canonical coordinates, from those taken so far.
    rounding
        How canonical coordinates become whole: ``"floor"``, the paper's, or ``"nearest"``, half to even, as the
        research release prints them.
    outside
        ``"error"``, or ``"clip"``: points outside their image are moved to its edge.
    note
        Replaces the built-in note; None leaves it out.

    Returns
    -------
    Program
        Items `p` (1, 2, …), `c` (``[x, y]`` in image 1) and `r` (``[x, y]`` in image 2), both in 0..1000. The arrays
        ``points0`` and ``points1`` (N×2, float64) are the points in pixels, after clipping; ``confidence`` (N,) is
        there when it was given.

    Raises
    ------
    TypeError
        When an argument is of the wrong type.
    ValueError
        When a size is not known, numbers of points differ, a coordinate is not finite, or a point lies outside its
        image.

    Examples
    --------
    >>> program = correspondence([(32, 8), (100, 50)], [(40, 8), (90, 52)], size0=(512, 400), size1=(512, 400))
    >>> [(item.p, item.c, item.r) for item in program.items]
    [(1, [62, 20], [78, 20]), (2, [195, 125], [175, 130])]
    >>> correspondence({"keypoints0": [(32, 8)], "keypoints1": [(40, 8)], "size0": (512, 400), "size1": (512, 400)})
    <Program correspondence: 1 items, 0 relations>
    """
    matches = as_matches(points0, points1, confidence, size0, size1)
    options = correspondence_options(matches, max_items, keep, rounding, outside, note)
    return Program._of(_core.correspondence(matches.points0, matches.points1, matches.confidence, options))


def correspondence_options(
    matches: Matches, max_items: object, keep: object, rounding: object, outside: object, note: object
) -> _core.CorrespondenceOptions:
    """Check the options of a correspondence program, whatever the matches."""
    return _core.CorrespondenceOptions(
        matches.size0 or (1, 1),
        matches.size1 or (1, 1),
        None if max_items is None else as_count(max_items, "max_items"),
        as_word(keep, "keep"),
        as_word(rounding, "rounding"),
        as_word(outside, "outside"),
        as_note(note),
    )

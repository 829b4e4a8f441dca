"""Readers of the files that matches between two images are kept in."""

from __future__ import annotations

import os

from percepts._matches import RESULT_KEYS, matches_of_result
from percepts.readers import colmap_text, npz
from percepts.readers.content import FORMATS
from percepts.readers.match_file import MatchFile
from percepts.readers.naming import listed
from percepts.readers.pairs import Pair, as_image_pair

_LISTING = "read_matches reads .npz, COLMAP's database and COLMAP's text models"
_SQLITE = b"SQLite format 3\0"


def read_matches(path: str | os.PathLike[str], pair: tuple[str, str] | None = None) -> MatchFile:
    """Read the matches between two images from a file.

    ====================  ===================================================================================
    .npz                  arrays named as in the results of LoFTR (``mkpts0_f``, ``mkpts1_f``, ``mconf``), kornia
                          (``keypoints0``, ``keypoints1``, ``confidence``), LightGlue or SuperGlue (the same with
                          ``matches``, or ``matches0`` where -1 is no match, and their scores); sizes as ``size0``
                          and ``size1`` (width, height)
    COLMAP's database     keypoints and matches of two images; those that geometry has verified, where the pair has
                          a row of them
    COLMAP's text models  the points of two images that belong to the same 3D point; the directory, or its
                          images.txt, next to which a cameras.txt stands
    ====================  ===================================================================================

    Parameters
    ----------
    path
        The file, or the directory of a text model.
    pair
        Names of image 1 and image 2 in a file of many. Left out where only one pair has matches.

    Returns
    -------
    MatchFile
        ``points0`` and ``points1`` (N×2, float64), ``confidence``, ``size0`` and ``size1`` (width, height), ``images``,
        ``format`` and ``path``: what `percepts.correspondence` takes as its first argument. Coordinates are as stored.

    Raises
    ------
    ValueError
        If the file holds no matches in a supported format, or `pair` does not choose two images of it; the message
        starts with the path and, where a pair is missing, lists those there are.
    TypeError
        If an argument is of another type.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pair.npz"
    >>> np.savez(path, keypoints0=[[8, 8], [16, 8]], keypoints1=[[9, 8], [20, 8]], confidence=[0.9, 0.4])
    >>> matches = read_matches(path)
    >>> matches.points1.tolist(), matches.confidence.tolist()
    ([[9.0, 8.0], [20.0, 8.0]], [0.9, 0.4])
    """
    location = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(location, str):
        raise TypeError(f"path must be a str or an os.PathLike of str, it is {type(location).__name__}")
    if "\0" in location:
        raise ValueError(f"path must have no null character, got {location!r}")
    images = as_image_pair(pair)
    try:
        return _read(location, images)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{location}: {error}") from error


def _read(location: str, pair: Pair | None) -> MatchFile:
    files = colmap_text.model_files(location)
    if os.path.isdir(location) and not os.path.exists(os.path.join(location, "images.txt")):
        has_binary = os.path.exists(os.path.join(location, "images.bin"))
        advice = ": convert it with colmap model_converter --output_type TXT" if has_binary else ""
        raise ValueError(f"the directory holds no images.txt of a COLMAP text model{advice}")
    if files is not None:
        return colmap_text.read(*files, pair, location)
    with open(location, "rb") as file:
        head = file.read(len(_SQLITE))
        if head == _SQLITE:
            from percepts.readers import colmap_database  # not every Python has sqlite3

            return colmap_database.read(location, pair)
        if not head.startswith(FORMATS["npz"].signatures):
            raise ValueError(f"the format is not known: the first bytes are {head[:8]!r}; {_LISTING}")
        return _read_npz(head + file.read(), pair, location)


def _read_npz(content: bytes, pair: Pair | None, location: str) -> MatchFile:
    if pair is not None:
        raise ValueError(f"a .npz archive holds one pair of images and takes no pair, {pair!r} was given")
    arrays = npz.decode_arrays(content, RESULT_KEYS)
    if not arrays:
        raise ValueError(
            f"no array is named as in a matcher's result, the names are {listed(npz.array_names(content))}"
        )
    found = matches_of_result(arrays)
    if len(found.points0) != len(found.points1):
        raise ValueError(f"both images must have as many points, got {len(found.points0)} and {len(found.points1)}")
    return MatchFile(
        points0=found.points0,
        points1=found.points1,
        confidence=found.confidence,
        size0=found.size0,
        size1=found.size1,
        format="npz",
        path=location,
    )

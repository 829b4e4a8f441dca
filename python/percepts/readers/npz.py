"""NumPy's .npz: a zip archive of .npy files, of which one is read."""

from __future__ import annotations

import dataclasses
import io
import zipfile
from collections.abc import Container
from typing import Any

from numpy.typing import NDArray

from percepts.readers import npy
from percepts.readers.field_file import FieldFile
from percepts.readers.naming import listed

_SUFFIX = ".npy"
_MAX_RATIOS = {zipfile.ZIP_STORED: 1, zipfile.ZIP_DEFLATED: 1032}  # properties of the formats
_ENCRYPTED = 0x1


def decode_depth(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode a depth map: H×W, 1×H×W or H×W×1."""
    return dataclasses.replace(npy.decode_depth(_read_array(content, name), path), format="npz")


def decode_flow(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode a flow field: H×W×2 or 2×H×W, or either with a leading 1."""
    return dataclasses.replace(npy.decode_flow(_read_array(content, name), path), format="npz")


def decode_arrays(content: bytes, names: Container[str]) -> dict[str, NDArray[Any]]:
    """Decode the arrays of these names, those that there are."""
    arrays = {}
    with _opened(content) as archive:
        for member in archive.infolist():
            name = member.filename.removesuffix(_SUFFIX)
            if name != member.filename and name in names:
                arrays[name] = npy.decode_array(_read_member(archive, member, len(content)))
    return arrays


def array_names(content: bytes) -> list[str]:
    """Names of all arrays."""
    with _opened(content) as archive:
        return [name.removesuffix(_SUFFIX) for name in archive.namelist() if name.endswith(_SUFFIX)]


def _read_array(content: bytes, name: str | None) -> bytes:
    with _opened(content) as archive:
        return _read_member(archive, _choose_member(archive.infolist(), name), len(content))


def _opened(content: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except Exception as error:  # a damaged directory makes zipfile raise more than its BadZipFile
        raise ValueError(f"the .npz archive is truncated or damaged: {error!s:.200}") from error


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, size: int) -> bytes:
    _check_claimed_size(member, size)
    try:
        return archive.read(member)
    except Exception as error:
        raise ValueError(
            f"the array {member.filename!r:.100} in the .npz archive is damaged: {error!s:.200}"
        ) from error


def _choose_member(members: list[zipfile.ZipInfo], name: str | None) -> zipfile.ZipInfo:
    arrays = [member for member in members if member.filename.endswith(_SUFFIX)]
    names = [member.filename.removesuffix(_SUFFIX) for member in arrays]
    if not arrays:
        raise ValueError(f"the zip archive holds no .npy array, but {listed([member.filename for member in members])}")
    if name is None and len(arrays) > 1:
        raise ValueError(f"the .npz archive holds several arrays, say name= one of {listed(names)}")
    if name is None:
        return arrays[0]
    chosen = [array for array in arrays if name in (array.filename, array.filename.removesuffix(_SUFFIX))]
    if len(chosen) != 1:
        found = "several arrays" if chosen else "no array"
        raise ValueError(f"the .npz archive holds {found} named {name!r}, it holds {listed(names)}")
    return chosen[0]


def _check_claimed_size(member: zipfile.ZipInfo, stored: int) -> None:
    """Refuse what NumPy does not write, and a size that the stored bytes cannot fill."""
    if member.flag_bits & _ENCRYPTED:
        raise ValueError(f"the array {member.filename!r:.100} in the .npz archive is encrypted")
    ratio = _MAX_RATIOS.get(member.compress_type)
    if ratio is None:
        raise ValueError(
            f"an array in a .npz archive is stored or deflated, {member.filename!r:.100} has compression "
            f"{member.compress_type}"
        )
    if member.file_size > min(member.compress_size, stored) * ratio:
        raise ValueError(
            f"the array {member.filename!r:.100} claims {member.file_size} bytes, which "
            f"{min(member.compress_size, stored)} bytes cannot hold"
        )

"""OpenEXR: a named channel as depth, a pair of channels as flow."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percepts.readers.exr_header import Header, read_header
from percepts.readers.extra import import_library
from percepts.readers.field_file import FieldFile
from percepts.readers.naming import listed

_DEPTH = "Z"  # the name that OpenEXR itself gives to depth
_DEPTH_WORDS = {"z", "depth", "disparity", "disp", "distance"}
_PAIRS = (("u", "v"), ("x", "y"))
_FURTHER_AXES = {"z", "w"}


def decode_depth(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode the channel of that name, or the one that holds depth without doubt; float16 stays float16."""
    header = read_header(content)
    (pixels,) = _decode_channels(content, header, [_depth_channel(list(header.channels), name)])
    return FieldFile(data=pixels, format="exr", path=path)


def decode_flow(content: bytes, path: str, name: str | None) -> FieldFile:
    """Decode the channels `name`.u and `name`.v, or the only such pair, to H×W×2."""
    header = read_header(content)
    pair = _flow_channels(list(header.channels), name)
    return FieldFile(data=np.stack(_decode_channels(content, header, pair), axis=-1), format="exr", path=path)


def _depth_channel(names: list[str], name: str | None) -> str:
    if name is not None:
        if name not in names:
            raise ValueError(f"the OpenEXR file has no channel named {name!r}, it has {listed(names)}")
        return name
    if len(names) == 1:
        return names[0]
    candidates = [found for found in names if _last(found) in _DEPTH_WORDS and not _is_of_a_vector(found, names)]
    if _DEPTH in candidates:
        return _DEPTH
    if len(candidates) != 1:
        raise ValueError(f"which channel of the OpenEXR file is depth is not clear, say name= one of {listed(names)}")
    return candidates[0]


def _is_of_a_vector(name: str, names: Iterable[str]) -> bool:
    """Tell whether X stands beside a Z: it is then a position, a normal or a motion."""
    stem, last = name[:-1], name[-1]
    return last in "zZ" and stem + ("x" if last == "z" else "X") in names


def _flow_channels(names: list[str], name: str | None) -> list[str]:
    pairs = _pairs(names)
    if name is None:
        chosen = [pair for pair in pairs.values() if _last(pair[0]) == "u"]
        if len(chosen) != 1:
            raise ValueError(
                f"the OpenEXR file holds {len(chosen) or 'no'} pairs of channels u and v, "
                f"say name= one of {listed(list(pairs))}; its channels are {listed(names)}"
            )
        return chosen[0]
    if name not in pairs:
        raise ValueError(
            f"the OpenEXR file has no channels '{name}.u' and '{name}.v', its channels are {listed(names)}"
        )
    return pairs[name]


def _pairs(names: list[str]) -> dict[str, list[str]]:
    """Find pairs of channels u and v, or x and y without further axes, by what stands before their last dot."""
    by_prefix: dict[str, dict[str, str]] = {}
    for name in names:
        by_prefix.setdefault(name.rpartition(".")[0], {})[_last(name)] = name
    pairs = {}
    for prefix, found in by_prefix.items():
        for first, second in _PAIRS:
            if first in found and second in found and (first == "u" or not _FURTHER_AXES & found.keys()):
                pairs[prefix] = [found[first], found[second]]
                break
    return pairs


def _last(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _decode_channels(content: bytes, header: Header, names: list[str]) -> list[NDArray[Any]]:
    for name in names:
        if not header.channels[name].is_whole:
            raise ValueError(f"the channel {name!r} of the OpenEXR file is subsampled, which is not supported")
    # The newer `OpenEXR.File` leaves out what it cannot decode; this one raises, and decodes one channel only.
    input_file = import_library("OpenEXR", "OpenEXR").InputFile
    try:
        image = input_file(io.BytesIO(content))
        stored = [bytes(image.channel(name)) for name in names]
    except MemoryError:
        raise
    except Exception as error:  # a damaged file makes it raise nearly anything
        raise ValueError(f"the OpenEXR file cannot be decoded: {error}") from error
    return [_pixels(values, header, name) for values, name in zip(stored, names, strict=True)]


def _pixels(stored: bytes, header: Header, name: str) -> NDArray[Any]:
    dtype = header.channels[name].dtype
    if len(stored) != header.width * header.height * dtype.itemsize:
        raise ValueError(f"the OpenEXR decoder gave {len(stored)} bytes for {header.width}×{header.height} of {dtype}")
    return np.frombuffer(stored, dtype).reshape(header.height, header.width)

"""A damaged file of any format is a ValueError; whatever is read can be used."""

from __future__ import annotations

import io
import json
import os
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

import percepts as pc
from percepts.readers import read_image
from percepts.readers.content import FORMATS, OTHER_FORMATS

CORPUS = Path(__file__).parent / "corpus" / "readers"
_ARRAYS = (
    np.arange(6, dtype=np.uint16).reshape(2, 3),
    np.asfortranarray(np.arange(12, dtype=">f4").reshape(1, 3, 4)),
    np.zeros((2, 2, 2), np.float16),
    np.eye(3, dtype=bool),
)
_PATH = os.path.join(tempfile.mkdtemp(prefix="percepts-fuzz-"), "input")


def seeds(group: str = "") -> list[bytes]:
    """Files of a group of formats, or of all: a small one of each kind, and those of the committed corpus."""
    made = _small_files()
    groups = [group] if group else list(made)
    committed = [path.read_bytes() for name in groups for path in sorted((CORPUS / name).iterdir())]
    return [content for name in groups for content in made[name]] + committed


def dictionary() -> list[bytes]:
    """Signatures, and what a header says of sizes and types."""
    numbers = [struct.pack(order + kind, n) for order in "<>" for kind in "iH" for n in (0, 1, 2, 3, 0x7FFF)]
    header = [
        b"'descr': ",
        b"'<f4'",
        b"'>u2'",
        b"'|O'",
        b"'<f2'",
        b"'|b1'",
        b"True",
        b"False",
        b"(",
        b"2, ",
        b"99999999, ",
    ]
    chunks = [b"IHDR", b"IDAT", b"IEND", b"PLTE", b"tRNS"]
    floats = [struct.pack("<f", x) for x in (np.nan, np.inf, 1e10, -0.0)]
    signatures = [signature for known in FORMATS.values() for signature in known.signatures]
    keys = ("image_id", "category_id", "bbox", "score", "id", "name", "file_name", "width", "images", "annotations")
    coco = [b'"%s":' % key.encode() for key in keys] + [b"1e999", b"NaN", b"-1", b"null", b"true", b"[", b'"\\ud800"']
    return [*signatures, *(signature for signature, _ in OTHER_FORMATS), *numbers, *header, *chunks, *floats, *coco]


def one_input(data: bytes) -> None:
    """Read the bytes, as they are and with a PNG's checksums mended, as depth, flow, an image, labels and detections."""
    for content in {data, _with_checksums(data)}:
        with open(_PATH, "wb") as file:
            file.write(content)
        _read(pc.read_depth, lambda field: pc.depth(field, kind="metric", grid=1))
        _read(pc.read_flow, lambda field: pc.flow(field, grid=1))
        _read(read_image, _piece_of_itself)
        _read(pc.read_labels, lambda field: pc.segmentation(field, grid=1))
        _read_detections()


def _small_files() -> dict[str, list[bytes]]:
    pngs = [_png(2, 3, 8, 0), _png(2, 3, 16, 0), _png(2, 3, 8, 3)]
    return {
        "flo": [_flo(1, 2), _flo(2, 1)],
        "pfm": _pfm(),
        "pgm": _netpbm(),
        "kitti": [_png(2, 2, 16, 2), _png(1, 3, 16, 2)],
        "others": [
            *map(_npy, _ARRAYS),
            _npz(),
            *pngs,
            _jpeg(1),
            _jpeg(3),
            *_compressed_depth(pngs[1]),
            *_coco(),
        ],
    }


def _read_detections() -> None:
    for image in (None, 1):
        found = _read_file(lambda path, image=image: pc.read_detections(path, image))
        if found is None:
            continue
        assert found.boxes.shape == (len(found.labels), 4)
        text = str(pc.detection(found, size=(9, 9) if found.size is None else found.size))
        assert str(pc.parse(text)) == text


def _read_file(read):
    """Read the file; None where it is refused."""
    try:
        return read(_PATH)
    except (ValueError, OSError) as error:
        if not str(error).startswith((_PATH, "[Errno")):
            raise
        return None


def _read(read, use) -> None:
    field = _read_file(read)
    if field is None:
        return
    assert field.data.size > 0
    assert field.data.dtype.isnative
    if field.mask is not None:
        assert field.mask.shape == field.data.shape[: field.mask.ndim]
    try:
        text = str(use(field))
    except ValueError:  # such as distances below 0
        return
    assert str(pc.parse(text)) == text


def _piece_of_itself(image):
    if min(image.data.shape[:2]) < 2:
        raise ValueError("too small for a piece")
    return pc.jigsaw(image, {"A": image.data[1:, 1:]})


def _jpeg(channels: int) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.arange(9 * 8 * 3, dtype=np.uint8).reshape(9, 8, 3)[..., :channels].squeeze()).save(
        buffer, "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"
    )
    return buffer.getvalue()


def _npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _npz() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, depth=_ARRAYS[0])
    return buffer.getvalue()


def _netpbm() -> list[bytes]:
    return [
        b"P2\n# c\n3 2 9\n1 2 3\n4 5 6\n",
        b"P5 3 2 255\n" + bytes(range(6)),
        b"P5 3 1 65535\n" + bytes(range(6)),
        b"P3 1 2 9 1 2 3\n4 5 6\n",
        b"P6\n2 1\n255\n" + bytes(range(6)),
    ]


def _pfm() -> list[bytes]:
    floats = struct.pack("<6f", *range(6))
    return [b"Pf\n3 2\n-1.0\n" + floats, b"PF\n1 2\n-1.0\n" + floats, b"Pf 2 3 1\n" + floats]


def _compressed_depth(png: bytes) -> list[bytes]:
    """ROS's header before a PNG, and before RVL: a size, then runs of zeros and of differences in nibbles."""
    return [
        struct.pack("<iff", 1, 0, 0) + png,
        struct.pack("<iffIII", 0, 0, 0, 5, 1, 0x22A13100),
    ]


def _coco() -> list[bytes]:
    """Results, and a data set."""
    result = {"image_id": 1, "category_id": 18, "bbox": [0, 1, 2.5, 3], "score": 0.5}
    images = [{"id": 1, "file_name": "a", "width": 9, "height": 9}]
    data_set = {"images": images, "categories": [{"id": 18, "name": "dog"}], "annotations": [result]}
    return [json.dumps(value).encode() for value in ([result], [result, {**result, "image_id": "b"}], data_set)]


def _flo(width: int, height: int) -> bytes:
    return struct.pack("<4sii4f", b"PIEH", width, height, 0.5, -1.5, 1e10, np.nan)


def _png(height: int, width: int, bits: int, colour: int) -> bytes:
    row = b"\0" + bytes(range(width * (3 if colour == 2 else 1) * bits // 8))
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return FORMATS["png"].signatures[0] + b"".join(
        struct.pack(">I", len(body)) + name + body + _crc(name + body) for name, body in chunks
    )


def _with_checksums(data: bytes) -> bytes:
    """Mend the checksum of each chunk of a PNG: by chance none would be right after a change."""
    if not data.startswith(FORMATS["png"].signatures):
        return data
    mended = bytearray(data)
    at = 8
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        if end + 4 > len(data):
            break
        mended[end : end + 4] = _crc(data[at + 4 : end])
        at = end + 4
    return bytes(mended)


def _crc(data: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(data))

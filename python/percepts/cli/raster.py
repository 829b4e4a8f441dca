"""The drawings of `percepts.overlay` as PNG, painted with Pillow."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

_OVERSAMPLING = 2
_LINE = re.compile(r"M(\d+) (\d+)([VH])(\d+)")
_Colour = tuple[int, int, int, int]


def import_pillow() -> Any:
    """Import Pillow, or say how to get it."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise ImportError('drawing PNG files needs Pillow: pip install "percepts[plot]"') from error
    return Image, ImageDraw, ImageFont


def png(drawing: str, background: np.ndarray[Any, np.dtype[np.uint8]], scale: int) -> bytes:
    """Paint a drawing without a background of its own over H×W×3 pixels, each `scale` pixels wide."""
    image_module, draw_module, _ = import_pillow()
    zoom = scale * _OVERSAMPLING
    image = image_module.fromarray(np.repeat(np.repeat(background, zoom, axis=0), zoom, axis=1))
    brush = draw_module.Draw(image, "RGBA")
    for element in ElementTree.fromstring(drawing):
        _paint(brush, element)
    content = io.BytesIO()
    image.reduce(_OVERSAMPLING).save(content, "PNG")
    return content.getvalue()


def _paint(brush: ImageDraw, element: ElementTree.Element) -> None:
    tag = element.tag.rpartition("}")[2]
    if tag == "path":
        _lines(brush, element)
    elif tag == "polygon":
        _polygon(brush, element)
    elif tag == "g":
        _readings(brush, element)


def _lines(brush: ImageDraw, path: ElementTree.Element) -> None:
    width = round(_OVERSAMPLING * float(path.attrib["stroke-width"]))
    for x, y, way, end in _LINE.findall(path.attrib["d"]):
        stop = (x, end) if way == "V" else (end, y)
        brush.line([_at(x, y), _at(*stop)], _colour(path, "stroke"), width)


def _polygon(brush: ImageDraw, polygon: ElementTree.Element) -> None:
    corners = [_at(*corner.split(",")) for corner in polygon.attrib["points"].split()]
    brush.polygon(corners, _colour(polygon, "fill"), _colour(polygon, "stroke"), _OVERSAMPLING)


def _readings(brush: ImageDraw, group: ElementTree.Element) -> None:
    _, _, font_module = import_pillow()
    font = font_module.load_default(_OVERSAMPLING * float(group.attrib["font-size"]))
    rim = round(_OVERSAMPLING * float(group.attrib["stroke-width"]) / 2)
    for element in group.iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "text":
            brush.text(
                _at(element.attrib["x"], element.attrib["y"]),
                element.text or "",
                _colour(group, "fill"),
                font,
                anchor="ms",
                stroke_width=rim,
                stroke_fill=_colour(group, "stroke"),
            )
        elif tag == "polygon":
            _polygon(brush, element)
        elif tag == "rect" and float(element.attrib["fill-opacity"]):
            left, top, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
            corner = _at(left + width, top + height)
            brush.rectangle([_at(left, top), (corner[0] - 1, corner[1] - 1)], _colour(element, "fill"))


def _at(x: str | float, y: str | float) -> tuple[float, float]:
    return _OVERSAMPLING * float(x), _OVERSAMPLING * float(y)


def _colour(element: ElementTree.Element, what: str) -> _Colour:
    digits = element.attrib[what].removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue, round(255 * float(element.get(f"{what}-opacity", "1")))

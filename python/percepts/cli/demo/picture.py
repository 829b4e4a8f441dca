"""The scene as vector shapes, from the geometry of the sensor's images, with the programs over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from percepts.cli.demo import scene
from percepts.cli.demo.scene import HEIGHT, WIDTH, Floats, project

if TYPE_CHECKING:
    from percepts.program import Program

_MARGIN, _HEADING = 16, 44
_WALL_HALF = 8.0


def picture(depth: Program, flow: Program) -> str:
    """Draw both programs over the scene, side by side, as one SVG file."""
    panels = [
        (depth, "depth", "min and max of each patch, 1 is nearest; an arrow leads from the patch in front"),
        (flow, "flow", "direction of the mean horizontal motion of each patch"),
    ]
    total_width = len(panels) * (WIDTH + _MARGIN) + _MARGIN
    total_height = _HEADING + HEIGHT + _MARGIN
    drawn = "\n".join(
        _panel(program, name, caption, _MARGIN + k * (WIDTH + _MARGIN))
        for k, (program, name, caption) in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
        f'viewBox="0 0 {total_width} {total_height}">\n'
        f'<rect width="{total_width}" height="{total_height}" fill="#f7f7f5"/>\n{drawn}\n</svg>\n'
    )


def _panel(program: Program, name: str, caption: str, x: int) -> str:
    from percepts.overlay import svg

    return (
        f'<text x="{x}" y="{_HEADING - 16}" font-family="system-ui,sans-serif" font-size="14" fill="#555">'
        f'<tspan font-size="17" font-weight="600" fill="#111">{name}</tspan>'
        f'<tspan dx="12">{caption}</tspan></text>\n'
        f'<g transform="translate({x} {_HEADING})">\n{svg(program, WIDTH, HEIGHT, background())}\n</g>'
    )


def background() -> str:
    """Return the scene's shapes in pixels of the image."""
    return "\n".join([_shading(), _room(), _window(), _sphere(), _box()])


def _shading() -> str:
    def gradient(kind: str, name: str, place: str, *stops: str) -> str:
        colours = "".join(
            f'<stop offset="{k / (len(stops) - 1):g}" stop-color="{stop}"/>' for k, stop in enumerate(stops)
        )
        return f'<{kind} id="percepts-demo-{name}" {place}>{colours}</{kind}>'

    return (
        "<defs>"
        + gradient("linearGradient", "wall", "", "#a3aeb9", "#76828f")
        + gradient("linearGradient", "floor", 'x2="0" y2="1"', "#7a6a58", "#b39a7c")
        + gradient("linearGradient", "sky", 'x2="0" y2="1"', "#8fc1ea", "#d7ecfa")
        + gradient("radialGradient", "sphere", 'cx=".34" cy=".27" r=".8"', "#fff2ee", "#d4493f", "#6d1a1c")
        + "</defs>"
    )


def _room() -> str:
    """Draw the floor with its boards, and the wall over what lies behind it."""
    floor, far = scene.FLOOR_Y, 4 * scene.WALL_Z
    near = floor * 2 * scene.FOCAL / HEIGHT
    across = [_line((-far, floor, z), (far, floor, z)) for z in np.arange(np.ceil(near * 2) / 2, far, 0.5)]
    away = [_line((x, floor, near), (x, floor, far)) for x in np.arange(-6, 6.1, 0.5)]
    wall = _on_wall((-_WALL_HALF, _WALL_HALF), (-_WALL_HALF, floor))
    return (
        f'<rect y="{HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT / 2:g}" fill="url(#percepts-demo-floor)"/>'
        f'<path d="{"".join(across + away)}" stroke="#4a3d2f" stroke-opacity=".45" fill="none"/>'
        f'<path d="{_polygon(wall)}" fill="url(#percepts-demo-wall)"/>'
    )


def _window() -> str:
    pane = _polygon(_on_wall(scene.WINDOW_X, scene.WINDOW_Y))
    middle = sum(scene.WINDOW_X) / 2
    bar = _polygon(_on_wall((middle, middle), scene.WINDOW_Y))
    return f'<path d="{pane}{bar}" fill="url(#percepts-demo-sky)" stroke="#f2f4f5" stroke-width="5"/>'


def _on_wall(x: tuple[float, float], y: tuple[float, float]) -> list[tuple[float, float, float]]:
    """Corners of an upright rectangle on the wall."""
    z0, z1 = (scene.WALL_Z + scene.WALL_SLOPE * end for end in x)
    return [(x[0], y[0], z0), (x[1], y[0], z1), (x[1], y[1], z1), (x[0], y[1], z0)]


def _sphere() -> str:
    """Draw the outline: the circle where rays touch the sphere, projected."""
    center, radius = scene.SPHERE_CENTER, scene.SPHERE_RADIUS
    cos2 = 1 - radius**2 / (center @ center)
    side = np.cross(center, (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    up = np.cross(side, center) / np.linalg.norm(center)
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)[:, None]
    touched = center * cos2 + radius * cos2**0.5 * (np.cos(angles) * side + np.sin(angles) * up)
    x, y = project(center + np.array([0, radius, 0]))
    shadow = f'<ellipse cx="{x:.1f}" cy="{y - 4:.1f}" rx="84" ry="15" fill="#000" fill-opacity=".35"/>'
    return f'{shadow}<path d="{_polygon(touched)}" fill="url(#percepts-demo-sphere)"/>'


def _box() -> str:
    """Draw the three faces that the camera sees: the left one, the top, the front."""
    (x0, y0, z0), (x1, y1, z1) = scene.BOX_LOW, scene.BOX_HIGH
    faces = {
        "#2c5f53": [(x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)],
        "#6fb3a2": [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
        "#459280": [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
    }
    return "".join(
        f'<path d="{_polygon(corners)}" fill="{colour}" stroke="{colour}" stroke-width=".6"/>'
        for colour, corners in faces.items()
    )


def _polygon(points: Any) -> str:
    return f"M{'L'.join(map(_pixel, project(points)))}Z"


def _line(start: Any, end: Any) -> str:
    return f"M{_pixel(project(start))}L{_pixel(project(end))}"


def _pixel(pixel: Floats) -> str:
    return f"{pixel[0]:.1f} {pixel[1]:.1f}"

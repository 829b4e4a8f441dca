"""The scene: a room with a window, a sphere and a box, seen by a pinhole camera, and how it all moves.

Camera coordinates in metres: x to the right, y downwards, z away from the camera.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 640, 480
FOCAL = 500.0
"""Focal length in pixels; the axis meets the middle of the image."""

WALL_Z, WALL_SLOPE = 6.0, 0.3
"""The wall is the plane z = WALL_Z + WALL_SLOPE x."""
FLOOR_Y = 1.0
WINDOW_X, WINDOW_Y = (-0.8, 1.6), (-2.45, -0.55)
SPHERE_CENTER, SPHERE_RADIUS = np.array([-0.75, 0.5, 2.6]), 0.5
BOX_LOW, BOX_HIGH = np.array([0.45, 0.35, 2.3]), np.array([1.25, 1.0, 3.1])
TOWARDS_LIGHT = np.array([-0.45, -0.7, -0.55]) / np.linalg.norm([-0.45, -0.7, -0.55])
GLARE = 0.96
"""Cosine between normal and light from which on the sphere's mirror image of the light blinds the sensor."""

WALL, FLOOR, SPHERE, BOX = range(4)
MOTION = np.array([[0.05, 0.02, 0.0], [0.05, 0.02, 0.0], [-0.12, -0.05, 0.0], [0.14, 0.02, 0.0]])
"""Step of each surface as seen by the camera, which itself slides to the left and a little up."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Scene(NamedTuple):
    """The sensor's images of the scene.

    Attributes
    ----------
    depth
        H×W float32, metres along the axis, 0 where `measured` is False.
    measured
        H×W, False behind the window and in the glare.
    flow
        H×W×2 float32, pixels to the right and downwards.
    known
        H×W, False behind the window and where a point leaves the image.
    """

    depth: NDArray[np.float32]
    measured: Mask
    flow: NDArray[np.float32]
    known: Mask


def render() -> Scene:
    """Cast one ray through each pixel's centre."""
    rays = _rays()
    layers = np.stack([_wall(rays), _floor(rays), _sphere(rays), _box(rays)])
    surface = layers.argmin(axis=0)
    z = layers.min(axis=0)
    points = rays * z[..., None]
    behind_window = _in_window(points) & (surface == WALL)
    measured = ~behind_window & ~(_in_glare(points) & (surface == SPHERE))
    flow = project(points + MOTION[surface]) - project(points)
    inside = _in_image(project(points + MOTION[surface]))
    return Scene(
        depth=np.where(measured, z, 0).astype(np.float32),
        measured=measured,
        flow=flow.astype(np.float32),
        known=inside & ~behind_window,
    )


def _rays() -> Floats:
    """Directions with z = 1; no component is 0, since the axis runs between pixels."""
    x, y = np.meshgrid(np.arange(WIDTH) + 0.5 - WIDTH / 2, np.arange(HEIGHT) + 0.5 - HEIGHT / 2)
    return np.stack([x / FOCAL, y / FOCAL, np.ones_like(x)], axis=-1)


def _wall(rays: Floats) -> Floats:
    return WALL_Z / (1 - WALL_SLOPE * rays[..., 0])


def _floor(rays: Floats) -> Floats:
    y = rays[..., 1]
    return np.where(y > 0, FLOOR_Y / np.abs(y), np.inf)


def _sphere(rays: Floats) -> Floats:
    along = rays @ SPHERE_CENTER
    length2 = (rays**2).sum(axis=-1)
    root = along**2 - length2 * (SPHERE_CENTER @ SPHERE_CENTER - SPHERE_RADIUS**2)
    return np.where(root >= 0, (along - np.sqrt(np.maximum(root, 0))) / length2, np.inf)


def _box(rays: Floats) -> Floats:
    to_low, to_high = BOX_LOW / rays, BOX_HIGH / rays
    enter = np.minimum(to_low, to_high).max(axis=-1)
    leave = np.maximum(to_low, to_high).min(axis=-1)
    return np.where(enter <= leave, enter, np.inf)


def _in_window(points: Floats) -> Mask:
    return _between(points[..., 0], WINDOW_X) & _between(points[..., 1], WINDOW_Y)


def _in_glare(points: Floats) -> Mask:
    glare: Mask = (points - SPHERE_CENTER) @ TOWARDS_LIGHT > GLARE * SPHERE_RADIUS
    return glare


def _between(values: Floats, ends: tuple[float, float]) -> Mask:
    return (values > ends[0]) & (values < ends[1])


def project(points: Any) -> Floats:
    """Pixel coordinates (x, y) of points (x, y, z)."""
    located = np.asarray(points, np.float64)
    return located[..., :2] / located[..., 2:] * FOCAL + (WIDTH / 2, HEIGHT / 2)


def _in_image(pixels: Floats) -> Mask:
    return _between(pixels[..., 0], (0, WIDTH)) & _between(pixels[..., 1], (0, HEIGHT))

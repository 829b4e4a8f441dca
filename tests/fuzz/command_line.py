"""Any arguments end with a documented status, and no traceback is seen."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path

import numpy as np

from percepts import cli

STATUSES = {0, 1, 2}
CORPUS = Path(__file__).parent / "corpus" / "command_line"
_FOLDER = Path(tempfile.mkdtemp(prefix="percepts-fuzz-"))


def seeds() -> list[bytes]:
    """Command lines of the committed corpus, one argument a line."""
    return [line.replace(" ", "\n").encode() for line in CORPUS.read_text().splitlines()]


def dictionary() -> list[bytes]:
    """Every option and command that the parser has, values, and files."""
    _, commands = cli.parsers()
    words = {
        *commands,
        *_files(),
        "boxes.json",
        "--",
        "-",
        "-1",
        "-1e5",
        "nan",
        "-inf",
        "16x16",
        "none",
        "1e400",
        "9" * 30,
        "²",
    }
    for command in commands.values():
        for action in command._actions:
            words.update(action.option_strings, map(str, action.choices or ()))
    return [f"\n{word}\n".encode() for word in sorted(words)]


def one_input(data: bytes) -> None:
    """Run the command line in an empty folder of small files."""
    os.chdir(_FOLDER)
    _write_files()
    arguments = [os.fsdecode(line) for line in _harmless(data).split(b"\n") if line]
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(arguments)
    assert status in STATUSES, status
    assert status == 0 or err.getvalue(), status  # a remark on skipped files is no failure
    assert "Traceback" not in err.getvalue(), err.getvalue()
    assert all(line.startswith(("percepts", "usage", " ")) for line in err.getvalue().split("\n") if line), (
        err.getvalue()
    )


def _harmless(data: bytes) -> bytes:
    """Leave the folder's own names, and what a process can be given."""
    return data.replace(b"/", b"_").replace(b"\0", b"").replace(b"..", b".").replace(b"\r", b"")


def _files() -> dict[str, np.ndarray]:
    return {"depth.npy": np.linspace(0, 1, 20).reshape(4, 5), "flow.npy": np.ones((4, 5, 2), np.float32)}


def _write_files() -> None:
    """Write the files anew, since a command may have written over them."""
    for name, array in _files().items():
        with contextlib.suppress(OSError):
            np.save(name, array)
    with contextlib.suppress(OSError):
        Path("boxes.json").write_text('[{"image_id": 1, "category_id": 18, "bbox": [0, 1, 2.5, 3], "score": 0.5}]')

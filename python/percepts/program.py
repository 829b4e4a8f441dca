"""The perception program: what was read, where, in text that a language model reads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from percepts import _core
from percepts._options import as_number, as_rows_cols, as_style, as_word
from percepts._tokens import count_tokens
from percepts.items import Item, Relation, item_values, listed, relation_values

if TYPE_CHECKING:
    from percepts._late import Late


class Program:
    """A perception program (paper, 3.1 and Algorithm 1), made by hand for a modality of your own.

    The functions of the package (``percepts.depth``, ``percepts.flow``, ``percepts.parse``, …) return the same class.
    A program does not change. Two programs are equal when they print the same text.

    Parameters
    ----------
    modality
        What was read, such as ``"depth"``, or a name of your own.
    granularity
        What an item stands for, such as ``"patch"`` or ``"point"``.
    items
        `Item` objects or mappings with the keys ``p, c, r, b, i``. Values are plain: str, int, float, or a flat list
        of these. Floats print as ``%.6g``. NaN and infinities are unknown in `r`. An item's `p` is unique as printed
        (in the modality ``jigsaw`` `p` and `i` together); the number 1 and the text "1" are one `p`.
    relations
        `Relation` objects or mappings with the keys ``a, predicate, b``; `a` and `b` name items by their `p`, and
        become a number or a text as the item's `p` is.
    grid
        Rows and columns, where the items are cells of a grid.
    note
        A paragraph for the reader that says what `p`, `c`, `r` and `b` mean here.

    Raises
    ------
    TypeError
        When something is not a plain value.
    ValueError
        When a number outside `r` is not finite, or a `p` is not unique.

    Examples
    --------
    >>> program = Program("heat", "patch", [Item(p=1, c=[250, 500], r=21.5)], note="r: degrees Celsius")
    >>> print(program)
    <perceptionprogram>
    modality: "heat"
    granularity: patch
    note: "r: degrees Celsius"
    items:
      - p: 1
        c: [250, 500]
        r: 21.5
    </perceptionprogram>
    """

    __slots__ = ("_arrays", "_centers", "_late", "_printed", "_relations")

    _printed: _core.Program  # not set while a device is at work on it
    _late: tuple[Late, int] | None
    _arrays: dict[str, np.ndarray[Any, Any]] | None
    _centers: tuple[tuple[float, float], ...] | None
    _relations: tuple[Relation, ...] | None

    def __init__(
        self,
        modality: str,
        granularity: str,
        items: Iterable[Item | Mapping[str, Any]],
        relations: Iterable[Relation | Mapping[str, Any]] = (),
        grid: int | tuple[int, int] | None = None,
        note: str | None = None,
    ) -> None:
        self._adopt(
            _core.program_by_hand(
                as_word(modality, "modality"),
                as_word(granularity, "granularity"),
                [item_values(item, f"items[{k}]") for k, item in enumerate(listed(items, "items"))],
                [
                    relation_values(relation, f"relations[{k}]")
                    for k, relation in enumerate(listed(relations, "relations"))
                ],
                None if grid is None else as_rows_cols(grid),
                None if note is None else as_word(note, "note"),
            )
        )

    def _adopt(self, printed: _core.Program) -> None:
        self._printed = printed
        self._arrays = self._centers = self._relations = None

    @classmethod
    def _of(cls, printed: _core.Program) -> Program:
        program = cls.__new__(cls)
        program._adopt(printed)
        return program

    @classmethod
    def _later(cls, late: Late, index: int) -> Program:
        """Make the program of this index of those to come."""
        program = cls.__new__(cls)
        program._late = late, index
        program._arrays = program._centers = program._relations = None
        return program

    if not TYPE_CHECKING:  # checkers would take it for attributes of any name

        def __getattr__(self, name: str) -> Any:
            if name != "_printed":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            late = self._late
            if late is None:  # another thread has read it meanwhile
                return object.__getattribute__(self, "_printed")
            programs, index = late
            self._printed = programs.programs()[index]
            self._late = None
            return self._printed

    @property
    def modality(self) -> str:
        """What was read."""
        return self._printed.modality

    @property
    def granularity(self) -> str:
        """What an item stands for."""
        return self._printed.granularity

    @property
    def grid(self) -> tuple[int, int] | None:
        """Rows and columns of the grid, if there is one."""
        return self._printed.grid

    @property
    def note(self) -> str | None:
        """The paragraph that tells the reader what the items mean."""
        return self._printed.note

    @property
    def items(self) -> tuple[Item, ...]:
        """Items, with the values that are printed.

        They are made anew each time, so that nobody's change to a list in one of them is anybody else's: keep the
        tuple where many items are looked up.
        """
        return self._printed.items(Item)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Relations, each naming two items by their `p`."""
        if self._relations is None:
            self._relations = tuple(Relation(*relation) for relation in self._printed.relations())
        return self._relations

    @property
    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Numbers in full precision, where the program was made from an array.

        For a grid: ``center`` of shape (rows, cols, 2), int32, canonical x and y; ``valid`` of shape (rows, cols),
        float64, the share of valid pixels; ``mean``, float64, within 1e-6 of the mean magnitude; with depth ``min`` and
        ``max``, float32. NaN where a cell has no valid pixel. Other modalities have the arrays that their functions
        name. They are read-only.
        """
        if self._arrays is None:
            self._arrays = self._printed.arrays()
            for array in self._arrays.values():
                array.flags.writeable = False
        return dict(self._arrays)

    def to_text(self, style: str = "paper") -> str:
        """Text of the program: one block between tags.

        Parameters
        ----------
        style
            ``"paper"``: YAML in the layout of the research release. ``"json"``: one JSON object, which is YAML, too.
            ``"compact"``: the fewest tokens that lose nothing. `parse` reads an equal program from each.

        Raises
        ------
        ValueError
            When there is no such style.

        Examples
        --------
        >>> program = Program("depth", "patch", [Item(p=1, c=[250, 500], r=[0.25, 0.5])])
        >>> print(program.to_text("compact"))
        <perceptionprogram>
        compact depth patch
        items: p=1..1 c r
        250,500 .25,.5
        </perceptionprogram>
        """
        return self._printed.to_text(as_style(style))

    def to_json(self) -> str:
        """Text of the program as one JSON object: what the style ``json`` has between the tags.

        Examples
        --------
        >>> print(Program("flow", "patch", [Item(p=1, c=[500, 500], r="left")]).to_json())
        {"modality":"flow","granularity":"patch","items":[
        {"p":1,"c":[500,500],"r":"left"}]}
        """
        return self._printed.to_json()

    def count_tokens(self, style: str = "paper", encoding: str = "o200k_base") -> int:
        """Count the tokens of the program's text.

        Parameters
        ----------
        style
            Style of the text, see `to_text`.
        encoding
            Name of a tokenizer's encoding: ``"o200k_base"``, ``"cl100k_base"``, …

        Raises
        ------
        ImportError
            When the package behind the extra ``tokens`` is missing.
        ValueError
            When there is no such style or encoding.

        Examples
        --------
        >>> Program("flow", "patch", [Item(p=1, c=[500, 500], r="left")]).count_tokens("compact")
        29
        """
        return count_tokens(self.to_text(style), encoding)

    def to_dict(self) -> dict[str, Any]:
        """What a YAML reader finds in the body of the text."""
        body: dict[str, Any] = {"modality": self.modality, "granularity": self.granularity}
        if self.grid is not None:
            body["grid"] = dict(zip(("rows", "cols"), self.grid, strict=True))
        if self.note is not None:
            body["note"] = self.note
        body["items"] = self._printed.dicts()
        if self._printed.relation_count:
            body["relations"] = self._printed.relations_as_read()
        return body

    def reading_at(self, x: float, y: float) -> Item | None:
        """Item whose centre is nearest to a canonical location (0..1000); the first of several, None without items.

        Raises
        ------
        ValueError
            When the items have no location (modality ``similarity``), or `x` or `y` is not finite.
        """
        x, y = as_number(x, "x"), as_number(y, "y")
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"x and y must be finite, got ({x:g}, {y:g})")
        if self.modality == "similarity":
            raise ValueError("reading_at needs items with a location, got a program of modality similarity")
        if self._centers is None:
            self._centers = tuple(map(_center, self.items))
        distances = [math.dist(center, (x, y)) for center in self._centers]
        return self._printed.item(distances.index(min(distances)), Item) if distances else None

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # The text holds all that a program says, the arrays what it was made from.
        return _restored, (type(self), self.to_text("compact"), self.arrays)

    def __str__(self) -> str:
        return self._printed.to_text()

    def __repr__(self) -> str:
        shape = "" if self.grid is None else f" {self.grid[0]}x{self.grid[1]},"
        counts = f"{self._printed.item_count} items, {self._printed.relation_count} relations"
        return f"<Program {self.modality}:{shape} {counts}>"

    def _repr_html_(self) -> str:
        from percepts._notebook import html  # the drawing needs this module

        return html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _restored(cls: type[Program], text: str, arrays: dict[str, np.ndarray[Any, Any]]) -> Program:
    """Make a pickled program again."""
    program = cls._of(_core.parse(text))
    for array in arrays.values():
        array.flags.writeable = False
    program._arrays = arrays
    return program


def parse(text: str) -> Program:
    """Read a program back from its text.

    Parameters
    ----------
    text
        Exactly one block, with nothing but white space around it, as `Program.to_text` prints it in any style or as
        the research release of the method does; or one bare JSON object, as `Program.to_json` prints it.

    Raises
    ------
    ValueError
        With the line, when the text is anything else.

    Examples
    --------
    >>> text = '''<perceptionprogram>
    ... modality: flow
    ... granularity: patch
    ... items:
    ...   - p: 1
    ...     c: [500, 500]
    ...     r: left
    ... </perceptionprogram>'''
    >>> parse(text).items
    (Item(p=1, c=[500, 500], r='left'),)
    >>> program = parse('{"modality": "flow", "granularity": "patch", "items": [{"p": 1, "r": "left"}]}')
    >>> parse(program.to_text("compact")) == program
    True
    """
    return Program._of(_core.parse(as_word(text, "text")))


def find_programs(text: str) -> list[Program]:
    r"""Find every program in prose, such as a model's answer or a whole prompt.

    Blocks may be of any style. What only looks like a block is passed over, and so is a bare JSON object.

    Examples
    --------
    >>> block = str(Program("flow", "patch", [Item(p=1, c=[500, 500], r="left")]))
    >>> find_programs(f"The tool says:\n{block}\nSo the camera moves.")
    [<Program flow: 1 items, 0 relations>]
    """
    return [Program._of(core) for core in _core.find_programs(as_word(text, "text"))]


def _center(item: Item) -> tuple[float, float]:
    c = item.c
    if isinstance(c, list) and len(c) in (2, 4) and all(isinstance(v, (int, float)) for v in c):
        x0, y0, x1, y1 = (as_number(value, "c of an item") for value in (c[0], c[1], c[-2], c[-1]))
        return x0 / 2 + x1 / 2, y0 / 2 + y1 / 2
    raise ValueError(f"reading_at needs items with [x, y] or [x0, y0, x1, y1] as c, got {c!r}")

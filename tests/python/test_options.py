"""Options in the form that the core takes."""

from __future__ import annotations

import numpy as np
import pytest

from percepts._options import as_count


@pytest.mark.parametrize(
    ("value", "count"),
    [(0, 0), (np.int8(5), 5), (2**63 - 1, 2**63 - 1), (2**63, 2**63 - 1), (2**10_000, 2**63 - 1)],
    ids=["0", "int8", "most", "more", "huge"],
)
def test_counts_fit_the_core(value, count):
    assert as_count(value, "most") == count


@pytest.mark.parametrize(
    ("value", "got"),
    [(-1, "-1"), (-(2**70), "-1180591620717411303424"), (-(10**5000), "~-1e5000")],
    ids=["-1", "-(2**70)", "huge"],
)
def test_counts_are_not_negative(value, got):
    with pytest.raises(ValueError, match=f"^most must be at least 0, got {got}$"):
        as_count(value, "most")

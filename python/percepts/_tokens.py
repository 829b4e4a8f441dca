"""Tokens of a text, as a language model's tokenizer cuts it."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any

from percepts._options import as_word

_MOST_CHARACTERS = 1_000_000  # what bpe-openai takes


def count_tokens(text: str, encoding: str) -> int:
    """Count the tokens of a text in an encoding of the package ``bpe-openai``, which brings its tables along."""
    tokenizer = _tokenizer(as_word(encoding, "encoding"))
    if len(text) >= _MOST_CHARACTERS:
        raise ValueError(f"a text must have less than {_MOST_CHARACTERS} characters to be counted, got {len(text)}")
    return len(tokenizer.encode_ordinary(text))


@functools.cache
def _tokenizer(encoding: str) -> Any:
    try:
        with warnings.catch_warnings():
            # It reads its tables in a way that Python 3.11 and 3.12 call deprecated, and 3.13 does not.
            warnings.simplefilter("ignore", DeprecationWarning)
            library = importlib.import_module("bpe_openai")
            known = library.list_encoding_names()
            if encoding not in known:
                raise ValueError(f"encoding must be one of {', '.join(known)}, got {encoding!r}")
            return library.get_encoding(encoding)
    except ImportError:
        raise ImportError("count_tokens needs bpe-openai: pip install 'percepts[tokens]'") from None

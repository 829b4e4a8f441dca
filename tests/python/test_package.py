"""The package as a whole: what importing it costs, what it ships, and that its layers fit together."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import percepts as pc
from percepts import _core

ROOT = Path(__file__).parents[2]
MODALITIES = [
    "depth", "flow", "correspondence", "points", "detection", "segmentation", "albedo", "similarity", "jigsaw", "semantic",
]  # fmt: skip
PAGES_WITHOUT_EXAMPLES = [f"docs/{name}.md" for name in ("api", "compact", "contributing", "cpp")]


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_needs_nothing_but_numpy():
    """Optional packages, the reference and the command line are loaded only when they are asked for."""
    loaded = run(
        "import sys, numpy; before = set(sys.modules); import percepts\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))\n"
        "print(*(name for name in sys.modules if name.startswith(('percepts.reference', 'percepts.cli'))))"
    ).splitlines()
    assert not set(loaded[0].split()) - set(sys.stdlib_module_names) - {"percepts", "numpy"}
    assert loaded[1:] == [""]


def test_the_reference_is_there_when_asked_for():
    assert run("import percepts as pc; print(pc.reference.depth([[0.5]], grid=1).items[0].r)") == "[0.5, 0.5]\n"
    with pytest.raises(AttributeError, match="no attribute 'jigsaws'"):
        _ = pc.jigsaws


def test_the_version_has_one_source():
    version = re.search(r"project\(percepts VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert pc.__version__ == version
    assert importlib.metadata.version("percepts") == version


def test_backends_say_what_is_there_and_why_not():
    backends = pc.backends()
    assert backends["cpu"]["available"]
    assert backends["cpu"]["reason"] is None
    for name in ("cuda", "cuda-emulated"):
        backend = backends.get(name, backends["cuda"])
        assert backend["available"] == (backend["reason"] is None) == bool(backend["devices"])


@pytest.mark.parametrize("modality", MODALITIES)
@pytest.mark.parametrize(
    "file",
    [
        "cpp/include/percepts/{}.hpp",
        "cpp/src/{}.cpp",
        "python/percepts/{}.py",
        "python/percepts/cli/{}.py",
        "python/percepts/reference/{}.py",
        "docs/{}.md",
        "tests/cpp/test_{}.cpp",
        "tests/python/test_{}.py",
    ],
)
def test_every_modality_has_a_file_in_every_layer(modality, file):
    assert (ROOT / file.format(modality)).is_file()
    assert callable(getattr(pc, modality))


@pytest.mark.parametrize("name", [*MODALITIES, "semantic_scores", "parse", "find_programs"])
def test_the_reference_has_the_same_functions(name):
    ours, definition = (inspect.signature(getattr(module, name)) for module in (pc, pc.reference))
    assert ours.parameters == definition.parameters


@pytest.mark.parametrize(
    "name",
    [
        "grid_stats", "flow_sign", "nearest_match", "neighbor_relations", "label_mode", "cell_median",
        "strip_similarity", "feature_similarity",
    ],
)  # fmt: skip
def test_the_reference_has_the_same_kernels(name):
    ours, definition = (inspect.signature(getattr(module.kernels, name)) for module in (pc, pc.reference))
    assert ours.parameters == definition.parameters


def test_every_public_name_is_documented():
    for name in set(pc.__all__) - {"UNKNOWN", "__version__"}:
        assert len(inspect.getdoc(getattr(pc, name))) > 40, name


def test_the_stub_names_what_the_core_has():
    stub = (Path(_core.__file__).parent / "_core.pyi").read_text()
    stated = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE)) | {"__version__"}
    assert stated == {name for name in dir(_core) if not name.startswith("__")} | {"__version__"}
    block = re.search(r"^class Program:\n((?:    .*\n)+)", stub, re.MULTILINE)[1]
    members = set(re.findall(r"def (\w+)", block))
    assert members == {name for name in dir(_core.Program) if not name.startswith("_")}


def test_the_package_is_marked_as_typed():
    assert (Path(pc.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("page", ["README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))])
def test_examples_in_pages(page):
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 0 or page in PAGES_WITHOUT_EXAMPLES


@pytest.mark.parametrize("modality", MODALITIES)
def test_pages_of_modalities_have_the_same_parts(modality):
    page = (ROOT / f"docs/{modality}.md").read_text()
    parts = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert parts[:5] == ["What it reads", "Options", "Definition", "Errors", "Command line"]
    assert f"percepts {modality} " in page[page.index("## Command line") :]


def test_the_reference_page_has_every_public_name_once():
    page = (ROOT / "docs/api.md").read_text()
    documented = re.findall(r"^\.\. (?:auto|py:)(?:function|class|data):: percepts\.(\S+)$", page, re.MULTILINE)
    assert len(documented) == len(set(documented))
    of_kernels = {
        name for name, value in vars(pc.kernels).items() if getattr(value, "__module__", None) == "percepts.kernels"
    }
    modules = {"kernels", "oracle", "plan", "reference", "testing"}
    assert set(documented) >= (
        set(pc.__all__) - modules
        | {f"oracle.{name}" for name in set(pc.oracle.__all__) - {"Choice"}}
        | {f"kernels.{name}" for name in of_kernels}
        | {f"readers.{name}" for name in pc.readers.__all__ if not hasattr(pc, name)}
        | {f"{module}.{name}" for module in ("plan", "testing") for name in getattr(pc, module).__all__}
    )


def test_the_page_on_cpp_names_every_header():
    named = set(re.findall(r"`(\w+)\.hpp`", (ROOT / "docs/cpp.md").read_text()))
    folders = [ROOT / "cpp/include/percepts", ROOT / "cuda/include/percepts"]
    headers = {path.name.split(".")[0] for folder in folders for path in folder.iterdir()}
    assert named == headers - {"percepts"}


@pytest.mark.parametrize(
    "module",
    sorted(info.name for info in pkgutil.walk_packages(pc.__path__, "percepts.") if "__main__" not in info.name),
)
def test_examples_in_docstrings(module):
    # A function may hide the module of its name: percepts.depth is both.
    importlib.import_module(module)
    result = doctest.testmod(sys.modules[module])
    assert result.failed == 0


@pytest.mark.parametrize("name", ["_core", "_cuda", "_cuda_emulated"])
def test_no_class_of_the_core_makes_an_object_without_a_value(name):
    """Its methods would read memory that nobody has initialised."""
    try:
        module = importlib.import_module(f"percepts.{name}")
    except ImportError:
        pytest.skip("this build has no emulation")
    classes = [member for member in vars(module).values() if isinstance(member, type)]
    assert classes
    for cls in classes:
        derived = type("Derived", (cls,), {})
        for made in (cls, derived):
            for new in (made.__new__, cls.__base__.__new__, object.__new__):
                with pytest.raises(TypeError):
                    new(made)
            if "__init__" not in vars(cls):
                with pytest.raises(TypeError):
                    made()
    if name == "_core":
        assert isinstance(_core.AlbedoOptions(1, 1, 0.1, False, True, None), _core.AlbedoOptions)
        assert len(classes) >= 9

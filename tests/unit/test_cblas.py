"""The products that stand for OpenBLAS in the frozen program give what numpy gives, in every layout CBLAS has."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SOURCE = Path(__file__).parents[2] / "packaging" / "blas" / "cblas.c"
COMPILER = shutil.which("cc")
ROW, COLUMN, PLAIN, TRANSPOSED, CONJUGATED, UPPER, LOWER = 101, 102, 111, 112, 113, 121, 122
KINDS: dict[str, Any] = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
SCALARS: dict[str, Any] = {"s": ctypes.c_float, "d": ctypes.c_double}

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the frozen program of Linux alone has it"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler: the frozen program would keep OpenBLAS"),
]


@pytest.fixture(scope="module")
def blas(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    made = tmp_path_factory.mktemp("cblas") / "cblas.so"
    options = ["-shared", "-fPIC", "-O3", "-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([str(COMPILER), *options, "-o", str(made), str(SOURCE), "-lm"], check=True)
    return ctypes.CDLL(str(made))


def drawn(kind: str, *shape: int) -> Any:
    source = np.random.default_rng(len(kind) + sum(shape))
    made = source.standard_normal(shape) + (1j * source.standard_normal(shape) if kind in "cz" else 0)
    return made.astype(KINDS[kind])


def scalar(kind: str, value: complex) -> Any:
    if kind in SCALARS:
        return SCALARS[kind](value.real)
    kept = np.array([value], KINDS[kind])
    return kept.ctypes.data_as(ctypes.c_void_p)


def turned(matrix: Any, how: int) -> Any:
    return {PLAIN: matrix, TRANSPOSED: matrix.T, CONJUGATED: matrix.conj().T}[how]


def laid_out(matrix: Any, order: int) -> tuple[Any, int]:
    """The matrix in that order with room between its rows, and the step from one to the next."""
    rows, columns = matrix.shape if order == ROW else matrix.shape[::-1]
    room = np.zeros((rows, columns + 3), matrix.dtype)
    room[:, :columns] = matrix if order == ROW else matrix.T
    return room, columns + 3


def call(blas: ctypes.CDLL, name: str, *given: Any) -> None:
    words = [
        one.ctypes.data_as(ctypes.c_void_p) if isinstance(one, np.ndarray)
        else ctypes.c_int64(one) if isinstance(one, int) else one
        for one in given
    ]  # fmt: skip
    getattr(blas, f"scipy_cblas_{name}64_")(*words)


@pytest.mark.parametrize("kind", KINDS)
def test_matrices_are_multiplied_as_numpy_does(blas: ctypes.CDLL, kind: str) -> None:
    orders, ways, sizes = (ROW, COLUMN), (PLAIN, TRANSPOSED, CONJUGATED), ((1, 1, 1), (2, 3, 5), (17, 9, 33))
    for order, left_way, right_way, (m, n, k) in itertools.product(orders, ways, ways, sizes):
        left, right, before = drawn(kind, m, k), drawn(kind, k, n), drawn(kind, m, n)
        a, lda = laid_out(turned(left, left_way), order)
        b, ldb = laid_out(turned(right, right_way), order)
        c, ldc = laid_out(before, order)
        alpha, beta = scalar(kind, 2), scalar(kind, 0.5)
        orders_given = (ctypes.c_int(order), ctypes.c_int(left_way), ctypes.c_int(right_way))
        call(blas, f"{kind}gemm", *orders_given, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
        got = c[:m, :n] if order == ROW else c[:n, :m].T
        np.testing.assert_allclose(got, 2 * (left @ right) + 0.5 * before, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_matrix_and_a_vector_are_multiplied_as_numpy_does(blas: ctypes.CDLL, kind: str) -> None:
    cases = itertools.product((ROW, COLUMN), (PLAIN, TRANSPOSED, CONJUGATED), (1, 2, -1), ((1, 1), (3, 40), (40, 3)))
    for order, way, step, (m, n) in cases:
        matrix = drawn(kind, m, n)
        wanted = turned(matrix, way)
        vector = drawn(kind, wanted.shape[1])
        a, lda = laid_out(matrix, order)
        x = np.zeros(vector.size * abs(step), matrix.dtype)
        x[:: abs(step)] = vector if step > 0 else vector[::-1]
        y = np.full(wanted.shape[0], np.nan, matrix.dtype)  # nothing of it is read where beta is 0
        given = (ctypes.c_int(order), ctypes.c_int(way), m, n, scalar(kind, 1), a, lda, x, step, scalar(kind, 0), y, 1)
        call(blas, f"{kind}gemv", *given)
        np.testing.assert_allclose(y, wanted @ vector, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_matrix_times_itself_and_vectors_are_as_numpys(blas: ctypes.CDLL, kind: str) -> None:
    for order, way, half in itertools.product((ROW, COLUMN), (PLAIN, TRANSPOSED), (UPPER, LOWER)):
        matrix = drawn(kind, 7, 19)
        a, lda = laid_out(turned(matrix, way), order)
        c, ldc = laid_out(np.zeros((7, 7), matrix.dtype), order)
        kinds = (ctypes.c_int(order), ctypes.c_int(half), ctypes.c_int(way))
        call(blas, f"{kind}syrk", *kinds, 7, 19, scalar(kind, 1), a, lda, scalar(kind, 0), c, ldc)
        got = c[:, :7] if order == ROW else c[:, :7].T
        wanted = matrix @ matrix.T
        np.testing.assert_allclose(got, np.triu(wanted) if half == UPPER else np.tril(wanted), rtol=1e-3, atol=1e-3)
    for step in (1, -1):
        x, y = drawn(kind, 21), drawn(kind, 21) + 1
        sums = y.copy()
        call(blas, f"{kind}axpy", 21, scalar(kind, 3), x, step, sums, 1)
        np.testing.assert_allclose(sums, y + 3 * x[::step], rtol=1e-3, atol=1e-3)
        if kind in SCALARS:
            dot = getattr(blas, f"scipy_cblas_{kind}dot64_")
            dot.restype = SCALARS[kind]
            pointers = [one.ctypes.data_as(ctypes.c_void_p) for one in (x, y)]
            got = dot(ctypes.c_int64(21), pointers[0], ctypes.c_int64(step), pointers[1], ctypes.c_int64(1))
            np.testing.assert_allclose(got, x[::step] @ y, rtol=1e-3, atol=1e-3)
        else:
            for name, wanted in (("dotu", x[::step] @ y), ("dotc", x[::step].conj() @ y)):
                out = np.zeros(1, x.dtype)
                call(blas, f"{kind}{name}_sub", 21, x, step, y, 1, out)
                np.testing.assert_allclose(out[0], wanted, rtol=1e-3, atol=1e-3)

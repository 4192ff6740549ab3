/* The 22 functions of CBLAS that numpy's array module is linked to, as its wheels name them (64-bit integers), in plain
   loops: for the frozen program on Linux, where OpenBLAS is 27 MB for one product of a matrix and a vector. Linear algebra
   beyond that (numpy.linalg) is not part of the frozen program; see without_unused.py.

   Interface: CBLAS (netlib.org/blas/blast-forum/cinterface.pdf). Complex numbers are pairs; their scalars come by pointer.
*/
#include <complex.h>
#include <stdint.h>

typedef int64_t integer;
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, CONJUGATE = 113, UPPER = 121 };

/* Where vector x begins: with a negative step, at its end. */
#define FIRST(n, step) ((step) < 0 ? (1 - (n)) * (step) : 0)
#define SAME(value) (value)

#define DEFINE(T, p, SCALAR, VALUE, CONJ)                                                                               \
    static T p##product(integer n, const T *x, integer dx, const T *y, integer dy, int conjugate) {                     \
T sum = 0, parts[8] = {0};                                                                                      \
        if (dx == 1 && dy == 1 && !conjugate) { /* eight sums side by side, which a processor adds at once */           \
            integer i = 0;                                                                                              \
            for (; i + 8 <= n; i += 8)                                                                                  \
                for (int lane = 0; lane < 8; lane++) parts[lane] += x[i + lane] * y[i + lane];                          \
            for (; i < n; i++) sum += x[i] * y[i];                                                                      \
            for (int lane = 0; lane < 8; lane++) sum += parts[lane];                                                    \
            return sum;                                                                                                 \
        }                                                                                                               \
        x += FIRST(n, dx);                                                                                              \
        y += FIRST(n, dy);                                                                                              \
        for (integer i = 0; i < n; i++) sum += (conjugate ? CONJ(x[i * dx]) : x[i * dx]) * y[i * dy];                    \
        return sum;                                                                                                     \
    }                                                                                                                   \
    void scipy_cblas_##p##axpy64_(integer n, SCALAR alpha, const T *x, integer dx, T *y, integer dy) {                  \
        x += FIRST(n, dx);                                                                                              \
        y += FIRST(n, dy);                                                                                              \
        for (integer i = 0; i < n; i++) y[i * dy] += VALUE(T, alpha) * x[i * dx];                                       \
    }                                                                                                                   \
    void scipy_cblas_##p##gemv64_(int order, int trans, integer m, integer n, SCALAR alpha, const T *a, integer lda,    \
                                  const T *x, integer dx, SCALAR beta, T *y, integer dy) {                              \
        /* The matrix whose rows are multiplied: step from row to row, and within a row. */                             \
        int turned = (trans != NO_TRANSPOSE) != (order != ROW_MAJOR);                                                   \
        integer rows = trans == NO_TRANSPOSE ? m : n, columns = trans == NO_TRANSPOSE ? n : m;                          \
        integer down = turned ? 1 : lda, along = turned ? lda : 1;                                                      \
        y += FIRST(rows, dy);                                                                                           \
        for (integer i = 0; i < rows; i++) {                                                                            \
            T sum = p##product(columns, a + i * down, along, x, dx, trans == CONJUGATE);                                \
            T kept = VALUE(T, beta) == 0 ? 0 : VALUE(T, beta) * y[i * dy];                                              \
            y[i * dy] = VALUE(T, alpha) * sum + kept;                                                                   \
        }                                                                                                               \
    }                                                                                                                   \
    void scipy_cblas_##p##gemm64_(int order, int ta, int tb, integer m, integer n, integer k, SCALAR alpha, const T *a, \
                                  integer lda, const T *b, integer ldb, SCALAR beta, T *c, integer ldc) {               \
        int a_wide = (ta == NO_TRANSPOSE) == (order == ROW_MAJOR), b_wide = (tb == NO_TRANSPOSE) == (order == ROW_MAJOR);\
        integer a_row = a_wide ? lda : 1, a_in = a_wide ? 1 : lda;                                                      \
        integer b_row = b_wide ? ldb : 1, b_in = b_wide ? 1 : ldb;                                                      \
        integer c_row = order == ROW_MAJOR ? ldc : 1, c_in = order == ROW_MAJOR ? 1 : ldc;                              \
        for (integer i = 0; i < m; i++) {                                                                               \
            for (integer j = 0; j < n; j++) {                                                                           \
                T *to = c + i * c_row + j * c_in;                                                                       \
                *to = VALUE(T, beta) == 0 ? 0 : VALUE(T, beta) * *to;                                                   \
            }                                                                                                           \
            for (integer l = 0; l < k; l++) {                                                                           \
                T left = a[i * a_row + l * a_in];                                                                       \
                left = VALUE(T, alpha) * (ta == CONJUGATE ? CONJ(left) : left);                                         \
                for (integer j = 0; j < n; j++) {                                                                       \
                    T right = b[l * b_row + j * b_in];                                                                  \
                    c[i * c_row + j * c_in] += left * (tb == CONJUGATE ? CONJ(right) : right);                          \
                }                                                                                                       \
            }                                                                                                           \
        }                                                                                                               \
    }                                                                                                                   \
    void scipy_cblas_##p##syrk64_(int order, int uplo, int trans, integer n, integer k, SCALAR alpha, const T *a,       \
                                  integer lda, SCALAR beta, T *c, integer ldc) {                                        \
        int wide = (trans == NO_TRANSPOSE) == (order == ROW_MAJOR);                                                     \
        integer row = wide ? lda : 1, in = wide ? 1 : lda;                                                              \
        for (integer i = 0; i < n; i++)                                                                                 \
            for (integer j = 0; j < n; j++) {                                                                           \
                if (uplo == UPPER ? j < i : j > i) continue;                                                            \
                T *to = c + (order == ROW_MAJOR ? i * ldc + j : j * ldc + i);                                           \
                T kept = VALUE(T, beta) == 0 ? 0 : VALUE(T, beta) * *to;                                                \
                *to = VALUE(T, alpha) * p##product(k, a + i * row, in, a + j * row, in, 0) + kept;                      \
            }                                                                                                           \
    }

#define BY_VALUE(T, scalar) (scalar)
#define BY_POINTER(T, scalar) (*(const T *)(scalar))
DEFINE(float, s, float, BY_VALUE, SAME)
DEFINE(double, d, double, BY_VALUE, SAME)
DEFINE(float complex, c, const void *, BY_POINTER, conjf)
DEFINE(double complex, z, const void *, BY_POINTER, conj)

float scipy_cblas_sdot64_(integer n, const float *x, integer dx, const float *y, integer dy) {
    return sproduct(n, x, dx, y, dy, 0);
}
double scipy_cblas_ddot64_(integer n, const double *x, integer dx, const double *y, integer dy) {
    return dproduct(n, x, dx, y, dy, 0);
}

#define DOT_SUB(T, p)                                                                                                   \
    void scipy_cblas_##p##dotu_sub64_(integer n, const T *x, integer dx, const T *y, integer dy, T *out) {              \
        *out = p##product(n, x, dx, y, dy, 0);                                                                          \
    }                                                                                                                   \
    void scipy_cblas_##p##dotc_sub64_(integer n, const T *x, integer dx, const T *y, integer dy, T *out) {              \
        *out = p##product(n, x, dx, y, dy, 1);                                                                          \
    }
DOT_SUB(float complex, c)
DOT_SUB(double complex, z)

/* SPDX-License-Identifier: MIT
 *
 * Cholesky's factorisation of a symmetric positive definite matrix, a = L L^T:
 *
 *   L[j][j] = sqrt(a[j][j] - sum_k L[j][k]^2)
 *   L[i][j] = (a[i][j] - sum_k L[i][k] L[j][k]) / L[j][j],   i > j
 *
 * Sizes are those of a ranking (models plus a few terms), so plain loops in one fixed
 * order do; their order is also what makes results the same everywhere.
 *
 * Left out: pivoting. A matrix that needs it is singular for our purposes, and the
 * caller then regularises.
 */
#include "stats/solve.h"

#include <math.h>
#include <stddef.h>

static double dot(const double *a, const double *b, int n) {
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

bool stats_cholesky(double *a, int n) {
    for (int j = 0; j < n; j++) {
        double *row_j = a + (ptrdiff_t)j * n;
        double pivot = row_j[j] - dot(row_j, row_j, j);
        if (!(pivot > 1e-10 * row_j[j])) return false;
        row_j[j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double *row_i = a + (ptrdiff_t)i * n;
            row_i[j] = (row_i[j] - dot(row_i, row_j, j)) / row_j[j];
        }
    }
    return true;
}

void stats_cholesky_solve(const double *l, int n, double *b) {
    for (int i = 0; i < n; i++) {
        const double *row = l + (ptrdiff_t)i * n;
        b[i] = (b[i] - dot(row, b, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int k = i + 1; k < n; k++)
            sum -= l[(ptrdiff_t)k * n + i] * b[k];
        b[i] = sum / l[(ptrdiff_t)i * n + i];
    }
}

void stats_cholesky_inverse(const double *l, int n, double *inverse) {
    for (int j = 0; j < n; j++) {
        /* row j, which is column j by symmetry, is the solution for a unit vector */
        double *row = inverse + (ptrdiff_t)j * n;
        for (int i = 0; i < n; i++)
            row[i] = i == j ? 1.0 : 0.0;
        stats_cholesky_solve(l, n, row);
    }
}

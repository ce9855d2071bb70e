/* SPDX-License-Identifier: MIT
 *
 * Small dense symmetric systems, by Cholesky's factorisation. Matrices are [n][n], row
 * by row; only the lower triangle is read. Pure and thread-safe.
 */
#ifndef EH_STATS_SOLVE_H
#define EH_STATS_SOLVE_H

#include <stdbool.h>

/* Replaces `a` by its factor L, a = L L^T. False where a pivot falls below 1e-10 of its
 * diagonal element: not positive definite, or a direction without information. */
bool stats_cholesky(double *a, int n);

/* Solves L L^T x = b in place of b [n]. */
void stats_cholesky_solve(const double *l, int n, double *b);

/* The inverse of L L^T, both triangles, into `inverse`. */
void stats_cholesky_inverse(const double *l, int n, double *inverse);

#endif

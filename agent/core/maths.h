/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths.h - the three functions of the mathematical library that the agent calls.
 *
 * That library is a file of its own with glibc, which a program need not have loaded, and is in the
 * C library with musl. These are right to 1e-15 of the result.
 */
#ifndef OJX_MATHS_H
#define OJX_MATHS_H

/* [handler] e to the power of x. */
double maths_exp(double x);

/* [handler] The same less 1, also where x is small. */
double maths_expm1(double x);

/* [handler] The natural logarithm of 1 + x, also where x is small. */
double maths_log1p(double x);

#endif

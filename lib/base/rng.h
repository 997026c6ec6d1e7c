/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rng.h - random numbers. The caller holds the state, so the same seed gives the same report.
 *
 * splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): one word
 * of state, any seed is good, and it is fast enough for one number per object.
 */
#ifndef OJX_RNG_H
#define OJX_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

/* The finalizer alone: spreads a difference in few bits over all bits. */
static inline uint64_t rng_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 64 random bits. */
static inline uint64_t rng_next(struct rng *r)
{
	r->state += 0x9e3779b97f4a7c15u;
	return rng_mix(r->state);
}

/* Uniform in [0, 1). */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Uniform in 0..n-1, n > 0; the bias of the multiplication is below n / 2^32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

#endif

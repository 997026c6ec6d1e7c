/* SPDX-License-Identifier: Apache-2.0 */
/*
 * downsample.h - thins the samples in a table that is too small for all. It keeps those that there
 * would be if allocations had been sampled more rarely from the beginning. Each of them stands for
 * more objects.
 */
#ifndef OJX_DOWNSAMPLE_H
#define OJX_DOWNSAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The weight, at least `weight`, of a sample of this size if one in `interval` bytes is sampled.
 * `interval` 0: `weight`.
 */
static inline double downsample_weight(double interval, double weight, uint64_t size)
{
	return interval > 0 ? fmax(weight, 1 / -expm1(-(double)size / interval)) : weight;
}

/*
 * Whether a sample of weight `first` is among those of `weight`. `ticket`: its random number, which
 * never changes.
 */
static inline bool downsample_keeps(uint32_t ticket, double first, double weight)
{
	return ticket < first / weight * 4294967296.0;
}

#endif

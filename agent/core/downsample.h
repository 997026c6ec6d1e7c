/* SPDX-License-Identifier: Apache-2.0 */
/*
 * downsample.h - a table that is too small for all samples keeps those that there would be if
 * allocations had been sampled more rarely from the beginning; they stand for more objects.
 */
#ifndef OJX_DOWNSAMPLE_H
#define OJX_DOWNSAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Objects that one of this size stands for if one in `interval` bytes is sampled, or as it is (0).
 */
static inline double downsample_weight(double interval, double weight, uint64_t size)
{
	return interval > 0 ? fmax(weight, 1 / -expm1(-(double)size / interval)) : weight;
}

/* Whether a sample of weight `first` is among those of `weight`. `ticket`: its random number,
 * always the same. */
static inline bool downsample_keeps(uint32_t ticket, double first, double weight)
{
	return ticket < first / weight * 4294967296.0;
}

#endif

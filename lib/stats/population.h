/* SPDX-License-Identifier: Apache-2.0 */
/*
 * population.h - what a line's objects have in common with all objects of their class, from looks
 * that begin windows (wire_population.h): how much few contents hold at most, and how much has an
 * equal at least.
 *
 * A look whose content is in no other window is rare, since windows hold far more objects than
 * there are looks. docs/method.md derives the bounds. Pure functions of arrays.
 */
#ifndef OJX_POPULATION_H
#define OJX_POPULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct population_look {
	double v;	 /* bytes that it stands for, > 0 */
	double alone;	 /* as wire_window.alone, 0..1 */
	uint32_t others; /* windows besides its own that have its content */
	uint32_t block;
	uint32_t bytes; /* of one object */
	bool known;	/* what it holds */
	bool shareable; /* that it was found elsewhere means that there is such an object */
};

struct population {
	size_t looks;
	double n;	   /* as many looks of equal v would tell as much */
	double found;	   /* share of the bytes whose content was found in another window */
	double held_high;  /* share that the k commonest contents hold, at most */
	double shared_low; /* share that has an equal object, of whichever line, at least */
};

/*
 * Both bounds, each wrong with a probability of `alpha` at most. `largest`: the largest v that a
 * look of the line could have had; `limit`: what held_high is to be compared with, which it is
 * sharpest at.
 */
void population_measure(struct population *p, const struct population_look *looks, size_t n,
			unsigned k, double largest, double limit, double alpha);

#endif

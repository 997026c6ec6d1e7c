/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naming.h - names of observations, by which contents are compared.
 *
 * It is not always known whether two contents are equal. Addresses are comparable only within an
 * epoch, large objects are hashed in part, and walks over references are cut. So each observation
 * has two names. For claims that objects are alike: `differing`, which differs unless contents are
 * known to be equal. For claims that they are not: `alike`, which is the same unless contents are
 * known to differ.
 */
#ifndef OJX_NAMING_H
#define OJX_NAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* An observation. */
struct named {
	uint64_t differing, alike;
	double v;
	bool any;     /* `alike` is not known: it may be that of any other */
	bool sampled; /* `alike` is not known: the object may be equal to any other */
};

/* How the snapshots of a row are named. */
struct naming {
	bool deep;
	bool fixed;  /* snapshots with references: named by what cannot change around them */
	bool change; /* what they refer to changes, so unequal deep contents prove nothing */
};

/* Whether what cannot change around an object was read of most snapshots with references. */
bool naming_has_fixed(struct model_context *const *contexts, size_t n);

/* Set the names, and `any`. `number` is unique to this observation. */
void naming_snapshot(struct named *to, const struct model_context *c,
		     const struct model_snapshot *l, const struct naming *how, uint64_t number);
void naming_use(struct named *to, const struct model_context *c, const struct model_use *u,
		uint64_t number);

/* The name of the value in slot `k`; addresses are comparable only within an epoch. */
uint64_t naming_slot(const struct model_context *c, const struct model_snapshot *l, uint32_t k);

/* A name that no other observation has. */
uint64_t naming_unique(uint64_t number);

/*
 * ---- whether what objects refer to was seen to change. Two objects that refer to the same
 * changing object have different deep contents if their snapshots are of different times. One
 * could replace the other nevertheless.
 */

/*
 * Compares observations of one epoch, in which addresses are comparable, that had the same
 * references: snapshots, and uses outside of constructors. Whether one in REFERENTS_ONE_IN
 * neighbours or more had different deep contents.
 */
#define REFERENTS_ONE_IN 20
bool referents_change(struct model_context *const *contexts, size_t n);

#endif

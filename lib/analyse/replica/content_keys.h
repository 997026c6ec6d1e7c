/* SPDX-License-Identifier: Apache-2.0 */
/*
 * content_keys.h - numbers of observations, by which contents are compared.
 *
 * It is not always known whether two contents are equal. Addresses are comparable only within an
 * epoch, large objects are hashed in part, and walks over references are cut. So each observation
 * has two keys. For claims that objects are alike: `differing`, which differs unless contents are
 * known to be equal. For claims that they are not: `alike`, which is the same unless contents are
 * known to differ.
 */
#ifndef OJX_CONTENT_KEYS_H
#define OJX_CONTENT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* An observation. */
struct keyed {
	uint64_t differing, alike;
	double v;     /* how much it stands for */
	bool any;     /* `alike` is not known: it may be that of any other */
	bool sampled; /* `alike` is not known: the object may be equal to any other */
};

/* Which keys the snapshots of a row get. */
struct key_options {
	bool deep;
	bool fixed;  /* snapshots with references: of what cannot change around them */
	bool change; /* what they refer to changes, so unequal deep contents prove nothing */
};

/* Whether what cannot change around an object was read of most snapshots with references. */
bool content_keys_have_fixed(struct model_context *const *contexts, size_t n);

/* Set the keys, and `any`. `number` is unique to this observation. */
void content_keys_of_snapshot(struct keyed *to, const struct model_context *c,
			      const struct model_snapshot *l, const struct key_options *how,
			      uint64_t number);
void content_keys_of_use(struct keyed *to, const struct model_context *c, const struct model_use *u,
			 uint64_t number);

/* The key of the value in slot `k`; addresses are comparable only within an epoch. */
uint64_t content_key_of_slot(const struct model_context *c, const struct model_snapshot *l,
			     uint32_t k);

/* A key that no other observation has. */
uint64_t content_key_unique(uint64_t number);

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

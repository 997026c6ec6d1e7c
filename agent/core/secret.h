/* SPDX-License-Identifier: Apache-2.0 */
/*
 * secret.h - the keyed hash of what objects hold: no other hash of it leaves the agent.
 *
 * What is hashed by XXH3 inside the agent is hashed once more, by its name, on its way into a
 * record.
 */
#ifndef OJX_SECRET_H
#define OJX_SECRET_H

#include "core/state.h"

/* Places, as in wire_secret_hash; those of contents are the salts of classes. */
enum secret_place {
	SECRET_DEEP = 1,
	SECRET_FIXED = 2,
	SECRET_WINDOW = 3,
};

/* [handler][pause] */
static inline uint64_t secret_hash(uint64_t value, uint64_t place)
{
	return wire_secret_hash(&ojx.secret, value, place);
}

#endif

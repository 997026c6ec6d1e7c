/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_pools.h - what events name by a number: texts, classes and stack traces, each described once,
 * in the pool of its kind.
 *
 * Numbers begin with 1; 0 means that there is none.
 */
#ifndef OJX_JFR_POOLS_H
#define OJX_JFR_POOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/idmap.h"
#include "model/callstack.h"

enum jfr_pool_kind {
	JFR_POOL_TEXTS,
	JFR_POOL_SYMBOLS, /* names of the others */
	JFR_POOL_PACKAGES,
	JFR_POOL_CLASSES,
	JFR_POOL_METHODS,
	JFR_POOL_STACKS,
	JFR_POOLS,
};

struct jfr_pool {
	struct hash_numbers numbers;
	struct bytes constants; /* each its number and its fields */
};

struct jfr_pools {
	struct jfr_pool pool[JFR_POOLS];
	struct bytes stack; /* reused */
	/* numbers of methods, by the addresses of their names: there are millions of frames */
	struct hash_numbers places;
	uint32_t *methods;
	size_t room;
};

void jfr_pools_release(struct jfr_pools *p);

/* NULL gives 0. */
uint32_t jfr_pools_text(struct jfr_pools *p, const char *text);

/* The text that `put` writes; nothing gives 0. */
uint32_t jfr_pools_written(struct jfr_pools *p, void (*put)(FILE *out, const void *what),
			   const void *what);

/* A class by its Java name, as the model has it: "byte[]", "com.acme.Shop$Item". NULL gives 0. */
uint32_t jfr_pools_class(struct jfr_pools *p, const char *name);

/*
 * Numbers the frames first .. end - 1 of a stack, innermost first; 0 if there are none. `cut`:
 * there are outer frames that were not recorded. A fold becomes a frame of a class "ojx", since JFR
 * has nothing like it.
 *
 * The texts of frames must outlive the pools, as those of a model do.
 */
uint32_t jfr_pools_stack(struct jfr_pools *p, const struct callstack *stack, size_t first,
			 size_t end, bool cut);

/* Adds all pools, after their number, as an event of constants has them. */
void jfr_pools_put(struct bytes *to, const struct jfr_pools *p);

#endif

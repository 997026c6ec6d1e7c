/* SPDX-License-Identifier: Apache-2.0 */
/*
 * life_store.h - what the model keeps of lives (wire_rec.h): those of dead objects, a uniform
 * sample of all that came, and the last census of each JVM.
 *
 * It keeps at most LIVES_CAP lives of each allocation context, those with the smallest tickets, as
 * with evidence (docs/file-format.md). If there are more than LIVES_MANY in all, the cap is
 * lowered, to LIVES_LEAST in the extreme. A census is kept as a whole. Watches of objects
 * (wire_next_use) are kept with the lives, at most NEXT_USES_CAP of a context.
 */
#ifndef OJX_LIFE_STORE_H
#define OJX_LIFE_STORE_H

#include "model/analysis.h"
#include "model/sums.h"

#define LIVES_CAP     2048u
#define LIVES_MANY    (1u << 17)
#define LIVES_LEAST   64u
#define CENSUS_MAX    (1u << 16) /* objects */
#define NEXT_USES_CAP (1u << 14)

/* See struct wire_life; of a living object `dead` is zero. */
struct life {
	struct wire_heap_time birth, before, alive, dead;
	uint64_t size;
	double weight;
	uint32_t ticket;
	bool outside; /* not asked for, see model_feed_outside */
};

/* See struct wire_next_use. */
struct life_next_use {
	uint64_t birth_ns, start_ns, end_ns, size;
	double weight;
	uint32_t ticket;
	uint16_t outcome, flags;
	bool outside;
};

/* Of one allocation context. */
struct life_context {
	struct sums sums;
	const struct model_context *context;
	struct life *life; /* those of dead objects */
	uint32_t n, room;
	struct life_next_use *next_use;
	uint32_t nnext_uses, next_use_room;
	uint64_t threshold; /* tickets below it are kept; 2^32: all */
};

struct life_living {
	const struct model_context *context;
	struct life life;
};

/* Of one JVM. */
struct life_census {
	bool there;
	struct life_living *living, *coming;
	uint32_t n, ncoming, coming_room;
	struct wire_heap_time now, collected, marked;
};

struct life_store {
	struct sums_store contexts; /* struct life_context */
	size_t n;		    /* lives of all */
	uint32_t cap;		    /* 0: LIVES_CAP */
	struct life_census *census; /* by JVM */
	uint32_t njvms;
};

/* Of struct analysis. */
extern const struct analysis_record life_records[];
void life_store_thin(struct model *m, void *store);
void life_store_release(void *store);

/* NULL: the model has none. */
const struct life_store *life_store_of(const struct model *m);

/* The last census of a JVM; NULL: there was none. */
const struct life_census *life_store_census(const struct life_store *store, uint32_t jvm);

/* How many lives a kept one stands for. */
static inline double life_context_scale(const struct life_context *c)
{
	return 4294967296.0 / (double)c->threshold;
}

#endif

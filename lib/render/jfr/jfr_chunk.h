/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_chunk.h - a chunk, which is a recording of JDK Flight Recorder: a header, the types of its
 * events, the events, and the constants that these name. The header says where the others are, so
 * all of it is in memory until the end.
 */
#ifndef OJX_JFR_CHUNK_H
#define OJX_JFR_CHUNK_H

#include <stdint.h>
#include <stdio.h>

#include "render/jfr/jfr_pools.h"
#include "render/jfr/jfr_types.h"

struct jfr_chunk {
	struct jfr_types types;
	struct jfr_pools pools;
	struct bytes events, event; /* `event`: the one that is being made */
	uint64_t start_unix_ns, duration_ns;
	uint64_t nevents;
};

/* Release in any case. */
void jfr_chunk_init(struct jfr_chunk *c, uint64_t start_unix_ns, uint64_t duration_ns);
void jfr_chunk_release(struct jfr_chunk *c);

/*
 * Begin and end an event. It has no duration: if several events lasted at the same time, JDK
 * Mission Control would need a lane for each. Their times are in the last second of the recording,
 * each a microsecond after the one before, so that readers keep the order. Between the two calls
 * come the fields of the type, in their order. `stack`: see jfr_pools_stack; 0 if the type has
 * none.
 */
void jfr_begin(struct jfr_chunk *c, const struct jfr_type *type, uint32_t stack);
void jfr_end(struct jfr_chunk *c);

/* Fields. A text or the name of a class that is NULL is none. */
void jfr_add_number(struct jfr_chunk *c, int64_t value);     /* JFR_INT, JFR_LONG */
void jfr_add_constant(struct jfr_chunk *c, uint32_t number); /* JFR_STACK */
void jfr_add_bool(struct jfr_chunk *c, bool value);
void jfr_add_pooled(struct jfr_chunk *c, uint32_t number); /* a text by its number */
void jfr_add_text(struct jfr_chunk *c, const char *text);
void jfr_add_class(struct jfr_chunk *c, const char *name);
/* A value that is not finite is not known: NaN. */
void jfr_add_float(struct jfr_chunk *c, double value);
void jfr_add_double(struct jfr_chunk *c, double value);

/* 0, or -1 with errno: the stream failed, or it is too large (EFBIG). */
int jfr_chunk_write(struct jfr_chunk *c, FILE *out);

#endif

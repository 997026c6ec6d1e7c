/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence_log.h - looks and uses in little memory: packed one after the other, as they come, and found by their context later.
 * Numbers are as long as they need to be, so that a piece takes some 28 bytes instead of 60. Pieces of contexts whose numbers
 * are near lie near each other: who reads them in the order of the contexts finds them in the processor's cache.
 */
#ifndef OJX_EVIDENCE_LOG_H
#define OJX_EVIDENCE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/evidence.h"
#include "wire/wire.h"

enum { EVIDENCE_LOOK, EVIDENCE_USE, EVIDENCE_KINDS };

#define EVIDENCE_STREAM_BITS 8 /* of a context's number: those that are equal above lie together */
#define EVIDENCE_STREAM	     (1u << EVIDENCE_STREAM_BITS)
#define EVIDENCE_NO_CHUNK    UINT32_MAX

struct evidence_stream {
	uint32_t first, last; /* chunks; those between are in `next` */
};

struct evidence_log {
	unsigned char *bytes;  /* chunks; NULL: there is no log */
	uint32_t *next;	       /* of a chunk: the one behind it, or EVIDENCE_NO_CHUNK */
	uint32_t *used;	       /* bytes of a chunk */
	uint32_t chunks, free; /* all there are; those that are free are a list, too */
	uint32_t nfree;
	struct evidence_stream *stream;
	uint32_t nstreams;
	uint32_t *at;  /* once sorted: where the pieces are, by context and kind */
	uint32_t *end; /* of what is in `at` of context c and kind k: [EVIDENCE_KINDS * c + k] */
};

/* `room` bytes at most, below 4 GiB. -1 where memory lacks. */
int evidence_log_begin(struct evidence_log *log, size_t room);
void evidence_log_release(struct evidence_log *log); /* then there is none */

/* Adds what has been checked; false where there is no room, or memory lacks. */
bool evidence_log_look(struct evidence_log *log, uint32_t context, const struct wire_look *w);
bool evidence_log_use(struct evidence_log *log, uint32_t context, const struct wire_use *w);

/* How often a threshold has been halved. A ticket stays that has as many leading zeros; of a threshold of 0 none does. */
static inline uint8_t evidence_halvings(uint64_t threshold)
{
	return threshold ? (uint8_t)(32 - __builtin_ctzll(threshold)) : 33;
}

/* Drops what does not stay; `halvings` by context and kind as `end` is. Returns the share of the room that is left. */
double evidence_log_sweep(struct evidence_log *log, const uint8_t *halvings);

/*
 * Sorts what stays: by context, then kind, then age. `end` holds how many there are up to each kind of each context, the kind
 * itself left out; what the log takes over, to be freed with it. -1 where memory lacks; `end` stays the caller's then.
 */
int evidence_log_sort(struct evidence_log *log, const uint8_t *halvings, uint32_t *end, size_t n);

/* How many slots the look has; piece `i` of a sorted log. Tickets are not told any more: they are 0. */
uint16_t evidence_log_slots(const struct evidence_log *log, size_t i);
void evidence_log_get_look(const struct evidence_log *log, size_t i, struct model_look *to);
void evidence_log_get_use(const struct evidence_log *log, size_t i, struct model_use *to);

/* Asks for all that lies near the pieces of a context. */
void evidence_log_warm(const struct evidence_log *log, uint32_t context);

static inline void evidence_log_prefetch(const struct evidence_log *log, size_t i)
{
	__builtin_prefetch(log->bytes + log->at[i]);
	__builtin_prefetch(log->bytes + log->at[i] + 32);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sieve.h - looks and uses that are thinned as model_evidence.c does it, without being at hand: counted, and packed where there
 * is room. What happens to a piece depends on the pieces before it and on nothing else of the model, so that it can
 * be left to a thread, which does it while the reader goes on.
 */
#ifndef OJX_SIEVE_H
#define OJX_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/evidence_log.h"

/* Evidence of one kind of a context. */
#define SIEVE_LEVELS 33
struct sieve_count {
	uint64_t seen;
	uint32_t kept;
	uint16_t halvings;	      /* of the threshold */
	uint16_t level[SIEVE_LEVELS]; /* kept tickets by their leading zeros, from `halvings` on */
};

struct sieve;

/*
 * `most`: bytes that packed evidence may take, below 4 GiB; 0: it is not packed. `apart`: in a thread of its own, if there can be one. NULL
 * where memory lacks. Free with sieve_free.
 */
struct sieve *sieve_new(size_t most, bool apart);
void sieve_free(struct sieve *s);

/* Takes a copy of a look or use, which has been checked, of context number `context`. 0, or -1 where memory lacks. */
int sieve_put(struct sieve *s, uint32_t context, const struct wire_rec *rec);

/* Waits until all has been taken; nothing can be put any more. 0, or -1 where memory lacks. */
int sieve_end(struct sieve *s);

/* Of a context's evidence of one kind (EVIDENCE_LOOK, EVIDENCE_USE), in the end; NULL: there is none. */
const struct sieve_count *sieve_get(const struct sieve *s, uint32_t context, int kind);

/*
 * Hands over what was packed, sorted, of contexts 0..contexts-1; release it with evidence_log_release. There is none (its
 * `at` is NULL) where it had no room, or memory lacks.
 */
void sieve_log(struct sieve *s, size_t contexts, struct evidence_log *log);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sums.h - what is only counted: by a key of some numbers, and by thread until it is in the file.
 * For the counts of the model and for the stores of analyses (analysis.h), which find here what
 * else they need of the model while they take a record.
 */
#ifndef OJX_SUMS_H
#define OJX_SUMS_H

#include "base/idmap.h"
#include "model/model.h"

#define MODEL_MAX_WEIGHT 1e12	      /* most objects for which one sample stands */
#define MODEL_MAX_COUNT	 (1ull << 48) /* most samples or events in one sum */

struct analysis_record;
struct jvm;

/* ---- while a record is taken --------------------------------------------------------------- */

/* Sets errno to EBADMSG. */
enum model_fed model_bad(void);

/* Whether the record is fed by model_feed_outside. */
bool model_is_outside(const struct model *m);

/* The store now has `more` bytes of evidence more, and `less` bytes less. */
void model_count_evidence(struct model *m, size_t more, size_t less);

/* Whether model_close was called. */
bool model_is_closed(const struct model *m);

/* The JVM's number, 1.. */
uint32_t model_jvm_index(const struct jvm *j);

/* The context of an event; made if it is not defined yet. NULL if out of memory. */
struct model_context *model_context_of(struct model *m, struct jvm *j, uint32_t id);

/* The class, described or not; NULL if out of memory. */
const struct model_class *model_class_of(struct model *m, struct jvm *j, uint32_t id);

/* ---- by thread ----------------------------------------------------------------------------- */

/*
 * What has come since the last flush, by thread: a list, empty at first. It is the first member of
 * the struct with the sums. See model_unflushed_new.
 */
struct unflushed {
	struct unflushed *next;
	uint16_t thread;
	bool used; /* something came */
};

/*
 * The sums of a thread, in a list whose entries have `size` bytes; from now on in use, and zeroed
 * if they are new. Entries that were passed on (no longer `used`) are reused for any thread. If
 * there are too many sums of this kind, the thread shares the first entry, which then belongs to an
 * unknown thread. NULL if out of memory.
 */
void *model_unflushed_new(struct model *m, struct unflushed **list, uint16_t thread, size_t size);

/* Takes what is flushed. 0, or -1. */
typedef int emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

/*
 * Makes the record of the sums `f`, except for its thread; `of` is what they belong to. There is
 * room for UNFLUSHED_RECORD bytes.
 */
#define UNFLUSHED_RECORD 256
typedef void unflushed_fill(struct wire_rec *rec, const struct unflushed *f, const void *of);

struct unflushed_flush {
	uint32_t jvm;
	size_t size; /* of the entries of the list */
	unflushed_fill *fill;
};

/* Passes on the sums of a list, and zeroes them. 0, or -1 as soon as `emit` returns -1. */
int model_unflushed_flush(struct model *m, struct unflushed *list,
			  const struct unflushed_flush *how, const void *of, emit_fn *emit,
			  void *arg);

/* ---- by key -------------------------------------------------------------------------------- */

/* Sums of one key; the first member of a larger struct. */
struct sums_key {
	uint32_t jvm;
	uint32_t id[3], what; /* stacks, contexts, classes; kinds and flags */
};

struct sums {
	struct sums_key key;
	struct sums *next; /* of the same hash */
	struct unflushed *unflushed;
};

struct sums_store {
	struct sums **entry; /* in order of arrival */
	uint32_t n, room;
	struct idmap by_hash;
};

/* The sums of a key; NULL if there are none. */
struct sums *model_sums_find(const struct sums_store *store, const struct sums_key *key);
/* Adds an entry of `size` bytes for a new key, zeroed except for the key. NULL if out of memory. */
struct sums *model_sums_add(struct sums_store *store, const struct sums_key *key, size_t size);
/* Like model_unflushed_flush, for all; `fill` gets the struct sums. */
int model_sums_flush(struct model *m, const struct sums_store *store, size_t size,
		     unflushed_fill *fill, emit_fn *emit, void *arg);
/* The sums_store of the analysis that takes these records; an empty one if the model has none. */
const struct sums_store *model_sums_of(const struct model *m,
				       const struct analysis_record *records);
/* Frees what is in a sums_store. */
void model_sums_release(void *store);

#endif

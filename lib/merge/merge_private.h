/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_private.h - shared by the parts of lib/merge/: merge.c (the whole, and facts of the
 * recordings), merge_defs.c (classes, methods, stacks, contexts), merge_ids.c (which recording is
 * which), merge_sums.c (what is added up), merge_sizes.c (allocations by size), merge_values.c
 * (texts), merge_evidence.c (snapshots and uses), merge_input.c (a recording comes in),
 * merge_names.c (its definitions), merge_pieces.c (its evidence), merge_emit.c (the merged one goes
 * out), merge_emit_evidence.c (its evidence).
 */
#ifndef OJX_MERGE_PRIVATE_H
#define OJX_MERGE_PRIVATE_H

#include <string.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "merge/merge.h"
#include "model/labels.h"
#include "wire/wire.h"

/* It may lie wherever an arena has room, which is by multiples of 8. */
typedef __int128 exact __attribute__((aligned(8)));
typedef unsigned __int128 exact_bytes __attribute__((aligned(8)));

/*
 * Bounds, docs/merging.md. Evidence, texts and sizes: as much as a reader of one recording keeps
 * (model_parts.h), which has room for a size of each context and one for the other sizes.
 */
#define MERGE_CONTEXTS	 (1u << 20)
#define MERGE_CAP	 8192u	    /* pieces of one context, initially */
#define MERGE_LEAST	 64u	    /* the cap does not sink below */
#define MERGE_PIECES	 (1u << 18) /* of all contexts */
#define MERGE_SHARE	 4u   /* pools among which those of a context share the cap, at most */
#define MERGE_VALUES	 256u /* texts of one context */
#define MERGE_ALL_VALUES (1u << 16)
#define MERGE_SIZES	 4095u /* sums of one context, without that of the other sizes */
#define MERGE_ALL_SIZES	 (1u << 19)

/* ---- definitions. `record` is as it goes out, but for the numbers of others in it. */

struct merge_def {
	uint64_t hash;			 /* of what it is */
	uint32_t id;			 /* in what goes out; 0: not given yet */
	struct wire_rec *record, *loads; /* loads: of a method; NULL: not known */
};

struct merge_defs {
	struct idmap by_hash;
	struct merge_def **item;
	size_t n, room;
};

/* ---- contexts */

struct merge_sum {
	uint32_t array_length;
	uint64_t size, count;
	exact weight, squares;
};

/* The sizes of a context that have no sum of their own. */
struct merge_rest {
	uint64_t count;
	exact weight, squares;
	exact_bytes bytes; /* in units of the weight's */
};

/* A text. */
struct merge_value {
	uint64_t ticket; /* a hash of it and its context */
	struct wire_rec *record;
};

/* Of the snapshots and uses of a pool and a context. */
struct merge_had {
	uint64_t arrived; /* in the recordings */
	uint64_t kept;	  /* by these, for each its weight stands for all */
};

/* The evidence that a pool has of a context. */
struct merge_group {
	uint64_t pool;
	uint64_t ticket; /* a hash of both */
	struct merge_had snapshots, uses;
	uint32_t n;		  /* pieces that are here, */
	uint32_t halvings;	  /* with tickets below 2^(32 - halvings) */
	struct wire_rec **record; /* n, by ticket, in one block of memory; see merge_behind */
};

struct merge_context {
	uint64_t hash;
	uint32_t id;
	bool is_other;			 /* the context of id 0 */
	struct merge_def *class, *stack; /* NULL: not known */
	struct merge_sum *sum;		 /* by array length, then size */
	size_t nsums, sums_room;
	uint64_t sums_below; /* those with lower tickets have a sum of their own */
	struct merge_rest rest;
	struct merge_group *group;
	size_t ngroups, groups_room;
	size_t joined;	 /* so many groups come first, one of each pool, by ticket */
	size_t pools;	 /* the most that there ever were of these */
	uint64_t held;	 /* pieces of the groups */
	uint64_t below;	 /* groups with lower tickets are kept */
	uint64_t pieces; /* of all */
	uint64_t snapshots, uses, unused[5];
	exact others, others_squares;
	struct merge_value *value; /* by ticket */
	size_t nvalues, values_room;
};

/* A process in a recording. */
struct merge_part {
	struct file_part record; /* its number is given when it goes out */
	uint64_t secret, pool;	 /* as in struct model_part */
	uint32_t *epoch;	 /* numbers of its epochs, sorted; when it goes out */
	size_t nepochs, epochs_room;
	uint32_t first_epoch; /* number of the first in what goes out */
};

/* Sums of an analysis. */
struct merge_found {
	uint64_t hash;
	struct wire_rec *record;
	const struct analysis_sums *how;
	void *name[4]; /* struct merge_context or merge_def; NULL: 0 */
};

/* What holds for all: of a text, that it is the same everywhere. */
struct merge_facts {
	bool any;
	char machine[FILE_MACHINE];
	struct file_jvm jvm;
	struct file_status status;
	bool has_status;
	struct wire_rec *command; /* NULL: there is none that all have */
	struct model_label label[2 * LABELS_MAX];
	size_t nlabels;
	struct arena texts;
};

struct merge {
	const struct analysis *const *analyses;
	struct merge_defs classes, methods, stacks;
	struct idmap by_hash; /* contexts */
	struct merge_context **context;
	size_t ncontexts, contexts_room;
	struct idmap parts_by_id;
	struct merge_part **part; /* by pool, those of one by time */
	size_t nparts, parts_room;
	struct idmap found_by_hash;
	struct merge_found **found;
	size_t nfound, found_room;
	struct merge_facts facts;
	struct arena arena; /* of all that stays */
	uint32_t cap;
	uint64_t capped; /* sum over the contexts of their pieces, of each at most the cap */
	/* in all contexts; what has lower tickets is kept */
	size_t nsums, nvalues;
	uint64_t sums_below, values_below;
	bool left_out;
};

/* ---- merge_defs.c */

/* Copies a record. */
struct wire_rec *merge_keep(struct arena *a, const struct wire_rec *rec, uint32_t len);
uint64_t merge_hash(const void *data, size_t len, uint64_t seed);

/* The definition of that hash; *is_new: it was made just now, and has no record yet. */
struct merge_def *merge_def(struct merge *m, struct merge_defs *defs, uint64_t hash, bool *is_new);

/* Behind a use is the hash of the stack that used the object. NULL: not known. */
struct merge_def *merge_stack_of_use(struct merge *m, const struct wire_rec *rec);

/* The context of a class and a stack, both NULL: that of id 0. NULL: there are too many. */
struct merge_context *merge_context(struct merge *m, struct merge_def *class,
				    struct merge_def *stack, bool is_other);

/* ---- merge_ids.c */

/* Of a recording: by when it began, to the nanosecond, where, and its first JVM. */
uint64_t merge_recording_id(const struct model *m, uint64_t start_unix_ns);

/* The same for all recordings of one process, if they know when it started; else that of `part`. */
uint64_t merge_process_id(const struct model *m, uint32_t jvm, uint64_t part);

/* ---- merge_sums.c */

exact merge_exact(double x);
exact merge_exact_of(const struct file_exact *x);
struct file_exact merge_exact_out(exact x);

/* Adds a sum of an analysis. `name`: what its names stand for. */
void merge_add_found(struct merge *m, const struct wire_rec *rec, const struct analysis_sums *how,
		     void *const name[4]);

/*
 * Of `n` tickets, the one below which `most` are. UINT64_MAX: no more than that are there. Sorts
 * them.
 */
uint64_t merge_below(uint64_t *ticket, size_t n, size_t most);

/* ---- merge_sizes.c, merge_values.c: adds one; leaves in all contexts what is kept. */

void merge_add_sum(struct merge *m, struct merge_context *c, const struct merge_sum *sum);
void merge_trim_sums(struct merge *m);

/* The sums of the other sizes, as they go out. Their number, at most 2. */
size_t merge_rest_sums(const struct merge_context *c, struct merge_sum to[2]);

void merge_add_value(struct merge *m, struct merge_context *c, const struct wire_value *value);
void merge_trim_values(struct merge *m);

/* ---- merge.c */

/* Takes what a JVM's recording says of itself. `command` may be NULL. */
void merge_add_facts(struct merge *m, const struct model *from, uint32_t jvm,
		     const struct wire_rec *command);

/* ---- merge_evidence.c */

/* Sums of a context's evidence in a recording, or in a merged one. */
struct merge_evidence {
	uint64_t pieces, snapshots, uses, unused[5], below;
	exact others, others_squares;
};
void merge_add_evidence(struct merge *m, struct merge_context *c, const struct merge_evidence *e);

/* Takes the group, with its records. It may be a part of what the pool has. */
void merge_add_group(struct merge *m, struct merge_context *c, struct merge_group *g);

/* Makes the group's records canonical: sorted, in one block. `item` are `n` records. */
void merge_pack(struct merge_group *g, struct wire_rec *const *item, size_t n);

/* Leaves in all contexts what is kept, a group of each pool. */
void merge_trim(struct merge *m);
void merge_release_groups(struct merge_context *c);

uint32_t merge_ticket_of(const struct wire_rec *rec);
uint32_t merge_epoch_of(const struct wire_rec *rec);

/* ---- merge_emit_evidence.c, and how what goes out is put */

enum { MERGE_JVM = 1 }; /* that it is of */

struct merge_out {
	struct merge *m;
	analysis_emit_fn *emit;
	void *arg;
	bool failed;
	uint64_t secret; /* the fingerprint that was put last */
};

static inline void merge_put(struct merge_out *o, uint32_t jvm, const struct wire_rec *rec)
{
	o->failed = o->failed || o->emit(jvm, rec, rec->len, o->arg) < 0;
}

/* Is behind a piece's record, which is longer by that. */
struct merge_behind {
	/* of a snapshot: its place in the order in which they came; of a use: hash of the stack
	 * that used the object, 0: not known */
	uint64_t number;
	uint64_t part; /* id */
};

static inline struct merge_behind merge_behind(const struct wire_rec *rec)
{
	struct merge_behind behind;

	memcpy(&behind, (const char *)rec + rec->len - sizeof behind, sizeof behind);
	return behind;
}

static inline bool merge_is_use(const struct wire_rec *rec)
{
	return atomic_load_explicit(&rec->type, memory_order_relaxed) == WIRE_USE;
}

/* The parts, each with its evidence. */
void merge_put_parts(struct merge_out *o);

#endif

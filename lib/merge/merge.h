/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h - pools recordings: each is condensed into definitions, sums and evidence, which are kept
 * by a hash of what they are. docs/merging.md describes what can be added up and what cannot.
 *
 * Recordings are added in any order and in any groups, for the result of one merge can be added to
 * another: the records that come out are the same, byte for byte. Memory is as xmalloc.h says.
 */
#ifndef OJX_MERGE_H
#define OJX_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/analysis.h"
#include "model/model.h"

struct merge;

struct merge *merge_new(const struct analysis *const *analyses);
void merge_free(struct merge *m);

/*
 * What tells a JVM of a recording that began then from all others; struct file_part.id of what was
 * merged already.
 */
uint64_t merge_part_id(const struct model *m, uint64_t start_unix_ns, uint32_t jvm);

/* ---- a recording comes in. */

struct merge_input;

struct merge_input *merge_begin(struct merge *m);

/* As model_feed; records come in the order of the file. */
enum model_fed merge_feed(struct merge_input *in, uint32_t jvm, const struct wire_rec *rec,
			  uint32_t len);

/* Whether it is a merged recording. Such a one has to be whole: its sums come before its parts. */
bool merge_is_of_many(const struct merge_input *in);

enum merge_added {
	MERGE_ADDED,
	MERGE_NOTHING,	/* no process of it is wanted, or it has none */
	MERGE_THERE,	/* all its processes are there already */
	MERGE_OVERLAPS, /* some are, and their share of a merged recording is not known */
	MERGE_MACHINE,	/* it was made by another kind of processor */
	MERGE_MANY,	/* together there are too many different contexts */
};

/* Whether a JVM of a recording is wanted. */
typedef bool merge_wants(const struct model *m, uint32_t jvm, const void *arg);

/*
 * Adds the recording, of which all records were fed. `end_ns`: the time of its last chunk. `wants`
 * may be NULL: all. Frees the input.
 */
enum merge_added merge_end(struct merge_input *in, const struct file_header *header,
			   uint64_t end_ns, merge_wants *wants, const void *arg);
void merge_abandon(struct merge_input *in);

/* ---- the merged recording goes out. */

struct merge_size {
	size_t recordings, processes, parts;
	/* what of the recordings cannot be summed up was left out: see docs/merging.md */
	bool left_out;
};
struct merge_size merge_size(const struct merge *m);

/* The header of its file. */
struct file_header merge_header(const struct merge *m);

/* Passes on all records. 0, or -1 as soon as `emit` returns -1. Nothing can be added afterwards. */
int merge_emit(struct merge *m, analysis_emit_fn *emit, void *arg);

#endif

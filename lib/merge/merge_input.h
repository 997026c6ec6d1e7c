/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_input.h - shared by merge_input.c (records, parts, sums), merge_names.c (definitions) and
 * merge_pieces.c (evidence): a recording that comes in.
 */
#ifndef OJX_MERGE_INPUT_H
#define OJX_MERGE_INPUT_H

#include "merge/merge_private.h"

/* A definition of the recording. */
struct named {
	uint16_t type;
	struct merge_def *made; /* what the merge has for it; NULL: it was not asked for yet */
	struct wire_rec record; /* a copy; once `made` is there, without the numbers in it */
};

/* A record of which the merge needs more than the model keeps. */
struct kept {
	uint32_t jvm;
	struct wire_rec *record;
};

struct merge_input {
	struct merge *merge;
	struct model *model;
	struct arena arena;
	struct idmap definitions; /* struct named by merge_key */
	/* of a merged recording: records by context; by process and context */
	struct idmap pooled, seen, sifted;
	struct kept *sum; /* FILE_SUM, and sums of analyses */
	size_t nsums, sums_room;
	const struct wire_rec *command;
	uint32_t part; /* whose evidence comes; 0: the recording is not merged */
	/* of a merged recording: parts that have evidence, and the first epoch of each */
	struct begun {
		uint32_t part, epoch;
	} * begun;
	size_t nbegun, begun_room;
	/* the same, by context at the end: of which pools it tells something */
	struct noted {
		uint32_t context, process;
		uint64_t pool;
	} * noted;
	size_t nnoted, noted_room;
	bool of_many; /* the recording is merged, or a part of such a one */
	bool left_out;
	/* the parts of the recording; by JVM or, if it is merged, by their numbers */
	struct merge_part **parts;
	size_t nparts;
};

static inline uint64_t merge_input_key(uint32_t process, uint32_t context)
{
	return (uint64_t)process << 32 | context;
}

/* ---- merge_names.c. NULL: not known; of a context: there are too many. */

/* Takes a definition; the first of a number stands. */
void merge_define(struct merge_input *in, uint32_t jvm, uint64_t id, const struct wire_rec *rec);
struct merge_def *merge_class_of(struct merge_input *in, uint32_t jvm, uint32_t id);
struct merge_def *merge_stack_of(struct merge_input *in, uint32_t jvm, uint32_t id);
struct merge_context *merge_context_of(struct merge_input *in, uint32_t jvm, uint32_t id);

/* ---- merge_pieces.c */

/* The part of a JVM or, in a merged recording, of that number; NULL: it is not wanted. */
struct merge_part *merge_part_at(const struct merge_input *in, uint32_t number);

/* Of all contexts of the recording that are `to`, at least one. */
void merge_take_evidence(struct merge_input *in, struct merge_context *to,
			 const struct model_context *const *c, size_t n);

/* `part`: of the texts; NULL: they are of a merged recording. */
void merge_take_values(struct merge_input *in, struct merge_context *to,
		       const struct model_context *c, const struct merge_part *part);

#endif

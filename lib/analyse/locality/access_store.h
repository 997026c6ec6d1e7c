/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_store.h - what the model keeps of sampled accesses: sums by the accessed objects and by
 * the stack of the access.
 */
#ifndef OJX_ACCESS_STORE_H
#define OJX_ACCESS_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/analysis.h"
#include "model/sums.h"

/*
 * Samples of accesses of one kind by one stack, to objects of one allocation context; or to objects
 * of one class that are not followed.
 */
struct model_access {
	uint32_t jvm;			     /* index, 1.. */
	uint32_t stack;			     /* id of the access's stack */
	unsigned flags;			     /* wire_access_flags */
	const struct model_context *context; /* NULL: not followed, or not known */
	const struct model_class *class;     /* of the object; NULL: not known */
	struct file_access_sums sums;
};

/* Of struct analysis. The store is a struct sums_store. */
extern const struct analysis_record access_records[];
int access_flush(struct model *m, void *store, analysis_emit_fn *emit, void *arg);
size_t model_naccesses(const struct model *m);
const struct model_access *model_access(const struct model *m, size_t i); /* 0..naccesses-1 */
void model_add_sums(struct file_access_sums *to, const struct file_access_sums *from);

/*
 * ---- decodes what a processor reports about a sampled access: the kernel's
 * PERF_SAMPLE_DATA_SRC. Kernels since 4.11 give the level as a number; older ones, and the
 * drivers of some processors, as a set of bits. The number takes precedence.
 */

/* Where the access found its data; false if the processor did not report it. */
bool datasrc_level(uint64_t data_src, enum file_level *level);

/*
 * Whether the address missed all levels of the TLB, so that a page walk was necessary. False if the
 * processor did not report it.
 */
bool datasrc_walk(uint64_t data_src, bool *walk);

/* "L1", "fill buffer", ... "other". */
const char *datasrc_level_name(enum file_level level);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* merge_ids.c - what tells recordings, their JVMs and processes from all others. */
#include <string.h>

#include "merge/merge_private.h"

static uint64_t hash_text(const char *text, uint64_t seed)
{
	return merge_hash(text, strlen(text) + 1, seed);
}

/* Not what it holds, for it may still be written. */
uint64_t merge_recording_id(const struct model *m, uint64_t start_unix_ns)
{
	uint64_t hash = merge_hash(&start_unix_ns, sizeof start_unix_ns, 0);
	const struct model_jvm *first = model_jvm(m, 1);

	hash = hash_text(label_value(m, 1, "host"), hash);
	hash = hash_text(label_value(m, 1, "container"), hash);
	hash = hash_text(label_value(m, 1, "start"), hash);
	return first ? merge_hash(&first->info.pid, sizeof first->info.pid, hash) : hash;
}

uint64_t merge_part_id(const struct model *m, uint64_t start_unix_ns, uint32_t jvm)
{
	return merge_hash(&jvm, sizeof jvm, merge_recording_id(m, start_unix_ns));
}

uint64_t merge_process_id(const struct model *m, uint32_t jvm, uint64_t part)
{
	const char *start = label_value(m, jvm, "start");
	uint64_t hash = hash_text(label_value(m, jvm, "host"), 1);

	if (!*start)
		return part;
	hash = hash_text(label_value(m, jvm, "container"), hash_text(start, hash));
	int32_t pid = model_jvm(m, jvm)->info.pid;
	return merge_hash(&pid, sizeof pid, hash);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* versions.c - the table; see versions.h. */
#include "hotspot/versions.h"

#include <stdatomic.h>

#include "core/jvm.h"

static const struct {
	int first, value;
} rows[VERSION_FACTS] = {
	/*
	 * HotSpot samples allocations (JEP 331). Verified: JVMTI offers the capability, or the
	 * agent does nothing.
	 */
	[VERSION_RUNS] = { 11, 0 },
	/*
	 * No word precedes an object of Shenandoah. Not verified: before it, no references are
	 * followed.
	 */
	[VERSION_SHENANDOAH_PLAIN] = { 13, 0 },
	/*
	 * With collectors that move objects between pauses, comparing a weak reference with null
	 * keeps nothing alive. Not verified: if it did, objects would live until a collection of
	 * the old generation.
	 */
	[VERSION_COMPARING_FREES] = { 15, 0 },
	/*
	 * The bytes of a compressed number (UNSIGNED5) are never 0. Verified: the lines of a method
	 * that JVMTI tells (metadata_names.c), and the first stacks, which are compared with the
	 * JVM's.
	 */
	[VERSION_BYTES_EXCLUDE_0] = { 20, 0 },
	/*
	 * Gaps are filled with objects of a class of their own, not with int[]. Not verified:
	 * before it, an int[] counts as a possible gap.
	 */
	[VERSION_FILLER_CLASSES] = { 20, 0 },
	/*
	 * ZGC is always generational; in 21 to 23 an option tells. Not verified: if it were not,
	 * the limits of held objects would be lower than they need to be.
	 */
	[VERSION_Z_YOUNG] = { 24, 0 },
	/*
	 * A thread counts what it allocates while the sampling event is disabled (JDK-8356372). Not
	 * verified: it concerns the first sample of each thread.
	 */
	[VERSION_COUNTS_ALWAYS] = { 25, 0 },
	/*
	 * With compact headers the class begins at this bit of the mark word
	 * (markWord::klass_shift). Verified: the headers of objects of two classes (layout.c).
	 */
	[VERSION_KLASS_SHIFT] = { 24, 42 },
	/*
	 * The tag of G1's regions of eden (HeapRegionType::EdenTag). Verified: a walk at start
	 * finds objects that were just made there (eden_walk.c). That a region's bounds agree with
	 * its place in the table is verified at each use (g1_regions.c).
	 */
	[VERSION_EDEN_TAG] = { 11, 2 },
};

static _Atomic int running; /* 0: not asked yet */

int version_first(enum version_fact fact)
{
	return rows[fact].first;
}

int version_value(enum version_fact fact)
{
	return rows[fact].value;
}

bool version_has(enum version_fact fact)
{
	int jdk = atomic_load_explicit(&running, memory_order_relaxed);

	if (!jdk) {
		jdk = jvm_version();
		atomic_store_explicit(&running, jdk, memory_order_relaxed);
	}
	return jdk >= rows[fact].first;
}

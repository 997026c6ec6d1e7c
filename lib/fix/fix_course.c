/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_course.c - see fix_course.h.
 *
 * Sums of allocations are written at flushes, so the last sum of a context tells until when its
 * objects were made. A rare object has no sample for a while by chance. If its samples were spread
 * as all samples of the JVM are, that all of them come before a time has the probability
 * (share of all samples before it)^n. This allows for changes of the sampling rate, and for a
 * program that does nothing for a while.
 */
#include "fix/fix_course.h"

#include <math.h>

#define CHANCE	  0.001 /* probability below which it is no chance */
#define BEGINNING 0.25	/* share of the time that is its beginning */

double fix_until(const struct fix_part *part, size_t n, const struct model *m)
{
	uint32_t jvm = part->row->jvm;
	uint64_t sampled = 0, last = 0, first_ns, end_ns;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < part[i].ncontexts; k++) {
			const struct model_context *c = part[i].contexts[k];
			sampled += c->sampled;
			last = c->last_ns > last ? c->last_ns : last;
		}
	model_sampled_between(m, jvm, &first_ns, &end_ns);
	if (!last || (double)(last - first_ns) > BEGINNING * (double)(end_ns - first_ns))
		return 0;
	/* a flush takes several chunks, each with a time of its own */
	double before = (double)model_sampled_until(m, jvm, last + last / 32 + 1000000000);
	double all = (double)model_sampled_until(m, jvm, end_ns);
	return pow(before / all, (double)sampled) < CHANCE ? (double)last / 1e9 : 0;
}

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

#include "model/course.h"

#define CHANCE	  0.001 /* probability below which it is no chance */
#define BEGINNING 0.25	/* share of the time that is its beginning */

double fix_until(const struct fix_part *part, size_t n, const struct model *m)
{
	uint32_t jvm = part->row->row.jvm;
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

/* Widens the time to that of the JVM of a part. */
static void add_time(struct fix_course *to, const struct fix_part *part)
{
	uint64_t first_ns, last_ns;

	model_sampled_between(part->contexts[0]->model, part->contexts[0]->jvm, &first_ns,
			      &last_ns);
	if (last_ns == 0)
		return;
	double from = (double)model_flush_begin(first_ns) / 1e9;
	to->from_s = to->to_s > 0 ? fmin(to->from_s, from) : from;
	to->to_s = fmax(to->to_s, (double)last_ns / 1e9);
}

bool fix_course(const struct fix_part *part, size_t n, struct fix_course *to)
{
	*to = (struct fix_course){ .from_s = 0 };
	for (size_t i = 0; i < n; i++)
		add_time(to, &part[i]);
	if (!(to->to_s > to->from_s))
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < part[i].ncontexts; k++)
			if (part[i].contexts[k]->course)
				course_spread(part[i].contexts[k]->course, to->from_s, to->to_s,
					      to->rate, FIX_COURSE);
	for (size_t i = 0; i < FIX_COURSE; i++)
		to->rate[i] /= (to->to_s - to->from_s) / FIX_COURSE;
	return true;
}

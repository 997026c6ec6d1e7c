/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c - see recording.h. */
#include "report/recording.h"

#include <math.h>
#include <string.h>

#include "model/cost.h"

bool recording_exact(const struct model *m, uint64_t *uncounted)
{
	uint64_t seen = 0, counted = model_sampled(m, true); /* id 0: unknown */
	bool exact = model_njvms(m) > 0;

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		exact = exact && jvm && (jvm->info.engines & WIRE_ENGINE_EXACT);
		if (jvm && jvm->has_status)
			seen += jvm->status.sampled;
	}
	*uncounted = exact && seen > counted ? seen - counted : 0;
	return exact;
}

/* Whether one is known by name, or as an object. */
static bool has_virtual_threads(const struct model *m)
{
	for (uint32_t i = 1; i <= model_njvms(m); i++)
		for (uint32_t k = 1; k < WIRE_THREADS; k++) {
			const char *name = model_thread(m, i, k);
			if (name && strcmp(name, WIRE_VIRTUAL_THREADS) == 0)
				return true;
		}
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_class *class = model_context(m, i)->class;
		if (class && strcmp(class->name, "java.lang.VirtualThread") == 0)
			return true;
	}
	return false;
}

static void add_jvm(struct recording *r, const struct model_jvm *jvm)
{
	const struct file_status *s = &jvm->status;
	double pause = (double)s->max_pause_ns / 1e9, work = (double)s->max_pause_work_ns / 1e9;

	r->engines |= jvm->info.engines;
	if (!jvm->has_status)
		return;
	r->sampled += s->sampled;
	r->counted += s->counted;
	r->scanned += s->scanned;
	r->skipped += s->skipped;
	r->lost += s->lost;
	for (int i = 0; i < WIRE_LIMITS; i++)
		r->refused[i] += s->refused[i];
	r->max_pause_s = fmax(r->max_pause_s, pause); /* not NAN */
	r->max_pause_work_s = fmax(r->max_pause_work_s, work);
}

void recording_collect(struct recording *r, const struct model *m, const struct file_header *header,
		       uint64_t end_ns)
{
	struct file_end end;

	memset(r, 0, sizeof *r);
	r->model = m;
	r->command = model_command(m, false);
	r->start_unix_ns = header->start_unix_ns;
	r->duration_s = (double)end_ns / 1e9;
	r->ended = model_ended(m, &end);
	if (r->ended) {
		r->duration_s = (double)end.duration_ns / 1e9;
		r->wait_status = end.wait_status;
	}
	r->cost = cost_of(m);
	r->max_pause_s = r->max_pause_work_s = NAN;
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (jvm)
			add_jvm(r, jvm);
	}
	r->exact = recording_exact(m, &r->uncounted);
	r->recordings = model_nrecordings(m);
	r->processes = model_nprocesses(m);
	r->has_virtual_threads = has_virtual_threads(m);
	/*
	 * for a recording that ended before its first status: samples from the counts of contexts
	 */
	uint64_t counted = model_sampled(m, false);
	if (r->sampled < counted)
		r->sampled = counted;
}

static struct pauses pauses_of(const struct model_jvm *jvm)
{
	const struct file_status *s = &jvm->status;

	return (struct pauses){
		.known = jvm->has_status,
		.collects = jvm->info.flags & WIRE_JVM_COLLECTIONS,
		.collections = s->collections,
		.n = s->epochs,
		.seconds = (double)s->paused_ns / 1e9,
		.recorded = (double)s->wall_ns / 1e9,
	};
}

struct pauses recording_pauses(const struct recording *r, const struct model_jvm *jvm)
{
	struct pauses sum = { .known = !r->is_part, .collects = true };

	if (r->is_part)
		return sum;
	if (jvm)
		return pauses_of(jvm);
	for (uint32_t i = 1; i <= model_njvms(r->model); i++) {
		const struct model_jvm *one = model_jvm(r->model, i);
		struct pauses p = one ? pauses_of(one) : (struct pauses){ .known = false };
		if (!p.known)
			continue;
		sum.collects = sum.collects && p.collects;
		sum.collections += p.collections;
		sum.n += p.n;
		sum.seconds += p.seconds;
		sum.recorded += p.recorded;
	}
	sum.known = sum.recorded > 0;
	return sum;
}

void recording_show_all(struct recording *r)
{
	r->full = true;
	r->command = model_command(r->model, true);
}

void recording_narrow(struct recording *r, const struct selection *w)
{
	if (!w)
		return;
	r->thread_glob = w->thread_glob;
	if (w->thread_glob)
		r->uncounted = 0; /* these belong to other threads, and are not lost */
	if (!selection_is_timed(w))
		return;
	r->is_part = true;
	r->whole_s = r->duration_s;
	r->from_s = (double)w->begin_ns / 1e9;
	r->to_s = (double)w->end_ns / 1e9;
	r->duration_s = r->to_s - r->from_s;
}

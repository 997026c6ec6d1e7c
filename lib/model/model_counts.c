/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_counts.c - what is only counted of a context: allocations by size, and watches unused.
 *
 * Live, each event adds to the context and to what is new since the last flush. A flush passes on
 * the sums; a file holds nothing else. Reading them back adds them to the context alone.
 *
 * The strata are sorted by array length, so that writer and reader have the same order whatever the
 * order of the events. Most contexts have one or a few. Those that have hundreds meet the same ones
 * again and again, so the last one found is tried first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "model/course.h"
#include "model/model_parts.h"

#define SECOND 1000000000u

/* ---- strata ---------------------------------------------------------------------------- */

/* The index of an array length, or where it belongs. */
static uint32_t stratum_index(const struct context *c, uint32_t array_length)
{
	const struct model_stratum *s = c->pub.strata;
	uint32_t low = 0;
	uint32_t high = (uint32_t)c->pub.nstrata;

	if (c->last_stratum < high && s[c->last_stratum].array_length == array_length)
		return c->last_stratum;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (s[middle].array_length < array_length)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool make_room(struct model *m, struct context *c)
{
	uint32_t room = c->strata_room; /* of both arrays */

	return ARENA_GROW(&m->memory, c->pub.strata, c->pub.nstrata, room) &&
	       ARENA_GROW(&m->memory, c->sums, c->pub.nstrata, c->strata_room);
}

static int insert_stratum(struct model *m, struct context *c, uint32_t at, uint32_t array_length,
			  uint64_t size)
{
	if (!make_room(m, c))
		return -1;
	size_t after = c->pub.nstrata - at;
	struct model_stratum *s = &c->pub.strata[at];
	struct stratum_sums *sums = &c->sums[at];
	memmove(s + 1, s, after * sizeof *s);
	memmove(sums + 1, sums, after * sizeof *sums);
	*s = (struct model_stratum){ .array_length = array_length, .size = size };
	*sums = (struct stratum_sums){ 0 };
	c->pub.nstrata++;
	m->nstrata++;
	return 0;
}

/*
 * The stratum of an array length, or that of all other sizes if there are too many. -1 if out of
 * memory.
 *
 * The first sizes to come are the frequent ones, so the shared stratum has many sizes of few
 * objects each. The shares of the others stay right, because it counts in the whole. Its own pairs
 * are left out: they would add a sum of squares of small shares, so the error is small and on the
 * low side.
 */
static int64_t find_stratum(struct model *m, struct context *c, uint32_t array_length,
			    uint64_t size)
{
	uint32_t at = stratum_index(c, array_length);

	if (at < c->pub.nstrata && c->pub.strata[at].array_length == array_length)
		return at;
	if (array_length != MODEL_OTHER_SIZES && c->pub.nstrata > 0 &&
	    (c->pub.nstrata >= MODEL_MAX_STRATA || m->nstrata >= MODEL_MAX_ALL_STRATA))
		return find_stratum(m, c, MODEL_OTHER_SIZES, size);
	return insert_stratum(m, c, at, array_length, size) < 0 ? -1 : (int64_t)at;
}

/* ---- when ---------------------------------------------------------------------------------- */

void model_set_time(struct model *m, uint64_t ns)
{
	m->now_ns = ns;
}

uint64_t model_flush_begin(uint64_t ns)
{
	uint64_t interval = ns / 32 > SECOND ? ns / 32 : SECOND; /* as recorder.c has it */

	return ns > interval ? ns - interval : 0;
}

/* Notes when bytes of a context came. 0, or -1 if out of memory. */
static int note_course(struct model *m, struct context *c, double bytes)
{
	if (!c->course) {
		c->course = arena_alloc(&m->memory, sizeof *c->course);
		if (!c->course)
			return -1;
		*c->course = (struct course){ 0 };
		c->pub.course = c->course;
	}
	course_add(c->course, (double)model_flush_begin(m->now_ns) / SECOND,
		   (double)m->now_ns / SECOND, bytes);
	return 0;
}

/* Notes when samples of a context came. 0, or -1 if out of memory. */
static int note_time(struct model *m, struct context *c, uint64_t count, double bytes)
{
	struct jvm *j = c->pub.jvm ? m->jvms[c->pub.jvm - 1] : NULL;

	if (!m->now_ns || !j || !count)
		return 0;
	if (j->nflushes == 0 || j->flushes[j->nflushes - 1].ns < m->now_ns) {
		if (!GROW(j->flushes, j->nflushes, j->flushes_room, 64))
			return -1;
		j->flushes[j->nflushes] =
			(struct flush){ m->now_ns,
					j->nflushes ? j->flushes[j->nflushes - 1].sampled : 0 };
		j->nflushes++;
	}
	j->flushes[j->nflushes - 1].sampled += count;
	c->pub.last_ns = m->now_ns;
	return note_course(m, c, bytes);
}

static const struct jvm *jvm_at(const struct model *m, uint32_t jvm)
{
	return jvm && jvm <= m->njvms ? m->jvms[jvm - 1] : NULL;
}

uint64_t model_sampled_until(const struct model *m, uint32_t jvm, uint64_t ns)
{
	const struct jvm *j = jvm_at(m, jvm);
	uint64_t sampled = 0;

	for (size_t i = 0; j && i < j->nflushes && j->flushes[i].ns <= ns; i++)
		sampled = j->flushes[i].sampled;
	return sampled;
}

void model_sampled_between(const struct model *m, uint32_t jvm, uint64_t *first_ns,
			   uint64_t *last_ns)
{
	const struct jvm *j = jvm_at(m, jvm);

	*first_ns = j && j->nflushes ? j->flushes[0].ns : 0;
	*last_ns = j && j->nflushes ? j->flushes[j->nflushes - 1].ns : 0;
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Adds counts to a context; `live`: also to what the next flush passes on. */
static int add(struct model *m, struct context *c, const struct file_count *f, bool live)
{
	int64_t at = find_stratum(m, c, f->array_length, f->size);

	if (at < 0)
		return -1;
	struct model_stratum *s = &c->pub.strata[at];
	struct stratum_sums *sums = &c->sums[at];
	struct unflushed_count *unflushed =
		live ? model_unflushed_new(m, &sums->unflushed, f->rec.thread, sizeof *unflushed)
		     : NULL;
	if (live && !unflushed)
		return -1;
	double bytes = f->weight * (double)f->size;
	if (note_time(m, c, f->count, bytes) < 0)
		return -1;
	c->last_stratum = (uint32_t)at;
	m->sampled += f->count;
	m->sampled_known += c->pub.id ? f->count : 0;
	model_note_change(m, c);
	c->pub.sampled += f->count;
	c->pub.objects += f->weight;
	c->pub.bytes += bytes;
	s->sampled += f->count;
	s->objects += f->weight;
	s->squares += f->squares;
	sums->bytes += bytes;
	sums->mixed |= s->size != f->size;
	if (sums->mixed && s->objects > 0)
		s->size = (uint64_t)llround(sums->bytes / s->objects);
	if (live) {
		unflushed->count += f->count;
		unflushed->weight += f->weight;
		unflushed->bytes += bytes;
		unflushed->squares += f->squares;
		c->has_counts = true;
	}
	return 0;
}

int model_add_count(struct model *m, struct context *c, const struct file_count *f)
{
	return add(m, c, f, false);
}

enum model_fed model_take_alloc(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_alloc *a = (const struct wire_alloc *)rec;

	if (!model_weight_ok(a->weight, 1) || a->size > MODEL_MAX_SIZE ||
	    a->array_length > INT32_MAX)
		return model_bad();
	struct context *c = model_event_context(m, j, a->context);
	struct file_count one = { .rec.thread = rec->thread,
				  .array_length = a->array_length,
				  .size = a->size,
				  .count = 1,
				  .weight = a->weight,
				  .squares = a->weight * a->weight };
	return !c || add(m, c, &one, true) < 0 ? MODEL_BAD : MODEL_COUNTED;
}

enum model_fed model_take_callers(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_callers *w = (const struct wire_callers *)rec;

	if (!(w->bytes >= 0 && w->bytes <= MODEL_MAX_WEIGHT * (double)MODEL_MAX_SIZE))
		return model_bad();
	if (model_is_closed(m))
		return MODEL_DROPPED;
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	c->pub.others += w->bytes;
	c->pub.others_squares += w->bytes * w->bytes;
	return MODEL_KEEP;
}

double model_possible_squares(const struct file_count *f)
{
	double least = f->count ? f->weight * f->weight / (double)f->count : 0;

	return f->squares > least && f->squares <= f->weight * f->weight ? f->squares : least;
}

enum model_fed model_take_count(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	struct file_count f;

	memcpy(&f, rec, sizeof f);
	if (f.count > MODEL_MAX_COUNT || !model_weight_ok(f.weight, f.count) ||
	    f.size > MODEL_MAX_SIZE ||
	    (f.array_length > INT32_MAX && f.array_length != MODEL_OTHER_SIZES))
		return model_bad();
	f.squares = model_possible_squares(&f);
	struct context *c = model_event_context(m, j, f.context);
	return !c || add(m, c, &f, false) < 0 ? MODEL_BAD : MODEL_KEEP;
}

/* ---- watches without a use, evidence unseen ------------------------------------------------ */

struct file_tally *model_tally(struct model *m, struct context *c, uint16_t thread)
{
	struct unflushed_tally *t = model_unflushed_new(m, &c->tally, thread, sizeof *t);

	c->has_tally |= t != NULL;
	return t ? &t->sums : NULL;
}

enum model_fed model_take_unused(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_unused *u = (const struct wire_unused *)rec;

	if (u->reason > WIRE_UNUSED_LOST)
		return model_bad();
	struct context *c = model_event_context(m, j, u->context);
	struct file_tally *t = c ? model_tally(m, c, rec->thread) : NULL;
	if (!t)
		return MODEL_BAD;
	model_note_change(m, c);
	c->pub.unused[u->reason]++;
	t->unused[u->reason]++;
	return MODEL_COUNTED;
}

enum model_fed model_take_tally(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_tally *t = (const struct file_tally *)rec;

	if (t->snapshots > MODEL_MAX_COUNT || t->uses > MODEL_MAX_COUNT)
		return model_bad();
	for (uint32_t i = 0; i <= WIRE_UNUSED_LOST; i++)
		if (t->unused[i] > MODEL_MAX_COUNT)
			return model_bad();
	struct context *c = model_event_context(m, j, t->context);
	if (!c)
		return MODEL_BAD;
	model_note_change(m, c);
	c->pub.snapshots_seen += t->snapshots;
	c->pub.uses_seen += t->uses;
	for (uint32_t i = 0; i <= WIRE_UNUSED_LOST; i++)
		c->pub.unused[i] += t->unused[i];
	return MODEL_KEEP;
}

/* ---- flush ----------------------------------------------------------------------------- */

struct stratum_of {
	const struct context *c;
	size_t i;
};

static void fill_count(struct wire_rec *rec, const struct unflushed *f, const void *of)
{
	const struct stratum_of *s = of;
	const struct unflushed_count *n = (const struct unflushed_count *)f;

	struct file_count *to = (struct file_count *)rec;
	*to = (struct file_count){
		.rec = { .len = sizeof *to, .type = FILE_COUNT },
		.context = s->c->pub.id,
		.array_length = s->c->pub.strata[s->i].array_length,
		.size = s->c->pub.strata[s->i].size,
		.count = n->count,
		.weight = n->weight,
		.squares = n->squares,
	};
	if (s->c->sums[s->i].mixed && n->weight > 0)
		to->size = (uint64_t)llround(n->bytes / n->weight);
}

static void fill_tally(struct wire_rec *rec, const struct unflushed *f, const void *of)
{
	const struct context *c = of;

	struct file_tally *to = (struct file_tally *)rec;
	*to = ((const struct unflushed_tally *)f)->sums;
	to->rec = (struct wire_rec){ .len = sizeof *to, .type = FILE_TALLY };
	to->context = c->pub.id;
}

static int flush_context(struct model *m, struct context *c, emit_fn *emit, void *arg)
{
	const struct unflushed_flush counts = { c->pub.jvm, sizeof(struct unflushed_count),
						fill_count };
	const struct unflushed_flush tallies = { c->pub.jvm, sizeof(struct unflushed_tally),
						 fill_tally };

	for (size_t i = 0; c->has_counts && i < c->pub.nstrata; i++) {
		const struct stratum_of of = { c, i };
		if (model_unflushed_flush(m, c->sums[i].unflushed, &counts, &of, emit, arg) < 0)
			return -1;
	}
	c->has_counts = false;
	if (c->has_tally && model_unflushed_flush(m, c->tally, &tallies, c, emit, arg) < 0)
		return -1;
	c->has_tally = false;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(x, y);
}

/*
 * The contexts of which something came, in the order of all. Visiting a hundred thousand others
 * each second would take too long.
 */
static int flush_contexts(struct model *m, emit_fn *emit, void *arg)
{
	if (m->nchanged)
		qsort(m->changed, m->nchanged, sizeof *m->changed, compare_numbers);
	for (size_t i = 0; i < m->nchanged; i++)
		if (flush_context(m, m->contexts[m->changed[i]], emit, arg) < 0)
			return -1;
	for (size_t i = 0; i < m->nchanged; i++)
		m->contexts[m->changed[i]]->changed = false;
	m->nchanged = 0;
	return 0;
}

int model_flush_counts(struct model *m, emit_fn *emit, void *arg)
{
	return flush_contexts(m, emit, arg) < 0 ? -1 : model_flush_stores(m, emit, arg);
}

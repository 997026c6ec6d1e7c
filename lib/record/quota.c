/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota.c - see quota.h.
 *
 * A context's line is known once the methods on its stack have names, which come some milliseconds
 * later. Until then what came of it waits.
 */
#include "record/quota.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "model/callstack.h"
#include "model/fields.h"
#include "model/value_text.h"

#define SNAPSHOTS_LEAST 8    /* before, nothing is known */
#define REPEATS_LEAST	0.25 /* a verdict other than `distinct` needs more in the end */

/* Equal names mean equal contents, as far as a snapshot tells. */
static uint32_t name_of(const struct wire_snapshot *s)
{
	bool deep = s->flags & WIRE_DEEP && !(s->flags & (WIRE_DEEP_CUT | WIRE_DEEP_REFS));
	uint64_t name = deep ? s->deep : s->content;

	if (!deep && s->flags & WIRE_REFS) /* addresses are comparable within an epoch */
		name = wire_control_mix(name + s->epoch);
	return (uint32_t)wire_control_mix(name + s->array_length) | 1; /* 0: nothing yet */
}

static void wanted_uses_snapshot(struct wanted_uses *w, const struct wire_snapshot *s)
{
	uint32_t name = name_of(s), n = w->snapshots < WANTED_RECENT ? w->snapshots : WANTED_RECENT;
	bool repeats = false;

	for (uint32_t i = 0; i < n; i++)
		repeats |= w->recent[i] == name;
	w->recent[w->snapshots % WANTED_RECENT] = name;
	w->snapshots++;
	if (n > 0)
		w->repeats += ((float)repeats - w->repeats) / (float)n;
}

static void wanted_uses_use(struct wanted_uses *w)
{
	w->uses++;
}

/* What the agent is told. */
static enum wire_control_uses wanted_uses_tell(const struct wanted_uses *w)
{
	if (w->snapshots < SNAPSHOTS_LEAST)
		return WIRE_CONTROL_USES_UNKNOWN;
	if (w->immutable || w->repeats < REPEATS_LEAST || w->uses >= WANTED_USES)
		return WIRE_CONTROL_USES_FEW;
	return WIRE_CONTROL_USES_WANTED;
}

#define SIZES	24   /* powers of two of the bytes that samples stand for */
#define LEAST	4096 /* bytes; fewer count as so many */
#define TRIES	30   /* attempts at a line, after which methods without names stay so */
#define WAITING (1u << 31)

/* Samples that stand for about as many bytes each. */
struct alike {
	double samples, bytes;
};

struct line {
	struct alike alike[SIZES]; /* by what a sample stands for, in powers of two */
	bool changed;
	struct wanted_uses uses;
};

/* A context whose line is not known yet; its samples count as alike. */
struct waiting {
	uint32_t context, tries;
	struct alike all;
};

struct quota {
	const struct model *model;
	uint32_t jvm;
	struct wire_controls *controls;
	unsigned wanted; /* snapshots of a line */
	struct line lines[WIRE_CONTROL_LINES];
	uint32_t nlines; /* the next number; 0 is none */
	struct idmap by_name;
	/* by id: the line, or WAITING and the place among those; 0: nothing came */
	uint32_t contexts[WIRE_CONTROL_CONTEXTS];
	struct waiting *waiting;
	uint32_t nwaiting, room;
	uint16_t changed[WIRE_CONTROL_LINES];
	uint32_t nchanged;
};

unsigned quota_wanted(double budget)
{
	double wanted = QUOTA * budget / QUOTA_BUDGET;

	return wanted > QUOTA_MOST ? QUOTA_MOST : wanted > QUOTA ? (unsigned)wanted : QUOTA;
}

struct quota *quota_new(const struct model *model, uint32_t jvm, struct wire_controls *controls,
			unsigned wanted)
{
	struct quota *q = calloc(1, sizeof *q);

	if (q) {
		q->model = model;
		q->jvm = jvm;
		q->controls = controls;
		q->wanted = wanted;
		q->nlines = 1;
	}
	return q;
}

void quota_free(struct quota *q)
{
	if (!q)
		return;
	idmap_release(&q->by_name);
	free(q->waiting);
	free(q);
}

/*
 * What is kept first: a line that the agent still finds then has all its samples kept. Each value
 * stands by itself, so the agent may read in between.
 */
void quota_forget(struct wire_controls *controls)
{
	for (size_t i = 0; i < WIRE_CONTROL_LINES; i++) {
		atomic_store_explicit(&controls->each[i], 0, memory_order_relaxed);
		atomic_store_explicit(&controls->uses[i], WIRE_CONTROL_USES_UNKNOWN,
				      memory_order_relaxed);
	}
	for (size_t i = 0; i < WIRE_CONTROL_CONTEXTS; i++)
		atomic_store_explicit(&controls->line_of_context[i], 0, memory_order_relaxed);
	for (size_t i = 0; i < WIRE_CONTROL_KEYS; i++)
		atomic_store_explicit(&controls->line_of_key[i], 0, memory_order_relaxed);
	for (size_t i = 0; i < WIRE_CONTROL_METHODS / 64; i++)
		atomic_store_explicit(&controls->transparent[i], 0, memory_order_relaxed);
}

/* ---- what comes -------------------------------------------------------------------------- */

/* A line of which something has come, to be told. */
static struct line *touch(struct quota *q, uint32_t line)
{
	struct line *l = &q->lines[line];

	if (!l->changed)
		q->changed[q->nchanged++] = (uint16_t)line;
	l->changed = true;
	return l;
}

static void add(struct quota *q, uint32_t line, struct alike some)
{
	double each = some.samples > 0 ? some.bytes / some.samples : 0;
	int power = each > LEAST ? ilogb(each / LEAST) : 0;
	struct alike *to = &touch(q, line)->alike[power < SIZES ? power : SIZES - 1];

	to->samples += some.samples;
	to->bytes += some.bytes;
}

static struct waiting *wait_for_line(struct quota *q, uint32_t context)
{
	if (!GROW(q->waiting, q->nwaiting, q->room, 64))
		return NULL;
	q->contexts[context] = WAITING | q->nwaiting;
	q->waiting[q->nwaiting] = (struct waiting){ .context = context };
	return &q->waiting[q->nwaiting++];
}

/* A context's line; 0 where it is not known. */
static uint32_t line_of(const struct quota *q, uint32_t context)
{
	uint32_t line = context < WIRE_CONTROL_CONTEXTS ? q->contexts[context] : 0;

	return line & WAITING ? 0 : line;
}

static void take_alloc(struct quota *q, const struct wire_alloc *a)
{
	uint32_t line = line_of(q, a->context);
	double bytes = a->weight * (double)a->size;

	if (a->context == 0 || a->context >= WIRE_CONTROL_CONTEXTS)
		return;
	if (line) {
		add(q, line, (struct alike){ 1, bytes });
		return;
	}
	uint32_t known = q->contexts[a->context];
	struct waiting *w = known ? &q->waiting[known & ~WAITING] : wait_for_line(q, a->context);
	if (w) {
		w->all.samples++;
		w->all.bytes += bytes;
	}
}

void quota_take(struct quota *q, const struct wire_rec *rec)
{
	const struct wire_snapshot *s = (const struct wire_snapshot *)rec;
	const struct wire_use *u = (const struct wire_use *)rec;
	uint32_t line;

	switch (atomic_load_explicit(&rec->type, memory_order_relaxed)) {
	case WIRE_ALLOC:
	case WIRE_ALLOC_COUNTED:
		take_alloc(q, (const struct wire_alloc *)rec);
		break;
	case WIRE_SNAPSHOT:
		line = line_of(q, s->context);
		if (line)
			wanted_uses_snapshot(&touch(q, line)->uses, s);
		break;
	case WIRE_USE:
		line = line_of(q, u->context);
		if (line)
			wanted_uses_use(&touch(q, line)->uses);
		break;
	}
}

/* ---- lines ------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return wire_control_mix(hash);
}

/* The number of the line of a class and frame, a new one where there is room; 0: there is none. */
static uint32_t number_of(struct quota *q, uint32_t class_id, const struct model_frame *f)
{
	uint64_t name = hash_text(hash_text(class_id, f->class_name), f->method) +
			(uint64_t)(f->line > 0 ? f->line : -2 - f->bci);
	uintptr_t found = (uintptr_t)idmap_get(&q->by_name, name);

	if (found)
		return (uint32_t)found;
	if (q->nlines == WIRE_CONTROL_LINES ||
	    idmap_put(&q->by_name, name, (void *)(uintptr_t)q->nlines) < 0)
		return 0;
	return q->nlines++;
}

/* Whether the frames up to the line have names. */
static bool named(const struct quota *q, const uint32_t *numbers, size_t line)
{
	for (size_t i = 0; i <= line; i++) {
		struct model_frame f = model_frame(q->model, q->jvm, numbers[i]);
		if (f.folded == 0 && !f.class_name[0])
			return false;
	}
	return true;
}

/* The frames of the platform: the agent is to see that none of them is the line's. */
static void tell_transparent(struct quota *q, const uint32_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct wire_frame f = model_wire_frame(q->model, q->jvm, numbers[i]);
		uint32_t bit = wire_control_method(f.method);
		if (f.method)
			atomic_fetch_or_explicit(&q->controls->transparent[bit / 64],
						 UINT64_C(1) << bit % 64, memory_order_relaxed);
	}
}

/* By which an agent that meets a new stack knows the line. */
static void tell_key(struct quota *q, uint32_t class_id, uint32_t frame, uint32_t line)
{
	struct wire_frame f = model_wire_frame(q->model, q->jvm, frame);
	uint32_t key = wire_control_key(class_id, f.method, f.bci);

	atomic_store_explicit(&q->controls->line_of_key[key % WIRE_CONTROL_KEYS],
			      (key & 0xffff0000u) | line, memory_order_relaxed);
}

/* Finds the line of a context that waits. False: it has to wait on. */
static bool settle(struct quota *q, struct waiting *w)
{
	const uint32_t *numbers;
	unsigned flags;
	const struct model_class *class;
	uint32_t stack;

	if (!model_context_parts(q->model, q->jvm, w->context, &class, &stack))
		return ++w->tries > TRIES;
	size_t n = model_stack_frames(q->model, q->jvm, stack, &numbers, &flags);
	if (n == 0)
		return true;
	size_t at = callstack_line_of(q->model, q->jvm, stack);
	if (!named(q, numbers, at) && ++w->tries <= TRIES)
		return false;
	struct model_frame frame = model_frame(q->model, q->jvm, numbers[at]);
	uint32_t line = number_of(q, class->id, &frame);
	if (!line)
		return true;
	/* all of them, where there is no other */
	tell_transparent(q, numbers, frame.platform ? n : at);
	/* in another stack, the reader's own code may have called it */
	if (frame.own || frame.platform || !model_has_own(q->model))
		tell_key(q, class->id, numbers[at], line);
	q->contexts[w->context] = line;
	atomic_store_explicit(&q->controls->line_of_context[w->context], (uint16_t)line,
			      memory_order_relaxed);
	add(q, line, w->all);
	q->lines[line].uses.immutable =
		fields_are_final(class) || string_value_made(q->model, q->jvm, class, stack);
	return true;
}

/* ---- telling ----------------------------------------------------------------------------- */

/*
 * The bytes that each kept sample is to stand for, such that `wanted` of all so far would have been
 * kept: those that stand for more by themselves, and a part of the others. 0: all were kept.
 */
static float each_of(const struct line *l, unsigned wanted)
{
	double bytes = 0, room = wanted;

	for (unsigned i = 0; i < SIZES; i++)
		bytes += l->alike[i].bytes;
	for (unsigned i = SIZES; i-- > 0;) {
		const struct alike *s = &l->alike[i];
		if (s->samples > 0 && s->bytes / s->samples <= bytes / room)
			break;
		bytes -= s->bytes;
		room -= s->samples;
	}
	return room > 0 && bytes > 0 ? (float)(bytes / room) : 0;
}

void quota_tell(struct quota *q)
{
	for (uint32_t i = 0; i < q->nwaiting;) {
		struct waiting *w = &q->waiting[i];
		if (!settle(q, w)) {
			i++;
			continue;
		}
		if (q->contexts[w->context] & WAITING) /* there is no line for it */
			q->contexts[w->context] = 0;
		*w = q->waiting[--q->nwaiting];
		if (i < q->nwaiting)
			q->contexts[w->context] = WAITING | i;
	}
	while (q->nchanged > 0) {
		uint32_t line = q->changed[--q->nchanged];
		struct line *l = &q->lines[line];
		l->changed = false;
		atomic_store_explicit(&q->controls->each[line], each_of(l, q->wanted),
				      memory_order_relaxed);
		atomic_store_explicit(&q->controls->uses[line], (uint8_t)wanted_uses_tell(&l->uses),
				      memory_order_relaxed);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regime_agent.c - see regime.h: which objects of a simulated program are sampled, kept, watched
 * and looked at, as docs/method.md has it, and the records that an agent would send of them.
 *
 * A sample stands for as many bytes as the interval has at its time, or for its own if it has more.
 * The tool's own quota says what part of a line's samples is kept.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/quota.h"
#include "regime.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define KEPT_STEP    32	   /* samples of a line in a slot, after which fewer are kept */
#define USUAL	     128.0 /* snapshots that the usual factor counts as */
#define PENDING	     4096.0
#define CARRIED	     1024.0
#define WATCHED	     2 /* one in so many is */
#define CONTEXTS     5 /* of a line, at most; the last one is of objects that change */
#define JVM	     1
#define MOST	     4096 /* samples of a slot */
#define NOT_FOLLOWED 8	  /* one in so many references is not followed, for lack of time */
#define REFERRED     24	  /* bytes that an object refers to */

/* An object that waits for its snapshot. */
struct pending {
	struct regime_object object;
	uint32_t context, ticket;
	unsigned exponent;
	double weight;
};

struct agent {
	const struct regime_program *program;
	struct model *model;
	struct builder b;
	struct quota *quota;
	struct wire_controls *controls;
	struct rng *rng;
	uint32_t epoch;
	struct pending pending[MOST];
	unsigned npending;
	/* of the factor for skipped objects */
	double carry, objects, snapshots;
};

static void *need(void *p)
{
	if (!p) {
		perror("regime");
		abort();
	}
	return p;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static uint32_t context_of(size_t line, unsigned context)
{
	return (uint32_t)(line * CONTEXTS + context) + 1;
}

static void clear_final(struct wire_class *c)
{
	char *p = (char *)(c + 1) + wire_pad(c->signature_len);

	for (uint32_t i = 0; i < c->nfields; i++) {
		struct wire_field *f = (struct wire_field *)p;
		f->flags = 0;
		p += sizeof *f +
		     wire_pad((uint64_t)f->name_len + f->declarer_len + f->signature_len);
	}
}

/* The type of what objects refer to; NULL: to nothing. */
static const char *referred_type(enum regime_kind kind)
{
	switch (kind) {
	case REGIME_TEXTS:
	case REGIME_NAMES:
		return "Ljava/lang/String;";
	case REGIME_LISTS:
		return "Ljava/util/List;";
	case REGIME_SHARED:
		return "Lcom/acme/Counter;";
	case REGIME_NODES:
		return "Lcom/acme/Node;";
	default:
		return NULL;
	}
}

static bool can_change(enum regime_kind kind)
{
	return kind != REGIME_MIXED && kind != REGIME_FINAL && kind != REGIME_VALUES &&
	       kind != REGIME_TEXTS && kind != REGIME_LISTS && kind != REGIME_SHARED &&
	       kind != REGIME_NODES;
}

/* A class of four fields, or none, or an array of int. */
static void define_class(struct builder *b, uint32_t id, enum regime_kind kind, bool change)
{
	struct build_field fields[REGIME_FIELDS] = {
		{ "a", NULL, 'I', 12 },
		{ "b", NULL, 'I', 16 },
		{ "c", NULL, 'I', 20 },
		{ "d", NULL, 'I', 24 },
	};
	const char *types[REGIME_FIELDS] = { [REGIME_REFERENCE] = referred_type(kind) };
	bool arrays = kind == REGIME_ARRAYS || kind == REGIME_SIZES;

	if (types[REGIME_REFERENCE])
		fields[REGIME_REFERENCE].type = 'L';
	struct wire_class *c =
		build_typed_class(b, id, arrays ? "[I" : "Lcom/acme/Thing;", fields,
				  arrays || kind == REGIME_NO_FIELDS ? 0 : REGIME_FIELDS, types);
	if (change)
		clear_final(c);
}

/* The line's frame is innermost; each of its contexts has a caller of its own. */
static void define_line(struct agent *a, size_t line)
{
	uint32_t id = context_of(line, 0), last = context_of(line, CONTEXTS - 1);
	enum regime_kind kind = a->program->regime->kind;
	struct wire_line table = { .bci = 0, .line = (uint16_t)(line + 1) };

	define_class(&a->b, id, kind, can_change(kind));
	define_class(&a->b, last, kind, true);
	for (unsigned k = 0; k < CONTEXTS; k++) {
		struct wire_frame frames[] = { { .method = id }, { .method = id + 1000 + k } };
		build_method(&a->b, id + 1000 + k, "Lcom/acme/Caller;", "call", "Caller.java",
			     &table, 1);
		if (k == 0)
			build_method(&a->b, id, "Lcom/acme/Maker;", "make", "Maker.java", &table,
				     1);
		build_stack(&a->b, id + k, 0, frames, 2);
		build_context(&a->b, id + k, k == CONTEXTS - 1 ? last : id, id + k);
	}
}

/* Feeds what was built; the quota takes it, too. */
static void pass_on(struct agent *a)
{
	for (const struct wire_rec *r = builder_next(&a->b, NULL); r; r = builder_next(&a->b, r)) {
		if (model_feed(a->model, JVM, r, r->len) == MODEL_BAD) {
			fputs("regime: a bad record\n", stderr);
			abort();
		}
		quota_take(a->quota, r);
	}
	a->b.len = 0;
}

/* ---- evidence -------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct regime_object *o, const uint64_t values[REGIME_FIELDS])
{
	return XXH3_64bits_withSeed(values, REGIME_FIELDS * sizeof *values, o->length);
}

static uint32_t slot_of(uint64_t value)
{
	return (uint32_t)XXH3_64bits(&value, sizeof value);
}

static void send_use(struct agent *a, const struct pending *p)
{
	uint32_t position = rng_below(a->rng, REGIME_FIELDS);
	struct wire_use use = {
		.context = p->context,
		.array_length = p->object.length,
		.epoch = a->epoch,
		.flags = p->object.used_deep ? WIRE_REFS | WIRE_DEEP : 0,
		.size = 4,
		.position = position,
		.value = slot_of(p->object.used[position]),
		.content = hash_of(&p->object, p->object.used),
		.weight = ldexp(p->weight * WATCHED, (int)p->exponent),
		.ticket = p->ticket,
	};

	if (a->program->regime->kind == REGIME_NO_FIELDS)
		return;
	struct wire_use *u = build_use(&a->b, &use);
	if (use.flags & WIRE_DEEP)
		*wire_use_deep(u) = p->object.used_deep;
}

static void send_snapshot(struct agent *a, const struct pending *p, double factor)
{
	bool none = a->program->regime->kind == REGIME_NO_FIELDS;
	uint64_t positions = p->object.length ? p->object.length : none ? 0 : REGIME_FIELDS;
	uint32_t slots[WIRE_SLOTS], n = wire_slots(positions);
	struct wire_snapshot snapshot = {
		.context = p->context,
		.array_length = p->object.length,
		.epoch = a->epoch,
		.flags = p->object.locked ? WIRE_LOCKED : 0,
		.content = hash_of(&p->object, p->object.end),
		.weight = p->weight * ldexp(factor, (int)p->exponent),
		.ticket = p->ticket,
		.exponent = p->exponent,
	};

	for (uint32_t k = 0; k < n; k++)
		slots[k] = slot_of(p->object.end[k % REGIME_FIELDS]);
	bool follows = p->object.end_deep && rng_below(a->rng, NOT_FOLLOWED) > 0;
	if (p->object.end_deep)
		snapshot.flags |= WIRE_REFS;
	if (follows) {
		snapshot.flags |= WIRE_DEEP | WIRE_FIXED;
		snapshot.deep = p->object.end_deep;
		snapshot.nodes = 2;
		snapshot.deep_bytes = REFERRED;
	}
	struct wire_snapshot *built = build_snapshot(&a->b, &snapshot, slots, (uint16_t)n);
	if (follows)
		*wire_snapshot_fixed(built) = p->object.fixed;
}

/* As an agent reads it. */
static double each_told(const struct agent *a, uint32_t context)
{
	return (double)a->controls->each[a->controls->line_of_context[context]];
}

/* One more sample of a line, of which `kept` were kept in this slot of time. */
static void sample(struct agent *a, size_t line, unsigned slot, double bytes, unsigned *kept)
{
	const struct regime_line *l = &a->program->line[line];
	struct pending p = { .object = regime_object_draw(a->program, l, slot, a->rng) };
	if (p.object.bytes > bytes) { /* there are fewer of them, in as many bytes */
		if (rng_unit(a->rng) * p.object.bytes > bytes)
			return;
		bytes = p.object.bytes;
	}
	unsigned context = rng_below(a->rng, l->contexts);

	p.context = context_of(line, p.object.changing ? CONTEXTS - 1 : context);
	p.ticket = (uint32_t)rng_next(a->rng);

	p.weight = bytes / p.object.bytes;
	p.exponent = wire_control_exponent(each_told(a, p.context), bytes,
					   a->program->interval[slot], *kept / KEPT_STEP);
	bool counted = rng_next(a->rng) & ((UINT64_C(1) << p.exponent) - 1);
	struct wire_alloc *alloc =
		build_alloc(&a->b, p.context, p.object.length, p.object.bytes, p.weight);
	if (counted) {
		atomic_store_explicit(&alloc->rec.type, WIRE_ALLOC_COUNTED, memory_order_relaxed);
		return;
	}
	++*kept;
	if (rng_below(a->rng, WATCHED) == 0)
		send_use(a, &p);
	if (a->npending < MOST)
		a->pending[a->npending++] = p;
}

static unsigned poisson(double mean, struct rng *rng)
{
	unsigned n = 0;

	for (double sum = -log(1 - rng_unit(rng)); sum < mean; sum -= log(1 - rng_unit(rng)))
		n++;
	return n;
}

static void sample_slot(struct agent *a, unsigned slot)
{
	const struct regime_program *p = a->program;

	for (size_t line = 0; line < REGIME_LINES; line++) {
		const struct regime_line *l = &p->line[line];
		double each = p->interval[slot];
		unsigned kept = 0;
		for (unsigned n = poisson(l->total * l->bytes[slot] / each, a->rng); n > 0; n--)
			sample(a, line, slot, each, &kept);
	}
}

/* ---- snapshots of a slot, which is a batch of the agent's ------------------------------------ */

/* The number of pending objects that a snapshot stands for. */
static double skipped_factor(struct agent *a, double looked)
{
	double all = a->npending, more = a->carry * looked / (looked + CARRIED);
	double keep = PENDING / (PENDING + all);

	a->objects = a->objects * keep + all;
	a->snapshots = a->snapshots * keep + looked;
	double usual = a->objects / fmax(a->snapshots, 1);
	double factor = fmax(0, (all + more + USUAL * usual) / (looked + USUAL));
	a->carry += all - factor * looked;
	return factor;
}

static void look(struct agent *a)
{
	static const double parts[] = { 0.1, 0.3, 0.6, 1 };
	bool skips = a->program->regime->loss == REGIME_SKIPS;
	double part = skips ? parts[rng_below(a->rng, 4)] : 1;
	unsigned looked = 0;

	for (unsigned i = 0; i < a->npending; i++) {
		struct pending p = a->pending[i];
		unsigned with = i + rng_below(a->rng, a->npending - i); /* at random */
		a->pending[i] = a->pending[with];
		a->pending[with] = p;
		looked += i < part * a->npending;
	}
	double factor = skipped_factor(a, looked);
	for (unsigned i = 0; i < looked; i++)
		send_snapshot(a, &a->pending[i], factor);
	a->npending = 0;
}

void regime_record(struct model *m, const struct regime_program *p, struct rng *rng)
{
	struct agent *a = need(calloc(1, sizeof *a));

	a->program = p;
	a->model = m;
	a->rng = rng;
	a->objects = a->snapshots = USUAL;
	a->controls = need(calloc(1, sizeof *a->controls));
	a->quota = need(quota_new(m, JVM, a->controls, quota_wanted(p->budget)));
	for (size_t line = 0; line < REGIME_LINES; line++)
		define_line(a, line);
	for (unsigned slot = 0; slot < REGIME_SLOTS; slot++) {
		a->epoch = 1 + regime_epoch(p->regime, slot);
		sample_slot(a, slot);
		look(a);
		pass_on(a);
		quota_tell(a->quota);
	}
	quota_free(a->quota);
	builder_release(&a->b);
	free(a->controls);
	free(a);
}

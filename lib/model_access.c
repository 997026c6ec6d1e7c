/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_access.c - sampled accesses, counted by the objects they are to and the stack that accesses them.
 *
 * Each sample of a followed object stands for `weight` objects of its context. The number T of samples that all objects of
 * the context would have had is estimated by the sum of the weights. Its variance comes from two sources, the
 * choice of the objects and the choice of the accesses: with C samples of an object of weight w it is the sum over the
 * objects of w C + w (w - 1) C^2. As C^2 is the sum of 2 k - 1 for k = 1..C, each sample adds w + w (w - 1) (2 k - 1), if it
 * is the object's k-th. (docs/locality.md)
 *
 * Where the clock's rate was lowered, a sample stands for r others before the next, too: it counts 1 + r times, its square in the
 * variances.
 */
#include <math.h>
#include <stdlib.h>

#include "datasrc.h"
#include "model_private.h"

static uint64_t key_of(const struct file_access *f)
{
	uint64_t what = f->context ? (uint64_t)f->context << 1 : (uint64_t)f->class_id << 1 | 1;

	return (what << 31 ^ f->stack) * 0x9e3779b97f4a7c15u + f->flags;
}

static struct access *find(const struct jvm *j, const struct file_access *f)
{
	struct access *a = idmap_get(&j->accesses, key_of(f));

	while (a && (a->context != f->context || a->class_id != f->class_id ||
		     a->pub.stack != f->stack || a->pub.flags != f->flags))
		a = a->next;
	return a;
}

/* What it is to; -1 where memory lacks. */
static int name_objects(struct model *m, struct jvm *j, struct access *a)
{
	if (a->context) {
		const struct context *c = model_event_context(m, j, a->context);
		if (!c)
			return -1;
		a->pub.context = &c->pub;
	}
	if (a->class_id && !(a->pub.class = model_find_class(m, j, a->class_id)))
		return -1;
	return 0;
}

static struct access *make(struct model *m, struct jvm *j, const struct file_access *f)
{
	void *accesses =
		model_grow(m->accesses, m->naccesses, &m->accesses_room, sizeof *m->accesses);

	if (!accesses)
		return NULL;
	m->accesses = accesses;
	struct access *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->context = f->context;
	a->class_id = f->class_id;
	a->pub = (struct model_access){ .jvm = j->index, .stack = f->stack, .flags = f->flags };
	struct access *first = idmap_get(&j->accesses, key_of(f));
	if (name_objects(m, j, a) < 0 || (!first && idmap_put(&j->accesses, key_of(f), a) < 0)) {
		free(a);
		return NULL;
	}
	if (first) { /* the key of others: ids are a stranger's, and may be anything */
		a->next = first->next;
		first->next = a;
	}
	return m->accesses[m->naccesses++] = a;
}

static uint32_t add_up(uint32_t a, uint32_t b)
{
	return b < UINT32_MAX - a ? a + b : UINT32_MAX;
}

void model_add_sums(struct file_access_sums *to, const struct file_access_sums *from)
{
	to->count += from->count;
	to->objects += from->objects;
	to->weight += from->weight;
	to->variance += from->variance;
	to->tlb += from->tlb;
	to->walk += from->walk;
	to->latency += from->latency;
	to->latencies += from->latencies;
	to->local += from->local;
	to->remote += from->remote;
	to->left_out = add_up(to->left_out, from->left_out);
	to->squares = add_up(to->squares, from->squares);
	for (int i = 0; i < FILE_LEVELS; i++)
		to->level[i] += from->level[i];
}

/* NULL: there are too many already, or memory lacks. */
static struct access *add(struct model *m, struct jvm *j, const struct file_access *f)
{
	struct access *a = find(j, f);

	if (!a && m->naccesses < MODEL_MAX_ACCESSES && !m->closed)
		a = make(m, j, f);
	if (!a)
		return NULL;
	model_add_sums(&a->pub.sums, &f->sums);
	if (a->context) {
		struct context *c = model_event_context(m, j, a->context);
		if (!c)
			return NULL;
		c->pub.access_samples += f->sums.count;
		c->pub.accesses += f->sums.weight;
	}
	return a;
}

static bool sane(const struct file_access *f)
{
	const struct file_access_sums *s = &f->sums;
	uint64_t levels = 0;

	for (int i = 0; i < FILE_LEVELS; i++) {
		if (s->level[i] > s->count)
			return false;
		levels += s->level[i];
	}
	return (f->context || s->weight == 0) && s->count <= MODEL_MAX_COUNT &&
	       s->objects <= s->count && levels <= s->count && s->tlb <= s->count &&
	       s->walk <= s->tlb && s->latency <= MODEL_MAX_COUNT && s->latencies <= s->count &&
	       s->local <= s->count && s->remote <= s->count - s->local && isfinite(s->weight) &&
	       s->weight >= 0 &&
	       s->weight <= (double)s->count * (1.0 + WIRE_LEFT_OUT) * MODEL_MAX_WEIGHT &&
	       s->left_out / WIRE_LEFT_OUT <= s->count && s->left_out <= s->squares &&
	       isfinite(s->variance) && s->variance >= 0;
}

/* The sums of one sample. */
static struct file_access_sums one(const struct wire_access *e)
{
	struct file_access_sums s = { .count = 1, .left_out = e->left_out };
	double w = e->context ? e->weight : 0, times = 1.0 + e->left_out;
	enum file_level level;
	bool walk = false;

	s.objects = e->context && e->hit == 1;
	s.weight = w * times;
	/* C was hit - 1, and is `times` more */
	s.variance = w * times * times + w * (w - 1) * times * (2.0 * (e->hit - 1.0) + times);
	s.squares = (uint32_t)(times * times - 1);
	if (datasrc_level(e->data_src, &level))
		s.level[level] = 1;
	s.tlb = datasrc_walk(e->data_src, &walk);
	s.walk = s.tlb && walk;
	s.latency = e->latency;
	s.latencies = e->latency > 0;
	if (e->cpu_node != WIRE_NO_NODE && e->page_node != WIRE_NO_NODE) {
		s.local = e->cpu_node == e->page_node;
		s.remote = !s.local;
	}
	return s;
}

enum model_fed model_take_access(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_access *e = (const struct wire_access *)rec;
	bool weighs = e->weight >= 1 && e->weight <= MODEL_MAX_WEIGHT && e->hit > 0;

	if ((e->context && !weighs) || e->left_out > WIRE_LEFT_OUT)
		return model_bad();
	struct file_access f = {
		.context = e->context,
		.class_id = e->context ? 0 : e->class_id,
		.stack = e->stack,
		.flags = e->flags,
		.sums = one(e),
	};
	struct access *a = add(m, j, &f);
	if (!a)
		return m->naccesses >= MODEL_MAX_ACCESSES || m->closed ? MODEL_DROPPED : MODEL_BAD;
	struct fresh_access *fresh = model_fresh(m, &a->fresh, rec->thread, sizeof *fresh);
	if (!fresh)
		return MODEL_BAD;
	model_add_sums(&fresh->sums, &f.sums);
	return MODEL_COUNTED;
}

enum model_fed model_take_accesses(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_access *f = (const struct file_access *)rec;

	if (!sane(f))
		return model_bad();
	return add(m, j, f) || m->naccesses >= MODEL_MAX_ACCESSES ? MODEL_KEEP : MODEL_BAD;
}

void model_free_accesses(struct model *m)
{
	for (uint32_t i = 0; i < m->naccesses; i++)
		free(m->accesses[i]);
	free(m->accesses);
}

typedef int emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

static int flush(struct model *m, const struct access *a, emit_fn *emit, void *arg)
{
	for (struct fresh *fresh = a->fresh; (fresh = model_fresh_used(fresh));
	     fresh = fresh->next) {
		const struct file_access f = {
			.rec = { .len = sizeof f, .type = FILE_ACCESS, .thread = fresh->thread },
			.context = a->context,
			.class_id = a->class_id,
			.stack = a->pub.stack,
			.flags = (uint16_t)a->pub.flags,
			.sums = ((const struct fresh_access *)fresh)->sums,
		};
		if (emit(a->pub.jvm, &f.rec, sizeof f, arg) < 0)
			return -1;
		model_fresh_done(m, fresh, sizeof(struct fresh_access));
	}
	return 0;
}

int model_flush_accesses(struct model *m, emit_fn *emit, void *arg)
{
	for (uint32_t i = 0; i < m->naccesses; i++)
		if (flush(m, m->accesses[i], emit, arg) < 0)
			return -1;
	return 0;
}

size_t model_naccesses(const struct model *m)
{
	return m->naccesses;
}

const struct model_access *model_access(const struct model *m, size_t i)
{
	return i < m->naccesses ? &m->accesses[i]->pub : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_store.c - see access_store.h.
 *
 * Each sample of a followed object stands for `weight` objects of its context. The sum of the
 * weights estimates the number T of samples that all objects of the context would have had. Its
 * variance comes from two sources, the choice of the objects and the choice of the accesses: with C
 * samples of an object of weight w it is the sum over the objects of w C + w (w - 1) C^2. Since C^2
 * is the sum of 2 k - 1 for k = 1..C, the k-th sample of an object adds w + w (w - 1) (2 k - 1).
 * (docs/locality.md)
 *
 * If the clock's rate was lowered, a sample stands for r further samples: it counts 1 + r times,
 * and (1 + r)^2 times in the variances.
 */
#include "analyse/locality/access_store.h"

#include <math.h>

/* ---- The bit positions are those of union perf_mem_data_src in the kernel's interface. */

enum {
	LVL_SHIFT = 5,
	LVL_BITS = 14,
	TLB_SHIFT = 26,
	TLB_BITS = 7,
	NUM_SHIFT = 33,
	NUM_BITS = 4,
	REMOTE_SHIFT = 37,
};

/* Levels as bits of a set. */
enum {
	LVL_NA = 0x01,
	LVL_L1 = 0x08,
	LVL_FILL = 0x10,
	LVL_L2 = 0x20,
	LVL_L3 = 0x40,
	LVL_LOCAL_MEMORY = 0x80,
	LVL_REMOTE = 0x100 | 0x200 | 0x400 | 0x800, /* memory and caches, one or two hops away */
};

/* Levels as numbers. */
enum {
	NUM_L1 = 0x01,
	NUM_L2 = 0x02,
	NUM_L3 = 0x03,
	NUM_L4 = 0x04,
	NUM_L2_MHB = 0x05,
	NUM_CXL = 0x09,
	NUM_ANY_CACHE = 0x0b,
	NUM_FILL = 0x0c,
	NUM_MEMORY = 0x0d,
	NUM_PMEM = 0x0e,
	NUM_NA = 0x0f,
};

/* Bits for the TLB. */
enum {
	TLB_NA = 0x01,
	TLB_HIT = 0x02,
	TLB_L1 = 0x08,
	TLB_L2 = 0x10,
};

static unsigned bits(uint64_t data_src, unsigned shift, unsigned n)
{
	return (unsigned)(data_src >> shift & ((1u << n) - 1));
}

static bool level_of_number(unsigned number, bool remote, enum file_level *level)
{
	switch (number) {
	case NUM_L1:
		*level = FILE_L1;
		return true;
	case NUM_FILL:
	case NUM_L2_MHB:
		*level = FILE_FILL;
		return true;
	case NUM_L2:
		*level = FILE_L2;
		return true;
	case NUM_L3:
	case NUM_L4:
	case NUM_ANY_CACHE:
		*level = remote ? FILE_REMOTE : FILE_L3;
		return true;
	case NUM_MEMORY:
	case NUM_PMEM:
		*level = remote ? FILE_REMOTE : FILE_MEMORY;
		return true;
	case NUM_CXL:
		*level = FILE_REMOTE;
		return true;
	case 0: /* a kernel without numbers */
	case NUM_NA:
		return false;
	default:
		*level = FILE_OTHER;
		return true;
	}
}

bool datasrc_level(uint64_t data_src, enum file_level *level)
{
	unsigned set = bits(data_src, LVL_SHIFT, LVL_BITS);
	bool remote = bits(data_src, REMOTE_SHIFT, 1) || set & LVL_REMOTE;

	if (level_of_number(bits(data_src, NUM_SHIFT, NUM_BITS), remote, level))
		return true;
	if (!set || set & LVL_NA)
		return false;
	*level = set & LVL_REMOTE	  ? FILE_REMOTE
		 : set & LVL_LOCAL_MEMORY ? FILE_MEMORY
		 : set & LVL_L3		  ? FILE_L3
		 : set & LVL_L2		  ? FILE_L2
		 : set & LVL_FILL	  ? FILE_FILL
		 : set & LVL_L1		  ? FILE_L1
					  : FILE_OTHER;
	return true;
}

bool datasrc_walk(uint64_t data_src, bool *walk)
{
	unsigned set = bits(data_src, TLB_SHIFT, TLB_BITS);

	*walk = !(set & TLB_HIT && set & (TLB_L1 | TLB_L2));
	return set && !(set & TLB_NA);
}

const char *datasrc_level_name(enum file_level level)
{
	switch (level) {
	case FILE_L1:
		return "L1";
	case FILE_FILL:
		return "fill buffer";
	case FILE_L2:
		return "L2";
	case FILE_L3:
		return "L3";
	case FILE_MEMORY:
		return "memory";
	case FILE_REMOTE:
		return "remote";
	default:
		return "other";
	}
}

#define MAX_ACCESSES (1u << 18) /* object contexts and stacks that access them */

struct access {
	struct sums sums;
	struct model_access pub;
};

/* What has come since the last flush. */
struct unflushed_access {
	struct unflushed head;
	struct file_access_sums sums;
};

static struct sums_key key_of(uint32_t jvm, const struct file_access *f)
{
	return (struct sums_key){ jvm, { f->context, f->class_id, f->stack }, f->flags };
}

static struct access *make(struct model *m, struct sums_store *store, struct jvm *j,
			   const struct sums_key *key, const struct file_access *f)
{
	const struct model_class *class = NULL;
	struct model_context *c = NULL;

	if ((f->context && !(c = model_context_of(m, j, f->context))) ||
	    (f->class_id && !(class = model_class_of(m, j, f->class_id))))
		return NULL;
	struct access *a = (struct access *)model_sums_add(store, key, sizeof *a);
	if (a)
		a->pub = (struct model_access){ .jvm = key->jvm,
						.stack = f->stack,
						.flags = f->flags,
						.context = c,
						.class = class };
	return a;
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

static bool is_full(const struct model *m, const struct sums_store *store)
{
	return store->n >= MAX_ACCESSES || model_is_closed(m);
}

/* NULL if there are too many already, or out of memory. */
static struct access *add(struct model *m, struct sums_store *store, struct jvm *j,
			  const struct file_access *f)
{
	const struct sums_key key = key_of(model_jvm_index(j), f);
	struct access *a = (struct access *)model_sums_find(store, &key);

	if (!a && !is_full(m, store))
		a = make(m, store, j, &key, f);
	if (!a)
		return NULL;
	model_add_sums(&a->pub.sums, &f->sums);
	if (f->context) {
		struct model_context *c = model_context_of(m, j, f->context);
		if (!c)
			return NULL;
		c->access_samples += f->sums.count;
		c->accesses += f->sums.weight;
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
	/* C is hit - 1 before, and grows by `times` */
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

static enum model_fed take_sample(struct model *m, void *store, struct jvm *j,
				  const struct wire_rec *rec)
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
	struct access *a = add(m, store, j, &f);
	if (!a)
		return is_full(m, store) ? MODEL_DROPPED : MODEL_BAD;
	struct unflushed_access *unflushed =
		model_unflushed_new(m, &a->sums.unflushed, rec->thread, sizeof *unflushed);
	if (!unflushed)
		return MODEL_BAD;
	model_add_sums(&unflushed->sums, &f.sums);
	return MODEL_COUNTED;
}

static enum model_fed take_sums(struct model *m, void *store, struct jvm *j,
				const struct wire_rec *rec)
{
	const struct file_access *f = (const struct file_access *)rec;

	if (!sane(f))
		return model_bad();
	return add(m, store, j, f) || is_full(m, store) ? MODEL_KEEP : MODEL_BAD;
}

static void fill(struct wire_rec *rec, const struct unflushed *unflushed, const void *of)
{
	const struct sums_key *key = &((const struct sums *)of)->key;

	*(struct file_access *)rec = (struct file_access){
		.rec = { .len = sizeof(struct file_access), .type = FILE_ACCESS },
		.context = key->id[0],
		.class_id = key->id[1],
		.stack = key->id[2],
		.flags = (uint16_t)key->what,
		.sums = ((const struct unflushed_access *)unflushed)->sums,
	};
}

int access_flush(struct model *m, void *store, analysis_emit_fn *emit, void *arg)
{
	return model_sums_flush(m, store, sizeof(struct unflushed_access), fill, emit, arg);
}

/* ---- sums of several recordings */

static void clear_sums(struct wire_rec *rec)
{
	struct file_access *f = (struct file_access *)rec;

	f->rec.thread = 0;
	f->pad = 0;
	f->sums = (struct file_access_sums){ 0 };
}

/* What accesses stand for is told of a known context only. */
static void lose_context(struct wire_rec *rec)
{
	struct file_access_sums *s = &((struct file_access *)rec)->sums;

	s->weight = s->variance = 0;
}

/* A multiple of 2^-10: sums of such numbers are exact up to 2^43. */
static double grain(double x)
{
	return rint(x * 1024) / 1024;
}

static void add_sums(struct wire_rec *to, const struct wire_rec *from)
{
	struct file_access_sums sums = ((const struct file_access *)from)->sums;

	sums.weight = grain(sums.weight);
	sums.variance = grain(sums.variance);
	model_add_sums(&((struct file_access *)to)->sums, &sums);
}

static const struct analysis_sums access_sums = {
	.name = { { offsetof(struct file_access, context), ANALYSIS_CONTEXT },
		  { offsetof(struct file_access, class_id), ANALYSIS_CLASS },
		  { offsetof(struct file_access, stack), ANALYSIS_STACK } },
	.clear = clear_sums,
	.lose_context = lose_context,
	.add = add_sums,
};

const struct analysis_record access_records[] = {
	{ WIRE_ACCESS, sizeof(struct wire_access), true, .take = take_sample },
	{ FILE_ACCESS, sizeof(struct file_access), true, .take = take_sums, .sums = &access_sums },
	{ .type = 0 },
};

size_t model_naccesses(const struct model *m)
{
	return model_sums_of(m, access_records)->n;
}

const struct model_access *model_access(const struct model *m, size_t i)
{
	const struct sums_store *sums = model_sums_of(m, access_records);

	return i < sums->n ? &((const struct access *)sums->entry[i])->pub : NULL;
}

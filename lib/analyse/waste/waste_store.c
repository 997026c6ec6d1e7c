/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste_store.c - see waste_store.h.
 */
#define XXH_INLINE_ALL
#include "analyse/waste/waste_store.h"

#include <string.h>

#include <xxhash.h>

#define MAX_WASTES (1u << 18) /* kinds and pairs of stacks */

struct waste {
	struct sums sums;
	struct model_waste pub;
};

/* What has come since the last flush. */
struct unflushed_waste {
	struct unflushed head;
	struct file_waste sums; /* only its counts are used */
};

static struct sums_key key_of(uint32_t jvm, const struct file_waste *f)
{
	return (struct sums_key){ jvm,
				  { f->watched, f->trapped, f->place },
				  (uint32_t)f->kind << 8 | f->part };
}

static struct waste *make(struct sums_store *store, const struct sums_key *key,
			  const struct file_waste *f)
{
	struct waste *w = (struct waste *)model_sums_add(store, key, sizeof *w);

	if (w)
		w->pub = (struct model_waste){ .jvm = key->jvm,
					       .stack = { f->watched, f->trapped },
					       .kind = f->kind,
					       .part = f->part,
					       .place = f->place };
	return w;
}

static void count(struct model_waste *to, const struct file_waste *f)
{
	to->count += f->count;
	to->wasted_count += f->wasted_count;
	to->bytes += f->bytes;
	to->wasted_bytes += f->wasted_bytes;
	to->squares += f->squares;
	/* the code of the first pairs may not have been decoded yet */
	for (int i = 0; i < 2; i++)
		if (!to->insn_len[i] && f->insn_len[i]) {
			to->insn_len[i] = f->insn_len[i];
			memcpy(to->insn[i], f->insn[i], sizeof to->insn[i]);
		}
}

static bool is_full(const struct model *m, const struct sums_store *store)
{
	return store->n >= MAX_WASTES || model_is_closed(m);
}

/* NULL if there are too many kinds and stacks already, or out of memory. */
static struct waste *add(const struct model *m, struct sums_store *store, const struct jvm *j,
			 const struct file_waste *f)
{
	const struct sums_key key = key_of(model_jvm_index(j), f);
	struct waste *w = (struct waste *)model_sums_find(store, &key);

	if (!w && !is_full(m, store))
		w = make(store, &key, f);
	if (w)
		count(&w->pub, f);
	return w;
}

static bool sane(const struct file_waste *f)
{
	return f->kind >= WIRE_DEAD_STORE && f->kind <= WIRE_SILENT_LOAD &&
	       f->part <= WIRE_PART_LENGTH && f->count <= MODEL_MAX_COUNT &&
	       f->wasted_count <= f->count && f->bytes <= MODEL_MAX_COUNT &&
	       f->wasted_bytes <= f->bytes && f->squares <= MODEL_MAX_COUNT &&
	       f->insn_len[0] <= sizeof f->insn[0] && f->insn_len[1] <= sizeof f->insn[1];
}

/* Accesses that were not drawn are told apart by instruction. */
static uint32_t place_of(const struct wire_waste *e)
{
	if (e->drawn)
		return 0;
	return (uint32_t)XXH3_64bits(e->insn[0], e->insn_len[0]) | 1;
}

static enum model_fed take_pair(struct model *m, void *store, struct jvm *j,
				const struct wire_rec *rec)
{
	const struct wire_waste *e = (const struct wire_waste *)rec;
	uint64_t bytes = e->bytes * (1u + e->left_out);
	struct file_waste one = {
		.watched = e->watched,
		.trapped = e->trapped,
		.kind = e->kind,
		.part = e->part,
		.count = 1,
		.wasted_count = e->wasted,
		.bytes = bytes,
		.wasted_bytes = e->wasted ? bytes : 0,
		.squares = bytes * bytes,
	};

	memcpy(one.insn_len, e->insn_len, sizeof one.insn_len);
	memcpy(one.insn, e->insn, sizeof one.insn);
	if (!sane(&one) || e->left_out > WIRE_LEFT_OUT)
		return model_bad();
	one.place = place_of(e);
	struct waste *w = add(m, store, j, &one);
	if (!w)
		return is_full(m, store) ? MODEL_DROPPED : MODEL_BAD;
	struct unflushed_waste *unflushed =
		model_unflushed_new(m, &w->sums.unflushed, rec->thread, sizeof *unflushed);
	if (!unflushed)
		return MODEL_BAD;
	unflushed->sums.count += one.count;
	unflushed->sums.wasted_count += one.wasted_count;
	unflushed->sums.bytes += one.bytes;
	unflushed->sums.wasted_bytes += one.wasted_bytes;
	unflushed->sums.squares += one.squares;
	return MODEL_COUNTED;
}

static enum model_fed take_sums(struct model *m, void *store, struct jvm *j,
				const struct wire_rec *rec)
{
	const struct file_waste *f = (const struct file_waste *)rec;

	if (!sane(f))
		return model_bad();
	return add(m, store, j, f) || is_full(m, store) ? MODEL_KEEP : MODEL_BAD;
}

static void fill(struct wire_rec *rec, const struct unflushed *unflushed, const void *of)
{
	const struct waste *w = of;
	struct file_waste *f = (struct file_waste *)rec;

	*f = ((const struct unflushed_waste *)unflushed)->sums;
	f->rec = (struct wire_rec){ .len = sizeof *f, .type = FILE_WASTE };
	f->watched = w->pub.stack[0];
	f->trapped = w->pub.stack[1];
	f->kind = (uint8_t)w->pub.kind;
	f->part = (uint8_t)w->pub.part;
	f->place = w->pub.place;
	memcpy(f->insn_len, w->pub.insn_len, sizeof f->insn_len);
	memcpy(f->insn, w->pub.insn, sizeof f->insn);
}

int waste_flush(struct model *m, void *store, analysis_emit_fn *emit, void *arg)
{
	return model_sums_flush(m, store, sizeof(struct unflushed_waste), fill, emit, arg);
}

/* ---- sums of several recordings */

static void clear_sums(struct wire_rec *rec)
{
	struct file_waste *f = (struct file_waste *)rec;

	f->rec.thread = 0;
	f->count = f->wasted_count = f->bytes = f->wasted_bytes = f->squares = 0;
	memset(f->insn_len, 0, sizeof f->insn_len);
	memset(f->insn, 0, sizeof f->insn);
}

static void add_sums(struct wire_rec *to, const struct wire_rec *from)
{
	struct file_waste *a = (struct file_waste *)to;
	const struct file_waste *b = (const struct file_waste *)from;

	a->count += b->count;
	a->wasted_count += b->wasted_count;
	a->bytes += b->bytes;
	a->wasted_bytes += b->wasted_bytes;
	a->squares += b->squares;
	/* one of them, whatever the order */
	for (int i = 0; i < 2; i++)
		if (b->insn_len[i] > a->insn_len[i] ||
		    (b->insn_len[i] == a->insn_len[i] &&
		     memcmp(b->insn[i], a->insn[i], sizeof a->insn[i]) > 0)) {
			a->insn_len[i] = b->insn_len[i];
			memcpy(a->insn[i], b->insn[i], sizeof a->insn[i]);
		}
}

static const struct analysis_sums waste_sums = {
	.name = { { offsetof(struct file_waste, watched), ANALYSIS_STACK },
		  { offsetof(struct file_waste, trapped), ANALYSIS_STACK } },
	.clear = clear_sums,
	.add = add_sums,
};

const struct analysis_record waste_records[] = {
	{ WIRE_WASTE, sizeof(struct wire_waste), true, .take = take_pair },
	{ FILE_WASTE, sizeof(struct file_waste), true, .take = take_sums, .sums = &waste_sums },
	{ .type = 0 },
};

size_t model_nwastes(const struct model *m)
{
	return model_sums_of(m, waste_records)->n;
}

const struct model_waste *model_waste(const struct model *m, size_t i)
{
	const struct sums_store *sums = model_sums_of(m, waste_records);

	return i < sums->n ? &((const struct waste *)sums->entry[i])->pub : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_waste.c - pairs of accesses to the same bytes, counted by kind, both stacks, and the part
 * of the object.
 */
#include <string.h>

#include "model/model_private.h"

static struct sums_key key_of(const struct jvm *j, const struct file_waste *f)
{
	return (struct sums_key){ j->index,
				  { f->watched, f->trapped, 0 },
				  (uint32_t)f->kind << 8 | f->part };
}

static struct waste *make(struct model *m, const struct sums_key *key, const struct file_waste *f)
{
	struct waste *w = (struct waste *)model_sums_add(&m->wastes, key, sizeof *w);

	if (w)
		w->pub = (struct model_waste){ .jvm = key->jvm,
					       .stack = { f->watched, f->trapped },
					       .kind = f->kind,
					       .part = f->part };
	return w;
}

static void count(struct model_waste *to, const struct file_waste *f)
{
	to->count += f->count;
	to->wasted_count += f->wasted_count;
	to->bytes += f->bytes;
	to->wasted_bytes += f->wasted_bytes;
	to->squares += f->squares;
	/* the first pairs may be older than the decoding of their code */
	for (int i = 0; i < 2; i++)
		if (!to->insn_len[i] && f->insn_len[i]) {
			to->insn_len[i] = f->insn_len[i];
			memcpy(to->insn[i], f->insn[i], sizeof to->insn[i]);
		}
}

static bool is_full(const struct model *m)
{
	return m->wastes.n >= MODEL_MAX_WASTES || m->closed;
}

/* NULL: there are too many kinds and stacks already, or out of memory. */
static struct waste *add(struct model *m, struct jvm *j, const struct file_waste *f)
{
	const struct sums_key key = key_of(j, f);
	struct waste *w = (struct waste *)model_sums_find(&m->wastes, &key);

	if (!w && !is_full(m))
		w = make(m, &key, f);
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

enum model_fed model_take_waste(struct model *m, struct jvm *j, const struct wire_rec *rec)
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
	struct waste *w = add(m, j, &one);
	if (!w)
		return is_full(m) ? MODEL_DROPPED : MODEL_BAD;
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

enum model_fed model_take_wastes(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_waste *f = (const struct file_waste *)rec;

	if (!sane(f))
		return model_bad();
	return add(m, j, f) || is_full(m) ? MODEL_KEEP : MODEL_BAD;
}

static void fill(union unflushed_record *rec, const struct unflushed *unflushed, const void *of)
{
	const struct waste *w = of;
	struct file_waste *f = &rec->waste;

	*f = ((const struct unflushed_waste *)unflushed)->sums;
	f->rec = (struct wire_rec){ .len = sizeof *f, .type = FILE_WASTE };
	f->watched = w->pub.stack[0];
	f->trapped = w->pub.stack[1];
	f->kind = (uint8_t)w->pub.kind;
	f->part = (uint8_t)w->pub.part;
	memcpy(f->insn_len, w->pub.insn_len, sizeof f->insn_len);
	memcpy(f->insn, w->pub.insn, sizeof f->insn);
}

int model_flush_wastes(struct model *m, emit_fn *emit, void *arg)
{
	return model_sums_flush(m, &m->wastes, sizeof(struct unflushed_waste), fill, emit, arg);
}

size_t model_nwastes(const struct model *m)
{
	return m->wastes.n;
}

const struct model_waste *model_waste(const struct model *m, size_t i)
{
	return i < m->wastes.n ? &((const struct waste *)m->wastes.entry[i])->pub : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_waste.c - pairs of accesses to the same bytes, counted by kind, their two stacks, and what of an object
 * they are to.
 */
#include <stdlib.h>
#include <string.h>

#include "model_private.h"

static uint64_t key_of(const struct file_waste *f)
{
	return (((uint64_t)f->watched << 32 | f->trapped) * 4 + f->kind) * 4 + f->part;
}

static struct waste *find(const struct jvm *j, const struct file_waste *f)
{
	struct waste *w = idmap_get(&j->wastes, key_of(f));

	while (w && (w->pub.stack[0] != f->watched || w->pub.stack[1] != f->trapped ||
		     w->pub.kind != f->kind || w->pub.part != f->part))
		w = w->next;
	return w;
}

static struct waste *make(struct model *m, struct jvm *j, const struct file_waste *f)
{
	uint64_t key = key_of(f);
	void *wastes = model_grow(m->wastes, m->nwastes, &m->wastes_room, sizeof *m->wastes);

	if (!wastes)
		return NULL;
	m->wastes = wastes;
	struct waste *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->pub = (struct model_waste){ .jvm = j->index,
				       .stack = { f->watched, f->trapped },
				       .kind = f->kind,
				       .part = f->part };
	memcpy(w->pub.insn_len, f->insn_len, sizeof w->pub.insn_len);
	memcpy(w->pub.insn, f->insn, sizeof w->pub.insn);
	struct waste *first = idmap_get(&j->wastes, key);
	if (first) { /* the key of other stacks: ids are a stranger's, and may be anything */
		w->next = first->next;
		first->next = w;
	} else if (idmap_put(&j->wastes, key, w) < 0) {
		free(w);
		return NULL;
	}
	return m->wastes[m->nwastes++] = w;
}

static void count(struct model_waste *to, const struct file_waste *f)
{
	to->count += f->count;
	to->wasted_count += f->wasted_count;
	to->bytes += f->bytes;
	to->wasted_bytes += f->wasted_bytes;
	to->squares += f->squares;
	/* the first ones may be from before their code was decoded */
	for (int i = 0; i < 2; i++)
		if (!to->insn_len[i] && f->insn_len[i]) {
			to->insn_len[i] = f->insn_len[i];
			memcpy(to->insn[i], f->insn[i], sizeof to->insn[i]);
		}
}

/* NULL: there are too many kinds and stacks already, or memory lacks. */
static struct waste *add(struct model *m, struct jvm *j, const struct file_waste *f)
{
	struct waste *w = find(j, f);

	if (!w && m->nwastes < MODEL_MAX_WASTES && !m->closed)
		w = make(m, j, f);
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
		return m->nwastes >= MODEL_MAX_WASTES || m->closed ? MODEL_DROPPED : MODEL_BAD;
	struct fresh_waste *fresh = model_fresh(m, &w->fresh, rec->thread, sizeof *fresh);
	if (!fresh)
		return MODEL_BAD;
	fresh->sums.count += one.count;
	fresh->sums.wasted_count += one.wasted_count;
	fresh->sums.bytes += one.bytes;
	fresh->sums.wasted_bytes += one.wasted_bytes;
	fresh->sums.squares += one.squares;
	return MODEL_COUNTED;
}

enum model_fed model_take_wastes(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_waste *f = (const struct file_waste *)rec;

	if (!sane(f))
		return model_bad();
	return add(m, j, f) || m->nwastes >= MODEL_MAX_WASTES ? MODEL_KEEP : MODEL_BAD;
}

void model_free_wastes(struct model *m)
{
	for (uint32_t i = 0; i < m->nwastes; i++)
		free(m->wastes[i]);
	free(m->wastes);
}

typedef int emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

static int flush(struct model *m, const struct waste *w, emit_fn *emit, void *arg)
{
	for (struct fresh *fresh = w->fresh; (fresh = model_fresh_used(fresh));
	     fresh = fresh->next) {
		struct file_waste *f = &((struct fresh_waste *)fresh)->sums;
		f->rec = (struct wire_rec){ .len = sizeof *f,
					    .type = FILE_WASTE,
					    .thread = fresh->thread };
		f->watched = w->pub.stack[0];
		f->trapped = w->pub.stack[1];
		f->kind = (uint8_t)w->pub.kind;
		f->part = (uint8_t)w->pub.part;
		memcpy(f->insn_len, w->pub.insn_len, sizeof f->insn_len);
		memcpy(f->insn, w->pub.insn, sizeof f->insn);
		if (emit(w->pub.jvm, &f->rec, sizeof *f, arg) < 0)
			return -1;
		model_fresh_done(m, fresh, sizeof(struct fresh_waste));
	}
	return 0;
}

int model_flush_wastes(struct model *m, emit_fn *emit, void *arg)
{
	for (uint32_t i = 0; i < m->nwastes; i++)
		if (flush(m, m->wastes[i], emit, arg) < 0)
			return -1;
	return 0;
}

size_t model_nwastes(const struct model *m)
{
	return m->nwastes;
}

const struct model_waste *model_waste(const struct model *m, size_t i)
{
	return i < m->nwastes ? &m->wastes[i]->pub : NULL;
}

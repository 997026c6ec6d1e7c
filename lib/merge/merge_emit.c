/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_emit.c - the merged recording goes out, as the records of one JVM. All is sorted by hashes
 * of what it is, and numbered in that order, so that the order of the recordings does not show.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"
#include "model/sums.h"

/* Writes a copy of a record, in which `size` bytes at `at` are those of `number`. */
static void put_named(struct merge_out *o, const struct wire_rec *rec, size_t at,
		      const void *number, size_t size)
{
	struct wire_rec *copy = memcpy(xmalloc(rec->len), rec, rec->len);

	memcpy((char *)copy + at, number, size);
	merge_put(o, MERGE_JVM, copy);
	free(copy);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static int compare_defs(const void *a, const void *b)
{
	const struct merge_def *x = *(struct merge_def *const *)a;
	const struct merge_def *y = *(struct merge_def *const *)b;

	return ORDER(x->hash, y->hash);
}

static int compare_contexts(const void *a, const void *b)
{
	const struct merge_context *x = *(struct merge_context *const *)a;
	const struct merge_context *y = *(struct merge_context *const *)b;

	return ORDER(x->hash, y->hash);
}

static int compare_found(const void *a, const void *b)
{
	const struct merge_found *x = *(struct merge_found *const *)a;
	const struct merge_found *y = *(struct merge_found *const *)b;

	return ORDER(x->hash, y->hash);
}

/* Something names the definition. */
static void mark(struct merge_def *d)
{
	if (d)
		d->id = 1;
}

static void mark_methods(struct merge *m)
{
	for (size_t i = 0; i < m->stacks.n; i++) {
		const struct merge_def *d = m->stacks.item[i];
		const struct wire_stack *s = (const struct wire_stack *)d->record;
		const struct wire_frame *frames = (const struct wire_frame *)(s + 1);
		for (uint32_t k = 0; d->id && k < s->nframes; k++)
			mark(idmap_get(&m->methods.by_hash, frames[k].method));
	}
}

static void mark_all(struct merge *m)
{
	for (size_t i = 0; i < m->ncontexts; i++) {
		struct merge_context *c = m->context[i];
		mark(c->class);
		mark(c->stack);
		for (size_t k = 0; k < c->ngroups; k++)
			for (size_t r = 0; r < c->group[k].n; r++)
				if (merge_is_use(c->group[k].record[r]))
					mark(merge_stack_of_use(m, c->group[k].record[r]));
	}
	for (size_t i = 0; i < m->nfound; i++)
		for (size_t k = 0; k < 4 && m->found[i]->how->name[k].what; k++)
			if (m->found[i]->how->name[k].what != ANALYSIS_CONTEXT)
				mark(m->found[i]->name[k]);
	mark_methods(m);
}

/* Numbers the definitions that are named. */
static void number_defs(struct merge_defs *defs)
{
	uint32_t id = 0;

	if (defs->n)
		qsort(defs->item, defs->n, sizeof(struct merge_def *), compare_defs);
	for (size_t i = 0; i < defs->n; i++)
		if (defs->item[i]->id)
			defs->item[i]->id = ++id;
}

static void number_all(struct merge *m)
{
	uint32_t id = 0;

	mark_all(m);
	number_defs(&m->classes);
	number_defs(&m->methods);
	number_defs(&m->stacks);
	if (m->ncontexts)
		qsort(m->context, m->ncontexts, sizeof(struct merge_context *), compare_contexts);
	if (m->nfound)
		qsort(m->found, m->nfound, sizeof(struct merge_found *), compare_found);
	for (size_t i = 0; i < m->ncontexts; i++)
		m->context[i]->id = m->context[i]->is_other ? 0 : ++id;
	for (uint32_t i = 0; i < m->nparts; i++)
		m->part[i]->record.number = i + 1;
}

/* ---- facts ------------------------------------------------------------------------------- */

static void put_label(struct merge_out *o, const struct model_label *l)
{
	size_t name = strlen(l->name), value = strlen(l->value);
	struct file_label f = { .rec = { .type = FILE_LABEL },
				.flags = l->given ? FILE_LABEL_GIVEN : 0,
				.name_len = (uint16_t)name,
				.value_len = (uint16_t)value };
	char bytes[sizeof f + FILE_LABEL_NAME + FILE_LABEL_VALUE + WIRE_ALIGN] = { 0 };

	f.rec.len = (uint32_t)sizeof f + wire_pad(name + value);
	memcpy(bytes, &f, sizeof f);
	memcpy(bytes + sizeof f, l->name, name);
	memcpy(bytes + sizeof f + name, l->value, value);
	struct wire_rec *rec = memcpy(xmalloc(f.rec.len), bytes, f.rec.len);
	merge_put(o, MERGE_JVM, rec);
	free(rec);
}

static void put_facts(struct merge_out *o)
{
	struct merge_facts *f = &o->m->facts;

	if (f->command)
		merge_put(o, 0, f->command);
	f->jvm.rec = (struct wire_rec){ .len = sizeof f->jvm, .type = FILE_JVM };
	merge_put(o, MERGE_JVM, &f->jvm.rec);
	for (size_t i = 0; i < f->nlabels; i++)
		put_label(o, &f->label[i]);
	f->status.rec = (struct wire_rec){ .len = sizeof f->status, .type = FILE_STATUS };
	if (f->has_status)
		merge_put(o, MERGE_JVM, &f->status.rec);
}

/* The sum over the recordings. */
static void put_end(struct merge_out *o)
{
	struct file_end end = { .rec = { .len = sizeof end, .type = FILE_END } };
	struct idmap seen = { .slots = NULL };

	for (size_t i = 0; i < o->m->nparts; i++) {
		const struct file_part *p = &o->m->part[i]->record;
		if (!idmap_get(&seen, p->recording)) {
			xidmap_put(&seen, p->recording, o->m);
			end.duration_ns += p->duration_ns;
		}
	}
	idmap_release(&seen);
	merge_put(o, 0, &end.rec);
}

/* ---- definitions and sums ------------------------------------------------------------------ */

static void put_defs(struct merge_out *o)
{
	const struct merge *m = o->m;

	for (size_t i = 0; i < m->classes.n; i++) {
		const struct merge_def *d = m->classes.item[i];
		if (d->id)
			put_named(o, d->record, offsetof(struct wire_class, id), &d->id,
				  sizeof d->id);
	}
	for (size_t i = 0; i < m->methods.n; i++) {
		const struct merge_def *d = m->methods.item[i];
		if (!d->id)
			continue;
		put_named(o, d->record, offsetof(struct wire_method, method), &d->hash,
			  sizeof d->hash);
		if (d->loads)
			put_named(o, d->loads, offsetof(struct wire_loads, method), &d->hash,
				  sizeof d->hash);
	}
	for (size_t i = 0; i < m->stacks.n; i++) {
		const struct merge_def *d = m->stacks.item[i];
		if (d->id)
			put_named(o, d->record, offsetof(struct wire_stack, id), &d->id,
				  sizeof d->id);
	}
}

static uint32_t id_of(const struct merge_def *d)
{
	return d ? d->id : 0;
}

/* A file can be made to have had fewer than it has, or more than a reader takes. */
static uint64_t possible(uint64_t count, uint64_t least)
{
	count = count > least ? count : least;
	return count < MODEL_MAX_COUNT ? count : MODEL_MAX_COUNT;
}

static exact possible_weight(exact weight, uint64_t count)
{
	exact most = merge_exact(MODEL_MAX_WEIGHT * (double)count);

	return weight < most ? weight : most;
}

static void put_sum(struct merge_out *o, const struct merge_context *c, const struct merge_sum *s)
{
	const struct file_sum f = { .rec = { .len = sizeof f, .type = FILE_SUM },
				    .context = c->id,
				    .array_length = s->array_length,
				    .size = s->size,
				    .count = possible(s->count, 0),
				    .weight = merge_exact_out(
					    possible_weight(s->weight, possible(s->count, 0))),
				    .squares = merge_exact_out(s->squares) };

	merge_put(o, MERGE_JVM, &f.rec);
}

static void put_sums(struct merge_out *o, const struct merge_context *c)
{
	struct merge_sum rest[2];
	size_t n = merge_rest_sums(c, rest);

	for (size_t i = 0; i < c->nsums; i++)
		put_sum(o, c, &c->sum[i]);
	for (size_t i = 0; i < n; i++)
		put_sum(o, c, &rest[i]);
}

static void put_pooled(struct merge_out *o, const struct merge_context *c)
{
	struct file_pooled f = { .rec = { .len = sizeof f, .type = FILE_POOLED },
				 .context = c->id,
				 .below = c->below,
				 .pieces = c->pieces,
				 .others = merge_exact_out(c->others),
				 .others_squares = merge_exact_out(c->others_squares) };

	for (size_t i = 0; i < 5; i++)
		f.unused[i] = possible(c->unused[i], 0);
	for (size_t i = 0; i < c->ngroups; i++)
		for (size_t k = 0; k < c->group[i].n; k++)
			*(merge_is_use(c->group[i].record[k]) ? &f.kept_uses : &f.kept_snapshots) +=
				1;
	f.snapshots = possible(c->snapshots, f.kept_snapshots);
	f.uses = possible(c->uses, f.kept_uses);
	merge_put(o, MERGE_JVM, &f.rec);
}

static void put_contexts(struct merge_out *o)
{
	const struct merge *m = o->m;

	for (size_t i = 0; i < m->ncontexts; i++) {
		const struct merge_context *c = m->context[i];
		const struct wire_context w = { .rec = { .len = sizeof w, .type = WIRE_CONTEXT },
						.id = c->id,
						.class_id = id_of(c->class),
						.stack_id = id_of(c->stack) };
		if (!c->is_other)
			merge_put(o, MERGE_JVM, &w.rec);
	}
	for (size_t i = 0; i < m->ncontexts; i++) {
		const struct merge_context *c = m->context[i];
		put_sums(o, c);
		put_pooled(o, c);
		for (size_t k = 0; k < c->nvalues; k++)
			put_named(o, c->value[k].record, offsetof(struct wire_value, context),
				  &c->id, sizeof c->id);
	}
}

static void put_found(struct merge_out *o)
{
	for (size_t i = 0; i < o->m->nfound; i++) {
		const struct merge_found *f = o->m->found[i];
		struct wire_rec *copy = memcpy(xmalloc(f->record->len), f->record, f->record->len);
		for (size_t k = 0; k < 4 && f->how->name[k].what; k++) {
			bool context = f->how->name[k].what == ANALYSIS_CONTEXT;
			uint32_t id = !f->name[k] ? 0
				      : context	  ? ((const struct merge_context *)f->name[k])->id
						  : id_of(f->name[k]);
			memcpy((char *)copy + f->how->name[k].at, &id, sizeof id);
		}
		merge_put(o, MERGE_JVM, copy);
		free(copy);
	}
}

int merge_emit(struct merge *m, analysis_emit_fn *emit, void *arg)
{
	struct merge_out o = { .m = m, .emit = emit, .arg = arg };

	if (m->nparts == 0)
		return 0;
	merge_trim(m);
	merge_trim_sums(m);
	merge_trim_values(m);
	number_all(m);
	put_facts(&o);
	put_defs(&o);
	put_contexts(&o);
	put_found(&o);
	merge_put_parts(&o);
	put_end(&o);
	return o.failed ? -1 : 0;
}

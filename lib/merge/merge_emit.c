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

enum { JVM = 1 };

/* The evidence of a part and a context. */
struct item {
	struct merge_part *part;
	struct merge_context *context;
	struct merge_group *group;
	double snapshot_factor, use_factor;
};

struct out {
	struct merge *m;
	analysis_emit_fn *emit;
	void *arg;
	struct item *item;
	size_t n, room;
	bool failed;
};

static void put(struct out *o, uint32_t jvm, const struct wire_rec *rec)
{
	o->failed = o->failed || o->emit(jvm, rec, rec->len, o->arg) < 0;
}

/* Writes a copy of a record, in which `size` bytes at `at` are those of `number`. */
static void put_named(struct out *o, const struct wire_rec *rec, size_t at, const void *number,
		      size_t size)
{
	struct wire_rec *copy = memcpy(xmalloc(rec->len), rec, rec->len);

	memcpy((char *)copy + at, number, size);
	put(o, JVM, copy);
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

/* Behind a use's record is the hash of the stack that used it. */
static struct merge_def *stack_of_use(struct merge *m, const struct wire_rec *rec)
{
	uint64_t hash;

	memcpy(&hash, (const char *)rec + rec->len - sizeof hash, sizeof hash);
	return hash ? idmap_get(&m->stacks.by_hash, hash) : NULL;
}

static bool is_use(const struct wire_rec *rec)
{
	return atomic_load_explicit(&rec->type, memory_order_relaxed) == WIRE_USE;
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
				if (is_use(c->group[k].record[r]))
					mark(stack_of_use(m, c->group[k].record[r]));
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

static void put_label(struct out *o, const struct model_label *l)
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
	put(o, JVM, rec);
	free(rec);
}

static void put_facts(struct out *o)
{
	struct merge_facts *f = &o->m->facts;

	if (f->command)
		put(o, 0, f->command);
	f->jvm.rec = (struct wire_rec){ .len = sizeof f->jvm, .type = FILE_JVM };
	put(o, JVM, &f->jvm.rec);
	for (size_t i = 0; i < f->nlabels; i++)
		put_label(o, &f->label[i]);
	f->status.rec = (struct wire_rec){ .len = sizeof f->status, .type = FILE_STATUS };
	if (f->has_status)
		put(o, JVM, &f->status.rec);
}

/* The sum over the recordings. */
static void put_end(struct out *o)
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
	put(o, 0, &end.rec);
}

/* ---- definitions and sums ------------------------------------------------------------------ */

static void put_defs(struct out *o)
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

static void put_sum(struct out *o, const struct merge_context *c, const struct merge_sum *s)
{
	const struct file_sum f = { .rec = { .len = sizeof f, .type = FILE_SUM },
				    .context = c->id,
				    .array_length = s->array_length,
				    .size = s->size,
				    .count = s->count,
				    .weight = merge_exact_out(s->weight),
				    .squares = merge_exact_out(s->squares) };

	put(o, JVM, &f.rec);
}

static void put_sums(struct out *o, const struct merge_context *c)
{
	struct merge_sum rest[2];
	size_t n = merge_rest_sums(c, rest);

	for (size_t i = 0; i < c->nsums; i++)
		put_sum(o, c, &c->sum[i]);
	for (size_t i = 0; i < n; i++)
		put_sum(o, c, &rest[i]);
}

static void put_pooled(struct out *o, const struct merge_context *c)
{
	struct file_pooled f = { .rec = { .len = sizeof f, .type = FILE_POOLED },
				 .context = c->id,
				 .below = c->below,
				 .pieces = c->pieces,
				 .snapshots = c->snapshots,
				 .uses = c->uses,
				 .others = merge_exact_out(c->others),
				 .others_squares = merge_exact_out(c->others_squares) };

	memcpy(f.unused, c->unused, sizeof f.unused);
	for (size_t i = 0; i < c->ngroups; i++)
		for (size_t k = 0; k < c->group[i].n; k++)
			*(is_use(c->group[i].record[k]) ? &f.kept_uses : &f.kept_snapshots) += 1;
	put(o, JVM, &f.rec);
}

static void put_contexts(struct out *o)
{
	const struct merge *m = o->m;

	for (size_t i = 0; i < m->ncontexts; i++) {
		const struct merge_context *c = m->context[i];
		const struct wire_context w = { .rec = { .len = sizeof w, .type = WIRE_CONTEXT },
						.id = c->id,
						.class_id = id_of(c->class),
						.stack_id = id_of(c->stack) };
		if (!c->is_other)
			put(o, JVM, &w.rec);
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

static void put_found(struct out *o)
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
		put(o, JVM, copy);
		free(copy);
	}
}

/* ---- evidence ------------------------------------------------------------------------------ */

static size_t count_of(const struct merge_group *g, bool uses)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += is_use(g->record[i]) == uses;
	return n;
}

/*
 * A part of which one in ten snapshots was kept stands for more than one of which all were. So the
 * weights are multiplied by what arrived for each that is here, as against that of all parts of the
 * context that are here: the context as a whole is as it was.
 */
static double factor_of(double arrived, double here, double all_arrived, double all_here)
{
	return here > 0 && all_arrived > 0 ? arrived / here * (all_here / all_arrived) : 1;
}

static void list_groups(struct out *o, struct merge_context *c)
{
	double arrived[2] = { 0, 0 }, here[2] = { 0, 0 };

	for (size_t i = 0; i < c->ngroups; i++) {
		here[0] += (double)count_of(&c->group[i], false);
		here[1] += (double)count_of(&c->group[i], true);
		arrived[0] += (double)c->group[i].snapshots;
		arrived[1] += (double)c->group[i].uses;
	}
	for (size_t i = 0; i < c->ngroups; i++) {
		struct merge_group *g = &c->group[i];
		XGROW(o->item, o->n, o->room, 256);
		o->item[o->n++] =
			(struct item){ g->part, c, g,
				       factor_of((double)g->snapshots, (double)count_of(g, false),
						 arrived[0], here[0]),
				       factor_of((double)g->uses, (double)count_of(g, true),
						 arrived[1], here[1]) };
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return ORDER(x->part->record.id, y->part->record.id)
		       ?: ORDER(x->context->hash, y->context->hash);
}

static uint32_t epoch_of(const struct wire_rec *rec)
{
	return is_use(rec) ? ((const struct wire_use *)rec)->epoch
			   : ((const struct wire_snapshot *)rec)->epoch;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(x, y);
}

/* No epoch of one part has the number of one of another. */
static void number_epochs(struct out *o)
{
	uint32_t next = 1;

	for (size_t i = 0; i < o->n; i++) {
		const struct merge_group *g = o->item[i].group;
		struct merge_part *p = o->item[i].part;
		for (size_t k = 0; k < g->n; k++) {
			XGROW(p->epoch, p->nepochs, p->epochs_room, 64);
			p->epoch[p->nepochs++] = epoch_of(g->record[k]);
		}
	}
	for (size_t i = 0; i < o->m->nparts; i++) {
		struct merge_part *p = o->m->part[i];
		size_t n = 0;
		if (p->nepochs)
			qsort(p->epoch, p->nepochs, sizeof *p->epoch, compare_numbers);
		for (size_t k = 0; k < p->nepochs; k++)
			if (n == 0 || p->epoch[n - 1] != p->epoch[k])
				p->epoch[n++] = p->epoch[k];
		p->nepochs = n;
		p->first_epoch = next;
		next += (uint32_t)n;
	}
}

static uint32_t new_epoch(const struct merge_part *p, uint32_t epoch)
{
	const uint32_t *at =
		bsearch(&epoch, p->epoch, p->nepochs, sizeof *p->epoch, compare_numbers);

	return p->first_epoch + (uint32_t)(at - p->epoch);
}

static void put_piece(struct out *o, const struct item *item, const struct wire_rec *rec)
{
	struct wire_rec *copy = memcpy(xmalloc(rec->len), rec, rec->len);
	uint32_t epoch = new_epoch(item->part, epoch_of(rec));

	if (is_use(rec)) {
		struct wire_use *u = (struct wire_use *)copy;
		u->rec.len -= (uint32_t)sizeof(uint64_t);
		u->access = id_of(stack_of_use(o->m, rec));
		u->context = item->context->id;
		u->epoch = epoch;
	} else {
		struct wire_snapshot *s = (struct wire_snapshot *)copy;
		s->context = item->context->id;
		s->epoch = epoch;
	}
	put(o, JVM, copy);
	free(copy);
}

static void put_group(struct out *o, const struct item *item)
{
	const struct merge_group *g = item->group;
	const struct file_seen seen = { .rec = { .len = sizeof seen, .type = FILE_SEEN },
					.context = item->context->id,
					.pieces = g->pieces,
					.snapshots = g->snapshots,
					.uses = g->uses,
					.snapshot_factor = item->snapshot_factor,
					.use_factor = item->use_factor };

	put(o, JVM, &seen.rec);
	for (size_t i = 0; i < g->n; i++)
		put_piece(o, item, g->record[i]);
}

static void put_parts(struct out *o)
{
	size_t at = 0;

	for (size_t i = 0; i < o->m->ncontexts; i++)
		list_groups(o, o->m->context[i]);
	if (o->n)
		qsort(o->item, o->n, sizeof *o->item, compare_items);
	number_epochs(o);
	for (size_t i = 0; i < o->m->nparts && !o->failed; i++) {
		const struct merge_part *p = o->m->part[i];
		struct file_part f = p->record;
		f.rec = (struct wire_rec){ .len = sizeof f, .type = FILE_PART };
		put(o, JVM, &f.rec);
		for (; at < o->n && o->item[at].part == p; at++)
			put_group(o, &o->item[at]);
	}
	free(o->item);
}

int merge_emit(struct merge *m, analysis_emit_fn *emit, void *arg)
{
	struct out o = { .m = m, .emit = emit, .arg = arg };

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
	put_parts(&o);
	put_end(&o);
	return o.failed ? -1 : 0;
}

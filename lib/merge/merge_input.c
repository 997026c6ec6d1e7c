/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_input.c - a recording comes in. A model of its own takes its records, so that they are
 * checked and thinned as by any reader. At the end of it, what the model has kept goes into the
 * merge, and the model goes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_input.h"

struct merge_input *merge_begin(struct merge *m)
{
	struct merge_input *in = xcalloc(1, sizeof *in);

	in->merge = m;
	in->model = xgiven(model_new(m->analyses));
	model_without_frames(in->model);
	return in;
}

void merge_abandon(struct merge_input *in)
{
	model_free(in->model);
	idmap_release(&in->definitions);
	idmap_release(&in->pooled);
	idmap_release(&in->seen);
	idmap_release(&in->sifted);
	arena_release(&in->arena);
	free(in->begun);
	free(in->noted);
	free(in->sum);
	free(in->parts);
	free(in);
}

/* ---- records ----------------------------------------------------------------------------- */

/* The number by which others name what a record defines; 0: it defines nothing. */
static uint64_t defined_by(const struct wire_rec *rec, uint16_t type)
{
	switch (type) {
	case WIRE_CLASS:
		return ((const struct wire_class *)rec)->id;
	case WIRE_METHOD:
		return ((const struct wire_method *)rec)->method;
	case WIRE_LOADS:
		return ((const struct wire_loads *)rec)->method;
	case WIRE_STACK:
		return ((const struct wire_stack *)rec)->id;
	default:
		return 0;
	}
}

static void keep(struct idmap *map, uint64_t key, struct arena *a, const struct wire_rec *rec)
{
	if (!idmap_get(map, key))
		xidmap_put(map, key, merge_keep(a, rec, rec->len));
}

/* The part whose evidence comes in a merged recording; NULL: it is not merged. */
static const struct model_part *present_part(const struct merge_input *in)
{
	size_t n = model_nparts(in->model);

	return n ? model_part(in->model, n - 1) : NULL;
}

static uint64_t key_of(const struct merge_input *in, uint32_t context)
{
	const struct model_part *part = present_part(in);

	return merge_input_key(part ? part->process : 0, context);
}

static void note_seen(struct merge_input *in, const struct file_seen *s)
{
	const struct model_part *part = present_part(in);
	uint64_t key = key_of(in, s->context);

	if (part && !idmap_get(&in->seen, key)) {
		XGROW(in->noted, in->nnoted, in->noted_room, 64);
		in->noted[in->nnoted++] = (struct noted){ s->context, part->process, part->pool };
	}
	keep(&in->seen, key, &in->arena, &s->rec);
}

static int compare_noted(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

	return ORDER(x->context, y->context) ?: ORDER(x->pool, y->pool);
}

static void keep_sum(struct merge_input *in, uint32_t jvm, const struct wire_rec *rec)
{
	XGROW(in->sum, in->nsums, in->sums_room, 64);
	in->sum[in->nsums++] = (struct kept){ jvm, merge_keep(&in->arena, rec, rec->len) };
}

/* Most records: all of them is in the model. */
static bool is_in_model(uint16_t type)
{
	return type == WIRE_SNAPSHOT || type == WIRE_USE || type == FILE_COUNT ||
	       type == FILE_TALLY || type == WIRE_CONTEXT;
}

/* Keeps what the model took, and the merge needs as it is. */
static void note(struct merge_input *in, uint32_t jvm, const struct wire_rec *rec, uint16_t type)
{
	uint64_t id = defined_by(rec, type);

	if (id)
		merge_define(in, jvm, id, rec);
	else if (type == FILE_COMMAND && !in->command)
		in->command = merge_keep(&in->arena, rec, rec->len);
	else if (type == FILE_PART)
		in->part = ((const struct file_part *)rec)->number;
	else if (type == FILE_POOLED)
		keep(&in->pooled, ((const struct file_pooled *)rec)->context, &in->arena, rec);
	else if (type == FILE_SIFTED && rec->len == sizeof(struct file_sifted))
		keep(&in->sifted, key_of(in, ((const struct file_sifted *)rec)->context),
		     &in->arena, rec);
	else if (type == FILE_SUM || model_sums_in(in->model, type))
		keep_sum(in, jvm, rec);
	else if (type == WIRE_VIEW || model_is_analysed(in->model, type))
		in->left_out = true;
}

/* Snapshots and uses of a part do not come in the order of their epochs. */
static void note_epoch(struct merge_input *in, uint32_t epoch)
{
	struct begun *last = in->nbegun ? &in->begun[in->nbegun - 1] : NULL;

	if (last && last->part == in->part) {
		last->epoch = epoch < last->epoch ? epoch : last->epoch;
		return;
	}
	XGROW(in->begun, in->nbegun, in->begun_room, 16);
	in->begun[in->nbegun++] = (struct begun){ in->part, epoch };
}

bool merge_is_of_many(const struct merge_input *in)
{
	return in->of_many;
}

enum model_fed merge_feed(struct merge_input *in, uint32_t jvm, const struct wire_rec *rec,
			  uint32_t len)
{
	uint16_t type =
		len < sizeof *rec ? 0 : atomic_load_explicit(&rec->type, memory_order_relaxed);

	/* not for the model: the merge needs the weights as they were */
	if (type == FILE_SEEN && jvm && rec->len == len && len == sizeof(struct file_seen)) {
		note_seen(in, (const struct file_seen *)rec);
		return MODEL_KEEP;
	}
	enum model_fed fed = model_feed(in->model, jvm, rec, len);
	if (fed == MODEL_KEEP && !is_in_model(type))
		note(in, jvm, rec, type);
	else if (fed == MODEL_KEEP && in->part && type == WIRE_SNAPSHOT)
		note_epoch(in, ((const struct wire_snapshot *)rec)->epoch);
	else if (fed == MODEL_KEEP && in->part && type == WIRE_USE)
		note_epoch(in, ((const struct wire_use *)rec)->epoch);
	in->of_many |= type == FILE_SUM || type == FILE_POOLED || type == FILE_PART;
	return fed;
}

/* ---- parts ------------------------------------------------------------------------------- */

static uint64_t duration_of(const struct merge_input *in, uint64_t end_ns)
{
	struct file_end end;

	return model_ended(in->model, &end) ? end.duration_ns : end_ns;
}

static struct merge_part *new_part(struct merge_input *in, const struct file_part *record,
				   uint64_t secret)
{
	struct merge_part *part = xarena_alloc(&in->merge->arena, sizeof *part);

	*part = (struct merge_part){ .record = *record,
				     .secret = secret,
				     .pool = model_pool(record, secret) };
	return part;
}

static void list_own_parts(struct merge_input *in, const struct file_header *header,
			   uint64_t end_ns, merge_wants *wants, const void *arg)
{
	uint64_t recording = merge_recording_id(in->model, header->start_unix_ns);

	in->nparts = model_njvms(in->model) + 1;
	in->parts = xcalloc(in->nparts, sizeof(struct merge_part *));
	for (uint32_t jvm = 1; jvm < in->nparts; jvm++) {
		if (wants && !wants(in->model, jvm, arg))
			continue;
		struct file_part p = { .rec = { .len = sizeof p, .type = FILE_PART },
				       .pid = model_jvm(in->model, jvm)->info.pid,
				       .id = merge_part_id(in->model, header->start_unix_ns, jvm),
				       .recording = recording,
				       .start_unix_ns = header->start_unix_ns,
				       .duration_ns = duration_of(in, end_ns) };
		p.process = merge_process_id(in->model, jvm, p.id);
		in->parts[jvm] = new_part(in, &p, model_secret(in->model));
	}
}

/* Of a file that was made to have one part twice, or one number, the first counts. */
static void list_merged_parts(struct merge_input *in, merge_wants *wants, const void *arg)
{
	size_t n = model_nparts(in->model);
	struct idmap ids = { .slots = NULL };
	uint32_t most = 0;

	if (wants && !wants(in->model, 1, arg))
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t number = model_part(in->model, i)->record.number;
		most = number > most ? number : most;
	}
	in->nparts = most + 1;
	in->parts = xcalloc(in->nparts, sizeof(struct merge_part *));
	for (size_t i = 0; i < n; i++) {
		const struct model_part *p = model_part(in->model, i);
		if (in->parts[p->record.number] || idmap_get(&ids, p->record.id))
			continue;
		in->parts[p->record.number] = new_part(in, &p->record, p->secret);
		xidmap_put(&ids, p->record.id, in);
	}
	idmap_release(&ids);
	if (in->nnoted)
		qsort(in->noted, in->nnoted, sizeof *in->noted, compare_noted);
}

/* Whether the merge has the parts already. */
static enum merge_added look_up(const struct merge_input *in)
{
	size_t there = 0, n = 0;

	for (size_t i = 0; i < in->nparts; i++) {
		if (!in->parts[i])
			continue;
		n++;
		there += idmap_get(&in->merge->parts_by_id, in->parts[i]->record.id) != NULL;
	}
	if (n == 0)
		return MERGE_NOTHING;
	return there == 0 ? MERGE_ADDED : there == n ? MERGE_THERE : MERGE_OVERLAPS;
}

/* ---- all together -------------------------------------------------------------------------- */

static void add_strata(struct merge *m, struct merge_context *to, const struct model_context *c)
{
	for (size_t i = 0; i < c->nstrata; i++) {
		const struct model_stratum *s = &c->strata[i];
		merge_add_sum(m, to,
			      &(struct merge_sum){ s->array_length, s->size, s->sampled,
						   merge_exact(s->objects),
						   merge_exact(s->squares) });
	}
}

/* A context of the recording, and what it is. */
struct same {
	uint64_t hash; /* of `to` */
	struct merge_context *to;
	const struct model_context *from;
};

static int compare_same(const void *a, const void *b)
{
	const struct same *x = a, *y = b;

	return ORDER(x->hash, y->hash) ?: ORDER(x->from->number, y->from->number);
}

/* Lists the contexts that are wanted. 0, or -1 if there are too many different ones. */
static int list_contexts(struct merge_input *in, struct same *list, size_t *n)
{
	for (size_t i = 0; i < model_ncontexts(in->model); i++) {
		const struct model_context *c = model_context(in->model, i);
		if (!in->part && !merge_part_at(in, c->jvm))
			continue;
		struct merge_context *to = merge_context_of(in, c->jvm, c->id);
		if (!to)
			return -1;
		list[(*n)++] = (struct same){ to->hash, to, c };
	}
	if (*n)
		qsort(list, *n, sizeof *list, compare_same);
	return 0;
}

/* Those of one class and stack at once: a class that was loaded again has others. */
static void add_same(struct merge_input *in, const struct same *list, size_t n)
{
	const struct model_context **from = xmallocarray(n, sizeof *from);

	for (size_t i = 0; i < n; i++) {
		const struct model_context *c = from[i] = list[i].from;
		if (!in->part)
			add_strata(in->merge, list->to, c);
		merge_take_values(in, list->to, c, in->part ? NULL : merge_part_at(in, c->jvm));
	}
	merge_take_evidence(in, list->to, from, n);
	free(from);
}

/* 0, or -1 if there are too many contexts. */
static int add_contexts(struct merge_input *in)
{
	struct same *list = xmallocarray(model_ncontexts(in->model) + 1, sizeof *list);
	size_t n = 0;
	int result = list_contexts(in, list, &n);

	for (size_t first = 0, next; result == 0 && first < n; first = next) {
		for (next = first + 1; next < n && list[next].to == list[first].to;)
			next++;
		add_same(in, list + first, next - first);
	}
	free(list);
	return result;
}

static void add_found(struct merge_input *in, const struct kept *k, const struct analysis_sums *how)
{
	void *name[4] = { NULL };

	for (size_t i = 0; i < 4 && how->name[i].what; i++) {
		uint32_t id;
		memcpy(&id, (const char *)k->record + how->name[i].at, sizeof id);
		if (!id)
			continue;
		if (how->name[i].what == ANALYSIS_CONTEXT) {
			struct merge_context *c = merge_context_of(in, k->jvm, id);
			if (c && c->is_other)
				how->lose_context(k->record);
			name[i] = c;
		} else
			name[i] = how->name[i].what == ANALYSIS_CLASS
					  ? merge_class_of(in, k->jvm, id)
					  : merge_stack_of(in, k->jvm, id);
	}
	merge_add_found(in->merge, k->record, how, name);
}

static void add_sums(struct merge_input *in)
{
	for (size_t i = 0; i < in->nsums; i++) {
		const struct kept *k = &in->sum[i];
		uint16_t type = atomic_load_explicit(&k->record->type, memory_order_relaxed);
		const struct file_sum *s = (const struct file_sum *)k->record;
		struct merge_context *to;
		if (!in->part && !merge_part_at(in, k->jvm))
			continue;
		if (type != FILE_SUM)
			add_found(in, k, model_sums_in(in->model, type));
		else if ((to = merge_context_of(in, k->jvm, s->context)))
			merge_add_sum(in->merge, to,
				      &(struct merge_sum){ s->array_length, s->size, s->count,
							   merge_exact_of(&s->weight),
							   merge_exact_of(&s->squares) });
	}
}

static int take_flushed(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct merge_input *in = arg;

	(void)len;
	if (model_sums_in(in->model, atomic_load_explicit(&rec->type, memory_order_relaxed)))
		keep_sum(in, jvm, rec);
	return 0;
}

static int compare_parts(const void *a, const void *b)
{
	const struct merge_part *x = *(struct merge_part *const *)a;
	const struct merge_part *y = *(struct merge_part *const *)b;

	return ORDER(x->pool, y->pool) ?: ORDER(x->record.start_unix_ns, y->record.start_unix_ns)
			?: ORDER(x->record.id, y->record.id);
}

static void add_parts(struct merge_input *in)
{
	struct merge *m = in->merge;

	for (uint32_t i = 0; i < in->nparts; i++) {
		struct merge_part *part = in->parts[i];
		if (!part)
			continue;
		xidmap_put(&m->parts_by_id, part->record.id, part);
		XGROW(m->part, m->nparts, m->parts_room, 16);
		m->part[m->nparts++] = part;
		if (!in->part)
			merge_add_facts(m, in->model, i, in->command);
	}
	if (in->part)
		merge_add_facts(m, in->model, 1, in->command);
	qsort(m->part, m->nparts, sizeof(struct merge_part *), compare_parts);
	m->left_out |= in->left_out;
}

static enum merge_added add(struct merge_input *in, const struct file_header *header)
{
	struct merge_facts *f = &in->merge->facts;
	char machine[FILE_MACHINE];

	wire_file_machine(header, machine);
	if (f->any && strcmp(machine, f->machine) != 0)
		return MERGE_MACHINE;
	memcpy(f->machine, machine, sizeof machine);
	if (model_flush_counts(in->model, take_flushed, in) < 0)
		out_of_memory();
	if (add_contexts(in) < 0)
		return MERGE_MANY;
	add_sums(in);
	add_parts(in);
	return MERGE_ADDED;
}

enum merge_added merge_end(struct merge_input *in, const struct file_header *header,
			   uint64_t end_ns, merge_wants *wants, const void *arg)
{
	if (in->part)
		list_merged_parts(in, wants, arg);
	else
		list_own_parts(in, header, end_ns, wants, arg);
	enum merge_added result = look_up(in);
	if (result == MERGE_ADDED)
		result = add(in, header);
	merge_abandon(in);
	return result;
}

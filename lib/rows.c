/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.c - see rows.h. Contexts get a hash of the text they are compared by and are sorted by it;
 * equal neighbours are a row. A stack is resolved once for its hash and once more for its row:
 * holding all of them would cost some hundred megabytes in a large recording.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char *const rows_groupings[] = { "context", "site", "class", NULL };

struct keyed {
	struct callstack_hash key;
	size_t index; /* of the context */
	bool selected;
};

const char *row_class(const struct row *row)
{
	return row->class && row->class->name ? row->class->name : "?";
}

void row_put_site(FILE *out, const struct style *s, const struct row *row)
{
	size_t application = callstack_application(&row->stack);
	size_t known = row->common > 0 ? row->common : row->stack.n;

	if (known == 0) {
		fputs("(unknown)", out);
		return;
	}
	style_put_site(out, s, &row->stack.frames[0]);
	if (application > 0 && application < known) {
		fprintf(out, " %s ", style_glyph(s, GLYPH_ARROW));
		style_put_site(out, s, &row->stack.frames[application]);
	}
	if (row->common == 0 && row->ncontexts > 1)
		fprintf(out, " +%zu more", row->ncontexts - 1);
}

/* ---- grouping ---------------------------------------------------------------------------- */

/* Positions of contents mean fields, so that rows mix classes only if the fields agree. */
static uint64_t class_hash(const struct model_context *c)
{
	XXH64_hash_t hash = c->jvm;

	if (!c->class)
		return hash;
	const char *name = c->class->name ? c->class->name : "?";
	hash = XXH3_64bits_withSeed(name, strlen(name) + 1, hash);
	for (uint32_t i = 0; c->class->fields && i < c->class->nfields; i++) {
		const struct model_field *f = &c->class->fields[i];
		uint32_t numbers[3] = { f->offset, f->size, (unsigned char)f->type };
		hash = XXH3_64bits_withSeed(numbers, sizeof numbers, hash);
		hash = XXH3_64bits_withSeed(f->name, f->name ? strlen(f->name) : 0, hash);
	}
	return hash;
}

static size_t compared_frames(enum rows_grouping grouping)
{
	switch (grouping) {
	case ROWS_BY_CLASS:
		return 0;
	case ROWS_BY_SITE:
		return 1;
	default:
		return WIRE_MAX_STACK;
	}
}

static bool is_seen(const struct model_context *c)
{
	return c->sampled || c->nlooks || c->nuses;
}

static int make_key(struct keyed *keyed, struct filter_run *run, const struct rows_options *o)
{
	const struct model *m = run->model;
	const struct model_context *c = model_context(m, keyed->index);
	struct callstack stack;

	if (callstack_resolve(&stack, m, c->jvm, c->stack_id) < 0)
		return -1;
	keyed->selected = is_seen(c) && filter_takes(run, c, &stack);
	keyed->key = callstack_hash(&stack, compared_frames(o->grouping), class_hash(c));
	callstack_release(&stack);
	return run->failed ? -1 : 0;
}

static int compare_keys(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	int order = callstack_hash_compare(&x->key, &y->key);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Keys of the contexts that are selected, sorted; *n receives their number. */
static struct keyed *sorted_keys(const struct model *m, const struct rows_options *o, size_t *n)
{
	size_t all = model_ncontexts(m);
	struct keyed *keys = calloc(all ? all : 1, sizeof *keys);
	struct filter_run run;

	*n = 0;
	filter_begin(&run, &o->filter, m);
	for (size_t i = 0; keys && i < all; i++) {
		keys[*n].index = i;
		if (make_key(&keys[*n], &run, o) < 0) {
			free(keys);
			keys = NULL;
			break;
		}
		*n += keys[*n].selected;
	}
	filter_end(&run);
	if (keys)
		qsort(keys, *n, sizeof *keys, compare_keys);
	return keys;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void gather_evidence(struct row *row, const struct model_context *c)
{
	unsigned flags = 0;

	for (size_t i = 0; i < c->nlooks; i++)
		flags |= c->looks[i]->flags;
	for (size_t i = 0; i < c->nuses; i++) {
		flags |= c->uses[i]->flags;
		row->uses_remote += (c->uses[i]->flags & WIRE_ELSEWHERE) != 0;
	}
	row->uses += c->nuses;
	row->watches += c->uses_seen;
	for (size_t i = 0; i < sizeof c->unused / sizeof c->unused[0]; i++)
		row->unused += c->unused[i];
	row->references |= (flags & WIRE_REFS) != 0;
	row->partial |= (flags & WIRE_PARTIAL) != 0;
}

static int fill_row(struct row *row, const struct model *m, const struct rows_options *o)
{
	const struct model_context *largest = row->contexts[0];
	const struct model_jvm *jvm = model_jvm(m, largest->jvm);
	double bytes = 0;

	for (size_t i = 0; i < row->ncontexts; i++) {
		if (row->contexts[i]->bytes > largest->bytes)
			largest = row->contexts[i];
		bytes += row->contexts[i]->bytes;
		gather_evidence(row, row->contexts[i]);
	}
	row->watches += row->unused;
	row->jvm = largest->jvm;
	row->pid = jvm ? jvm->info.pid : 0;
	row->class = largest->class;
	row->stack_share = bytes > 0 ? largest->bytes / bytes : 1;
	if (callstack_resolve(&row->stack, m, largest->jvm, largest->stack_id) < 0)
		return -1;
	row->common = compared_frames(o->grouping);
	if (row->common > row->stack.n)
		row->common = row->stack.n;
	return replica_compute(&row->replica, row->contexts, row->ncontexts, &o->replica);
}

/* Makes one row of `n` keys, which are equal. */
static int add_row(struct rows *rows, const struct model *m, const struct rows_options *o,
		   const struct keyed *keys, size_t n)
{
	struct row *row = &rows->row[rows->n];

	memset(row, 0, sizeof *row);
	row->contexts = calloc(n, sizeof(struct model_context *));
	if (!row->contexts)
		return -1;
	rows->n++;
	row->ncontexts = n;
	for (size_t i = 0; i < n; i++)
		row->contexts[i] = model_context(m, keys[i].index);
	return fill_row(row, m, o);
}

static int add_rows(struct rows *rows, const struct model *m, const struct rows_options *o,
		    const struct keyed *keys, size_t n)
{
	rows->row = calloc(n ? n : 1, sizeof *rows->row);
	if (!rows->row)
		return -1;
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && callstack_hash_compare(&keys[next].key, &keys[first].key) == 0)
			next++;
		if (add_row(rows, m, o, keys + first, next - first) < 0)
			return -1;
	}
	return 0;
}

/* Contexts keep their order within the model, hence so do the rows' first contexts. */
static int compare_age(const void *a, const void *b)
{
	const struct model_context *x = ((const struct row *)a)->contexts[0];
	const struct model_context *y = ((const struct row *)b)->contexts[0];

	if (x->jvm != y->jvm)
		return x->jvm < y->jvm ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

int rows_make(struct rows *rows, const struct model *m, const struct rows_options *options)
{
	size_t n;

	memset(rows, 0, sizeof *rows);
	struct keyed *keys = sorted_keys(m, options, &n);
	if (!keys)
		return -1;
	int result = add_rows(rows, m, options, keys, n);
	free(keys);
	if (result < 0) {
		rows_release(rows);
		return -1;
	}
	qsort(rows->row, rows->n, sizeof *rows->row, compare_age);
	return 0;
}

void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		replica_release(&rows->row[i].replica);
		callstack_release(&rows->row[i].stack);
		free(rows->row[i].contexts);
	}
	free(rows->row);
	memset(rows, 0, sizeof *rows);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.c - see rows.h: makes each row of a report from the contexts that rows_group.c puts
 * together.
 */
#include "report/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "model/context_groups.h"
#include "model/disambiguate.h"
#include "report/row_figures.h"
#include "report/rows_group.h"

/* ---- part of rows.h: distinguishes rows whose class and site read the same. */

/* Equal if class and site are equal. */
static uint64_t title_of(const struct row *row)
{
	const struct callstack *stack = row_stack(row);
	struct model_frame frames[2] = { stack->frames[0] };
	struct callstack site = { .frames = frames, .n = 1 };
	uint64_t seed = (uint64_t)row->row.pid;

	for (const char *c = row_class(row); *c; c++)
		seed = seed * 31 + (unsigned char)*c;
	if (row->line > 0 && row->line < stack->n)
		frames[site.n++] = stack->frames[row->line];
	return callstack_hash(&site, SIZE_MAX, seed).low;
}

void rows_tell_apart_some(struct row *const *list, size_t n)
{
	struct disambiguate_item *items = xcalloc(n, sizeof *items);
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		struct row *row = list[i];
		row->row.via[0] = 0;
		if (row_stack(row)->n > 0 && row->common > 0)
			items[used++] = (struct disambiguate_item){ .title = title_of(row),
								    .stack = row_stack(row) };
	}
	disambiguate(items, used);
	used = 0;
	for (size_t i = 0; i < n; i++)
		if (row_stack(list[i])->n > 0 && list[i]->common > 0)
			list[i]->row.via[0] = items[used++].via;
	free(items);
}

void rows_tell_apart(struct rows *rows, size_t n)
{
	n = n < rows->table.n ? n : rows->table.n;
	struct row **list = xmallocarray(n, sizeof(struct row *));

	for (size_t i = 0; i < n; i++)
		list[i] = rows_at(rows, i);
	rows_tell_apart_some(list, n);
	free(list);
}

const char *const rows_groupings[] = { "context", "site", "class", "line", NULL };

bool row_is_other(const struct row *row)
{
	return row->ncontexts > 0 && row->contexts[0]->id == 0;
}

/* Of a row whose contexts are known. */
static void compute(struct row *row, const struct replica_options *options)
{
	replica_compute(&row->replica, row->contexts, row->ncontexts, options);
	if (row_is_other(row))
		row->replica.own.decision.missing = row->replica.deep.decision.missing = NAN;
}

const struct replica_details *row_details(const struct row *row)
{
	static const struct replica_details none;

	if (!row->replica.details && row->how) /* what is kept is no change that anyone sees */
		compute((struct row *)row, row->how);
	return row->replica.details ? row->replica.details : &none;
}

void row_put_site(FILE *out, const struct style *s, const struct row *row)
{
	const struct callstack *stack = row_stack(row);
	size_t known = row->common > 0 ? row->common : stack->n;

	if (known == 0) {
		fputs("(unknown)", out);
		return;
	}
	frame_put_site(out, s, &stack->frames[0]);
	if (row->line > 0 && row->line < known) {
		fprintf(out, " %s ", style_glyph(s, GLYPH_ARROW));
		frame_put_site(out, s, &stack->frames[row->line]);
	}
	if (row->row.via[0] > 0 && row->row.via[0] < known) {
		fputs(" via ", out);
		frame_put_site(out, s, &stack->frames[row->row.via[0]]);
	}
	if (row->common == 0 && row->ncontexts > 1)
		fprintf(out, " +%zu more", row->ncontexts - 1);
}

const struct model_frame *row_line(const struct row *row)
{
	const struct callstack *stack = row_stack(row);
	size_t known = row->common > 0 ? row->common : stack->n;

	return row->line < known ? &stack->frames[row->line] : NULL;
}

void row_put_line(FILE *out, const struct style *s, const struct row *row)
{
	const struct model_frame *frame = row_line(row);

	if (!frame) {
		fputs("(unknown)", out);
		return;
	}
	if (!frame->file || frame->line <= 0) {
		frame_put_site(out, s, frame);
		return;
	}
	utf8_put(out, frame->class_name, names_package_shown(frame->class_name, frame->file),
		 s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
	frame_put_line(out, s, frame);
}

char *row_place_text(const struct row *row, row_put_fn *put)
{
	const struct style plain = { .utf8 = true };
	struct memtext text;

	put(memtext_begin(&text), &plain, row);
	return memtext_end(&text);
}

struct observations_variances rows_variances(const struct row *row)
{
	return row ? observations_variances(row->contexts, row->ncontexts)
		   : (struct observations_variances){ 0, 0 };
}

/* ---- rows -------------------------------------------------------------------------------- */

static void gather_evidence(struct row *row, const struct model_context *c)
{
	unsigned flags = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		flags |= c->snapshots[i]->flags;
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

static void describe(struct row *row, const struct model *m, const struct rows_options *options)
{
	const struct model_context *shown = row->contexts[0];
	const struct model_jvm *jvm = model_jvm(m, shown->jvm);
	double bytes = 0;

	for (size_t i = 0; i < row->ncontexts; i++) {
		if (line_shows_better(row->contexts[i], shown))
			shown = row->contexts[i];
		bytes += row->contexts[i]->bytes;
		gather_evidence(row, row->contexts[i]);
	}
	row->watches += row->unused;
	row->model = m;
	row->row.jvm = shown->jvm;
	row->row.pid = jvm ? jvm->info.pid : 0;
	row->class = shown->class;
	row->row.class_name = row->class ? row->class->name : NULL;
	row->stack_id = shown->stack_id;
	row->stack_share = bytes > 0 ? shown->bytes / bytes : 1;
	row->common = rows_compared_frames(options->grouping);
	row->line = callstack_line_of(m, row->row.jvm, row->stack_id);
	if (options->grouping == ROWS_BY_LINE) {
		row->first = row->line;
		row->common = row->line + 1;
	}
	size_t frames = callstack_length(m, row->row.jvm, row->stack_id);
	if (row->common > frames)
		row->common = frames;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Whether the row made before has the same contexts. */
static bool is_same(const struct row *row, const struct row *made)
{
	return made->ncontexts == row->ncontexts &&
	       memcmp(made->contexts, row->contexts,
		      row->ncontexts * sizeof(struct model_context *)) == 0;
}

/* Makes a row of its contexts. `made`: a row made before that has the first of them, or NULL. */
static void make_row(struct row *row, const struct model *m, const struct rows_options *options,
		     const struct row *made)
{
	struct replica_options replica = *row->how;

	replica.summary = options->lazy;
	describe(row, m, options);
	if (made && is_same(row, made))
		replica_copy(&row->replica, &made->replica);
	else
		compute(row, &replica);
}

const struct callstack *row_stack(const struct row *row)
{
	struct row *kept = (struct row *)row; /* what is kept is no change that anyone sees */
	struct callstack *stack = &kept->row.stack[0];

	if (!stack->frames && row->model &&
	    callstack_resolve(stack, row->model, row->row.jvm, row->stack_id) < 0)
		out_of_memory();
	return stack;
}

int row_visit(const struct row *row, row_look_fn *look, void *arg)
{
	struct row *kept = (struct row *)row;
	bool had_stack = row->row.stack[0].frames, advised = row->advised;
	int result = look(arg, row);

	if (!had_stack)
		callstack_release(&kept->row.stack[0]);
	if (!advised)
		row_forget_advice(kept);
	return result;
}

void row_forget_advice(struct row *row)
{
	free(row->advice);
	row->advice = NULL;
	row->advised = false;
}

static void release_row(struct row *row)
{
	replica_release(&row->replica);
	row_forget_advice(row);
	callstack_release(&row->row.stack[0]);
}

/* Whether there is evidence about objects of these contexts. */
static bool was_seen(struct model_context *const *contexts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct model_context *c = contexts[i];
		uint64_t seen = c->snapshots_seen + c->nsnapshots + c->uses_seen;
		for (size_t k = 0; k < sizeof c->unused / sizeof c->unused[0]; k++)
			seen += c->unused[k];
		if (seen)
			return true;
	}
	return false;
}

/* The job for all rows. */
struct job {
	struct rows *rows;
	const struct model *model;
	const struct rows_options *options;
	const struct row **made; /* of rows made before, by number of the first context; or NULL */
};

static void make(void *arg, size_t i)
{
	const struct job *j = arg;
	struct row *row = rows_at(j->rows, i);

	make_row(row, j->model, j->options, j->made ? j->made[row->contexts[0]->number] : NULL);
}

/* Lists the rows made before. */
static void list_made(struct job *j, const struct rows *made)
{
	if (!made)
		return;
	j->made = xcalloc(model_ncontexts(j->model) + 1, sizeof(struct row *));
	for (size_t i = 0; i < made->table.n; i++)
		j->made[rows_at(made, i)->contexts[0]->number] = rows_at(made, i);
}

/* Makes the rows, whose contexts are known. */
static void make_all(struct rows *rows, const struct model *m, const struct rows_options *options)
{
	struct job job = { .rows = rows, .model = m, .options = options };
	const struct rows_work work = {
		.n = rows->table.n, .make = make, .arg = &job, .progress = options->progress
	};

	list_made(&job, options->made);
	rows_work_do(&work);
	free(job.made);
}

/* Makes rows that have only their contexts. */
static void begin_rows(struct rows *rows, struct context_groups *groups, const struct model *m,
		       const struct rows_options *options)
{
	struct row *row = xcalloc(groups->n, sizeof *row);

	finding_table_init(&rows->table, &row_table_kind, row, groups->n, sizeof *row);
	rows->contexts = groups->contexts;
	groups->contexts = NULL;
	rows->how = xmalloc(sizeof *rows->how);
	*rows->how = options->replica;
	rows->how->interval = observations_interval(m);
	for (size_t i = 0; i < rows->table.n; i++) {
		rows_at(rows, i)->contexts = groups->group[i].contexts;
		rows_at(rows, i)->ncontexts = groups->group[i].n;
		rows_at(rows, i)->how = rows->how;
		rows_at(rows, i)->avoidable = NAN;
	}
}

void rows_make(struct rows *rows, const struct model *m, const struct rows_options *options)
{
	struct context_groups groups;

	*rows = (struct rows){ 0 };
	rows_group(&groups, m, options);
	begin_rows(rows, &groups, m, options);
	context_groups_release(&groups);
	make_all(rows, m, options);
	for (size_t i = 0; i < rows->table.n; i++) {
		rows->pairs += rows_at(rows, i)->replica.pairs;
		rows->seen |= was_seen(rows_at(rows, i)->contexts, rows_at(rows, i)->ncontexts);
	}
}

const struct row **rows_by_context(const struct rows *rows, const struct model *m)
{
	const struct row **of = xcalloc(model_ncontexts(m) + 1, sizeof(struct row *));

	for (size_t i = 0; i < rows->table.n; i++) {
		const struct row *row = rows_at(rows, i);
		for (size_t k = 0; k < row->ncontexts; k++)
			of[row->contexts[k]->number] = row;
	}
	return of;
}

void rows_release(struct rows *rows)
{
	for (size_t i = 0; i < rows->table.n; i++)
		release_row(rows_at(rows, i));
	free(rows->table.rows);
	free(rows->contexts);
	free(rows->how);
	*rows = (struct rows){ 0 };
}

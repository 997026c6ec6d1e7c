/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_rows.c - see jfr_rows.h: what the report ranks, its rows and lines of code, and the same
 * allocations as the JDK's recorder has them.
 */
#include "render/jfr/jfr_rows.h"

#include <math.h>

#include "fix/advice.h"
#include "fix/fix_figures.h"
#include "render/export.h"
#include "render/jfr/jfr_tables.h"

/* ---- events ---------------------------------------------------------------------------------- */

static const struct jfr_field head_fields[] = {
	{ "class", "", JFR_CLASS, JFR_PLAIN, "class of the objects" },
	{ "line", "", JFR_STRING, JFR_PLAIN, "file and line that make them" },
	{ .words = NULL },
};
static const struct jfr_field advice_fields[] = {
	{ "problem", "", JFR_STRING, JFR_PLAIN, NULL },
	{ "fix", "", JFR_STRING, JFR_PLAIN, "what may be done about it" },
	{ "rule", "", JFR_STRING, JFR_PLAIN, "name of the advice" },
	{ .words = NULL },
};
static const struct jfr_field facts_fields[] = {
	{ "pid", "", JFR_INT, JFR_PLAIN, "the JVM's process id" },
	{ "contexts", "", JFR_INT, JFR_PLAIN, "different stacks" },
	{ "share", "", JFR_FLOAT, JFR_SHARE, "share of all bytes allocated" },
	{ "verdict", "", JFR_STRING, JFR_PLAIN, "whether the objects are replicas" },
	{ "deep", "", JFR_BOOLEAN, JFR_PLAIN,
	  "the verdict is of the objects with what they refer to" },
	{ .words = NULL },
};
static const struct jfr_field access_fields[] = {
	{ "class", "", JFR_CLASS, JFR_PLAIN, "class of the objects" },
	{ "alloc_stack", "", JFR_STACK, JFR_PLAIN, "where they were allocated" },
	{ "pid", "", JFR_INT, JFR_PLAIN, "the JVM's process id" },
	{ "samples", "", JFR_LONG, JFR_PLAIN, "uses seen" },
	{ "pairs", "", JFR_LONG, JFR_PLAIN, "pairs of them that were compared" },
	{ "equal", "", JFR_LONG, JFR_PLAIN, "pairs with an equal value" },
	{ .words = NULL },
};
static const struct jfr_field sample_fields[] = {
	{ "object_class", "", JFR_CLASS, JFR_PLAIN, "Class of allocated object" },
	{ "weight", "", JFR_LONG, JFR_BYTES,
	  "bytes allocated with this class and stack, as ojx estimates them" },
	{ .words = NULL },
};

struct event_work {
	struct jfr_chunk *chunk;
	const struct report *report;
	struct jfr_events rows, samples, accesses, lines;
};

static struct jfr_events own_events(const char *word, const char *word2, const char *help)
{
	return (struct jfr_events){ .like = { .prefix = JFR_OWN,
					      .words = { word, word2 },
					      .category = { JFR_OWN, "Replicas" },
					      .help = help,
					      .has_stack = true },
				    .first = { head_fields, facts_fields },
				    .figures = row_figures };
}

/* The same of lines of code, which have advice. */
static struct jfr_events line_events(const char *word, const char *word2, const char *help)
{
	struct jfr_events e = own_events(word, word2, help);

	e.first[1] = advice_fields;
	e.first[2] = facts_fields;
	return e;
}

static void describe(struct event_work *w)
{
	w->rows = own_events("allocation", NULL, "objects of one class, allocated with one stack");
	w->lines = line_events("allocation", "line",
			       "objects of one class, allocated by one line of code");
	w->rows.has = jfr_has_page;
	w->lines.has = jfr_has_lines;
	w->accesses = own_events("allocation", "accesses",
				 "where the objects of an allocation were used");
	w->accesses.first[0] = access_fields;
	w->accesses.first[1] = NULL;
	w->accesses.figures = NULL;
	/* As the JDK's recorder has it, which readers know by its name and fields. */
	w->samples = (struct jfr_events){
		.like = { .prefix = "jdk",
			  .words = { "object", "allocation", "sample" },
			  .category = { "Java Application" },
			  .help = "all allocations of one class with one stack, as one sample",
			  .has_thread = true,
			  .has_stack = true },
		.first = { sample_fields },
	};
}

/* The stack that all objects of a row have in common; of a line it is the line, as in exports. */
static uint32_t stack_of(struct event_work *w, const struct row *row, bool by_line)
{
	struct jfr_pools *pools = &w->chunk->pools;
	bool cut = row->common == row_stack(row)->n && (row_stack(row)->flags & WIRE_STACK_CUT);

	if (by_line)
		return jfr_pools_stack(pools, row_stack(row), row->line, row->line + 1, false);
	return jfr_pools_stack(pools, row_stack(row), 0, row->common, cut);
}

/* Writes "Shop.java:12"; nothing if either is not known. */
static void write_line(FILE *out, const void *row)
{
	const struct model_frame *f = row_line(row);

	if (f && f->file && f->line > 0)
		fprintf(out, "%s:%d", f->file, f->line);
}

struct sentence {
	const struct row *row;
	const char *words;
};

static void write_sentence(FILE *out, const void *sentence)
{
	static const struct style style = { .utf8 = true };
	const struct sentence *s = sentence;

	advice_put(out, &style, s->row, s->words);
}

/* Numbers of texts about a row. */
struct row_texts {
	uint32_t line, problem, fix, rule;
};

/* The advice, if there is any. */
static void add_advice(struct row_texts *t, struct jfr_pools *pools, const struct row *row)
{
	const struct advice *advice = row_advice(row);

	if (!advice)
		return;
	const struct sentence problem = { row, advice->rule->problem },
			      fix = { row, advice->rule->fix };
	t->problem = jfr_pools_written(pools, write_sentence, &problem);
	t->fix = jfr_pools_written(pools, write_sentence, &fix);
	t->rule = jfr_pools_text(pools, advice->rule->name);
}

static void add_row(struct event_work *w, struct jfr_events *e, const struct row *row,
		    uint32_t stack, const struct row_texts *texts)
{
	const struct total *total = w->report->total;
	const struct replica *x = &row->replica;
	struct jfr_chunk *c = w->chunk;
	bool deep;
	enum replica_verdict verdict = replica_shown(x, &deep);

	jfr_events_begin(c, e, stack);
	jfr_add_class(c, row_class(row));
	jfr_add_pooled(c, texts->line);
	if (e->first[1] == advice_fields) {
		jfr_add_pooled(c, texts->problem);
		jfr_add_pooled(c, texts->fix);
		jfr_add_pooled(c, texts->rule);
	}
	jfr_add_number(c, row->row.pid);
	jfr_add_number(c, (int64_t)row->ncontexts);
	jfr_add_float(c, total && total->bytes > 0 ? x->bytes / total->bytes : NAN);
	jfr_add_text(c, replica_verdict_name(verdict));
	jfr_add_bool(c, deep);
	jfr_events_figures(c, e, row, NULL, 0, (double)w->report->min_pairs);
	jfr_end(c);
}

static void add_sample(struct event_work *w, const struct row *row, uint32_t stack)
{
	double bytes = row->replica.bytes;

	if (!(bytes >= 1))
		return;
	jfr_events_begin(w->chunk, &w->samples, stack);
	jfr_add_class(w->chunk, row_class(row));
	jfr_add_number(w->chunk, llround(fmin(bytes, 0x1p62)));
	jfr_end(w->chunk);
}

static void add_accesses(struct event_work *w, const struct row *row, uint32_t alloc_stack)
{
	struct jfr_chunk *c = w->chunk;

	for (size_t i = 0; i < row_details(row)->naccesses; i++) {
		const struct replica_access *a = &row_details(row)->accesses[i];
		struct callstack stack;
		xcallstack_resolve(&stack, w->report->recording->model, a->jvm, a->stack);
		jfr_events_begin(c, &w->accesses,
				 jfr_pools_stack(&c->pools, &stack, 0, stack.n,
						 stack.flags & WIRE_STACK_CUT));
		jfr_add_class(c, row_class(row));
		jfr_add_constant(c, alloc_stack);
		jfr_add_number(c, row->row.pid);
		jfr_add_number(c, (int64_t)a->uses);
		jfr_add_number(c, (int64_t)a->pairs);
		jfr_add_number(c, (int64_t)a->equal);
		jfr_end(c);
		callstack_release(&stack);
	}
}

/* A row of the report, complete. */
static int put_row(void *arg, const struct row *row)
{
	struct event_work *w = arg;
	uint32_t stack = stack_of(w, row, w->report->grouping == ROWS_BY_LINE);
	const struct row_texts texts = {
		.line = jfr_pools_written(&w->chunk->pools, write_line, row),
	};

	add_row(w, &w->rows, row, stack, &texts);
	add_sample(w, row, stack);
	add_accesses(w, row, stack);
	return 0;
}

/* A line of code, complete. */
static int put_line(void *arg, const struct row *row)
{
	struct event_work *w = arg;
	uint32_t stack = stack_of(w, row, true);
	struct row_texts texts = {
		.line = jfr_pools_written(&w->chunk->pools, write_line, row),
	};

	add_advice(&texts, &w->chunk->pools, row);
	add_row(w, &w->lines, row, stack, &texts);
	return 0;
}

/* ---- what the report ranks ------------------------------------------------------------------- */

/* Adds a field for each of these texts, behind the figures. */
static void text_fields(struct jfr_field fields[FIX_TEXTS_MAX + 1])
{
	size_t n = 0;

	for (const struct fix_text *x = fix_texts; x->name && n < FIX_TEXTS_MAX; x++)
		fields[n++] = (struct jfr_field){ x->name, "", JFR_STRING, JFR_PLAIN, x->help };
	fields[n] = (struct jfr_field){ .words = NULL };
}

struct fix_words {
	const struct fix *fix;
	const struct fix_text *text;
};

static void write_fix_text(FILE *out, const void *words)
{
	const struct fix_words *w = words;

	w->text->put(out, w->fix);
}

/* Its stack is the line that avoids most. */
static void add_fix(struct jfr_chunk *c, struct jfr_events *e, const struct fix *f)
{
	struct model_frame at = fix_first(f)->line;
	const struct callstack line = { .frames = &at, .n = at.class_name ? 1 : 0 };

	jfr_events_begin(c, e, jfr_pools_stack(&c->pools, &line, 0, line.n, false));
	jfr_events_figures(c, e, f, NULL, 0, 0);
	for (const struct fix_text *x = fix_texts; x->name; x++) {
		const struct fix_words words = { f, x };
		jfr_add_pooled(c, jfr_pools_written(&c->pools, write_fix_text, &words));
	}
	jfr_end(c);
}

void jfr_add_fixes(struct jfr_chunk *c, const struct report *r)
{
	struct jfr_field texts[FIX_TEXTS_MAX + 1];
	struct jfr_events e = { .like = { .prefix = JFR_OWN,
					  .words = { "finding" },
					  .category = { JFR_OWN },
					  .help = "what a change at one method avoids",
					  .has_stack = true },
				.figures = fix_figures,
				.last = texts };

	text_fields(texts);
	for (size_t i = 0; r->fixes && i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			add_fix(c, &e, &r->fixes->fix[i]);
}

/* ---- all rows -------------------------------------------------------------------------------- */

static void each_row(struct event_work *w, const struct row *rows, size_t n, row_look_fn *put)
{
	progress_begin(w->report->progress, "writing", n);
	for (size_t i = 0; i < n; i++) {
		row_visit(&rows[i], put, w);
		progress_add(w->report->progress, 1);
	}
}

void jfr_add_rows(struct jfr_chunk *c, const struct report *r)
{
	struct event_work w = { .chunk = c, .report = r };

	describe(&w);
	each_row(&w, r->rows->table.rows, r->shown, put_row);
	if (r->lines)
		each_row(&w, r->lines->table.rows, r->lines_shown, put_line);
}

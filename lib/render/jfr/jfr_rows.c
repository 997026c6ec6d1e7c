/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_rows.c - see render_jfr.h: rows of the report and its lines of code, and the same allocations
 * as the JDK's recorder has them.
 */
#include <math.h>

#include "render/jfr/jfr_findings.h"
#include "render/jfr/render_jfr.h"
#include "report/advice.h"

/* ---- types ----------------------------------------------------------------------------------- */

/* A type of events that are rows. */
struct row_events {
	const char *words[JFR_WORDS];
	const char *help;
	unsigned figures; /* figure_flags, of which a figure has one */
	bool advice;
};

static const struct row_events of_rows = {
	.words = { "allocation" },
	.help = "objects of one class, allocated with one stack",
	.figures = FIGURE_PAGE,
};

static const struct row_events of_lines = {
	.words = { "allocation", "line" },
	.help = "objects of one class, allocated by one line of code",
	.figures = FIGURE_LINES,
	.advice = true,
};

static const struct row_events of_findings = {
	.words = { "replica", "finding" },
	.help = "a line of code whose objects have something to save or to fix",
	.figures = FIGURE_PAGE,
	.advice = true,
};

static bool is_field(const struct figure *f, const struct row_events *e)
{
	return figure_has_value(f) && (f->flags & e->figures);
}

static void add_fields(struct jfr_types *types, struct jfr_type *type,
		       const struct jfr_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		jfr_type_field(types, type, &fields[i]);
}

/* NULL if out of memory. */
static const struct jfr_type *add_type(struct jfr_chunk *c, const struct row_events *e)
{
	static const struct jfr_field first[] = {
		{ "class", "", JFR_CLASS, JFR_PLAIN, "class of the objects" },
		{ "line", "", JFR_STRING, JFR_PLAIN, "file and line that make them" },
	};
	static const struct jfr_field advice[] = {
		{ "problem", "", JFR_STRING, JFR_PLAIN, NULL },
		{ "fix", "", JFR_STRING, JFR_PLAIN, "what may be done about it" },
		{ "rule", "", JFR_STRING, JFR_PLAIN, "name of the advice" },
	};
	static const struct jfr_field facts[] = {
		{ "pid", "", JFR_INT, JFR_PLAIN, "the JVM's process id" },
		{ "contexts", "", JFR_INT, JFR_PLAIN, "different stacks" },
		{ "share", "", JFR_FLOAT, JFR_SHARE, "share of all bytes allocated" },
		{ "verdict", "", JFR_STRING, JFR_PLAIN, "whether the objects are replicas" },
		{ "deep", "", JFR_BOOLEAN, JFR_PLAIN,
		  "the verdict is of the objects with what they refer to" },
	};
	const struct jfr_type like = { .prefix = JFR_OWN,
				       .words = { e->words[0], e->words[1] },
				       .category = { JFR_OWN, "Replicas" },
				       .help = e->help,
				       .has_stack = true };
	struct jfr_type *type = jfr_types_add(&c->types, &like);

	add_fields(&c->types, type, first, sizeof first / sizeof first[0]);
	if (e->advice)
		add_fields(&c->types, type, advice, sizeof advice / sizeof advice[0]);
	add_fields(&c->types, type, facts, sizeof facts / sizeof facts[0]);
	for (const struct figure *f = row_figures; f->name; f++)
		if (is_field(f, e))
			jfr_figure_fields(&c->types, type, f);
	return type;
}

/* As the JDK's recorder has it, which readers know by its name and fields. */
static const struct jfr_type *add_sample_type(struct jfr_chunk *c)
{
	static const struct jfr_field fields[] = {
		{ "object_class", "", JFR_CLASS, JFR_PLAIN, "Class of allocated object" },
		{ "weight", "", JFR_LONG, JFR_BYTES,
		  "bytes allocated with this class and stack, as ojx estimates them" },
	};
	static const struct jfr_type like = {
		.prefix = "jdk",
		.words = { "object", "allocation", "sample" },
		.category = { "Java Application" },
		.help = "all allocations of one class with one stack, as one sample",
		.has_thread = true,
		.has_stack = true,
	};
	struct jfr_type *type = jfr_types_add(&c->types, &like);

	add_fields(&c->types, type, fields, sizeof fields / sizeof fields[0]);
	return type;
}

static const struct jfr_type *add_access_type(struct jfr_chunk *c)
{
	static const struct jfr_field fields[] = {
		{ "class", "", JFR_CLASS, JFR_PLAIN, "class of the objects" },
		{ "alloc_stack", "", JFR_STACK, JFR_PLAIN, "where they were allocated" },
		{ "pid", "", JFR_INT, JFR_PLAIN, "the JVM's process id" },
		{ "samples", "", JFR_LONG, JFR_PLAIN, "uses seen" },
		{ "pairs", "", JFR_LONG, JFR_PLAIN, "pairs of them that were compared" },
		{ "equal", "", JFR_LONG, JFR_PLAIN, "pairs with an equal value" },
	};
	static const struct jfr_type like = {
		.prefix = JFR_OWN,
		.words = { "allocation", "accesses" },
		.category = { JFR_OWN, "Replicas" },
		.help = "where the objects of an allocation were used",
		.has_stack = true,
	};
	struct jfr_type *type = jfr_types_add(&c->types, &like);

	add_fields(&c->types, type, fields, sizeof fields / sizeof fields[0]);
	return type;
}

/* ---- events ---------------------------------------------------------------------------------- */

struct event_work {
	struct jfr_chunk *chunk;
	const struct report *report;
	const struct jfr_type *rows, *samples, *accesses, *lines, *findings;
};

/* The stack that all objects of a row have in common; of a line it is the line, as in exports. */
static uint32_t stack_of(struct event_work *w, const struct row *row, bool by_line)
{
	struct jfr_pools *pools = &w->chunk->pools;
	bool cut = row->common == row->row.stack[0].n && (row->row.stack[0].flags & WIRE_STACK_CUT);

	if (by_line)
		return jfr_pools_stack(pools, &row->row.stack[0], row->line, row->line + 1, false);
	return jfr_pools_stack(pools, &row->row.stack[0], 0, row->common, cut);
}

/* Writes "Shop.java:12"; nothing if either is not known. */
static void write_line(FILE *out, const void *row)
{
	const struct model_frame *f = row_line(row);

	if (f && f->file && f->line > 0)
		fprintf(out, "%s:%d", f->file, f->line);
}

struct sentence {
	const struct advice_facts *facts;
	const char *words;
};

static void write_sentence(FILE *out, const void *sentence)
{
	static const struct style style = { .utf8 = true };
	const struct sentence *s = sentence;

	advice_put(out, &style, s->facts, s->words);
}

/* Numbers of texts about a row. */
struct row_texts {
	uint32_t line, problem, fix, rule;
};

/* The advice, if there is any. 0, or -1 if out of memory. */
static int find_advice(struct row_texts *t, struct jfr_pools *pools, const struct row *row)
{
	struct advice_facts facts;

	if (advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *rule = advice_find(&facts);
	if (rule) {
		const struct sentence problem = { &facts, rule->problem },
				      fix = { &facts, rule->fix };
		t->problem = jfr_pools_written(pools, write_sentence, &problem);
		t->fix = jfr_pools_written(pools, write_sentence, &fix);
		t->rule = jfr_pools_text(pools, rule->name);
	}
	advice_facts_release(&facts);
	return 0;
}

static void add_row(struct event_work *w, const struct jfr_type *type, const struct row_events *e,
		    const struct row *row, uint32_t stack, const struct row_texts *texts)
{
	const struct total *total = w->report->total;
	const struct replica *x = &row->replica;
	struct jfr_chunk *c = w->chunk;
	bool deep;
	enum replica_verdict verdict = replica_shown(x, &deep);

	jfr_begin(c, type, stack);
	jfr_add_class(c, row_class(row));
	jfr_add_pooled(c, texts->line);
	if (e->advice) {
		jfr_add_pooled(c, texts->problem);
		jfr_add_pooled(c, texts->fix);
		jfr_add_pooled(c, texts->rule);
	}
	jfr_add_number(c, row->row.pid);
	jfr_add_number(c, (int64_t)row->ncontexts);
	jfr_add_float(c, total && total->bytes > 0 ? x->bytes / total->bytes : NAN);
	jfr_add_text(c, replica_verdict_name(verdict));
	jfr_add_bool(c, deep);
	for (const struct figure *f = row_figures; f->name; f++)
		if (is_field(f, e))
			jfr_figure_values(c, f, row, 0, (double)w->report->min_pairs);
	jfr_end(c);
}

static void add_sample(struct event_work *w, const struct row *row, uint32_t stack)
{
	double bytes = row->replica.bytes;

	if (!(bytes >= 1))
		return;
	jfr_begin(w->chunk, w->samples, stack);
	jfr_add_class(w->chunk, row_class(row));
	jfr_add_number(w->chunk, llround(fmin(bytes, 0x1p62)));
	jfr_end(w->chunk);
}

static int add_accesses(struct event_work *w, const struct row *row, uint32_t alloc_stack)
{
	struct jfr_chunk *c = w->chunk;

	for (size_t i = 0; i < row->replica.naccesses; i++) {
		const struct replica_access *a = &row->replica.accesses[i];
		struct callstack stack;
		if (callstack_resolve(&stack, w->report->recording->model, a->jvm, a->stack) < 0)
			return -1;
		if (!w->accesses)
			w->accesses = add_access_type(c);
		jfr_begin(c, w->accesses,
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
	return 0;
}

/* A row of the report, complete. */
static int put_row(struct event_work *w, const struct row *row)
{
	uint32_t stack = stack_of(w, row, w->report->grouping == ROWS_BY_LINE);
	const struct row_texts texts = {
		.line = jfr_pools_written(&w->chunk->pools, write_line, row),
	};

	if (!w->rows) {
		w->rows = add_type(w->chunk, &of_rows);
		w->samples = add_sample_type(w->chunk);
	}
	add_row(w, w->rows, &of_rows, row, stack, &texts);
	add_sample(w, row, stack);
	return add_accesses(w, row, stack);
}

/* A line of code, complete. */
static int put_line(struct event_work *w, const struct row *row)
{
	uint32_t stack = stack_of(w, row, true);
	struct row_texts texts = {
		.line = jfr_pools_written(&w->chunk->pools, write_line, row),
	};
	int worth = row_worth(row);

	if (worth < 0 || find_advice(&texts, &w->chunk->pools, row) < 0)
		return -1;
	if (!w->lines)
		w->lines = add_type(w->chunk, &of_lines);
	add_row(w, w->lines, &of_lines, row, stack, &texts);
	if (worth != WORTH_SAVE && worth != WORTH_FIX)
		return 0;
	if (!w->findings)
		w->findings = add_type(w->chunk, &of_findings);
	add_row(w, w->findings, &of_findings, row, stack, &texts);
	return 0;
}

/* Stacks are resolved one by one: all of them would take more memory than everything else. */
static int each_row(struct event_work *w, const struct row *rows, size_t n,
		    int (*put)(struct event_work *w, const struct row *row))
{
	int result = 0;

	progress_begin(w->report->progress, "writing", n);
	for (size_t i = 0; i < n && result == 0; i++) {
		struct row row;
		if (row_with_stack(&row, &rows[i], w->report->recording->model) < 0)
			return -1;
		result = put(w, &row);
		row_forget_stack(&row, &rows[i]);
		progress_add(w->report->progress, 1);
	}
	return result;
}

int jfr_add_rows(struct jfr_chunk *c, const struct report *r)
{
	struct event_work w = { .chunk = c, .report = r };

	if (each_row(&w, r->rows->table.rows, r->shown, put_row) < 0)
		return -1;
	return r->lines ? each_row(&w, r->lines->table.rows, r->lines->table.n, put_line) : 0;
}

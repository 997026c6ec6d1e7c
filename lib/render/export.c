/* SPDX-License-Identifier: Apache-2.0 */
/* export.c - see export.h. */
#include "render/export.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "fix/fix.h"

static void make(struct frame_texts_jvm *to, const struct model *m, uint32_t jvm,
		 frame_text_fn *put)
{
	size_t n = model_nframes(m, jvm);
	struct memtext text;
	FILE *out = memtext_begin(&text);

	to->start = xcalloc(n + 1, sizeof *to->start);
	for (size_t i = 0; i < n; i++) {
		struct model_frame frame = model_frame(m, jvm, (uint32_t)i);
		put(out, &frame);
		long end = ftell(out);
		if (end < 0)
			out_of_memory();
		to->start[i + 1] = (size_t)end;
	}
	to->bytes = memtext_end(&text);
}

void frame_texts_make(struct frame_texts *t, const struct model *m, frame_text_fn *put)
{
	size_t n = model_njvms(m);

	*t = (struct frame_texts){ .jvm = xcalloc(n + 1, sizeof *t->jvm), .njvms = n };
	for (size_t i = 0; i < n; i++)
		make(&t->jvm[i], m, (uint32_t)i + 1, put);
}

void frame_texts_release(struct frame_texts *t)
{
	for (size_t i = 0; i < t->njvms; i++) {
		free(t->jvm[i].bytes);
		free(t->jvm[i].start);
	}
	free(t->jvm);
	*t = (struct frame_texts){ .njvms = 0 };
}

const char *frame_texts_at(const struct frame_texts *t, uint32_t jvm, uint32_t number, size_t *len)
{
	const struct frame_texts_jvm *of = &t->jvm[jvm - 1];

	*len = of->start[number + 1] - of->start[number];
	return of->bytes + of->start[number];
}

bool export_has_fix(const struct report *r, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];

	return fix_is_shown(r->fixes, i) &&
	       ((i < r->ranked && f->expected >= r->least_avoidable) || f->large);
}

/* At most two stacks, with the JVM, cuts, the class and notes around their frames. */
enum { MAX_FRAMES = 2 * WIRE_MAX_STACK + 8, FIRST_ROOM = 256 };

struct work {
	const struct report *report;
	unsigned sources; /* enum export_source */
	bool several;	  /* JVMs */
	export_fn *fn;
	void *arg;
	uint32_t jvm; /* of the sample that is made */
	struct export_frame frames[MAX_FRAMES];
	size_t n;
};

/* ---- stacks ------------------------------------------------------------------------------ */

static struct export_frame make_frame(const struct model_frame *f)
{
	if (f->folded > 0)
		return (struct export_frame){ .kind = EXPORT_FOLDED, .number = f->folded };
	return (struct export_frame){ EXPORT_METHOD, f->line > 0 ? f->line : 0, f->class_name,
				      f->method, f->file };
}

static void begin(struct work *w, const struct finding_row *row)
{
	w->n = 0;
	w->jvm = row->jvm;
	if (w->several)
		w->frames[w->n++] = (struct export_frame){ .kind = EXPORT_JVM, .number = row->pid };
}

/* The `n` innermost frames of a stack. */
static void add_stack(struct work *w, const struct callstack *stack, size_t n)
{
	if (stack->n == 0)
		w->frames[w->n++] = (struct export_frame){ .kind = EXPORT_UNKNOWN };
	else if (n == stack->n && (stack->flags & WIRE_STACK_CUT))
		w->frames[w->n++] = (struct export_frame){ .kind = stack->flags & WIRE_STACK_COUNTED
									   ? EXPORT_UNREAD
									   : EXPORT_CUT };
	while (n > 0)
		w->frames[w->n++] = make_frame(&stack->frames[--n]);
}

static void add_text(struct work *w, enum export_kind kind, const char *text)
{
	w->frames[w->n++] = (struct export_frame){ .kind = kind, .class_name = text };
}

static void send_sample(struct work *w, struct export_sample *sample)
{
	sample->jvm = w->jvm;
	sample->frames = w->frames;
	sample->n = w->n;
	w->fn(sample, w->arg);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void send_allocations(struct work *w, const struct row *row)
{
	struct export_sample sample = { .source = EXPORT_ALLOCATIONS, .row = row };

	begin(w, &row->row);
	/* the objects of a line have no common frames further inside than the line's own */
	if (w->report->grouping == ROWS_BY_LINE && row->line < row_stack(row)->n)
		w->frames[w->n++] = make_frame(&row_stack(row)->frames[row->line]);
	else
		add_stack(w, row_stack(row), row->common);
	add_text(w, EXPORT_CLASS, row_class(row));
	send_sample(w, &sample);
}

static void send_access(struct work *w, const struct row *row, const struct replica_access *access)
{
	struct export_sample sample = { .source = EXPORT_ACCESSES, .row = row, .access = access };
	struct callstack stack;

	xcallstack_resolve(&stack, w->report->recording->model, access->jvm, access->stack);
	begin(w, &row->row);
	add_stack(w, &stack, stack.n);
	add_text(w, EXPORT_CLASS, row_class(row));
	send_sample(w, &sample);
	callstack_release(&stack);
}

/* A look (row_visit). */
static int send_sources(void *arg, const struct row *row)
{
	struct work *w = arg;
	unsigned sources = w->sources;

	if (sources & EXPORT_ALLOCATIONS)
		send_allocations(w, row);
	for (size_t k = 0; (sources & EXPORT_ACCESSES) && k < row_details(row)->naccesses; k++)
		send_access(w, row, &row_details(row)->accesses[k]);
	return 0;
}

/* ---- findings ---------------------------------------------------------------------------- */

/*
 * Sends a row at one of its paths, or with NULL as a whole. `note` separates what was counted in
 * different ways and must not be added up.
 */
static void send_found(struct work *w, const struct finding *f, const struct finding_row *row,
		       const struct finding_path *path, const char *note)
{
	const struct finding_table_kind *t = f->kind->tables[0];
	struct export_sample sample = {
		.source = EXPORT_FINDINGS, .finding = f, .found = row, .path = path
	};
	const struct callstack *second = path		     ? &path->stack
					 : t->stack_title[1] ? &row->stack[1]
							     : NULL;

	begin(w, row);
	if (note)
		add_text(w, EXPORT_NOTE, note);
	add_stack(w, &row->stack[0], row->stack[0].n);
	if (t->of_objects)
		add_text(w, EXPORT_CLASS, row->class_name);
	if (second) {
		add_text(w, EXPORT_NOTE, t->between ? t->between : "[and at]");
		add_stack(w, second, second->n);
	}
	send_sample(w, &sample);
}

static void send_row_found(struct work *w, const struct finding *f, const struct finding_row *row,
			   const char *note)
{
	if (!f->kind->tables[0]->paths_title)
		send_found(w, f, row, NULL, note);
	for (size_t i = 0; f->kind->tables[0]->paths_title && i < row->npaths; i++)
		send_found(w, f, row, &row->paths[i], note);
}

static void send_finding(struct work *w, const struct findings *all, const struct finding *f)
{
	size_t ways = 0; /* findings of the same analysis that are not empty */

	for (size_t i = 0; i < all->n; i++)
		ways += all->item[i].analysis == f->analysis && all->item[i].ntables &&
			all->item[i].table[0].n > 0;
	for (size_t i = 0; f->ntables && i < f->table[0].n; i++)
		send_row_found(w, f, finding_row(&f->table[0], i), ways > 1 ? f->kind->note : NULL);
}

/* ---- fixes ------------------------------------------------------------------------------- */

/* The stack as the report groups rows. */
static void add_context(struct work *w, const struct fix_part *part, const struct model_context *c)
{
	static const size_t frames[] = { [ROWS_BY_CONTEXT] = SIZE_MAX, [ROWS_BY_SITE] = 1 };
	enum rows_grouping by = w->report->grouping;
	struct callstack stack;

	if (by == ROWS_BY_LINE && part->line.class_name) {
		w->frames[w->n++] = make_frame(&part->line);
		return;
	}
	xcallstack_resolve(&stack, w->report->recording->model, c->jvm, c->stack_id);
	size_t most = by == ROWS_BY_CONTEXT || by == ROWS_BY_SITE ? frames[by] : 0;
	add_stack(w, &stack, stack.n < most ? stack.n : most);
	callstack_release(&stack);
}

static void send_fix(struct work *w, const struct fix *f)
{
	struct export_sample sample = { .source = EXPORT_FIXES };

	for (size_t i = 0; i < f->nparts; i++) {
		const struct fix_part *part = &f->part[i];
		for (size_t k = 0; k < part->ncontexts; k++) {
			sample.avoided = fix_avoids_of(f, part, part->contexts[k]);
			if (!(sample.avoided > 0))
				continue;
			begin(w, &part->row->row);
			add_context(w, part, part->contexts[k]);
			add_text(w, EXPORT_CLASS, part->class_name);
			send_sample(w, &sample);
		}
	}
}

void export_samples(const struct report *r, unsigned sources, export_fn *fn, void *arg)
{
	struct work w = { .report = r,
			  .sources = sources,
			  .several = model_njvms(r->recording->model) > 1,
			  .fn = fn,
			  .arg = arg };

	for (size_t i = 0; i < r->shown && (sources & (EXPORT_ALLOCATIONS | EXPORT_ACCESSES)); i++)
		row_visit(rows_at(r->rows, i), send_sources, &w);
	for (size_t i = 0; (sources & EXPORT_FINDINGS) && r->findings && i < r->findings->n; i++)
		send_finding(&w, r->findings, &r->findings->item[i]);
	for (size_t i = 0; (sources & EXPORT_FIXES) && r->fixes && i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			send_fix(&w, &r->fixes->fix[i]);
}

/* ---- text -------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
	text = text ? text : "?";
	utf8_put(out, text, strlen(text), UTF8_TERMINAL);
}

void export_put_name(FILE *out, const struct export_frame *f)
{
	switch (f->kind) {
	case EXPORT_JVM:
		fprintf(out, "[JVM %d]", f->number);
		break;
	case EXPORT_CUT:
		fputs("[stack cut]", out);
		break;
	case EXPORT_UNREAD:
		fputs(callstack_unread.method, out);
		break;
	case EXPORT_UNKNOWN:
		fputs("[unknown]", out);
		break;
	case EXPORT_FOLDED:
		fprintf(out, "[recursion of %d frame%s]", f->number, f->number == 1 ? "" : "s");
		break;
	case EXPORT_METHOD:
		put_text(out, f->class_name);
		putc('.', out);
		put_text(out, f->method);
		break;
	case EXPORT_CLASS:
	case EXPORT_NOTE:
		put_text(out, f->class_name);
		break;
	}
}

/* Includes the NUL; an unknown text gives a value that no text gives. */
static void hash_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text ? text : "\xff", text ? strlen(text) + 1 : 1);
}

static uint32_t number_by_text(struct hash_numbers *t, const struct export_frame *f, bool *is_new)
{
	int numbers[2] = { (int)f->kind, f->number };
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, numbers, sizeof numbers);
	hash_text(&state, f->class_name);
	hash_text(&state, f->method);
	hash_text(&state, f->file);
	return xhash_numbers_of(t, XXH3_128bits_digest(&state), is_new);
}

_Static_assert(sizeof(struct export_frame) == 2 * sizeof(int) + 3 * sizeof(char *),
	       "it is hashed, so nothing may lie between its members");

uint32_t export_number(struct export_numbers *t, const struct export_frame *f, bool *is_new)
{
	bool is_first;
	uint32_t place = xhash_numbers_of(&t->by_address, XXH3_128bits(f, sizeof *f), &is_first);

	*is_new = false;
	XGROW(t->number, place, t->room, FIRST_ROOM);
	if (is_first)
		t->number[place] = number_by_text(&t->by_text, f, is_new);
	return t->number[place];
}

void export_numbers_release(struct export_numbers *t)
{
	hash_numbers_release(&t->by_text);
	hash_numbers_release(&t->by_address);
	free(t->number);
	*t = (struct export_numbers){ .room = 0 };
}

void export_put_command(FILE *out, const struct report *r)
{
	const struct shown_command *c = &r->recording->command;

	for (size_t i = 0; i < c->n; i++) {
		if (i > 0)
			putc(' ', out);
		put_text(out, c->word[i]);
	}
	if (c->left_out)
		fprintf(out, " (%zu %s left out)", c->left_out, shown_command_noun(c));
}

/* A recording is data from outside: its file names are not to lead anywhere. */
static bool is_name(const char *file)
{
	return file && *file && !strpbrk(file, "/\\") && strcmp(file, ".") != 0 &&
	       strcmp(file, "..") != 0;
}

/* Leaves out "./" at the beginning and "/" at the end: "./a//b/" becomes "a//b". */
static const char *strip(const char *folder, size_t *len)
{
	while (folder[0] == '.' && (folder[1] == '/' || !folder[1]))
		folder += 1 + strspn(folder + 1, "/");
	*len = strlen(folder);
	while (*len > 1 && folder[*len - 1] == '/')
		--*len;
	return folder;
}

/* Finds the file in a folder of the sources; NULL if none has it. */
static char *find(const struct sources *sources, const struct model_frame *frame)
{
	struct source_place where;
	size_t len;
	char *text = sources_read(sources, frame->class_name, frame->file, &len, &where);

	free(text);
	if (!text || where.packed)
		return NULL;
	const char *folder = strip(where.origin, &len);
	const char *slash = len && folder[len - 1] != '/' ? "/" : "";
	return xasprintf("%.*s%s%s", (int)len, folder, slash, where.name);
}

char *source_path_of(const struct sources *sources, const struct model_frame *frame)
{
	if (!frame || !frame->class_name || !is_name(frame->file))
		return NULL;
	char *path = sources ? find(sources, frame) : NULL;
	if (path)
		return path;
	size_t package = (size_t)(names_simple(frame->class_name) - frame->class_name);
	path = xasprintf("%.*s%s", (int)package, frame->class_name, frame->file);
	for (size_t i = 0; i < package; i++)
		if (path[i] == '.')
			path[i] = '/';
	return path;
}

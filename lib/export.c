/* SPDX-License-Identifier: Apache-2.0 */
/* export.c - see export.h. */
#include "export.h"

#include <stdbool.h>
#include <string.h>

#include "utf8.h"

/* Around the frames of a stack: JVM, cut, class. */
enum { MAX_FRAMES = WIRE_MAX_STACK + 3 };

struct work {
	const struct report *report;
	bool several; /* JVMs */
	export_fn *fn;
	void *arg;
	struct export_frame frames[MAX_FRAMES];
};

/* ---- stacks ------------------------------------------------------------------------------ */

static struct export_frame make_frame(const struct model_frame *f)
{
	if (f->folded > 0)
		return (struct export_frame){ .kind = EXPORT_FOLDED, .number = f->folded };
	return (struct export_frame){ EXPORT_METHOD, f->line > 0 ? f->line : 0, f->class_name,
				      f->method, f->file };
}

/* Hands out a sample whose stack are the `n` innermost frames. */
static int hand_out(struct work *w, const struct row *row, const struct replica_access *access,
		    const struct callstack *stack, size_t n)
{
	size_t k = 0;

	if (w->several)
		w->frames[k++] = (struct export_frame){ .kind = EXPORT_JVM, .number = row->pid };
	if (stack->n == 0)
		w->frames[k++] = (struct export_frame){ .kind = EXPORT_UNKNOWN };
	else if (n == stack->n && (stack->flags & WIRE_STACK_CUT))
		w->frames[k++] = (struct export_frame){ .kind = EXPORT_CUT };
	while (n > 0)
		w->frames[k++] = make_frame(&stack->frames[--n]);
	w->frames[k++] =
		(struct export_frame){ .kind = EXPORT_CLASS, .class_name = row_class(row) };

	struct export_sample sample = { row, access, w->frames, k };
	return w->fn(&sample, w->arg);
}

static int hand_out_access(struct work *w, const struct row *row,
			   const struct replica_access *access)
{
	struct callstack stack;

	if (callstack_resolve(&stack, w->report->recording->model, access->jvm, access->stack) < 0)
		return -1;
	int result = hand_out(w, row, access, &stack, stack.n);
	callstack_release(&stack);
	return result;
}

/* ---- samples ----------------------------------------------------------------------------- */

static int export(const struct report *r, bool allocations, bool accesses, export_fn *fn, void *arg)
{
	struct work w = {
		.report = r, .several = model_njvms(r->recording->model) > 1, .fn = fn, .arg = arg
	};

	for (size_t i = 0; i < r->shown; i++) {
		const struct row *row = &r->rows->row[i];
		if (allocations && hand_out(&w, row, NULL, &row->stack, row->common) < 0)
			return -1;
		for (size_t k = 0; accesses && k < row->replica.naccesses; k++)
			if (hand_out_access(&w, row, &row->replica.accesses[k]) < 0)
				return -1;
	}
	return 0;
}

int export_allocations(const struct report *r, export_fn *fn, void *arg)
{
	return export(r, true, false, fn, arg);
}

int export_accesses(const struct report *r, export_fn *fn, void *arg)
{
	return export(r, false, true, fn, arg);
}

int export_samples(const struct report *r, export_fn *fn, void *arg)
{
	return export(r, true, true, fn, arg);
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
		put_text(out, f->class_name);
		break;
	}
}

/* The NUL goes in as well, and of an unknown text something that none is. */
static void add_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text ? text : "\xff", text ? strlen(text) + 1 : 1);
}

int export_number(struct numbering *t, const struct export_frame *f, uint32_t *number, bool *is_new)
{
	int numbers[2] = { (int)f->kind, f->number };
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, numbers, sizeof numbers);
	add_text(&state, f->class_name);
	add_text(&state, f->method);
	add_text(&state, f->file);
	return numbering_of(t, XXH3_128bits_digest(&state), number, is_new);
}

void export_put_command(FILE *out, const struct report *r)
{
	const struct model *m = r->recording->model;

	for (size_t i = 0; i < model_argc(m); i++) {
		if (i > 0)
			putc(' ', out);
		put_text(out, model_argv(m, i));
	}
}

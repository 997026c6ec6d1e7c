/* SPDX-License-Identifier: Apache-2.0 */
/* filter.c - see filter.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "report/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "model/analysis.h"

/* ---- patterns ---------------------------------------------------------------------------- */

bool filter_matches(const char *glob, const char *text)
{
	return strcmp(glob, text) == 0 || fnmatch(glob, text, 0) == 0;
}

/* "left.right" or "left:12". */
static bool pair_matches(const char *glob, const char *left, const char *right)
{
	char *name = NULL;

	if (asprintf(&name, "%s.%s", left, right) < 0)
		return false;
	bool matches = filter_matches(glob, name);
	free(name);
	return matches;
}

static bool line_matches(const char *glob, const char *left, const char *right, int line)
{
	char *name = NULL;

	if (asprintf(&name, "%s%s%s:%d", left, *right ? "." : "", right, line) < 0)
		return false;
	bool matches = filter_matches(glob, name);
	free(name);
	return matches;
}

static bool method_matches(const char *glob, const struct model_frame *f)
{
	return f->folded <= 0 && f->class_name && f->method &&
	       pair_matches(glob, f->class_name, f->method);
}

bool filter_names_frame(const char *glob, const struct model_frame *f)
{
	if (f->folded > 0 || !f->class_name)
		return false;
	const char *simple = names_simple(f->class_name);
	if (f->method && (method_matches(glob, f) || pair_matches(glob, simple, f->method) ||
			  (f->line > 0 && (line_matches(glob, f->class_name, f->method, f->line) ||
					   line_matches(glob, simple, f->method, f->line)))))
		return true;
	return f->file && (filter_matches(glob, f->file) ||
			   (f->line > 0 && line_matches(glob, f->file, "", f->line)));
}

/* ---- contexts ---------------------------------------------------------------------------- */

bool filter_in_method(const char *glob, const struct callstack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (method_matches(glob, &stack->frames[i]))
			return true;
	return false;
}

bool filter_at_site(const char *glob, const struct callstack *stack)
{
	size_t own = callstack_application(stack);

	if (stack->n > 0 && filter_names_frame(glob, &stack->frames[0]))
		return true;
	return own < stack->n && filter_names_frame(glob, &stack->frames[own]);
}

bool filter_in_place(const char *glob, const struct callstack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (filter_names_frame(glob, &stack->frames[i]))
			return true;
	return false;
}

static bool stack_names(struct filter_run *run, uint32_t jvm, uint32_t id)
{
	struct callstack stack;

	if (callstack_resolve(&stack, run->model, jvm, id) < 0) {
		run->failed = true;
		return false;
	}
	bool matches = filter_in_place(run->filter->access_glob, &stack);
	callstack_release(&stack);
	return matches;
}

static uint64_t key_of(uint32_t jvm, uint32_t id)
{
	return (uint64_t)jvm << 32 | id;
}

static bool takes_access(struct filter_run *run, uint32_t jvm, uint32_t id)
{
	static char yes, no;
	uint64_t key = key_of(jvm, id);
	const char *known = idmap_get(&run->accesses, key);

	if (known)
		return known == &yes;
	bool matches = stack_names(run, jvm, id);
	if (idmap_put(&run->accesses, key, matches ? &yes : &no) < 0)
		run->failed = true;
	return matches;
}

static bool takes_accesses(struct filter_run *run, const struct model_context *c)
{
	for (size_t i = 0; i < c->nuses; i++)
		if (takes_access(run, c->jvm, c->uses[i]->access))
			return true;
	return idmap_get(&run->accessed, key_of(c->jvm, c->id)) != NULL;
}

bool filter_takes(struct filter_run *run, const struct model_context *c,
		  const struct callstack *stack)
{
	const struct filter *f = run->filter;

	if (f->class_glob &&
	    !(c->class && c->class->name && filter_matches(f->class_glob, c->class->name)))
		return false;
	if (f->method_glob && !filter_in_method(f->method_glob, stack))
		return false;
	if (f->site_glob && !filter_at_site(f->site_glob, stack))
		return false;
	return !f->access_glob || takes_accesses(run, c);
}

bool filter_is_empty(const struct filter *f)
{
	return !f->class_glob && !f->method_glob && !f->site_glob && !f->access_glob;
}

/* Remembers a context whose objects were accessed at a wanted place. */
static int note_access(const struct analysis_access *a, void *arg)
{
	struct filter_run *run = arg;

	if (!a->context || !takes_access(run, a->jvm, a->stack))
		return 0;
	uint64_t key = key_of(a->context->jvm, a->context->id);
	if (!idmap_get(&run->accessed, key) &&
	    idmap_put(&run->accessed, key, (void *)(uintptr_t)1) < 0)
		run->failed = true;
	return run->failed ? -1 : 0;
}

void filter_begin(struct filter_run *run, const struct filter *filter, const struct model *m)
{
	*run = (struct filter_run){ .filter = filter, .model = m };
	if (!filter->access_glob)
		return;
	model_each_access(m, note_access, run);
}

void filter_end(struct filter_run *run)
{
	idmap_release(&run->accesses);
	idmap_release(&run->accessed);
}

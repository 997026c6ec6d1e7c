/* SPDX-License-Identifier: Apache-2.0 */
/* filter.c - see filter.h. */
#include "report/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/xmalloc.h"
#include "model/analysis.h"
#include "model/labels.h"
#include "wire/wire_file.h"

/* ---- labels ------------------------------------------------------------------------------ */

/* "NAME=GLOB"; a label that is not there is empty. */
static bool label_matches(const char *label, const struct model *m, uint32_t jvm)
{
	char name[FILE_LABEL_NAME + 1];
	size_t len = strcspn(label, "=");

	if (len > FILE_LABEL_NAME || !label[len])
		return false;
	memcpy(name, label, len);
	name[len] = '\0';
	return filter_matches(label + len + 1, label_value(m, jvm, name));
}

bool filter_takes_jvm(const struct filter *f, const struct model *m, uint32_t jvm)
{
	for (size_t i = 0; i < f->nlabels; i++)
		if (!label_matches(f->labels[i], m, jvm))
			return false;
	return true;
}

/* ---- whether a row is selected ----------------------------------------------------------- */

static bool selects_accesses(const struct finding_row *row, const struct filter *f)
{
	if (f->method_glob && !filter_in_method(f->method_glob, &row->stack[0]) &&
	    !filter_in_method(f->method_glob, &row->stack[1]))
		return false;
	if (f->line_glob && !filter_on_line(f->line_glob, &row->stack[0]) &&
	    !filter_on_line(f->line_glob, &row->stack[1]))
		return false;
	return !f->access_glob || filter_in_place(f->access_glob, &row->stack[0]) ||
	       filter_in_place(f->access_glob, &row->stack[1]);
}

static bool accessed_at(const struct finding_row *row, const char *glob)
{
	for (size_t i = 0; i < row->npaths; i++)
		if (filter_in_place(glob, &row->paths[i].stack))
			return true;
	return false;
}

/* Whether objects are selected by their class and by where they were allocated. */
static bool selects_allocation(const struct filter *f, const char *class_name,
			       const struct callstack *stack)
{
	if (f->class_glob && !(class_name && filter_matches(f->class_glob, class_name)))
		return false;
	if (f->method_glob && !filter_in_method(f->method_glob, stack))
		return false;
	if (f->line_glob && !filter_on_line(f->line_glob, stack))
		return false;
	return !f->site_glob || filter_at_site(f->site_glob, stack);
}

static bool selects_objects(const struct finding_row *row, const struct filter *f)
{
	return selects_allocation(f, row->class_name, &row->stack[0]) &&
	       (!f->access_glob || accessed_at(row, f->access_glob));
}

/* ---- tables ------------------------------------------------------------------------------ */

enum fate { SHOWN, CHOSEN, LEFT_OUT, FATES };

static enum fate fate_of(struct finding_table *t, const struct finding_row *row,
			 const struct findings_filter *how, size_t shown)
{
	bool selected = t->kind->of_objects ? selects_objects(row, how->filter)
					    : selects_accesses(row, how->filter);

	if (how->model && !filter_takes_jvm(how->filter, how->model, row->jvm))
		selected = false;
	if (!selected || (row->minor && !how->minor)) {
		(*(selected ? &t->left.minor : &t->left.unselected))++;
		return LEFT_OUT;
	}
	if (row->share < how->least || shown >= how->limit) {
		(*(row->share < how->least ? &t->left.below : &t->left.beyond))++;
		return CHOSEN;
	}
	return SHOWN;
}

static void narrow(struct finding_table *t, const struct findings_filter *how)
{
	size_t at[FATES] = { 0 }, n[FATES] = { 0 };
	char *sorted = xmallocarray(t->all, t->size);
	unsigned char *fate = xmalloc(t->all);

	for (size_t i = 0; i < t->all; i++) {
		fate[i] = (unsigned char)fate_of(t, finding_row(t, i), how, n[SHOWN]);
		n[fate[i]]++;
	}
	at[CHOSEN] = n[SHOWN];
	at[LEFT_OUT] = n[SHOWN] + n[CHOSEN];
	for (size_t i = 0; i < t->all; i++)
		memcpy(sorted + at[fate[i]]++ * t->size, finding_row(t, i), t->size);
	if (t->all > 0)
		memcpy(t->rows, sorted, t->all * t->size);
	free(fate);
	free(sorted);
	t->n = n[SHOWN];
	t->chosen = n[SHOWN] + n[CHOSEN];
}

void findings_narrow(struct findings *f, const struct findings_filter *how)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->item[i].ntables; k++)
			narrow(&f->item[i].table[k], how);
}

const char *findings_filter_ignores(const struct filter *filter, const struct findings *f)
{
	for (size_t i = 0; (filter->class_glob || filter->site_glob) && i < f->n; i++)
		if (f->item[i].count && !f->item[i].kind->tables[0]->of_objects)
			return f->item[i].analysis->about;
	return NULL;
}

/* ---- patterns ---------------------------------------------------------------------------- */

bool filter_matches(const char *glob, const char *text)
{
	return strcmp(glob, text) == 0 || fnmatch(glob, text, 0) == 0;
}

/* "left.right" or "left:12". */
static bool pair_matches(const char *glob, const char *left, const char *right)
{
	char *name = xasprintf("%s.%s", left, right);
	bool matches = filter_matches(glob, name);
	free(name);
	return matches;
}

static bool line_matches(const char *glob, const char *left, const char *right, int line)
{
	char *name = xasprintf("%s%s%s:%d", left, *right ? "." : "", right, line);
	bool matches = filter_matches(glob, name);
	free(name);
	return matches;
}

static bool method_matches(const char *glob, const struct model_frame *f)
{
	return f->folded <= 0 && f->class_name && f->method &&
	       pair_matches(glob, f->class_name, f->method);
}

/* "Shop.java", "Shop.java:12", and both behind the package. */
static bool file_matches(const char *glob, const struct model_frame *f)
{
	size_t package = (size_t)(names_simple(f->class_name) - f->class_name);

	if (strncmp(glob, f->class_name, package) == 0)
		glob += package;
	return filter_matches(glob, f->file) ||
	       (f->line > 0 && line_matches(glob, f->file, "", f->line));
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
	return f->file && file_matches(glob, f);
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
	size_t own = callstack_line(stack);

	if (stack->n > 0 && filter_names_frame(glob, &stack->frames[0]))
		return true;
	return own < stack->n && filter_names_frame(glob, &stack->frames[own]);
}

bool filter_on_line(const char *glob, const struct callstack *stack)
{
	size_t own = callstack_line(stack);

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

	xcallstack_resolve(&stack, run->model, jvm, id);
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
	xidmap_put(&run->accesses, key, matches ? &yes : &no);
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

	return filter_takes_jvm(f, run->model, c->jvm) &&
	       selects_allocation(f, c->class ? c->class->name : NULL, stack) &&
	       (!f->access_glob || takes_accesses(run, c));
}

bool filter_is_empty(const struct filter *f)
{
	return !f->class_glob && !f->method_glob && !f->site_glob && !f->access_glob &&
	       !f->line_glob && f->nlabels == 0;
}

/* Remembers a context whose objects were accessed at a wanted place. */
static int note_access(const struct analysis_access *a, void *arg)
{
	struct filter_run *run = arg;

	if (!a->context || !takes_access(run, a->jvm, a->stack))
		return 0;
	uint64_t key = key_of(a->context->jvm, a->context->id);
	if (!idmap_get(&run->accessed, key))
		xidmap_put(&run->accessed, key, (void *)(uintptr_t)1);
	return 0;
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

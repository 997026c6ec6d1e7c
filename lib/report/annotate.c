/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.c - see annotate.h. Hits are sorted by file and line. Neighbours of one line, and of one
 * class at a line, are added up.
 */
#include "report/annotate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/observations.h"
#include "base/names.h"
#include "base/order.h"
#include "report/annotate_hits.h"

/* Whether an analysis has rows of accesses; only these are at lines of source. */
static bool is_at_lines(const struct analysis *a)
{
	return a->kinds[0] && !a->kinds[0]->tables[0]->of_objects;
}

void annotate_list_keys(const char *keys[ANNOTATE_KEYS], const struct analysis *const *analyses)
{
	static const char *const fixed[ANNOTATE_FOUND] = { "saved", "bytes", "objects",
							   "theta", "uses",  "accesses" };
	size_t n = ANNOTATE_FOUND;

	memcpy(keys, fixed, sizeof fixed);
	for (int i = 0; analyses[i]; i++)
		if (is_at_lines(analyses[i]))
			keys[n++] = analyses[i]->key;
	keys[n] = NULL;
}

/* ---- order ------------------------------------------------------------------------------- */

static const char *class_of(const struct hit *h)
{
	const struct model_class *c = h->context ? h->context->class : NULL;

	return c && c->name ? c->name : "?";
}

/* Objects of one class and JVM, made in one of the two ways. */
static int compare_groups(const struct hit *x, const struct hit *y)
{
	int order = strcmp(class_of(x), class_of(y));

	if (!order)
		order = (int)x->called - (int)y->called;
	if (!order && x->context && y->context)
		order = ORDER(x->context->jvm, y->context->jvm);
	return order;
}

static int compare_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	int order = ORDER(x->file, y->file) ?: ORDER(x->line, y->line) ?: ORDER(x->kind, y->kind);
	if (order)
		return order;
	if (x->kind == HIT_FOUND)
		return order_down(x->found.row->share, y->found.row->share);
	order = compare_groups(x, y);
	if (!order && x->context && y->context)
		order = ORDER(x->context->id, y->context->id);
	return order;
}

static int compare_classes(const void *a, const void *b)
{
	const struct annotate_class *x = a, *y = b;

	return order_down(x->saved, y->saved) ?: order_down(x->bytes, y->bytes);
}

double annotate_share(const struct annotate_line *line, const struct analysis *a)
{
	for (size_t i = 0; i < line->nfound; i++)
		if (!a || line->found[i].finding->analysis == a)
			return line->found[i].row->share;
	return 0;
}

/* ---- lines ------------------------------------------------------------------------------- */

struct builder {
	const struct hits *hits;
	const struct replica_options *options;
	struct annotate *to;
	struct progress *progress;
};

/* Adds what is known; NAN plus NAN is NAN. */
static void add_known(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

/* Adds up `n` hits of one class to the line. */
static int add_class(const struct builder *b, struct annotate_line *line, const struct hit *hit,
		     size_t n)
{
	struct annotate_class *to = &line->classes[line->nclasses++];
	struct model_context **contexts = calloc(n, sizeof(struct model_context *));
	struct replica r;
	bool deep;

	if (!contexts)
		return -1;
	for (size_t i = 0; i < n; i++)
		contexts[i] = hit[i].context;
	int result = replica_compute(&r, contexts, n, b->options);
	free(contexts);
	if (result < 0)
		return -1;
	const struct model_jvm *jvm = model_jvm(b->hits->model, hit->context->jvm);
	*to = (struct annotate_class){
		.name = class_of(hit),
		.pid = jvm ? jvm->info.pid : 0,
		.called = hit->called,
		.objects = r.objects,
		.bytes = r.bytes,
		.saved = replica_saved(&r),
		.pairs = r.pairs,
		.theta = r.theta,
		.theta_ci = r.theta_ci,
		.verdict = replica_shown(&r, &deep),
	};
	to->deep = deep;
	replica_release(&r);
	line->objects += to->objects;
	line->bytes += to->bytes;
	add_known(&line->saved, to->saved);
	return 0;
}

static int add_classes(const struct builder *b, struct annotate_line *line, const struct hit *hit,
		       size_t n)
{
	line->classes = calloc(n ? n : 1, sizeof *line->classes);
	if (!line->classes)
		return -1;
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && compare_groups(&hit[first], &hit[next]) == 0)
			next++;
		if (add_class(b, line, hit + first, next - first) < 0)
			return -1;
	}
	qsort(line->classes, line->nclasses, sizeof *line->classes, compare_classes);
	return 0;
}

static int add_found(struct annotate_line *line, const struct hit *hit, size_t n)
{
	line->found = calloc(n ? n : 1, sizeof *line->found);
	if (!line->found)
		return -1;
	for (size_t i = 0; i < n; i++)
		line->found[line->nfound++] = hit[i].found;
	return 0;
}

/* All hits of one line, by kind. */
static int add_line(const struct builder *b, struct annotate_file *file, const struct hit *hit,
		    size_t n)
{
	struct annotate_line *line = &file->lines[file->nlines++];
	size_t objects = 0, others = 0;

	*line = (struct annotate_line){ .number = hit->line,
					.class_name = hit->class_name,
					.method = hit->method,
					.saved = NAN };
	while (objects < n && hit[objects].kind == HIT_OBJECTS)
		objects++;
	for (others = objects; others < n && hit[others].kind == HIT_USES; others++) {
		line->uses += hit[others].uses;
		line->accesses += hit[others].accesses;
	}
	if (add_classes(b, line, hit, objects) < 0 || add_found(line, hit + others, n - others) < 0)
		return -1;
	file->objects += line->objects;
	file->bytes += line->bytes;
	add_known(&file->saved, line->saved);
	file->uses += line->uses;
	file->accesses += line->accesses;
	return 0;
}

static int add_file(const struct builder *b, const struct hit *hit, size_t n)
{
	const struct hit_file *known = &b->hits->files[hit->file];
	struct annotate_file *file = &b->to->files[b->to->nfiles++];

	*file = (struct annotate_file){ .class_name = known->class_name,
					.name = known->name,
					.in_jdk = names_in_jdk(known->class_name),
					.saved = NAN };
	file->lines = calloc(n, sizeof *file->lines);
	if (!file->lines)
		return -1;
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && hit[next].line == hit[first].line)
			next++;
		if (add_line(b, file, hit + first, next - first) < 0)
			return -1;
	}
	return 0;
}

static int compare_files(const void *a, const void *b)
{
	const struct annotate_file *x = a, *y = b;
	int order = order_down(x->saved, y->saved) ?: order_down(x->bytes, y->bytes);

	if (!order)
		order = ORDER(y->uses, x->uses) ?: strcmp(x->name, y->name);
	return order ?: strcmp(x->class_name, y->class_name);
}

/* If nothing but the JDK was seen (as for javac), the JDK outside its core is the program. */
static void own_jdk(struct annotate *a)
{
	for (size_t i = 0; i < a->nfiles; i++)
		if (!a->files[i].in_jdk)
			return;
	for (size_t i = 0; i < a->nfiles; i++)
		a->files[i].in_jdk = names_in_core(a->files[i].class_name);
}

static int build(const struct builder *b)
{
	const struct hits *h = b->hits;

	b->to->files = calloc(h->nfiles ? h->nfiles : 1, sizeof *b->to->files);
	if (!b->to->files)
		return -1;
	progress_begin(b->progress, "analysing", h->n);
	for (size_t first = 0, next; first < h->n; first = next) {
		next = first + 1;
		while (next < h->n && h->hit[next].file == h->hit[first].file)
			next++;
		if (add_file(b, h->hit + first, next - first) < 0)
			return -1;
		progress_add(b->progress, next - first);
	}
	own_jdk(b->to);
	qsort(b->to->files, b->to->nfiles, sizeof *b->to->files, compare_files);
	return 0;
}

static void list_analyses(struct annotate *a, const struct model *m,
			  const struct findings *findings)
{
	const struct analysis *const *analyses = model_analyses(m);

	for (int i = 0; analyses[i]; i++) {
		if (!is_at_lines(analyses[i]))
			continue;
		for (size_t k = 0; k < findings->n; k++) {
			const struct finding *f = &findings->item[k];
			if (f->analysis == analyses[i] && f->ntables && f->table[0].n &&
			    finding_is_enough(f))
				a->has[a->nanalyses] = true;
		}
		a->analysis[a->nanalyses++] = analyses[i];
	}
}

int annotate_make(struct annotate *a, const struct model *m, const struct findings *findings,
		  const struct filter *filter, const struct replica_options *options,
		  struct progress *progress)
{
	struct hits hits;
	struct replica_options seen = *options;
	const struct builder b = { &hits, &seen, a, progress };

	seen.interval = observations_interval(m);
	memset(a, 0, sizeof *a);
	int result = hits_collect(&hits, m, findings, filter);
	if (result == 0) {
		if (hits.n > 0)
			qsort(hits.hit, hits.n, sizeof *hits.hit, compare_hits);
		result = build(&b);
	}
	a->objects = hits.objects;
	a->bytes = hits.bytes;
	a->placed = hits.placed;
	a->uses = hits.uses;
	a->accesses = hits.accesses;
	list_analyses(a, m, findings);
	hits_release(&hits);
	if (result < 0)
		annotate_release(a);
	return result;
}

void annotate_release(struct annotate *a)
{
	for (size_t f = 0; f < a->nfiles; f++) {
		for (size_t l = 0; l < a->files[f].nlines; l++) {
			free(a->files[f].lines[l].classes);
			free(a->files[f].lines[l].found);
		}
		free(a->files[f].lines);
	}
	free(a->files);
	memset(a, 0, sizeof *a);
}

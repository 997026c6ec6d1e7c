/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.c - see annotate.h. Hits are sorted by file and line. Neighbours of one line, and of one
 * class at a line, are added up.
 */
#define _GNU_SOURCE 1 /* qsort_r */

#include "source/annotate.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/observations.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "source/annotate_hits.h"

/* ---- the hottest lines of an annotation, and the files that a user names; see annotate.h. */

const struct annotate_class *annotate_theta(const struct annotate_line *line, uint64_t min_pairs)
{
	const struct annotate_class *largest = NULL;

	for (size_t i = 0; i < line->nclasses; i++)
		if (!largest || line->classes[i].bytes > largest->bytes)
			largest = &line->classes[i];
	if (!largest || isnan(largest->theta) || largest->pairs < min_pairs)
		return NULL;
	return largest;
}

/* ---- the hottest ------------------------------------------------------------------------- */

static double value_of(const struct annotate *a, const struct annotate_line *line,
		       enum annotate_key key)
{
	const struct annotate_class *c;

	switch (key) {
	case ANNOTATE_SAVED:
		return isnan(line->saved) ? -1 : line->saved;
	case ANNOTATE_BYTES:
		return line->bytes;
	case ANNOTATE_OBJECTS:
		return line->objects;
	case ANNOTATE_USES:
		return (double)line->uses;
	case ANNOTATE_ACCESSES:
		return (double)line->accesses;
	case ANNOTATE_THETA:
		/* the lower end: one lucky pair must not lead */
		c = annotate_theta(line, REPLICA_MIN_PAIRS);
		return c ? c->theta_ci.low : -1;
	default:
		return annotate_share(line, a->analysis[key - ANNOTATE_FOUND]);
	}
}

static int down(double a, double b)
{
	return a > b ? -1 : a < b;
}

struct sorting {
	const struct annotate *of;
	enum annotate_key key;
};

static int compare_spots(const void *a, const void *b, void *arg)
{
	const struct annotate_spot *x = a, *y = b;
	const struct sorting *s = arg;
	int order = down(value_of(s->of, x->line, s->key), value_of(s->of, y->line, s->key));

	if (!order)
		order = down(x->line->bytes, y->line->bytes);
	if (!order)
		order = down((double)x->line->uses, (double)y->line->uses);
	if (!order)
		order = down((double)x->line->accesses, (double)y->line->accesses);
	if (!order)
		order = down(annotate_share(x->line, NULL), annotate_share(y->line, NULL));
	if (!order)
		order = strcmp(x->file->name, y->file->name);
	return order ? order : x->line->number - y->line->number;
}

struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n)
{
	size_t room = 1;

	*n = 0;
	for (size_t f = 0; f < a->nfiles; f++)
		room += a->files[f].nlines;
	struct annotate_spot *spots = xcalloc(room, sizeof *spots);
	for (size_t f = 0; f < a->nfiles; f++)
		for (size_t l = 0; l < a->files[f].nlines && (jdk || !a->files[f].platform); l++)
			spots[(*n)++] =
				(struct annotate_spot){ &a->files[f], &a->files[f].lines[l] };
	struct sorting sorting = { a, key };
	qsort_r(spots, *n, sizeof *spots, compare_spots, &sorting);
	return spots;
}

/* ---- names ------------------------------------------------------------------------------- */

static bool is(const char *word, const char *name)
{
	return strcmp(word, name) == 0 || fnmatch(word, name, 0) == 0;
}

/* "com.acme.Shop$Item" is in the file of "com.acme.Shop". */
static bool is_class(const char *word, const char *class_name)
{
	char outer[512];
	size_t len = strcspn(class_name, "$");

	if (is(word, class_name) || is(word, names_simple(class_name)))
		return true;
	if (!class_name[len] || len >= sizeof outer)
		return false;
	memcpy(outer, class_name, len);
	outer[len] = '\0';
	return is(word, outer) || is(word, names_simple(outer));
}

static bool is_file(const char *word, const struct annotate_file *f)
{
	char path[1024];
	size_t package = (size_t)(names_simple(f->class_name) - f->class_name);
	size_t len = strlen(f->name);

	if (is(word, f->name))
		return true;
	if (package + len >= sizeof path)
		return false;
	for (size_t i = 0; i < package; i++)
		path[i] = f->class_name[i] == '.' ? '/' : f->class_name[i];
	memcpy(path + package, f->name, len + 1);
	return is(word, path);
}

static bool names(const struct annotate_file *f, const char *word)
{
	if (is_file(word, f) || is_class(word, f->class_name))
		return true;
	for (size_t i = 0; i < f->nlines; i++)
		if (is_class(word, f->lines[i].class_name))
			return true;
	return false;
}

bool annotate_names(const struct annotate_file *f, const char *word, int *line)
{
	const char *colon = strrchr(word, ':');
	char *end;

	*line = 0;
	if (!colon)
		return names(f, word);
	long number = strtol(colon + 1, &end, 10);
	if (end == colon + 1 || *end || number < 1 || number > UINT16_MAX)
		return names(f, word);
	char *name = strndup(word, (size_t)(colon - word));
	bool named = name && names(f, name);
	free(name);
	if (named)
		*line = (int)number;
	return named;
}

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
static void add_class(const struct builder *b, struct annotate_line *line, const struct hit *hit,
		      size_t n)
{
	struct annotate_class *to = &line->classes[line->nclasses++];
	struct model_context **contexts = xmallocarray(n, sizeof(struct model_context *));
	struct replica r;
	bool deep;

	for (size_t i = 0; i < n; i++)
		contexts[i] = hit[i].context;
	replica_compute(&r, contexts, n, b->options);
	free(contexts);
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
}

static void add_classes(const struct builder *b, struct annotate_line *line, const struct hit *hit,
			size_t n)
{
	line->classes = xcalloc(n, sizeof *line->classes);
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && compare_groups(&hit[first], &hit[next]) == 0)
			next++;
		add_class(b, line, hit + first, next - first);
	}
	qsort(line->classes, line->nclasses, sizeof *line->classes, compare_classes);
}

/* The contexts whose callers are those of the line. */
static void add_contexts(struct annotate_line *line, const struct hit *hit, size_t n)
{
	line->contexts = xcalloc(n, sizeof(struct model_context *));
	for (size_t i = 0; i < n; i++)
		if (hit[i].is_line)
			line->contexts[line->ncontexts++] = hit[i].context;
}

static void add_found(struct annotate_line *line, const struct hit *hit, size_t n)
{
	line->found = xcalloc(n, sizeof *line->found);
	for (size_t i = 0; i < n; i++)
		line->found[line->nfound++] = hit[i].found;
}

/* All hits of one line, by kind. */
static void add_line(const struct builder *b, struct annotate_file *file, const struct hit *hit,
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
	add_contexts(line, hit, objects);
	add_classes(b, line, hit, objects);
	add_found(line, hit + others, n - others);
	file->objects += line->objects;
	file->bytes += line->bytes;
	add_known(&file->saved, line->saved);
	file->uses += line->uses;
	file->accesses += line->accesses;
}

static void add_file(const struct builder *b, const struct hit *hit, size_t n)
{
	const struct hit_file *known = &b->hits->files[hit->file];
	struct annotate_file *file = &b->to->files[b->to->nfiles++];

	*file = (struct annotate_file){
		.class_name = known->class_name, .name = known->name, .platform = true, .saved = NAN
	};
	file->lines = xcalloc(n, sizeof *file->lines);
	for (size_t i = 0; i < n; i++)
		file->platform &= hit[i].platform;
	for (size_t first = 0, next; first < n; first = next) {
		next = first + 1;
		while (next < n && hit[next].line == hit[first].line)
			next++;
		add_line(b, file, hit + first, next - first);
	}
}

static int compare_files(const void *a, const void *b)
{
	const struct annotate_file *x = a, *y = b;
	int order = order_down(x->saved, y->saved) ?: order_down(x->bytes, y->bytes);

	if (!order)
		order = ORDER(y->uses, x->uses) ?: strcmp(x->name, y->name);
	return order ?: strcmp(x->class_name, y->class_name);
}

static void build(const struct builder *b)
{
	const struct hits *h = b->hits;

	b->to->files = xcalloc(h->nfiles, sizeof *b->to->files);
	progress_begin(b->progress, "analysing", h->n);
	for (size_t first = 0, next; first < h->n; first = next) {
		next = first + 1;
		while (next < h->n && h->hit[next].file == h->hit[first].file)
			next++;
		add_file(b, h->hit + first, next - first);
		progress_add(b->progress, next - first);
	}
	qsort(b->to->files, b->to->nfiles, sizeof *b->to->files, compare_files);
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

void annotate_make(struct annotate *a, const struct model *m, const struct findings *findings,
		   const struct filter *filter, const struct replica_options *options,
		   struct progress *progress)
{
	struct hits hits;
	struct replica_options seen = *options;
	const struct builder b = { &hits, &seen, a, progress };

	seen.interval = observations_interval(m);
	memset(a, 0, sizeof *a);
	hits_collect(&hits, m, findings, filter);
	if (hits.n > 0)
		qsort(hits.hit, hits.n, sizeof *hits.hit, compare_hits);
	build(&b);
	a->objects = hits.objects;
	a->bytes = hits.bytes;
	a->placed = hits.placed;
	a->uses = hits.uses;
	a->accesses = hits.accesses;
	list_analyses(a, m, findings);
	hits_release(&hits);
}

void annotate_release(struct annotate *a)
{
	for (size_t f = 0; f < a->nfiles; f++) {
		for (size_t l = 0; l < a->files[f].nlines; l++) {
			free(a->files[f].lines[l].classes);
			free(a->files[f].lines[l].found);
			free(a->files[f].lines[l].contexts);
		}
		free(a->files[f].lines);
	}
	free(a->files);
	memset(a, 0, sizeof *a);
}

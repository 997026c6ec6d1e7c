/* SPDX-License-Identifier: Apache-2.0 */
/* annotate_hits.c - see annotate_hits.h. */
#include "source/annotate_hits.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/xmalloc.h"
#include "model/analysis.h"
#include "model/callstack.h"

enum { FIRST_ROOM = 64 };

/* ---- files ------------------------------------------------------------------------------- */

static void add_file(struct hits *h, const struct hit_file *f, uint64_t hash)
{
	XGROW(h->files, h->nfiles, h->files_room, FIRST_ROOM);
	h->files[h->nfiles++] = *f;
	xidmap_put(&h->file_map, hash, (void *)(uintptr_t)h->nfiles);
}

/* The number of the file of a frame, by package and name. */
static uint32_t find_file(struct hits *h, const struct model_frame *frame)
{
	size_t package = (size_t)(names_simple(frame->class_name) - frame->class_name);
	const struct hit_file f = { frame->class_name, frame->file, package };

	for (uint64_t seed = 0;; seed++) {
		uint64_t hash = XXH3_64bits_withSeed(
			f.name, strlen(f.name), XXH3_64bits_withSeed(f.class_name, package, seed));
		uintptr_t known = (uintptr_t)idmap_get(&h->file_map, hash);
		if (!known) {
			add_file(h, &f, hash);
			return (uint32_t)h->nfiles - 1;
		}
		const struct hit_file *at = &h->files[known - 1];
		if (at->package == package && strcmp(at->name, f.name) == 0 &&
		    memcmp(at->class_name, f.class_name, package) == 0)
			return (uint32_t)(known - 1);
	}
}

/* ---- hits -------------------------------------------------------------------------------- */

static bool has_place(const struct model_frame *f)
{
	return f->folded <= 0 && f->class_name && f->file && f->line > 0;
}

static void add(struct hits *h, const struct model_frame *frame, const struct hit *what,
		bool called)
{
	XGROW(h->hit, h->n, h->room, FIRST_ROOM);
	struct hit *hit = &h->hit[h->n++];
	*hit = *what;
	hit->line = frame->line;
	hit->called = hit->found.called = called;
	hit->platform = frame->platform;
	hit->class_name = frame->class_name;
	hit->method = frame->method;
	hit->file = find_file(h, frame);
}

/*
 * Adds a hit to the place of the innermost frame. If that is the platform's, adds it also to the
 * line (callstack_line). Returns whether there was a line.
 */
static bool add_at(struct hits *h, const struct callstack *stack, const struct hit *what)
{
	size_t own = callstack_line(stack);
	struct hit at_line = *what;

	at_line.is_line = true;
	bool inner = stack->n > 0 && has_place(&stack->frames[0]);
	bool outer = own > 0 && has_place(&stack->frames[own]);
	if (inner)
		add(h, &stack->frames[0], own == 0 ? &at_line : what, false);
	if (outer)
		add(h, &stack->frames[own], &at_line, true);
	return inner || outer;
}

/* Uses and samples of accesses of one stack: an entry of the map. */
struct used {
	uint32_t jvm, stack;
	uint64_t uses, accesses;
};

struct uses {
	struct used *at;
	size_t n, room;
	struct idmap map; /* JVM and stack: number + 1 */
};

static uint64_t key_of(uint32_t jvm, uint32_t id)
{
	return (uint64_t)jvm << 32 | id;
}

static void count_uses(struct uses *u, uint32_t jvm, uint32_t stack, uint64_t uses,
		       uint64_t accesses)
{
	uint64_t key = key_of(jvm, stack);
	uintptr_t known = (uintptr_t)idmap_get(&u->map, key);

	if (known) {
		u->at[known - 1].uses += uses;
		u->at[known - 1].accesses += accesses;
		return;
	}
	XGROW(u->at, u->n, u->room, FIRST_ROOM);
	u->at[u->n++] = (struct used){ jvm, stack, uses, accesses };
	xidmap_put(&u->map, key, (void *)(uintptr_t)u->n);
}

static void place_uses(struct hits *h, const struct uses *u)
{
	for (size_t i = 0; i < u->n; i++) {
		struct hit what = { .kind = HIT_USES,
				    .uses = u->at[i].uses,
				    .accesses = u->at[i].accesses };
		struct callstack stack;
		xcallstack_resolve(&stack, h->model, u->at[i].jvm, u->at[i].stack);
		add_at(h, &stack, &what);
		callstack_release(&stack);
		h->uses += u->at[i].uses;
		h->accesses += u->at[i].accesses;
	}
}

/* ---- contexts and findings ------------------------------------------------------------------ */

static void take_context(struct hits *h, struct filter_run *run, struct model_context *c,
			 struct uses *uses)
{
	struct hit what = { .kind = HIT_OBJECTS, .context = c };
	struct callstack stack;

	if (!c->sampled && !c->nsnapshots && !c->nuses && !c->access_samples)
		return;
	xcallstack_resolve(&stack, h->model, c->jvm, c->stack_id);
	bool taken = filter_takes(run, c, &stack);
	if (taken) {
		h->objects += c->objects;
		h->bytes += c->bytes;
		h->placed += add_at(h, &stack, &what) ? c->bytes : 0;
		xidmap_put(&h->selected, key_of(c->jvm, c->id), c);
	}
	callstack_release(&stack);
	for (size_t i = 0; taken && i < c->nuses; i++)
		count_uses(uses, c->jvm, c->uses[i]->access, 1, 0);
}

struct taking {
	const struct hits *hits;
	struct uses *uses;
	bool all;
};

static int take_access(const struct analysis_access *a, void *arg)
{
	const struct taking *t = arg;

	if (t->all ||
	    (a->context && idmap_get(&t->hits->selected, key_of(a->context->jvm, a->context->id))))
		count_uses(t->uses, a->jvm, a->stack, 0, a->count);
	return 0;
}

/*
 * Accesses to objects of unselected contexts, or of no context, count only if everything was
 * selected.
 */
static void take_accesses(struct hits *h, const struct filter *filter, struct uses *uses)
{
	struct taking t = { h, uses, filter_is_empty(filter) };

	model_each_access(h->model, take_access, &t);
}

static void take_contexts(struct hits *h, const struct filter *filter)
{
	struct filter_run run;
	struct uses uses = { .n = 0 };

	filter_begin(&run, filter, h->model);
	for (size_t i = 0; i < model_ncontexts(h->model); i++)
		take_context(h, &run, model_context(h->model, i), &uses);
	take_accesses(h, filter, &uses);
	place_uses(h, &uses);
	filter_end(&run);
	free(uses.at);
	idmap_release(&uses.map);
}

static void take_finding(struct hits *h, const struct finding *f)
{
	const struct finding_table_kind *kind = f->kind->tables[0];

	for (size_t i = 0; i < f->table[0].n; i++)
		for (int k = 0; k < 2 && kind->stack_title[k]; k++) {
			const struct finding_row *row = finding_row(&f->table[0], i);
			struct hit what = { .kind = HIT_FOUND, .found = { f, row, k, false } };
			add_at(h, &row->stack[k], &what);
		}
}

void hits_collect(struct hits *h, const struct model *m, const struct findings *findings,
		  const struct filter *filter)
{
	*h = (struct hits){ .model = m };
	take_contexts(h, filter);
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *f = &findings->item[i];
		if (f->ntables && !f->kind->tables[0]->of_objects && finding_is_enough(f))
			take_finding(h, f);
	}
}

void hits_release(struct hits *h)
{
	free(h->hit);
	free(h->files);
	idmap_release(&h->file_map);
	idmap_release(&h->selected);
	memset(h, 0, sizeof *h);
}

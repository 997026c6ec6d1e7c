/* SPDX-License-Identifier: Apache-2.0 */
/* query.c - see query.h: the table of problems, and the rows with their holders. */
#include "heapdump/query/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "model/platform.h"

enum { FIRST_ROWS = 64 };

const char *query_problem_name(enum query_problem problem)
{
	static const char *const names[QUERY_PROBLEMS] = {
		[QUERY_EMPTY] = "empty collection",
		[QUERY_ONE] = "collection of one",
		[QUERY_ROOM] = "much more room than needed",
		[QUERY_BOXED] = "boxed number",
		[QUERY_NULLS] = "array mostly null",
		[QUERY_ZEROES] = "array of zeroes only",
		[QUERY_TAIL] = "array with unused tail",
		[QUERY_NULL_FIELD] = "field without a value",
		[QUERY_SAME_FIELD] = "field with one value",
		[QUERY_OUTER] = "kept by an inner object alone",
		[QUERY_OUTERS] = "kept by inner objects alone",
		[QUERY_DEAD_KEY] = "entry whose key is gone",
		[QUERY_HELD_KEY] = "weak key that its value keeps",
		[QUERY_FINALIZER] = "waits for its finalizer",
		[QUERY_FINALIZABLE] = "has a finalizer",
		[QUERY_LOADED_TWICE] = "loaded several times",
		[QUERY_DIRECT] = "direct buffer",
	};

	return names[problem];
}

/* ---- rows -------------------------------------------------------------------------------- */

static struct query_row *row_of(struct query *q, enum query_problem problem, uint32_t group,
				uint32_t field)
{
	uint64_t key = (uint64_t)field << 32 | group;
	uint32_t first = (uint32_t)(uintptr_t)idmap_get(&q->index, key);

	for (uint32_t i = first; i; i = q->row[i - 1].next)
		if (q->row[i - 1].problem == problem)
			return &q->row[i - 1];
	XGROW(q->row, q->n, q->room, FIRST_ROWS);
	struct query_row *row = &q->row[q->n++];
	*row = (struct query_row){
		.problem = problem, .group = group, .field = field, .example = HEAP_NONE
	};
	if (first) {
		row->next = q->row[first - 1].next;
		q->row[first - 1].next = (uint32_t)q->n;
	} else {
		xidmap_put(&q->index, key, (void *)(uintptr_t)q->n);
	}
	return row;
}

struct query_row *query_add_to(struct query *q, enum query_problem problem, uint32_t group,
			       uint32_t field, uint32_t x, uint64_t bytes, uint64_t wasted)
{
	struct query_row *row = row_of(q, problem, group, field);

	row->objects++;
	row->bytes += bytes;
	row->wasted += wasted;
	if (row->example == HEAP_NONE)
		row->example = x;
	return row;
}

/* ---- holders ----------------------------------------------------------------------------- */

/* The field of `from` by which it has this reference, or that which `from` belongs to. */
static uint32_t field_of(const struct query *q, uint32_t from, uint32_t e)
{
	const struct owners *o = &q->m->owners;
	uint32_t field = e == HEAP_NONE ? HEAP_NONE : heap_edge_field(q->h, from, e);

	if (field == HEAP_NONE || !o->through[field])
		return field;
	return o->ways[owners_way(o, from)].field;
}

/* "<resolved_references>": what the VM keeps with a class, and nobody can change. */
static bool is_of_vm(const struct query *q, uint32_t field)
{
	size_t len;

	if (field >= OWNER_ROOT)
		return false;
	const char *name = heap_text(q->h, q->h->field[field].name, &len);
	return len > 0 && name[0] == '<';
}

static void add_held(struct query *q, enum query_problem problem, uint32_t field, uint32_t x,
		     uint64_t bytes, uint64_t wasted)
{
	if (!is_of_vm(q, field))
		query_add_to(q, problem, query_group(q, x), field, x, bytes, wasted);
}

void query_add(struct query *q, enum query_problem problem, uint32_t x, uint64_t bytes,
	       uint64_t wasted)
{
	const struct owners *o = &q->m->owners;
	uint32_t holder = q->m->holder[x], field = HEAP_NONE;

	if (owners_is_in(o, x)) {
		field = o->ways[owners_way(o, x)].field;
	} else if (holder < MERGE_SHARED) {
		field = field_of(q, holder, heap_edge_between(q->h, holder, x));
	} else if (holder == MERGE_SHARED) {
		XGROW(q->shared, q->nshared, q->shared_room, FIRST_ROWS);
		q->shared[q->nshared++] =
			(struct query_shared){ x, HEAP_NONE, problem, bytes, wasted };
		return;
	}
	add_held(q, problem, field, x, bytes, wasted);
}

/* Fields of the program come before those of the platform, these before roots, as in owners.h. */
static unsigned rank_of(const struct query *q, uint32_t field)
{
	if (field == HEAP_NONE)
		return 3;
	return field == OWNER_ROOT ? 2 : q->m->owners.rank[field];
}

static int compare_shared(const void *a, const void *b)
{
	const struct query_shared *x = a, *y = b;

	return ORDER(x->object, y->object) ?: ORDER(x->problem, y->problem);
}

static struct query_shared *find_shared(const struct query *q, uint32_t x)
{
	size_t at = SEARCH(i, 0, q->nshared, q->shared[i].object < x);

	return &q->shared[at];
}

/* Looks through all references for those to shared objects; of several, the first counts. */
static void find_fields(struct query *q)
{
	const struct heap *h = q->h;
	unsigned char *asked = xcalloc(bits_bytes(h->n), 1);

	qsort(q->shared, q->nshared, sizeof *q->shared, compare_shared);
	for (size_t i = 0; i < q->nshared; i++) {
		uint32_t x = q->shared[i].object;
		bits_set(asked, x);
		q->shared[i].field = bits_has(h->rooted, x) ? OWNER_ROOT : HEAP_NONE;
	}
	for (uint32_t from = 0; from < h->n; from++)
		for (uint32_t e = h->edge[from]; e < h->edge[from + 1]; e++) {
			uint32_t x = h->to[e];
			if (x == PARTITION_NULL || !bits_has(asked, x))
				continue;
			struct query_shared *s = find_shared(q, x);
			uint32_t field = field_of(q, from, e);
			if (rank_of(q, field) < rank_of(q, s->field))
				s->field = field;
		}
	free(asked);
}

void query_end(struct query *q)
{
	if (q->nshared)
		find_fields(q);
	for (size_t i = 0; i < q->nshared; i++) {
		const struct query_shared *s = &q->shared[i];
		/* the field is with the first problem of the object */
		uint32_t field = find_shared(q, s->object)->field;
		add_held(q, (enum query_problem)s->problem, field, s->object, s->bytes, s->wasted);
	}
	free(q->shared);
	q->shared = NULL;
	q->nshared = 0;
	free(q->counted);
	q->counted = NULL;
	idmap_release(&q->index);
}

void query_release(struct query *q)
{
	free(q->row);
	*q = (struct query){ .n = 0 };
}

/* ---- for those who ask ------------------------------------------------------------------- */

bool query_is_program(const struct heap *h, uint32_t class)
{
	const char *name = h->class[class].name;

	return !platform_class(name, MODEL_HOME_UNKNOWN) && !transparent_class(name);
}

bool query_inherits(const struct heap *h, uint32_t class, const char *name)
{
	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		if (strcmp(h->class[class].name, name) == 0)
			return true;
		class = h->class[class].super;
	}
	return false;
}

bool query_field_at(const struct heap *h, uint32_t class, const char *declarer, const char *name,
		    struct heap_run *at, uint8_t *type)
{
	uint32_t offset = 0;

	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		const struct heap_class *c = &h->class[class];
		const unsigned char *p = c->fields;
		bool here = strcmp(c->name, declarer) == 0;
		for (uint16_t i = 0; i < c->nfields; i++, p += h->dump->id_size + 1) {
			*type = p[h->dump->id_size];
			*at = (struct heap_run){ offset, hprof_width(h->dump, *type) };
			if (here && heap_text_is(h, hprof_id(h->dump, p), name))
				return true;
			offset += at->n;
		}
		class = c->super;
	}
	return false;
}

uint32_t query_reference(const struct heap *h, uint32_t x, const char *declarer, const char *name)
{
	uint32_t slot = heap_slot_of(h, heap_class_of(h, x), declarer, name);

	return slot == HEAP_NONE ? HEAP_NONE : h->to[h->edge[x] + slot];
}

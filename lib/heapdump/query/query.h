/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.h - what a heap dump is asked: which objects hold little for their size, what is kept
 * for nothing, what lies outside of the heap. Each answer is a row: a problem, the class of the
 * objects, and the field that holds them. query.c has the table of problems; each other file of
 * this folder asks for some of them.
 */
#ifndef OJX_QUERY_H
#define OJX_QUERY_H

#include "heapdump/merge.h"

enum query_problem {
	/* that hold little: an object counts once, and no byte that merging frees counts */
	QUERY_EMPTY,  /* collections */
	QUERY_ONE,    /* collections of one element */
	QUERY_ROOM,   /* collections and buffers that could hold twice as much, or more */
	QUERY_BOXED,  /* numbers */
	QUERY_NULLS,  /* arrays of objects, more than half of them null */
	QUERY_ZEROES, /* arrays of numbers, all of them zero */
	QUERY_TAIL,   /* arrays of numbers, more than half of them zeroes at the end */
	QUERY_LITTLE, /* the number of these */
	/* kept for nothing: several rows can have the same bytes */
	QUERY_NULL_FIELD = QUERY_LITTLE, /* null or 0 in all objects */
	QUERY_SAME_FIELD,		 /* the same in all objects */
	QUERY_OUTER,			 /* objects that only an inner class's this$0 keeps */
	QUERY_OUTERS,			 /* that several of these keep */
	QUERY_DEAD_KEY,			 /* entries of weak maps whose keys are gone */
	QUERY_HELD_KEY,			 /* entries whose keys their values keep */
	QUERY_FINALIZER,		 /* what waits for its finalizer to run */
	QUERY_FINALIZABLE,		 /* what has one */
	QUERY_LOADED_TWICE,		 /* classes that several loaders have */
	QUERY_KEPT,			 /* the end of these */
	/* outside of the heap */
	QUERY_DIRECT = QUERY_KEPT, /* buffers */
	QUERY_PROBLEMS,
};

struct query_row {
	enum query_problem problem;
	uint32_t group; /* of m->classes */
	uint32_t field; /* that holds them; OWNER_ROOT; HEAP_NONE: several, or none */
	uint64_t objects, bytes;
	uint64_t wasted; /* bytes */
	uint32_t example;
	uint32_t next; /* of the same group and field, from 1 */
};

/* An object that several others refer to: one of their fields is still to be found. */
struct query_shared {
	uint32_t object, field;
	uint32_t problem;
	uint64_t bytes, wasted;
};

struct query {
	struct heap *h;
	const struct merge *m; /* with its owners */
	unsigned char
		*counted; /* a bit for each object that holds little, belongs to one, or goes */
	struct query_row *row;
	size_t n, room;
	struct idmap index; /* rows by group and field, from 1 */
	struct query_shared *shared;
	size_t nshared, shared_room;
};

/* Asks all. Free `row` with query_release. */
void query_all(struct query *q, struct heap *h, const struct merge *m);
void query_release(struct query *q);

/* "empty collection" */
const char *query_problem_name(enum query_problem problem);
/* Whether it is java.lang.Integer, say. */
bool query_is_box(const char *class);

/* ---- for those who ask ------------------------------------------------------------------- */

/* Adds an object, with its holder. */
void query_add(struct query *q, enum query_problem problem, uint32_t x, uint64_t bytes,
	       uint64_t wasted);
/* The same of a row whose holder is known; returns it until the next one is added. */
struct query_row *query_add_to(struct query *q, enum query_problem problem, uint32_t group,
			       uint32_t field, uint32_t x, uint64_t bytes, uint64_t wasted);

/* Once all is asked: finds the holders of what several objects refer to. */
void query_end(struct query *q);

static inline uint32_t query_group(const struct query *q, uint32_t x)
{
	return q->m->class_group[heap_class_of(q->h, x)];
}

static inline void query_count(struct query *q, uint32_t x)
{
	bits_set(q->counted, x);
}

/* Whether it is a class that the program's authors can change. */
bool query_is_program(const struct heap *h, uint32_t class);
/* Where the field that a class declares is in bodies of `class`, or a subclass of that. */
bool query_field_at(const struct heap *h, uint32_t class, const char *declarer, const char *name,
		    struct heap_run *at, uint8_t *type);
/* The object that a field of an instance refers to, one of its slots; HEAP_NONE: there is none. */
uint32_t query_reference(const struct heap *h, uint32_t x, const char *declarer, const char *name);
/* Of an entry of a weak map, or of thread locals: the class that declares its value; or NULL. */
const char *query_entry_class(const struct heap *h, uint32_t class);
/* Whether a class is this one, or inherits from it. */
bool query_inherits(const struct heap *h, uint32_t class, const char *name);

/* ---- who asks ---------------------------------------------------------------------------- */

void query_collections(struct query *q);
void query_arrays(struct query *q);
void query_fields(struct query *q);
void query_outer(struct query *q);
void query_references(struct query *q);
void query_keys(struct query *q);
void query_loaders(struct query *q);
void query_buffers(struct query *q);

#endif

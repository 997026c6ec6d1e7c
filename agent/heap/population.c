/* SPDX-License-Identifier: Apache-2.0 */
/* population.c - see population.h. All but the start is the service thread's. */
#include "heap/population.h"

#include <stdlib.h>
#include <string.h>

#include "core/jvm.h"
#include "core/link.h"
#include "heap/population_check.h"
#include "heap/window_walk.h"
#include "hotspot/classes.h"
#include "hotspot/layout.h"
#include "hotspot/shape_private.h"
#include "hotspot/young.h"

#define CONTENTS      (1u << 18)
#define CONTENTS_MAX  (CONTENTS / 4 * 3)
#define WANTED_MAX    (CONTENTS / 4)
#define COUNT_MAX     UINT16_MAX
#define LAST_MASK     0xffffffu
#define OBJECTS_MAX   (WINDOW_BYTES / 16)
#define TELL_NS	      3000000000u /* so often counts are sent */
#define GROWN	      1.25	  /* a class is told of again when it has grown so much */
#define CHECKS_LEAST  100	  /* sampled objects that were looked for in windows */
#define CHECKS_WRONG  0.01 /* share that may not be found: they were counted wrong by others */
#define FILLERS_UNTIL 20   /* JDK before which gaps are filled with int[] */

/* A content that was found. */
struct content_seen {
	uint64_t key;	     /* 0: none */
	uint32_t last : 24;  /* number of the window that it was last found in */
	uint32_t wanted : 8; /* block + 1 that it was last asked for in; 0: it was not */
	uint16_t windows;
	uint16_t told; /* the number that the tool knows; 0: none */
};

static struct content_seen *contents;
static uint32_t ncontents, nwanted, block, windows_read;
static uint64_t objects, object_bytes, checks, wrong;
static uint64_t told_at, reading_ns, copied;
static bool running;

/* ---- contents ---------------------------------------------------------------------------- */

/* Where a content is, or soon after. */
static uint32_t content_place(uint64_t key)
{
	_Static_assert(CONTENTS == 1u << 18, "the hash has so many bits");
	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 46);
}

static struct content_seen *find_content(uint64_t key)
{
	uint32_t i = content_place(key);

	while (contents[i].key && contents[i].key != key)
		i = (i + 1) % CONTENTS;
	return &contents[i];
}

static uint8_t block_mark(uint32_t number)
{
	return (uint8_t)(1 + number % UINT8_MAX);
}

/* Whether a content stays when a new block begins. */
static bool stays(const struct content_seen *c)
{
	bool late = c->wanted == block_mark(block);

	return c->wanted && (late || nwanted < WANTED_MAX);
}

/* A new block, with what stays of the last one. */
static void begin_block(void)
{
	struct content_seen *kept = malloc((size_t)WANTED_MAX * 2 * sizeof *kept);
	uint32_t n = 0;

	for (uint32_t i = 0; kept && i < CONTENTS && n < WANTED_MAX * 2; i++)
		if (contents[i].key && stays(&contents[i]))
			kept[n++] = contents[i];
	memset(contents, 0, CONTENTS * sizeof *contents);
	for (uint32_t i = 0; i < n; i++)
		*find_content(kept[i].key) = kept[i];
	free(kept);
	ncontents = nwanted = n;
	block++;
}

/* Counts the content of an object of window `number`; NULL where it has none. */
static struct content_seen *count_content(uint64_t key, uint32_t number)
{
	struct content_seen *c = find_content(key);

	if (!c->key) {
		*c = (struct content_seen){ .key = key };
		ncontents++;
	}
	if (c->last != (number & LAST_MASK) && c->windows < COUNT_MAX)
		c->windows++;
	c->last = number & LAST_MASK;
	return c;
}

/* ---- what is sent ------------------------------------------------------------------------ */

static void send_window(struct link_ring *ring, const struct window *w, const struct walked *first,
			double alone, bool whole)
{
	struct wire_window *rec = link_reserve(ring, WIRE_WINDOW, sizeof *rec);

	if (!rec)
		return;
	bool gaps = first->class->shape.kind == SHAPE_PRIMITIVES && first->class->shape.log2 == 2 &&
		    jvm_version() < FILLERS_UNTIL;
	rec->rec.thread = w->thread;
	rec->context = w->context;
	rec->array_length = w->array_length;
	rec->key = first->key;
	rec->weight = w->weight;
	rec->spacing = w->spacing;
	rec->alone = alone;
	rec->ticket = w->ticket;
	rec->block = block;
	rec->flags = (first->key ? WIRE_WINDOW_KEYED : 0) | (whole ? WIRE_WINDOW_WHOLE : 0) |
		     (gaps ? WIRE_WINDOW_GAPS : 0);
	rec->pad = 0;
	link_commit(ring);
}

static void send_content(struct link_ring *ring, struct content_seen *c)
{
	struct wire_content *rec = link_reserve(ring, WIRE_CONTENT, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = 0;
	rec->key = c->key;
	rec->windows = c->windows;
	rec->pad = 0;
	link_commit(ring);
	c->told = c->windows;
}

static void send_population(struct link_ring *ring, uint32_t class_id, uint32_t windows, uint64_t n,
			    uint64_t bytes)
{
	struct wire_population *rec = link_reserve(ring, WIRE_POPULATION, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = 0;
	rec->class_id = class_id;
	rec->windows = windows;
	rec->objects = n;
	rec->bytes = bytes;
	link_commit(ring);
}

/* Where many windows have it, the exact number is told in the end only. */
static uint32_t next_told(uint32_t told)
{
	return told + 1 + told / 8;
}

/* What has changed. */
static void tell(struct link_ring *ring, bool final)
{
	for (uint32_t i = 0; i < CONTENTS; i++)
		if (contents[i].wanted && contents[i].windows > 1 &&
		    contents[i].windows >=
			    (final ? contents[i].told + 1u : next_told(contents[i].told)))
			send_content(ring, &contents[i]);
	for (uint32_t i = 0; i < window_walk_room(); i++) {
		struct walked_class *c = window_walk_class(i);
		if (!c->class_id || c->objects <= c->told ||
		    (!final && (double)c->objects < GROWN * (double)c->told))
			continue;
		send_population(ring, c->class_id, c->windows, c->objects, c->bytes);
		c->told = c->objects;
	}
	send_population(ring, 0, windows_read, objects, object_bytes);
	told_at = now_ns();
}

/* ---- windows ----------------------------------------------------------------------------- */

static void count_object(const struct walked *o, uint32_t number)
{
	objects++;
	object_bytes += o->bytes;
	if (o->class->last_window != number)
		o->class->windows++;
	o->class->last_window = number;
	o->class->objects++;
	o->class->bytes += o->bytes;
}

/* Sampled objects that the walk should have come by at `offset`. */
static void check(const struct window *w, const struct walked *o, uint32_t *next)
{
	for (uint32_t i = 0; i < w->nchecks; i++) {
		const struct window_check *c = &w->checks[i];
		if (c->offset < *next || c->offset >= o->offset + o->bytes)
			continue;
		const struct klass *k = class_by_id(c->class_id);
		uint64_t word = k ? atomic_load(&k->word) : 0;
		checks++;
		wrong += c->offset != o->offset ||
			 (word && word != layout_klass(w->copy + o->offset));
	}
	*next = (uint32_t)(o->offset + o->bytes);
}

/* Walks over a window, whose objects go to `list`, and has their contents' places fetched. */
static uint32_t list_objects(const struct window *w, struct walked *list, uint32_t *end)
{
	uint32_t n = 0, next = 0;

	*end = 0;
	while (n < OBJECTS_MAX && window_walk_next(w, *end, &list[n])) {
		const struct walked *o = &list[n++];
		check(w, o, &next);
		*end += (uint32_t)o->bytes;
		if (o->key)
			__builtin_prefetch(&contents[content_place(o->key)], 1);
	}
	return n;
}

/* How far the next object of equal content is, as a share of the window. */
static double share_alone(const struct walked *list, uint32_t n)
{
	for (uint32_t i = 1; i < n && list[0].key; i++)
		if (list[i].key == list[0].key)
			return (double)list[i].offset / WINDOW_BYTES;
	return 1;
}

static void read_window(struct link_ring *ring, const struct window *w)
{
	static struct walked list[OBJECTS_MAX];
	uint32_t end, n = list_objects(w, list, &end), number = ++windows_read;

	copied += w->bytes;
	for (uint32_t i = 0; i < n; i++) {
		if (!list[i].class->filler)
			count_object(&list[i], number);
		struct content_seen *c = list[i].key ? count_content(list[i].key, number) : NULL;
		if (c && i == 0 && w->sampled) {
			nwanted += !c->wanted;
			c->wanted = block_mark(block);
		}
	}
	if (n > 0 && w->sampled) {
		list[0].class->class_id = w->class_id;
		/* it may end with an object that is cut */
		bool whole = w->whole && end + WINDOW_LARGE > w->bytes;
		send_window(ring, w, &list[0], share_alone(list, n), whole);
	}
	if (ncontents > CONTENTS_MAX)
		begin_block();
}

static int compare(const void *a, const void *b)
{
	const struct window *x = *(struct window *const *)a, *y = *(struct window *const *)b;

	if (x->pause != y->pause)
		return x->pause < y->pause ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The windows of one pause. */
static void read_pause(struct link_ring *ring, struct window **windows, uint32_t n)
{
	uint64_t before = cpu_ns();

	window_walk_begin(windows[0]->pause, windows, n);
	for (uint32_t i = 0; i < n; i++)
		read_window(ring, windows[i]);
	for (uint32_t i = 0; i < n; i++)
		atomic_store_explicit(&windows[i]->state, WINDOW_FREE, memory_order_release);
	reading_ns += cpu_ns() - before;
	uint64_t each = (cpu_ns() - before) / n;
	for (uint32_t i = 0; i < n; i++)
		windows_cost(each);
}

void population_service(struct link_ring *ring, bool final)
{
	struct window *full[WINDOWS];
	uint32_t n = 0;

	if (!running)
		return;
	for (uint32_t i = 0; i < WINDOWS; i++)
		if (atomic_load_explicit(&windows_get(i)->state, memory_order_acquire) ==
		    WINDOW_FULL)
			full[n++] = windows_get(i);
	qsort(full, n, sizeof full[0], compare);
	for (uint32_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && full[next]->pause == full[first]->pause;)
			next++;
		read_pause(ring, full + first, next - first);
	}
	if (checks >= CHECKS_LEAST && (double)wrong > CHECKS_WRONG * (double)checks) {
		windows_stop();
		running = false;
		link_note("objects are not compared with all others of their class: %llu of %llu "
			  "sampled ones were not where they should be",
			  (unsigned long long)wrong, (unsigned long long)checks);
	}
	if (windows_read && (final || now_ns() - told_at > TELL_NS))
		tell(ring, final);
	if (final && ojx.config.flags & WIRE_VERBOSE && windows_read)
		link_note("%u windows of %llu bytes, in %llu of which %llu objects were found, in "
			  "%llu us each; %llu sampled objects were where they should be, %llu not",
			  windows_read, (unsigned long long)(copied / windows_read),
			  (unsigned long long)(object_bytes / windows_read),
			  (unsigned long long)(objects / windows_read),
			  (unsigned long long)(reading_ns / 1000 / windows_read),
			  (unsigned long long)(checks - wrong), (unsigned long long)wrong);
}

/* ---- start ------------------------------------------------------------------------------- */

void population_init(JNIEnv *jni)
{
	const char *why = "of this collector";
	bool ok = young_init(&shape_rules.vm, &why);

	if (ok) {
		why = "memory lacks";
		contents = calloc(CONTENTS, sizeof *contents);
		ok = contents && window_walk_init(jni) && windows_init();
	}
	if (ok && !population_check(jni)) {
		why = "known objects were not found where they are";
		windows_stop();
		ok = false;
	}
	running = ok;
	if (!ok)
		link_note("objects are not compared with all others of their class: %s", why);
}

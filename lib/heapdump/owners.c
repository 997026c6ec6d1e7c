/* SPDX-License-Identifier: Apache-2.0 */
/* owners.c - see owners.h. */
#include "heapdump/owners.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/big.h"
#include "base/grow.h"
#include "model/platform.h"

/*
 * ---- classes that only hold what others put into them: collections, their nodes and views,
 * wrappers of one object. Who looks for a holder goes through them.
 */

/*
 * A class with all that are nested in it; a package with all below it, ended by '.'; names that
 * begin with it, ended by '*'. Subclasses need no row: what counts is the class that declares a
 * field.
 */
static const char *const rows[] = {
	/* the JDK's collections */
	"java.util.AbstractList",
	"java.util.AbstractMap",
	"java.util.ArrayDeque",
	"java.util.ArrayList",
	"java.util.Arrays",
	"java.util.Collections",
	"java.util.EnumMap",
	"java.util.HashMap",
	"java.util.HashSet",
	"java.util.Hashtable",
	"java.util.IdentityHashMap",
	"java.util.ImmutableCollections",
	"java.util.KeyValueHolder",
	"java.util.LinkedHashMap",
	"java.util.LinkedHashSet",
	"java.util.LinkedList",
	"java.util.PriorityQueue",
	"java.util.Properties",
	"java.util.ReverseOrder*",
	"java.util.TreeMap",
	"java.util.TreeSet",
	"java.util.Vector",
	"java.util.WeakHashMap",
	"java.util.jar.Attributes",
	"java.util.concurrent.ArrayBlockingQueue",
	"java.util.concurrent.ConcurrentHashMap",
	"java.util.concurrent.ConcurrentLinkedDeque",
	"java.util.concurrent.ConcurrentLinkedQueue",
	"java.util.concurrent.ConcurrentSkipListMap",
	"java.util.concurrent.ConcurrentSkipListSet",
	"java.util.concurrent.CopyOnWriteArrayList",
	"java.util.concurrent.CopyOnWriteArraySet",
	"java.util.concurrent.DelayQueue",
	"java.util.concurrent.LinkedBlockingDeque",
	"java.util.concurrent.LinkedBlockingQueue",
	"java.util.concurrent.LinkedTransferQueue",
	"java.util.concurrent.PriorityBlockingQueue",
	"java.util.concurrent.SynchronousQueue",
	/* its wrappers */
	"java.util.Optional",
	"java.util.concurrent.CompletableFuture",
	"java.util.concurrent.FutureTask",
	"java.util.concurrent.atomic.AtomicMarkableReference",
	"java.util.concurrent.atomic.AtomicReference",
	"java.util.concurrent.atomic.AtomicReferenceArray",
	"java.util.concurrent.atomic.AtomicStampedReference",
	"java.lang.ThreadLocal",
	"java.lang.ref.",
	"jdk.internal.lang.stable.",
	/* Scala */
	"scala.collection.",
	"scala.Option",
	"scala.Some",
	"scala.Tuple*",
	"scala.runtime.LazyRef",
	"scala.runtime.ObjectRef",
	"scala.runtime.VolatileObjectRef",
	"scala.util.Either",
	"scala.util.Failure",
	"scala.util.Left",
	"scala.util.Right",
	"scala.util.Success",
	/* Kotlin */
	"kotlin.InitializedLazyImpl",
	"kotlin.Pair",
	"kotlin.Result",
	"kotlin.SafePublicationLazyImpl",
	"kotlin.SynchronizedLazyImpl",
	"kotlin.Triple",
	"kotlin.UnsafeLazyImpl",
	"kotlin.collections.",
	"kotlin.jvm.internal.Ref",
	"kotlinx.collections.immutable.",
	/* libraries */
	"clojure.lang.Atom",
	"clojure.lang.Persistent*",
	"com.carrotsearch.hppc.",
	"com.github.benmanes.caffeine.cache.",
	"com.google.common.base.Present",
	"com.google.common.base.Suppliers",
	"com.google.common.cache.",
	"com.google.common.collect.",
	"gnu.trove.",
	"io.vavr.collection.",
	"io.vavr.control.",
	"it.unimi.dsi.fastutil.",
	"org.agrona.collections.",
	"org.apache.commons.collections.",
	"org.apache.commons.collections4.",
	"org.eclipse.collections.impl.",
	"org.pcollections.",
};

static bool matches(const char *row, const char *name)
{
	size_t len = strlen(row);

	if (row[len - 1] == '*')
		return strncmp(row, name, len - 1) == 0;
	if (strncmp(row, name, len) != 0)
		return false;
	return row[len - 1] == '.' || !name[len] || name[len] == '$';
}

bool transparent_class(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (matches(rows[i], name))
			return true;
	return false;
}

enum { WORD = 64, FIRST_WAYS = 256 };
enum rank { PROGRAM, PLATFORM, ROOT, RANKS };

/* ---- classes and fields ------------------------------------------------------------------ */

static uint64_t family_of(const char *name)
{
	const char *end = strchr(name, '$');

	return XXH3_64bits(name, end ? (size_t)(end - name) : strlen(name));
}

bool owners_family(const struct owners *o, uint32_t class, uint32_t other)
{
	return o->family[class] == o->family[other];
}

/* What each field and each class is. */
static void know_classes(struct owners *o)
{
	const struct heap *h = o->h;

	o->through = xcalloc(h->nfields + (size_t)1, sizeof *o->through);
	o->rank = xcalloc(h->nfields + (size_t)1, sizeof *o->rank);
	o->first_way = xcalloc(h->nfields + (size_t)1, sizeof *o->first_way);
	o->family = xcalloc(h->nclasses, sizeof *o->family);
	for (uint32_t i = 0; i < h->nclasses; i++)
		o->family[i] = family_of(h->class[i].name);
	uint32_t of = HEAP_NONE;
	bool transparent = false, platform = false;
	for (uint32_t f = 0; f < h->nfields; f++) {
		if (h->field[f].class != of) {
			of = h->field[f].class;
			transparent = transparent_class(h->class[of].name);
			platform = platform_class(h->class[of].name, MODEL_HOME_UNKNOWN);
		}
		if (!strcmp(h->class[of].name, "java.lang.ref.Reference") &&
		    heap_text_is(h, h->field[f].name, "referent"))
			o->referent = f;
		o->through[f] = h->field[f].is_element || (transparent && !h->field[f].is_static);
		o->rank[f] = platform ? PLATFORM : PROGRAM;
	}
}

/* ---- transparent objects ----------------------------------------------------------------- */

static uint32_t place(const struct owners *o, uint32_t x)
{
	uint64_t below = o->is_in[x / WORD] & ((UINT64_C(1) << x % WORD) - 1);

	return o->before[x / WORD] + (uint32_t)__builtin_popcountll(below);
}

static bool has_through(const struct owners *o, const struct heap_class *c)
{
	for (uint32_t i = 0; i < c->nslots; i++)
		if (o->through[c->slot[i].field])
			return true;
	return c->kind == HEAP_OBJECTS;
}

static void find_transparent(struct owners *o)
{
	const struct heap *h = o->h;
	bool *in = xcalloc(h->nclasses, sizeof *in);

	o->is_in = xbig_zeroed(h->n / WORD + (size_t)1, sizeof *o->is_in);
	o->before = xbig_zeroed(h->n / WORD + (size_t)1, sizeof *o->before);
	for (uint32_t i = 0; i < h->nclasses; i++)
		in[i] = has_through(o, &h->class[i]);
	for (uint32_t x = 0; x < h->n; x++)
		o->is_in[x / WORD] |= (uint64_t)in[heap_class_of(h, x)] << x % WORD;
	for (uint32_t w = 0; w <= h->n / WORD; w++) {
		o->before[w] = o->n;
		o->n += (uint32_t)__builtin_popcountll(o->is_in[w]);
	}
	o->way = xbig_zeroed(o->n + (size_t)1, sizeof *o->way);
	o->both = xcalloc(bits_bytes(o->n), 1);
	free(in);
}

/* ---- ways ---------------------------------------------------------------------------------- */

static uint32_t new_way(struct owners *o, struct owner_way way)
{
	XGROW(o->ways, o->nways, o->room, FIRST_WAYS);
	o->ways[o->nways++] = way;
	return (uint32_t)(o->nways - 1);
}

/* The way that begins at this field, which can be OWNER_ROOT. */
static uint32_t way_from(struct owners *o, uint32_t field, enum rank rank)
{
	uint32_t *way = field == OWNER_ROOT ? &o->root_way : &o->first_way[field];

	if (!*way)
		*way = new_way(o, (struct owner_way){ .class = HEAP_NONE,
						      .field = field,
						      .rank = (uint8_t)rank,
						      .last_class = HEAP_NONE });
	return *way;
}

/* The way on through an object of this class. */
static uint32_t way_on(struct owners *o, uint32_t way, uint32_t class)
{
	struct owner_way *w = &o->ways[way];
	bool first = w->class == HEAP_NONE;

	if (!first && (o->h->class[class].kind == HEAP_OBJECTS ||
		       owners_family(o, w->class, class) || w->length == OWNER_LENGTH))
		return way;
	if (w->last_class == class)
		return w->last_way;
	uint64_t key = (uint64_t)way << 32 | class;
	uint32_t on = (uint32_t)(uintptr_t)idmap_get(&o->index, key);
	if (!on) {
		on = new_way(o, (struct owner_way){ .before = way,
						    .class = class,
						    .field = w->field,
						    .rank = w->rank,
						    .length = (uint8_t)(w->length + 1),
						    .last_class = HEAP_NONE });
		xidmap_put(&o->index, key, (void *)(uintptr_t)on);
	}
	o->ways[way].last_class = class;
	o->ways[way].last_way = on;
	return on;
}

/* ---- the walk ---------------------------------------------------------------------------- */

struct walk {
	struct owners *o;
	uint32_t *queue; /* objects */
	uint32_t first, n, weak;
};

/* A way leads to `x`, if that is transparent; a weak one shares nothing. */
static void reach(struct walk *w, uint32_t x, uint32_t way, bool weakly)
{
	struct owners *o = w->o;

	if (x == PARTITION_NULL || !owners_is_in(o, x))
		return;
	uint32_t at = place(o, x), has = o->way[at];
	if (!has) {
		o->way[at] = way_on(o, way, heap_class_of(o->h, x));
		w->queue[w->n++] = x;
		return;
	}
	if (!weakly && o->ways[has].field != o->ways[way].field &&
	    o->ways[has].rank == o->ways[way].rank)
		bits_set(o->both, at);
}

/* The field of `x` that has this reference is one of a transparent class. */
static bool goes_on(const struct owners *o, uint32_t x, uint32_t e)
{
	const struct heap_class *c = &o->h->class[heap_class_of(o->h, x)];

	return c->kind == HEAP_OBJECTS || o->through[c->slot[e - o->h->edge[x]].field];
}

/* Goes on from an object; `weakly`: to what a Reference refers to. */
static void go_on(struct walk *w, uint32_t x, bool weakly)
{
	const struct heap *h = w->o->h;
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	uint32_t way = owners_way(w->o, x);

	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
		bool weak =
			c->kind != HEAP_OBJECTS && c->slot[e - h->edge[x]].field == w->o->referent;
		if (weak == weakly && goes_on(w->o, x, e))
			reach(w, h->to[e], way, weakly);
	}
}

/* From all that was reached; where references hold nothing, once all else is done. */
static void spread(struct walk *w)
{
	while (w->first < w->n) {
		while (w->first < w->n)
			go_on(w, w->queue[w->first++], false);
		for (uint32_t end = w->n; w->weak < end; w->weak++)
			go_on(w, w->queue[w->weak], true);
	}
}

/* From the fields of this rank that objects of a class have. */
static bool begins(const struct owners *o, uint32_t field, enum rank rank)
{
	return !o->through[field] && o->rank[field] == rank;
}

static void begin_fields(struct walk *w, uint32_t x, enum rank rank)
{
	const struct heap *h = w->o->h;

	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
		if (h->to[e] == PARTITION_NULL || !owners_is_in(w->o, h->to[e]))
			continue;
		uint32_t field = heap_edge_field(h, x, e);
		if (field == HEAP_NONE || !begins(w->o, field, rank))
			continue;
		reach(w, h->to[e], way_from(w->o, field, rank), false);
	}
}

/* Of each class: its objects have fields at which ways begin; class objects have any. */
static void find_beginnings(const struct owners *o, bool *any, enum rank rank)
{
	const struct heap *h = o->h;

	for (uint32_t i = 0; i < h->nclasses; i++) {
		any[i] = i == h->mirror;
		for (uint32_t k = 0; k < h->class[i].nslots; k++)
			any[i] |= begins(o, h->class[i].slot[k].field, rank);
	}
}

static void begin(struct walk *w, const bool *any, enum rank rank)
{
	const struct heap *h = w->o->h;
	uint32_t way = rank == ROOT ? way_from(w->o, OWNER_ROOT, ROOT) : 1;

	for (uint32_t x = 0; x < h->n; x++) {
		if (rank != ROOT && any[heap_class_of(h, x)])
			begin_fields(w, x, rank);
		if (rank == ROOT && bits_has(h->rooted, x))
			reach(w, x, way, false);
	}
}

/* What is shared shares what it holds. Each object is looked at once. */
static void share(struct walk *w)
{
	struct owners *o = w->o;
	const struct heap *h = o->h;

	w->first = w->n = 0;
	for (uint32_t x = 0; x < h->n; x++)
		if (owners_is_in(o, x) && owners_shared(o, x))
			w->queue[w->n++] = x;
	while (w->first < w->n) {
		uint32_t x = w->queue[w->first++];
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
			uint32_t y = h->to[e];
			if (y == PARTITION_NULL || !owners_is_in(o, y) || owners_shared(o, y) ||
			    !goes_on(o, x, e) ||
			    o->ways[owners_way(o, y)].field != o->ways[owners_way(o, x)].field)
				continue;
			uint32_t at = place(o, y);
			bits_set(o->both, at);
			w->queue[w->n++] = y;
		}
	}
}

void owners_make(struct owners *o, const struct heap *h)
{
	struct walk w = { .o = o };

	*o = (struct owners){ .h = h, .referent = HEAP_NONE };
	bool *any = xcalloc(h->nclasses, sizeof *any);
	know_classes(o);
	find_transparent(o);
	XGROW(o->ways, o->nways, o->room, FIRST_WAYS);
	o->ways[o->nways++] = (struct owner_way){ .class = HEAP_NONE, .field = HEAP_NONE };
	w.queue = xbig_alloc(o->n + (size_t)1, sizeof *w.queue);
	for (enum rank rank = PROGRAM; rank < RANKS; rank++) {
		find_beginnings(o, any, rank);
		begin(&w, any, rank);
		spread(&w);
	}
	share(&w);
	free(w.queue);
	free(any);
}

/* ---- questions --------------------------------------------------------------------------- */

uint32_t owners_way(const struct owners *o, uint32_t x)
{
	return o->way[place(o, x)];
}

bool owners_shared(const struct owners *o, uint32_t x)
{
	uint32_t at = place(o, x);

	return bits_has(o->both, at);
}

void owners_forget(struct owners *o)
{
	free(o->through);
	free(o->rank);
	free(o->is_in);
	free(o->before);
	free(o->way);
	free(o->both);
	free(o->first_way);
	idmap_release(&o->index);
	o->through = NULL;
	o->rank = o->both = NULL;
	o->is_in = NULL;
	o->before = o->way = o->first_way = NULL;
}

void owners_release(struct owners *o)
{
	owners_forget(o);
	free(o->family);
	free(o->ways);
	*o = (struct owners){ .h = NULL };
}

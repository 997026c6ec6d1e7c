/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_private.h - what the parts of the model share: model.c (records in), model_store.c (JVMs,
 * contexts, accessors), model_defs.c (classes, methods, stacks), model_counts.c (allocations),
 * model_evidence.c (looks and uses), model_values.c (texts of strings), model_waste.c (pairs of
 * accesses), model_access.c (sampled accesses), model_sums.c (what both, and counts, are kept in),
 * model_live_heap.c (views of what is alive), model_population.c (windows), model_threads.c (names
 * of threads).
 *
 * Ids are those of an untrusted process: they are looked up in maps, never used as indices, and
 * nothing is allocated by a number that the length of its record does not vouch for.
 */
#ifndef OJX_MODEL_PRIVATE_H
#define OJX_MODEL_PRIVATE_H

#include "base/arena.h"
#include "base/idmap.h"
#include "model/evidence_bounds.h"
#include "model/frames.h"
#include "model/model.h"

/* Bounds. docs/file-format.md lists them; the reader must have those of the writer. */
#define MODEL_MAX_JVMS	      16384u
#define MODEL_MAX_CONTEXTS    (1u << 20)   /* of all JVMs; later ones are counted as "other" */
#define MODEL_MAX_DEFS	      (1ull << 30) /* bytes of classes, methods and stacks */
#define MODEL_MAX_STRATA      4096u	   /* of one context */
#define MODEL_MAX_ALL_STRATA  (1u << 20)
#define MODEL_MAX_WEIGHT      1e12	   /* objects one sample stands for */
#define MODEL_MAX_SIZE	      (1ull << 48) /* bytes of one object */
#define MODEL_MAX_COUNT	      (1ull << 48) /* samples or events in one sum */
#define MODEL_MAX_VALUES      256u	   /* texts of one context */
#define MODEL_MAX_ALL_VALUES  (1u << 16)
#define MODEL_MAX_WASTES      (1u << 18) /* kinds and pairs of stacks */
#define MODEL_MAX_ACCESSES    (1u << 18) /* object contexts and stacks that access them */
#define MODEL_MAX_ALIVE	      (1u << 16) /* objects in a view of one JVM */
#define MODEL_MAX_WINDOWS     (1u << 17) /* of all contexts, unless each has few */
#define MODEL_WINDOWS	      512u	 /* of one context */
#define MODEL_FEW_WINDOWS     16u
#define MODEL_MAX_CONTENTS    (1u << 18) /* of objects of one JVM that windows begin with */
#define MODEL_MAX_POPULATIONS (1u << 16) /* classes of one JVM */
#define MODEL_MAX_APART	      (1u << 18) /* sums beside the first of what they are of */

#define EVIDENCE_MAX_ITEM (sizeof(struct model_snapshot) + WIRE_SLOTS * sizeof(uint32_t))

struct class_entry {
	struct model_class pub;
	bool defined; /* false: named by a context, but not yet described */
};

struct method {
	const char *class_name, *name, *file;
	enum model_home home;
	uint32_t nlines;
	struct wire_line *lines; /* by bci */
};

struct stack {
	uint16_t nframes, flags;
	uint32_t frames[]; /* numbers of the JVM's frames */
};

/*
 * What came since the last flush, by thread: a list, empty until something comes. The first member
 * of what holds the sums. See model_unflushed_new.
 */
struct unflushed {
	struct unflushed *next;
	uint16_t thread;
	bool used; /* something came */
};

struct unflushed_count {
	struct unflushed head;
	uint64_t count;
	double weight, bytes, squares;
};

struct unflushed_tally {
	struct unflushed head;
	struct file_tally sums; /* its header is not kept up */
};

struct unflushed_waste {
	struct unflushed head;
	struct file_waste sums; /* only its counts are kept up */
};

struct unflushed_access {
	struct unflushed head;
	struct file_access_sums sums;
};

/* Sums of one key. The first member of what else is known of it. */
struct sums_key {
	uint32_t jvm;
	uint32_t id[3], what; /* stacks, contexts, classes; kinds and flags */
};

struct sums {
	struct sums_key key;
	struct sums *next;	     /* of the same hash */
	struct unflushed *unflushed; /* struct unflushed_waste, struct unflushed_access */
};

struct sums_store {
	struct sums **entry; /* in the order in which they came */
	uint32_t n, room;
	struct idmap by_hash;
};

/* What of a stratum is the model's own affair. Parallel to model_context.strata. */
struct stratum_sums {
	double bytes;
	bool mixed;		     /* objects differ in size */
	struct unflushed *unflushed; /* struct unflushed_count */
};

struct context {
	struct model_context pub;
	/* tickets below it are kept; 2^32: all */
	uint64_t snapshot_threshold, use_threshold, window_threshold;
	uint32_t snapshots_room, uses_room, windows_room; /* entries allocated */
	uint32_t values_room;
	uint32_t strata_room, last_stratum;
	struct stratum_sums *sums;
	struct unflushed *tally; /* struct unflushed_tally */
	bool defined;		 /* false: events came, but no definition yet */
	bool has_counts, has_tally;
	bool changed; /* it is in the model's list of those */
};

struct waste {
	struct sums sums;
	struct model_waste pub;
};

struct access {
	struct sums sums;
	struct model_access pub;
};

/* An object of a view. */
struct live_heap_item {
	struct context *context;
	struct model_snapshot *snapshot;
};

struct jvm {
	struct model_jvm pub;
	uint32_t index;
	struct idmap classes, methods, stacks;
	struct idmap contexts; /* struct context by id */
	struct frames frames;
	struct idmap threads;	  /* names by number */
	struct idmap contents;	  /* uint32_t: windows that have it, by key */
	struct idmap populations; /* struct model_population by class id + 1 */
	/* the last view of what is alive, by context, and what has come of the next one */
	struct live_heap_item *alive, *coming;
	uint32_t nalive, ncoming, coming_room;
	struct model_snapshot **live_heap_snapshots; /* as contexts have them */
	struct model_view view;
};

struct model {
	struct jvm **jvms;
	size_t njvms, jvms_room;
	struct arena memory; /* of the contexts */
	struct context **contexts;
	size_t ncontexts, contexts_room;
	/* numbers of contexts of which something came since the last flush; as long as `contexts`
	 */
	uint32_t *changed;
	size_t nchanged;
	uint64_t sampled, sampled_known; /* allocations, see model_sampled */
	struct arena defs;
	struct arena evidence;
	struct arena values;
	struct sums_store wastes, accesses;
	uint32_t nvalues;
	uint32_t napart;			   /* sums that are kept apart by thread */
	bool outside;				   /* see model_feed_outside */
	void *recycled[EVIDENCE_MAX_ITEM / 8 + 1]; /* lists of dropped evidence, by bytes / 8 */
	size_t nevidence, evidence_bytes;
	size_t nwindows;
	uint32_t window_cap; /* of one context */
	uint32_t evidence_cap;
	uint32_t halvings; /* of all thresholds, see struct file_thin */
	size_t unflushed;  /* bytes of the sums that are in use, see model_unflushed_new */
	bool closed;	   /* see model_close */
	size_t nstrata;
	char *scratch; /* for names, before they are known to fit */
	struct model_class unknown, other;
	size_t argc;
	char **argv; /* NULL: no FILE_COMMAND yet */
	struct file_end end;
	bool ended;
};

/* Sets errno to EBADMSG. */
enum model_fed model_bad(void);

/* The JVM `index` (1..), with those before it. NULL with errno: there cannot be so many, or memory
 * lacks. */
struct jvm *model_find_jvm(struct model *m, uint32_t index);

/* A new context, of which nothing is known but its id. NULL where memory lacks. */
struct context *model_add_context(struct model *m, struct jvm *j, uint32_t id);

/* The context of an event, made up where it is not yet defined; NULL where memory lacks. */
struct context *model_event_context(struct model *m, struct jvm *j, uint32_t id);
/* The context of that id; NULL: there is none yet. */
static inline struct context *model_known_context(const struct jvm *j, uint32_t id)
{
	return idmap_get(&j->contexts, id);
}

/* Whether a context is asked for that can have no place any more. */
static inline bool model_lacks(const struct model *m, const struct jvm *j, uint32_t id)
{
	return m->closed && !model_known_context(j, id);
}

/* Something came for the context. */
static inline void model_note_change(struct model *m, struct context *c)
{
	if (c->changed)
		return;
	c->changed = true;
	m->changed[m->nchanged++] = c->pub.number;
}

/*
 * Makes room for one more in a vector of *room entries of `size` bytes each. Returns the vector,
 * moved or not, or NULL (then the old one is intact).
 */
void *model_grow(void *items, uint32_t n, uint32_t *room, size_t size);

/* The tally of a context and thread, which is to be handed out; NULL where memory lacks. */
struct file_tally *model_tally(struct model *m, struct context *c, uint16_t thread);

/* model_threads.c */
enum model_fed model_take_thread(struct model *m, struct jvm *j, const struct wire_rec *rec);

/* model_sums.c */
/*
 * The sums of a thread in a list whose entries have `size` bytes, used from now on, zeroed before;
 * NULL where memory lacks. Those that were handed out (not `used` any more) are taken for whoever
 * comes. Where there are too many sums of this kind, the thread shares the first ones, which then
 * are of a thread that is not known.
 */
void *model_unflushed_new(struct model *m, struct unflushed **list, uint16_t thread, size_t size);

/* Takes what is flushed. 0, or -1. */
typedef int emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

/* Makes the record of the sums `f`, all but its thread; `of` is whose they are. */
union unflushed_record {
	struct wire_rec rec;
	struct file_count count;
	struct file_tally tally;
	struct file_waste waste;
	struct file_access access;
};
typedef void unflushed_fill(union unflushed_record *rec, const struct unflushed *f, const void *of);

struct unflushed_flush {
	uint32_t jvm;
	size_t size; /* of the entries of the list */
	unflushed_fill *fill;
};

/* Hands out the sums of a list, and zeroes them. 0, or -1 as soon as `emit` returns it. */
int model_unflushed_flush(struct model *m, struct unflushed *list,
			  const struct unflushed_flush *how, const void *of, emit_fn *emit,
			  void *arg);

/* NULL: there are none of that key. */
struct sums *model_sums_find(const struct sums_store *store, const struct sums_key *key);
/*
 * Adds some of a key that is not there yet, zeroed but for it, `size` bytes as a whole. NULL where
 * memory lacks.
 */
struct sums *model_sums_add(struct sums_store *store, const struct sums_key *key, size_t size);
/* The same as model_unflushed_flush of all; `fill` gets the struct sums. */
int model_sums_flush(struct model *m, const struct sums_store *store, size_t size,
		     unflushed_fill *fill, emit_fn *emit, void *arg);
void model_sums_release(struct sums_store *store);

/* model_defs.c. `len` has been checked to be the record's, and to hold its fixed part. */
enum model_fed model_take_class(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_method(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_stack(struct model *m, struct jvm *j, const struct wire_rec *rec);
/* The class, described or not; NULL where memory lacks. */
const struct model_class *model_find_class(struct model *m, struct jvm *j, uint32_t id);

/* model_counts.c */
enum model_fed model_take_alloc(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_count(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_unused(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_tally(struct model *m, struct jvm *j, const struct wire_rec *rec);
static inline bool model_weight_ok(double weight, uint64_t count)
{
	return weight >= 0 && weight <= MODEL_MAX_WEIGHT * (double)count; /* NaN is neither */
}

/* model_evidence.c */
enum model_fed model_take_snapshot(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_use(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_thin(struct model *m, const struct wire_rec *rec);

bool model_snapshot_ok(const struct wire_snapshot *w);
bool model_use_ok(const struct wire_use *w);
size_t model_snapshot_bytes(uint16_t nslots);
void model_fill_snapshot(struct model_snapshot *to, const struct wire_snapshot *w);
void model_fill_use(struct model_use *to, const struct wire_use *w);

/* model_waste.c */
enum model_fed model_take_waste(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_wastes(struct model *m, struct jvm *j, const struct wire_rec *rec);
int model_flush_wastes(struct model *m, emit_fn *emit, void *arg);

/* model_access.c */
enum model_fed model_take_access(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_accesses(struct model *m, struct jvm *j, const struct wire_rec *rec);
int model_flush_accesses(struct model *m, emit_fn *emit, void *arg);

/* model_live_heap.c */
enum model_fed model_take_alive(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_view(struct model *m, struct jvm *j, const struct wire_rec *rec);
void model_free_alive(struct jvm *j);

/* model_population.c */
enum model_fed model_take_window(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_content(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_population(struct model *m, struct jvm *j, const struct wire_rec *rec);
void model_sift_windows(struct model *m, struct context *c);

/* model_values.c */
enum model_fed model_take_value(struct model *m, struct jvm *j, const struct wire_rec *rec);

#endif

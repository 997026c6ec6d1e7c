/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_parts.h - shared by the parts of the model: model_feed.c (records in; views of what is
 * alive), model_store.c (JVMs, contexts, threads' names, accessors), model_defs.c (classes,
 * methods, stacks), model_counts.c (allocations), model_evidence.c (snapshots and uses),
 * value_text.c (texts of strings), model_parts.c (sums, the stores of analyses).
 *
 * Ids come from an untrusted process. They are looked up in maps and never used as indices. No
 * memory is allocated by a number that the length of its record does not confirm.
 */
#ifndef OJX_MODEL_PARTS_H
#define OJX_MODEL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "model/analysis.h"
#include "model/model.h"
#include "model/sums.h"

/*
 * ---- numbers of the frames of one JVM's stacks. A hundred thousand stacks have millions of
 * frames, of which some thousand are different. A stack of numbers takes a quarter of the memory,
 * and a frame is analysed only once.
 */

struct frames {
	struct wire_frame *frame; /* by number */
	uint32_t n, room;
	struct idmap numbers; /* number + 1, by hash */
};

/* Most bytes that a new frame takes, without reserves. */
#define FRAMES_COST (sizeof(struct wire_frame) + 2 * sizeof(struct idmap_slot))

/* Returns the number of a frame; gives it one if it is new. 0, or -1 if out of memory. */
int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number);
void frames_release(struct frames *f);

/*
 * ---- how much evidence is kept. docs/file-format.md describes the rule; reader and writer
 * must have the same bounds.
 */

#define EVIDENCE_CAP	  8192u	     /* of one kind and context, initially */
#define EVIDENCE_MANY	  (1u << 18) /* in all contexts together; the cap may then sink to... */
#define EVIDENCE_FEW	  512u	     /* ...this */
#define EVIDENCE_TOO_MANY (1u << 21) /* in all contexts together; it may then sink to... */
#define EVIDENCE_LEAST	  64u	     /* ...this */

/* Whether `kept` pieces of evidence in all contexts together are too many for this cap. */
static inline bool evidence_too_much(size_t kept, uint32_t cap)
{
	return (kept > EVIDENCE_MANY && cap > EVIDENCE_FEW) ||
	       (kept > EVIDENCE_TOO_MANY && cap > EVIDENCE_LEAST);
}

/* Bounds. docs/file-format.md lists them; the reader must have those of the writer. */
#define MODEL_MAX_JVMS	     16384u
#define MODEL_MAX_CONTEXTS   (1u << 20)	  /* of all JVMs; later ones are counted as "other" */
#define MODEL_MAX_DEFS	     (1ull << 30) /* bytes of classes, methods and stacks */
#define MODEL_MAX_STRATA     4096u	  /* of one context */
#define MODEL_MAX_ALL_STRATA (1u << 20)
#define MODEL_MAX_VALUES     256u /* texts of one context */
#define MODEL_MAX_ALL_VALUES (1u << 16)
#define MODEL_MAX_ALIVE	     (1u << 16) /* objects in a view of one JVM */
#define MODEL_MAX_APART	     (1u << 18) /* sums per thread, beside the first of each key */
#define EVIDENCE_MAX_ITEM \
	(sizeof(struct model_snapshot) + WIRE_SLOTS * sizeof(uint32_t) + sizeof(struct wire_fill))

struct class_entry {
	struct model_class pub;
	bool defined; /* false: named by a context, but not yet described */
};

struct method {
	const char *class_name, *name, *file;
	uint8_t home; /* enum model_home */
	/* it is the platform's code: by platform.h; and with what model_set_transparent adds */
	bool given, platform;
	bool own; /* model_set_own */
	uint32_t nlines;
	struct wire_line *lines;       /* by bci */
	const struct wire_load *loads; /* of each of these; NULL: not known */
};

struct stack {
	uint16_t nframes, flags;
	uint32_t frames[]; /* numbers of the JVM's frames */
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

/* The model's own part of a stratum. Parallel to model_context.strata. */
struct stratum_sums {
	double bytes;
	bool mixed;		     /* objects differ in size */
	struct unflushed *unflushed; /* struct unflushed_count */
};

struct context {
	struct model_context pub;
	/* tickets below it are kept; 2^32: all */
	uint64_t snapshot_threshold, use_threshold;
	uint32_t snapshots_room, uses_room; /* entries allocated */
	bool changed;			    /* it is in the model's `changed` */
	bool defined;			    /* false: events came, but no definition yet */
	bool has_counts, has_tally;
	uint32_t values_room;
	uint32_t strata_room, last_stratum;
	struct stratum_sums *sums;
	struct unflushed *tally; /* struct unflushed_tally */
	struct course *course;	 /* as pub has it */
};

/* An object of a view. */
struct live_heap_item {
	struct context *context;
	struct model_snapshot *snapshot;
};

/* Allocation samples up to some time. */
struct flush {
	uint64_t ns, sampled;
};

/* As they came, the first of each name; at most LABELS_MAX. */
struct labels {
	struct model_label *item;
	uint32_t n, room;
};

struct jvm {
	struct model_jvm pub;
	uint32_t index;
	struct labels labels;
	struct idmap classes, methods, stacks;
	struct idmap contexts; /* struct context by id */
	struct frames frames;
	struct idmap threads; /* names of threads by number */
	/* the last view of what is alive, by context, and the records of the next one so far */
	struct live_heap_item *alive, *coming;
	uint32_t nalive, ncoming, coming_room;
	struct model_snapshot **live_heap_snapshots; /* as contexts have them */
	struct model_view view;
	/* the part whose evidence comes, 0: the JVM itself; factors of its weights */
	uint32_t process, seen_context;
	double snapshot_factor, use_factor;
	struct flush *flushes; /* in the order of their times; only with model_set_time */
	size_t nflushes, flushes_room;
};

struct model {
	uint64_t now_ns;	    /* model_set_time */
	char machine[FILE_MACHINE]; /* model_set_machine */
	struct jvm **jvms;
	size_t njvms, jvms_room;
	const char *const *own; /* globs, see model_set_own */
	size_t nown;
	struct arena memory; /* of the contexts and their arrays */
	struct context **contexts;
	size_t ncontexts, contexts_room;
	/*
	 * numbers of contexts of which something came since the last flush; room as for `contexts`
	 */
	uint32_t *changed;
	size_t nchanged;
	uint64_t sampled, sampled_known; /* allocations, see model_sampled */
	struct arena defs;
	struct arena evidence;
	struct arena values;
	const struct analysis *const *analyses;
	void *store[ANALYSES_MAX]; /* of each */
	uint32_t nvalues;
	uint32_t napart;			   /* sums beside the first of each key */
	bool outside;				   /* see model_feed_outside */
	bool frameless;				   /* see model_without_frames */
	void *recycled[EVIDENCE_MAX_ITEM / 8 + 1]; /* lists of dropped evidence, by bytes / 8 */
	size_t nevidence, evidence_bytes;
	uint32_t snapshots; /* taken, which gives them their numbers */
	uint32_t evidence_cap;
	uint32_t halvings; /* halvings of all thresholds, see struct file_thin */
	size_t unflushed;  /* bytes of the sums that are in use, see model_unflushed_new */
	bool closed;	   /* see model_close */
	size_t nstrata;
	char *scratch; /* space for names before their length is known */
	struct model_class unknown, other;
	size_t argc;
	char **argv;		    /* NULL: no FILE_COMMAND yet */
	char **recorded_own;	    /* NULL: no FILE_OWN yet */
	struct labels labels;	    /* of the recording */
	struct shown_command shown; /* of these, in the memory of `argv` */
	struct file_end end;
	bool ended;
	uint64_t secret;	  /* fingerprint; of a merged recording: of the parts that come */
	struct model_part *parts; /* of a merged recording */
	uint32_t *pool_first;	  /* number of the first snapshot that can be of each pool */
	size_t nparts, parts_room, npools, pool_first_room;
	struct idmap recordings, processes; /* that these are of, by id */
};

/*
 * The JVM `index` (1..); makes it and those before it if necessary. NULL with errno: there cannot
 * be so many, or out of memory.
 */
struct jvm *model_find_jvm(struct model *m, uint32_t index);

/* A new context, of which nothing is known but its id. NULL if out of memory. */
struct context *model_add_context(struct model *m, struct jvm *j, uint32_t id);

/* The context of an event; made if it is not defined yet. NULL if out of memory. */
struct context *model_event_context(struct model *m, struct jvm *j, uint32_t id);

/* The context of that id; NULL: there is none yet. */
static inline struct context *model_known_context(const struct jvm *j, uint32_t id)
{
	return idmap_get(&j->contexts, id);
}

/* Whether the context is unknown and gets no place any more (model_close). */
static inline bool model_too_late(const struct model *m, const struct jvm *j, uint32_t id)
{
	return m->closed && !model_known_context(j, id);
}

/* Notes that something came for the context. */
static inline void model_note_change(struct model *m, struct context *c)
{
	if (c->changed)
		return;
	c->changed = true;
	m->changed[m->nchanged++] = c->pub.number;
}

/* The tally of a context and thread, for the next flush; NULL if out of memory. */
struct file_tally *model_tally(struct model *m, struct context *c, uint16_t thread);

/* labels.c */
enum model_fed model_take_label(struct model *m, struct labels *to, const struct wire_rec *rec);

/* model_store.c */
enum model_fed model_take_thread(struct model *m, struct jvm *j, const struct wire_rec *rec);

/* model_defs.c. `len` has been checked to be the record's, and to hold its fixed part. */
enum model_fed model_take_class(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_method(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_loads(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_stack(struct model *m, struct jvm *j, const struct wire_rec *rec);

/* model_counts.c */
enum model_fed model_take_alloc(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_callers(struct model *m, struct jvm *j, const struct wire_rec *rec);
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
size_t model_snapshot_bytes(uint16_t nslots, uint16_t flags);
void model_fill_snapshot(struct model_snapshot *to, const struct wire_snapshot *w);
void model_fill_use(struct model_use *to, const struct wire_use *w);

/* model_parts.c */
bool model_add_stores(struct model *m); /* false if out of memory */
void model_release_stores(struct model *m);
void model_thin_stores(struct model *m);
int model_flush_stores(struct model *m, emit_fn *emit, void *arg);

/* The record of that type and the store of its analysis; NULL: none takes it. */
const struct analysis_record *model_analysed(const struct model *m, uint16_t type, void **store);

/* model_pooled.c */
enum model_fed model_take_part(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_sum(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_pooled(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_secret(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_seen(struct model *m, struct jvm *j, const struct wire_rec *rec);

/* Adds allocations to a context, as a file has them. 0, or -1 if out of memory. */
int model_add_count(struct model *m, struct context *c, const struct file_count *f);

/* Its squares: rounding, or damage, can put them outside of what is possible. */
double model_possible_squares(const struct file_count *f);

/* model_feed.c */
enum model_fed model_take_alive(struct model *m, struct jvm *j, const struct wire_rec *rec);
enum model_fed model_take_view(struct model *m, struct jvm *j, const struct wire_rec *rec);
void model_free_alive(struct jvm *j);

/* value_text.c */
enum model_fed model_take_value(struct model *m, struct jvm *j, const struct wire_rec *rec);

#endif

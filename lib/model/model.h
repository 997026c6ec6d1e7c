/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h - what is known of a recording: JVMs, classes, methods, stacks, allocation contexts and
 * the evidence about each context's objects.
 *
 * It is fed wire records, live from the rings or later from a file, and checks each of them. record
 * (which writes to the file what the model kept), report and top use the same code.
 *
 * Evidence is bounded. Each snapshot and each use has a uniform random ticket. When a context has
 * more of a kind than its cap, its threshold is halved and everything with a larger ticket is
 * dropped: a uniform sample of the whole run remains. The rule depends only on the records and
 * their order, so the reader of the file gets to the same state as the writer.
 */
#ifndef OJX_MODEL_H
#define OJX_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/shown_command.h"
#include "wire/wire.h"

/* ---- snapshots and uses as the model keeps them. */

/* Evidence, reduced to what the statistics need. */
struct model_snapshot {
	uint64_t content;
	uint64_t deep;	/* with what it refers to; valid with WIRE_DEEP */
	uint64_t fixed; /* what cannot change around it; valid with WIRE_FIXED */
	double weight;
	uint32_t array_length, epoch, ticket;
	uint32_t number;  /* in order of arrival, of those that the model took, from 0 on */
	uint32_t process; /* equal contents of two are comparable only if this is equal */
	uint32_t nodes, deep_bytes; /* objects that `deep` covers; bytes of those but the first */
	uint16_t flags;
	uint8_t nslots;
	uint8_t exponent; /* one in 2^exponent was kept, see wire_layout.h */
	uint32_t zeros;	  /* slots whose values are zero, as in wire_snapshot */
	uint32_t slot[];  /* nslots; behind them what model_snapshot_fill returns */
};

/* How full the object was; NULL: not known, or, of an array, to its end. */
const struct wire_fill *model_snapshot_fill(const struct model_snapshot *s);

struct model_use {
	uint64_t value, content;
	uint64_t deep; /* valid with WIRE_DEEP */
	double weight;
	uint32_t array_length, epoch, ticket, access, position;
	uint32_t process; /* as of a snapshot */
	uint16_t flags, size;
};

struct model;

/* One field of a class, or NULL name for arrays. */
struct model_field {
	const char *name;	/* "count" */
	const char *declarer;	/* Java name of the declaring class */
	const char *class_name; /* class to which a reference may lead; NULL: not known */
	char type;		/* JVM signature's first character */
	bool is_final;		/* never assigned after construction */
	uint32_t offset, size;	/* bytes */
};

struct model_class {
	uint32_t id;
	const char *name; /* Java name: byte[], com.acme.Foo$Bar */
	bool is_array;
	uint32_t element_size;
	uint32_t nfields;
	struct model_field *fields; /* by position */
};

enum model_home {
	MODEL_HOME_UNKNOWN,  /* the recording does not say */
	MODEL_HOME_PLATFORM, /* the JDK: WIRE_METHOD_PLATFORM */
	MODEL_HOME_PROGRAM,
};

/* A frame as people read it. The texts belong to the model. */
struct model_frame {
	const char *class_name; /* Java name */
	const char *method;
	const char *file;	       /* NULL: unknown */
	int line;		       /* 0: unknown */
	int folded;		       /* > 0: not a frame: the `folded` frames before it repeat */
	int bci;		       /* in its method; < 0: unknown */
	enum model_home home;	       /* who loaded its class */
	bool platform;		       /* it is the platform's code (platform.h), or a fold */
	bool own;		       /* it is what the reader calls their own (model_set_own) */
	uint32_t nlines;	       /* of its method's table of lines */
	const struct wire_line *lines; /* by bci */
	const struct wire_load *loads; /* of each of these; NULL: not known */
};

/* The text of a string whose deep content is `deep`. */
struct model_value {
	uint64_t deep;
	uint32_t chars; /* length of the whole string in UTF-16 units */
	uint32_t len;	/* bytes of `text`, which may be only the beginning */
	char text[];	/* as received: any bytes; a NUL follows */
};

/*
 * The objects of one size (array length) of a context. If there are too many sizes, the later ones
 * share a stratum of array length MODEL_OTHER_SIZES. Its objects count, but differ in size, so it
 * has no pairs.
 */
#define MODEL_OTHER_SIZES UINT32_MAX
#define MODEL_MAX_SIZE	  (1ull << 48) /* bytes of one object */
struct model_stratum {
	uint32_t array_length;
	uint64_t size;	  /* bytes of one object (the mean, if they differ) */
	uint64_t sampled; /* allocation samples */
	double objects;	  /* estimated: sum of weights */
	double squares;	  /* sum of the squares of the weights, for the error */
};

/* A view of what is alive, see wire_rec.h. */
struct model_view {
	/* bytes; larger objects, and objects with references, are not in it; 0: all may be */
	uint32_t leaves;
	/* one object per so many bytes is in it; 0: all that were sampled and are alive */
	double interval;
	uint64_t age_ms; /* age of the collection that they have survived */
	bool strings;	 /* strings are in it all the same, see WIRE_STRINGS_HELD */
};

struct model_context {
	const struct model *model; /* the model of its stacks; NULL: none */
	uint32_t jvm;		   /* index, 1.. */
	uint32_t id;
	uint32_t number; /* in the model, see model_context() */
	const struct model_class *class;
	uint32_t stack_id;
	uint64_t sampled;
	double objects, bytes; /* estimated */
	/* sums of wire_callers.bytes and of their squares */
	double others, others_squares;
	size_t nstrata;
	struct model_stratum *strata; /* by array length */
	size_t nvalues;		      /* texts of some strings; only with `record --values` */
	struct model_value **values;  /* sorted by deep */
	/* the last view; NULL: there was none since the context exists */
	const struct model_view *view;
	size_t nalive;
	struct model_snapshot **alive; /* its objects; WIRE_UNSEEN: no snapshot was taken */
	uint64_t unused[5];	       /* by wire_unused_reason */
	uint64_t access_samples;       /* samples of accesses to its followed objects */
	double accesses;	       /* estimated samples of accesses to all its objects */
	/* of its last sum of allocations, since the start; 0: not known, see model_set_time */
	uint64_t last_ns;
	const struct course *course; /* of its bytes (course.h); NULL: likewise */
	/* last: what each piece of evidence changes lies together, here and in struct context */
	uint64_t snapshots_seen, uses_seen; /* before thinning */
	size_t nsnapshots;
	struct model_snapshot **snapshots;
	size_t nuses;
	struct model_use **uses;
};

struct model_jvm {
	struct file_jvm info;
	struct file_status status;
	bool has_status;
};

/*
 * Creates an empty model for these analyses (analysis.h), a list that ends with NULL. NULL if out
 * of memory. Free with model_free.
 */
struct analysis;
struct model *model_new(const struct analysis *const *analyses);
void model_free(struct model *m);

/* Stacks are checked and then forgotten: for who keeps their records. */
void model_without_frames(struct model *m);

enum model_fed {
	MODEL_BAD = -1,	   /* the record makes no sense (EBADMSG), or memory ran out (ENOMEM) */
	MODEL_KEEP = 0,	   /* write it to the file, too */
	MODEL_DROPPED = 1, /* not needed: evidence beyond the cap, a repeated definition */
	MODEL_COUNTED = 2, /* only counted: model_flush_counts writes the sum */
};

/* Takes one record of JVM `jvm` (0: the recording itself). */
enum model_fed model_feed(struct model *m, uint32_t jvm, const struct wire_rec *rec, uint32_t len);

/*
 * After MODEL_BAD: whether errno says that this record alone makes no sense, which an agent wrote,
 * so that those behind it can be read.
 */
bool model_can_skip(uint32_t jvm, const struct wire_rec *rec);

/*
 * As model_feed, for a record that was not requested: a snapshot, a use, or an object of a view,
 * since what is kept depends on all evidence, and a view is complete or void. It gets the flag
 * MODEL_OUTSIDE, and must be removed in the end.
 */
enum model_fed model_feed_outside(struct model *m, uint32_t jvm, const struct wire_rec *rec,
				  uint32_t len);
#define MODEL_OUTSIDE 0x8000 /* snapshots and uses have at most 14 flags of their own */

/* Which records of a type go into a file that must stay below a size. */
struct model_room {
	bool until_closed; /* none after model_close */
	/*
	 * They come in groups. A group is written whole or not at all, since a later one replaces
	 * it. This is the type of the record that ends a group; 0: each stands for itself.
	 */
	uint16_t last;
};

struct model_room model_room_of(const struct model *m, uint16_t type);

/* The evidence that is kept, in bytes of memory, about as many as its records have. */
size_t model_evidence_bytes(const struct model *m);

/* How often all thresholds have been halved, see struct file_thin. */
uint32_t model_halvings(const struct model *m);

/* About how many bytes of records model_flush_counts would pass on. */
size_t model_unflushed(const struct model *m);

/*
 * From now on nothing new gets a place. Allocations of unknown contexts count for id 0, and their
 * evidence is dropped; accesses count only by known keys. The records in the file must say the
 * same.
 */
void model_close(struct model *m);

/*
 * Passes on what was only counted since the last call: a FILE_COUNT record for each stratum with
 * allocations and each thread that made them; a FILE_TALLY record for each context and thread with
 * evidence dropped or watches unused. 0, or -1 as soon as `emit` returns -1; the rest stays for the
 * next call.
 */
int model_flush_counts(struct model *m,
		       int (*emit)(uint32_t jvm, const struct wire_rec *rec, uint32_t len,
				   void *arg),
		       void *arg);

/* Whether there are texts of the program (`record --values`). */
bool model_has_values(const struct model *m);

/*
 * The index of the value with deep hash `deep` among those of the context, or where it belongs:
 * 0..nvalues
 */
size_t model_value_index(const struct model_context *c, uint64_t deep);
size_t model_njvms(const struct model *m);
const struct model_jvm *model_jvm(const struct model *m, uint32_t jvm); /* 1..njvms, or NULL */

/*
 * The parts of a merged recording: a process in one recording each. 0: it was not merged. i:
 * 0..n-1, in the order in which they came.
 */
size_t model_nparts(const struct model *m);
/* Of how many recordings and processes these are. */
size_t model_nrecordings(const struct model *m);
size_t model_nprocesses(const struct model *m);

struct model_part {
	struct file_part record;
	uint64_t secret;  /* fingerprint, file_secret; 0: not known */
	uint64_t pool;	  /* model_pool */
	uint32_t process; /* of its snapshots and uses: number of the first part of the pool */
};
const struct model_part *model_part(const struct model *m, size_t i);

/*
 * Parts of one process whose hashes are of one secret are a pool: contents can be compared within
 * it. Its evidence counts as that of one process. The pool of a part: a hash, not 0.
 */
uint64_t model_pool(const struct file_part *part, uint64_t secret);

/* The fingerprint of the secret of the hashes of contents; 0: not known. */
uint64_t model_secret(const struct model *m);

/* The name of a thread, NULL if unknown; numbers are below WIRE_THREADS. */
const char *model_thread(const struct model *m, uint32_t jvm, uint32_t number);

/* What a report shows of it; `full`: all of it. */
const char *model_shown_thread(const struct model *m, uint32_t jvm, uint32_t number, bool full);
size_t model_ncontexts(const struct model *m);
struct model_context *model_context(const struct model *m, size_t i); /* 0..ncontexts-1 */

/* Allocations that were sampled, of all contexts; `known`: of those that have an id. */
uint64_t model_sampled(const struct model *m, bool known);

/* The processor of the recording, which the header of its file names (wire_file_machine). */
void model_set_machine(struct model *m, const struct file_header *header);
const char *model_machine(const struct model *m);

/*
 * The time, since the start of the recording, of the records that are fed next. Sums of allocations
 * are written at flushes: what came since the flush before.
 */
void model_set_time(struct model *m, uint64_t ns);

/*
 * Allocation samples of a JVM up to a time. The times of its first and of its last sum; 0: it has
 * none, or no time was set.
 */
uint64_t model_sampled_until(const struct model *m, uint32_t jvm, uint64_t ns);
void model_sampled_between(const struct model *m, uint32_t jvm, uint64_t *first_ns,
			   uint64_t *last_ns);

/* When that began to come of which the sum is written at a flush at this time: about. */
uint64_t model_flush_begin(uint64_t ns);

/*
 * How often the snapshots of a context were halved, or its uses if that is more often: those are
 * kept whose tickets are below 2^(32 - halvings), and more of the others. 0..32.
 */
unsigned model_thinned(const struct model_context *c);

/* Snapshots that it took, kept or not: more than the number of any. */
uint32_t model_snapshots(const struct model *m);

/*
 * The numbers of the snapshots that came with this one from the same pool of a merged recording, or
 * those of all: `first` to `end` - 1.
 */
void model_snapshot_pool(const struct model *m, uint32_t number, uint32_t *first, uint32_t *end);

/*
 * Resolves a stack, innermost frame first, into at most `max` frames; returns how many it has.
 * *flags receives wire_stack_flags. An unknown stack has 0 frames and WIRE_STACK_FAILED.
 */
size_t model_stack(const struct model *m, uint32_t jvm, uint32_t stack_id,
		   struct model_frame *frames, size_t max, unsigned *flags);

/*
 * The same stack as numbers of the JVM's frames, 0..model_nframes-1: equal numbers are equal
 * frames. They belong to the model. Returns how many there are.
 */
size_t model_stack_frames(const struct model *m, uint32_t jvm, uint32_t stack_id,
			  const uint32_t **numbers, unsigned *flags);
size_t model_nframes(const struct model *m, uint32_t jvm);
struct model_frame model_frame(const struct model *m, uint32_t jvm, uint32_t number);

/* Whose code a frame is, by `platform` and `own` of that frame, which takes less time. */
enum model_owner { MODEL_OF_PLATFORM, MODEL_OF_PROGRAM, MODEL_OF_READER };
enum model_owner model_frame_owner(const struct model *m, uint32_t jvm, uint32_t number);

/*
 * From now on the methods that are known by now belong to the platform, too, if the Java name of
 * their class matches one of these globs. Earlier globs no longer count.
 */
void model_set_transparent(struct model *m, const char *const *globs, size_t n);

/*
 * From now on methods are the reader's own if the Java name of their class matches one of these
 * globs, whatever is transparent; the platform's are not. Earlier globs no longer count, nor those
 * of `ojx record --own`, which the recording has (FILE_OWN). The globs must outlive the model.
 */
void model_set_own(struct model *m, const char *const *globs, size_t n);
/* Whether there are such globs; glob i, NULL behind the last one. */
bool model_has_own(const struct model *m);
const char *model_own(const struct model *m, size_t i);

/* The frame as the agent sent it. */
struct wire_frame model_wire_frame(const struct model *m, uint32_t jvm, uint32_t number);

/* The class and stack of a context; false if it is not defined yet. */
bool model_context_parts(const struct model *m, uint32_t jvm, uint32_t context,
			 const struct model_class **class, uint32_t *stack);

/* The recording's own facts. Strings belong to the model. */
/* What a report shows of the command line; `full`: all of it. */
struct shown_command model_command(const struct model *m, bool full);

/* The command line itself. */
size_t model_argc(const struct model *m);
const char *model_argv(const struct model *m, size_t i);
bool model_ended(const struct model *m, struct file_end *end); /* false: no FILE_END yet */

#endif

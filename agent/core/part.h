/* SPDX-License-Identifier: Apache-2.0 */
/*
 * part.h - the parts of the agent, and what each does at the steps of a recording.
 *
 * agent/parts.c is the table of them. All who drive the recording loop over it: the start, the
 * callbacks of the JVM, the service thread, the governor. None of these names a part. A new part is
 * a file with a `struct part`, and its row.
 *
 * The order of rows is the order of calls. Only the end goes backwards.
 */
#ifndef OJX_PART_H
#define OJX_PART_H

#include "core/state.h"

struct allocation;
struct link_ring;
struct thread;
struct vmstructs;

/* What parts begin with, on the thread that starts the recording. */
struct part_start {
	const struct vmstructs *vm;
	JNIEnv *jni;
	jthread thread; /* the calling one */
	bool layout;	/* the layout of objects is known */
};

/* Whose turn it is to do the slow work. */
struct part_turn {
	struct thread *service; /* its ring is used, whoever has the turn */
	struct link_ring *ring;
	JNIEnv *jni; /* of the calling thread */
	bool final;  /* there is no later turn */
};

/* What parts tell the governor of their cost so far. Each adds its own. */
struct part_cost {
	double snapshot_ns; /* CPU time that snapshots have taken from the service thread */
	double snapshots;   /* objects with a snapshot, including those of pauses */
	double tick_ns;	    /* what the sampling clock has taken from threads */
	double tick_times;  /* the factor of the clock's period now */
	double interval;    /* bytes between sampled allocations now */
};

/* What parts may spend from now on. */
struct part_budget {
	bool first;	      /* nothing is known of costs yet */
	bool young;	      /* the recording has just begun */
	double share;	      /* of the CPU time, as the user has it (--budget) */
	double cpu;	      /* CPU time of the program that a grant is for, ns */
	double both;	      /* ns for each ns of the program's CPU time: callbacks and traps */
	double callbacks;     /* the same for callbacks alone */
	double debt;	      /* ns that were spent beyond the budget; negative: what is left */
	double bytes;	      /* allocated for each ns of the program's CPU time */
	double sample_ns;     /* what a callback costs */
	double snapshot_cost; /* of a sample, in callbacks */
	double ticks;	      /* of the clock at its full rate, ns for each ns */
};

/*
 * A part. All functions may be NULL. Unless said otherwise they are called only of parts that work,
 * on the service thread or on the thread of VMDeath, one of them at a time.
 */
struct part {
	const char *name; /* as lines of OJX_TRACE have it */
	bool of_objects;  /* works only where the layout of objects is known */
	/* At the start. NULL: it works. Else why not, or PART_UNASKED. */
	const char *(*init)(const struct part_start *start);
	/* On the service thread, before its first turn. */
	void (*begin)(const struct part_turn *turn);
	/* A class was loaded, and its methods are known. On the thread that loads it. */
	void (*loaded)(jclass type);
	/*
	 * In the allocation callback (heap/allocation.h). `sampled` gets each sampled object.
	 * `kept` then gets those that are not only counted and whose address is known.
	 */
	void (*sampled)(struct allocation *a);
	void (*kept)(struct allocation *a);
	/* [pause] A collection begins; it is over and `epoch` begins. */
	void (*gc_start)(void);
	void (*gc_finish)(uint64_t epoch);
	/* A round of its slow work. */
	void (*serve)(const struct part_turn *turn);
	/* Whether it has work that cannot wait for the next round; does that. */
	bool (*is_urgent)(void);
	void (*hurry)(const struct part_turn *turn);
	/*
	 * The recording is over: stops what takes time from the program, and tells what is known at
	 * the end. A last `serve` follows. Also of parts that do not work.
	 */
	void (*end)(const struct part_turn *turn);
	/* Deletes its references, again where it has done so. Also of parts that do not work. */
	void (*release)(JNIEnv *jni);
	/* What it has cost, and what it may cost. */
	void (*cost)(struct part_cost *cost);
	void (*budget)(const struct part_budget *budget);
};

/* The recording does not need the part. */
extern const char PART_UNASKED[];

#define PARTS_MOST 32u

/* Starts the parts of a table of at most PARTS_MOST, which outlives the recording. */
void parts_init(const struct part *const *table, uint32_t n, const struct part_start *start);

void parts_begin(const struct part_turn *turn);
void parts_loaded(jclass type);
void parts_sampled(struct allocation *a);
void parts_kept(struct allocation *a);

/* [pause] */
void parts_gc_start(void);
void parts_gc_finish(uint64_t epoch);

void parts_serve(const struct part_turn *turn);
bool parts_are_urgent(void);
void parts_hurry(const struct part_turn *turn);
void parts_end(const struct part_turn *turn);
void parts_release(JNIEnv *jni);
struct part_cost parts_cost(void);
void parts_budget(const struct part_budget *budget);

#endif

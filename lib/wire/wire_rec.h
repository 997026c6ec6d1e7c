/* SPDX-License-Identifier: Apache-2.0 */
/* wire_rec.h - a part of wire.h: the beginning of every record. */
#ifndef OJX_WIRE_REC_H
#define OJX_WIRE_REC_H

#include <stdatomic.h>
#include <stdint.h>

#include "wire/wire_fill.h"

#define WIRE_RECORDS_VERSION 9u /* see wire.h */
#define WIRE_ALIGN	     8u

/*
 * Every record in a ring, in the table of definitions and in a chunk of ojx.data begins with this
 * header. In the table of definitions `type` is written last (release): a reader stops at a record
 * of type 0 until its type is there.
 */
struct wire_rec {
	uint32_t len;	       /* bytes, this header included; a multiple of WIRE_ALIGN */
	_Atomic uint16_t type; /* wire_type */
	/*
	 * In an event, the number of the thread that allocated the object; in an access or waste
	 * event, of the thread that accesses. 0: not known, or not an event.
	 */
	uint16_t thread;
};

/* `n` bytes, padded. */
static inline uint32_t wire_pad(uint64_t n)
{
	return (uint32_t)((n + WIRE_ALIGN - 1) & ~(uint64_t)(WIRE_ALIGN - 1));
}

/*
 * ---- a part of wire.h: the objects that are alive. From time to time the agent takes a view:
 * it looks at the sampled objects that it holds by weak references and that survived a
 * collection. It sends a WIRE_ALIVE record (a struct wire_snapshot) for each, then a WIRE_VIEW
 * with their number. The reader drops a view of which records are missing. A later view
 * replaces an earlier one.
 */

/* Record types, as in enum wire_type. */
#define WIRE_ALIVE 39
#define WIRE_VIEW  40

/*
 * Flag of a WIRE_ALIVE record, beside those of wire_evidence_flags that are of snapshots: there was
 * no time for a snapshot; the object is alive, its content unknown. The bit is that of
 * WIRE_SAMPLED, a flag of uses; bit 15 is the model's.
 */
#define WIRE_UNSEEN (1 << 13)

/*
 * Flag of a WIRE_ALIVE record that stands for no object: it is unknown whether some objects of the
 * context are alive.
 */
#define WIRE_UNHELD (1 << 14)

/*
 * Added to wire_view.leaves: strings are held, too, if they with their arrays are not larger than
 * that.
 */
#define WIRE_STRINGS_HELD (1u << 31)

/* The end of a view. */
struct wire_view {
	struct wire_rec rec;
	uint32_t objects; /* WIRE_ALIVE records since the last view */
	/* bytes; larger objects and objects with references are not held. 0: no limit */
	uint32_t leaves;
	double interval; /* bytes; the objects are a sample with this interval. 0: all samples */
	uint64_t age_ms; /* most time since the collection that all of them survived */
};

/*
 * ---- a part of wire.h: what new objects of all classes hold (WIRE_WINDOWS). At the start of
 * a collection the agent copies a *window*: the memory behind a sampled object, which is a
 * sequence of objects. A WIRE_WINDOW record tells what they hold. A window that is too large
 * for a record gives several, one behind the other, with the same number. What an object holds
 * is known by a key. Keys of one class are equal if the contents are. No object is in two
 * windows.
 */

/* Record type, as in enum wire_type. */
#define WIRE_WINDOW 48

/* Contents of one record. */
#define WIRE_WINDOW_CONTENTS 120u

enum wire_window_flags {
	/* the key covers addresses: equal contents are recognised within one collection only */
	WIRE_WINDOW_ADDRESSES = 1 << 0,
};

/* Objects of a window with the same class and content. */
struct wire_window_content {
	uint64_t key;	   /* 0: what they hold is not known */
	uint64_t bytes;	   /* of all of them, headers and padding included */
	uint32_t class_id; /* 0: not known */
	uint16_t objects;
	uint16_t hashed; /* of these, so many have an identity hash code, */
	uint16_t locked; /* are or were used as a monitor */
	uint16_t flags;	 /* wire_window_flags */
	uint32_t pad;
};

struct wire_window {
	struct wire_rec rec;
	uint32_t window;  /* number, from 1 on */
	uint32_t context; /* of the sampled object before the window; 0: not known */
	double scale;	  /* allocated objects that each object of the window stands for */
	uint64_t own;	  /* key of the sampled object; 0: not known, or it is in another window */
	uint32_t own_class; /* 0: not known, or it is in another window */
	uint32_t ncontents;
	uint32_t near; /* objects of the window with the sampled object's content */
	uint32_t pad;
	/* struct wire_window_content contents[ncontents] */
};

/*
 * ---- a part of wire.h: when sampled objects were made and when they died (WIRE_LIVES). The
 * agent learns of a death at a collection, so a death lies between two moments. Each object
 * that was found dead gives a WIRE_LIFE record. From time to time, and at the end, the agent
 * takes a census: a WIRE_LIVING record for each object that it holds and has not found dead,
 * then a WIRE_CENSUS with their number. The reader drops a census of which records are
 * missing. A later census replaces an earlier one. What came after the last census is not
 * complete: objects that were made since and live are in no record. Where debug registers are
 * to be had, some of the objects are watched until they are used or die: a WIRE_NEXT_USE
 * record each.
 */

/* Record types, as in enum wire_type. */
#define WIRE_LIFE     41
#define WIRE_LIVING   42
#define WIRE_CENSUS   43
#define WIRE_NEXT_USE 49

/* A time by three clocks. All zero: there is none. */
struct wire_heap_time {
	uint64_t ns;	      /* since the JVM is recorded */
	uint64_t bytes;	      /* that the JVM has allocated since, estimated from samples */
	uint32_t collections; /* that looked for dead objects */
	uint32_t pad;
};

/*
 * The life of one object. It was last found alive at `alive`, and the time before at `before`;
 * either is `birth` if there was no such time. It was found dead at `dead`. It survived at least
 * alive.collections - birth.collections collections. A WIRE_LIVING record has no `dead`.
 */
struct wire_life {
	struct wire_rec rec;
	uint32_t context;
	uint32_t ticket; /* uniform random; the tool downsamples by it */
	uint64_t size;	 /* bytes */
	double weight;	 /* objects it stands for */
	struct wire_heap_time birth, before, alive, dead;
};

/* The end of a census. */
struct wire_census {
	struct wire_rec rec;
	uint32_t objects; /* WIRE_LIVING records since the last census */
	uint32_t pad;
	struct wire_heap_time now; /* younger objects are not in it */
	struct wire_heap_time
		collected; /* the last collection that looked for dead young objects */
	/*
	 * The last time for which a collection of the old generation told which of its objects
	 * live: dead objects from before it are known, whatever their age.
	 */
	struct wire_heap_time marked;
};

/* How a watch ended. */
enum wire_next_use_outcome {
	WIRE_NEXT_OPEN, /* it was given up before the object was used or found dead */
	WIRE_NEXT_USED,
	WIRE_NEXT_DIED, /* found dead, and not used before */
};

enum wire_next_use_flags {
	WIRE_NEXT_PATIENT = 1 << 0, /* not given up after WIRE_NEXT_SHORT_NS, but much later */
	WIRE_NEXT_FRESH = 1 << 1,   /* of those that have just survived their first collection */
	WIRE_NEXT_WHOLE = 1 << 2,   /* each use of the object would have been seen */
};

#define WIRE_NEXT_SHORT_NS   100000000u
#define WIRE_NEXT_PATIENT_NS 10000000000u /* a patient watch waits at least so long */

/*
 * How long it took until an object was used. It is one of the held objects that have survived a
 * collection, and was drawn at `start_ns`: half of them such that each object is equally likely,
 * half such that each byte is that they stand for. A WIRE_NEXT_FRESH one is of those that had just
 * survived their first collection, each of which was equally likely.
 */
struct wire_next_use {
	struct wire_rec rec;
	uint32_t context;
	uint32_t ticket; /* that of the object's wire_life */
	uint64_t size;	 /* bytes */
	/*
	 * Objects that it stands for, divided by the probability with which it was drawn; and times
	 * the seconds since the last draw, unless it is a fresh one.
	 */
	double weight;
	uint64_t birth_ns, start_ns, end_ns; /* as in wire_heap_time */
	uint16_t outcome, flags;
	uint32_t pad;
};

/* ---- a part of wire.h: which positions of an object are kept as slots of a snapshot. */

#define WIRE_SLOTS 32 /* most values of one object that are kept as hashes */

/* How many of an object's positions (fields or elements) are kept as slots. */
static inline uint32_t wire_slots(uint64_t positions)
{
	return positions < WIRE_SLOTS ? (uint32_t)positions : WIRE_SLOTS;
}

/*
 * The position that slot k of an object stands for. All positions if they fit in the slots;
 * otherwise a fixed pseudo-random choice that depends only on their number, so that two objects of
 * the same size can be compared slot by slot. (splitmix64's finalizer.)
 */
static inline uint64_t wire_position(uint64_t positions, uint32_t k)
{
	if (positions <= WIRE_SLOTS)
		return k;
	uint64_t z = positions * 0x9e3779b97f4a7c15u + (k + 1) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % positions;
}

/*
 * ---- a part of wire.h: sampled accesses to memory, and pairs of accesses of which one may be
 * wasted.
 */

/* Defined in JXPerf (FSE'19), section 4. */
enum wire_waste_kind {
	WIRE_DEAD_STORE = 1,   /* stored again before any load */
	WIRE_SILENT_STORE = 2, /* the next store writes the same value */
	WIRE_SILENT_LOAD = 3,  /* the next load reads the same value */
};

/*
 * The part of an object that an accessed address belongs to. The program does not control the parts
 * of a header.
 */
enum wire_part {
	WIRE_PART_CONTENT, /* a field or an element; or not known */
	WIRE_PART_MARK,	   /* the mark word: locks, identity hash code, age */
	WIRE_PART_CLASS,   /* the class word: type checks, calls of overridden methods */
	WIRE_PART_LENGTH,  /* an array's length: bounds checks */
};

/*
 * A pair of accesses to the same bytes by one thread. The first is a store or a load. The second is
 * the next access (dead store), the next store (silent store) or the next load (silent load).
 */
struct wire_waste {
	struct wire_rec rec;
	uint32_t watched, trapped; /* stack ids of the first and the second access */
	uint32_t class_id;	   /* of the object; 0: not known */
	uint16_t bytes;		   /* accessed by the first */
	uint8_t kind;		   /* wire_waste_kind */
	uint8_t wasted;		   /* 1: the pair is of its kind; 0: it counts only in the total */
	uint8_t insn_len[2];	   /* bytes of machine code of the two accesses; 0: not known */
	uint8_t part;		   /* wire_part */
	uint8_t left_out;	   /* further samples that it stands for, see WIRE_GOVERNED */
	uint8_t drawn; /* 1: the first access was drawn from all of its loop; 0: as it came */
	uint8_t pad[3];
	uint8_t insn[2][16];
};

enum wire_access_flags {
	WIRE_ACCESS_LOAD = 1 << 0,
	WIRE_ACCESS_STORE = 1 << 1, /* an atomic update is both */
	/*
	 * the addresses of followed objects were unknown: just after a collection, or the object
	 * moved
	 */
	WIRE_ACCESS_UNPLACED = 1 << 2,
	WIRE_ACCESS_FAULT = 1 << 3, /* the sample is a page fault */
	WIRE_ACCESS_TIME = 1 << 4,  /* from the sampling clock: it samples time, not accesses */
};

#define WIRE_NO_NODE  (-1)
#define WIRE_LEFT_OUT 9 /* most of them: 20 samples a second instead of 200 */

/* One sampled access to the heap. */
struct wire_access {
	struct wire_rec rec;
	uint32_t context;  /* of the followed object that is accessed; 0: none */
	uint32_t class_id; /* of the object; 0: not known */
	uint32_t stack;	   /* id of the accessing stack */
	/*
	 * the number of this sample among all samples of this object, left out ones included; 0: no
	 * object
	 */
	uint32_t hit;
	double weight;		     /* objects that the followed one stands for */
	uint64_t offset;	     /* bytes from the object's start */
	uint64_t data_src;	     /* PERF_SAMPLE_DATA_SRC; 0: not known */
	uint32_t latency;	     /* PERF_SAMPLE_WEIGHT, cycles; 0: not known */
	uint16_t flags;		     /* wire_access_flags */
	uint16_t bytes;		     /* accessed */
	int16_t cpu_node, page_node; /* WIRE_NO_NODE: not known */
	uint32_t left_out;	     /* further samples that it stands for, see WIRE_GOVERNED */
};

/* ---- a part of wire.h: what was seen of objects, as snapshots, texts of strings, and uses. */

enum wire_evidence_flags {
	WIRE_REFS = 1 << 0,	/* holds non-null references: comparable only within its epoch */
	WIRE_PARTIAL = 1 << 1,	/* too large: content covers only a part of it */
	WIRE_TWICE = 1 << 2,	/* two snapshots were taken, some time apart */
	WIRE_CHANGED = 1 << 3,	/* and they differ */
	WIRE_IN_PAUSE = 1 << 4, /* the snapshot was taken in a GC pause */
	/* a use: the watched position is the one of an earlier observation */
	WIRE_PARTNER = 1 << 5,
	WIRE_FILLED = 1 << 5,	 /* a snapshot: a wire_fill follows */
	WIRE_ELSEWHERE = 1 << 6, /* a use: by a thread other than the allocating one */
	WIRE_DEEP = 1 << 7,	 /* a snapshot: `deep` is valid; a use: `deep` follows */
	/* deep content is cut at a bound: equal only as far as it was followed */
	WIRE_DEEP_CUT = 1 << 8,
	/*
	 * deep content includes something that equals only itself (a thread, a lock, a class
	 * loader): comparable only within its epoch
	 */
	WIRE_DEEP_REFS = 1 << 9,
	WIRE_HASHED = 1 << 10,	/* a snapshot: the object has an identity hash code */
	WIRE_LOCKED = 1 << 11,	/* a snapshot: the object is or was used as a monitor */
	WIRE_FIXED = 1 << 12,	/* a snapshot: `fixed` follows its slots */
	WIRE_SAMPLED = 1 << 13, /* a use: found by a sampled access, at once or later */
	/* 14: see wire_rec.h; 15: MODEL_OUTSIDE */
	WIRE_EVIDENCE_FLAGS = (1 << 14) - 1,
};

/*
 * A snapshot of a whole object. slot[k] is the hash of the value at position
 * wire_position(positions, k); `positions` is the number of fields or elements. Elements of one or
 * two bytes are hashed with their neighbours, see docs/privacy.md.
 *
 * All hashes of contents are keyed with the recording's secret (secret.h): they can be
 * compared, and that is all.
 */
struct wire_snapshot {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint32_t epoch;
	uint16_t flags; /* wire_evidence_flags */
	uint8_t nslots;
	uint8_t exponent; /* it was kept with probability 2^-exponent; `weight` includes that */
	uint64_t content; /* hash of the content */
	double weight;	  /* objects it stands for */
	/*
	 * Hash of the deep content: of what the references lead to, instead of addresses. For a
	 * java.lang.String: of its characters only, since its cached hash code is set lazily.
	 */
	uint64_t deep;
	/*
	 * Uniform random. Evidence is downsampled by it, see lib/model/model.h. The use of an
	 * object that is watched from its allocation has the ticket of its snapshot.
	 */
	uint32_t ticket;
	uint32_t nodes; /* objects that `deep` covers, with this one */
	/* bytes of these objects without this one, with headers and padding; 0: not known */
	uint32_t deep_bytes;
	/*
	 * Which slots are zero, false or null. Of an object: bit k for slot k, but never for a
	 * field of one byte, since the bit would reveal its value. Of an array: as many bits as
	 * slots are zero.
	 */
	uint32_t zeros;
	/*
	 * uint32_t slot[nslots], padded to 8
	 *
	 * uint64_t fixed, if WIRE_FIXED: hash of the object's own primitive fields, and of what
	 * cannot change in the objects that it refers to: their classes, lengths, final fields, and
	 * the same of objects that final references lead to. It can be compared over the whole run.
	 * If it differs, the objects differ for good: they have other values, or refer to other
	 * objects. If it is equal, nothing is known.
	 *
	 * struct wire_fill, if WIRE_FILLED: of collections of known classes, and of arrays whose
	 * last element is 0 or null. An array without it is used to its end.
	 */
};

/*
 * The text of a string of which a snapshot was taken. Sent only with WIRE_VALUES, and not for each
 * snapshot.
 */
struct wire_value {
	struct wire_rec rec;
	uint32_t context;
	uint32_t len;	/* bytes of text, at most WIRE_VALUE_TEXT */
	uint64_t deep;	/* as in wire_snapshot */
	uint32_t chars; /* of the whole string, in UTF-16 units */
	uint32_t pad;
	/* char text[len], UTF-8, cut at a character, padded to 8 */
};

/* A use: what the first load of a watched object, at `position`, found. */
struct wire_use {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint32_t epoch;
	uint16_t flags;
	uint16_t size;	   /* bytes of the value */
	uint32_t access;   /* stack id of the load */
	uint32_t position; /* index of the field or element */
	uint64_t value;	   /* hash of the value there */
	uint64_t content;  /* hash of the content at that moment */
	double weight;
	uint32_t ticket;
	uint32_t pad;
	/*
	 * uint64_t deep, if WIRE_DEEP: hash of the deep content at that moment, as in
	 * wire_snapshot. Only of objects with references.
	 */
};

enum wire_unused_reason {
	WIRE_UNUSED_TIME = 0,	  /* no use by this thread in time */
	WIRE_UNUSED_EPOCH = 1,	  /* a GC came first */
	WIRE_UNUSED_REPLACED = 2, /* the debug register was needed for a later object */
	WIRE_UNUSED_TRAPS = 3,	  /* only stores were seen */
	WIRE_UNUSED_LOST = 4,	  /* the object moved, or its content could not be read */
};

/* A watch that ended without a use. */
struct wire_unused {
	struct wire_rec rec;
	uint32_t context;
	uint32_t reason; /* wire_unused_reason */
};

/* Bytes of a snapshot's record. */
static inline uint32_t wire_snapshot_len(uint16_t nslots, uint16_t flags)
{
	return (uint32_t)sizeof(struct wire_snapshot) +
	       wire_pad(nslots * (uint32_t)sizeof(uint32_t)) +
	       (flags & WIRE_FIXED ? (uint32_t)sizeof(uint64_t) : 0) +
	       (flags & WIRE_FILLED ? (uint32_t)sizeof(struct wire_fill) : 0);
}

/* Where `fixed` is, with WIRE_FIXED. */
static inline uint64_t *wire_snapshot_fixed(const struct wire_snapshot *s)
{
	return (uint64_t *)((uintptr_t)(s + 1) + wire_pad(s->nslots * (uint32_t)sizeof(uint32_t)));
}

/* Where its struct wire_fill is, with WIRE_FILLED: at the end. */
static inline struct wire_fill *wire_snapshot_fill(const struct wire_snapshot *s)
{
	return (struct wire_fill *)((uintptr_t)s + wire_snapshot_len(s->nslots, s->flags) -
				    sizeof(struct wire_fill));
}

/* Bytes of a use's record. */
static inline uint32_t wire_use_len(uint16_t flags)
{
	return (uint32_t)sizeof(struct wire_use) +
	       (flags & WIRE_DEEP ? (uint32_t)sizeof(uint64_t) : 0);
}

/* Where `deep` is, with WIRE_DEEP. */
static inline uint64_t *wire_use_deep(const struct wire_use *u)
{
	return (uint64_t *)(uintptr_t)(u + 1);
}

#endif

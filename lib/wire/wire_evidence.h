/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_evidence.h - a part of wire.h: what was seen of objects, as snapshots, texts of strings, and
 * uses.
 */
#ifndef OJX_WIRE_EVIDENCE_H
#define OJX_WIRE_EVIDENCE_H

#include <stdint.h>

#include "wire/wire_rec.h"

enum wire_evidence_flags {
	WIRE_REFS = 1 << 0,	/* holds non-null references: comparable only within its epoch */
	WIRE_PARTIAL = 1 << 1,	/* too large: content covers only a part of it */
	WIRE_TWICE = 1 << 2,	/* two snapshots were taken, some time apart */
	WIRE_CHANGED = 1 << 3,	/* and they differ */
	WIRE_IN_PAUSE = 1 << 4, /* the snapshot was taken in a GC pause */
	/* a use: the watched position is the one of an earlier observation */
	WIRE_PARTNER = 1 << 5,
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
	/* 14: see wire_live_heap.h; 15: MODEL_OUTSIDE */
	WIRE_EVIDENCE_FLAGS = (1 << 14) - 1,
};

/*
 * A snapshot of a whole object. slot[k] is the hash of the value at position
 * wire_position(positions, k); `positions` is the number of fields or elements. Elements of one or
 * two bytes are hashed with their neighbours, see docs/privacy.md.
 *
 * All hashes of contents are keyed with the recording's secret (wire_secret.h): they can be
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
	       (flags & WIRE_FIXED ? (uint32_t)sizeof(uint64_t) : 0);
}

/* Where `fixed` is, with WIRE_FIXED. */
static inline uint64_t *wire_snapshot_fixed(const struct wire_snapshot *s)
{
	return (uint64_t *)((uintptr_t)(s + 1) + wire_pad(s->nslots * (uint32_t)sizeof(uint32_t)));
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

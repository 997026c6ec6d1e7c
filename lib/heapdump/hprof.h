/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof.h - reads heap dumps in HotSpot's binary format, HPROF 1.0.1 and 1.0.2.
 *
 * The file is mapped and walked from its beginning. A walk checks each record before it hands it
 * out, so whoever takes a record can read all of it, and again later by its offset. A file that
 * ends too early is walked up to its last complete part.
 */
#ifndef OJX_HPROF_H
#define OJX_HPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/progress.h"

enum { HPROF_ERROR = 256 };

struct hprof {
	const unsigned char *data;
	size_t size;
	bool mapped; /* by hprof_open */
	bool leased; /* there is a lease on `fd`, which stays open */
	int fd;
	unsigned id_size; /* bytes of an identifier: 4 or 8 */
	/* a file may hold dumps of several moments, from 1 on */
	unsigned wanted;	 /* 0: the last one */
	unsigned dump, dumps;	 /* which one is walked, of how many; known once there was a walk */
	char cut[HPROF_ERROR];	 /* where the file was cut short; empty: it is whole */
	char error[HPROF_ERROR]; /* what is wrong with the file, and at which byte */
};

/* Types of fields and of elements. */
enum hprof_type {
	HPROF_OBJECT = 2,
	HPROF_BOOLEAN = 4,
	HPROF_CHAR = 5,
	HPROF_FLOAT = 6,
	HPROF_DOUBLE = 7,
	HPROF_BYTE = 8,
	HPROF_SHORT = 9,
	HPROF_INT = 10,
	HPROF_LONG = 11,
};

/* Records, and the parts of heap dump records, that somebody may want. */
enum hprof_kind {
	HPROF_STRING,	  /* id, text */
	HPROF_LOAD_CLASS, /* id: of the class; other: of its name */
	HPROF_ROOT,	  /* id; tag */
	HPROF_CLASS,	  /* id; other: the superclass; statics and fields */
	HPROF_INSTANCE,	  /* id; other: the class; body */
	HPROF_OBJECTS,	  /* an array. id; other: its class; body: `count` identifiers */
	HPROF_PRIMITIVES, /* an array. id; type; body: `count` elements */
};

enum hprof_root {
	HPROF_ROOT_JNI_GLOBAL = 0x01,
	HPROF_ROOT_JNI_LOCAL = 0x02,
	HPROF_ROOT_FRAME = 0x03,
	HPROF_ROOT_NATIVE = 0x04,
	HPROF_ROOT_CLASS = 0x05,
	HPROF_ROOT_BLOCK = 0x06,
	HPROF_ROOT_MONITOR = 0x07,
	HPROF_ROOT_THREAD = 0x08,
	HPROF_ROOT_UNKNOWN = 0xff,
};

struct hprof_item {
	enum hprof_kind kind;
	uint64_t at; /* its offset, for hprof_item_at */
	uint64_t id, other;
	const unsigned char *body;
	uint32_t count; /* of elements; of an instance, and of a text: bytes */
	uint8_t type;	/* of elements */
	uint8_t tag;	/* of a root */
	/* of a class: name (identifier), type (1 byte), and, of a static, the value */
	const unsigned char *statics, *fields;
	uint16_t nstatics, nfields;
	const unsigned char *related; /* of a class: HPROF_RELATED identifiers */
};

/* The superclass of a class, its loader, who signed it, and its protection domain. */
enum hprof_related { HPROF_SUPER, HPROF_LOADER, HPROF_SIGNERS, HPROF_DOMAIN, HPROF_RELATED };

/* Bytes of a value; 0: there is no such type. */
unsigned hprof_width(const struct hprof *h, unsigned type);

/*
 * Opens a dump: a file, or "-" for standard input. What is no file, or is packed by gzip, is
 * written to a temporary file that has no name; so is, for root, another user's file on which the
 * kernel gives no lease. What does not begin as a dump is not written. 0, or -1 with h->error.
 * Close in any case.
 */
int hprof_open(struct hprof *h, const char *path);
/* The same of a copy of a dump in memory. */
int hprof_open_memory(struct hprof *h, const void *data, size_t size);
void hprof_close(struct hprof *h);

/* Takes a record. 0, or -1 to end the walk; h->error says why, if it is set. */
typedef int hprof_take_fn(const struct hprof_item *item, void *arg);

/* Hands out all records. 0, or -1 with h->error, or as soon as `take` returns it. */
int hprof_walk(struct hprof *h, struct progress *progress, hprof_take_fn *take, void *arg);

/* The part of a heap dump that a walk found at this offset. */
void hprof_item_at(const struct hprof *h, uint64_t at, struct hprof_item *item);

static inline uint16_t hprof_u16(const unsigned char *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap16(v);
}

static inline uint32_t hprof_u32(const unsigned char *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap32(v);
}

static inline uint64_t hprof_u64(const unsigned char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap64(v);
}

static inline uint64_t hprof_id(const struct hprof *h, const unsigned char *p)
{
	return h->id_size == 4 ? hprof_u32(p) : hprof_u64(p);
}

#endif

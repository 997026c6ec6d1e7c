/* SPDX-License-Identifier: Apache-2.0 */
/* hprof_private.h - what the files that read a heap dump share: see hprof.h. */
#ifndef OJX_HPROF_PRIVATE_H
#define OJX_HPROF_PRIVATE_H

#include "heapdump/hprof.h"

enum {
	HPROF_TAG_STRING = 0x01,
	HPROF_TAG_LOAD_CLASS = 0x02,
	HPROF_TAG_HEAP_DUMP = 0x0c,
	HPROF_TAG_SEGMENT = 0x1c,
	HPROF_TAG_END = 0x2c,
	HPROF_RECORD_HEADER = 9, /* tag, time, length */
	HPROF_LENGTH_AT = 5,
};

/* A record of the file. What is cut goes on behind the end of the file. */
struct hprof_record {
	uint64_t at, body, end;
	uint8_t tag;
	bool cut;
};

/* ---- hprof.c: how a file begins --------------------------------------------------- */

enum { HPROF_HEADER_MAX = 64 };

/* Checks the header, and sets id_size and where the first record is. 0, or -1 with h->error. */
int hprof_check_header(struct hprof *h, const unsigned char *data, size_t size, size_t *first);

/* ---- hprof_part.c: errors; the parts of a heap dump record -------------------------------- */

/* Sets h->error: what is wrong at this offset. Returns -1. */
int hprof_fail(struct hprof *h, uint64_t at, const char *what);

struct hprof_cursor {
	struct hprof *h;
	const unsigned char *at, *end;
	uint64_t lacks; /* so many bytes are missing at `end`; 0: the part is wrong in itself */
};

/* Whether parts have this tag. */
bool hprof_is_part(uint8_t tag);
/* Reads a part. 0, or -1 with h->error. */
int hprof_read_part(struct hprof_cursor *c, struct hprof_item *item);

/* ---- hprof_part.c ------------------------------------------------------------------------- */

enum hprof_joined {
	HPROF_JOINED,
	HPROF_CUT,   /* the file ends before */
	HPROF_APART, /* what follows is no segment; or h->error says why not */
};

/*
 * Moves bytes from the segments that follow to the end of this record: `least` or, if there are so
 * many, `want`.
 */
enum hprof_joined hprof_join(struct hprof *h, struct hprof_record *r, uint64_t least,
			     uint64_t want);

#endif

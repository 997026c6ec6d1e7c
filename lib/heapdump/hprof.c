/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof.c - see hprof.h: the walk. A file has a header and records; two sorts of records, a heap
 * dump and a segment of one, consist of parts. A heap dump record is a moment of its own; so are
 * segments up to the record that ends them.
 *
 * A record says its length in 32 bits. HotSpot before JDK 9 writes longer ones, whose length says
 * the low bits; and it fills a length in when the record is complete, so that a JVM that was killed
 * leaves 0.
 */
#include "heapdump/hprof.h"

#include <stdarg.h>
#include <stdio.h>

#include "heapdump/hprof_private.h"

/*
 * ---- how a heap dump begins; and how other files begin that somebody may take for one: what
 * they are, and what to do.
 */

#define PACKED(name, program) "packed by " name, "'" program " FILE | ojx heap -' reads it"
#define WRITE_ONE	      "'jcmd PID GC.heap_dump FILE' writes a heap dump"

enum { TAR_AT = 257 };

static const struct other_finding {
	uint16_t at;
	uint8_t len;
	const char *head, *what, *advice;
} others[] = {
	{ 0, 3, "BZh", PACKED("bzip2", "bzip2 -dc") },
	{ 0, 6,
	  "\xfd"
	  "7zXZ",
	  PACKED("xz", "xz -dc") },
	{ 0, 4, "\x28\xb5\x2f\xfd", PACKED("zstd", "zstd -dc") },
	{ 0, 4, "\x04\x22\x4d\x18", PACKED("lz4", "lz4 -dc") },
	{ 0, 4, "PK\3\4", PACKED("zip", "unzip -p") },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", PACKED("7-Zip", "7z x -so") },
	{ 0, 2, "\x1f\x8b", PACKED("gzip twice", "gzip -dc") },
	{ TAR_AT, 5, "ustar", "a tar archive",
	  "'tar -xOf FILE | ojx heap -' reads the dump in it" },
	{ 2, 18, "portable heap dump", "a heap dump of OpenJ9 (PHD), which has no contents",
	  "Eclipse MAT with DTFJ shows it; a HotSpot JVM writes what ojx reads" },
	{ 0, 11, "// Version:", "a classic heap dump of OpenJ9, which has no contents",
	  "a HotSpot JVM writes what ojx reads" },
	{ 0, 4, "FLR", "a recording of JFR, which has no contents of objects", WRITE_ONE },
	{ 0, 8, "OJXDATA", "a recording of ojx", "'ojx report -i FILE' shows it" },
	{ 0, 20, "JAVA PROFILE 1.0.1, ", "the text format of the hprof agent",
	  "its option 'format=b' writes the binary one" },
	{ 0, 18, "JAVA PROFILE 1.0.3", "a dump of Android (version 1.0.3)",
	  "'hprof-conv FILE NEW' converts it" },
	{ 0, 4, "MDMP", "a core file of Windows",
	  "'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a heap dump of it" },
	{ 1, 19, "num     #instances ", "a class histogram", WRITE_ONE },
	{ 0, 20, "version https://git-", "a pointer of Git LFS",
	  "'git lfs pull' fetches the file" },
	{ 0, 5, "<html", "a page of HTML, as a failed download leaves it", "fetch it again" },
	{ 0, 9, "<!DOCTYPE", "a page of HTML, as a failed download leaves it", "fetch it again" },
	{ 0, 20, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no heap dump: it begins with zeroes",
	  WRITE_ONE },
};

static int refuse(struct hprof *h, const char *what, const char *advice)
{
	snprintf(h->error, sizeof h->error, "it is %s: %s", what, advice);
	return -1;
}

/* What is no dump. Returns -1. */
static int name_it(struct hprof *h, const unsigned char *data, size_t size)
{
	enum { TYPE_AT = 16, CORE = 4 };

	if (size > TYPE_AT + 1 && memcmp(data,
					 "\x7f"
					 "ELF",
					 4) == 0)
		return data[TYPE_AT] == CORE || data[TYPE_AT + 1] == CORE
			       ? refuse(h, "a core file",
					"'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a "
					"heap dump of it")
			       : refuse(h, "a program or a library", WRITE_ONE);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const struct other_finding *o = &others[i];
		if (size >= (size_t)o->at + o->len && memcmp(data + o->at, o->head, o->len) == 0)
			return refuse(h, o->what, o->advice);
	}
	if (size > 13 && memcmp(data, "JAVA PROFILE ", 13) == 0)
		return hprof_fail(h, 13, "it is neither version 1.0.1 nor 1.0.2");
	return hprof_fail(h, 0, "it is no heap dump: 'JAVA PROFILE' is missing");
}

int hprof_check_header(struct hprof *h, const unsigned char *data, size_t size, size_t *first)
{
	static const char *const versions[] = { "JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2" };
	size_t len = strlen(versions[0]) + 1;

	if (size == 0) {
		snprintf(h->error, sizeof h->error, "it is empty");
		return -1;
	}
	if (size < len || (memcmp(data, versions[0], len) != 0 && memcmp(data, versions[1], len)))
		return name_it(h, data, size);
	*first = len + 4 + 8;
	if (size < *first)
		return hprof_fail(h, size, "it ends within its header");
	h->id_size = hprof_u32(data + len);
	if (h->id_size != 4 && h->id_size != 8)
		return hprof_fail(h, len, "identifiers have neither 4 nor 8 bytes");
	return 0;
}

enum { PROGRESS_STEP = 1 << 22 /* bytes */, CHAIN = 4 };

/* Notes where the file is cut, if nothing was noted before. */
__attribute__((format(printf, 2, 3))) static void note_cut(struct hprof *h, const char *format, ...)
{
	va_list args;

	if (h->cut[0])
		return;
	va_start(args, format);
	vsnprintf(h->cut, sizeof h->cut, format, args);
	va_end(args);
}

static void note_zeroes(struct hprof *h, uint64_t at)
{
	note_cut(h, "from byte %llu on the file has only zeroes", (unsigned long long)at);
}

/* ---- records ----------------------------------------------------------------------------- */

static bool is_tag(uint8_t tag)
{
	return (tag >= HPROF_TAG_STRING && tag <= 0x07) || (tag >= 0x0a && tag <= 0x0e) ||
	       tag == HPROF_TAG_SEGMENT || tag == HPROF_TAG_END;
}

/* Whether the file ends here, or some records follow, as far as can be seen. */
static bool is_border(const struct hprof *h, uint64_t at)
{
	for (int i = 0; i < CHAIN && at < h->size; i++) {
		if (h->size - at < HPROF_RECORD_HEADER)
			return i > 0;
		uint32_t len = hprof_u32(h->data + at + HPROF_LENGTH_AT);
		if (!is_tag(h->data[at]))
			return false;
		at += HPROF_RECORD_HEADER + (uint64_t)len;
		if (at > h->size)
			return i > 0;
	}
	return true;
}

/* Whether parts of a heap dump go on here, rather than records. */
static bool is_within(const struct hprof *h, uint64_t at)
{
	return at < h->size && hprof_is_part(h->data[at]) && !is_border(h, at);
}

/* Where a heap dump record ends, whose length may be said wrongly. */
static void find_end(const struct hprof *h, struct hprof_record *r)
{
	const uint64_t wrap = (uint64_t)UINT32_MAX + 1;

	if (r->end == r->body && is_within(h, r->end)) {
		r->end = h->size;
		r->cut = true;
		return;
	}
	if (h->size < wrap)
		return;
	for (uint64_t end = r->end; end <= h->size; end += wrap)
		if (is_border(h, end)) {
			r->end = end;
			return;
		}
}

static bool is_zero(const struct hprof *h, uint64_t at)
{
	while (at < h->size && !h->data[at])
		at++;
	return at == h->size;
}

/* The record at this offset. 1, or 0 at the end of what can be read, or -1 with h->error. */
static int read_record(struct hprof *h, uint64_t at, struct hprof_record *r)
{
	if (at == h->size)
		return 0;
	if (!h->data[at]) {
		note_zeroes(h, at);
		return is_zero(h, at) ? 0 : hprof_fail(h, at, "there is an unknown record");
	}
	if (h->size - at < HPROF_RECORD_HEADER) {
		note_cut(h, "the file ends at byte %zu, within the head of a record", h->size);
		return 0;
	}
	*r = (struct hprof_record){ .at = at,
				    .body = at + HPROF_RECORD_HEADER,
				    .tag = h->data[at] };
	r->end = r->body + hprof_u32(h->data + at + HPROF_LENGTH_AT);
	if (r->tag == HPROF_TAG_HEAP_DUMP || r->tag == HPROF_TAG_SEGMENT)
		find_end(h, r);
	if (r->end <= h->size && !r->cut)
		return 1;
	if (!is_tag(r->tag))
		return hprof_fail(h, at, "there is an unknown record, longer than the file,");
	if (r->end > h->size)
		note_cut(h, "the file ends at byte %zu, within a record that has %llu bytes more",
			 h->size, (unsigned long long)(r->end - h->size));
	else
		note_cut(h,
			 "the file ends at byte %zu, within a record whose length was never "
			 "written",
			 h->size);
	r->end = h->size;
	r->cut = true;
	return 1;
}

/* ---- moments ----------------------------------------------------------------------------- */

struct moments {
	unsigned n;
	bool open; /* segments, which no record has ended yet */
};

static void count_moment(struct moments *m, uint8_t tag)
{
	bool segment = tag == HPROF_TAG_SEGMENT;

	if (tag == HPROF_TAG_HEAP_DUMP || (segment && !m->open))
		m->n++;
	if (tag == HPROF_TAG_HEAP_DUMP || tag == HPROF_TAG_END)
		m->open = false;
	else if (segment)
		m->open = true;
}

/* Chooses the dump that is walked. 0, or -1 with h->error. */
static int choose(struct hprof *h, uint64_t at)
{
	struct moments m = { .n = 0 };
	struct hprof_record r;
	int more;

	for (; (more = read_record(h, at, &r)) > 0; at = r.end)
		count_moment(&m, r.tag);
	if (more < 0)
		return -1;
	if (m.open)
		note_cut(h,
			 "the file ends at byte %zu without the record that ends a dump, so more "
			 "may be missing",
			 h->size);
	h->dumps = m.n;
	h->dump = h->wanted ? h->wanted : m.n;
	if (h->wanted > m.n) {
		snprintf(h->error, sizeof h->error, "there is no dump %u in it, but %u", h->wanted,
			 m.n);
		return -1;
	}
	return 0;
}

/* ---- the walk ---------------------------------------------------------------------------- */

/*
 * What to do about a part that could not be read. 1: to read it again; 0: it is cut, and nothing
 * follows; -1: it is wrong.
 */
static int mend(struct hprof *h, struct hprof_record *r, const struct hprof_cursor *c, uint64_t at)
{
	enum hprof_joined joined = HPROF_CUT;

	if (!c->lacks) {
		if (h->data[at] || !is_zero(h, at))
			return -1;
		note_zeroes(h, at);
	} else if (!r->cut) {
		joined = hprof_join(h, r, c->lacks, r->end - at);
	}
	if (joined == HPROF_APART)
		return -1;
	h->error[0] = '\0';
	return joined == HPROF_JOINED;
}

/*
 * Hands out the parts of a record, which may grow. 1; 0 if the file is cut there; or -1, as
 * hprof_walk.
 */
static int walk_parts(struct hprof *h, struct hprof_record *r, hprof_take_fn *take, void *arg)
{
	uint64_t at = r->body;
	struct hprof_item item;
	int result = 1;

	while (at < r->end && result > 0) {
		struct hprof_cursor c = { h, h->data + at, h->data + r->end, 0 };
		if (hprof_read_part(&c, &item) < 0) {
			result = mend(h, r, &c, at);
			continue;
		}
		if (take(&item, arg) < 0)
			return -1;
		at = (uint64_t)(c.at - h->data);
	}
	return result;
}

/* Hands out what is in a record; `parts`: if it is a heap dump, these. As walk_parts. */
static int walk_record(struct hprof *h, struct hprof_record *r, bool parts, hprof_take_fn *take,
		       void *arg)
{
	const unsigned char *body = h->data + r->body;
	struct hprof_item item = { .at = r->at };
	uint64_t len = r->end - r->body;
	unsigned id = h->id_size;

	if (r->tag == HPROF_TAG_HEAP_DUMP || r->tag == HPROF_TAG_SEGMENT)
		return parts ? walk_parts(h, r, take, arg) : 1;
	if (r->cut)
		return 0;
	switch (r->tag) {
	case HPROF_TAG_STRING:
		if (len < id)
			return hprof_fail(h, r->at, "a string is too short");
		item.kind = HPROF_STRING;
		item.id = hprof_id(h, body);
		item.body = body + id;
		item.count = (uint32_t)(len - id);
		return take(&item, arg) < 0 ? -1 : 1;
	case HPROF_TAG_LOAD_CLASS:
		if (len < 8 + 2 * id)
			return hprof_fail(h, r->at, "the name of a class is too short");
		item.kind = HPROF_LOAD_CLASS;
		item.id = hprof_id(h, body + 4);
		item.other = hprof_id(h, body + 8 + id);
		return take(&item, arg) < 0 ? -1 : 1;
	default:
		return 1;
	}
}

int hprof_walk(struct hprof *h, struct progress *progress, hprof_take_fn *take, void *arg)
{
	struct moments m = { .n = 0 };
	struct hprof_record r;
	uint64_t told = 0;
	size_t at;
	int more;

	if (hprof_check_header(h, h->data, h->size, &at) < 0 || choose(h, at) < 0)
		return -1;
	for (; (more = read_record(h, at, &r)) > 0; at = r.end) {
		count_moment(&m, r.tag);
		int result = walk_record(h, &r, m.n == h->dump, take, arg);
		if (result <= 0)
			return result;
		if (r.end - told >= PROGRESS_STEP) {
			progress_add(progress, r.end - told);
			told = r.end;
		}
	}
	return more;
}
